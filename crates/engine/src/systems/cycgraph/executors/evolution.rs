//! Candidates are bred over generations (cycgraph:6.18). In: the slice; out: the best candidate, and how it came about.
//! Invariant: the best of all is replaced only by a strictly fitter one.

mod scoring;

use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{EvolutionWork, Work};
use nodewise_platform::sorting::Sorting;
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Judgement, NodeAction, Output, Stopped};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::breeding::{Selection, parent};
use crate::systems::cycgraph::gathered::{self, WorkerUsage};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::pool::{PieceResult, Plan, Pool, WorkerPool};
use crate::systems::cycgraph::program::{ALL, NodeProgram, Program};
use crate::systems::cycgraph::schedule::temperature;
use crate::systems::cycgraph::{Cycgraph, failures, spending};
use crate::time::Millis;
use scoring::Scoring;

/// The word for a search that fails with its first failing candidate.
const FAIL_FAST: &str = "fail_fast";

/// An attempt of an evolution node.
#[derive(Debug, Clone)]
pub(super) struct Evolution {
    breeders: Breeders,
    phase: Phase,
    worker_usage: WorkerUsage,
    elites: Vec<Candidate>,
    /// The candidates of the last generation that had any, best first.
    population: Vec<Candidate>,
    best: Option<Candidate>,
    history: Vec<f64>,
    stagnation: f64,
    generations: u32,
    is_stopped_by_budget: bool,
    /// Whether no more generations begin, because nobody waits for the result.
    is_given_up: bool,
    /// The actions of tainted candidates, which taint the result.
    tainted: Vec<NodeAction>,
}

/// Makes the candidates of a generation.
#[derive(Debug, Clone)]
struct Breeders {
    input: Input,
    generation: u32,
    /// The best fitness so far.
    best: Option<f64>,
    parent: Option<Candidate>,
}

#[derive(Debug, Clone)]
enum Phase {
    Begin,
    Breeding(Pool),
    Scoring(Scoring),
}

/// A candidate with its score.
#[derive(Debug, Clone)]
struct Candidate {
    index: usize,
    output: Map,
    fitness: f64,
    reasoning: SmolStr,
    tokens: f64,
    is_elite: bool,
}

/// A candidate that has no score yet.
#[derive(Debug, Clone)]
struct Produced {
    index: usize,
    output: Map,
    tokens: f64,
}

impl Evolution {
    pub(super) fn new(input: Input) -> Evolution {
        Evolution {
            breeders: Breeders { input, generation: 0, best: None, parent: None },
            phase: Phase::Begin,
            worker_usage: WorkerUsage::default(),
            elites: Vec::new(),
            population: Vec::new(),
            best: None,
            history: Vec::new(),
            stagnation: 0.0,
            generations: 0,
            is_stopped_by_budget: false,
            is_given_up: false,
            tainted: Vec::new(),
        }
    }

    /// Begins a generation, or ends the search with its result.
    fn breed(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.breeders.input.node(&program);
        let lacks = || failures::node_config("evolution", &node.id, "evolution_config");
        let settings = settings(&node.work).ok_or_else(lacks)?;
        let generation = self.breeders.generation;
        if self.is_given_up || f64::from(generation) >= settings.max_generations.value {
            return Ok(Some(self.action(context)));
        }
        if generation > 0 {
            let model = self.worker_usage.model.as_deref();
            let state = &self.breeders.input.state;
            if spending::is_used_up(node, &self.worker_usage.tokens, model, state, &program.host) {
                self.is_stopped_by_budget = true;
                return Ok(Some(self.action(context)));
            }
        }
        self.generations = generation + 1;
        self.breeders.best = self.best.as_ref().map(|best| best.fitness);
        let plan = Plan {
            total: (settings.population_size.value as usize).saturating_sub(self.elites.len()),
            places: settings.max_concurrency.value as usize,
            fails_fast: settings.on_error.value == FAIL_FAST,
            timeout: settings.timeout_ms.as_ref().map(|timeout| Millis::from_f64(timeout.value)),
        };
        self.phase = Phase::Breeding(Pool::begin(plan, &mut self.breeders, context));
        Ok(None)
    }

    /// Begins to score the candidates of a generation.
    fn score(
        &mut self,
        results: Vec<(usize, PieceResult)>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<(), Failure> {
        let program = context.program().clone();
        let node = self.breeders.input.node(&program);
        let Some(settings) = settings(&node.work) else { return Ok(()) };
        let mut produced = Vec::with_capacity(results.len());
        for (index, result) in results {
            let Ok(action) = result else { continue };
            self.worker_usage.add(&action);
            let tokens = action.usage.map_or(0.0, |usage| usage.total);
            produced.push(Produced { index, output: gathered::updates(&action), tokens });
            if !action.taint.is_empty() {
                self.tainted.push(*action);
            }
        }
        if !produced.is_empty()
            && let Some(failure) = unscored(settings, node, &program)
        {
            return Err(failure);
        }
        let places = settings.max_concurrency.value as usize;
        let evaluator = evaluator(settings).filter(|_| !program.host.fitness);
        let mut scoring = Scoring::new(produced, evaluator, settings.criteria.clone(), places);
        scoring.fill(&self.breeders.input, context);
        self.phase = Phase::Scoring(scoring);
        Ok(())
    }

    /// Records a generation; `true` if it was the last one.
    fn select(
        &mut self,
        scored: Vec<(Produced, Judgement)>,
        node: &NodeProgram,
        settings: &EvolutionWork,
    ) -> bool {
        let mut pool: Vec<Candidate> = Vec::with_capacity(scored.len() + self.elites.len());
        for (made, judgement) in scored {
            self.worker_usage.add_judge(judgement.tokens);
            pool.push(Candidate {
                index: made.index,
                output: made.output,
                fitness: judgement.score,
                reasoning: judgement.reasoning,
                tokens: made.tokens,
                is_elite: false,
            });
        }
        pool.append(&mut self.elites);
        pool.arrange_by(|one, other| {
            other.fitness.partial_cmp(&one.fitness).unwrap_or(std::cmp::Ordering::Equal)
        });
        let Some(first) = pool.first().cloned() else {
            self.history.push(self.best.as_ref().map_or(0.0, |best| best.fitness));
            self.stagnation += 1.0;
            return self.stagnation >= settings.stagnation_generations.value;
        };
        let population = settings.population_size.value as usize;
        let elites = (settings.elite_count.value as usize).min(population.saturating_sub(1));
        let elite = |candidate: &Candidate| Candidate { is_elite: true, ..candidate.clone() };
        self.elites = pool.iter().take(elites).map(elite).collect();
        self.history.push(first.fitness);
        let fitness: Vec<f64> = pool.iter().map(|candidate| candidate.fitness).collect();
        let generation = self.breeders.generation;
        let seed = format!("{}:{}:{generation}", self.breeders.input.state.run_id, node.id);
        let chosen = parent(&fitness, selection(settings), &seed);
        self.breeders.parent = pool.get(chosen).cloned();
        self.population = pool;
        if self.best.as_ref().is_none_or(|best| first.fitness > best.fitness) {
            self.best = Some(first);
            self.stagnation = 0.0;
        } else {
            self.stagnation += 1.0;
        }
        let is_good = |best: &Candidate| best.fitness >= settings.fitness_threshold.value;
        self.best.as_ref().is_some_and(is_good) || self.stagnation >= settings.stagnation_generations.value
    }

    fn action(&mut self, context: &TaskContext<'_, Cycgraph>) -> NodeAction {
        let node = self.breeders.input.node(context.program());
        let key = |suffix: &str| format_smolstr!("{}_{suffix}", node.id);
        let tainted = ["winner", "winner_reasoning", "population"].map(key);
        let taint = gathered::taint_of(self.tainted.iter(), &tainted, &node.id, context.now());
        let best = self.best.take();
        let mut updates = Map::new();
        let fitness = best.as_ref().map_or(0.0, |best| best.fitness);
        let reasoning = best.as_ref().map(|best| best.reasoning.clone()).unwrap_or_default();
        updates.insert(key("winner"), best.map_or(Value::Null, |best| best.output.into()));
        updates.insert(key("winner_fitness"), Value::Number(fitness));
        updates.insert(key("winner_reasoning"), Value::Text(reasoning));
        updates.insert(key("generation"), Value::Number(f64::from(self.generations)));
        let history = self.history.iter().map(|fitness| Value::Number(*fitness));
        updates.insert(key("fitness_history"), history.collect());
        updates.insert(key("population"), self.population.iter().map(Candidate::entry).collect());
        updates.insert(key("budget_stopped"), Value::Bool(self.is_stopped_by_budget));
        let worker_usage = std::mem::take(&mut self.worker_usage);
        NodeAction {
            taint,
            usage: Some(worker_usage.tokens),
            model: worker_usage.model,
            ..NodeAction::merge(updates)
        }
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        self.is_given_up |= matches!(wake, Wake::GivenUp);
        match &mut self.phase {
            Phase::Begin => {}
            Phase::Breeding(pool) => pool.wake(wake, &mut self.breeders, context),
            Phase::Scoring(scoring) => {
                if let Err(failure) = scoring.wake(wake, &self.breeders.input, context) {
                    return Some(Err(failure));
                }
            }
        }
        // A generation that waits for nothing is followed by the next one at once.
        loop {
            match &mut self.phase {
                Phase::Begin => {
                    if let Some(end) = self.breed(context).transpose() {
                        return Some(end);
                    }
                }
                Phase::Breeding(pool) => match pool.take_results()? {
                    Ok(results) => {
                        if let Err(failure) = self.score(results, context) {
                            return Some(Err(failure));
                        }
                    }
                    Err(failure) => return Some(Err(failure)),
                },
                Phase::Scoring(scoring) => {
                    let scored = scoring.take_scored()?;
                    let program = context.program().clone();
                    let node = self.breeders.input.node(&program);
                    if self.select(scored, node, settings(&node.work)?) {
                        return Some(Ok(self.action(context)));
                    }
                    self.breeders.generation += 1;
                    self.phase = Phase::Begin;
                }
            }
        }
    }
}

impl Breeders {
    fn context(&self, piece: usize, settings: &EvolutionWork) -> Value {
        let mut details = Map::new();
        details.insert("generation", Value::Number(f64::from(self.generation)));
        details.insert("candidate_index", Value::Number(piece as f64));
        details.insert("population_size", Value::Number(settings.population_size.value));
        details.insert("best_fitness", self.best.map_or(Value::Null, Value::Number));
        if let Some(parent) = self.parent.as_ref().filter(|_| self.generation > 0) {
            details.insert("parent", parent.output.clone().into());
            details.insert("parent_fitness", Value::Number(parent.fitness));
            details.insert("parent_reasoning", Value::Text(parent.reasoning.clone()));
        }
        details.into()
    }
}

impl WorkerPool for Breeders {
    fn begin(
        &self,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure> {
        let node = self.input.node(context.program());
        let settings = settings(&node.work).ok_or_else(|| failures::unsupported(&node.type_word))?;
        let agent = settings.candidate.as_ref().map(|agent| agent.name.clone()).unwrap_or_default();
        let label = self.label(piece, context);
        let range = (settings.initial_temperature.value, settings.final_temperature.value);
        let generation = f64::from(self.generation);
        let job = AgentJob {
            context: Some(self.context(piece, settings)),
            granted: [SmolStr::new_static(ALL)].into(),
            output_key: format_smolstr!("{label}_output"),
            default_write: None,
            temperature: Some(temperature(range, generation, settings.max_generations.value)),
            label,
            ..AgentJob::of_node(&self.input, node, agent)
        };
        Ok(Box::new(AgentCall::new(job, &self.input, context)?))
    }

    fn label(&self, piece: usize, context: &TaskContext<'_, Cycgraph>) -> SmolStr {
        let node = self.input.node(context.program());
        format_smolstr!("{}_gen{}_candidate{piece}", node.id, self.generation)
    }
}

impl Candidate {
    /// The candidate's entry in the population that the node writes to the memory.
    fn entry(&self) -> Value {
        let mut entry = Map::new();
        entry.insert("index", Value::Number(self.index as f64));
        entry.insert("fitness", Value::Number(self.fitness));
        entry.insert("reasoning", Value::Text(self.reasoning.clone()));
        entry.insert("tokens_used", Value::Number(self.tokens));
        if self.is_elite {
            entry.insert("is_elite", Value::Bool(true));
        }
        entry.into()
    }
}

fn settings(work: &Work) -> Option<&EvolutionWork> {
    match work {
        Work::Evolution(evolution) if evolution.settings_at.is_some() => Some(evolution),
        _ => None,
    }
}

/// The agent that scores candidates, if there is one.
fn evaluator(settings: &EvolutionWork) -> Option<SmolStr> {
    settings.evaluator.as_ref().map(|agent| agent.name.clone()).filter(|id| !id.is_empty())
}

/// The failure of a node whose candidates nothing scores: neither the host nor an agent.
fn unscored(settings: &EvolutionWork, node: &NodeProgram, program: &Program) -> Option<Failure> {
    let lacks = "evaluator_agent_id or GraphRunnerOptions.fitnessFunction";
    let is_scored = program.host.fitness || evaluator(settings).is_some();
    (!is_scored).then(|| failures::node_config("evolution", &node.id, lacks))
}

fn selection(settings: &EvolutionWork) -> Selection {
    match settings.selection.value.as_str() {
        "tournament" => Selection::Tournament { size: settings.tournament_size.value as usize },
        "roulette" => Selection::Roulette,
        _ => Selection::Rank,
    }
}

impl Task<Cycgraph> for Evolution {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, context: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        let Phase::Breeding(pool) = &self.phase else { return None };
        let failure = match pool.cut_off(&self.breeders, context)? {
            // Candidates that are finished are still scored.
            Ok(results) if results.iter().any(|(_, result)| result.is_ok()) => {
                let node = self.breeders.input.node(context.program());
                unscored(settings(&node.work)?, node, context.program())?
            }
            Ok(_) => return None,
            Err(failure) => failure,
        };
        Some(Output::Stopped(Box::new(Stopped { failure, used: None })))
    }
}
