//! What `unknown-node` finds in AgentOS. Reports the ends of edges, and the targets of choices, that are no nodes of
//! the graph.

use nodewise_dialect::tables::agentos::{END, PLACEHOLDERS, START};
use nodewise_model::Located;
use nodewise_model::graph::{EdgeGuard, EndpointRole, Graph};
use smol_str::SmolStr;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::GraphFacts;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::agentos::routing_targets;
use crate::rules::graph_findings;
use crate::rules::names::misnamed_node::{Nodes, Use, report_unknown};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, needs: Needs::Nodes, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.whole_graphs() {
        of_graph(context, graph, facts, report);
    }
}

/// AgentOS has words for where runs begin and end; a choice may name the end too.
fn of_graph(context: &Context<'_>, graph: &Graph, facts: &GraphFacts, report: &mut Report) {
    let mut uses: Vec<Use<'_>> = Vec::new();
    let mut add = |name, word, spec, harm| uses.push(Use { name, spec, harm, word: Some(word) });
    let mut without_end = Vec::new();
    for edge in &graph.edges {
        match &edge.source {
            Some(source) if source.role == EndpointRole::Start => {}
            Some(source) => add(&source.name, START, "agentos:R3", "its target waits forever"),
            None => without_end.push((edge, "agentos:R3", "the edge comes from no node")),
        }
        match &edge.target {
            Some(target) if matches!(target.role, EndpointRole::End | EndpointRole::Placeholder) => {}
            Some(target) => add(&target.name, END, "agentos:R4", "the edge leads nowhere"),
            None => without_end.push((edge, "agentos:R4", "the edge leads to no node")),
        }
        if let EdgeGuard::Personality(Some(choice)) = &edge.guard {
            for outcome in
                [&choice.above, &choice.below].into_iter().flatten().filter(|name| name.value != END)
            {
                add(outcome, END, "agentos:I10", "the run continues at no node");
            }
        }
    }
    for choice in routing_targets::chosen(graph).filter(|choice| choice.target.value != END) {
        add(choice.target, END, "agentos:I10", "the run continues at no node");
    }
    let of_name =
        |used: &Use<'_>| not_a_node(context, facts, used.name, used.word.unwrap_or_default(), used.harm);
    let nodes =
        Nodes { graph, has: &|name| facts.node(name).is_some(), nearest: &|name| facts.nearest(name) };
    report_unknown(context, &nodes, &uses, of_name, report);
    for (edge, spec, fact) in without_end {
        report.push(Finding::new(edge.head, fact).spec(spec).help("name a node of this graph"));
    }
}

/// The finding about a name that is not a node. `word` is a word that is also allowed here, or empty.
fn not_a_node(
    context: &Context<'_>,
    facts: &GraphFacts,
    name: &Located<SmolStr>,
    word: &str,
    harm: &str,
) -> Finding {
    let bare = |name: &str| name.trim_matches('_').to_ascii_lowercase();
    if [START, END].iter().chain(PLACEHOLDERS).any(|reserved| name.value == *reserved) {
        let message = format!("`{}` is not a node, and not allowed here", name.value);
        let finding = Finding::new(name.at, message).label(harm);
        // The name for the other end of a run.
        if [START, END].contains(&name.value.as_str()) && !word.is_empty() && name.value != word {
            return graph_findings::replace(
                context,
                finding.help(format!("write `{word}`, or name a node")),
                name,
                word,
            );
        }
        return finding.help("name a node of this graph, or leave the edge out");
    }
    let nearest = match bare(&name.value) == bare(word) {
        true => Some(word),
        false => facts.nearest(&name.value),
    };
    graph_findings::no_such_node(context, nearest, name, harm)
}
