//! Runs as spans of OpenTelemetry, in the JSON of its protocol (OTLP).
//!
//! Input: entries with `resourceSpans`; output: runs. A span with the attribute of a graph is a run of it, and one with the
//! attribute of a node a visit in the graph around it. Invariant: what is inside a visit, and no graph of its own, is no
//! visit; spans say nothing of the state.

use std::collections::BTreeMap;

use nodewise_engine::time::Millis;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::external_run::{ExternalRun, ExternalScope, ExternalStep, SpanNames, TraceEntry};
use crate::system::RunnableSystem;
use crate::systems::SYSTEMS;

/// The attributes of nodewise's own spans.
pub const OWN_NAMES: SpanNames =
    SpanNames { graph: "gen_ai.workflow.name", node: "nodewise.node", run: "nodewise.run" };
/// The attribute of nodewise's own spans that names the system.
pub const SYSTEM_ATTRIBUTE: &str = "nodewise.system";

/// The maximum number of spans around a span. A broken trace can have parents in a circle.
const DEPTH_MAX: usize = 256;

struct TracedSpan<'e> {
    id: &'e str,
    parent: &'e str,
    start: u64,
    end: u64,
    line: u32,
    attributes: BTreeMap<&'e str, &'e str>,
}

/// The runs of spans; `None` if the entries are something else.
pub(super) fn runs(text: &str, entries: &[TraceEntry]) -> Option<Vec<(RunnableSystem, ExternalRun)>> {
    if entries.is_empty() || entries.iter().any(|entry| entry.value.get("resourceSpans").is_none()) {
        return None;
    }
    let mut spans: Vec<TracedSpan<'_>> = entries.iter().flat_map(|entry| spans_of(text, entry)).collect();
    // A span that begins at the same moment as the span around it must come after that one.
    let depths = depths(&spans);
    spans.sort_by_key(|span| (span.start, depths.get(span.id).copied()));
    let systems = || SYSTEMS.iter().map(|runtime| RunnableSystem::new(*runtime));
    let mut found = Vec::new();
    for system in systems() {
        if let Some(names) = system.span_names() {
            found.extend(SpanTree::new(&spans, names).runs().into_iter().map(|(_, run)| (system, run)));
        }
    }
    for (root, run) in SpanTree::new(&spans, OWN_NAMES).runs() {
        let id = spans.get(root).and_then(|span| span.attributes.get(SYSTEM_ATTRIBUTE));
        let system = id.and_then(|id| systems().find(|system| system.dialect().id == *id));
        found.extend(system.map(|system| (system, run)));
    }
    Some(found)
}

/// For each span, the number of spans around it.
fn depths<'e>(spans: &[TracedSpan<'e>]) -> BTreeMap<&'e str, usize> {
    let parents: BTreeMap<&str, &str> = spans.iter().map(|span| (span.id, span.parent)).collect();
    let depth = |id: &str| {
        let mut at = id;
        let around = std::iter::from_fn(|| {
            at = parents.get(at).copied().filter(|parent| !parent.is_empty())?;
            Some(())
        });
        // Broken traces can have parents in a circle.
        around.take(DEPTH_MAX).count()
    };
    spans.iter().map(|span| (span.id, depth(span.id))).collect()
}

fn spans_of<'e>(text: &str, entry: &'e TraceEntry) -> Vec<TracedSpan<'e>> {
    let list = |value: &'e Json, key: &str| value.get(key).and_then(Json::as_array).into_iter().flatten();
    let resources = list(&entry.value, "resourceSpans");
    let scopes = resources.flat_map(|resource| list(resource, "scopeSpans"));
    let spans = scopes.flat_map(|scope| list(scope, "spans"));
    spans.filter_map(|span| TracedSpan::of(text, span, entry.line)).collect()
}

impl<'e> TracedSpan<'e> {
    fn of(text: &str, span: &'e Json, line: u32) -> Option<TracedSpan<'e>> {
        let member = |key: &str| span.get(key).and_then(Json::as_str).unwrap_or_default();
        let id = Some(member("spanId")).filter(|id| !id.is_empty())?;
        let attributes = span.get("attributes").and_then(Json::as_array).into_iter().flatten();
        let attribute = |attribute: &'e Json| {
            let value = attribute.get("value")?.get("stringValue")?.as_str()?;
            Some((attribute.get("key")?.as_str()?, value))
        };
        Some(TracedSpan {
            id,
            parent: member("parentSpanId"),
            start: nanoseconds(span.get("startTimeUnixNano")),
            end: nanoseconds(span.get("endTimeUnixNano")),
            line: line_of(text, id).unwrap_or(line),
            attributes: attributes.filter_map(attribute).collect(),
        })
    }
}

/// A moment, which the protocol writes as a text, and some programs as a number.
fn nanoseconds(value: Option<&Json>) -> u64 {
    match value {
        Some(Json::String(text)) => text.parse().unwrap_or_default(),
        Some(value) => value.as_u64().unwrap_or_default(),
        None => 0,
    }
}

/// The line where a text gives a span its id.
fn line_of(text: &str, id: &str) -> Option<u32> {
    let keys = [format!("\"spanId\":\"{id}\""), format!("\"spanId\": \"{id}\"")];
    let at = keys.iter().find_map(|key| text.find(key.as_str()))?;
    u32::try_from(text.get(..at)?.matches('\n').count() + 1).ok()
}

/// Spans, each below the one in which it happened.
struct SpanTree<'s> {
    spans: &'s [TracedSpan<'s>],
    names: SpanNames,
    by_id: BTreeMap<&'s str, usize>,
}

/// What a span is part of. Holds the position of the span of the graph or visit.
enum Around {
    /// A graph, by its span.
    Graph(usize),
    /// A visit, by its span.
    Visit(usize),
    Nothing,
}

impl<'s> SpanTree<'s> {
    fn new(spans: &'s [TracedSpan<'s>], names: SpanNames) -> SpanTree<'s> {
        let by_id = spans.iter().enumerate().map(|(position, span)| (span.id, position)).collect();
        SpanTree { spans, names, by_id }
    }

    fn attribute(&self, span: usize, name: &str) -> Option<&'s str> {
        self.spans.get(span)?.attributes.get(name).copied()
    }

    /// The next graph or visit around a span.
    fn around(&self, span: usize) -> Around {
        let mut at = span;
        for _ in 0..DEPTH_MAX {
            let parent = self.spans.get(at).and_then(|span| self.by_id.get(span.parent));
            let Some(parent) = parent else { break };
            at = *parent;
            if self.attribute(at, self.names.node).is_some() {
                return Around::Visit(at);
            }
            if self.attribute(at, self.names.graph).is_some() {
                return Around::Graph(at);
            }
        }
        Around::Nothing
    }

    /// The runs, each with the span of its main graph.
    fn runs(&self) -> Vec<(usize, ExternalRun)> {
        let mut found = TracedRuns::default();
        for (position, span) in self.spans.iter().enumerate() {
            if let Some(node) = self.attribute(position, self.names.node) {
                if let Around::Graph(graph) = self.around(position) {
                    found.visit(position, graph, node, span.line);
                }
            } else if self.attribute(position, self.names.graph).is_some() {
                self.graph(position, span, &mut found);
            }
        }
        let runs =
            found.runs.into_iter().filter(|run| run.run.scopes.iter().any(|scope| !scope.steps.is_empty()));
        runs.map(|run| (run.root, run.run)).collect()
    }

    /// A graph: a new one, or the rest of one that was interrupted.
    fn graph(&self, position: usize, span: &TracedSpan<'_>, found: &mut TracedRuns) {
        let id = self.attribute(position, self.names.run).unwrap_or(span.id);
        let graph = self.attribute(position, self.names.graph).map(SmolStr::new);
        let place = match self.around(position) {
            Around::Visit(visit) => {
                let Some((run, scope)) = found.places.get(&visit).copied() else { return };
                let node = self.attribute(visit, self.names.node).unwrap_or_default();
                (run, found.scope(run, id, graph, Some((scope, SmolStr::new(node)))))
            }
            Around::Graph(_) | Around::Nothing => {
                let run = found.run(position, id, span);
                (run, found.scope(run, id, graph, None))
            }
        };
        found.places.insert(position, place);
    }
}

/// Runs that are put together from spans.
#[derive(Default)]
struct TracedRuns {
    runs: Vec<TracedRun>,
    /// For each span of a graph or visit, the positions of its run and of the scope in it.
    places: BTreeMap<usize, (usize, usize)>,
}

struct TracedRun {
    root: usize,
    start: u64,
    run: ExternalRun,
    /// What the trace calls the run of each scope, and the span of its last visit's graph.
    scopes: Vec<(String, Option<usize>)>,
}

impl TracedRuns {
    fn run(&mut self, root: usize, id: &str, span: &TracedSpan<'_>) -> usize {
        let position = self.runs.iter().position(|known| known.run.id == id).unwrap_or_else(|| {
            let run = ExternalRun { id: SmolStr::new(id), line: span.line, ..ExternalRun::default() };
            self.runs.push(TracedRun { root, start: span.start, run, scopes: Vec::new() });
            self.runs.len() - 1
        });
        if let Some(known) = self.runs.get_mut(position) {
            let time = Millis(span.end.saturating_sub(known.start) / 1_000_000);
            known.run.time = known.run.time.max(time);
        }
        position
    }

    fn scope(
        &mut self,
        run: usize,
        id: &str,
        graph: Option<SmolStr>,
        caller: Option<(usize, SmolStr)>,
    ) -> usize {
        let Some(run) = self.runs.get_mut(run) else { return 0 };
        if let Some(known) = run.scopes.iter().position(|(known, _)| known == id) {
            return known;
        }
        run.scopes.push((id.to_owned(), None));
        run.run.scopes.push(ExternalScope { graph, caller, ..ExternalScope::default() });
        run.scopes.len() - 1
    }

    fn visit(&mut self, position: usize, graph: usize, node: &str, line: u32) {
        let Some((run, scope)) = self.places.get(&graph).copied() else { return };
        self.places.insert(position, (run, scope));
        let Some(run) = self.runs.get_mut(run) else { return };
        let Some(((_, leg), scope)) = run.scopes.get_mut(scope).zip(run.run.scopes.get_mut(scope)) else {
            return;
        };
        let is_resumed = leg.replace(graph).is_some_and(|last| last != graph);
        scope.steps.push(ExternalStep {
            node: SmolStr::new(node),
            line,
            is_resumed,
            ..ExternalStep::default()
        });
    }
}
