//! The exported JSON Schema against every corpus document, judged by an independent validator. What a
//! schema cannot see (other files, expressions, names) is in the ledger, with the reason.

#![allow(
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "a test reads files and fails by panicking"
)]

use std::path::{Path, PathBuf};

use nodewise_dialect::schema::json_schema;
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_dialect::value::{Data, Value};
use nodewise_model::SourceId;
use serde_json::json;

/// Folders that a schema judges otherwise than the project, and why.
const LEDGER: &[(&str, &str)] = &[
    ("05-overlay-langs", "the base gets its `prompts` from overlays in other files"),
    ("i03-duplicate-declaration", "a schema sees one document"),
    ("i04-when-syntax", "a schema does not parse conditions"),
    ("i06-duplicate-edge-id", "a schema does not compare edges"),
    ("i08-depends-cycle", "a schema does not compare edges"),
    ("i09-unresolved-names", "a schema sees one document"),
    ("i10-wrong-kind", "a schema sees one document"),
    ("i13-bundle-conflict", "a schema does not normalise localized texts"),
    ("i14-bundle-languages", "a schema does not normalise localized texts"),
    ("i15-template-mismatch", "a schema does not read templates"),
    ("i17-yaml-duplicate-key", "a validator sees the last of two keys"),
    ("i20-mixed-logic", "a schema does not parse conditions"),
    ("i21-builtins", "a schema does not parse conditions"),
    ("i22-suspicious-conditions", "a schema does not parse conditions"),
    ("i26-broken-yaml", "a validator does not see the text"),
];

#[test]
fn the_schema_agrees_with_the_corpora() {
    let validator = jsonschema::validator_for(&json_schema(&LIMAN)).expect("the schema is a schema");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/corpus/liman");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(corpus).expect("the corpus").map(|entry| entry.expect("an entry").path()).collect();
    folders.retain(|path| path.is_dir() && !path.ends_with("runs"));
    folders.sort();
    assert!(folders.len() >= 36, "{}", folders.len());
    let mut surprises = Vec::new();
    for folder in folders {
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let accepted = documents(&folder).iter().all(|document| validator.is_valid(document));
        let expected = !name.starts_with('i');
        let in_ledger = LEDGER.iter().any(|(folder, _)| *folder == name);
        if (accepted == expected) == in_ledger {
            surprises.push(format!("{name}: accepted by the schema: {accepted}"));
        }
    }
    assert!(surprises.is_empty(), "{surprises:#?}");
}

fn documents(folder: &Path) -> Vec<serde_json::Value> {
    let mut documents = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            documents.extend(self::documents(&path));
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a text");
        let tree = nodewise_syntax::parse(text);
        let roots = tree.documents().filter_map(|document| document.root());
        documents.extend(roots.map(|root| to_json(&Value::from_node(root, SourceId::default()))));
    }
    documents
}

fn to_json(value: &Value<'_>) -> serde_json::Value {
    match &value.data {
        Data::Null | Data::Tagged(_) | Data::Unknown => serde_json::Value::Null,
        Data::Bool(value) => json!(value),
        Data::Number(number) => json!(number),
        Data::Text(text) => json!(text),
        Data::List(items) => items.iter().map(to_json).collect(),
        Data::Map(members) => {
            members.iter().map(|member| (member.key.to_string(), to_json(&member.value))).collect()
        }
    }
}
