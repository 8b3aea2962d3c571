//! A part of a state: a key, and the members below it.
//!
//! Input: the id that a client sends back, or a key and names of members; output: the part of a value. Invariant: what is
//! written as an id is read as the same part, whatever characters its names have.

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use crate::expressions::member;

/// The prefix of every id.
const STATE: &str = "state:";
/// Characters of names that would have a meaning in an id, and what is written instead. `~` is escaped first and
/// unescaped last, because the escapes contain it.
const ESCAPES: [(char, &str); 3] = [('~', "~0"), ('/', "~1"), (':', "~2")];

/// A key of the state of a graph, or a member below one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatePath {
    /// The id of the graph in the log.
    pub graph: SmolStr,
    pub key: SmolStr,
    /// The path from the key to the part: names of members, and positions of items. Empty for the whole key.
    pub members: Vec<SmolStr>,
}

impl StatePath {
    /// The path of a whole key.
    #[must_use]
    pub fn new(graph: impl Into<SmolStr>, key: impl Into<SmolStr>) -> StatePath {
        StatePath { graph: graph.into(), key: key.into(), members: Vec::new() }
    }

    /// Reads an id. `None` if it does not have the form of one.
    #[must_use]
    pub fn parse(id: &str) -> Option<StatePath> {
        let (graph, path) = id.strip_prefix(STATE)?.rsplit_once(':')?;
        let mut names = path.split('/').map(unescaped);
        Some(StatePath { graph: graph.into(), key: names.next()?, members: names.collect() })
    }

    /// The id, as [`StatePath::parse`] reads it.
    #[must_use]
    pub fn id(&self) -> String {
        let names = std::iter::once(&self.key).chain(&self.members);
        let path: Vec<String> = names.map(|name| escaped(name)).collect();
        format!("{STATE}{}:{}", self.graph, path.join("/"))
    }

    /// The path of a member of this part, by the name of the variable: `[0]` is an item of a list.
    #[must_use]
    pub fn member(&self, name: &str) -> StatePath {
        let position = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let position = position.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        let mut path = self.clone();
        path.members.push(position.unwrap_or(name).into());
        path
    }

    /// Finds the part in the value of its key. `None` if the value has no such part.
    #[must_use]
    pub fn part<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        self.members.iter().try_fold(value, |value, name| member(value, name))
    }

    /// The path as users see it: `key.member`.
    #[must_use]
    pub fn shown(&self) -> String {
        self.members.iter().fold(self.key.to_string(), |text, name| format!("{text}.{name}"))
    }
}

fn escaped(name: &str) -> String {
    ESCAPES.iter().fold(name.to_owned(), |text, (character, code)| text.replace(*character, code))
}

fn unescaped(name: &str) -> SmolStr {
    let undone = |text: String, (character, code): &(char, &str)| text.replace(code, &character.to_string());
    ESCAPES.iter().rev().fold(name.to_owned(), undone).into()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::StatePath;

    #[track_caller]
    fn check_id(graph: &str, key: &str, members: &[&str], expected: &str) {
        let path = members.iter().fold(StatePath::new(graph, key), |path, name| path.member(name));
        assert_eq!(path.id(), expected);
        assert_eq!(StatePath::parse(expected), Some(path));
    }

    #[test]
    fn ids() {
        check_id("flow", "score", &[], "state:flow:score");
        check_id("LLMNode/desk", "artifacts.sort", &["a", "[2]"], "state:LLMNode/desk:artifacts.sort/a/2");
        check_id("a:b", "c/d", &["e:f", "~1", "[x]", ""], "state:a:b:c~1d/e~2f/~01/[x]/");
        assert_eq!(StatePath::parse("state:flow"), None);
        assert_eq!(StatePath::parse("flow:score"), None);
    }
}
