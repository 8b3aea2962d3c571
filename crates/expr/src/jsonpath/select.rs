//! Selecting values by a path, in the order and with the quirks of jsonpath-plus 10.4.0.
//!
//! Input: a path and the value that it begins at; output: the values that it selects, or why there are none.
//! Invariant: the work is bounded by [`MOST_WORK`], the stack by [`DEEPEST`].

mod evaluation;
mod place;

use std::rc::Rc;

use text_size::TextRange;

use self::place::{SelectedNode, Trail, children};
use super::methods::has_own;
use super::segment::{classify, is_slice};
use super::traced::Traced;
use super::{Filter, JsonPath, JsonPathSegment, ScriptExpression, SegmentKind, Slice};
use crate::javascript::{is_truthy, member, to_text};
use crate::value::Value;

/// The limit of all work together: steps, children that are examined, and results that are passed on.
const MOST_WORK: usize = 2_000_000;

/// How many steps may be nested.
const DEEPEST: usize = 400;

/// Names that every JavaScript object has. The library mistakes a path that is only such a name for one in its cache.
pub(super) const INHERITED: &[&str] = &[
    "constructor",
    "toString",
    "toLocaleString",
    "valueOf",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
    "__proto__",
    "__defineGetter__",
    "__defineSetter__",
    "__lookupGetter__",
    "__lookupSetter__",
];

/// The result of a path.
#[derive(Debug, Clone, PartialEq)]
pub enum Selected {
    Values(Vec<Value>),
    /// Not even an empty list, because the path begins at a value that counts as false.
    Nothing,
}

/// The reason why a path selects nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathError {
    /// The class of error.
    pub kind: PathErrorKind,
    /// The release's exception; for what nodewise cannot do, a message.
    pub message: String,
    /// The step that failed, or a part of it.
    pub range: TextRange,
}

/// The class of a [`PathError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathErrorKind {
    /// The release throws.
    Thrown,
    /// The release may have a result, but nodewise cannot compute it.
    Unsupported,
    /// The path needs more work than nodewise allows.
    TooMuch,
}

/// What a path selects from a value.
pub fn select(path: &JsonPath, root: &Value) -> Result<Selected, PathError> {
    if !is_truthy(root) {
        return Ok(Selected::Nothing);
    }
    let whole = TextRange::up_to(text_size::TextSize::of(path.text.as_str()));
    if INHERITED.contains(&path.text.as_str()) {
        return Err(thrown("cache[expr].concat is not a function".to_owned(), whole));
    }
    let steps = match path.segments.as_slice() {
        [first, rest @ ..] if first.text == "$" && !rest.is_empty() => rest,
        segments => segments,
    };
    let mut tracer = Tracer { root, at: whole, work: 0, depth: 0, climbs: false };
    match tracer.trace(Steps { head: None, rest: steps }, SelectedNode::root(root), Priority::Meaning)? {
        Outcome::Many(entries) => {
            let found = entries.into_iter().filter_map(|entry| match entry {
                Entry::Found(value) => Some(value),
                Entry::Climb { .. } | Entry::Absent => None,
            });
            Ok(Selected::Values(found.collect()))
        }
        Outcome::One(_) => Err(thrown("this._trace(...).filter is not a function".to_owned(), whole)),
    }
}

impl PathErrorKind {
    /// The kind as the command prints it.
    pub fn name(self) -> &'static str {
        match self {
            PathErrorKind::Thrown => "thrown",
            PathErrorKind::Unsupported => "unsupported",
            PathErrorKind::TooMuch => "too-much",
        }
    }
}

/// The steps that are still ahead.
#[derive(Clone)]
struct Steps<'p> {
    /// A step that was computed during evaluation; it comes first.
    head: Option<Head<'p>>,
    rest: &'p [JsonPathSegment],
}

/// One step.
#[derive(Clone)]
enum Head<'p> {
    Written(&'p JsonPathSegment),
    Made(Rc<JsonPathSegment>),
    /// The name of a part, which is not a text.
    Named(Value, TextRange),
}

/// Whether a step's text is first tried as a name, as after a name or a wildcard.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Priority {
    Meaning,
    Name,
}

/// The result of some steps: a list, or a single result, to which lists are joined.
enum Outcome<'p> {
    Many(Vec<Entry<'p>>),
    One(Entry<'p>),
}

enum Entry<'p> {
    Found(Value),
    /// Steps that continue at the parent.
    Climb {
        trail: Trail,
        rest: &'p [JsonPathSegment],
    },
    Absent,
}

/// The list of results of several steps.
struct Gathered<'p>(Vec<Entry<'p>>);

struct Tracer<'r> {
    root: &'r Value,
    /// The range of the last step.
    at: TextRange,
    work: usize,
    depth: usize,
    /// Whether a step to a parent occurred.
    climbs: bool,
}

pub(super) fn thrown(message: String, range: TextRange) -> PathError {
    PathError { kind: PathErrorKind::Thrown, message, range }
}

impl<'p> Steps<'p> {
    fn behind(rest: &'p [JsonPathSegment]) -> Self {
        Steps { head: None, rest }
    }

    fn with(head: Head<'p>, rest: &'p [JsonPathSegment]) -> Self {
        Steps { head: Some(head), rest }
    }

    fn split(self) -> Option<(Head<'p>, &'p [JsonPathSegment])> {
        match (self.head, self.rest) {
            (Some(head), rest) => Some((head, rest)),
            (None, [first, rest @ ..]) => Some((Head::Written(first), rest)),
            (None, []) => None,
        }
    }
}

impl<'p> Gathered<'p> {
    fn add(&mut self, outcome: Outcome<'p>) {
        match outcome {
            Outcome::Many(mut entries) if self.0.is_empty() => std::mem::swap(&mut self.0, &mut entries),
            Outcome::Many(entries) => self.0.extend(entries),
            Outcome::One(entry) => self.0.push(entry),
        }
    }
}

impl Tracer<'_> {
    fn trace<'p>(
        &mut self,
        steps: Steps<'p>,
        place: SelectedNode,
        priority: Priority,
    ) -> Result<Outcome<'p>, PathError> {
        let again = steps.clone();
        let Some((head, rest)) = steps.split() else { return Ok(Outcome::One(Entry::Found(place.value))) };
        let range = head.range();
        self.at = range;
        self.spend(1)?;
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("the path takes more than {DEEPEST} steps into one another");
            return Err(PathError { kind: PathErrorKind::TooMuch, message, range });
        }
        let outcome = match &head {
            Head::Written(segment) => self.segment(segment, &again, rest, &place, priority),
            Head::Made(segment) => self.segment(segment, &again, rest, &place, priority),
            Head::Named(name, range) => self.named(name, *range, rest, &place),
        }?;
        self.depth -= 1;
        match outcome {
            Outcome::Many(entries) => {
                let entries = if self.climbs { self.climb(entries, &place)? } else { entries };
                self.spend(entries.len())?;
                Ok(Outcome::Many(entries))
            }
            one => Ok(one),
        }
    }

    fn spend(&mut self, work: usize) -> Result<(), PathError> {
        self.work += work;
        if self.work > MOST_WORK {
            let message = format!("the path takes more than {MOST_WORK} steps");
            return Err(PathError { kind: PathErrorKind::TooMuch, message, range: self.at });
        }
        Ok(())
    }

    fn segment<'p>(
        &mut self,
        segment: &JsonPathSegment,
        again: &Steps<'p>,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
        priority: Priority,
    ) -> Result<Outcome<'p>, PathError> {
        if priority == Priority::Name
            && !matches!(segment.kind, SegmentKind::Lost)
            && let Some(child) = place.own(&segment.text)
        {
            return self.follow(rest, child, Priority::Meaning);
        }
        self.meaning(&segment.kind, segment, again, rest, place, priority)
    }

    fn meaning<'p>(
        &mut self,
        kind: &SegmentKind,
        segment: &JsonPathSegment,
        again: &Steps<'p>,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
        priority: Priority,
    ) -> Result<Outcome<'p>, PathError> {
        let nothing = Ok(Outcome::Many(Vec::new()));
        match kind {
            SegmentKind::Child => match place.own(&segment.text) {
                Some(child) if priority == Priority::Meaning => self.follow(rest, child, Priority::Name),
                _ => nothing,
            },
            SegmentKind::Wildcard => self.each_child(rest, place, Priority::Name, |_, _| Ok(true)),
            SegmentKind::Descendants => self.descend(again, rest, place),
            SegmentKind::Parent => {
                self.climbs = true;
                Ok(Outcome::One(Entry::Climb { trail: place.trail.before(), rest }))
            }
            SegmentKind::Name => Ok(Outcome::One(Entry::Found(place.name.clone()))),
            SegmentKind::Root => self.follow(rest, place.as_root(), Priority::Meaning),
            SegmentKind::Slice(slice) => self.slice(*slice, segment.range, rest, place),
            SegmentKind::Filter(filter) => self.filter(filter, rest, place),
            SegmentKind::Computed(script) => self.computed(script, rest, place),
            SegmentKind::Type(word) => match is_of_type(&place.value, word, segment.range)? {
                true => Ok(Outcome::One(Entry::Found(place.value.clone()))),
                false => nothing,
            },
            SegmentKind::Escaped { name, otherwise } => match place.own(name) {
                Some(child) => self.follow(rest, child, Priority::Name),
                None => self.meaning(otherwise, segment, again, rest, place, priority),
            },
            SegmentKind::Union(parts) => {
                let mut gathered = Gathered(Vec::new());
                for part in parts {
                    let steps = Steps::with(Head::Made(Rc::new(part.clone())), rest);
                    gathered.add(self.trace(steps, place.clone(), Priority::Meaning)?);
                }
                Ok(Outcome::Many(gathered.0))
            }
            SegmentKind::Lost => self.named(&Value::Undefined, segment.range, rest, place),
        }
    }

    /// Follows the remaining steps from one place.
    fn follow<'p>(
        &mut self,
        rest: &'p [JsonPathSegment],
        place: SelectedNode,
        priority: Priority,
    ) -> Result<Outcome<'p>, PathError> {
        let mut gathered = Gathered(Vec::new());
        gathered.add(self.trace(Steps::behind(rest), place, priority)?);
        Ok(Outcome::Many(gathered.0))
    }

    /// Follows the remaining steps from the children that are `wanted`.
    fn each_child<'p>(
        &mut self,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
        priority: Priority,
        mut wanted: impl FnMut(&mut Self, &SelectedNode) -> Result<bool, PathError>,
    ) -> Result<Outcome<'p>, PathError> {
        let mut gathered = Gathered(Vec::new());
        let children = children(place);
        self.spend(children.len())?;
        for child in children {
            if wanted(self, &child)? {
                gathered.add(self.trace(Steps::behind(rest), child, priority)?);
            }
        }
        Ok(Outcome::Many(gathered.0))
    }

    fn descend<'p>(
        &mut self,
        again: &Steps<'p>,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
    ) -> Result<Outcome<'p>, PathError> {
        let mut gathered = Gathered(Vec::new());
        gathered.add(self.trace(Steps::behind(rest), place.clone(), Priority::Meaning)?);
        let children = children(place);
        self.spend(children.len())?;
        for child in children {
            if matches!(child.value, Value::Null | Value::List(_) | Value::Map(_)) {
                gathered.add(self.trace(again.clone(), child, Priority::Meaning)?);
            }
        }
        Ok(Outcome::Many(gathered.0))
    }

    fn slice<'p>(
        &mut self,
        slice: Slice,
        range: TextRange,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
    ) -> Result<Outcome<'p>, PathError> {
        let Value::List(items) = &place.value else { return Ok(Outcome::Many(vec![Entry::Absent])) };
        let length = items.len() as f64;
        let within = |bound: f64| if bound < 0.0 { (bound + length).max(0.0) } else { bound.min(length) };
        let mut index = within(slice.start);
        let end = within(slice.end.unwrap_or(length));
        let mut gathered = Gathered(Vec::new());
        while index < end {
            let steps = Steps::with(Head::Named(Value::Number(index), range), rest);
            gathered.add(self.trace(steps, place.clone(), Priority::Meaning)?);
            index += slice.step;
        }
        Ok(Outcome::Many(gathered.0))
    }

    fn filter<'p>(
        &mut self,
        filter: &Filter,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
    ) -> Result<Outcome<'p>, PathError> {
        let Some(nested) = &filter.nested else {
            let cost = filter.script.source.len() / 32;
            return self.each_child(rest, place, Priority::Meaning, |tracer, child| {
                tracer.spend(cost)?;
                let value = evaluation::value(&filter.script, child, place, tracer.root)?;
                Ok(is_truthy(&value))
            });
        };
        self.each_child(rest, place, Priority::Meaning, |tracer, child| {
            let value = match (&child.value, nested.name.as_str()) {
                (value, "") => value.clone(),
                (Value::Null | Value::Undefined, name) => {
                    let message =
                        format!("Cannot read properties of {} (reading '{name}')", to_text(&child.value));
                    return Err(thrown(message, nested.segment.range));
                }
                (value, name) => member(value, name).map_or(Value::Undefined, |found| found.into_owned()),
            };
            let part = SelectedNode { value, ..place.clone() };
            let steps = Steps::with(Head::Written(&nested.segment), &[]);
            Ok(match tracer.trace(steps, part, Priority::Meaning)? {
                Outcome::Many(entries) => !entries.is_empty(),
                // A single result has no length.
                Outcome::One(_) => false,
            })
        })
    }

    /// Computes a name, and reads it as a step.
    fn computed<'p>(
        &mut self,
        script: &ScriptExpression,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
    ) -> Result<Outcome<'p>, PathError> {
        let name = evaluation::value(script, &place.itself(), place, self.root)?;
        let head = match name {
            Value::Text(text) => Head::Made(Rc::new(classify(&Traced::made(&text, script.range)))),
            name => Head::Named(name, script.range),
        };
        let mut gathered = Gathered(Vec::new());
        gathered.add(self.trace(Steps::with(head, rest), place.clone(), Priority::Meaning)?);
        Ok(Outcome::Many(gathered.0))
    }

    /// Follows a name that is not a text.
    fn named<'p>(
        &mut self,
        name: &Value,
        range: TextRange,
        rest: &'p [JsonPathSegment],
        place: &SelectedNode,
    ) -> Result<Outcome<'p>, PathError> {
        if let Some(child) = place.own_under(name) {
            return self.follow(rest, child, Priority::Meaning);
        }
        match name {
            Value::Undefined | Value::Null => {
                Err(thrown(format!("Cannot read properties of {} (reading 'indexOf')", to_text(name)), range))
            }
            Value::List(items) => list_as_name(items, place, range),
            _ => Err(thrown("loc.indexOf is not a function".to_owned(), range)),
        }
    }

    /// Continues from this place with the steps that went up to it.
    fn climb<'p>(
        &mut self,
        entries: Vec<Entry<'p>>,
        place: &SelectedNode,
    ) -> Result<Vec<Entry<'p>>, PathError> {
        let mut climbed = Vec::with_capacity(entries.len());
        for entry in entries {
            let Entry::Climb { trail, rest } = entry else {
                climbed.push(entry);
                continue;
            };
            let from = SelectedNode { trail, ..place.clone() };
            match self.trace(Steps::behind(rest), from, Priority::Meaning)? {
                Outcome::Many(found) if found.is_empty() => climbed.push(Entry::Absent),
                Outcome::Many(found) => climbed.extend(found),
                Outcome::One(entry) => climbed.push(entry),
            }
        }
        Ok(climbed)
    }
}

impl Head<'_> {
    fn range(&self) -> TextRange {
        match self {
            Head::Written(segment) => segment.range,
            Head::Made(segment) => segment.range,
            Head::Named(_, range) => *range,
        }
    }
}

/// A list as a name finds no part. The library treats it as a text until it needs a function of texts that lists lack.
fn list_as_name<'p>(
    items: &[Value],
    place: &SelectedNode,
    range: TextRange,
) -> Result<Outcome<'p>, PathError> {
    let holds = |wanted: &str| items.contains(&Value::from(wanted));
    let first = items.first().map(to_text).unwrap_or_default();
    let text = to_text(&items.iter().cloned().collect());
    if is_slice(&text) {
        return match &place.value {
            Value::List(_) => Err(thrown("loc.split is not a function".to_owned(), range)),
            _ => Ok(Outcome::Many(vec![Entry::Absent])),
        };
    }
    let missing = match first.as_str() {
        "?(" => "loc.replace",
        "(" => "code.replaceAll",
        "@" => return Err(thrown("Unknown value type ".to_owned(), range)),
        _ if holds(",") => "loc.split",
        _ => return Ok(Outcome::Many(Vec::new())),
    };
    Err(thrown(format!("{missing} is not a function"), range))
}

fn is_of_type(value: &Value, word: &str, range: TextRange) -> Result<bool, PathError> {
    let is_object = matches!(value, Value::List(_) | Value::Map(_));
    Ok(match (word, value) {
        ("scalar", _) => !is_object,
        ("boolean", value) => matches!(value, Value::Bool(_)),
        ("string", value) => matches!(value, Value::Text(_)),
        ("undefined", value) => matches!(value, Value::Undefined),
        ("function", value) => matches!(value, Value::Function(_)),
        ("integer", Value::Number(number)) => number.is_finite() && number.fract() == 0.0,
        ("number", Value::Number(number)) => number.is_finite(),
        ("nonFinite", Value::Number(number)) => !number.is_finite(),
        ("integer" | "number" | "nonFinite", _) => false,
        ("object", _) => is_object,
        ("array", value) => matches!(value, Value::List(_)),
        ("null", value) => matches!(value, Value::Null),
        ("other", _) => {
            let message = "You must supply an otherTypeCallback callback option with the @other() operator.";
            return Err(thrown(message.to_owned(), range));
        }
        (word, _) => return Err(thrown(format!("Unknown value type {word}"), range)),
    })
}

/// Whether a value has the part itself. An empty text counts as having none.
fn has_part(value: &Value, name: &str) -> bool {
    is_truthy(value) && has_own(value, name)
}
