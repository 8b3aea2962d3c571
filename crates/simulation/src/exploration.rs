//! Everything that can happen in runs of a target.
//!
//! Input: a snapshot, what is to run, a scenario whose answers, if it has any, are the alternatives; output: the engine's
//! report with a script for all that it shows. Invariant: a script was read back and run again, and did the same, before
//! it is handed out.

use std::sync::Arc;

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::tables::scenario::SCRIPT_KIND;
use nodewise_engine::event::{Event, EventKind};
use nodewise_engine::explore::{
    ExplorationBounds, ExplorationFinding, ExplorationFindingKind, ExplorationReport, Guide, ScriptedGuide,
    Witness,
};
use nodewise_engine::outcome::Outcome;
use nodewise_engine::running::Running;
use nodewise_model::scenario::Scenario;
use nodewise_platform::threads::prelude::*;
use serde_json::Value as Json;
use smol_str::SmolStr;

use crate::chart::{Charts, SourceLocation};
use crate::cores::{AllCores, on_a_thread};
use crate::prepare::{prepare, setting};
use crate::run::Facts;
use crate::runtime::Setting;
use crate::scenario::whole;
use crate::script::Scripting;
use crate::system::RunnableSystem;
use crate::target::{SimulationTarget, TargetError};
use crate::writer::{LeftOut, WriterContext, read_back, script_text, waits};

/// Everything that can happen in the runs of a target.
#[derive(Debug)]
pub struct Exploration {
    pub subject: ExploredTarget,
    /// Whether a script limited the answers. Then other answers may lead to what was not seen.
    pub is_scripted: bool,
    /// What the engine found.
    pub report: ExplorationReport,
    /// For each finding of the report, a script that shows it, if there is one.
    pub findings: Vec<Option<ExploredScript>>,
    /// For each end of the report, a script that leads there, if there is one.
    pub ends: Vec<Option<ExploredScript>>,
    /// A script for the run that takes the most visits.
    pub worst: Option<ExploredScript>,
}

/// What was explored, for people.
#[derive(Debug)]
pub struct ExploredTarget {
    /// Whose graph it is.
    pub system: RunnableSystem,
    /// What runs, in words.
    pub title: String,
    /// The graphs that runs can visit.
    pub charts: Arc<Charts>,
    /// Further remarks for people.
    pub notes: Vec<String>,
}

/// A script for a run that the exploration found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploredScript {
    /// The name for its file.
    pub name: String,
    /// The content of the script.
    pub text: String,
}

/// Explores what can happen. `uses` is the path of the script or scenario that `scenario` was read from, if the project
/// has it.
///
/// # Errors
/// Where a run cannot be prepared.
pub fn explore(
    snapshot: &Snapshot,
    target: &SimulationTarget,
    scenario: &Scenario,
    uses: Option<&str>,
    bounds: &ExplorationBounds,
) -> Result<Exploration, TargetError> {
    if scenario.target.is_alone {
        return Err(TargetError {
            message: "a run of one node cannot be explored".to_owned(),
            help: Some("write `start` in the place of `only`".to_owned()),
        });
    }
    let Setting { running, scripting, facts, guide } = setting(snapshot, target, scenario)?;
    let is_scripted = says_something(&scripting);
    let guide = scripted_guide(guide(), &scripting);
    let (run, guided) = (running.copied(), guide.as_ref());
    let mut report = on_a_thread(move || {
        nodewise_engine::explore::explore(&*run, guided, bounds, &AllCores, &mut || true)
    });
    if scenario.start.turns.len() > 1 {
        report.is_exhaustive = false;
        report.gaps.push(
            "later turns start like the first one; the exploration does not tell them apart".to_owned(),
        );
    }
    let trials = ScriptTrials { snapshot, target, scenario, uses, guide: guide.as_ref(), facts: &facts };
    let mut wanted: Vec<Option<WantedScript<'_>>> = Vec::new();
    let named = |position: usize, kind: &str, subject: &str| {
        format!("{:02}-{kind}-{}.script.yaml", position + 1, slug(subject))
    };
    for (position, finding) in report.findings.iter().enumerate() {
        let name = named(position, finding.kind.name(), &subject_of(&finding.kind));
        let title = finding.kind.to_string();
        wanted.push(finding.witness.as_ref().map(|witness| WantedScript { witness, name, title }));
    }
    for (position, end) in report.ends.iter().enumerate() {
        let word = end.failure.as_ref().map_or(end.status.word(), |failure| failure.class.as_str());
        let title = format!("a run ends at `{}`: {word}", end.node);
        let name = format!("end-{}", named(position, &slug(word), &end.node));
        wanted.push(Some(WantedScript { witness: &end.witness, name, title }));
    }
    wanted.extend(report.worst.witness.as_ref().map(|witness| {
        let title = format!("{} visits, the most that a run makes", report.worst.visits);
        Some(WantedScript { witness, name: "most-visits.script.yaml".to_owned(), title })
    }));
    // A run belongs to one thread, so each script gets a copy.
    let copies: Vec<_> = wanted.into_iter().map(|wanted| (wanted, running.copied())).collect();
    let scripts: Vec<Option<ExploredScript>> =
        copies.into_par_iter().map(|(wanted, run)| trials.shown(run.as_ref(), wanted?)).collect();
    let mut scripts = scripts.into_iter();
    let findings = scripts.by_ref().take(report.findings.len()).collect();
    let ends = scripts.by_ref().take(report.ends.len()).collect();
    let worst = scripts.next().flatten();
    Ok(Exploration { findings, ends, worst, report, is_scripted, subject: ExploredTarget::of(facts) })
}

impl Exploration {
    /// Whether any finding is certain. What was only not seen within the bounds is not certain.
    #[must_use]
    pub fn has_findings(&self) -> bool {
        self.report.findings.iter().any(|finding| self.is_certain(finding))
    }

    /// Whether a finding stays true if more states are explored, or if other answers are given.
    #[must_use]
    pub fn is_certain(&self, finding: &ExplorationFinding) -> bool {
        let is_absence = matches!(
            finding.kind,
            ExplorationFindingKind::UnreachedNode(_) | ExplorationFindingKind::UnreachedEdge { .. }
        );
        !is_absence || (self.report.is_exhaustive && !self.is_scripted)
    }

    /// The message of a finding. If it is not certain, it says within which bounds it was found.
    #[must_use]
    pub fn message(&self, finding: &ExplorationFinding) -> String {
        let within = match self.report.is_exhaustive {
            true => "with the scripted answers".to_owned(),
            false => format!("within {} states", self.report.states),
        };
        match &finding.kind {
            _ if self.is_certain(finding) => finding.kind.to_string(),
            ExplorationFindingKind::UnreachedNode(node) => format!("`{node}` was not reached {within}"),
            ExplorationFindingKind::UnreachedEdge { from, to, .. } => {
                format!("the edge from `{from}` to `{to}` was not followed {within}")
            }
            kind => kind.to_string(),
        }
    }

    /// The place of the node or edge that a finding is about.
    #[must_use]
    pub fn place(&self, finding: &ExplorationFinding) -> Option<&SourceLocation> {
        let chart = self.subject.charts.graph(&finding.graph)?;
        if let ExplorationFindingKind::UnreachedEdge { from, to, number, .. } = &finding.kind {
            return chart.edge(from, *number, to)?.place.as_ref();
        }
        chart.node(&subject_of(&finding.kind))?.place.as_ref()
    }

    /// All scripts: of the findings, then of the ends, then of the longest run.
    pub fn shown(&self) -> impl Iterator<Item = &ExploredScript> {
        self.findings.iter().chain(&self.ends).flatten().chain(&self.worst)
    }
}

impl ExploredTarget {
    fn of(facts: Facts) -> ExploredTarget {
        ExploredTarget { system: facts.system, title: facts.title, charts: facts.charts, notes: facts.notes }
    }
}

/// Makes a guide follow the script, if the script says anything.
fn scripted_guide(guide: Box<dyn Guide>, scripting: &Scripting) -> Box<dyn Guide> {
    match says_something(scripting) {
        true => Box::new(ScriptedGuide::new(
            guide,
            Arc::new(scripting.script.clone()),
            scripting.at_nodes.clone(),
        )),
        false => guide,
    }
}

pub(crate) fn says_something(scripting: &Scripting) -> bool {
    let script = &scripting.script;
    !script.parts.is_empty() || !script.decisions.is_empty() || !scripting.at_nodes.is_empty()
}

/// What is needed to write scripts and to try them.
struct ScriptTrials<'b> {
    snapshot: &'b Snapshot,
    target: &'b SimulationTarget,
    scenario: &'b Scenario,
    uses: Option<&'b str>,
    guide: &'b dyn Guide,
    facts: &'b Facts,
}

/// A script to write.
struct WantedScript<'w> {
    witness: &'w Witness,
    name: String,
    title: String,
}

impl ScriptTrials<'_> {
    /// Writes the script of a witness. `None` if the format cannot express it, or if a run with the script takes another
    /// course.
    fn shown(&self, run: &dyn Running, wanted: WantedScript<'_>) -> Option<ExploredScript> {
        let WantedScript { witness, name, title } = wanted;
        let (given, events, outcome) = witness.completed(run, self.guide);
        let main = events.iter().find_map(|event| match &event.kind {
            EventKind::GraphStarted { graph, .. } => Some(graph.clone()),
            _ => None,
        });
        let main = main.unwrap_or_default();
        let mut lead = vec![("script", Json::from(title))];
        lead.extend(self.uses.map(|path| ("uses", Json::from(format!("/{path}")))));
        // If the script uses another one, that one names the start.
        let start = self.scenario.target.node.as_ref().filter(|_| self.uses.is_none());
        lead.extend(start.map(|node| ("start", Json::from(node.value.as_str()))));
        let frame = WriterContext {
            is_plain: false,
            has_call_ids: true,
            lead,
            main: &main,
            scenario: self.scenario,
            charts: &self.facts.charts,
            is_case: false,
            left_out: LeftOut::default(),
        };
        let text = script_text(&given, &waits(&events), &frame)?;
        let (found, ended) = self.run_again(&text)?;
        (course(&found) == course(&events) && ended.status == outcome.status)
            .then_some(ExploredScript { name, text })
    }

    /// Runs the script, and returns the log and the outcome. `None` if it cannot run.
    fn run_again(&self, text: &str) -> Option<(Vec<Event>, Outcome)> {
        let script = whole(self.snapshot, &read_back(text, SCRIPT_KIND)?, "").ok()?;
        let mut run = prepare(self.snapshot, self.target, &script).ok()?;
        let outcome = run.drive(|_| true);
        Some((run.into_running().take_log(), outcome))
    }
}

/// The events that show the course of a run. Findings are based on these.
pub(crate) fn course(events: &[Event]) -> Vec<&EventKind> {
    let is_shown = |kind: &EventKind| {
        matches!(
            kind,
            EventKind::VisitStarted { .. }
                | EventKind::VisitEnded { .. }
                | EventKind::Wrote { .. }
                | EventKind::EdgeJudged { .. }
                | EventKind::HandedOver { .. }
                | EventKind::Skipped { .. }
        )
    };
    events.iter().map(|event| &event.kind).filter(|kind| is_shown(kind)).collect()
}

/// The node that a finding is about.
fn subject_of(kind: &ExplorationFindingKind) -> SmolStr {
    match kind {
        ExplorationFindingKind::UnreachedNode(node)
        | ExplorationFindingKind::NeverRuns(node)
        | ExplorationFindingKind::DeadEnd { node, .. }
        | ExplorationFindingKind::ReadBeforeWrite { node, .. } => node.clone(),
        ExplorationFindingKind::UnreachedEdge { from, .. } => from.clone(),
        ExplorationFindingKind::EndlessLoop { nodes } => nodes.first().cloned().unwrap_or_default(),
        ExplorationFindingKind::ConflictingWrites { nodes: [first, _], .. } => first.clone(),
    }
}

/// A part of a file name that every file system accepts.
fn slug(name: &str) -> String {
    const LENGTH_MAX: usize = 40;
    let mut slug = String::new();
    for character in name.chars().take(LENGTH_MAX) {
        let kept = if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' };
        if kept != '-' || !(slug.is_empty() || slug.ends_with('-')) {
            slug.push(kept);
        }
    }
    slug.trim_matches('-').to_owned()
}
