//! Instructions with placeholders for untrusted values. Input: a graph with its flows, and the instructions of each node.
//! Output: findings. Invariant: a placeholder counts only if it names a key that an untrusted value has when it comes to the
//! node.

use nodewise_model::graph::GraphNode;
use nodewise_model::{Located, Origin};
use smol_str::SmolStr;

use super::effects;
use super::trust::TrustedGraph;
use crate::diagnostic::Finding;
use crate::rule::Report;
use crate::rules::graph_findings;
use crate::rules::wording::short;

/// Prefixes of state keys in templates.
const STATES: [&str; 2] = ["memory.", "state."];

/// The instructions of a node: the place of the reference in the node's document, and the text.
pub(in crate::rules) type Instructions<'a> = (Origin, &'a Located<SmolStr>);

/// Reports nodes whose instructions contain a placeholder for an untrusted value.
pub(in crate::rules) fn report_prompts<'a>(
    trusted: &TrustedGraph<'a>,
    instructions: impl Fn(&'a GraphNode) -> Vec<Instructions<'a>>,
    report: &mut Report,
) {
    for (position, node) in trusted.place.graph.nodes.iter().enumerate() {
        if !trusted.flows.reach(position) {
            continue;
        }
        for (at, prompt) in instructions(node) {
            let tainted =
                placeholders(&prompt.value).find_map(|name| Some((name, writer(trusted, position, name)?)));
            if let Some((name, writer)) = tainted {
                let path = trusted.flows.path(writer).unwrap_or_default();
                let node = graph_findings::named(node);
                let finding =
                    Finding::new(at, format!("untrusted text may be in the instructions of {node}"))
                        .label(format!("they have a place for `{}`", short(name)))
                        .help("remove the placeholder: the model gets what the node reads as data");
                let steps =
                    path.iter().take(effects::SHOWN_MAX).map(|step| effects::described(trusted, step));
                let place = (prompt.at, format!("the instructions of {node}"));
                report.push(
                    steps.chain([place]).fold(finding, |finding, (at, text)| finding.related(at, text)),
                );
            }
        }
    }
}

/// The node that writes the untrusted value which the node at `position` reads under this name.
fn writer(trusted: &TrustedGraph<'_>, position: usize, name: &str) -> Option<usize> {
    let key = STATES.iter().find_map(|state| name.strip_prefix(state)).unwrap_or(name);
    let is_key = |left: &SmolStr| {
        key.strip_prefix(left.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let reads = &trusted.place.facts.access[position];
    let reads_all = reads.reads_all || trusted.place.graph.conventions.parts.is_some();
    let moves = trusted.flows.moves().iter().filter(|(_, later)| later.contains(&position));
    moves.map(|(writer, _)| *writer).find(|writer| {
        let access = &trusted.place.facts.access[*writer];
        let mut left = access.leaves.iter().chain(&access.writes);
        left.any(|left| is_key(left) && (reads_all || reads.reads.contains(left)))
    })
}

/// The names in braces: `{mail}`, `{{ memory.mail }}`, `${mail}`.
fn placeholders(text: &str) -> impl Iterator<Item = &str> {
    let opened = text.split('{').skip(1);
    opened.filter_map(|rest| {
        let name = rest.split_once('}')?.0.trim();
        let is_name = |letter: char| letter.is_alphanumeric() || "_.-".contains(letter);
        (!name.is_empty() && name.chars().all(is_name)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn names_between_braces() {
        let text = "{a} {{ memory.b-c }} ${d} {\"e\": 1} {f g} {} {h";
        assert_eq!(placeholders(text).collect::<Vec<_>>(), ["a", "memory.b-c", "d"]);
    }
}
