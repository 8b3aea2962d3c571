//! The uses of a name in its own file, and what each does. In: a snapshot and a position; out: ranges in reading order.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_syntax::TextRange;

use crate::anchors::anchor_at;
use crate::names::{name_at, names_of};
use crate::position::FilePosition;

/// A use of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Highlight {
    pub range: TextRange,
    pub kind: HighlightKind,
}

/// What a name does at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HighlightKind {
    /// It names the thing.
    Text,
    /// It reads the thing's value.
    Read,
    /// It declares the thing, or writes its value.
    Write,
}

/// The uses in the file of the thing at the cursor.
#[must_use]
pub fn highlights(snapshot: &Snapshot, position: FilePosition) -> Vec<Highlight> {
    if let Some(anchor) = position.file(snapshot).and_then(|file| anchor_at(file, position.offset)) {
        let own = Highlight { range: anchor.at.range, kind: HighlightKind::Write };
        let aliases =
            anchor.aliases.iter().map(|at| Highlight { range: at.range, kind: HighlightKind::Read });
        return std::iter::once(own).chain(aliases).collect();
    }
    let Some(name) = name_at(snapshot, position) else { return Vec::new() };
    let same = names_of(snapshot, position.source, &name.entity).into_iter();
    same.map(|one| Highlight { range: one.at.range, kind: kind(one.usage) }).collect()
}

fn kind(usage: NameUse) -> HighlightKind {
    match usage {
        NameUse::Declares | NameUse::Writes => HighlightKind::Write,
        NameUse::Reads => HighlightKind::Read,
        NameUse::Refers => HighlightKind::Text,
    }
}

#[cfg(test)]
mod tests {
    use nodewise_model::Origin;

    use crate::testing::{places, project_at_cursor};

    fn check_highlights(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let found = super::highlights(&snapshot, position).into_iter();
        let list: String = found
            .map(|one| {
                let place = places(&snapshot, &[Origin::new(position.source, one.range)]);
                format!("{:?} {place}", one.kind)
            })
            .collect();
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn reads_and_writes_of_a_key() {
        check_highlights(
            "
id: main
name: Main
description: ''
nodes:
  - {id: a, type: agent, agent_id: x, read_keys: [goal], write_keys: [dr$0aft]}
  - {id: b, type: agent, agent_id: x, read_keys: ['draft.text'], write_keys: ['*']}
edges:
  - {source: a, target: b, condition: {type: conditional, condition: memory.draft.ok}}
start_node: a
end_nodes: [b]
",
            "
Write main.yaml:5:71 draft
Read main.yaml:6:52 draft
Read main.yaml:8:77 draft
",
        );
    }

    #[test]
    fn a_node_in_routes_and_edges() {
        check_highlights(
            r#"
id: flow
name: flow
nodes:
  - {id: ask, type: tool, executorConfig: {type: tool, toolName: search}}
  - {id: route, type: router, executorConfig: {type: router, condition: {type: expression, expr: "scratch.n > 3 ? 'ask' : done"}}}
  - {id: done, type: tool, executorConfig: {type: tool, toolName: search}}
edges:
  - {id: e1, source: __START__, target: as$0k, type: static}
  - {id: e2, source: "ask", target: route, type: static}
"#,
            "
Write main.yaml:4:10 ask
Text main.yaml:5:116 ask
Text main.yaml:8:41 ask
Text main.yaml:9:23 ask
",
        );
    }

    #[test]
    fn nothing_where_no_name_stands() {
        check_highlights("kind: LLM$0Node\nname: a\n", "");
    }
}
