//! Schemas in code, as Zod makes them, and the JSON Schemas that they become.
//!
//! Input: calls of Zod's functions and methods. Output: a JSON Schema, in one of two forms: that of the types alone, as a package
//! writes that converts schemas by itself, or Zod's own. Invariant: what differs between releases of Zod, or is not a
//! matter of types, is unknown.

use std::rc::Rc;

use crate::evaluate::Evaluation;
use crate::value::{Data, Form, Member, Object, OtherMembers, Place, Schema, Value};

/// Schemas that are nested deeper than this are unknown.
const DEPTH_MAX: usize = 50;
/// The largest integer that JavaScript represents exactly. Zod limits integers to it.
const SAFE_MAX: f64 = 9_007_199_254_740_991.0;
/// The version of JSON Schema that Zod writes.
const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";
/// Methods that restrict or change values. Their effect is not followed, so that only the type is known.
const LIMITS: &[&str] = &[
    "min",
    "max",
    "length",
    "nonempty",
    "size",
    "gt",
    "gte",
    "lt",
    "lte",
    "positive",
    "negative",
    "nonnegative",
    "nonpositive",
    "int",
    "finite",
    "safe",
    "multipleOf",
    "step",
    "email",
    "url",
    "uuid",
    "cuid",
    "cuid2",
    "ulid",
    "nanoid",
    "regex",
    "includes",
    "startsWith",
    "endsWith",
    "datetime",
    "date",
    "time",
    "ip",
    "base64",
    "refine",
    "superRefine",
    "check",
    "brand",
];
/// Methods that change texts but neither the type nor the JSON Schema.
const CHANGES: &[&str] = &["trim", "toLowerCase", "toUpperCase", "normalize"];

/// Whether a module is Zod.
pub(crate) fn is_schema_package(module: &str) -> bool {
    matches!(module, "zod" | "zod/v4" | "zod/v3")
}

fn schema<'t>(form: Form<'t>, at: Place) -> Value<'t> {
    Value { data: Data::Schema(Rc::new(Schema { form })), at, by: None }
}

fn unknown<'t>(at: Place) -> Value<'t> {
    Value::unknown("a schema that is not followed", at)
}

impl<'t> Evaluation<'t> {
    /// The value that a function of Zod returns.
    pub(crate) fn schema(&self, name: &str, arguments: &[Value<'t>], place: Place) -> Value<'t> {
        let first = || arguments.first().cloned().unwrap_or_else(|| Value::undefined(place));
        let members = |others| match first().as_object() {
            Some(object) => Form::Mapping(Object::clone(object), others),
            None => Form::Other,
        };
        let form = match name {
            "string" => Form::Plain("string"),
            "number" => Form::Plain("number"),
            "boolean" => Form::Plain("boolean"),
            "null" => Form::Plain("null"),
            "any" | "unknown" => Form::Any,
            "date" | "bigint" | "symbol" | "undefined" | "void" | "never" | "function" | "map" | "set"
            | "promise" => Form::Other,
            "enum" | "nativeEnum" => match &first().data {
                Data::List(list) if !list.is_open => Form::OneOf(list.items.clone()),
                Data::Object(object) if object.open.is_none() => {
                    Form::OneOf(object.members.iter().map(|member| member.value.clone()).collect())
                }
                _ => return unknown(place),
            },
            "literal" => match &first().data {
                Data::List(list) if !list.is_open => Form::Literal(list.items.clone()),
                Data::List(_) | Data::Unknown(_) => return unknown(place),
                _ => Form::Literal(vec![first()]),
            },
            "array" => Form::List(first()),
            "object" if arguments.is_empty() => Form::Mapping(Object::default(), OtherMembers::Dropped),
            "object" | "strictObject" | "looseObject" if first().is_unknown() => return unknown(place),
            "object" => members(OtherMembers::Dropped),
            "strictObject" => members(OtherMembers::Refused),
            "looseObject" => members(OtherMembers::Kept),
            "union" => match first().as_list().filter(|list| !list.is_open) {
                Some(list) => Form::AnyOf(list.items.clone()),
                None => return unknown(place),
            },
            "discriminatedUnion" => {
                match arguments.get(1).and_then(Value::as_list).filter(|list| !list.is_open) {
                    Some(list) => Form::AnyOf(list.items.clone()),
                    None => return unknown(place),
                }
            }
            "record" => Form::Record(arguments.get(1).cloned().unwrap_or_else(first)),
            "tuple" => Form::Tuple,
            "optional" => Form::Optional(first()),
            "nullable" => Form::Nullable(first()),
            "nullish" => Form::Optional(schema(Form::Nullable(first()), place)),
            _ => return unknown(place),
        };
        schema(form, place)
    }

    /// The value that a method of a schema returns.
    pub(crate) fn method_of_schema(
        &self,
        value: &Value<'t>,
        known: &Schema<'t>,
        method: &str,
        arguments: &[Value<'t>],
        place: Place,
    ) -> Value<'t> {
        let first = || arguments.first().cloned().unwrap_or_else(|| Value::undefined(place));
        let inner = value.clone();
        let form = match (method, &known.form) {
            ("optional", _) => Form::Optional(inner),
            ("nullable", _) => Form::Nullable(inner),
            ("nullish", _) => Form::Optional(schema(Form::Nullable(inner), place)),
            ("default", _) => Form::WithDefault(inner, first()),
            ("describe", _) => Form::Noted(inner, "description", first()),
            ("array", _) => Form::List(inner),
            ("or", _) => Form::AnyOf(vec![inner, first()]),
            ("strict", Form::Mapping(object, _)) => Form::Mapping(object.clone(), OtherMembers::Refused),
            ("passthrough" | "loose", Form::Mapping(object, _)) => {
                Form::Mapping(object.clone(), OtherMembers::Kept)
            }
            ("strip", Form::Mapping(object, _)) => Form::Mapping(object.clone(), OtherMembers::Dropped),
            ("extend", Form::Mapping(object, others)) => {
                let mut whole = object.clone();
                self.spread_members(&first(), place, &mut whole);
                Form::Mapping(whole, *others)
            }
            ("partial", Form::Mapping(object, others)) if arguments.is_empty() => {
                let mut whole = object.clone();
                for member in &mut whole.members {
                    member.value = schema(Form::Optional(member.value.clone()), member.value.at);
                }
                Form::Mapping(whole, *others)
            }
            ("pick" | "omit", Form::Mapping(object, others)) => match first().as_object() {
                Some(chosen) if chosen.open.is_none() => {
                    let mut whole = object.clone();
                    whole.members.retain(|member| chosen.member(&member.key).is_some() == (method == "pick"));
                    Form::Mapping(whole, *others)
                }
                _ => return unknown(place),
            },
            ("int", Form::Plain("number")) => Form::Whole(None, None),
            ("min" | "gte", Form::Whole(None, most)) if is_number(&first()) => {
                Form::Whole(Some(first()), most.clone())
            }
            ("max" | "lte", Form::Whole(least, None)) if is_number(&first()) => {
                Form::Whole(least.clone(), Some(first()))
            }
            ("min" | "max" | "gte" | "lte", _) if is_number(&first()) => match limit(known, method) {
                Some(key) => Form::Noted(inner, key, first()),
                None => Form::Limited(inner),
            },
            (method, _) if CHANGES.contains(&method) => return inner,
            (method, _) if LIMITS.contains(&method) => Form::Limited(inner),
            _ => return unknown(place),
        };
        schema(form, place)
    }

    /// The JSON Schema with the types only. A value that is no schema becomes one that allows everything.
    pub(crate) fn lowered(&self, value: &Value<'t>) -> Value<'t> {
        types(value, 0)
    }

    /// The JSON Schema that Zod itself writes, for input or output values.
    pub(crate) fn json_schema(&self, value: &Value<'t>, is_input: bool) -> Value<'t> {
        let Some(mut whole) = own(value, is_input, 0).as_object().map(|object| Object::clone(object)) else {
            return unknown(value.at);
        };
        let draft = Value::computed(DRAFT.to_owned(), value.at);
        whole.members.insert(0, Member { key: "$schema".into(), key_at: value.at, value: draft });
        Value::object(whole, value.at)
    }
}

/// Whether a schema accepts a missing value; `None` if that is not known.
pub(crate) fn accepts_nothing(value: &Value<'_>) -> Option<bool> {
    let Data::Schema(known) = &value.data else { return None };
    Some(match &known.form {
        Form::Optional(_) | Form::WithDefault(..) | Form::Any => true,
        Form::Noted(inner, ..) | Form::Nullable(inner) => return accepts_nothing(inner),
        Form::AnyOf(options) => {
            let accepts: Vec<bool> = options.iter().map(accepts_nothing).collect::<Option<_>>()?;
            accepts.contains(&true)
        }
        Form::Other | Form::Limited(_) => return None,
        Form::Plain(_)
        | Form::Whole(..)
        | Form::OneOf(_)
        | Form::Literal(_)
        | Form::List(_)
        | Form::Mapping(..)
        | Form::Record(_)
        | Form::Tuple => false,
    })
}

fn is_number(value: &Value<'_>) -> bool {
    matches!(value.data, Data::Number(number) if number.is_finite())
}

/// The keyword that a method sets. `None` if the schema already has this keyword or another kind of keyword: then the
/// releases of Zod differ.
fn limit(known: &Schema<'_>, method: &str) -> Option<&'static str> {
    let (mut form, mut present) = (&known.form, Vec::new());
    while let Form::Noted(inner, key, _) = form {
        present.push(*key);
        let Data::Schema(inner) = &inner.data else { return None };
        form = &inner.form;
    }
    let [least, most] = match form {
        Form::Plain("string") => ["minLength", "maxLength"],
        Form::Plain("number") => ["minimum", "maximum"],
        Form::List(_) => ["minItems", "maxItems"],
        _ => return None,
    };
    let key = match (method, least) {
        ("min", _) | ("gte", "minimum") => least,
        ("max", _) | ("lte", "minimum") => most,
        _ => return None,
    };
    let is_alone = present.iter().all(|other| *other != key && [least, most].contains(other));
    is_alone.then_some(key)
}

/// A JSON Schema with these keywords.
fn keywords<'t>(members: impl IntoIterator<Item = (&'static str, Value<'t>)>, at: Place) -> Value<'t> {
    let member = |(key, value): (&'static str, Value<'t>)| Member { key: key.into(), key_at: at, value };
    Value::object(Object { members: members.into_iter().map(member).collect(), ..Object::default() }, at)
}

fn word<'t>(text: &str, at: Place) -> Value<'t> {
    Value::computed(text.to_owned(), at)
}

fn list<'t>(items: Vec<Value<'t>>, at: Place) -> Value<'t> {
    Value::list(items, false, at)
}

/// The mapping of the fields' schemas, and the list of required fields.
fn fields<'t>(
    object: &Object<'t>,
    at: Place,
    lower: impl Fn(&Value<'t>) -> Value<'t>,
    may_lack: impl Fn(&Value<'t>) -> bool,
) -> (Value<'t>, Vec<Value<'t>>) {
    let mut written = Object { open: object.open.clone(), ..Object::default() };
    let mut required = Vec::new();
    for member in &object.members {
        if !may_lack(&member.value) {
            required.push(Value::computed(member.key.to_string(), member.key_at));
        }
        written.set(Member { value: lower(&member.value), ..member.clone() });
    }
    (Value::object(written, at), required)
}

/// The JSON Schema with the types only.
fn types<'t>(value: &Value<'t>, depth: usize) -> Value<'t> {
    let at = value.at;
    let known = match &value.data {
        Data::Schema(known) if depth <= DEPTH_MAX => known,
        Data::Undefined | Data::Null | Data::Bool(_) | Data::Number(_) | Data::Text(_) | Data::List(_) => {
            return keywords([], at);
        }
        Data::Object(object) if object.open.is_none() && object.product.is_none() => return keywords([], at),
        _ => return unknown(at),
    };
    let inner = |value: &Value<'t>| types(value, depth + 1);
    match &known.form {
        Form::Plain(word_of_type) => keywords([("type", word(word_of_type, at))], at),
        Form::Whole(..) => keywords([("type", word("number", at))], at),
        Form::OneOf(values) | Form::Literal(values) => keywords([("enum", list(values.clone(), at))], at),
        Form::List(item) => keywords([("type", word("array", at)), ("items", inner(item))], at),
        Form::Mapping(object, _)
            if object.open.is_some() || object.members.iter().any(|field| field.value.is_unknown()) =>
        {
            unknown(at)
        }
        Form::Mapping(object, _) => {
            let (properties, required) = fields(object, at, inner, |field| {
                outermost(field).is_some_and(|form| matches!(form, Form::Optional(_) | Form::WithDefault(..)))
            });
            let mut members = vec![("type", word("object", at)), ("properties", properties)];
            if !required.is_empty() {
                members.push(("required", list(required, at)));
            }
            keywords(members, at)
        }
        Form::AnyOf(options) => keywords([("anyOf", list(options.iter().map(inner).collect(), at))], at),
        Form::Record(item) => {
            keywords([("type", word("object", at)), ("additionalProperties", inner(item))], at)
        }
        Form::Tuple => unknown(at),
        Form::Any | Form::Other => keywords([], at),
        Form::Optional(value)
        | Form::WithDefault(value, _)
        | Form::Noted(value, ..)
        | Form::Limited(value) => inner(value),
        Form::Nullable(value) => nullable(inner(value), at),
    }
}

/// The form inside notes and limits.
fn outermost<'v, 't>(value: &'v Value<'t>) -> Option<&'v Form<'t>> {
    let Data::Schema(known) = &value.data else { return None };
    match &known.form {
        Form::Noted(inner, ..) | Form::Limited(inner) => outermost(inner),
        form => Some(form),
    }
}

fn nullable<'t>(inner: Value<'t>, at: Place) -> Value<'t> {
    let Some(object) = inner.as_object() else { return inner };
    match object.members.as_slice() {
        [] => inner,
        [only] if only.value.as_str().is_some() && &*only.key == "type" => {
            keywords([("type", list(vec![only.value.clone(), word("null", at)], at))], at)
        }
        _ => {
            let null = keywords([("type", word("null", at))], at);
            keywords([("anyOf", list(vec![inner.clone(), null], at))], at)
        }
    }
}

/// The JSON Schema that Zod writes; unknown where releases of Zod differ.
fn own<'t>(value: &Value<'t>, is_input: bool, depth: usize) -> Value<'t> {
    let at = value.at;
    let Data::Schema(known) = &value.data else { return unknown(at) };
    if depth > DEPTH_MAX {
        return unknown(at);
    }
    let inner = |value: &Value<'t>| own(value, is_input, depth + 1);
    match &known.form {
        Form::Plain(word_of_type) => keywords([("type", word(word_of_type, at))], at),
        Form::Whole(least, most) => {
            let safe = |number| Value { data: Data::Number(number), at, by: None };
            let least = least.clone().unwrap_or_else(|| safe(-SAFE_MAX));
            let most = most.clone().unwrap_or_else(|| safe(SAFE_MAX));
            keywords([("type", word("integer", at)), ("minimum", least), ("maximum", most)], at)
        }
        Form::OneOf(values) if values.iter().all(|value| value.as_str().is_some()) => {
            keywords([("type", word("string", at)), ("enum", list(values.clone(), at))], at)
        }
        Form::Literal(values) => match values.as_slice() {
            [only] if only.as_str().is_some() => {
                keywords([("type", word("string", at)), ("const", only.clone())], at)
            }
            _ => unknown(at),
        },
        Form::List(item) => keywords([("type", word("array", at)), ("items", inner(item))], at),
        Form::Mapping(object, others) => {
            let lacks = |field: &Value<'t>| {
                outermost(field).is_some_and(|form| match form {
                    Form::Optional(_) => true,
                    Form::WithDefault(..) => is_input,
                    _ => false,
                })
            };
            if object.open.is_some() || object.members.iter().any(|field| outermost(&field.value).is_none()) {
                return unknown(at);
            }
            let (properties, required) = fields(object, at, inner, lacks);
            let mut members = vec![("type", word("object", at)), ("properties", properties)];
            if !required.is_empty() {
                members.push(("required", list(required, at)));
            }
            let no = Value { data: Data::Bool(false), at, by: None };
            match others {
                OtherMembers::Refused => members.push(("additionalProperties", no)),
                OtherMembers::Dropped if !is_input => members.push(("additionalProperties", no)),
                OtherMembers::Dropped => {}
                OtherMembers::Kept => members.push(("additionalProperties", keywords([], at))),
            }
            keywords(members, at)
        }
        Form::Any => keywords([], at),
        Form::Optional(value) => inner(value),
        Form::WithDefault(value, default) => with(inner(value), "default", default),
        Form::Noted(value, key, note) => with(inner(value), key, note),
        Form::OneOf(_)
        | Form::AnyOf(_)
        | Form::Record(_)
        | Form::Tuple
        | Form::Other
        | Form::Nullable(_)
        | Form::Limited(_) => unknown(at),
    }
}

/// The schema with one more keyword.
fn with<'t>(schema: Value<'t>, key: &'static str, value: &Value<'t>) -> Value<'t> {
    let Some(mut object) = schema.as_object().map(|object| Object::clone(object)) else { return schema };
    object.set(Member { key: key.into(), key_at: schema.at, value: value.clone() });
    Value::object(object, schema.at)
}
