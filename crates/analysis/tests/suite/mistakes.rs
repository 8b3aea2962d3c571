//! Typing mistakes in documents that are right: a letter less, a key in another style, a list without brackets. Input: a
//! project; output: the same with one mistake. The same number gives the same mistakes.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::diagnostic::Severity;
use nodewise_syntax::{NodeValue, ScalarValue, SyntaxNode, parse};
use serde_json::{Map, Number, Value as Json};

use crate::fixes::{below, diagnostics_of, open, read};

/// The files of a project, by their names.
pub(crate) type Files = BTreeMap<String, Arc<str>>;

/// Numbers that look random.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// Projects without an error or a warning, in YAML and, where one file holds one document, in JSON.
pub(crate) fn clean_projects() -> Vec<(String, Files)> {
    let mut projects = Vec::new();
    let folders =
        ["tests/mistakes/clean", "examples", "tests/data/corpus/agentos"].into_iter().flat_map(below);
    for folder in folders {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        projects.push((name, read(&folder)));
    }
    let corpus =
        read(&below("tests/data/corpus").into_iter().find(|folder| folder.ends_with("cycgraph")).unwrap());
    projects.extend(corpus.into_iter().map(|(path, text)| (path.clone(), Files::from([(path, text)]))));
    projects.retain(|(_, files)| {
        let (workspace, sources) = open(files);
        !files.is_empty()
            && diagnostics_of(&workspace, &sources)
                .iter()
                .all(|one| !matches!(one.severity, Severity::Error | Severity::Warning))
    });
    let twins =
        projects.iter().filter_map(|(name, files)| Some((format!("{name}, in JSON"), in_json(files)?)));
    let twins: Vec<_> = twins.collect();
    projects.extend(twins);
    projects
}

/// The same project in JSON, if each file is one sound document of a system that reads JSON.
pub(crate) fn in_json(files: &Files) -> Option<Files> {
    let twin = |(path, text): (&String, &Arc<str>)| {
        let tree = parse(Arc::clone(text));
        let mut documents = tree.documents();
        let (root, none) = (documents.next()?.root()?, documents.next());
        let json =
            json(root).filter(|json| none.is_none() && tree.is_valid() && json.get("kind").is_none())?;
        let name = path.rsplit_once('.').map_or(path.as_str(), |(name, _)| name);
        Some((format!("{name}.json"), Arc::from(serde_json::to_string_pretty(&json).ok()?)))
    };
    files.iter().map(twin).collect()
}

fn json(node: SyntaxNode<'_>) -> Option<Json> {
    Some(match node.value() {
        NodeValue::Alias(_) => return None,
        NodeValue::Empty | NodeValue::Unknown => Json::Null,
        NodeValue::Scalar(scalar) => match scalar.resolve() {
            ScalarValue::Null => Json::Null,
            ScalarValue::Bool(value) => Json::Bool(value),
            ScalarValue::Int(value) => Json::from(value),
            ScalarValue::Float(value) => Json::Number(Number::from_f64(value)?),
            ScalarValue::BigInt => return None,
            ScalarValue::Text => Json::String(scalar.cooked().into_owned()),
        },
        NodeValue::Mapping(mapping) => {
            let entry = |entry: nodewise_syntax::Entry<'_>| {
                Some((entry.key_text()?.into_owned(), entry.value().map_or(Some(Json::Null), json)?))
            };
            Json::Object(mapping.entries().map(entry).collect::<Option<Map<_, _>>>()?)
        }
        NodeValue::Sequence(sequence) => Json::Array(
            sequence.items().map(|item| item.node().map_or(Some(Json::Null), json)).collect::<Option<_>>()?,
        ),
    })
}

/// The project with one mistake in one of its files; nothing where the place has no such mistake.
pub(crate) fn mistaken(files: &Files, random: &mut Random) -> Option<Files> {
    let (path, text) = files.iter().nth(random.below(files.len()))?;
    let words: Vec<(usize, &str)> = words(text).collect();
    let (start, word) = *words.get(random.below(words.len()))?;
    let end = start + word.len();
    let (from, to, new) = match random.below(6) {
        // A letter less, a letter twice, two letters swapped.
        0 => (start + random.below(word.len()), None, String::new()),
        1 => {
            let at = start + random.below(word.len());
            (at, Some(at), text.get(at..=at)?.to_owned())
        }
        2 => {
            let at = start + random.below(word.len() - 1);
            (at, Some(at + 2), text.get(at..at + 2)?.chars().rev().collect())
        }
        3 => (start, Some(end), other_style(word)?),
        4 => (start, Some(end), capital(word)),
        _ => {
            // A list of one without its brackets.
            let bare = format!("[{word}]");
            let at = text.get(..end + 1)?.ends_with(&bare).then(|| start - 1)?;
            (at, Some(end + 1), word.to_owned())
        }
    };
    let mut mistaken = text.to_string();
    mistaken.replace_range(from..to.unwrap_or(from + 1), &new);
    let mut files = files.clone();
    files.insert(path.clone(), Arc::from(mistaken));
    Some(files)
}

/// The words of a text of three letters or more, and where each begins.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        let start = rest + text.get(rest..)?.find(is_part)?;
        let tail = text.get(start..)?;
        let end = start + tail.find(|letter| !is_part(letter)).unwrap_or(tail.len());
        rest = end;
        Some((start, text.get(start..end)?))
    })
    .filter(|(_, word)| word.len() > 2)
}

fn other_style(word: &str) -> Option<String> {
    let (first, rest) = word.split_once('_')?;
    Some(format!("{first}{}", capital(rest)))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
