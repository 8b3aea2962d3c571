//! What a script says, as the alternatives that are explored: of those whom it names each of its answers, at each question
//! that the answer is for; of all others what the system's own guide knows.
//!
//! Input: a guide, a script; output: a guide. Invariant: the order of the answers of a
//! script, and how often each is given, make no difference.

use std::collections::BTreeMap;
use std::hash::Hasher;
use std::sync::Arc;

use nodewise_expr::value::Value;
use smol_str::SmolStr;

use super::guide::{AnswerChoice, Choices, Ending, ExplorationState, Guide, Outline};
use crate::ask::{Ask, Decision};
use crate::outcome::Outcome;
use crate::script::Script;

/// A guide that prefers the answers of a script.
pub struct ScriptedGuide {
    guide: Box<dyn Guide>,
    script: Arc<Script>,
    at_nodes: BTreeMap<SmolStr, Vec<Decision>>,
}

impl ScriptedGuide {
    /// A guide that knows a script and the decisions of people at nodes.
    #[must_use]
    pub fn new(
        guide: Box<dyn Guide>,
        script: Arc<Script>,
        at_nodes: BTreeMap<SmolStr, Vec<Decision>>,
    ) -> ScriptedGuide {
        ScriptedGuide { guide, script, at_nodes }
    }
}

impl Guide for ScriptedGuide {
    fn choices(&self, ask: &Ask, most: usize) -> Choices {
        let Some(mut answers) = self.script.alternatives(ask) else { return self.guide.choices(ask, most) };
        let is_cut = answers.len() > most;
        answers.truncate(most);
        Choices { list: answers.into_iter().map(AnswerChoice::of).collect(), is_cut }
    }

    fn decisions(&self, node: Option<&str>, question: &Value) -> Vec<Decision> {
        let said = node.and_then(|node| self.at_nodes.get(node)).unwrap_or(&self.script.decisions);
        let mut decisions: Vec<Decision> = Vec::new();
        for decision in said {
            if !decisions.contains(decision) {
                decisions.push(decision.clone());
            }
        }
        if decisions.is_empty() { self.guide.decisions(node, question) } else { decisions }
    }

    fn digest(
        &self,
        graph: &str,
        nodes: &[&SmolStr],
        moment: &ExplorationState<'_>,
        hasher: &mut dyn Hasher,
    ) {
        self.guide.digest(graph, nodes, moment, hasher);
    }

    fn outlines(&self) -> &[Outline] {
        self.guide.outlines()
    }

    fn runs_once(&self) -> bool {
        self.guide.runs_once()
    }

    fn returns(&self) -> bool {
        self.guide.returns()
    }

    fn combines(&self, graph: &str, key: &str) -> bool {
        self.guide.combines(graph, key)
    }

    fn judge(&self, outcome: &Outcome) -> Ending {
        self.guide.judge(outcome)
    }

    fn limit(&self) -> Option<String> {
        self.guide.limit()
    }

    fn gaps(&self) -> Vec<String> {
        self.guide.gaps()
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = self.guide.notes();
        if !self.script.parts.is_empty() || !self.script.decisions.is_empty() {
            notes.push("scripted answers are tried in every order and any number of times".to_owned());
        }
        notes
    }
}
