//! The variables of each scope of a frame.

use nodewise_engine::ask::Answer;
use nodewise_engine::event::{Event, EventKind, VisitId};
use nodewise_engine::fold::States;
use nodewise_expr::assist::Subexpression;
use nodewise_expr::json::from_json;
use nodewise_expr::value::{Map, Value};
use nodewise_expr::vocabulary::EntryKind;
use nodewise_simulation::explain::evaluated;
use nodewise_simulation::render::json;
use nodewise_simulation::state_at_event::StateAtEvent;
use nodewise_simulation::system::ConditionContext;
use nodewise_simulation::words;
use nodewise_syntax::{TextRange, TextSize};
use serde_json::Value as Json;
use smol_str::SmolStr;

use super::{ScopeKind, TEXT_MAX, Variable, is_name, shown};
use crate::answer_notation;
use crate::expressions::{View, language_of, member};
use crate::frames::{FrameKind, StackFrame, Stacks};

/// The maximum number of edges that are shown for a visit.
const EDGES_MAX: usize = 200;

#[derive(Debug, Clone, PartialEq)]
pub struct ConditionPart {
    pub text: SmolStr,
    /// Its range in the text of the condition.
    pub range: TextRange,
    /// Its value, or a message that says why it has none.
    pub value: Result<Value, String>,
}

/// What an editor can show of a frame: scopes with variables.
pub struct Contents<'t> {
    stacks: Stacks<'t>,
    frame: &'t StackFrame,
    states: States,
}

impl<'t> Contents<'t> {
    /// Computes the states as they were at the position of the frame.
    #[must_use]
    pub fn of(stacks: Stacks<'t>, frame: &'t StackFrame) -> Contents<'t> {
        let timeline = stacks.timeline;
        let states = timeline.moments().states_after(timeline.log(), frame.position);
        Contents { stacks, frame, states }
    }

    /// What expressions can read in the frame.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View {
            timeline: self.stacks.timeline,
            position: self.frame.position,
            states: &self.states,
            scope: self.frame.scope,
            visit: self.frame.visit,
        }
    }

    /// The scopes that have something to show.
    #[must_use]
    pub fn scopes(&self) -> Vec<ScopeKind> {
        let mut scopes = Vec::new();
        let event = self.event();
        let is_question = self.frame.kind == FrameKind::Question;
        if is_question {
            scopes.extend([ScopeKind::Question, ScopeKind::Answer]);
        }
        if self.begin().is_some_and(|reads| !matches!(reads, Value::Undefined | Value::Null)) {
            scopes.push(ScopeKind::Inputs);
        }
        scopes.push(ScopeKind::State);
        let is_inner = self.frame.kind != FrameKind::Graph;
        if is_inner && matches!(event.map(|event| &event.kind), Some(EventKind::Wrote { .. })) {
            scopes.push(ScopeKind::Changes);
        }
        if self.ended().is_some() || event.is_none() {
            scopes.push(ScopeKind::Result);
        }
        if matches!(self.frame.kind, FrameKind::Part(_) | FrameKind::Edge | FrameKind::Node)
            && self.ended().is_some()
        {
            scopes.push(ScopeKind::Edges);
        }
        scopes.push(ScopeKind::Budget);
        if !self.stacks.timeline.facts().beside.is_empty() {
            scopes.push(ScopeKind::Surroundings);
        }
        scopes
    }

    /// The variables of a scope.
    #[must_use]
    pub fn variables(&self, scope: ScopeKind) -> Vec<Variable> {
        match scope {
            ScopeKind::Inputs => match self.begin() {
                Some(Value::Map(reads)) => plain(reads),
                Some(value) => vec![Variable::new("input", value.clone())],
                None => Vec::new(),
            },
            ScopeKind::State => self.state(),
            ScopeKind::Changes => self.changes(),
            ScopeKind::Question => self.question(),
            ScopeKind::Answer => self.answer(),
            ScopeKind::Edges => self.edges(),
            ScopeKind::Budget => self.budget(),
            ScopeKind::Surroundings => plain(&self.stacks.timeline.facts().beside),
            ScopeKind::Result => self.result(),
        }
    }

    fn event(&self) -> Option<&Event> {
        self.stacks.timeline.log().get(self.frame.position)
    }

    /// The inputs with which the visit began. `None` outside of a visit.
    fn begin(&self) -> Option<&Value> {
        let span = self.stacks.timeline.moments().visit(self.frame.visit?)?;
        match &self.stacks.timeline.log().get(span.begin)?.kind {
            EventKind::VisitStarted { reads, .. } => Some(reads),
            _ => None,
        }
    }

    /// The event that ended the visit. `None` if the visit ends after the position of the frame.
    fn ended(&self) -> Option<&EventKind> {
        let span = self.stacks.timeline.moments().visit(self.frame.visit?)?;
        let end = span.end.filter(|end| *end <= self.frame.position)?;
        self.stacks.timeline.log().get(end).map(|event| &event.kind)
    }

    fn state(&self) -> Vec<Variable> {
        let Some(state) = self.states.of(self.frame.scope) else { return Vec::new() };
        let visible = self.view().circumstances().state;
        let roots = self.roots();
        let moments = self.stacks.timeline.moments();
        let of = |(key, value): (&SmolStr, &Value)| Variable {
            expression: expression(&visible, &roots, key),
            writer: moments.writer(self.frame.scope, key, self.frame.position),
            ..Variable::new(key.as_str(), value.clone())
        };
        state.iter().map(of).collect()
    }

    /// The names with which paths in the language of the conditions can begin.
    fn roots(&self) -> Vec<&'static str> {
        let Some(language) = language_of(self.stacks.timeline) else { return Vec::new() };
        let entries = language.vocabulary().iter();
        entries.filter(|entry| entry.kind == EntryKind::Root).map(|entry| entry.name).collect()
    }

    fn standing(&self) -> Option<StateAtEvent> {
        let last = self.stacks.timeline.log().len().checked_sub(1)?;
        self.stacks.timeline.state_at(self.frame.position.min(last))
    }

    /// What the visit changed with its writes in a row, up to the position of the frame.
    fn changes(&self) -> Vec<Variable> {
        let (timeline, log) = (self.stacks.timeline, self.stacks.timeline.log());
        let writer = |position: usize| match &log.get(position)?.kind {
            EventKind::Wrote { scope, visit, .. } => Some((*scope, *visit)),
            _ => None,
        };
        let own = writer(self.frame.position);
        let row =
            (0..=self.frame.position).rev().take_while(|position| own.is_some() && writer(*position) == own);
        let mut rows: Vec<usize> = row.collect();
        rows.reverse();
        let changed =
            rows.into_iter().filter_map(|position| timeline.state_at(position)).flat_map(|one| one.changes);
        let shown_change = |change: nodewise_simulation::state_at_event::StateChange| Variable {
            text: Some(format!("{} → {}", shown(&change.before), shown(&change.after))),
            ..Variable::new(change.key.as_str(), change.after)
        };
        changed.map(shown_change).collect()
    }

    fn question(&self) -> Vec<Variable> {
        let Some(ask) = self.stacks.question(self.frame.position) else { return Vec::new() };
        let mut variables = vec![Variable::new("of", Value::from(ask.what.noun()))];
        if ask.attempt > 1 {
            variables.push(Variable::new("attempt", Value::Number(f64::from(ask.attempt))));
        }
        if let Value::Map(map) = from_json(json::question(&ask.what)) {
            variables.extend(plain(&map));
        }
        variables
    }

    fn answer(&self) -> Vec<Variable> {
        let log = self.stacks.timeline.log();
        let position = self.frame.position;
        let answered = match log.get(position).map(|event| &event.kind) {
            Some(EventKind::Answered { answer, .. }) => Some(answer),
            Some(EventKind::Asked { .. }) => None,
            _ => return Vec::new(),
        };
        let pending = Variable {
            text: Some("not answered yet".to_owned()),
            is_editable: true,
            ..Variable::new("answer", Value::Undefined)
        };
        match answered {
            None => vec![pending],
            Some(answer) => self.answered(answer),
        }
    }

    /// An answer as a user writes it, and what else is known about it.
    fn answered(&self, answer: &Answer) -> Vec<Variable> {
        let Json::Object(mut written) = json::answer(answer) else { return Vec::new() };
        let asked = self.stacks.question(self.frame.position).map(|ask| &ask.what);
        let given = match (written.remove("reply"), written.remove("failure")) {
            (Some(reply), _) => Some(answer_notation::plain(asked, &reply)),
            (None, Some(failure)) => Some(serde_json::json!({ "failure": failure })),
            (None, None) => None,
        };
        // The user edits the text that the editor shows. So show the whole answer as JSON, unless it is too long.
        let variable = given.map(|given| Variable {
            text: Some(given.to_string()).filter(|text| text.len() <= TEXT_MAX),
            is_editable: true,
            ..Variable::new("answer", from_json(given))
        });
        let rest = written.into_iter().map(|(key, value)| Variable::new(key, from_json(value)));
        variable.into_iter().chain(rest).collect()
    }

    fn edges(&self) -> Vec<Variable> {
        let Some(visit) = self.frame.visit else { return Vec::new() };
        let moments = self.stacks.timeline.moments();
        let log = self.stacks.timeline.log();
        let Some(end) = moments.visit(visit).and_then(|span| span.end) else { return Vec::new() };
        let until = self.frame.position.min(log.len().saturating_sub(1));
        let mut variables = Vec::new();
        for position in end..=until {
            let Some(event) = log.get(position) else { break };
            match &event.kind {
                EventKind::EdgeJudged { visit: of, target, followed, reason, .. } if *of == visit => {
                    variables.push(self.edge(position, target, *followed, reason.as_deref()));
                }
                EventKind::HandedOver { visit: of, target, reason } if *of == visit => {
                    variables.push(Variable {
                        text: Some(format!("chosen: {reason}")),
                        ..Variable::new(format!("-> {target}"), Value::Undefined)
                    })
                }
                EventKind::VisitStarted { scope, .. } if *scope == self.frame.scope => break,
                _ => {}
            }
            if variables.len() == EDGES_MAX {
                break;
            }
        }
        variables
    }

    fn edge(&self, position: usize, target: &str, followed: bool, reason: Option<&str>) -> Variable {
        let word = if followed { "followed" } else { "not followed" };
        let condition = self.stacks.edge(position).and_then(|edge| edge.condition.as_ref());
        let text = match (condition, reason) {
            (Some(condition), _) => format!("{word}, when {}", condition.text),
            (None, Some(reason)) => format!("{word}: {reason}"),
            (None, None) => word.to_owned(),
        };
        let parts = self.stacks.parts(position).into_iter();
        let parts: Map = parts
            .map(|part| (part.text, part.value.unwrap_or_else(|message| message.as_str().into())))
            .collect();
        let value = if parts.is_empty() { Value::Undefined } else { parts.into() };
        let sign = if followed { "->" } else { "-x" };
        Variable { text: Some(text), ..Variable::new(format!("{sign} {target}"), value) }
    }

    fn budget(&self) -> Vec<Variable> {
        let Some(standing) = self.standing() else { return Vec::new() };
        let begun = self.stacks.timeline.moments().visits();
        let visits = begun.partition_point(|span| span.begin <= self.frame.position);
        let text =
            |name: &str, text: String| Variable { text: Some(text), ..Variable::new(name, Value::Undefined) };
        vec![
            text("time", words::time(standing.at)),
            Variable::new("visits", Value::Number(visits as f64)),
            Variable::new("input tokens", Value::Number(standing.spent.input_tokens)),
            Variable::new("output tokens", Value::Number(standing.spent.output_tokens)),
            text("cost", format!("{} USD", words::money(standing.spent.cost_usd))),
            text("event", format!("{} of {} known", self.frame.position, self.stacks.timeline.log().len())),
        ]
    }

    fn result(&self) -> Vec<Variable> {
        match self.ended() {
            Some(EventKind::VisitEnded { result: Ok(value), .. }) => {
                vec![Variable::new("yields", value.clone())]
            }
            Some(EventKind::VisitEnded { result: Err(failure), .. }) => vec![
                Variable::new("class", Value::from(failure.class.as_str())),
                Variable::new("message", Value::from(failure.message.as_str())),
            ],
            _ => {
                let Some(outcome) = self.stacks.timeline.outcome() else { return Vec::new() };
                let mut variables = vec![Variable::new("status", Value::from(outcome.status.word()))];
                if let Some(failure) = &outcome.failure {
                    variables.push(Variable::new("failure", Value::from(failure.to_string().as_str())));
                }
                if !matches!(outcome.output, Value::Undefined | Value::Null) {
                    variables.push(Variable::new("output", outcome.output.clone()));
                }
                variables
            }
        }
    }
}

impl Stacks<'_> {
    /// The parts of the condition of the edge at a position, each with its value. Empty if the event is not about an
    /// edge with a condition.
    #[must_use]
    pub fn parts(&self, position: usize) -> Vec<ConditionPart> {
        let Some(EventKind::EdgeJudged { visit, .. }) =
            self.timeline.log().get(position).map(|event| &event.kind)
        else {
            return Vec::new();
        };
        self.evaluated(position, *visit).unwrap_or_default()
    }

    fn evaluated(&self, position: usize, visit: VisitId) -> Option<Vec<ConditionPart>> {
        let (timeline, moments) = (self.timeline, self.timeline.moments());
        let facts = timeline.facts();
        let condition = self.edge(position)?.condition.as_ref()?;
        let states = moments.states_after(timeline.log(), position);
        let visited = moments.who().visit(visit)?;
        let state = states.of(visited.scope)?;
        let at = timeline.log().get(position)?.at;
        let moment = ConditionContext {
            now: facts.clock + at.0 as f64 / 1000.0,
            state,
            beside: &facts.beside,
            native: moments.seen_at(timeline.log(), position),
            error: moments.error_at(visit, position),
        };
        let chart = moments.who().chart(&facts.charts, visit)?;
        let evaluation = evaluated(facts.system, condition, &moment, chart.strict_taint)?;
        let mut parts: Vec<ConditionPart> = Vec::new();
        for Subexpression { range, value } in evaluation.parts {
            let text = condition.text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
            if parts.iter().all(|known| known.text != text) {
                parts.push(ConditionPart { text: text.into(), range, value });
            }
        }
        if parts.is_empty() {
            let value = evaluation.value.map_err(|failure| failure.message);
            let range = TextRange::up_to(TextSize::of(&*condition.text));
            parts.push(ConditionPart { text: condition.text.as_ref().into(), range, value });
        }
        Some(parts)
    }
}

impl ConditionPart {
    /// The part and its value, in one line.
    #[must_use]
    pub fn shown(&self) -> String {
        match &self.value {
            Ok(value) => format!("{} = {}", self.text, shown(value)),
            Err(message) => format!("{}: {message}", self.text),
        }
    }
}

fn plain(map: &Map) -> Vec<Variable> {
    map.iter().map(|(key, value)| Variable::new(key.as_str(), value.clone())).collect()
}

/// The expression with which a condition reads a key: a path below the first root that has the key, else the key
/// alone. `None` if no path reads it.
fn expression(visible: &Value, roots: &[&str], key: &str) -> Option<String> {
    if !key.split('.').all(is_name) {
        return None;
    }
    let path = |text: &str| text.split('.').try_fold(visible, |value, name| member(value, name)).is_some();
    let below = roots.iter().map(|root| format!("{root}.{key}")).find(|text| path(text));
    below.or_else(|| path(key).then(|| key.to_owned()))
}
