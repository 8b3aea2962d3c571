//! A frame: a call of a node, from its first visit until it has an output. In the releases also an executor.

use std::collections::VecDeque;
use std::sync::Arc;

use nodewise_expr::value::Map;
use smol_str::SmolStr;

use super::edges::Waves;
use super::executors::Actor;
use super::item::Item;
use super::program::NodeIndex;
use crate::ask::{Answer, ToolCall};
use crate::event::VisitId;
use crate::outcome::Failure;

/// The number of a frame in its turn, in the order in which frames began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FrameId(pub(super) usize);

/// A call of a node.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// The frame that waits for the output; `None` if none does.
    pub(super) parent: Option<FrameId>,
    pub(super) node: NodeIndex,
    pub(super) actor: Actor,
    pub(super) input: Item,
    pub(super) stage: Stage,
    /// How many visits the frame had.
    pub(super) visits: u32,
    /// The visit that is under way, or was the last one.
    pub(super) visit: VisitId,
    /// The run's context, as the visited node sees it.
    pub(super) context: Arc<Map>,
    /// The output of the last visit.
    pub(super) output: Result<Item, Failure>,
    /// The outputs of the targets of its edges, in the order in which they ran.
    pub(super) outputs: Vec<Result<Item, Failure>>,
    /// An answer that has arrived and is not used yet.
    pub(super) answer: Option<Answer>,
    /// The outputs of frames that this one waits for, in the order in which those ended.
    pub(super) returned: VecDeque<(FrameId, Result<Item, Failure>)>,
}

/// What a frame is doing.
#[derive(Debug, Clone)]
pub(super) enum Stage {
    /// It is about to visit its node.
    Entering,
    /// The node waits for an answer.
    Working,
    /// Edges are being evaluated; one may wait for its function.
    Judging(Waves),
    /// The tools that a model called run, one after another.
    Calling(Calling),
    /// The targets of followed edges run, one after another.
    Branching(Box<Branching>),
    /// Frames run at the same time, and this one waits for all of them: the frames, and their outputs so far. A node
    /// without an actor has no frame; its output is the text of the error.
    Gathering(Vec<Option<FrameId>>, Vec<Option<Item>>),
}

/// The tools that a model called.
#[derive(Debug, Clone)]
pub(super) struct Calling {
    pub(super) left: VecDeque<ToolCall>,
    pub(super) answers: Vec<Item>,
    /// The call that is running.
    pub(super) current: Option<ToolCall>,
}

/// The targets of followed edges.
#[derive(Debug, Clone)]
pub(super) struct Branching {
    pub(super) waves: Waves,
    /// The targets of this wave that did not run yet, each with its edge. The error is a key that no node has.
    pub(super) left: VecDeque<(usize, Result<NodeIndex, SmolStr>)>,
    /// The edge whose target is running.
    pub(super) current: Option<usize>,
    /// The edges of this wave, each with whether all its targets have succeeded so far.
    pub(super) wave: Vec<(usize, bool)>,
}

impl Frame {
    pub(super) fn new(parent: Option<FrameId>, node: NodeIndex, input: Item) -> Frame {
        Frame {
            parent,
            node,
            actor: Actor::default(),
            input,
            stage: Stage::Entering,
            visits: 0,
            visit: VisitId(0),
            context: Arc::default(),
            output: Ok(Item::NOTHING),
            outputs: Vec::new(),
            answer: None,
            returned: VecDeque::new(),
        }
    }
}
