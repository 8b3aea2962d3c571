//! What is evaluated and completed at an event, in the language of the graph.
//!
//! Input: an expression and a position; output: its value, or what can be inserted. Invariant: nothing runs. A function of
//! a program is never called, and only the state is read.

use nodewise_engine::event::{ScopeId, VisitId};
use nodewise_engine::fold::States;
use nodewise_engine::time::Millis;
use nodewise_expr::assist::{self, Evaluation, Wanted};
use nodewise_expr::language::{Circumstances, ConditionDecision, Language, NamedRole};
use nodewise_expr::value::{Map, Value};
use nodewise_expr::vocabulary::EntryKind;
use nodewise_simulation::explain::circumstances;
use nodewise_simulation::system::ConditionContext;
use nodewise_simulation::timeline::Timeline;
use nodewise_syntax::TextSize;
use smol_str::SmolStr;

/// The maximum length of an expression, in bytes: reading one takes more than linear time.
pub const LENGTH_MAX: usize = 16 * 1024;

/// What an expression can read after an event, in one run of a graph.
#[derive(Clone, Copy)]
pub struct View<'t> {
    /// The run with its log.
    pub timeline: &'t Timeline,
    /// The position of the event.
    pub position: usize,
    /// The states of all graphs after the event.
    pub states: &'t States,
    /// The run of the graph whose state is read.
    pub scope: ScopeId,
    /// The visit whose error the expression can read.
    pub visit: Option<VisitId>,
}

/// Something that can be inserted in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// What is shown and inserted.
    pub label: String,
    /// What it is: `property`, `function`, `keyword`, `value`.
    pub kind: &'static str,
    /// The signature of a function, or the type of a member.
    pub detail: Option<String>,
}

/// The completions, and the range of the text that each of them replaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExpressionCompletions {
    /// Where the replaced text begins, in bytes.
    pub start: usize,
    /// Its length in bytes.
    pub length: usize,
    pub items: Vec<Completion>,
}

/// The language of the conditions in the graphs of a run. `None` if the system has no such language.
#[must_use]
pub fn language_of(timeline: &Timeline) -> Option<Language> {
    timeline.facts().system.dialect().condition_language()
}

impl View<'_> {
    /// The context in which an expression is evaluated: the state, the time, and what else conditions can read.
    #[must_use]
    pub fn circumstances(&self) -> Circumstances {
        let facts = self.timeline.facts();
        let (log, moments) = (self.timeline.log(), self.timeline.moments());
        let empty = Map::new();
        let state = self.states.of(self.scope).map_or(&empty, AsRef::as_ref);
        let at = log.get(self.position).or(log.last()).map_or(Millis::ZERO, |event| event.at);
        let moment = ConditionContext {
            now: facts.clock + at.0 as f64 / 1000.0,
            state,
            beside: &facts.beside,
            native: moments.seen_at(log, self.position),
            error: self.visit.and_then(|visit| moments.error_at(visit, self.position)),
        };
        let graph = moments.who().scope(self.scope).and_then(|run| facts.charts.graph(&run.graph));
        circumstances(facts.system, &moment, graph.is_some_and(|chart| chart.strict_taint))
    }

    /// The value of an expression and of its parts.
    ///
    /// # Errors
    /// If it is too long, cannot be read, or has no value.
    pub fn evaluate(&self, text: &str) -> Result<Evaluation, String> {
        let circumstances = self.circumstances();
        // Files name keys outside of conditions too, for example in the list of what a node reads. There, a key alone
        // means its value.
        if let Some(value) = self.key(text.trim(), &circumstances.state) {
            return Ok(Evaluation { value: Ok(value.clone()), decision: None, parts: Vec::new() });
        }
        let language = check(self.timeline, text)?;
        // In some languages a path that stands alone is a function of the program. In a debugger, it is a part of the state.
        if language.names(text).iter().any(|named| named.role == NamedRole::Function) {
            let mut names = text.trim().split('.');
            let found = names.try_fold(&circumstances.state, |value, name| member(value, name));
            let called =
                || format!("`{}` is a function of the program, which is not called here", text.trim());
            let value = Ok(found.ok_or_else(called)?.clone());
            return Ok(Evaluation { value, decision: None, parts: Vec::new() });
        }
        let evaluation = assist::evaluate(language, text, &circumstances);
        match &evaluation.value {
            Ok(_) => Ok(evaluation),
            Err(failure) => {
                Err(format!("{} (column {})", failure.message, column(text, failure.range.start())))
            }
        }
    }

    /// The value of a key of the state, unless conditions see something else by that name.
    fn key(&self, name: &str, visible: &Value) -> Option<&Value> {
        let value = self.states.of(self.scope)?.get(name)?;
        member(visible, name).is_none().then_some(value)
    }

    /// Whether a condition holds, as the graph's language decides.
    ///
    /// # Errors
    /// If it cannot be read, or has no value.
    pub fn holds(&self, text: &str) -> Result<bool, String> {
        let evaluation = self.evaluate(text)?;
        Ok(match (&evaluation.decision, &evaluation.value) {
            (Some(ConditionDecision::Holds), _) => true,
            (Some(ConditionDecision::Fails), _) => false,
            (_, Ok(value)) => is_true(value),
            (_, Err(_)) => false,
        })
    }

    /// The completions at an offset in bytes. Empty if the text is too long, or if the system has no language for conditions.
    #[must_use]
    pub fn complete(&self, text: &str, offset: usize) -> ExpressionCompletions {
        let Some(language) = language_of(self.timeline).filter(|_| text.len() <= LENGTH_MAX) else {
            return ExpressionCompletions::default();
        };
        let offset = TextSize::try_from(offset.min(text.len())).unwrap_or_default();
        let expected = assist::expected(language, text, offset);
        let visible = self.circumstances().state;
        let mut items = Vec::new();
        for wanted in &expected.kinds {
            match wanted {
                Wanted::Member { path } => items.extend(members(&visible, path)),
                Wanted::Operand { .. } | Wanted::Path => items.extend(members(&visible, &[])),
                _ => {}
            }
            for entry in assist::fitting(language, wanted) {
                let kind = match entry.kind {
                    EntryKind::Function | EntryKind::Method | EntryKind::Builtin => "function",
                    EntryKind::Root => "property",
                    EntryKind::Constant => "value",
                    _ => "keyword",
                };
                let detail = entry.signature.map(str::to_owned);
                items.push(Completion { label: entry.name.to_owned(), kind, detail });
            }
        }
        items.retain(|item| item.label.starts_with(expected.prefix.as_str()));
        items.sort_by(|one, other| one.label.cmp(&other.label));
        items.dedup_by(|one, other| one.label == other.label);
        ExpressionCompletions {
            start: usize::from(expected.replace.start()),
            length: usize::from(expected.replace.len()),
            items,
        }
    }
}

/// Checks that an expression can be read, and returns its language.
///
/// # Errors
/// If it is too long, cannot be read, or the system has no language for conditions.
pub fn check(timeline: &Timeline, text: &str) -> Result<Language, String> {
    let language = language_of(timeline).ok_or("the graph's system has no expressions")?;
    if text.len() > LENGTH_MAX {
        return Err(format!("the expression is longer than {LENGTH_MAX} bytes"));
    }
    match language.problems(text).into_iter().next() {
        Some(problem) => Err(format!("{} (column {})", problem.message, column(text, problem.range.start()))),
        None => Ok(language),
    }
}

fn column(text: &str, offset: TextSize) -> usize {
    text.get(..usize::from(offset)).map_or(1, |before| before.chars().count() + 1)
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Undefined | Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => *number != 0.0 && !number.is_nan(),
        Value::Text(text) => !text.is_empty(),
        Value::List(_) | Value::Map(_) | Value::Pattern(_) | Value::Function(_) => true,
    }
}

/// A completion for each member of the value at a path.
fn members(visible: &Value, path: &[SmolStr]) -> Vec<Completion> {
    let Some(Value::Map(map)) = path.iter().try_fold(visible, |value, name| member(value, name)) else {
        return Vec::new();
    };
    let of = |(key, value): (&SmolStr, &Value)| Completion {
        label: key.to_string(),
        kind: "property",
        detail: Some(value.type_name().to_owned()),
    };
    map.iter().map(of).collect()
}

/// A member of a value by its name. In a list, the name is a position from 0, or `*` for the first item.
pub(crate) fn member<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    match value {
        Value::Map(map) => map.get(name),
        Value::List(items) if name == "*" => items.first(),
        Value::List(items) => items.get(name.parse::<usize>().ok()?),
        _ => None,
    }
}
