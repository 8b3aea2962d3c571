//! What an eval runs: each case with each prompt and each model.
//!
//! Input: the files of a project, an eval of one of them. Output: the table, with the declarations of each prompt. Invariant: the
//! declarations of a prompt differ from the project's only in the texts that the eval names.

use std::collections::BTreeSet;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::Origin;
use nodewise_model::scenario::{EvalJudge, Expectations, ModelChoice, PromptChoice, Scenario};
use nodewise_project::config::live::Live;
use nodewise_simulation::RunInputs;
use nodewise_simulation::chart::place_of;
use nodewise_simulation::scenario::{FoundScenario, evals_of, whole_case};
use nodewise_simulation::system::RunnableSystem;
use nodewise_simulation::target::{SimulationTarget, folder_of};
use smol_str::SmolStr;

use crate::prompts;
use crate::restore;
use crate::systems;
use crate::wiring::Wiring;

/// The name in reports for prompts as they are declared, and for the models that agents name themselves.
const AS_DECLARED: &str = "as declared";

/// Everything that an eval runs: each case with each prompt and each model.
pub struct Table {
    /// The id of the eval in the store: its file, and its number in the file.
    pub id: String,
    /// The title of the eval. No other eval of the file has the same title.
    pub title: String,
    /// The path of the eval's file in the project.
    pub path: String,
    /// The line on which the eval begins, from 1.
    pub line: u32,
    pub prompts: Vec<PromptRow>,
    pub models: Vec<ModelColumn>,
    pub cases: Vec<EvalCase>,
    /// How often each place of the table is run.
    pub repeat: u32,
    /// How many of the repetitions must pass, in percent.
    pub pass_rate: f64,
    /// The system of the graph.
    pub system: RunnableSystem,
}

/// A row of the table: the declarations with other prompts.
pub struct PromptRow {
    /// The name of the row in reports.
    pub name: String,
    /// The agents and nodes whose prompts are replaced.
    pub names: BTreeSet<String>,
    pub snapshot: Snapshot,
    /// The files with the replaced prompts: paths and texts.
    pub sources: Vec<(String, Arc<str>)>,
    /// The graph or agent that runs.
    pub target: SimulationTarget,
}

/// A column of the table: the models that are asked.
pub struct ModelColumn {
    /// The name of the column in reports.
    pub name: String,
    /// The models; `None` for those that agents name themselves.
    pub choice: Option<ModelChoice>,
}

pub struct EvalCase {
    /// The title of the case, which no other case of the eval has.
    pub title: String,
    /// The input of the run, and the scripted answers.
    pub scenario: Scenario,
    /// The scripts of the project that the case uses.
    pub uses: Vec<String>,
    /// What must be true after the run.
    pub expect: Option<Expectations>,
    /// The judges of the result.
    pub judges: Vec<EvalJudge>,
    pub head: Origin,
}

/// One run of the table, by positions from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The position of the row.
    pub prompt: usize,
    /// The position of the column.
    pub model: usize,
    /// The case, by its position.
    pub case: usize,
    /// The repetition, from 0.
    pub repetition: u32,
}

impl Table {
    /// Reads an eval. `position` is its position among the evals of the file, and `sources` are the files of the project.
    ///
    /// # Errors
    /// Where the eval uses a name that does not exist, or a prompt that cannot be replaced.
    pub fn read(sources: &[(String, Arc<str>)], path: &str, position: usize) -> Result<Table> {
        let snapshot = restore::snapshot(sources);
        let file = snapshot.source(path).and_then(|source| snapshot.file(source));
        let file = file.with_context(|| format!("the project has no file `{path}`"))?;
        let found = evals_of(&snapshot, file).nth(position).context("the eval is no longer there")?;
        let eval = found.scenario.eval.as_deref().context("the eval is no longer there")?;
        let cases = cases(&snapshot, &found, &eval.cases)?;
        let Some(first) = cases.first() else {
            bail!("the eval has no cases\n  help: write at least one under `cases`");
        };
        let target = target(&snapshot, &first.scenario, path)?;
        let system = target.system(&snapshot).context("the graph of the eval is no longer declared")?;
        let declared = PromptRow {
            name: AS_DECLARED.to_owned(),
            names: BTreeSet::new(),
            snapshot: snapshot.clone(),
            sources: sources.to_vec(),
            target,
        };
        let prompts = match eval.prompts.as_slice() {
            [] => vec![declared],
            choices => {
                let made =
                    choices.iter().map(|choice| with_prompts(&declared, choice, &first.scenario, path));
                made.collect::<Result<Vec<PromptRow>>>()?
            }
        };
        let models = match eval.models.as_slice() {
            [] => vec![ModelColumn { name: AS_DECLARED.to_owned(), choice: None }],
            choices => choices.iter().map(ModelColumn::of).collect(),
        };
        let line = line_of(&snapshot, found.scenario.head);
        let before = evals_of(&snapshot, file).take(position).filter_map(|other| title_of(&other));
        let title = title_of(&found).map_or_else(
            || format!("the eval of line {line}"),
            |title| numbered(&title, before.filter(|other| *other == title).count()),
        );
        let id = format!("{path}#{}", position + 1);
        let (repeat, pass_rate) = (eval.repeat, eval.pass_rate);
        Ok(Table {
            id,
            title,
            path: path.to_owned(),
            line,
            prompts,
            models,
            cases,
            repeat,
            pass_rate,
            system,
        })
    }

    /// The runs of the table, case by case. A filter keeps those whose case, prompt or model has this text in its name.
    pub fn cells(&self, filter: Option<&str>) -> Vec<Cell> {
        let mut cells = Vec::new();
        for (case, named) in self.cases.iter().enumerate() {
            for (prompt, prompts) in self.prompts.iter().enumerate() {
                for (model, models) in self.models.iter().enumerate() {
                    let names = [&named.title, &prompts.name, &models.name];
                    if filter.is_some_and(|text| names.iter().all(|name| !name.contains(text))) {
                        continue;
                    }
                    let repetitions = 0..self.repeat;
                    cells.extend(repetitions.map(|repetition| Cell { prompt, model, case, repetition }));
                }
            }
        }
        cells
    }

    /// What a run of the table needs of the world.
    ///
    /// # Errors
    /// Where the table names an agent that does not ask a model.
    pub fn wiring(&self, cell: Cell, live: &Live) -> Result<Wiring> {
        let (Some(prompts), Some(models), Some(case)) =
            (self.prompts.get(cell.prompt), self.models.get(cell.model), self.cases.get(cell.case))
        else {
            bail!("the table has no such place")
        };
        let inputs =
            RunInputs { snapshot: &prompts.snapshot, target: &prompts.target, scenario: &case.scenario };
        let mut wiring = systems::configured_wiring(&inputs, self.system, live);
        if let Some(choice) = &models.choice {
            let unknown = choice.agents.iter().find(|(name, _)| !wiring.agents.contains_key(&name.value));
            if let Some((name, _)) = unknown {
                bail!("{}", self.unknown(&prompts.snapshot, name.at, &name.value, wiring.agents.keys()));
            }
            wiring.choose(choice);
        }
        Ok(wiring)
    }

    /// The error that the eval names an agent that asks no model.
    fn unknown<'n>(
        &self,
        snapshot: &Snapshot,
        at: Origin,
        name: &str,
        known: impl Iterator<Item = &'n SmolStr>,
    ) -> String {
        let line = line_of(snapshot, at);
        let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
        format!("{}:{line}: `{name}` asks no model\n  help: these ask one: {}", self.path, known.join(", "))
    }
}

impl ModelColumn {
    fn of(choice: &ModelChoice) -> ModelColumn {
        ModelColumn { name: choice.name.value.to_string(), choice: Some(choice.clone()) }
    }
}

fn title_of(found: &FoundScenario<'_>) -> Option<String> {
    let title = found.scenario.title.as_ref()?.value.to_string();
    (!title.is_empty()).then_some(title)
}

/// A title that no other eval of the file has, since results are saved and compared by it.
fn numbered(title: &str, equal_before: usize) -> String {
    match equal_before {
        0 => title.to_owned(),
        equal => format!("{title} ({})", equal + 1),
    }
}

/// The line of a place in a file, from 1.
pub(super) fn line_of(snapshot: &Snapshot, at: Origin) -> u32 {
    place_of(snapshot, at).map_or(1, |place| place.line)
}

fn cases(snapshot: &Snapshot, found: &FoundScenario<'_>, cases: &[Scenario]) -> Result<Vec<EvalCase>> {
    let mut made: Vec<EvalCase> = Vec::new();
    for (position, case) in cases.iter().enumerate() {
        let mut scenario = whole_case(snapshot, found, case)?;
        let title = case.title.as_ref().map(|title| title.value.to_string()).unwrap_or_default();
        let title = if title.is_empty() { format!("case {}", position + 1) } else { title };
        if made.iter().any(|other| other.title == title) {
            let line = line_of(snapshot, case.head);
            bail!(
                "{}:{line}: two cases are called {title:?}\n  help: give each case a name of its own",
                found.path
            );
        }
        let uses = std::mem::take(&mut scenario.uses).into_iter().map(|name| name.value.to_string());
        let (expect, judges) = (scenario.expect.take(), std::mem::take(&mut scenario.judges));
        made.push(EvalCase { title, uses: uses.collect(), expect, judges, head: case.head, scenario });
    }
    Ok(made)
}

fn target(snapshot: &Snapshot, scenario: &Scenario, path: &str) -> Result<SimulationTarget> {
    Ok(SimulationTarget::find(snapshot, &scenario.target, folder_of(path))?)
}

/// Replaces prompts in the declarations, for a row of the table.
fn with_prompts(
    declared: &PromptRow,
    choice: &PromptChoice,
    scenario: &Scenario,
    path: &str,
) -> Result<PromptRow> {
    let PromptRow { snapshot, sources, target: of, .. } = declared;
    let inputs = RunInputs { snapshot, target: of, scenario };
    let live = systems::of(of.system(snapshot).context("the graph of the eval is no longer declared")?);
    let texts: Vec<(String, String)> =
        choice.texts.iter().map(|(name, text)| (name.value.to_string(), text.value.to_string())).collect();
    let line = |name: &str| {
        let named = choice.texts.iter().find(|(named, _)| named.value == name);
        named.map_or(1, |(named, _)| line_of(snapshot, named.at))
    };
    let made = prompts::replaced(live, &inputs, sources, &texts).map_err(|name| {
        anyhow!(
            "{path}:{}: `{name}` has no prompt that can be replaced\n  help: name an agent or node that is declared with a prompt",
            line(&name)
        )
    })?;
    let sources = made.unwrap_or_else(|| sources.clone());
    let snapshot = restore::snapshot(&sources);
    let target = target(&snapshot, scenario, path)?;
    let inputs = RunInputs { snapshot: &snapshot, target: &target, scenario };
    if let Some(name) = prompts::unreplaced(live, &inputs, &texts) {
        bail!(
            "{path}:{}: the prompt of `{name}` cannot be replaced where it is written\n  help: write the prompt as a text of its \
             own, without an anchor",
            line(name)
        );
    }
    let names = texts.into_iter().map(|(name, _)| name).collect();
    Ok(PromptRow { name: choice.name.value.to_string(), names, snapshot, sources, target })
}
