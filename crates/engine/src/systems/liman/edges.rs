//! Which edges of a node are followed (liman:7.5, clauses 6 and 7).
//!
//! Input: a node's edges, what conditions see, and the answers of functions; output: wave by wave the edges that are
//! followed. Invariant: an edge is evaluated once, after everything that it depends on is settled.

use std::collections::VecDeque;

use nodewise_expr::eval::{Scope, holds};
use nodewise_expr::limance::LimanCe;
use nodewise_expr::value::Map;
use smol_str::{SmolStr, format_smolstr};

use super::program::{CompiledCondition, ProgramEdge};

/// The progress of the edges of a visit.
#[derive(Debug, Clone)]
pub(super) struct Waves {
    states: Vec<State>,
    /// The class of the visit's error. If there is one, only edges that ask for errors are followed.
    error: Option<SmolStr>,
    /// The edges of this wave that are not evaluated yet.
    unjudged: VecDeque<usize>,
    /// The edges of this wave that are followed.
    followed: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    /// It is followed, and its targets are still running.
    Followed,
    Done,
    Failed,
    Skipped,
}

/// The result of evaluating an edge.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) edge: usize,
    pub(super) is_followed: bool,
    /// The reason, if the value of its condition does not explain it.
    pub(super) reason: Option<SmolStr>,
}

/// The next step.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    /// An edge was evaluated.
    Judged(Verdict),
    /// A function of the program must decide about this edge.
    Ask(usize, SmolStr),
    /// The whole wave is evaluated, and these edges are followed.
    Wave(Vec<usize>),
}

impl Waves {
    /// The edges of a visit that succeeded, or failed with an error of this class.
    pub(super) fn new(edges: &[ProgramEdge], error: Option<SmolStr>) -> Waves {
        Waves {
            states: vec![State::Pending; edges.len()],
            error,
            unjudged: VecDeque::new(),
            followed: Vec::new(),
        }
    }

    /// Begins the next wave: the edges that have become ready. Adds verdicts for those that never will be; `false` if
    /// no edge is left.
    pub(super) fn begin(&mut self, edges: &[ProgramEdge], verdicts: &mut Vec<Verdict>) -> bool {
        self.followed.clear();
        self.skip_hopeless(edges, verdicts);
        let is_ready = |position: &usize| {
            self.state(*position) == State::Pending
                && edges.get(*position).is_some_and(|edge| {
                    edge.depends.iter().all(|dependency| self.state(*dependency) == State::Done)
                })
        };
        let ready: VecDeque<usize> = (0..self.states.len()).filter(is_ready).collect();
        if ready.is_empty() {
            // The edges that are left wait for each other, so they can never become ready.
            for position in 0..self.states.len() {
                if self.state(position) == State::Pending {
                    self.skip(position, "it waits for an edge that waits for it".into(), verdicts);
                }
            }
            return false;
        }
        self.unjudged = ready;
        true
    }

    /// Evaluates the next edge of the wave, unless a function must be asked.
    pub(super) fn next(&mut self, edges: &[ProgramEdge], variables: &[&Map], now: f64) -> Next {
        let Some(position) = self.unjudged.front().copied() else {
            return Next::Wave(std::mem::take(&mut self.followed));
        };
        let Some(edge) = edges.get(position) else {
            self.unjudged.pop_front();
            return self.next_verdict(position, false, None);
        };
        let (is_followed, reason) = match &edge.condition {
            CompiledCondition::Always => (true, Some("the edge has no condition".into())),
            CompiledCondition::Broken(problem) => {
                (false, Some(format_smolstr!("the condition cannot be read: {problem}")))
            }
            CompiledCondition::Function(path) => return Next::Ask(position, path.clone()),
            CompiledCondition::Holds(expr) => {
                let active_errors: &[SmolStr] = self.error.as_slice();
                let scope = Scope { variables, now, active_errors, functions: None };
                match holds(expr, &LimanCe, &scope) {
                    Ok(holds) => (holds, None),
                    Err(error) => (false, Some(format_smolstr!("the condition fails: {}", error.message))),
                }
            }
        };
        self.unjudged.pop_front();
        self.next_verdict(position, is_followed, reason)
    }

    /// Uses the answer of a function for the edge that waits for it.
    pub(super) fn decide(&mut self, is_followed: bool, reason: SmolStr) -> Option<Verdict> {
        let position = self.unjudged.pop_front()?;
        match self.next_verdict(position, is_followed, Some(reason)) {
            Next::Judged(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// Records that the targets of a followed edge have run.
    pub(super) fn settle(&mut self, edge: usize, succeeded: bool) {
        self.set(edge, if succeeded { State::Done } else { State::Failed });
    }

    fn next_verdict(&mut self, position: usize, is_followed: bool, reason: Option<SmolStr>) -> Next {
        self.set(position, if is_followed { State::Followed } else { State::Skipped });
        if is_followed {
            self.followed.push(position);
        }
        Next::Judged(Verdict { edge: position, is_followed, reason })
    }

    /// Rules out edges that cannot be followed any more, whatever their conditions say, and edges that depend on them.
    fn skip_hopeless(&mut self, edges: &[ProgramEdge], verdicts: &mut Vec<Verdict>) {
        let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); edges.len()];
        let mut hopeless = VecDeque::new();
        for (position, edge) in edges.iter().enumerate() {
            for dependency in &edge.depends {
                if let Some(dependents) = dependents.get_mut(*dependency) {
                    dependents.push(position);
                }
            }
            if self.state(position) != State::Pending {
                continue;
            }
            if self.error.is_some() && !edge.asks_for_errors {
                hopeless.push_back((
                    position,
                    SmolStr::from("after an error, only conditions with `$is_error` are evaluated"),
                ));
            } else if let Some(unknown) = &edge.unknown_dependency {
                hopeless.push_back((
                    position,
                    format_smolstr!("it depends on `{unknown}`, but no edge has that id"),
                ));
            }
        }
        for position in 0..edges.len() {
            if matches!(self.state(position), State::Skipped | State::Failed) {
                push_dependents(&dependents, edges, position, &mut hopeless);
            }
        }
        while let Some((position, reason)) = hopeless.pop_front() {
            if self.state(position) == State::Pending {
                self.skip(position, reason, verdicts);
                push_dependents(&dependents, edges, position, &mut hopeless);
            }
        }
    }

    fn skip(&mut self, position: usize, reason: SmolStr, verdicts: &mut Vec<Verdict>) {
        self.set(position, State::Skipped);
        verdicts.push(Verdict { edge: position, is_followed: false, reason: Some(reason) });
    }

    fn state(&self, position: usize) -> State {
        self.states.get(position).copied().unwrap_or(State::Skipped)
    }

    fn set(&mut self, position: usize, state: State) {
        if let Some(place) = self.states.get_mut(position) {
            *place = state;
        }
    }
}

fn push_dependents(
    dependents: &[Vec<usize>],
    edges: &[ProgramEdge],
    position: usize,
    hopeless: &mut VecDeque<(usize, SmolStr)>,
) {
    let id = edges.get(position).and_then(|edge| edge.id.clone()).unwrap_or_default();
    let reason = format_smolstr!("it depends on the edge `{id}`, which did not complete");
    for dependent in dependents.get(position).into_iter().flatten() {
        hopeless.push_back((*dependent, reason.clone()));
    }
}
