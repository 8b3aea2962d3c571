//! The run waits for a person (cycgraph:6.15). In: the slice; out: a pause that says what the person is asked and shown.

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::Work;
use nodewise_model::work::HumanWork;

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Effect, NodeAction, Output, Pause};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pending::{PendingApproval, PendingKind};
use crate::systems::cycgraph::{Cycgraph, failures};
use crate::time::Millis;

/// An attempt of an approval node.
#[derive(Debug, Clone)]
pub(super) struct Approval {
    input: Input,
}

impl Approval {
    pub(super) fn new(input: Input) -> Approval {
        Approval { input }
    }

    fn action(&self, context: &TaskContext<'_, Cycgraph>) -> Result<NodeAction, Failure> {
        let node = self.input.node(context.program());
        let settings = match &node.work {
            Work::Human(human) if human.settings_at.is_some() => human,
            _ => return Err(failures::node_config("approval", &node.id, "approval_config")),
        };
        let pending = PendingApproval {
            node: node.id.clone(),
            kind: PendingKind::Approval(settings.rejection.as_ref().map(|node| node.value.clone())),
            prompt: settings.prompt.as_ref().map(|prompt| prompt.value.clone()),
            review: self.review(settings),
        };
        let timeout = settings.timeout_ms.map(Millis::from_f64);
        Ok(NodeAction::of(Effect::Pause(Box::new(Pause { pending, timeout, checkpoint: None }))))
    }

    /// What the person is shown: the whole slice, or the keys that the node names.
    fn review(&self, settings: &HumanWork) -> Value {
        let memory = &self.input.slice.memory;
        match &settings.review_keys {
            Some(keys) if !keys.iter().any(|key| key.value == "*") => {
                let shown =
                    keys.iter().filter_map(|key| Some((key.value.clone(), memory.get(&key.value)?.clone())));
                shown.collect::<Map>().into()
            }
            _ => Value::Map(memory.clone()),
        }
    }
}

impl Task<Cycgraph> for Approval {
    fn step(&mut self, _: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        done(self.action(context))
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
