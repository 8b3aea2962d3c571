//! An exploration that ends by a proof reports what one of all states reports, in generated graphs.

use std::collections::BTreeSet;
use std::fmt::Write;

use nodewise_engine::explore::{
    ExplorationBounds, ExplorationFindingKind, ExplorationReport, OneThread, explore,
};
use nodewise_engine::random::Random;

use crate::explore_graphs::of_cycgraph;

/// Graphs that are generated.
const GRAPHS: u64 = 120;
/// Graphs with more states are left out.
const STATES_MAX: usize = 2_500;

/// Draws from lists.
pub(crate) struct Draw(pub(crate) Random);

impl Draw {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.bits() % bound as u64) as usize
    }

    fn of<'l>(&mut self, list: &[&'l str]) -> &'l str {
        list[self.below(list.len())]
    }

    /// A part of a condition about keys; few of them compare two keys.
    fn test(&mut self, keys: usize) -> String {
        let key = format!("memory.k{}", self.below(keys));
        match self.below(12) {
            0..=3 => format!("{key} == '{}'", self.of(&["go", "stop", "again"])),
            4..=5 => format!("{key} != '{}'", self.of(&["go", "stop"])),
            6..=7 => format!("{key} > {}", self.below(3)),
            8 => format!("not ({key} == 'go')"),
            9 => key,
            10 => format!("memory.k0 == memory.k{}", self.below(keys)),
            _ => "goal == 'x'".to_owned(),
        }
    }

    fn condition(&mut self, keys: usize) -> String {
        let one = self.test(keys);
        match self.below(4) {
            0 => format!("{one} and {}", self.test(keys)),
            1 => format!("{one} or {}", self.test(keys)),
            _ => one,
        }
    }

    fn node(&mut self, number: usize, keys: usize) -> String {
        let key = self.below(keys);
        match self.below(10) {
            0 => format!("{{id: n{number}, type: router}}"),
            1 => format!(
                "{{id: n{number}, type: tool, tool_id: fetch, tools: [{{type: custom, name: fetch}}]}}"
            ),
            2 => format!("{{id: n{number}, type: agent, agent_id: w-text, write_keys: [k{key}]}}"),
            3 => format!(
                "{{id: n{number}, type: approval, approval_config: {{prompt_message: ok, review_keys: [\"*\"], rejection_node_id: n0}}}}"
            ),
            4 => format!(
                "{{id: n{number}, type: verifier, read_keys: [k{key}], verifier_config: {{type: expression, expression: \"memory.k{key} == 'go'\"}}}}"
            ),
            5 | 6 => format!(
                "{{id: n{number}, type: agent, agent_id: w, write_keys: [k{key}, k{}], read_keys: [k{}]}}",
                self.below(keys),
                self.below(keys)
            ),
            _ => format!("{{id: n{number}, type: agent, agent_id: w, write_keys: [k{key}]}}"),
        }
    }

    pub(crate) fn graph(&mut self) -> String {
        let (nodes, keys) = (3 + self.below(6), 1 + self.below(4));
        let last = nodes - 1;
        let mut text = format!("id: g\nname: g\nstart_node: n0\nend_nodes: [n{last}]\nnodes:\n");
        for number in 0..nodes {
            writeln!(text, "  - {}", self.node(number, keys)).unwrap();
        }
        text.push_str("edges:\n");
        for number in 0..last {
            for _ in 0..1 + self.below(3) {
                let target = self.below(nodes);
                let condition = match self.below(4) {
                    0 => String::new(),
                    _ => {
                        format!(", condition: {{type: conditional, condition: \"{}\"}}", self.condition(keys))
                    }
                };
                writeln!(text, "  - {{source: n{number}, target: n{target}{condition}}}").unwrap();
            }
            // Most loops can be left.
            if self.below(4) > 0 {
                let condition = self.condition(keys);
                let guard = format!("condition: {{type: conditional, condition: \"{condition}\"}}");
                writeln!(text, "  - {{source: n{number}, target: n{last}, {guard}}}").unwrap();
            }
        }
        text
    }
}

impl Draw {
    /// Agents in a row that each write two keys, with edges forward, across and back.
    pub(crate) fn row(&mut self) -> String {
        let (nodes, keys) = (4 + self.below(3), 2 + self.below(2));
        let last = nodes - 1;
        let mut text = format!("id: g\nname: g\nstart_node: n0\nend_nodes: [n{last}]\nnodes:\n");
        for number in 0..nodes {
            let (one, other) = (number % keys, (number * 2 + 1) % keys);
            let node = match self.below(8) {
                0 => self.node(number, keys),
                _ => format!("{{id: n{number}, type: agent, agent_id: w, write_keys: [k{one}, k{other}]}}"),
            };
            writeln!(text, "  - {node}").unwrap();
        }
        text.push_str("edges:\n");
        for number in 0..last {
            let (one, other, earlier) = (number % keys, (number * 2 + 1) % keys, (number + 1) % keys);
            let (next, across, back) = (number + 1, (number + 2).min(last), number.saturating_sub(2));
            let mut edges = vec![
                (next, format!("memory.k{one} == 'go' and memory.k{earlier} != 'stop'")),
                (across, format!("memory.k{other} > {number}")),
                (back, format!("memory.k{one} == 'again'")),
            ];
            let changed = self.below(edges.len());
            edges[changed].1 = self.condition(keys);
            for (target, condition) in edges {
                let guard = format!("condition: {{type: conditional, condition: \"{condition}\"}}");
                writeln!(text, "  - {{source: n{number}, target: n{target}, {guard}}}").unwrap();
            }
            if self.below(8) > 0 {
                writeln!(text, "  - {{source: n{number}, target: n{next}}}").unwrap();
            }
        }
        text
    }
}

/// What a report says, without the paths that show it, which may differ.
fn facts(report: &ExplorationReport) -> BTreeSet<String> {
    let mut facts: BTreeSet<String> = BTreeSet::new();
    for finding in &report.findings {
        facts.insert(match &finding.kind {
            // Which loop of several is reported depends on the order of the states.
            ExplorationFindingKind::EndlessLoop { .. } => "endless".to_owned(),
            kind => format!("{} {kind}", finding.graph),
        });
        let is_shown = finding.witness.is_some();
        facts.insert(format!("{} shown: {is_shown}", finding.kind.name()));
    }
    for end in &report.ends {
        let class = end.failure.as_ref().map(|failure| failure.class.clone());
        facts.insert(format!("{:?} {class:?} at {} by fault: {}", end.status, end.node, end.needs_fault));
    }
    let worst = &report.worst;
    facts.insert(match worst.is_unbounded {
        true => format!("no bound but {:?}", worst.limit),
        false => format!("{} visits, {} calls, {:?}", worst.visits, worst.model_calls, worst.usage),
    });
    facts
}

#[test]
fn a_proof_reports_what_all_states_report() {
    let mut proven = 0;
    let mut compared = 0;
    for seed in 0..GRAPHS {
        let mut draw = Draw(Random::new(seed));
        let text = if seed % 3 == 0 { draw.graph() } else { draw.row() };
        let (run, guide) = of_cycgraph(&text);
        let explored = |plain: usize| {
            let bounds = ExplorationBounds { states: STATES_MAX, plain, ..ExplorationBounds::default() };
            explore(run.as_ref(), guide.as_ref(), &bounds, &OneThread, &mut || true)
        };
        let all = explored(STATES_MAX);
        if !all.is_exhaustive {
            continue;
        }
        let few = explored(if seed % 2 == 0 { 0 } else { 5 });
        compared += 1;
        proven += usize::from(few.states < all.states);
        assert!(few.is_exhaustive, "{seed}: {:?}\n{text}", few.gaps);
        let (few, all) = (facts(&few), facts(&all));
        let missing: Vec<&String> = all.difference(&few).collect();
        let more: Vec<&String> = few.difference(&all).collect();
        assert!(missing.is_empty() && more.is_empty(), "{seed}: -{missing:?} +{more:?}\n{text}");
    }
    assert!(proven >= 12 && compared >= 60, "{proven} of {compared} ended by a proof");
}
