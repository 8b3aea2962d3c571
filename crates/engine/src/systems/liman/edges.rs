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

/// How far the edges of a visit are.
#[derive(Debug, Clone)]
pub(super) struct Waves {
    states: Vec<State>,
    /// The class of the visit's error; then only edges that ask for errors count.
    error: Option<SmolStr>,
    /// The edges of this wave that are not evaluated yet.
    unjudged: VecDeque<usize>,
    /// The edges of this wave that are followed.
    followed: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Pending,
    /// It is followed, and its targets run.
    Followed,
    Done,
    Failed,
    Skipped,
}

/// What an edge was found to be.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Verdict {
    pub(super) edge: usize,
    pub(super) is_followed: bool,
    /// Why, where no value of a condition says it.
    pub(super) reason: Option<SmolStr>,
}

/// What comes next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    /// An edge was evaluated.
    Judged(Verdict),
    /// A function of the program must say whether the edge is followed.
    Ask(usize, SmolStr),
    /// The wave is evaluated: these edges are followed.
    Wave(Vec<usize>),
}

impl Waves {
    /// The edges of a visit that ended well, or with an error of this class.
    pub(super) fn new(edges: &[ProgramEdge], error: Option<SmolStr>) -> Waves {
        Waves {
            states: vec![State::Pending; edges.len()],
            error,
            unjudged: VecDeque::new(),
            followed: Vec::new(),
        }
    }

    /// Begins the next wave: the edges that have become ready. Tells those that never will be; `false` when no edge
    /// is left.
    pub(super) fn begin(&mut self, edges: &[ProgramEdge], told: &mut Vec<Verdict>) -> bool {
        self.followed.clear();
        self.skip_hopeless(edges, told);
        let is_ready = |position: &usize| {
            self.state(*position) == State::Pending
                && edges.get(*position).is_some_and(|edge| {
                    edge.depends.iter().all(|dependency| self.state(*dependency) == State::Done)
                })
        };
        let ready: VecDeque<usize> = (0..self.states.len()).filter(is_ready).collect();
        if ready.is_empty() {
            // What is left waits for itself.
            for position in 0..self.states.len() {
                if self.state(position) == State::Pending {
                    self.skip(position, "it waits for an edge that waits for it".into(), told);
                }
            }
            return false;
        }
        self.unjudged = ready;
        true
    }

    /// Judges the next edge of the wave, if no function has to be asked.
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

    /// The result of a function for the edge that waits for it.
    pub(super) fn decide(&mut self, is_followed: bool, reason: SmolStr) -> Option<Verdict> {
        let position = self.unjudged.pop_front()?;
        match self.next_verdict(position, is_followed, Some(reason)) {
            Next::Judged(verdict) => Some(verdict),
            _ => None,
        }
    }

    /// The targets of a followed edge ran.
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

    /// Edges that cannot be followed any more, whatever their conditions say; what depends on them neither.
    fn skip_hopeless(&mut self, edges: &[ProgramEdge], told: &mut Vec<Verdict>) {
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
                self.skip(position, reason, told);
                push_dependents(&dependents, edges, position, &mut hopeless);
            }
        }
    }

    fn skip(&mut self, position: usize, reason: SmolStr, told: &mut Vec<Verdict>) {
        self.set(position, State::Skipped);
        told.push(Verdict { edge: position, is_followed: false, reason: Some(reason) });
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
