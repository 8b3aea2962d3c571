//! Rules of a project, applied to its files.
//!
//! Input: the rules of the index, and a file; output: their findings. Reading order: `part` (what patterns are about, and its
//! properties), `fit` (whether a pattern fits), `paths` (from node to node), `wording` (messages), [`rule_test`] (the tests of
//! a rule). Invariants: no code is run; a rule takes at most [`STEPS_MAX`] steps in a file; what is not known of a declaration
//! is never reported.

mod fit;
mod part;
mod paths;
pub mod rule_test;
#[cfg(test)]
mod tests;
mod wording;

use std::collections::BTreeSet;

use nodewise_model::Origin;
use nodewise_model::project_rule::{PartKind, PartPattern, RuleSubject};
use tracing::trace_span;

use crate::basis::{Basis, Needs};
use crate::diagnostic::{Diagnostic, Finding, Severity};
use crate::facts::{Effective, Ownership};
use crate::project_rules::{ActiveRule, GROUP};
use crate::rule::Context;
use crate::steps::StepBudget;
use fit::Truth;
use part::{Part, Place};
use wording::Words;

/// The most steps that one rule may take in one file. A step is a test of a property or a visit of a node.
pub const STEPS_MAX: u32 = 1_000_000;

/// The diagnostics of the project rules for one file.
pub(crate) fn judge(context: Context<'_>, rules: &[ActiveRule]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if !matches!(context.file.ownership, Ownership::Ours(dialect) if dialect.is_system()) {
        return found;
    }
    for rule in rules {
        let Some(severity) = context.file.settings.level_of(rule.id, GROUP, rule.severity) else {
            continue;
        };
        let _entered = trace_span!("rule", rule = rule.id).entered();
        let mut application = Application::new(context, rule);
        application.run();
        found.extend(application.finish(severity));
    }
    found
}

/// One project rule while it is applied to one file.
struct Application<'r, 'a> {
    context: Context<'a>,
    active: &'r ActiveRule,
    steps: StepBudget,
    found: Vec<(Finding, Basis)>,
    /// The places that are already reported. A mistake in an agent is reported once, however many nodes call the agent.
    places: BTreeSet<(u32, u32)>,
}

impl<'r, 'a> Application<'r, 'a> {
    fn new(context: Context<'a>, active: &'r ActiveRule) -> Application<'r, 'a> {
        let steps = StepBudget::new(STEPS_MAX);
        Application { context, active, steps, found: Vec::new(), places: BTreeSet::new() }
    }

    fn run(&mut self) {
        let Some(subject) = self.active.rule.subjects.first() else { return };
        let context = self.context;
        for document in context.documents() {
            let Some(effective) = context.index.effective(document) else { continue };
            let Some(place) = Place::new(context.file, document, effective) else { continue };
            match &subject.value {
                RuleSubject::Parts(kind, pattern) => self.parts(*kind, pattern, place, effective),
                RuleSubject::Paths(path) => self.paths(path, place, effective),
            }
        }
    }

    fn parts(&mut self, kind: PartKind, pattern: &PartPattern, place: Place<'a>, effective: &'a Effective) {
        let Some(declaration) = &effective.declaration else { return };
        let context = self.context;
        match kind {
            PartKind::Graph => {
                for graph in declaration.graphs().filter(|graph| !graph.is_fragment) {
                    self.part(Part::Graph(graph), place, pattern);
                }
            }
            PartKind::Agent => {
                declaration.agents().for_each(|agent| self.part(Part::Agent(agent), place, pattern));
                let nodes = part::nodes(&context, declaration, effective);
                nodes.filter(|node| node.is_agent_itself()).for_each(|node| self.part(node, place, pattern));
            }
            PartKind::Node => {
                let nodes = part::nodes(&context, declaration, effective);
                nodes.for_each(|node| self.part(node, place, pattern));
            }
        }
    }

    /// Reports a part that fits the pattern and does not fulfil the rule's `must`.
    fn part(&mut self, part: Part<'a>, place: Place<'a>, pattern: &PartPattern) {
        let scene = part.at(self.context, place, &self.steps);
        if scene.fits(pattern) != Truth::Yes {
            return;
        }
        let must = self.active.rule.must.as_ref().map(|must| &must.value);
        if must.is_some_and(|must| scene.fits(must) != Truth::No) {
            return;
        }
        let at = match must {
            Some(must) => scene.place_of_failure(must),
            None => scene.place_of_fit(pattern),
        };
        let at = at.unwrap_or_else(|| part.at_name());
        let texts = self.texts(&Words::of_part(scene));
        let needs = if matches!(part, Part::Graph(_)) { Needs::Nodes } else { Needs::Nothing };
        let basis = Basis { absence: must.is_some(), needs, ..Basis::default() };
        self.report(at, texts, Vec::new(), basis);
    }

    /// The message and the help, with the names in braces replaced.
    fn texts(&self, words: &Words<'_>) -> (String, Option<String>) {
        let rule = &self.active.rule;
        let message = rule.message.as_ref().map_or("", |message| &message.value);
        (words.fill(message), rule.help.as_ref().map(|help| words.fill(&help.value)))
    }

    fn report(
        &mut self,
        at: Origin,
        (message, help): (String, Option<String>),
        related: Vec<(Origin, String)>,
        basis: Basis,
    ) {
        let (_, start, end) = at.reading_order();
        if !self.places.insert((start, end)) {
            return;
        }
        let mut finding = Finding::new(at, message).help_if(help);
        for (at, message) in related {
            finding = finding.related(at, message);
        }
        self.found.push((finding, basis));
    }

    /// The diagnostics. If the rule exceeded its steps, only that is reported, because the findings may be incomplete.
    fn finish(self, severity: Severity) -> Vec<Diagnostic> {
        let Application { context, active, steps, mut found, .. } = self;
        if steps.is_out() {
            let head = context.file.documents.first().map(|document| document.head);
            let stopped = head.map(|head| {
                let message = format!("the rule stopped: it takes more than {STEPS_MAX} steps in this file");
                let finding = Finding::new(head, message)
                    .help("make its patterns smaller, or turn it off for this file in `nodewise.toml`");
                (finding.related(active.rule.head, "the rule"), Basis::default())
            });
            found = stopped.into_iter().collect();
        }
        let diagnostic =
            |(finding, basis)| Diagnostic { rule: active.id, spec: None, severity, basis, finding };
        found.into_iter().map(diagnostic).collect()
    }
}
