//! Agents vote (cycgraph:6.10). In: the slice; out: the consensus, and all votes in the order of the voters. Invariant:
//! voters that fail are left out, and voters that say nothing count for the quorum.

use nodewise_expr::javascript::number_to_text;
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{VotingWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Judgement, NodeAction, Output, Stopped};
use crate::systems::cycgraph::agent_call::{AgentCall, AgentJob};
use crate::systems::cycgraph::ballot::{self, Vote};
use crate::systems::cycgraph::gathered::{self, WorkerUsage};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::judge::JudgeCall;
use crate::systems::cycgraph::pool::{PieceResult, Plan, Pool, WorkerPool};
use crate::systems::cycgraph::program::NodeProgram;
use crate::systems::cycgraph::{Cycgraph, failures};
use crate::time::Millis;

/// The instructions for a judge.
const TASK: &str = "Choose the best vote, and say why.";
/// The key under which an answer without a key is written.
const PLAIN_ANSWER: &str = "agent_response";

/// An attempt of a voting node.
#[derive(Debug, Clone)]
pub(super) struct Voting {
    voters: Voters,
    phase: Phase,
}

#[derive(Debug, Clone)]
struct Voters {
    input: Input,
}

#[derive(Debug, Clone)]
enum Phase {
    Begin,
    Voting(Pool),
    Judging(JudgeCall, Box<Poll>),
}

/// The votes so far, and what is reported about them.
#[derive(Debug, Clone)]
struct Poll {
    votes: Vec<Vote>,
    worker_usage: WorkerUsage,
    taint: Map,
}

/// The next step after the votes.
enum Decision<'s> {
    Consensus(Value),
    /// A judge must decide.
    Judge(&'s SmolStr),
}

impl Voting {
    pub(super) fn new(input: Input) -> Voting {
        Voting { voters: Voters { input }, phase: Phase::Begin }
    }

    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<(), Failure> {
        let program = context.program().clone();
        let node = self.voters.input.node(&program);
        let settings =
            settings(&node.work).ok_or_else(|| failures::node_config("voting", &node.id, "voting_config"))?;
        let plan = Plan {
            total: settings.voters.len(),
            places: settings.voters.len(),
            fails_fast: false,
            timeout: settings.timeout_ms.as_ref().map(|timeout| Millis::from_f64(timeout.value)),
        };
        self.phase = Phase::Voting(Pool::begin(plan, &mut self.voters, context));
        Ok(())
    }

    /// Counts the votes and ends, or asks the judge.
    fn counted(
        &mut self,
        results: Vec<(usize, PieceResult)>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.voters.input.node(&program);
        let Some(settings) = settings(&node.work) else { return Ok(None) };
        let poll = poll(results, settings, node, context.now());
        match decision(&poll.votes, settings, node)? {
            Decision::Consensus(consensus) => Ok(Some(action(node, poll, consensus))),
            Decision::Judge(judge) => {
                let votes = shown(&poll.votes);
                let call = JudgeCall::begin(judge, &votes, Some(TASK), &self.voters.input, context)?;
                self.phase = Phase::Judging(call, Box::new(poll));
                Ok(None)
            }
        }
    }

    /// The failure of the vote, if the remaining voters will never vote.
    fn failure_without_the_rest(&self, context: &mut TaskContext<'_, Cycgraph>) -> Option<Failure> {
        let Phase::Voting(pool) = &self.phase else { return None };
        let results = pool.cut_off(&self.voters, context)?.ok()?;
        let node = self.voters.input.node(context.program());
        let settings = settings(&node.work)?;
        let poll = poll(results, settings, node, context.now());
        decision(&poll.votes, settings, node).err()
    }

    fn judged(&mut self, judgement: Judgement, context: &TaskContext<'_, Cycgraph>) -> Option<NodeAction> {
        let Phase::Judging(_, poll) = std::mem::replace(&mut self.phase, Phase::Begin) else { return None };
        let mut poll = *poll;
        poll.worker_usage.add_judge(judgement.tokens);
        let node = self.voters.input.node(context.program());
        Some(action(node, poll, Value::Text(judgement.reasoning)))
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        match &mut self.phase {
            Phase::Begin => {
                if let Err(failure) = self.begin(context) {
                    return Some(Err(failure));
                }
            }
            Phase::Voting(pool) => pool.wake(wake, &mut self.voters, context),
            Phase::Judging(call, _) => {
                return match call.wake(&wake, context)? {
                    Ok(judgement) => self.judged(judgement, context).map(Ok),
                    Err(failure) => Some(Err(failure)),
                };
            }
        }
        let Phase::Voting(pool) = &mut self.phase else { return None };
        match pool.take_results()? {
            Ok(results) => self.counted(results, context).transpose(),
            Err(failure) => Some(Err(failure)),
        }
    }
}

impl WorkerPool for Voters {
    fn begin(
        &self,
        piece: usize,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Result<Box<dyn Task<Cycgraph>>, Failure> {
        let node = self.input.node(context.program());
        let none = || failures::unsupported(&node.type_word);
        let settings = settings(&node.work).ok_or_else(none)?;
        let agent = settings.voters.get(piece).ok_or_else(none)?.name.clone();
        let label = self.label(piece, context);
        let mut details = Map::new();
        details.insert("vote_key", Value::Text(settings.vote_key.value.clone()));
        details.insert("voter_index", Value::Number(piece as f64));
        details.insert("voter_count", Value::Number(settings.voters.len() as f64));
        let job = AgentJob {
            context: Some(details.into()),
            granted: [settings.vote_key.value.clone()].into(),
            output_key: format_smolstr!("{label}_output"),
            default_write: None,
            label,
            ..AgentJob::of_node(&self.input, node, agent)
        };
        Ok(Box::new(AgentCall::new(job, &self.input, context)?))
    }

    fn label(&self, piece: usize, context: &TaskContext<'_, Cycgraph>) -> SmolStr {
        format_smolstr!("{}_voter_{piece}", self.input.node(context.program()).id)
    }
}

fn settings(work: &Work) -> Option<&VotingWork> {
    match work {
        Work::Voting(voting) if voting.settings_at.is_some() => Some(voting),
        _ => None,
    }
}

fn poll(results: Vec<(usize, PieceResult)>, settings: &VotingWork, node: &NodeProgram, now: Millis) -> Poll {
    let succeeded = results.into_iter().filter_map(|(voter, result)| Some((voter, result.ok()?)));
    let actions: Vec<(usize, Box<NodeAction>)> = succeeded.collect();
    let mut worker_usage = WorkerUsage::default();
    let mut votes = Vec::with_capacity(actions.len());
    for (voter, action) in &actions {
        worker_usage.add(action);
        let said = |key: &str| match action.updates().and_then(|updates| updates.get(key)) {
            Some(Value::Null) | None => None,
            Some(value) => Some(value.clone()),
        };
        votes.push(Vote {
            agent: settings.voters.get(*voter).map(|voter| voter.name.clone()).unwrap_or_default(),
            value: said(&settings.vote_key.value).or_else(|| said(PLAIN_ANSWER)).unwrap_or(Value::Undefined),
        });
    }
    let taint = gathered::taint_of(actions.iter().map(|(_, action)| &**action), &keys(node), &node.id, now);
    Poll { votes, worker_usage, taint }
}

fn decision<'s>(
    votes: &[Vote],
    settings: &'s VotingWork,
    node: &NodeProgram,
) -> Result<Decision<'s>, Failure> {
    let lacks = |what: &str| failures::node_config("voting", &node.id, what);
    let count = votes.len();
    if let Some(quorum) = settings.quorum.as_ref().map(|quorum| quorum.value)
        && (count as f64) < quorum
    {
        return Err(lacks(&format!("quorum (got {count}, need {})", number_to_text(quorum))));
    }
    let strategy = settings.strategy.value.as_str();
    let consensus = match strategy {
        "llm_judge" => {
            let judge = settings.judge.as_ref().map(|judge| &judge.name).filter(|judge| !judge.is_empty());
            return judge.map(Decision::Judge).ok_or_else(|| lacks("judge_agent_id"));
        }
        "weighted_vote" => {
            let weights = settings.weights.iter();
            let weights: Vec<_> = weights.map(|(agent, weight)| (agent.value.clone(), *weight)).collect();
            ballot::weighted(votes, &weights)
        }
        _ => ballot::majority(votes),
    };
    let none = || lacks(&format!("votes (no votes received for {strategy})"));
    consensus.map(Decision::Consensus).ok_or_else(none)
}

fn keys(node: &NodeProgram) -> [SmolStr; 2] {
    ["consensus", "votes"].map(|suffix| format_smolstr!("{}_{suffix}", node.id))
}

fn action(node: &NodeProgram, poll: Poll, consensus: Value) -> NodeAction {
    let values = [consensus, shown(&poll.votes)];
    let updates = keys(node).into_iter().zip(values).collect();
    let Poll { worker_usage, taint, .. } = poll;
    NodeAction {
        taint,
        usage: Some(worker_usage.tokens),
        model: worker_usage.model,
        ..NodeAction::merge(updates)
    }
}

fn shown(votes: &[Vote]) -> Value {
    let shown = |vote: &Vote| {
        let mut row = Map::new();
        row.insert("agent_id", Value::Text(vote.agent.clone()));
        row.insert("vote", vote.value.clone());
        row.into()
    };
    votes.iter().map(shown).collect()
}

impl Task<Cycgraph> for Voting {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }

    fn cut_off(&self, context: &mut TaskContext<'_, Cycgraph>) -> Option<Output> {
        let failure = self.failure_without_the_rest(context)?;
        Some(Output::Stopped(Box::new(Stopped { failure, used: None })))
    }
}
