//! What means the same is no change: another layout, another order where that means nothing, defaults written down or left
//! out. What the editor renames is one change.

use std::collections::BTreeSet;

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::defaults::without_defaults;
use nodewise_dialect::table::{Field, NameUse, Shape, Symbol, Type};
use nodewise_dialect::value::{Data, SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_ide::position::FilePosition;
use nodewise_ide::rename::{RenameOptions, rename};
use nodewise_model::Origin;
use nodewise_review::change::{PartChange, PartChangeKind};
use nodewise_review::text::text;
use serde_json::{Map, Value};

use crate::corpora::{TestFile, compared, projects, snapshot};

/// Corpora about names that are there twice.
const REPEATED: &[&str] = &["bad-duplicate-ids", "i03-duplicate-declaration", "i13-bundle-conflict"];

/// The lists of a document whose order means nothing, and the names of its nodes.
#[derive(Default)]
struct Found {
    unordered: Vec<Origin>,
    names: Vec<Origin>,
}

impl<'v, 't> Visitor<'v, 't> for Found {
    fn key(&mut self, _: &'static Shape, field: Option<&'static Field>, member: &'v SpannedEntry<'t>) {
        if field.is_some_and(|field| field.is_unordered) {
            self.unordered.push(member.value.at);
        }
    }

    fn leaf(&mut self, ty: Type, _: Slot, value: &'v SpannedValue<'t>) {
        let is_name = matches!(
            ty,
            Type::Symbol(Symbol::Node, NameUse::Declares)
                | Type::DeclaredName
                | Type::Sized(Type::Symbol(Symbol::Agent, NameUse::Declares), _)
        );
        if is_name && value.as_text().is_some() {
            self.names.push(value.at);
        }
    }
}

/// A value as JSON, with the keys of mappings and the items of unordered lists in reverse.
fn reversed(value: &SpannedValue<'_>, unordered: &[Origin]) -> Value {
    match &value.data {
        Data::Map(members) => members
            .iter()
            .rev()
            .map(|member| (member.key.to_string(), reversed(&member.value, unordered)))
            .collect::<Map<_, _>>()
            .into(),
        Data::List(items) => {
            let mut items: Vec<Value> = items.iter().map(|item| reversed(item, unordered)).collect();
            if unordered.contains(&value.at) {
                items.reverse();
            }
            Value::Array(items)
        }
        _ => value.to_json(),
    }
}

/// The documents of files, each rewritten.
fn rewritten(
    files: &[TestFile],
    write: impl Fn(&Snapshot, &nodewise_analysis::facts::DocumentFacts) -> Option<Value>,
) -> Option<Vec<TestFile>> {
    let snapshot = snapshot(files);
    let mut all = Vec::new();
    for (path, text) in files {
        let file = snapshot.source(path).and_then(|source| snapshot.file(source))?;
        let documents: Option<Vec<String>> = file
            .documents
            .iter()
            .map(|document| write(&snapshot, document))
            .map(|value| Some(value?.to_string()))
            .collect();
        all.push((path.clone(), documents.map_or(text.clone(), |documents| documents.join("\n---\n"))));
    }
    Some(all)
}

/// The projects without overlays, which a rewrite would apply, and without broken texts.
fn sound_projects() -> impl Iterator<Item = Vec<TestFile>> {
    projects().into_iter().filter(|files| {
        let snapshot = snapshot(files);
        // Where two declarations or texts claim one name, their order decides.
        let has_repeated = files.iter().any(|(path, _)| REPEATED.iter().any(|part| path.contains(part)));
        let is_sound = |file: &nodewise_analysis::facts::FileFacts| {
            file.problems.is_empty()
                && file
                    .documents
                    .iter()
                    .all(|document| document.overlay.is_none() && document.faults.issues.is_empty())
        };
        !has_repeated && snapshot.files().iter().all(|file| is_sound(file))
    })
}

#[track_caller]
fn check_same(write: impl Fn(&Snapshot, &nodewise_analysis::facts::DocumentFacts) -> Option<Value>) {
    let (mut faults, mut changed) = (Vec::new(), 0);
    for files in sound_projects() {
        let Some(rewritten) = rewritten(&files, &write) else { continue };
        changed += usize::from(files != rewritten);
        let review = compared(&files, &rewritten);
        if !review.is_empty() {
            faults.push(format!("{}\n{}", files[0].0, text(&review)));
        }
        faults.extend(crate::marks::marks_of_all(&files, &rewritten));
    }
    assert!(changed > 20, "{changed}");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn another_layout_and_order_are_no_change() {
    check_same(|snapshot, document| {
        let (_, kind, value) = snapshot.value(document.id)?;
        let mut found = Found::default();
        walk(kind, None, &value, &mut found);
        Some(reversed(&value, &found.unordered))
    });
}

#[test]
fn defaults_that_are_left_out_are_no_change() {
    check_same(|snapshot, document| {
        let (_, kind, value) = snapshot.value(document.id)?;
        let mut written = value.to_json();
        without_defaults(kind, &mut written);
        Some(written)
    });
}

/// The renames in changes.
fn renames(part: &PartChange) -> usize {
    usize::from(matches!(part.kind, PartChangeKind::Renamed(_)))
        + part.parts.iter().map(renames).sum::<usize>()
}

#[test]
fn what_the_editor_renames_is_one_change() {
    let (mut faults, mut made) = (Vec::new(), 0);
    for files in sound_projects() {
        let before = snapshot(&files);
        let mut names = Found::default();
        for document in before.files().iter().flat_map(|file| &file.documents) {
            if let Some((_, kind, value)) = before.value(document.id) {
                walk(kind, None, &value, &mut names);
            }
        }
        let unique: BTreeSet<_> = names.names.iter().map(|at| at.reading_order()).collect();
        for at in names.names.iter().filter(|at| unique.contains(&at.reading_order())).step_by(3) {
            let position = FilePosition::new(at.source, at.range.start());
            let Ok(edits) = rename(&before, position, "a_new_name", RenameOptions::default()) else {
                continue;
            };
            let mut after = files.clone();
            for edit in edits {
                let path = &*before.file(edit.source).unwrap().path;
                let file = after.iter_mut().find(|(known, _)| known == path).unwrap();
                for edit in edit.edits.iter().rev() {
                    file.1.replace_range(std::ops::Range::<usize>::from(edit.range), &edit.text);
                }
            }
            made += 1;
            let review = compared(&files, &after);
            let renamed: usize = review.declarations.iter().map(|changed| renames(&changed.part)).sum();
            if review.len() != 1 || renamed != 1 {
                faults.push(format!("{} {:?}\n{}", files[0].0, at.range, text(&review)));
            }
        }
    }
    assert!(made > 40, "{made}");
    assert!(faults.is_empty(), "{} of {made}\n{}", faults.len(), faults.join("\n"));
}

/// Two lists of tools of one node, and how many changes lie between them.
#[track_caller]
fn check_tools(base: &str, head: &str, changes: usize) {
    let graph = |tools: &str| {
        crate::corpora::files(&format!(
            "#- g.yaml\nid: g\nname: g\ndescription: g\nnodes:\n  - {{id: a, type: agent, agent_id: b, tools: {tools}}}\nedges: []\n\
             start_node: a\nend_nodes: [a]\n"
        ))
    };
    let review = compared(&graph(base), &graph(head));
    assert_eq!(review.len(), changes, "{}", text(&review));
}

#[test]
fn short_and_full_forms_of_tools_are_the_same() {
    check_tools("[rate]", "[{type: custom, name: rate}]", 0);
    check_tools("[save_to_memory]", "[{type: builtin, name: save_to_memory}]", 0);
    check_tools("[rate, {mcp: docs}]", "[{type: mcp, server_id: docs}, {type: custom, name: rate}]", 0);
    check_tools("[{mcp: docs, tools: [a, b]}]", "[{type: mcp, server_id: docs, tool_names: [b, a]}]", 0);
    check_tools("[{mcp: docs, tools: [a], tool_names: [b], name: c}]", "[{mcp: docs, tool_names: [a]}]", 0);
    check_tools("[rate]", "[{type: builtin, name: save_to_memory}]", 1);
    check_tools("[{mcp: docs}]", "[{mcp: docs, tools: [a]}]", 1);
    check_tools("[rate]", "[rate, {mcp: docs}]", 1);
}

#[test]
fn a_graph_whose_id_is_a_uuid_is_called_by_its_name() {
    let graph = |id: &str, description: &str| {
        crate::corpora::files(&format!(
            "#- g.yaml\nid: {id}\nname: claims\ndescription: {description}\nnodes: [{{id: a, type: router}}]\nedges: []\n\
             start_node: a\nend_nodes: [a]\n"
        ))
    };
    let uuid = "0b54a3f2-7c1d-4e7e-9a52-3f8d2c6b1e90";
    let review = compared(&graph(uuid, "old"), &graph(uuid, "new"));
    assert!(text(&review).starts_with("~ graph `claims`  g.yaml:1\n"), "{}", text(&review));
    let review = compared(&graph("c1", "old"), &graph("c1", "new"));
    assert!(text(&review).starts_with("~ graph `c1`  g.yaml:1\n"), "{}", text(&review));
}
