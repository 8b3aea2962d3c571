//! The ranges of a name that can be edited together: its declaration and its uses in the same document. In: a snapshot
//! and a position. Out: ranges in reading order. Every range has the same text, and an edit of it never needs other
//! quotes.

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_model::Origin;
use nodewise_syntax::TextRange;

use crate::names::{name_at, names};
use crate::position::FilePosition;

/// The ranges to edit together. `None` if the name is not declared in the document, or if a use of it is written
/// differently.
#[must_use]
pub fn linked_ranges(snapshot: &Snapshot, position: FilePosition) -> Vec<TextRange> {
    linked(snapshot, position).unwrap_or_default()
}

fn linked(snapshot: &Snapshot, position: FilePosition) -> Option<Vec<TextRange>> {
    let file = position.file(snapshot)?;
    let name = name_at(snapshot, position)?;
    let document = |at: Origin| file.document_at(at).map(|document| document.id);
    let home = document(name.at)?;
    let all = names(snapshot, position.source);
    let same: Vec<_> = all.iter().filter(|one| one.entity == name.entity).collect();
    let declares = same.iter().any(|one| one.usage == NameUse::Declares && document(one.at) == Some(home));
    let is_alike = same
        .iter()
        .all(|one| !one.in_expression && !one.is_alias && one.name == name.name && !is_block(file, one.at));
    let inside: Vec<TextRange> =
        same.iter().filter(|one| document(one.at) == Some(home)).map(|one| one.at.range).collect();
    (declares && is_alike && inside.len() > 1).then_some(inside)
}

/// Whether a name is in a text of several lines.
fn is_block(file: &FileFacts, at: Origin) -> bool {
    let text = file.text.get(std::ops::Range::<usize>::from(at.range));
    text.is_none_or(|text| text.contains(['\n', '\r']))
}

#[cfg(test)]
mod tests {
    use nodewise_model::Origin;

    use crate::testing::{places, project_at_cursor};

    fn check_linked(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let found: Vec<Origin> = super::linked_ranges(&snapshot, position)
            .into_iter()
            .map(|range| Origin::new(position.source, range))
            .collect();
        assert_eq!(places(&snapshot, &found), expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn an_id_and_its_uses() {
        check_linked(
            "
id: main
name: Main
description: ''
nodes:
  - {id: \"plan\", type: agent, agent_id: x, read_keys: [goal], write_keys: [draft]}
edges:
  - {source: pl$0an, target: plan}
start_node: 'plan'
end_nodes: []
",
            "
main.yaml:5:11 plan
main.yaml:7:14 plan
main.yaml:7:28 plan
main.yaml:8:14 plan
",
        );
    }

    #[test]
    fn not_across_expressions_or_without_a_declaration() {
        check_linked(
            r#"
id: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: search}}
  - {id: route, type: router, executorConfig: {type: router, condition: {type: expression, expr: "ask"}}}
edges:
  - {id: e1, source: __START__, target: as$0k, type: static}
"#,
            "",
        );
        check_linked("kind: LLMNode\nname: a\nprompts: {system: '{na$0me} {name}'}\n", "");
    }
}
