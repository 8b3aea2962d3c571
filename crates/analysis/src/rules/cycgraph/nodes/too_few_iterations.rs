//! ## What it does
//!
//! Reports a subgraph whose `max_iterations` are not more than the nodes on the shortest way through the
//! graph that it runs. A graph that is no subgraph of another, and whose shortest way takes 50 nodes or more,
//! is a hint.
//!
//! ## Why it matters
//!
//! The limit is checked before success: a run that reaches its end with the last iteration fails, so that a
//! way of 3 nodes needs 4 iterations. A run has 50 unless the program says otherwise.
//!
//! ## Example
//!
//! ```yaml expect=too-few-iterations
//! #- /child.yaml
//! id: child
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c}
//! start_node: a
//! end_nodes: [c]
//! #- /main.yaml
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: run, type: subgraph, subgraph_config: {subgraph_id: child, max_iterations: 3}}
//! edges: []
//! start_node: run
//! end_nodes: [run]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /child.yaml
//! id: child
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: a, type: router}
//!   - {id: b, type: router}
//!   - {id: c, type: router}
//! edges:
//!   - {source: a, target: b}
//!   - {source: b, target: c}
//! start_node: a
//! end_nodes: [c]
//! #- /main.yaml
//! name: desk
//! description: A desk.
//! nodes:
//!   - {id: run, type: subgraph, subgraph_config: {subgraph_id: child, max_iterations: 4}}
//! edges: []
//! start_node: run
//! end_nodes: [run]
//! ```

use nodewise_model::Body;
use nodewise_model::cycgraph::Work;
use nodewise_model::graph::Graph;

use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentFacts;
use crate::graphs::GraphFacts;
use crate::index::Resolution;
use crate::rule::{Category, Context, Needs, Report, Rule, RulePart};
use crate::rules::cycgraph::located_nodes;
use crate::rules::ranges;
use crate::rules::wording::short;

/// The number of iterations of a run, unless the program sets another one.
const ITERATIONS_DEFAULT: usize = 50;

pub(crate) static RULE: Rule = Rule {
    id: "too-few-iterations",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, needs: Needs::Edges, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for visit in located_nodes::nodes(context) {
        let Work::Subgraph(subgraph) = Work::of(visit.node) else { continue };
        let (Some(reference), Some(limit)) = (&subgraph.graph, subgraph.max_iterations) else { continue };
        let Resolution::To(declared) = context.index.resolve(reference) else { continue };
        let child = context.source(declared.document.source);
        let child = child.and_then(|file| file.documents.get(declared.document.position as usize));
        let Some(least) = child.and_then(|child| shortest(child, &reference.name)) else { continue };
        if limit <= least as f64 {
            let message = format!("no run of `{}` ends within {limit} iterations", short(&reference.name));
            let finding = Finding::new(reference.at, message)
                .label(format!("the shortest path has {least} nodes"))
                .help(format!("write `max_iterations: {}` or more", least + 1));
            report.push(match ranges::name(context, declared) {
                Some(at) => finding.related(at, "the graph is declared here"),
                None => finding,
            });
        }
    }
    for document in context.documents().filter(|document| !context.index.is_used(document.id)) {
        check_main(context, document, report);
    }
}

/// The number of nodes on the shortest path through the graph with this id.
fn shortest(document: &DocumentFacts, id: &str) -> Option<usize> {
    let graphs = document.effective.as_ref()?.graphs();
    let mut of_id = graphs.filter(|(graph, _)| graph.id.as_ref().is_some_and(|found| found.value == id));
    of_id.next().and_then(|(_, facts)| facts.shortest_run)
}

fn check_main(context: &Context<'_>, document: &DocumentFacts, report: &mut Report) {
    let effective = context.index.effective(document);
    let is_graph = |body: &Body| matches!(body, Body::Graph(_) | Body::Bundle(_));
    let graphs = effective
        .filter(|effective| {
            effective.declaration.as_ref().is_some_and(|declaration| is_graph(&declaration.body))
        })
        .and_then(|effective| context.facts_of(effective).next());
    let Some((graph, facts)): Option<(&Graph, &GraphFacts)> = graphs else { return };
    let (Some(least), Some(start)) = (facts.shortest_run, &graph.start) else { return };
    if least >= ITERATIONS_DEFAULT {
        let message = format!("no run ends within {ITERATIONS_DEFAULT} iterations, the default");
        report.push_at(
            Severity::Hint,
            Finding::new(start.at, message)
                .label(format!("the shortest path has {least} nodes"))
                .help(format!("let the program give the run {} iterations or more", least + 1)),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    /// A graph of `count` nodes in a row, the last of which is its end.
    fn row(id: &str, count: usize) -> String {
        let nodes: String = (0..count).map(|node| format!("  - {{id: n{node}, type: router}}\n")).collect();
        let edge = |node: usize| format!("  - {{source: n{}, target: n{node}}}\n", node - 1);
        let edges: String = (1..count).map(edge).collect();
        let last = count - 1;
        format!(
            "id: {id}\nname: desk\ndescription: x\nnodes:\n{nodes}edges:\n{edges}end_nodes: [n{last}]\nstart_node: n0\n"
        )
    }

    #[test]
    fn a_long_way() {
        let mark = "#           ^^ hint[too-few-iterations]: no run ends within 50 iterations, the default";
        check_rule("too-few-iterations", &format!("{}{mark}\n", row("main", 50)));
        check_rule("too-few-iterations", &row("main", 49));
    }

    #[test]
    fn in_bundles() {
        check_rule(
            "too-few-iterations",
            r#"
manifest: {name: b, version: "1", requires: {}}
agents: []
graph:
  name: c
  description: d
  nodes:
    - {id: a, type: subgraph, subgraph_config: {subgraph_id: child, max_iterations: 2}}
#                                                            ^^^^^ warning[too-few-iterations]: no run of `child` ends within 2 iterations
    - {id: b, type: subgraph, subgraph_config: {subgraph_id: child, max_iterations: 3}}
    - {id: c, type: subgraph, subgraph_config: {subgraph_id: other, max_iterations: 1}}
  edges: []
  start_node: a
  end_nodes: []
graphs:
  - id: child
    name: c
    description: d
    nodes:
      - {id: one, type: router}
      - {id: two, type: supervisor, agent_id: x, supervisor_config: {managed_nodes: [one]}}
    edges:
      - {source: one, target: two}
    start_node: one
    end_nodes: []
"#,
        );
    }
}
