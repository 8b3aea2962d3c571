//! Documents from the corpora, documents generated from the dialect's table, and mutations of both.
//!
//! Input is random choices. Output is a document and its notation. Invariant: the corpora are read once, in the order
//! of their paths.

use std::path::Path;
use std::sync::LazyLock;

use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::{Data, SpannedValue as Located};
use nodewise_model::SourceId;
use serde_json::{Number, Value, json};

use super::mutate::mutated;
use super::table::document;
use super::yaml::{Quotes, block_text};
use crate::oracle::random::Random;
use xtask::checkout::checkout_root;

/// One line of JSON.
const JSON: &str = "json";
/// YAML with blocks.
const BLOCK: &str = "yaml";
/// YAML with missing quotes. Both sides read values like `1_000`, `yes` and `0x10`.
const PLAIN: &str = "plain yaml";

static CYCGRAPH: LazyLock<Vec<Value>> = LazyLock::new(|| corpus("cycgraph"));
static AGENTOS: LazyLock<Vec<Value>> = LazyLock::new(|| corpus("agentos/valid"));

pub(crate) fn cycgraph_question(random: &mut Random) -> Value {
    question("cycgraph", &CYCGRAPH, random)
}

pub(crate) fn agentos_question(random: &mut Random) -> Value {
    question("agentos", &AGENTOS, random)
}

/// The text of a question's document, and a name for its file.
pub(crate) fn text_of(question: &Value) -> (&'static str, String) {
    let document = &question["value"];
    match question["form"].as_str() {
        Some(BLOCK) => ("document.yaml", block_text(document, Quotes::Kept)),
        Some(PLAIN) => ("document.yaml", block_text(document, Quotes::Forgotten)),
        _ => ("document.json", document.to_string()),
    }
}

/// The document of a question, as a reader sees it. Without quotes, a text may have another type.
pub(crate) fn read(question: &Value) -> Value {
    match question["text"].as_str() {
        Some(text) => first_document(text).unwrap_or_default(),
        None => question["value"].clone(),
    }
}

/// The question about a document in a notation. If only a reader knows the value of the text, the question includes the
/// text.
pub(super) fn asking(form: &str, document: Value) -> Value {
    let mut question = json!({"ask": "document", "form": form, "value": document});
    if form == PLAIN {
        question["text"] = json!(text_of(&question).1);
    }
    question
}

/// Half of the documents come from the dialect's table, and half from the corpora.
fn question(system: &str, corpus: &[Value], random: &mut Random) -> Value {
    let dialect = DIALECTS.iter().find(|dialect| dialect.id == system);
    let made = dialect.filter(|_| random.chance(50)).and_then(|dialect| document(dialect, random));
    let document =
        made.unwrap_or_else(|| corpus.get(random.below(corpus.len())).cloned().unwrap_or_default());
    let changes = [0, 1, 1, 1, 1, 2, 2, 3, 5][random.below(9)];
    let form = random.pick(&[JSON, JSON, BLOCK, BLOCK, BLOCK, PLAIN]);
    asking(form, mutated(document, random, changes))
}

/// The first document of each file in a folder of the corpora.
fn corpus(folder: &str) -> Vec<Value> {
    let folder = checkout_root().join("tests/data/corpus").join(folder);
    let entries = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).filter(|path| is_document(path)).collect();
    paths.sort();
    paths
        .iter()
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter_map(|text| first_document(&text))
        .collect()
}

fn is_document(path: &Path) -> bool {
    let is_verdict = path.file_stem().is_some_and(|stem| stem == "expected" || stem == "conditions");
    !is_verdict && path.extension().is_some_and(|extension| extension == "yaml" || extension == "json")
}

fn first_document(text: &str) -> Option<Value> {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next()?.root()?;
    Some(to_json(&Located::from_node(root, SourceId::default())))
}

pub(crate) fn to_json(value: &Located<'_>) -> Value {
    match &value.data {
        Data::Null | Data::Tagged(_) | Data::Unknown => Value::Null,
        Data::Bool(truth) => Value::Bool(*truth),
        Data::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => json!(*number as i64),
        Data::Number(number) => Number::from_f64(*number).map_or(Value::Null, Value::Number),
        Data::Text(text) => json!(text),
        Data::List(items) => items.iter().map(to_json).collect(),
        Data::Map(members) => {
            members.iter().map(|member| (member.key.clone().into_owned(), to_json(&member.value))).collect()
        }
    }
}
