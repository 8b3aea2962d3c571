//! A condition as it is written in its file: where its characters stand, and what to write to change it.
//!
//! Input: the value's node; output: places and changes of the file. Invariant: a change that is given leaves a value
//! that reads as exactly the changed condition, whatever its quotes, escapes and lines.

use std::cell::{Cell, OnceCell};

use nodewise_model::Origin;
use nodewise_syntax::{
    CookedText, NodeValue as Syntax, Scalar, ScalarStyle, ScalarValue, SyntaxNode, TextRange, TextSize, parse,
};

/// At most this many findings of one condition get a fix. Each fix is verified by parsing the changed value, and users
/// apply one fix at a time.
const REPAIRS_MAX: usize = 16;

/// An edit of the file that changes a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionRewrite {
    /// The place whose text is replaced.
    pub at: Origin,
    /// The new text.
    pub text: String,
}

/// A condition's value as written in its file. The first request for a place reads the whole value; later requests reuse
/// it.
#[derive(Debug)]
pub(crate) struct Written<'t> {
    node: SyntaxNode<'t>,
    at: Origin,
    cooked: OnceCell<Option<(Scalar<'t>, CookedText<'t>)>>,
    /// How many more fixes will be computed; see [`REPAIRS_MAX`].
    repairs_left: Cell<usize>,
}

impl<'t> Written<'t> {
    pub(super) fn new(node: SyntaxNode<'t>, at: Origin) -> Written<'t> {
        Written { node, at, cooked: OnceCell::new(), repairs_left: Cell::new(REPAIRS_MAX) }
    }

    /// The value with the places of its characters; `None` for an alias, whose text is written elsewhere.
    fn cooked(&self) -> Option<&(Scalar<'t>, CookedText<'t>)> {
        let read = || match self.node.value() {
            Syntax::Scalar(scalar) => Some((scalar, scalar.cooked_with_map())),
            _ => None,
        };
        self.cooked.get_or_init(read).as_ref()
    }

    /// The place in the file of a range of the condition. An alias stands for its own place.
    pub(crate) fn place(&self, range: TextRange) -> Origin {
        match self.cooked() {
            Some((_, cooked)) => Origin::new(self.at.source, cooked.map.source_range(range.into())),
            None => self.at,
        }
    }

    /// The edit that puts `text` in place of `range` of the condition; `None` if no safe edit exists, or after
    /// [`REPAIRS_MAX`] calls.
    pub(crate) fn rewrite(&self, range: TextRange, text: &str) -> Option<ConditionRewrite> {
        let (scalar, cooked) = self.cooked()?;
        self.repairs_left.set(self.repairs_left.get().checked_sub(1)?);
        let mut wanted = cooked.text.to_string();
        wanted.get(std::ops::Range::<usize>::from(range))?;
        wanted.replace_range(std::ops::Range::<usize>::from(range), text);
        let change = match scalar.style() {
            ScalarStyle::Literal | ScalarStyle::Folded => in_place(*scalar, cooked, range, text)
                .filter(|change| leaves_last_line(*scalar, change.0))
                .filter(|change| reads_as(&changed(*scalar, change), &wanted))
                .or_else(|| without_last_break(*scalar, &wanted)),
            _ => in_place(*scalar, cooked, range, text)
                .filter(|change| reads_as(&changed(*scalar, change), &wanted))
                .or_else(|| {
                    let whole = (scalar.node().range(), quoted(&wanted)?);
                    reads_as(&whole.1, &wanted).then_some(whole)
                }),
        };
        change.map(|(range, text)| ConditionRewrite { at: Origin::new(self.at.source, range), text })
    }
}

/// A range of the file, and what to put there.
type Change = (TextRange, String);

/// Replaces the range in the file itself, escaped for the value's quotes.
fn in_place(scalar: Scalar<'_>, cooked: &CookedText<'_>, range: TextRange, text: &str) -> Option<Change> {
    let escaped = match scalar.style() {
        ScalarStyle::DoubleQuoted => text.replace('\\', "\\\\").replace('"', "\\\""),
        ScalarStyle::SingleQuoted => text.replace('\'', "''"),
        _ => text.to_owned(),
    };
    let place = cooked.map.source_range(range.into());
    scalar.node().range().contains_range(place).then_some((place, escaped))
}

/// The whole value in double quotes, or in single quotes if double quotes would need escapes. `None` if the value has control
/// characters.
fn quoted(text: &str) -> Option<String> {
    if text.contains(char::is_control) {
        return None;
    }
    Some(match text.contains(['"', '\\']) {
        true => format!("'{}'", text.replace('\'', "''")),
        false => format!("\"{text}\""),
    })
}

/// Changes the header of a block scalar so that it drops its last line break, if `wanted` differs only in that.
fn without_last_break(scalar: Scalar<'_>, wanted: &str) -> Option<Change> {
    let raw = scalar.raw();
    let length = raw.find(|character| !matches!(character, '|' | '>' | '+' | '-' | '0'..='9'))?;
    let header = raw.get(..length)?;
    let stripped = format!("{}-", header.replace(['+', '-'], ""));
    let change = (TextRange::at(scalar.node().range().start(), TextSize::of(header)), stripped);
    (header != change.1 && reads_as(&changed(scalar, &change), wanted)).then_some(change)
}

/// Whether a change of a block scalar leaves the end of its last line as it is.
fn leaves_last_line(scalar: Scalar<'_>, place: TextRange) -> bool {
    let content = TextSize::of(scalar.raw().trim_end());
    place.end() <= scalar.node().range().start() + content
}

/// The value's source text after the change.
fn changed(scalar: Scalar<'_>, (range, text): &Change) -> String {
    let mut raw = scalar.raw().to_owned();
    let place = *range - scalar.node().range().start();
    raw.replace_range(std::ops::Range::<usize>::from(place), text);
    raw
}

/// Whether YAML reads `value` as the text `wanted`, both in block and in flow style.
fn reads_as(value: &str, wanted: &str) -> bool {
    let is_block = value.starts_with(['|', '>']);
    let text = if is_block { format!("key: {value}") } else { format!("{{key: {value}\n}}") };
    let tree = parse(text.as_str());
    let root = tree.documents().next().and_then(|document| document.root());
    let entry = root.and_then(|root| root.as_mapping()?.get("key")?.value());
    let Some(scalar) = entry.and_then(SyntaxNode::as_scalar) else { return false };
    tree.problems().is_empty() && scalar.resolve() == ScalarValue::Text && scalar.cooked() == wanted
}

#[cfg(test)]
mod tests {
    use nodewise_model::{Origin, SourceId};
    use nodewise_syntax::{SyntaxNode, TextRange, TextSize, parse};

    use super::Written;

    /// Replaces the first `from` in the value of `when` by `to`, and compares the file.
    fn check_rewrite(file: &str, (from, to): (&str, &str), expected: Option<&str>) {
        let tree = parse(file);
        let root = tree.documents().next().unwrap().root().unwrap();
        let node: SyntaxNode<'_> = root.as_mapping().unwrap().get("when").unwrap().value().unwrap();
        let written = Written::new(node, Origin::new(SourceId(0), node.range()));
        let cooked = node.as_scalar().unwrap().cooked();
        let start = TextSize::try_from(cooked.find(from).unwrap()).unwrap();
        let change = written.rewrite(TextRange::at(start, TextSize::of(from)), to);
        let changed = change.map(|change| {
            let mut changed = file.to_owned();
            changed.replace_range(std::ops::Range::<usize>::from(change.at.range), &change.text);
            changed
        });
        assert_eq!(changed.as_deref(), expected, "{file}");
    }

    #[test]
    fn changes_respect_quotes_and_escapes() {
        check_rewrite("when: a = b", ("=", "=="), Some("when: a == b"));
        check_rewrite("when: 'a = b'", ("b", "'c'"), Some("when: 'a = ''c'''"));
        check_rewrite("when: \"a = b\"", ("b", "\"c\""), Some("when: \"a = \\\"c\\\"\""));
        check_rewrite("when: \"a\\x20= b\"", ("=", "=="), Some("when: \"a\\x20== b\""));
        check_rewrite("{when: 'it''s = b'}", ("s =", "s =="), Some("{when: 'it''s == b'}"));
        check_rewrite("when: 'a =\n  b'", ("= b", "== b"), Some("when: 'a == b'"));
    }

    #[test]
    fn a_plain_value_gets_quotes_where_it_needs_them() {
        check_rewrite("when: a ?? b", ("a ?? b", "a ? a : b"), Some("when: \"a ? a : b\""));
        check_rewrite("when: a", ("a", "true"), Some("when: \"true\""));
        check_rewrite("{when: a.b}", ("b", "c, 'd'"), Some("{when: \"a.c, 'd'\"}"));
        check_rewrite("when: a", ("a", "\"b\": c"), Some("when: '\"b\": c'"));
    }

    #[test]
    fn blocks_change_in_their_lines_and_lose_their_last_break() {
        check_rewrite("when: |\n  a = b\nz: 1\n", ("=", "=="), Some("when: |\n  a == b\nz: 1\n"));
        check_rewrite("when: |\n  a\n  && b\nz: 1\n", ("\n", " "), Some("when: |\n  a && b\nz: 1\n"));
        check_rewrite("when: |\n  a ? b : c\nz: 1\n", ("c\n", "c"), Some("when: |-\n  a ? b : c\nz: 1\n"));
        check_rewrite("when: >+\n  a\n\nz: 1\n", ("a\n\n", "a"), Some("when: >-\n  a\n\nz: 1\n"));
    }
}
