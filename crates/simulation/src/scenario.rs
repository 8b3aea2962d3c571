//! Scenarios as the files of a project say them: found, with the answers of the scripts that they use.
//!
//! Input: a snapshot; output: scenarios. Invariant: what a scenario says itself comes before what it uses, and of what it
//! uses the first one comes first.

use std::collections::BTreeSet;

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::{DocumentId, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::scenario::{
    Answers, HostSetup, Phase, Respondent, RunLimits, Scenario, StartState, TargetNames,
};
use nodewise_model::{Body, Located, Origin, SourceId};
use nodewise_syntax::TextRange;
use smol_str::SmolStr;

use crate::chart::{Places, SourceLocation};
use crate::target::{TargetError, declaration_of, folder_of, joined};

/// A scenario in its file.
#[derive(Debug, Clone)]
pub struct FoundScenario<'s> {
    pub document: DocumentId,
    /// The path of the file, relative to the project.
    pub path: &'s str,
    /// The scenario as it is written, without the scripts that it uses.
    pub scenario: &'s Scenario,
}

/// The scenarios of a file, in order.
pub fn scenarios_of<'s>(
    snapshot: &'s Snapshot,
    file: &'s FileFacts,
) -> impl Iterator<Item = FoundScenario<'s>> {
    documents_of(snapshot, file).filter(|found| found.scenario.is_test())
}

/// The scripts and scenarios of a file, in order.
pub fn documents_of<'s>(
    snapshot: &'s Snapshot,
    file: &'s FileFacts,
) -> impl Iterator<Item = FoundScenario<'s>> {
    file.documents.iter().filter_map(|facts| {
        let declaration = declaration_of(snapshot, facts.id)?;
        match &declaration.body {
            Body::Scenario(scenario) => {
                Some(FoundScenario { document: facts.id, path: &file.path, scenario })
            }
            _ => None,
        }
    })
}

/// An error in the text of a scenario or of a script that it uses. A run would not be what the author wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub place: SourceLocation,
    /// What is wrong, and the rule that says so.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
}

/// The first error in the text of a scenario and of the scripts that it uses.
#[must_use]
pub fn broken(snapshot: &Snapshot, found: &FoundScenario<'_>) -> Option<Broken> {
    let mut seen: BTreeSet<String> = BTreeSet::from([found.path.to_owned()]);
    let mut open = vec![found.clone()];
    while let Some(found) = open.pop() {
        if let Some(broken) = error_in(snapshot, found.document) {
            return Some(broken);
        }
        for (path, _) in named(found.scenario, found.path) {
            let file = snapshot.source(&path).and_then(|source| snapshot.file(source));
            if seen.insert(path) {
                open.extend(file.and_then(|file| documents_of(snapshot, file).next()));
            }
        }
    }
    None
}

/// The first error in the text of a file.
#[must_use]
pub fn error_of_file(snapshot: &Snapshot, source: SourceId) -> Option<Broken> {
    let diagnostics = snapshot.diagnostics(source);
    let error = diagnostics.iter().find(|one| one.severity == Severity::Error)?;
    broken_by(snapshot, error)
}

fn error_in(snapshot: &Snapshot, document: DocumentId) -> Option<Broken> {
    let range = snapshot.file(document.source)?.documents.get(document.position as usize)?.range.range;
    let diagnostics = snapshot.diagnostics(document.source);
    let mut errors = diagnostics.iter().filter(|one| one.severity == Severity::Error);
    broken_by(snapshot, errors.find(|one| range.contains_range(one.finding.at.range))?)
}

fn broken_by(snapshot: &Snapshot, error: &Diagnostic) -> Option<Broken> {
    let place = Places::new(snapshot).find(error.finding.at)?;
    let message = format!("{} [{}]", error.finding.message, error.rule);
    Some(Broken { place, message, help: error.finding.help.clone() })
}

/// Merges a scenario with the scripts that it uses, directly or through others.
///
/// # Errors
/// If one of these files does not exist or contains no script.
pub fn whole(snapshot: &Snapshot, scenario: &Scenario, path: &str) -> Result<Scenario, TargetError> {
    let mut whole = scenario.clone();
    let mut seen: BTreeSet<String> = BTreeSet::from([path.to_owned()]);
    let mut open: Vec<(String, Located<SmolStr>)> = named(scenario, path);
    while let Some((path, name)) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let file = snapshot.source(&path).and_then(|source| snapshot.file(source));
        let file = file.ok_or_else(|| TargetError::new(format!("there is no script `{}`", name.value)))?;
        let mut found = documents_of(snapshot, file);
        let used =
            found.next().ok_or_else(|| TargetError::new(format!("`{}` contains no script", name.value)))?;
        overlay(&mut whole, used.scenario, &path);
        open.extend(named(used.scenario, &path));
    }
    Ok(whole)
}

/// Merges a case of an eval with what the eval says for all cases, and with the scripts that both use.
///
/// # Errors
/// If one of these files does not exist or contains no script.
pub fn whole_case(
    snapshot: &Snapshot,
    eval: &FoundScenario<'_>,
    case: &Scenario,
) -> Result<Scenario, TargetError> {
    let mut whole_case = whole(snapshot, case, eval.path)?;
    let around = whole(snapshot, eval.scenario, eval.path)?;
    // Where the graph is, the eval says; its file names are relative to it already.
    whole_case.target = around.target.clone();
    overlay(&mut whole_case, &around, eval.path);
    let uses = |scenario: &Scenario| used_by(scenario, eval.path);
    whole_case.uses = uses(case).into_iter().chain(uses(eval.scenario)).collect();
    whole_case.expect = match (&case.expect, &eval.scenario.expect) {
        (Some(own), Some(all)) => Some(own.or(all)),
        (own, all) => own.clone().or_else(|| all.clone()),
    };
    whole_case.judges.extend(eval.scenario.judges.iter().cloned());
    Ok(whole_case)
}

/// The files that a scenario uses, each by its path in the project, the first one first.
fn used_by(scenario: &Scenario, path: &str) -> Vec<Located<SmolStr>> {
    let mut used = named(scenario, path);
    used.reverse();
    used.into_iter().map(|(path, name)| Located::new(path.into(), name.at)).collect()
}

/// The evals of a file, in order.
pub fn evals_of<'s>(snapshot: &'s Snapshot, file: &'s FileFacts) -> impl Iterator<Item = FoundScenario<'s>> {
    documents_of(snapshot, file).filter(|found| found.scenario.eval.is_some())
}

/// A scenario that says nothing.
#[must_use]
pub fn empty() -> Scenario {
    Scenario {
        head: Origin::new(SourceId::default(), TextRange::default()),
        title: None,
        is_script: true,
        uses: Vec::new(),
        target: TargetNames::default(),
        start: StartState::default(),
        answers: Answers::default(),
        host: HostSetup::default(),
        limits: RunLimits::default(),
        seed: None,
        phases: Vec::new(),
        expect: None,
        judges: Vec::new(),
        eval: None,
    }
}

/// The files that a scenario uses, the first one last, because callers take them from the end.
fn named(scenario: &Scenario, path: &str) -> Vec<(String, Located<SmolStr>)> {
    let uses = scenario.uses.iter().rev();
    uses.map(|name| (joined(folder_of(path), &name.value), name.clone())).collect()
}

/// Fills in what a scenario does not say itself from a script that it uses.
fn overlay(whole: &mut Scenario, used: &Scenario, path: &str) {
    let own = &whole.target;
    if own.file.is_none() && own.graph.is_none() && (own.node.is_none() || own.is_alone) {
        let alone = own.node.clone().filter(|_| own.is_alone);
        whole.target = used.target.clone();
        if alone.is_some() {
            (whole.target.node, whole.target.is_alone) = (alone, true);
        }
        // The name is relative to the script's file, not to that of the scenario.
        if let Some(file) = &mut whole.target.file {
            file.value = format!("/{}", joined(folder_of(path), &file.value)).into();
        }
    }
    start(&mut whole.start, &used.start);
    answers(&mut whole.answers, &used.answers);
    host(&mut whole.host, &used.host);
    limits(&mut whole.limits, &used.limits);
    whole.seed = whole.seed.or(used.seed);
    if whole.phases.is_empty() {
        whole.phases = used.phases.iter().map(Phase::clone).collect();
    }
}

fn start(own: &mut StartState, used: &StartState) {
    fill(&mut own.input, &used.input);
    fill(&mut own.goal, &used.goal);
    fill(&mut own.context, &used.context);
    fill(&mut own.language, &used.language);
    fill(&mut own.fallback_language, &used.fallback_language);
    fill_list(&mut own.constraints, &used.constraints);
    fill_list(&mut own.turns, &used.turns);
    for (key, value) in &used.memory {
        if own.memory.iter().all(|(known, _)| known.value != key.value) {
            own.memory.push((key.clone(), value.clone()));
        }
    }
}

fn answers(own: &mut Answers, used: &Answers) {
    let name = |name: &Option<Located<SmolStr>>| name.as_ref().map(|name| name.value.clone());
    let said: BTreeSet<(Respondent, Option<SmolStr>, Option<SmolStr>)> =
        own.parts.iter().map(|part| (part.subject, name(&part.name), name(&part.graph))).collect();
    let unsaid =
        used.parts.iter().filter(|part| !said.contains(&(part.subject, name(&part.name), name(&part.graph))));
    own.parts.extend(unsaid.cloned());
    fill(&mut own.decisions, &used.decisions);
    fill(&mut own.otherwise, &used.otherwise);
}

fn host(own: &mut HostSetup, used: &HostSetup) {
    fill(&mut own.profile, &used.profile);
    fill(&mut own.reading, &used.reading);
    fill(&mut own.max_iterations, &used.max_iterations);
    fill(&mut own.max_tokens, &used.max_tokens);
    fill(&mut own.max_cost_usd, &used.max_cost_usd);
    fill(&mut own.max_time_ms, &used.max_time_ms);
    fill_list(&mut own.server_tools, &used.server_tools);
    fill(&mut own.now, &used.now);
    fill(&mut own.run_id, &used.run_id);
    fill(&mut own.implicit_completion, &used.implicit_completion);
    fill(&mut own.auto_rollback, &used.auto_rollback);
    fill(&mut own.strict, &used.strict);
    fill(&mut own.accounts, &used.accounts);
    fill(&mut own.tools, &used.tools);
    fill(&mut own.checkpoint_store, &used.checkpoint_store);
    fill_list(&mut own.untrusted_tools, &used.untrusted_tools);
    fill_list(&mut own.agents, &used.agents);
    fill_list(&mut own.prices, &used.prices);
    fill_list(&mut own.without, &used.without);
    fill_list(&mut own.traits, &used.traits);
    fill_list(&mut own.servers, &used.servers);
    fill_list(&mut own.policy, &used.policy);
    fill_list(&mut own.compensations, &used.compensations);
}

fn limits(own: &mut RunLimits, used: &RunLimits) {
    fill(&mut own.visits, &used.visits);
    fill(&mut own.time_ms, &used.time_ms);
    fill(&mut own.tokens, &used.tokens);
    fill(&mut own.cost_usd, &used.cost_usd);
    fill(&mut own.depth, &used.depth);
    fill(&mut own.fan_out, &used.fan_out);
    fill(&mut own.events, &used.events);
}

fn fill<T: Clone>(own: &mut Option<T>, used: &Option<T>) {
    if own.is_none() {
        own.clone_from(used);
    }
}

fn fill_list<T: Clone>(own: &mut Vec<T>, used: &[T]) {
    if own.is_empty() {
        own.extend_from_slice(used);
    }
}
