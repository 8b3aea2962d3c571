//! The two released engines (liman:7.2, liman:7.3): the older calls and returns, the younger jumps.
//!
//! Invariant: a run that never ends in a release never ends here. [`super::conversation`] reports it when nothing can
//! continue.

use nodewise_expr::value::Value;
use nodewise_model::NodeKind;
use smol_str::SmolStr;

use super::Liman;
use super::conversation::{Conversation, Going, end_visit, log_context, wait_in};
use super::edges::Waves;
use super::executors::Actor;
use super::frame::{Frame, FrameId, Stage};
use super::host::LimanProfile;
use super::item::Item;
use super::program::{NodeIndex, Program, TOOL_NODE, not_found, not_found_key};
use super::rounds;
use crate::kernel::TaskContext;
use crate::outcome::Failure;

/// How many visits an executor other than the first may have in the older release.
const CHILD_ITERATIONS: u32 = 10;

impl Conversation {
    /// Counts a visit of an executor. The first one beyond its limit fails it.
    pub(super) fn stop_release_at_limit(&mut self, program: &Program, frame: &mut Frame) -> Option<Going> {
        let most = match program.host.profile {
            LimanProfile::Classic if frame.parent.is_some() => CHILD_ITERATIONS,
            _ => program.host.max_iterations,
        };
        if frame.visits >= most {
            let message = format!("Executor exceeded max iterations ({most})");
            return Some(Going::Done(Err(Failure::lasting("RuntimeError", message))));
        }
        frame.visits += 1;
        None
    }

    /// Continues after the node's own work, with its next nodes.
    pub(super) fn after_release_work(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        output: Result<Item, Failure>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let node = program.node(frame.node);
        frame.output = output.map_err(wrapped);
        let Ok(item) = &frame.output else { return self.fail_visit(frame, context) };
        match (node.work, item) {
            (NodeKind::Model, Item::Message(message)) if !message.calls.is_empty() => {
                let mut next = Vec::with_capacity(message.calls.len());
                for call in &message.calls {
                    match program.tool(&call.tool) {
                        Some(tool) => next.push((tool, Item::Call(call.clone()))),
                        None => {
                            let message = not_found(TOOL_NODE, &call.tool);
                            frame.output = Err(wrapped(Failure::lasting("ComponentNotFoundError", message)));
                            return self.fail_visit(frame, context);
                        }
                    }
                }
                self.go_to(id, frame, next, context)
            }
            (NodeKind::Tool, _) if !node.edges.is_empty() => {
                let mut waves = Waves::new(&node.edges, None);
                log_context(frame, context);
                waves.begin(&node.edges, &mut Vec::new());
                frame.stage = Stage::Judging(waves);
                Going::On
            }
            _ => self.go_to(id, frame, Vec::new(), context),
        }
    }

    /// Continues after the edges of a tool, with the targets of those that hold.
    pub(super) fn after_release_edges(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        followed: &[usize],
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let edges = &context.program().node(frame.node).edges;
        let mut next = Vec::new();
        let targets = followed.iter().filter_map(|position| edges.get(*position));
        for target in targets.flat_map(|edge| &edge.targets) {
            match (&target.node, &frame.output) {
                (Ok(node), Ok(output)) => next.push((*node, output.clone())),
                (Err(key), _) => {
                    let message = not_found_key(key);
                    frame.output = Err(wrapped(Failure::lasting("ComponentNotFoundError", message)));
                    return self.fail_visit(frame, context);
                }
                (Ok(_), Err(_)) => {}
            }
        }
        self.go_to(id, frame, next, context)
    }

    fn fail_visit(&mut self, frame: &mut Frame, context: &mut TaskContext<'_, Liman>) -> Going {
        let output = std::mem::replace(&mut frame.output, Ok(Item::NOTHING));
        end_visit(frame, &output, &[], context);
        Going::Done(output)
    }

    /// Continues with the next nodes, as the release does.
    fn go_to(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        next: Vec<(NodeIndex, Item)>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let names: Vec<SmolStr> =
            next.iter().map(|(node, _)| program.node(*node).full_name.clone()).collect();
        end_visit(frame, &frame.output, &names, context);
        let flaw = match next.as_slice() {
            [(node, _)] => program.node(*node).flaw.clone(),
            _ => None,
        };
        let jumps = program.host.profile == LimanProfile::Release;
        match (next.len(), flaw) {
            (0, _) => Going::Done(std::mem::replace(&mut frame.output, Ok(Item::NOTHING))),
            (_, Some(flaw)) => {
                // The younger release counts the visit before it makes the actor.
                let at_limit = if jumps { self.stop_release_at_limit(program, frame) } else { None };
                at_limit.unwrap_or(Going::Done(Err(flaw)))
            }
            (1, None) if jumps => {
                for (node, input) in next {
                    frame.node = node;
                    frame.input = input;
                }
                frame.actor = Actor::default();
                Going::On
            }
            _ => self.gather_from(id, frame, next, context),
        }
    }

    /// Runs the next nodes at the same time. If one of several has no actor, its output is the error's text, and the
    /// others do not wait.
    fn gather_from(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        next: Vec<(NodeIndex, Item)>,
        context: &TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let count = next.len();
        let (mut children, mut outputs) = (Vec::with_capacity(count), Vec::with_capacity(count));
        for (node, input) in next {
            let flaw = program.node(node).flaw.as_ref();
            let child = Frame::new(Some(id), node, input);
            children.push(flaw.is_none().then(|| self.add_in_rounds(child, rounds::before_children(count))));
            outputs.push(flaw.map(|flaw| Item::Value(Value::Text(flaw.message.clone()))));
        }
        if children.iter().all(Option::is_none) {
            self.go_on_in_rounds(id, rounds::after_children(count));
        }
        if program.host.profile == LimanProfile::Release {
            // The younger release looks for the results in a place where nothing puts them.
            outputs.push(None);
        }
        wait_in(frame, Stage::Gathering(children, outputs))
    }
}

/// The release's error for an error inside a node.
fn wrapped(failure: Failure) -> Failure {
    let message = format!("Node execution failed: {}", failure.message);
    Failure { cause: Some(failure.class), ..Failure::lasting("NodeActorError", message) }
}
