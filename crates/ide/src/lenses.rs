//! Code lenses: how often a thing that the file declares is referred to. In: a file; out: a lens for each declaration,
//! node, agent and graph, and, when one comes into view, its count with the places. A lens without a place to go to is
//! shown all the same: nobody refers to the thing.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Use;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::TextRange;

use crate::markup::counted;
use crate::names::{Entity, Occurrence, Sort, name_at, names};
use crate::position::FilePosition;
use crate::uses::referrals;

/// A lens that is not counted yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lens {
    /// The name that it stands above; its beginning is what [`resolve`] asks for.
    pub range: TextRange,
    /// What it offers.
    pub offer: Offer,
}

/// What a lens offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// To show the references of the name.
    References,
}

/// A lens as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The words.
    pub title: String,
    /// The places to show.
    pub places: Vec<Origin>,
}

/// The lenses of a file.
#[must_use]
pub fn lenses(snapshot: &Snapshot, source: SourceId) -> Vec<Lens> {
    let declared = names(snapshot, source).into_iter().filter(has_lens);
    declared.map(|one| Lens { range: one.at.range, offer: Offer::References }).collect()
}

/// The count of a lens whose name is at the position; nothing if no such name is there any more.
#[must_use]
pub fn resolve(snapshot: &Snapshot, position: FilePosition) -> Option<Resolved> {
    let one = name_at(snapshot, position).filter(has_lens)?;
    let places: Vec<Origin> = match &one.entity {
        Entity::Declaration { .. } => {
            referrals(snapshot, &one.entity).into_iter().map(|referral| referral.at).collect()
        }
        entity => {
            let own = names(snapshot, position.source).into_iter();
            own.filter(|other| other.entity == *entity && other.usage != Use::Declares)
                .map(|other| other.at)
                .collect()
        }
    };
    Some(Resolved { title: counted(places.len(), "reference"), places })
}

fn has_lens(one: &Occurrence) -> bool {
    let is_shown = matches!(one.entity, Entity::Declaration { .. } | Entity::Local { sort: Sort::Node, .. });
    one.usage == Use::Declares && is_shown
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::{lenses, resolve};
    use crate::position::FilePosition;
    use crate::testing::{places, project};

    /// Lists the lenses of the first file with their places.
    fn check_lenses(fixture: &str, expected: &str) {
        let (snapshot, _) = project(fixture);
        let file = snapshot.files().iter().next().unwrap();
        let mut list = String::new();
        for lens in lenses(&snapshot, file.source) {
            let resolved = resolve(&snapshot, FilePosition::new(file.source, lens.range.start())).unwrap();
            let name = &file.text[std::ops::Range::<usize>::from(lens.range)];
            writeln!(list, "{name}: {}", resolved.title).unwrap();
            list.push_str(&places(&snapshot, &resolved.places));
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn liman() {
        check_lenses(
            "
#- /a.yaml
kind: ToolNode
name: search
description: x
func: app.search
---
kind: LLMNode
name: 'planner'
prompts: x
tools: [search]
#- /b.yaml
kind: LLMNode
name: writer
prompts: x
tools: ['ToolNode/search']
#- /c/d.yaml
kind: Overlay
to: LLMNode:planner
tools: [search]
",
            "
search: 3 references
a.yaml:9:9 search
b.yaml:4:9 'ToolNode/search'
c/d.yaml:3:9 search
planner: 1 reference
c/d.yaml:2:5 LLMNode:planner
",
        );
    }

    #[test]
    fn cycgraph() {
        check_lenses(
            "
#- /a.yaml
id: g
name: G
description: ''
nodes:
  - {id: a, type: agent, agent_id: x}
  - {id: b, type: subgraph, subgraph_config: {subgraph_id: g}}
edges: [{source: a, target: b}]
start_node: a
end_nodes: [b]
",
            "
g: 1 reference
a.yaml:6:60 g
a: 2 references
a.yaml:7:18 a
a.yaml:8:13 a
b: 2 references
a.yaml:7:29 b
a.yaml:9:13 b
",
        );
    }

    #[test]
    fn agentos() {
        check_lenses(
            "
#- /a.yaml
id: flow
nodes:
  - {id: ask, executorConfig: {type: tool, toolName: x}}
  - {id: end, executorConfig: {type: router, condition: {type: expression, expr: \"scratch.a ? ask : b\"}}}
edges: [{id: e, source: __START__, target: ask, type: static}]
",
            "
flow: 0 references
ask: 2 references
a.yaml:4:95 ask
a.yaml:5:44 ask
end: 0 references
",
        );
    }
}
