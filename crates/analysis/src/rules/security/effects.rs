//! How flows to nodes that act are reported. Input: a graph with its flows, or the ends of a path. Output: findings, with the path
//! as related places in the order of the run.

use nodewise_model::Origin;

use super::trust::TrustedGraph;
use crate::diagnostic::{Finding, Severity};
use crate::flows::FlowStep;
use crate::rule::Report;
use crate::rules::graph_findings;
use crate::rules::wording::short;

/// The most nodes of a path that a finding points at.
pub(super) const SHOWN_MAX: usize = 12;

/// Reports the nodes of a graph that act on untrusted text. `is_real` decides whether a path counts.
pub(in crate::rules) fn report_effects(
    trusted: &TrustedGraph<'_>,
    is_real: &dyn Fn(&[FlowStep]) -> bool,
    report: &mut Report,
) {
    for (node, path) in trusted.effects() {
        let (Some(effect), true) = (&trusted.nodes[node].effect, is_real(&path)) else { continue };
        let first = path.first().and_then(|step| trusted.nodes[step.node].source.as_ref());
        let Some(source) = first else { continue };
        let steps: Vec<(Origin, String)> = path.iter().map(|step| described(trusted, step)).collect();
        let name = |node: usize| graph_findings::named(&trusted.place.graph.nodes[node]);
        let at = graph_findings::id_place(&trusted.place.graph.nodes[node]);
        let begin = path.first().map_or(node, |step| step.node);
        report.push(finding(at, (&name(begin), source), (&name(node), effect), steps));
    }
    if trusted.is_partial {
        let message = "the search for untrusted text stopped: the graph is too large";
        report.push_at(Severity::Hint, Finding::new(trusted.place.graph.head, message));
    }
}

/// The place and the description of a step on a path.
pub(super) fn described(trusted: &TrustedGraph<'_>, step: &FlowStep) -> (Origin, String) {
    let node = &trusted.place.graph.nodes[step.node];
    let (name, at) = (graph_findings::named(node), graph_findings::id_place(node));
    let text = match (&step.key, &trusted.nodes[step.node].source) {
        _ if step.is_passed => format!("the run continues at {name}"),
        (Some(key), _) => format!("{name} reads `{}`", short(key)),
        (None, Some(source)) => format!("{name} {}", source),
        (None, None) => format!("{name} reads it"),
    };
    (at, text)
}

/// The finding about an effect, with the path from the node where the untrusted text comes in.
pub(in crate::rules) fn finding(
    at: Origin,
    (from, source): (&str, &str),
    (to, effect): (&str, &str),
    steps: Vec<(Origin, String)>,
) -> Finding {
    let is_one = steps.len() < 2;
    let finding = match is_one {
        true => Finding::new(at, format!("{to} acts on untrusted text that it reads itself"))
            .label(format!("it {} and {}", source, effect))
            .help("give the tools to two nodes, with an approval or a check between them"),
        false => Finding::new(at, format!("{to} acts on untrusted text from {from}"))
            .label(format!("it {}, and nothing on the path checks the text", effect))
            .help("add an approval or a check to the path"),
    };
    let shown = steps.into_iter().take(SHOWN_MAX).filter(|_| !is_one);
    shown.fold(finding, |finding, (at, text)| finding.related(at, text))
}
