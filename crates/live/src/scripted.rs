//! Scripted answers come before the world's: a question that a case of an eval scripts is not put to the world.
//!
//! Input: the answers of a scenario, questions. Output: answers, and decisions of people. Invariant: a question that the script has
//! no part for goes to the world.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures::FutureExt;
use futures::future::BoxFuture;
use nodewise_engine::ask::{Answer, Decision};
use nodewise_engine::provider::Provider;
use nodewise_engine::script;
use nodewise_engine::time::Millis;
use nodewise_model::scenario::{Answers, Respondent};
use nodewise_simulation::run::Run;
use nodewise_simulation::script::scripting;
use smol_str::SmolStr;

use crate::answering::{Answering, Asked};
use crate::people::{Matter, People};

/// The answers that a scenario scripts.
#[derive(Debug)]
pub(crate) struct ScriptedAnswers {
    answers: Mutex<script::Scripted>,
    tools: BTreeSet<SmolStr>,
}

/// Answers what a script has a part for, and passes all other questions to the world.
struct ScriptFirst {
    script: ScriptedAnswers,
    world: Arc<dyn Answering>,
}

/// People who decide as a scenario scripts it.
#[derive(Debug)]
pub(crate) struct ScriptedPeople {
    left: Mutex<Decisions>,
}

#[derive(Debug)]
struct Decisions {
    at_nodes: BTreeMap<SmolStr, VecDeque<Decision>>,
    anywhere: VecDeque<Decision>,
}

impl ScriptedAnswers {
    /// The scripted answers for a run.
    pub(crate) fn of(answers: &Answers, run: &Run) -> ScriptedAnswers {
        let facts = run.facts();
        let tools = answers.parts.iter().filter(|part| part.subject == Respondent::Tool);
        let tools = tools.filter_map(|part| Some(part.name.as_ref()?.value.clone()));
        let script = Arc::new(scripting(answers, &facts.charts).script);
        ScriptedAnswers {
            answers: Mutex::new(script::Scripted::seeded(script, facts.seed)),
            tools: tools.collect(),
        }
    }

    /// Whether the script has answers for a tool.
    pub(crate) fn has_tool(&self, name: &SmolStr) -> bool {
        self.tools.contains(name)
    }

    /// Puts the script in front of the world.
    pub(crate) fn before(self, world: Arc<dyn Answering>) -> impl Answering {
        ScriptFirst { script: self, world }
    }
}

impl Answering for ScriptFirst {
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer> {
        let mut script = locked(&self.script.answers);
        if script.part_of(&asked.ask).is_none() {
            return self.world.answer(asked);
        }
        let answer = script.answer(asked.id, &asked.ask);
        // The driver measures the time, so the time in a script only counts in simulations.
        let answer = Answer { after: Millis::ZERO, ..answer };
        std::future::ready(answer).boxed()
    }
}

impl ScriptedPeople {
    /// The scripted decisions for a run.
    pub(crate) fn of(answers: &Answers, run: &Run) -> ScriptedPeople {
        let scripting = scripting(answers, &run.facts().charts);
        let at_nodes = scripting.at_nodes.into_iter();
        let left = Decisions {
            at_nodes: at_nodes.map(|(node, decisions)| (node, decisions.into())).collect(),
            anywhere: scripting.script.decisions.into(),
        };
        ScriptedPeople { left: Mutex::new(left) }
    }
}

impl People for ScriptedPeople {
    fn decide(&self, matter: Matter) -> BoxFuture<'static, Option<Decision>> {
        let mut left = locked(&self.left);
        let at_node = left.at_nodes.get_mut(&matter.node).and_then(VecDeque::pop_front);
        let decision = at_node.or_else(|| left.anywhere.pop_front());
        std::future::ready(decision.map(|decision| Decision { after: Millis::ZERO, ..decision })).boxed()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
