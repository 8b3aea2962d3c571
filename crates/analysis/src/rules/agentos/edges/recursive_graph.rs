//! What `recursive-graph` finds here. Reports a subgraph node that runs the graph it stands in, by itself or
//! through other graphs of the project.

use nodewise_model::agentos::Work;
use nodewise_model::graph::Graph;
use nodewise_model::{Declaration, Reference};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:I27"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        let declaration =
            context.index.effective(document).and_then(|effective| effective.declaration.as_ref());
        let graphs = declaration.into_iter().flat_map(Declaration::graphs).enumerate();
        for (part, reference) in
            graphs.flat_map(|(part, graph)| delegates(graph).map(move |name| (part, name)))
        {
            let parent = (document.id, part);
            let child =
                context.index.meant(document.id, reference).map(|child| (child.document, child.part()));
            let Some(child) = child.filter(|child| context.index.comes_back(parent, *child)) else {
                continue;
            };
            let message = match child == parent {
                true => format!("`{}` is the graph of this node", short(&reference.name)),
                false => format!("`{}` leads back to this graph", short(&reference.name)),
            };
            report.push(
                Finding::new(reference.at, message)
                    .label("the graph starts itself again without end")
                    .help("run another graph, or end the nesting in the program"),
            );
        }
    }
}

/// The graphs that a graph runs.
fn delegates(graph: &Graph) -> impl Iterator<Item = &Reference> {
    graph.nodes.iter().filter_map(|node| match Work::of(node) {
        Work::Subgraph(subgraph) => subgraph.graph.as_ref(),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn by_itself_and_through_others() {
        check_rule(
            "recursive-graph",
            r"
#- /a.yaml
id: graph-a
nodes:
  - {id: n, executorConfig: {type: subgraph, graphId: graph-a}}
#                                                     ^^^^^^^ error[recursive-graph]: `graph-a` is the graph of this node
  - {id: m, executorConfig: {type: subgraph, graphId: graph-b}}
#                                                     ^^^^^^^ error[recursive-graph]: `graph-b` leads back to this graph
  - {id: o, executorConfig: {type: subgraph, graphId: graph-c}}
edges: []
#- /b.yaml
id: graph-b
nodes:
  - {id: n, executorConfig: {type: subgraph, graphId: graph-a}}
#                                                     ^^^^^^^ error[recursive-graph]: `graph-a` leads back to this graph
edges: []
#- /c.yaml
id: graph-c
nodes:
  - {id: n, executorConfig: {type: tool, toolName: t}}
edges: []
",
        );
    }
}
