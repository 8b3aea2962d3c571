//! Values without parts: texts, names and expressions as pieces.
//!
//! Input: a value and its type. Output: its pieces, with names apart from the text around them. Invariant: two values that
//! mean the same have the same pieces.

use std::borrow::Cow;

use nodewise_expr::language::NamedRole;
use nodewise_model::NameScope;
use nodewise_platform::sorting::Sorting;
use smol_str::{SmolStr, format_smolstr};

use super::full_form::full_form;
use super::{MeaningPiece, NameClass};
use crate::bind::{injection_parts, qualified, reference};
use crate::forms::fits;
use crate::table::{Language, Symbol, Type};
use crate::value::{Data, SpannedValue};

/// The pieces of a value whose type has no inner fields; `None` for other values.
pub(super) fn leaf_pieces(ty: Type, value: &SpannedValue<'_>) -> Option<Vec<MeaningPiece>> {
    match ty {
        Type::Sized(inner, _) | Type::Lenient(inner) => return leaf_pieces(*inner, value),
        Type::OneOf(forms) if full_form(forms, value).is_some() => return None,
        Type::OneOf(forms) => return leaf_pieces(forms.iter().find(|form| fits(form, value))?.ty, value),
        Type::TextOr(text, _) => return leaf_pieces(*text, value),
        Type::Bool => return truth(value).map(|truth| vec![text(if truth { "true" } else { "false" })]),
        Type::Injection => {
            let (target, path) = injection_parts(value)?;
            return Some(vec![text(format_smolstr!("{}: {path}", target.unwrap_or(path)))]);
        }
        Type::Object(_)
        | Type::Open(_)
        | Type::Variant(_)
        | Type::List(_)
        | Type::OneOrMany(_)
        | Type::MapOf(_)
        | Type::JsonSchema
        | Type::Bundle(_)
        | Type::Bundles(_)
        | Type::OutputFields(..) => return None,
        _ => {}
    }
    if !is_scalar(value) {
        return None;
    }
    let Some(written) = value.as_text() else {
        let shown = shown(value);
        return Some(vec![match ty {
            Type::EdgeId => MeaningPiece::Name(NameClass::Edge, shown.into()),
            _ => text(shown),
        }]);
    };
    Some(match ty {
        Type::Expression(language) | Type::Condition(language) => expression(language, written),
        Type::Reference(scope) => referred(reference(written, value, scope).kind(), written, scope, '/'),
        Type::Qualified(scope, separator) => {
            let kind = qualified(written, value, scope, separator).and_then(|reference| reference.kind());
            referred(kind, written, scope, separator)
        }
        ty => vec![name_piece(ty, written).unwrap_or_else(|| text(written.trim_end()))],
    })
}

pub(super) fn name_piece(ty: Type, written: &str) -> Option<MeaningPiece> {
    let class = match ty {
        Type::Symbol(Symbol::Node | Symbol::Endpoint, _) => NameClass::Node,
        Type::Symbol(Symbol::State, _) => NameClass::State,
        Type::EdgeId => NameClass::Edge,
        _ => return None,
    };
    Some(MeaningPiece::Name(class, SmolStr::new(written)))
}

/// The piece for a reference, with its kind in front if it is written.
fn referred(
    kind: Option<&'static str>,
    written: &str,
    scope: &'static NameScope,
    separator: char,
) -> Vec<MeaningPiece> {
    let class = NameClass::Declared(scope.kinds, scope.noun);
    match kind.zip(written.split_once(separator)) {
        Some((kind, (_, name))) => {
            vec![text(format_smolstr!("{kind}{separator}")), MeaningPiece::Name(class, SmolStr::new(name))]
        }
        None => vec![MeaningPiece::Name(class, SmolStr::new(written))],
    }
}

/// The pieces of an expression: formatted, and with the names separated.
fn expression(language: Language, written: &str) -> Vec<MeaningPiece> {
    let written = match language.canonical(written) {
        Some(canonical) => Cow::Owned(canonical),
        None => Cow::Borrowed(written.trim()),
    };
    let (mut pieces, mut done) = (Vec::new(), 0);
    for named in language.names(&written) {
        let class = match named.role {
            NamedRole::State => NameClass::State,
            NamedRole::Route => NameClass::Node,
            NamedRole::Function => continue,
        };
        let (start, end) = (usize::from(named.range.start()), usize::from(named.range.end()));
        let (Some(mut before), Some(mut name)) = (written.get(done..start), written.get(start..end)) else {
            continue;
        };
        // The name of a state key includes the part of the state, which the range may not contain.
        if let Some((kept, part)) = named
            .name
            .strip_suffix(name)
            .filter(|part| !part.is_empty())
            .and_then(|part| Some((before.strip_suffix(part)?, part)))
        {
            before = kept;
            name = written.get(start - part.len()..end).unwrap_or(name);
        }
        if !before.is_empty() {
            pieces.push(text(before));
        }
        pieces.push(MeaningPiece::Name(class, SmolStr::new(name)));
        done = end;
    }
    match written.get(done..) {
        Some(rest) if !rest.is_empty() || pieces.is_empty() => pieces.push(text(rest)),
        _ => {}
    }
    pieces
}

pub(super) fn in_brackets(items: Vec<Vec<MeaningPiece>>) -> Vec<MeaningPiece> {
    let mut pieces = vec![text("[")];
    for (position, item) in items.into_iter().enumerate() {
        if position > 0 {
            pieces.push(text(", "));
        }
        pieces.extend(item);
    }
    pieces.push(text("]"));
    pieces
}

pub(super) fn is_scalar(value: &SpannedValue<'_>) -> bool {
    matches!(value.data, Data::Bool(_) | Data::Number(_) | Data::Text(_))
}

/// The value of a boolean as the loaders read it; `None` if it is none.
fn truth(value: &SpannedValue<'_>) -> Option<bool> {
    match &value.data {
        Data::Bool(truth) => Some(*truth),
        Data::Number(number) if *number == 1.0 => Some(true),
        Data::Number(number) if *number == 0.0 => Some(false),
        Data::Text(word) => match word.to_ascii_lowercase().as_str() {
            "true" | "yes" | "on" | "t" | "y" | "1" => Some(true),
            "false" | "no" | "off" | "f" | "n" | "0" => Some(false),
            _ => None,
        },
        _ => None,
    }
}

/// A value as one text: a text as it is, everything else as JSON with sorted keys.
pub(super) fn shown(value: &SpannedValue<'_>) -> String {
    match &value.data {
        Data::Text(text) => text.trim_end().to_owned(),
        Data::Tagged(tag) => (*tag).to_owned(),
        _ => in_order(&value.to_json()).to_string(),
    }
}

fn in_order(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.arrange_by(|one, other| one.0.cmp(other.0));
            sorted.into_iter().map(|(key, value)| (key.clone(), in_order(value))).collect()
        }
        serde_json::Value::Array(items) => items.iter().map(in_order).collect(),
        other => other.clone(),
    }
}

/// A piece of plain text.
pub(super) fn text(text: impl Into<SmolStr>) -> MeaningPiece {
    MeaningPiece::Text(text.into())
}
