//! Another graph runs, with a state of its own.
//!
//! Input: parts of the scratch; output: the other graph's artifacts, and parts of them for the scratch. Invariant: a
//! graph that fails or waits for a person counts as a success with whatever artifacts it has; an exception does not.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::KeyMapping;
use nodewise_model::work::SubgraphWork;
use smol_str::{SmolStr, format_smolstr};

use super::super::machine::{Machine, MachineContext, Progress};
use super::super::result::NodeResult;
use super::super::run::Run;
use super::super::{Output, Yield, paths, turns};
use crate::kernel::Wake;

/// A run of another graph.
#[derive(Debug, Clone)]
pub(super) struct Subgraph {
    graph: SmolStr,
    inputs: Arc<[(SmolStr, SmolStr)]>,
    outputs: Arc<[(SmolStr, SmolStr)]>,
}

impl Subgraph {
    pub(super) fn new(work: &SubgraphWork) -> Subgraph {
        Subgraph {
            graph: work.graph.as_ref().map(|graph| graph.name.clone()).unwrap_or_default(),
            inputs: pairs(&work.inputs),
            outputs: pairs(&work.outputs),
        }
    }

    fn begin(&self, work: &mut MachineContext<'_, '_>) -> Progress {
        let Some(graph) = work.program().called(&self.graph) else {
            return Progress::done(NodeResult::failed(format_smolstr!("Subgraph not found: {}", self.graph)));
        };
        let scratch = Value::Map(work.state().scratch.clone());
        let mut input = Map::new();
        if let Err(error) = map(&self.inputs, &scratch, &mut input, work.is_documented()) {
            return Progress::done(failed(&error));
        }
        let run = Run::inner(work.program(), graph, Arc::new(input), work.situation);
        work.context.begin(Box::new(run));
        Progress::Wait
    }

    fn end(&self, artifacts: Arc<Map>, work: &MachineContext<'_, '_>) -> NodeResult {
        let output = Value::Map(artifacts);
        let mut scratch = Map::new();
        if let Err(error) = map(&self.outputs, &output, &mut scratch, work.is_documented()) {
            return failed(&error);
        }
        NodeResult { scratch: Some(scratch.into()), ..NodeResult::done(output) }
    }
}

impl Machine for Subgraph {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start if !work.host().subgraphs => {
                Progress::done(NodeResult::done(Value::from("subgraph-placeholder")))
            }
            Wake::Start => self.begin(work),
            Wake::Child(_, Output(Yield::Graph(ended))) => {
                work.turns.take(if ended.is_ok() { turns::SERVICE } else { turns::FUNCTION });
                Progress::done(match ended {
                    Ok(artifacts) => self.end(artifacts, work),
                    Err(error) => failed(&error),
                })
            }
            _ => Progress::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

fn failed(error: &str) -> NodeResult {
    NodeResult::failed(format_smolstr!("Subgraph execution failed: {error}"))
}

fn pairs(mappings: &[KeyMapping]) -> Arc<[(SmolStr, SmolStr)]> {
    let written = mappings.iter();
    written.filter_map(|pair| Some((pair.from.value.clone(), pair.to.as_ref()?.value.clone()))).collect()
}

/// Copies parts of a value to places in a mapping. As documented, a path may begin with the name of its partition.
fn map(pairs: &[(SmolStr, SmolStr)], from: &Value, to: &mut Map, is_documented: bool) -> Result<(), String> {
    let place = |path: &SmolStr| -> SmolStr {
        let prefix = ["scratch.", "input.", "artifacts."].into_iter().find(|prefix| path.starts_with(prefix));
        let rest = prefix.filter(|_| is_documented).and_then(|prefix| path.strip_prefix(prefix));
        rest.map_or_else(|| path.clone(), SmolStr::from)
    };
    pairs
        .iter()
        .try_for_each(|(source, target)| paths::write(to, &place(target), paths::read(from, &place(source))))
}
