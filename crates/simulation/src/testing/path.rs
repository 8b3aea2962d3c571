//! The nodes that a run visited, compared with the expected ones.
//!
//! Input: names and a recording; output: an aligned difference, and the place where the run went another way.
//! Invariant: the time is bounded, whatever the lengths: beyond a size, what differs is shown as one block.

use nodewise_engine::event::{EventKind, ScopeId, VisitId};
use smol_str::SmolStr;

use crate::chart::{Charts, SourceLocation};
use crate::recording::{LogIndex, Recording};
use crate::render::shown;
use crate::words;

/// Longer differences are not aligned. The limit is the product of both lengths, because the table has that many cells.
const ALIGNED_MAX: usize = 1 << 20;
/// The number of equal lines that are shown around a difference.
const CONTEXT: usize = 3;
/// The maximum number of lines that are shown of a difference.
const LINES_MAX: usize = 60;

/// A visit of a run.
#[derive(Debug, Clone)]
pub(super) struct VisitStep {
    pub(super) visit: VisitId,
    id: SmolStr,
    pub(super) label: SmolStr,
    is_main: bool,
}

/// The visits of a run.
pub(super) struct RunPath<'r> {
    recording: &'r Recording,
    cast: LogIndex,
    pub(super) steps: Vec<VisitStep>,
}

impl VisitStep {
    /// Whether people can mean the node by this name.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.id == name || self.label == name
    }
}

impl<'r> RunPath<'r> {
    pub(super) fn of(recording: &'r Recording) -> RunPath<'r> {
        let mut cast = LogIndex::default();
        recording.events.iter().for_each(|event| cast.apply(event));
        let steps = recording.visits().map(|(visit, scope, id)| {
            let node = cast.node(&recording.charts, visit);
            let label = node.map_or_else(|| id.clone(), |node| node.label.clone());
            VisitStep { visit, id: id.clone(), label, is_main: is_main(&cast, scope) }
        });
        let steps = steps.collect();
        RunPath { recording, cast, steps }
    }

    /// The visits of the main graph.
    pub(super) fn main(&self) -> Vec<&VisitStep> {
        self.steps.iter().filter(|step| step.is_main).collect()
    }

    /// The last run of a main graph: conversations have one a turn.
    pub(super) fn last_main_scope(&self) -> Option<ScopeId> {
        let last = self.main().last().map(|step| step.visit)?;
        self.cast.visit(last).map(|visit| visit.scope)
    }

    /// Where the node of a visit stands.
    pub(super) fn place(&self, visit: VisitId) -> Option<SourceLocation> {
        self.cast.node(&self.recording.charts, visit)?.place.clone()
    }

    /// Why the run continued after a visit: the results of its edges, and the nodes that it handed over to.
    pub(super) fn reasons(&self, visit: VisitId) -> Vec<String> {
        let mut lines = Vec::new();
        for event in &self.recording.events {
            match &event.kind {
                EventKind::EdgeJudged { visit: of, edge, target, followed, .. } if *of == visit => {
                    lines.push(self.edge(visit, *edge, target, *followed));
                }
                EventKind::HandedOver { visit: of, target, reason } if *of == visit => {
                    lines.push(format!("routes to {target}: {}", words::shortened(reason, words::TEXT_MAX)));
                }
                EventKind::VisitEnded { visit: of, result: Err(failure) } if *of == visit => {
                    lines.push(format!("fails: {failure}"));
                }
                _ => {}
            }
        }
        lines
    }

    /// Where the last visit of the main graph leads, as people call the nodes: by its edges, or because it hands over.
    pub(super) fn next(&self) -> Vec<SmolStr> {
        let last = self.main().last().map(|step| step.visit);
        let charts = &self.recording.charts;
        let chart = last.and_then(|last| self.cast.chart(charts, last));
        let mut next: Vec<SmolStr> = Vec::new();
        let leading = self.recording.events.iter().filter_map(|event| match &event.kind {
            EventKind::EdgeJudged { visit, target, followed, .. } if Some(*visit) == last => {
                Some(followed.then_some(target))
            }
            EventKind::HandedOver { visit, target, .. } if Some(*visit) == last => Some(Some(target)),
            _ => None,
        });
        let mut leading: Vec<Option<&SmolStr>> = leading.collect();
        // After a rejection or the call of a tool, a run continues without an edge.
        if leading.is_empty() {
            leading.push(self.recording.next.as_ref());
        }
        for target in leading.into_iter().flatten() {
            // The word for the end of a graph names no node.
            if let Some(node) = chart.and_then(|chart| chart.node_called(target))
                && !next.contains(&node.label)
            {
                next.push(node.label.clone());
            }
        }
        next
    }

    /// The label of the node with this id or label. Other names stay as they are.
    pub(super) fn label_of(&self, name: &SmolStr) -> SmolStr {
        let node = self.recording.charts.node_called(name);
        node.map_or_else(|| name.clone(), |node| node.label.clone())
    }

    fn edge(&self, visit: VisitId, number: u32, target: &str, is_followed: bool) -> String {
        let charts: &Charts = &self.recording.charts;
        let from = self.cast.visit(visit).map(|visit| visit.node.as_str()).unwrap_or_default();
        let edge = self.cast.chart(charts, visit).and_then(|chart| chart.edge(from, number, target));
        let mut line = format!("edge {} {target}", if is_followed { "->" } else { "-x" });
        if let Some(condition) = edge.and_then(|edge| edge.condition.as_ref()) {
            line.push_str(&format!("  when {}", words::shortened(&condition.text, words::TEXT_MAX)));
        }
        if let Some(place) = edge.and_then(|edge| edge.place.as_ref()) {
            line.push_str(&format!("  {}", shown(place)));
        }
        line
    }
}

/// The nodes that a run visited in its main graph, as people call them.
pub(crate) fn main_path(recording: &Recording) -> Vec<SmolStr> {
    RunPath::of(recording).main().into_iter().map(|step| step.label.clone()).collect()
}

/// Where the last visit of the main graph leads, as people call the nodes.
pub(crate) fn next_nodes(recording: &Recording) -> Vec<SmolStr> {
    RunPath::of(recording).next()
}

/// Whether a graph runs by itself: the main one, or a turn of a conversation.
fn is_main(cast: &LogIndex, scope: ScopeId) -> bool {
    cast.scope(scope).is_none_or(|running| running.depth == 0)
}

/// How many nodes are the same from the start in both paths.
pub(super) fn common(expected: &[SmolStr], found: &[&VisitStep]) -> usize {
    expected.iter().zip(found).take_while(|(name, step)| step.is_called(name)).count()
}

/// Both paths side by side, one node per line: `-` before what was expected, `+` before what was found in its place.
pub(super) fn aligned(expected: &[SmolStr], found: &[&VisitStep]) -> Vec<String> {
    let begin = common(expected, found);
    let (expected_rest, found_rest) =
        (expected.get(begin..).unwrap_or_default(), found.get(begin..).unwrap_or_default());
    let ends = expected_rest.iter().rev().zip(found_rest.iter().rev());
    let end = ends.take_while(|(name, step)| step.is_called(name)).count();
    let expected_middle = expected_rest.get(..expected_rest.len() - end).unwrap_or_default();
    let found_middle = found_rest.get(..found_rest.len() - end).unwrap_or_default();
    let mut lines: Vec<(char, &str)> = Vec::new();
    lines.extend(expected.iter().take(begin).map(|name| (' ', name.as_str())));
    lines.extend(middle(expected_middle, found_middle));
    let tail = expected_rest.get(expected_rest.len() - end..).unwrap_or_default();
    lines.extend(tail.iter().map(|name| (' ', name.as_str())));
    shortened(&lines)
}

/// What differs, aligned by the longest common part.
fn middle<'m>(expected: &'m [SmolStr], found: &[&'m VisitStep]) -> Vec<(char, &'m str)> {
    let minus = |name: &'m SmolStr| ('-', name.as_str());
    let plus = |step: &&'m VisitStep| ('+', step.label.as_str());
    if expected.len().saturating_mul(found.len()) > ALIGNED_MAX {
        return expected.iter().map(minus).chain(found.iter().map(plus)).collect();
    }
    let width = found.len() + 1;
    let mut lengths = vec![0_u32; (expected.len() + 1) * width];
    let at = |lengths: &[u32], row: usize, column: usize| {
        lengths.get(row * width + column).copied().unwrap_or_default()
    };
    for (row, name) in expected.iter().enumerate().rev() {
        for (column, step) in found.iter().enumerate().rev() {
            let length = if step.is_called(name) {
                at(&lengths, row + 1, column + 1) + 1
            } else {
                at(&lengths, row + 1, column).max(at(&lengths, row, column + 1))
            };
            if let Some(place) = lengths.get_mut(row * width + column) {
                *place = length;
            }
        }
    }
    let mut lines = Vec::with_capacity(expected.len() + found.len());
    let (mut row, mut column) = (0, 0);
    while let (Some(name), Some(step)) = (expected.get(row), found.get(column)) {
        if step.is_called(name) {
            lines.push((' ', name.as_str()));
            (row, column) = (row + 1, column + 1);
        } else if at(&lengths, row + 1, column) >= at(&lengths, row, column + 1) {
            lines.push(minus(name));
            row += 1;
        } else {
            lines.push(plus(step));
            column += 1;
        }
    }
    lines.extend(expected.iter().skip(row).map(minus));
    lines.extend(found.iter().skip(column).map(plus));
    lines
}

/// The lines around what differs.
fn shortened(lines: &[(char, &str)]) -> Vec<String> {
    let differs: Vec<usize> =
        lines.iter().enumerate().filter(|(_, (mark, _))| *mark != ' ').map(|(line, _)| line).collect();
    let is_near = |line: usize| {
        let next = differs.partition_point(|at| *at + CONTEXT < line);
        differs.get(next).is_some_and(|at| line.abs_diff(*at) <= CONTEXT)
    };
    let mut shown: Vec<String> = Vec::new();
    let mut is_left_out = false;
    for (line, (mark, name)) in lines.iter().enumerate() {
        if !is_near(line) || shown.len() >= LINES_MAX {
            is_left_out = true;
            continue;
        }
        if std::mem::take(&mut is_left_out) {
            shown.push("  …".to_owned());
        }
        shown.push(format!("{mark} {name}"));
    }
    if is_left_out {
        shown.push("  …".to_owned());
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_aligned(expected: &str, found: &str, lines: &str) {
        let names = |text: &str| -> Vec<SmolStr> { text.split_whitespace().map(SmolStr::new).collect() };
        let step = |label: &SmolStr| VisitStep {
            visit: VisitId(0),
            id: label.clone(),
            label: label.clone(),
            is_main: true,
        };
        let steps: Vec<VisitStep> = names(found).iter().map(step).collect();
        let shown = aligned(&names(expected), &steps.iter().collect::<Vec<_>>());
        assert_eq!(shown.join(","), lines);
    }

    #[test]
    fn ways_are_aligned() {
        check_aligned("a b c", "a x c", "  a,- b,+ x,  c");
        check_aligned("a b c d", "a c d e", "  a,- b,  c,  d,+ e");
        check_aligned("a b", "", "- a,- b");
        check_aligned("", "a", "+ a");
        check_aligned("a b c d e f g", "a b c d e f x", "  …,  d,  e,  f,- g,+ x");
        check_aligned(
            "x b c d e f g h i y",
            "z b c d e f g h i w",
            "- x,+ z,  b,  c,  d,  …,  g,  h,  i,- y,+ w",
        );
    }
}
