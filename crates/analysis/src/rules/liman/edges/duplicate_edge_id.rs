//! What `duplicate-edge-id` finds here. Reports an edge id that another edge of the same node has, over all its
//! lists of edges.

use nodewise_model::{EdgeId, Located};
use nodewise_platform::sorting::Sorting;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::first_places::FirstPlaces;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("liman:edge-duplicate-id"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.nodes() {
        let mut ids: Vec<&Located<EdgeId>> = node.edges.iter().filter_map(|edge| edge.id.as_ref()).collect();
        if ids.len() < 2 {
            continue;
        }
        // The lists of edges come in any order, and edges from overlays must come after those of the patched file.
        ids.arrange_by_key(|id| (id.at.source != context.file.source, id.at.reading_order()));
        let mut first_places = FirstPlaces::new();
        for id in ids {
            if let Some(first) = first_places.before(id.value.as_str(), id.at) {
                report.push(
                    Finding::new(
                        id.at,
                        format!("another edge of this node has the id `{}`", short(&id.value)),
                    )
                    .label("ids are unique within a node")
                    .help("give the edge an id of its own")
                    .related(first, "first used here"),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn ids_compare_by_text_within_a_node() {
        check_rule(
            "duplicate-edge-id",
            r#"
kind: Node
name: first
func: f.first
llm_nodes:
  - {target: talk, when: d, id: 1}
nodes:
  - {target: first, when: a, id: "1"}
#                                ^^^ error[duplicate-edge-id]: another edge of this node has the id `1`
  - {target: first, when: b, id: go}
  - {target: first, when: c, id: go}
#                                ^^ error[duplicate-edge-id]: another edge of this node has the id `go`
---
kind: Node
name: second
func: f.second
nodes:
  - {target: first, when: a, id: go}
"#,
        );
    }

    #[test]
    fn an_overlay_comes_after_what_it_patches() {
        check_rule(
            "duplicate-edge-id",
            r"
#- /a/overlay.yaml
kind: Overlay
to: Node:base
llm_nodes: [{target: talk, when: a, id: go}]
#                                       ^^ error[duplicate-edge-id]: another edge of this node has the id `go`
#- /base.yaml
kind: Node
name: base
func: f.base
nodes: [{target: base, when: a, id: go}]
",
        );
    }
}
