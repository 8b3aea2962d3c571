//! Single edits of the corpora: each has one meaning, and must be one change that names it.
//!
//! Input: every place of every document that the table gives a type, and some edits of each type. Output: the edits whose
//! changes are others than the one that was made. The places come from a walk along the table, and the comparison reads
//! along the table in its own way, so one does not repeat the mistakes of the other.

use nodewise_dialect::meaning::PartRole;
use nodewise_dialect::table::{Field, NameUse, Required, Shape, Symbol, Type};
use nodewise_dialect::value::{Data, SpannedEntry, SpannedValue, number_text};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::Origin;
use nodewise_review::change::{PartChange, PartChangeKind, Review};
use serde_json::{Value, json};

use crate::corpora::{TestFile, compared, projects, snapshot};

/// At least so many edits are made.
const EDITS_MIN: usize = 200;
/// Every edit whose number is a multiple of this is made.
const STRIDE: usize = 6;

/// An edit of a file.
pub(crate) struct Edit {
    pub(crate) file: usize,
    pub(crate) at: Origin,
    text: String,
    /// The key of the edited field.
    key: &'static str,
    /// Whether an end of an edge is another one.
    moves: bool,
}

/// The places of a document that can be edited.
#[derive(Default)]
struct Places<'v> {
    /// The words under the keys of the mappings around.
    open: Vec<Vec<(&'v str, Option<&'v str>)>>,
    /// What means nothing next to the words beside it.
    dead: Vec<Origin>,
    found: Vec<(Type, &'static Shape, &'static Field, Origin, Data<'v>)>,
}

impl<'v> Visitor<'v, 'v> for Places<'v> {
    fn open(&mut self, _: &'static Shape, value: &'v SpannedValue<'v>) {
        let members = value.as_map().unwrap_or_default();
        self.open.push(members.iter().map(|member| (member.key.as_ref(), member.value.as_text())).collect());
    }

    fn close(&mut self, _: &'static Shape, _: &'v SpannedValue<'v>) {
        self.open.pop();
    }

    fn key(&mut self, shape: &'static Shape, field: Option<&'static Field>, member: &'v SpannedEntry<'v>) {
        let Some(beside) = field.and_then(|field| field.beside) else { return };
        let Some(members) = self.open.last() else { return };
        let written = members.iter().find(|(key, _)| *key == beside.key).and_then(|(_, word)| *word);
        let default = shape.field(beside.key).and_then(|field| field.default);
        if written.or(default).is_some_and(|word| !beside.words.contains(&word)) {
            self.dead.push(member.value.at);
        }
    }

    fn leaf(&mut self, ty: Type, slot: Slot, value: &'v SpannedValue<'v>) {
        if !self.dead.iter().any(|dead| dead.range.contains_range(value.at.range)) {
            self.found.push((ty, slot.shape, slot.field, value.at, value.data.clone()));
        }
    }
}

/// Another value of the type; `None` where an edit has no single meaning.
fn other(ty: Type, shape: &Shape, field: &Field, data: &Data<'_>) -> Option<String> {
    let text = match data {
        Data::Text(text) => Some(text.as_ref()),
        _ => None,
    };
    let longer = |end: &str| text.map(|text| json!(format!("{}{end}", text.trim_end())).to_string());
    match (ty, data) {
        (Type::Sized(inner, _) | Type::Lenient(inner), data) => other(*inner, shape, field, data),
        (Type::Number(bounds), Data::Number(number)) => {
            let number = if number + 1.0 <= bounds.max { number + 1.0 } else { number / 2.0 };
            (number >= bounds.min).then(|| number_text(number))
        }
        (Type::Boolean | Type::Bool | Type::Any, Data::Bool(truth)) => Some((!truth).to_string()),
        (Type::Any, Data::Number(number)) => Some(number_text(number + 1.0)),
        (Type::Text | Type::Any | Type::Bundle(_) | Type::Bundles(_), Data::Text(_)) => longer(" and more"),
        (Type::FunctionPath(_) | Type::Reference(_) | Type::Slug(_), Data::Text(_)) => longer("_other"),
        (Type::Symbol(_, NameUse::Declares), _) => None,
        (Type::Symbol(..), Data::Text(_)) => longer("_other"),
        (Type::Expression(_) | Type::Condition(_), Data::Text(_)) => longer(" and 1 == 1"),
        (Type::Word(words), Data::Text(text)) => {
            let decides =
                shape.fields.iter().any(|other| other.beside.is_some_and(|beside| beside.key == field.key));
            let is_first = field.required == Required::Yes && matches!(field.key, "type" | "op");
            let other = words.iter().find(|word| word.text != text)?;
            (!decides && !is_first).then(|| other.text.to_owned())
        }
        _ => None,
    }
}

/// The edits of the files of a project.
pub(crate) fn edits(files: &[TestFile]) -> Vec<Edit> {
    let snapshot = snapshot(files);
    let mut edits = Vec::new();
    for (number, (path, text)) in files.iter().enumerate() {
        // What an anchor names stands in several places.
        if text.contains(": &") || text.contains("- &") {
            continue;
        }
        let Some(file) = snapshot.source(path).and_then(|source| snapshot.file(source)) else { continue };
        for document in &file.documents {
            let Some((dialect, kind, value)) = snapshot.value(document.id) else { continue };
            if !dialect.is_system() || snapshot.index().patches(document.id).next().is_some() {
                continue;
            }
            let mut places = Places::default();
            walk(kind, None, &value, &mut places);
            for (ty, shape, field, at, data) in places.found {
                let Some(text) = other(ty, shape, field, &data) else { continue };
                let is_end = |ty: &Type| {
                    matches!(ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, _) | Type::Reference(_))
                };
                edits.push(Edit { file: number, at, text, key: field.key, moves: is_end(&ty) });
            }
        }
    }
    edits
}

pub(crate) fn edited(files: &[TestFile], edit: &Edit) -> Vec<TestFile> {
    let mut files = files.to_vec();
    files[edit.file].1.replace_range(std::ops::Range::<usize>::from(edit.at.range), &edit.text);
    files
}

/// Why the changes are not the one of the edit.
fn fault(review: &Review, edit: &Edit) -> Option<String> {
    fn has(part: &PartChange, edit: &Edit) -> bool {
        let is_moved =
            edit.moves && part.role == PartRole::Edge && matches!(part.kind, PartChangeKind::Moved(_));
        let names = part.fields.iter().any(|field| field.path.split('.').any(|key| key == edit.key));
        // The new name of an item is what its list holds now.
        let is_new = |item: &String| edit.text == format!("\"{item}\"");
        let is_renamed = part.fields.iter().any(|field| field.is_items && field.after.iter().any(is_new));
        is_moved || names || is_renamed || part.parts.iter().any(|inner| has(inner, edit))
    }
    let is_named = review.declarations.iter().any(|changed| has(&changed.part, edit));
    (review.len() != 1 || !is_named).then(|| nodewise_review::text::text(review))
}

#[test]
fn each_edit_is_one_change_that_names_it() {
    let (mut made, mut number, mut faults) = (0, 0, Vec::new());
    for files in projects() {
        for edit in edits(&files) {
            number += 1;
            if number % STRIDE > 0 {
                continue;
            }
            made += 1;
            let review = compared(&files, &edited(&files, &edit));
            if let Some(fault) = fault(&review, &edit) {
                let (path, text) = &files[edit.file];
                let before = &text[std::ops::Range::<usize>::from(edit.at.range)];
                faults.push(format!("{path}: `{}`: `{before}` -> `{}`\n{fault}", edit.key, edit.text));
            }
        }
    }
    assert!(made >= EDITS_MIN, "only {made} of {number} edits were made");
    assert!(faults.is_empty(), "{} of {made} edits:\n{}", faults.len(), faults.join("\n"));
}

/// The graphs of the corpora as JSON, one a file.
fn graphs() -> Vec<(String, Value, &'static str, &'static str)> {
    let mut found = Vec::new();
    for files in projects() {
        let snapshot = snapshot(&files);
        for file in snapshot.files().iter() {
            for document in &file.documents {
                let Some((_, kind, value)) = snapshot.value(document.id) else { continue };
                let of = |wanted: fn(&Field) -> bool| kind.shape.fields.iter().find(|field| wanted(field));
                let nodes = of(|field| field.ty.use_of_nodes() == Some(NameUse::Declares));
                let edges =
                    of(|field| field.ty.use_of_nodes() == Some(NameUse::Refers) && field.key == "edges");
                if let Some((nodes, edges)) = nodes.zip(edges) {
                    found.push((file.path.to_string(), value.to_json(), nodes.key, edges.key));
                }
            }
        }
    }
    found
}

#[track_caller]
fn check_structure(edit: impl Fn(&mut Value, &str, &str) -> Option<PartRole>, kind: &PartChangeKind) {
    let mut made = 0;
    for (path, graph, nodes, edges) in graphs() {
        let mut changed = graph.clone();
        let Some(role) = edit(&mut changed, nodes, edges) else { continue };
        made += 1;
        let file = |graph: &Value| vec![("g.yaml".to_owned(), graph.to_string())];
        let review = compared(&file(&graph), &file(&changed));
        let parts: Vec<_> = review.declarations.iter().flat_map(|changed| &changed.part.parts).collect();
        let is_it = parts.len() == 1 && parts[0].role == role && parts[0].kind == *kind && review.len() == 1;
        assert!(is_it, "{path}\n{}", nodewise_review::text::text(&review));
    }
    assert!(made > 10, "{made}");
}

#[test]
fn a_new_node_is_one_change() {
    check_structure(
        |graph, nodes, _| {
            let mut node = graph[nodes].as_array()?.last()?.clone();
            node.as_object_mut()?
                .get_mut("id")
                .filter(|id| id.is_string())
                .map(|id| *id = json!("a_new_node"))?;
            graph[nodes].as_array_mut()?.push(node);
            Some(PartRole::Node)
        },
        &PartChangeKind::Added,
    );
}

#[test]
fn a_removed_edge_is_one_change() {
    check_structure(
        |graph, _, edges| {
            graph[edges].as_array_mut()?.pop()?;
            Some(PartRole::Edge)
        },
        &PartChangeKind::Removed,
    );
}
