//! The specification's engine: calls that return (liman:7.5).
//!
//! A model's tool calls run one after another and answer the model; edges are followed in waves, depth first. Invariant:
//! a call that a model made is always answered, by its tool, by what the tool leads to, or by an error's text.

use nodewise_model::NodeKind;
use smol_str::{SmolStr, format_smolstr};

use super::Liman;
use super::conversation::{Conversation, Going, end_visit, log_context, log_verdict, wait_in};
use super::edges::Waves;
use super::frame::{Branching, Calling, Frame, FrameId, Stage};
use super::host::LimanProfile;
use super::item::{Item, tool_message};
use super::program::Program;
use crate::ask::ToolCall;
use crate::kernel::TaskContext;
use crate::outcome::Failure;

impl Conversation {
    /// Counts a visit. The first one beyond the limit ends the turn.
    pub(super) fn stop_at_limit(&mut self, program: &Program, frame: &mut Frame) -> Option<Going> {
        if program.host.profile != LimanProfile::Spec {
            return self.stop_release_at_limit(program, frame);
        }
        let most = program.host.max_iterations;
        if self.visits >= most {
            let message = format!("the turn took more than {most} visits");
            let failure = Failure::lasting("MaxIterationsError", message);
            self.abort_turn(failure.clone());
            return Some(Going::Done(Err(failure)));
        }
        self.visits += 1;
        frame.visits += 1;
        None
    }

    /// Continues after the node's own work: with the tools that it called, or with its edges.
    pub(super) fn after_call(
        &mut self,
        frame: &mut Frame,
        output: Result<Item, Failure>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        let calls = match &output {
            Ok(Item::Message(message)) => message.calls.clone(),
            _ => Vec::new(),
        };
        let next: Vec<SmolStr> = calls.iter().map(|call| call.tool.clone()).collect();
        end_visit(frame, &output, &next, context);
        frame.output = output;
        if !calls.is_empty() && program.node(frame.node).work == NodeKind::Model {
            let calling = Calling { left: calls.into(), answers: Vec::new(), current: None };
            frame.stage = Stage::Calling(calling);
            return Going::On;
        }
        let error = frame.output.as_ref().err().map(|failure| failure.class.clone());
        let waves = Waves::new(&program.node(frame.node).edges, error);
        log_context(frame, context);
        self.begin_wave(frame, waves, Vec::new(), context)
    }

    /// Runs the next tool that the model called. After the last one, asks the model again.
    pub(super) fn go_on_calling(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        mut calling: Calling,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let program = context.program();
        if let (Some(call), Some((_, answer))) = (&calling.current, frame.returned.pop_front()) {
            let answer = answer.unwrap_or_else(|failure| tool_message(call, failure.message));
            calling.answers.push(answer);
            calling.current = None;
        }
        while let Some(mut call) = calling.left.pop_front() {
            if call.id.is_empty() {
                call.id = format_smolstr!("call-{}", calling.answers.len() + 1);
            }
            let node = program.node(frame.node);
            let tool = program.tool(&call.tool).filter(|_| node.tools.contains(&call.tool));
            let Some(tool) = tool else {
                let text = format_smolstr!("`{}` is no tool of {}", call.tool, node.full_name);
                if program.host.strict {
                    return Going::Done(Err(Failure::lasting("UnknownToolError", text)));
                }
                calling.answers.push(tool_message(&call, text));
                continue;
            };
            self.add(Frame::new(Some(id), tool, Item::Call(call.clone())));
            calling.current = Some(call);
            return wait_in(frame, Stage::Calling(calling));
        }
        frame.input = match calling.answers.len() {
            1 => calling.answers.pop().unwrap_or(Item::NOTHING),
            _ => Item::List(calling.answers),
        };
        Going::On
    }

    /// Evaluates the edges that are ready now, or ends the frame if none is.
    fn begin_wave(
        &mut self,
        frame: &mut Frame,
        mut waves: Waves,
        outputs: Vec<Result<Item, Failure>>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let edges = &context.program().node(frame.node).edges;
        let mut verdicts = Vec::new();
        let goes_on = waves.begin(edges, &mut verdicts);
        verdicts.iter().for_each(|verdict| log_verdict(frame, edges, verdict, context));
        frame.outputs = outputs;
        if goes_on {
            frame.stage = Stage::Judging(waves);
            return Going::On;
        }
        Going::Done(self.output_of(frame, context.program()))
    }

    /// Runs the targets of a wave's edges.
    pub(super) fn after_wave(
        &mut self,
        frame: &mut Frame,
        waves: Waves,
        followed: &[usize],
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        let edges = &context.program().node(frame.node).edges;
        let targets = followed.iter().filter_map(|position| Some((*position, edges.get(*position)?)));
        let left = targets
            .flat_map(|(position, edge)| {
                edge.targets.iter().map(move |target| (position, target.node.clone()))
            })
            .collect();
        let wave = followed.iter().map(|position| (*position, true)).collect();
        let branching = Branching { waves, left, current: None, wave };
        frame.stage = Stage::Branching(Box::new(branching));
        Going::On
    }

    /// Runs the next target. After the last one, begins the next wave.
    pub(super) fn go_on_branching(
        &mut self,
        id: FrameId,
        frame: &mut Frame,
        mut branching: Box<Branching>,
        context: &mut TaskContext<'_, Liman>,
    ) -> Going {
        if let (Some(edge), Some((_, output))) = (branching.current.take(), frame.returned.pop_front()) {
            branching.note(edge, output, &mut frame.outputs);
        }
        while let Some((edge, target)) = branching.left.pop_front() {
            match target {
                Ok(node) => {
                    self.add(Frame::new(Some(id), node, handed_on(&frame.output)));
                    branching.current = Some(edge);
                    return wait_in(frame, Stage::Branching(branching));
                }
                Err(key) => {
                    let message = super::program::not_found_key(&key);
                    let failure = Failure::lasting("ComponentNotFoundError", message);
                    branching.note(edge, Err(failure), &mut frame.outputs);
                }
            }
        }
        let Branching { mut waves, wave, .. } = *branching;
        wave.into_iter().for_each(|(edge, succeeded)| waves.settle(edge, succeeded));
        let outputs = std::mem::take(&mut frame.outputs);
        self.begin_wave(frame, waves, outputs, context)
    }

    /// The output of the frame when no edge is left.
    fn output_of(&mut self, frame: &mut Frame, program: &Program) -> Result<Item, Failure> {
        let outputs = std::mem::take(&mut frame.outputs);
        let own = std::mem::replace(&mut frame.output, Ok(Item::NOTHING));
        let has_branches = !outputs.is_empty();
        let output = if has_branches { branch_output(outputs) } else { own };
        if program.node(frame.node).work != NodeKind::Tool {
            return output;
        }
        let call = match &frame.input {
            Item::Call(call) => call.clone(),
            _ => {
                let tool = program.node(frame.node).name.clone();
                ToolCall { id: SmolStr::default(), tool, arguments: nodewise_expr::value::Value::Null }
            }
        };
        Ok(match output {
            Ok(item) if has_branches => tool_message(&call, item.text()),
            Ok(item) => item,
            Err(failure) => tool_message(&call, failure.message),
        })
    }
}

impl Branching {
    /// Records the output of a target.
    fn note(&mut self, edge: usize, output: Result<Item, Failure>, outputs: &mut Vec<Result<Item, Failure>>) {
        if output.is_err()
            && let Some((_, succeeded)) = self.wave.iter_mut().find(|(position, _)| *position == edge)
        {
            *succeeded = false;
        }
        outputs.push(output);
    }
}

/// The output of a branch: that of its only target, or a list. If all targets failed, the branch failed.
fn branch_output(mut outputs: Vec<Result<Item, Failure>>) -> Result<Item, Failure> {
    if outputs.iter().all(Result::is_err) {
        return outputs.into_iter().next().unwrap_or(Ok(Item::NOTHING));
    }
    match outputs.len() {
        1 => outputs.pop().unwrap_or(Ok(Item::NOTHING)),
        _ => Ok(Item::List(outputs.into_iter().map(|output| output.unwrap_or(Item::NOTHING)).collect())),
    }
}

/// The input of a target: a tool's message as it is, a model's answer as text, a function's result, or an error's text.
fn handed_on(output: &Result<Item, Failure>) -> Item {
    match output {
        Ok(Item::Message(message)) if message.role != crate::ask::Role::Tool => {
            Item::Value(nodewise_expr::value::Value::Text(Item::Message(message.clone()).text()))
        }
        Ok(item) => item.clone(),
        Err(failure) => Item::Value(nodewise_expr::value::Value::Text(failure.message.clone())),
    }
}
