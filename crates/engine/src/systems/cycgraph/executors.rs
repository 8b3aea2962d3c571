//! What runs when a node is visited: one file an executor. In: what an attempt is given; out: the task that makes it,
//! which yields an action or why there is none. Invariant: an executor is imported here and nowhere else.

mod agent;
mod annealing;
mod approval;
mod evolution;
mod map;
mod reflection;
mod remote;
mod router;
mod subgraph;
mod supervisor;
mod swarm;
mod synthesizer;
mod tool;
mod verifier;
mod voting;

use nodewise_model::cycgraph::Work;

use super::action::{NodeAction, Output};
use super::input::Input;
use super::program::Program;
use super::{Cycgraph, failures};
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;

/// The task that runs an attempt of a node.
pub(crate) fn task(input: Input, program: &Program) -> Box<dyn Task<Cycgraph>> {
    let node = input.node(program);
    match &node.work {
        Work::Agent(work) if work.annealing.is_some() => Box::new(annealing::Annealing::new(input)),
        Work::Agent(work) if work.swarm.is_some() => Box::new(swarm::Swarm::new(input)),
        Work::Agent(_) => Box::new(agent::Agent::new(input)),
        Work::Tool(_) => Box::new(tool::Tool::new(input)),
        Work::Router(_) => Box::new(router::Router),
        Work::Supervisor(_) => Box::new(supervisor::Supervisor::new(input)),
        Work::Human(_) => Box::new(approval::Approval::new(input)),
        Work::Synthesizer => Box::new(synthesizer::Synthesizer::new(input)),
        Work::Map(_) => Box::new(map::Map::new(input)),
        Work::Voting(_) => Box::new(voting::Voting::new(input)),
        Work::Evolution(_) => Box::new(evolution::Evolution::new(input)),
        Work::Verifier(_) => Box::new(verifier::Verifier::new(input)),
        Work::Reflection(_) => Box::new(reflection::Reflection::new(input)),
        Work::Subgraph(_) => Box::new(subgraph::Subgraph::new(input)),
        Work::RemoteAgent(_) => Box::new(remote::Remote::new(input)),
        Work::Unknown => Box::new(Unsupported(input)),
    }
}

/// A node of a type that no executor runs.
#[derive(Debug, Clone)]
struct Unsupported(Input);

impl Task<Cycgraph> for Unsupported {
    fn step(&mut self, _: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        done(Err(failures::unsupported(&self.0.node(context.program()).type_word)))
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}

/// Ends the task with the result of the attempt.
fn done(result: Result<NodeAction, Failure>) -> Flow<Output> {
    Flow::Done(Output::Acted(result.map(Box::new)))
}
