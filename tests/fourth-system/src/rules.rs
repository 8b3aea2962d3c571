//! The rules for Relay: one of its own, and its parts of shared rules.

use nodewise_analysis::conditions::ConditionFindingKind;
use nodewise_analysis::diagnostic::{Finding, Severity};
use nodewise_analysis::rule::{Category, Context, Needs, Report, Rule, RulePart};
use nodewise_analysis::rules::{SystemRules, Theme, shared};
use nodewise_model::Located;
use smol_str::SmolStr;

use crate::table::RELAY;
use crate::work::Work;

/// The rules, for the program.
pub static RULES: SystemRules = SystemRules {
    dialect: &RELAY,
    themes: &[&THEME],
    pages: &[("discarded-answer", include_str!("rules/discarded_answer.md"))],
};

static THEME: Theme = Theme {
    rules: &[&DISCARDED_ANSWER],
    parts: &[
        (&shared::UNKNOWN_NODE, &UNKNOWN_NODE),
        (&shared::UNREACHABLE_NODE, &UNREACHABLE_NODE),
        (&shared::INVALID_EXPRESSION, &INVALID_EXPRESSION),
    ],
};

static DISCARDED_ANSWER: Rule = Rule {
    id: "discarded-answer",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check: discarded_answer, ..RulePart::DEFAULT }],
};

static UNKNOWN_NODE: RulePart =
    RulePart { severity: Severity::Error, needs: Needs::Nodes, check: unknown_node, ..RulePart::DEFAULT };

static UNREACHABLE_NODE: RulePart = RulePart {
    severity: Severity::Warning,
    needs: Needs::Edges,
    check: unreachable_node,
    ..RulePart::DEFAULT
};

static INVALID_EXPRESSION: RulePart =
    RulePart { severity: Severity::Error, check: invalid_expression, ..RulePart::DEFAULT };

fn discarded_answer(context: &Context<'_>, report: &mut Report) {
    for node in context.graphs().flat_map(|graph| &graph.nodes) {
        if let (Work::Ask(_), Some(id), true) = (Work::of(node), &node.id, node.access.writes.is_empty()) {
            let message = format!("nothing keeps the answer of `{}`", id.value);
            report.push(Finding::new(id.at, message).help("name a key under `writes`"));
        }
    }
}

fn unknown_node(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        let ends = graph.edges.iter().flat_map(|edge| [&edge.source, &edge.target]).flatten();
        let named = graph.start.iter().chain(graph.ends.iter().flat_map(|ends| &ends.value));
        let names = ends.map(|end| &end.name).chain(named);
        for name in names.filter(|name: &&Located<SmolStr>| facts.node(&name.value).is_none()) {
            let finding = Finding::new(name.at, format!("no step is named `{}`", name.value));
            report.push(match facts.nearest(&name.value) {
                Some(near) => finding.help(format!("write `{near}`")).fix(
                    format!("Replace it with `{near}`"),
                    false,
                    name.at,
                    near,
                ),
                None => finding.help("name a step of this relay"),
            });
        }
    }
}

fn unreachable_node(context: &Context<'_>, report: &mut Report) {
    for (graph, facts) in context.graphs_with_facts() {
        let nodes = graph.nodes.iter().enumerate();
        for (_, node) in nodes.filter(|(position, _)| !facts.is_reached(*position)) {
            let name = node.id.as_ref().map_or("", |id| id.value.as_str());
            let at = node.id.as_ref().map_or(node.head, |id| id.at);
            report.push(Finding::new(at, format!("no run reaches `{name}`")).help("link another step to it"));
        }
    }
}

fn invalid_expression(context: &Context<'_>, report: &mut Report) {
    for condition in context.documents().flat_map(|document| &document.conditions) {
        let syntax = condition.findings.iter().filter(|finding| finding.kind == ConditionFindingKind::Syntax);
        for finding in syntax {
            report.push(Finding::new(finding.at, finding.message.clone()));
        }
    }
}
