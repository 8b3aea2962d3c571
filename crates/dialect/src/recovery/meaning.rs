//! What a table knows that tells what was meant: other words for a key, the mappings that a field may hold, how the items of
//! a list are distinguished.

use super::{MistakeKind, SingleValue};
use crate::suggest;
use crate::table::{Dialect, Field, Language, NameUse, Required, Shape, Symbol, Type, field};
use crate::value::{Data, SpannedEntry, SpannedValue};

/// The JSON Schema keyword for the members of an object.
const PROPERTIES: &str = "properties";

/// The field, among the missing ones, that was meant by a key.
pub(super) fn meant_field(
    dialect: &Dialect,
    shape: &Shape,
    key: &str,
    value: Option<&SpannedValue<'_>>,
    absent: &[&'static Field],
) -> Option<&'static Field> {
    let keys: Vec<&'static str> = absent.iter().map(|field| field.key).collect();
    let same = keys.iter().copied().find(|known| suggest::is_same_but_for_style(known, key));
    // A key of another system counts as another word for a field only if the value suits the field.
    let is_foreign = dialect.foreign(shape, key).is_some();
    let fitting = |known: &&'static str| {
        let field = absent.iter().find(|field| field.key == *known);
        field.is_some_and(|field| !is_foreign || value.is_some_and(|value| suits(field.ty, value)))
    };
    let meant = match same.or_else(|| dialect.aliased(shape, key).filter(fitting)) {
        Some(meant) => meant,
        None if is_foreign => return None,
        None => match suggest::meant(key, &keys) {
            Some(meant) => meant,
            // If several fields contain the key as a part, take the one that the value suits, if it is the only one.
            None => {
                let holding = suggest::holding(key, &keys);
                let takes = |key: &&'static str| {
                    absent
                        .iter()
                        .any(|field| field.key == *key && value.is_some_and(|value| suits(field.ty, value)))
                };
                let mut taking = holding.into_iter().filter(takes);
                taking.next().filter(|_| taking.next().is_none())?
            }
        },
    };
    absent.iter().find(|field| field.key == meant).copied()
}

/// Whether a value clearly fits a type.
fn suits(ty: Type, value: &SpannedValue<'_>) -> bool {
    match (ty, &value.data) {
        (Type::Sized(inner, _) | Type::Lenient(inner), _) => suits(*inner, value),
        (Type::Word(words), Data::Text(text)) => words.iter().any(|word| word.text == text),
        (Type::Bool | Type::Boolean, Data::Bool(_)) | (Type::Number(_), Data::Number(_)) => true,
        (Type::List(_), Data::List(_)) => true,
        (Type::Object(shape), Data::Map(members)) => {
            !members.is_empty() && members.iter().all(|member| shape.field(&member.key).is_some())
        }
        _ => false,
    }
}

/// The shapes that the mapping in a field may have.
pub(super) fn child_shapes(field: &'static Field, there: Option<&SpannedValue<'_>>) -> Vec<&'static Shape> {
    match field.ty {
        Type::Object(shape) | Type::TextOr(_, shape) | Type::Open(shape) => vec![shape],
        Type::Variant(variant) => {
            let word = there.and_then(|value| value.get(variant.key));
            match word.and_then(|member| member.value.as_text()).and_then(|word| variant.case(word)) {
                Some(case) => vec![&case.shape],
                None if there.is_none() => variant.cases.iter().map(|case| &case.shape).collect(),
                None => Vec::new(),
            }
        }
        Type::JsonSchema if field.required == Required::Yes => vec![&JSON_SCHEMA],
        _ => field.usual.into_iter().collect(),
    }
}

/// The keywords that people write next to a required JSON Schema instead of inside it.
static JSON_SCHEMA: Shape = Shape {
    name: "JsonSchema",
    doc: "A JSON Schema.",
    fields: &[
        field("type", Type::Any, "The type of the values."),
        field("enum", Type::Any, "The values."),
        field(PROPERTIES, Type::Any, "The parts of an object."),
        field("items", Type::Any, "The items of a list."),
    ],
};

/// How to wrap a text if the field usually has a mapping with exactly one key.
pub(super) fn usual_text(field: &'static Field, value: &SpannedValue<'_>) -> Option<SingleValue> {
    let [only] = field.usual?.fields else { return None };
    value.as_text().filter(|text| !text.trim().is_empty())?;
    Some(SingleValue::Expression { key: only.key, word: None })
}

/// How a value that is not a list was meant, if the type wants a list and the value is clearly one item or all items of it.
pub(super) fn takes_one(ty: Type, value: &SpannedValue<'_>) -> Option<MistakeKind> {
    let item = match ty {
        Type::Sized(inner, _) => return takes_one(*inner, value),
        Type::List(item) => item,
        _ => return None,
    };
    match (&value.data, item) {
        (Data::Text(text), Type::Object(_)) if text.is_empty() => None,
        (
            Data::Text(text),
            Type::Text
            | Type::Word(_)
            | Type::Symbol(..)
            | Type::Reference(_)
            | Type::TextOr(..)
            | Type::Injection,
        ) => (!text.trim().is_empty()).then_some(MistakeKind::SingleValue(SingleValue::Item)),
        (Data::Map(members), Type::Object(shape) | Type::TextOr(_, shape)) if !members.is_empty() => {
            if properties(shape, value).is_some() {
                return item_key(shape).map(|key| MistakeKind::Schema { key });
            }
            let are_maps = members.iter().all(|member| member.value.as_map().is_some());
            if !are_maps && members.iter().any(|member| shape.field(&member.key).is_some()) {
                return Some(MistakeKind::SingleValue(SingleValue::Item));
            }
            let are_items = members.iter().all(|member| {
                let known = |inside: &[SpannedEntry<'_>]| {
                    inside.iter().any(|inside| shape.field(&inside.key).is_some())
                };
                member.value.as_map().is_some_and(known)
            });
            match are_items.then(|| item_key(shape)).flatten() {
                Some(key) => Some(MistakeKind::Named { key }),
                None if members.iter().any(|member| shape.field(&member.key).is_some()) => {
                    Some(MistakeKind::SingleValue(SingleValue::Item))
                }
                None => None,
            }
        }
        _ => None,
    }
}

/// The key that identifies an item of a list.
fn item_key(shape: &'static Shape) -> Option<&'static str> {
    let is_name = |field: &&Field| {
        field.identity
            || matches!(
                field.ty,
                Type::Symbol(Symbol::Node | Symbol::Edge, NameUse::Declares) | Type::DeclaredName
            )
    };
    shape.fields.iter().find(is_name).map(|field| field.key)
}

/// How to wrap a single value, if its meaning is clear.
pub(super) fn stands_alone(ty: Type, value: &SpannedValue<'_>) -> Option<SingleValue> {
    let is_expression = |field: &&'static Field| matches!(field.ty, Type::Expression(_) | Type::Condition(_));
    match ty {
        Type::Object(Shape { fields: [field], .. }) if takes_word(field.ty) => {
            let is_name = value.as_text().is_some_and(|text| !text.trim().is_empty());
            is_name.then_some(SingleValue::Expression { key: field.key, word: None })
        }
        Type::Object(shape) => {
            value.as_text().filter(|text| !text.trim().is_empty())?;
            let mut expressions = shape.fields.iter().filter(is_expression);
            let (Some(field), None) = (expressions.next(), expressions.next()) else { return None };
            let word = field.beside.and_then(|beside| Some((beside.key, *beside.words.first()?)));
            let is_all = |other: &Field| {
                other.required != Required::Yes
                    || other.key == field.key
                    || word.is_some_and(|(key, _)| key == other.key)
            };
            shape.fields.iter().all(is_all).then_some(SingleValue::Expression { key: field.key, word })
        }
        Type::Variant(variant) => {
            value.as_text().filter(|text| !text.trim().is_empty())?;
            let of_case = |case: &'static crate::table::Case| {
                let field = case.shape.fields.iter().find(is_expression)?;
                Some(SingleValue::Expression { key: field.key, word: Some((variant.key, case.word.text)) })
            };
            let mut cases = variant.cases.iter().filter_map(of_case);
            cases.next().filter(|_| cases.next().is_none())
        }
        _ => takes_one(ty, value)
            .filter(|kind| *kind == MistakeKind::SingleValue(SingleValue::Item))
            .map(|_| SingleValue::Item),
    }
}

/// How an item with a single unknown key was meant: the key and its value stand for the two required keys of an item, or
/// the key is the item's name.
pub(super) fn short_of(
    dialect: &Dialect,
    shape: &'static Shape,
    value: &SpannedValue<'_>,
) -> Option<MistakeKind> {
    let [only] = value.as_map()? else { return None };
    let fields: Vec<&'static Field> = shape.fields.iter().collect();
    if shape.field(&only.key).is_some()
        || meant_field(dialect, shape, &only.key, None, &fields).is_some()
        || dialect.foreign(shape, &only.key).is_some()
    {
        return None;
    }
    let mut required = fields.iter().filter(|field| field.required == Required::Yes);
    let (first, second, third) = (required.next(), required.next(), required.next());
    let written = only.key.to_string();
    match &only.value.data {
        Data::Map(inside) => {
            let is_known = inside.iter().any(|inside| shape.field(&inside.key).is_some());
            let key = item_key(shape).filter(|_| is_known)?;
            Some(MistakeKind::Short { written, key, other: None })
        }
        Data::Text(text) if !text.trim().is_empty() => match (first, second, third) {
            (Some(key), Some(other), None) if takes_word(key.ty) && takes_word(other.ty) => {
                Some(MistakeKind::Short { written, key: key.key, other: Some(other.key) })
            }
            _ => None,
        },
        _ => None,
    }
}

fn takes_word(ty: Type) -> bool {
    match ty {
        Type::Sized(inner, _) => takes_word(*inner),
        Type::TextOr(inner, _) => takes_word(*inner),
        Type::Text
        | Type::Word(_)
        | Type::Symbol(..)
        | Type::Reference(_)
        | Type::DeclaredName
        | Type::Slug(_)
        | Type::ArgumentType(_)
        | Type::Suggested(_) => true,
        _ => false,
    }
}

/// The `properties` of a JSON Schema that is written where a list of items belongs.
fn properties<'v, 't>(shape: &'static Shape, value: &'v SpannedValue<'t>) -> Option<&'v SpannedValue<'t>> {
    let is_item = item_key(shape).is_some_and(|key| value.get(key).is_some());
    let properties = value.get(PROPERTIES).filter(|_| !is_item)?;
    let is_named = |member: &SpannedEntry<'_>| member.value.as_map().is_some();
    properties.value.as_map()?.iter().all(is_named).then_some(&properties.value)
}

/// Removes the `properties` from a JSON Schema and returns them.
pub(super) fn properties_mut<'t>(value: &mut SpannedValue<'t>) -> Option<SpannedValue<'t>> {
    let Data::Map(members) = &mut value.data else { return None };
    let position = members.iter().position(|member| member.key == PROPERTIES)?;
    Some(members.swap_remove(position).value)
}

/// Removes keys that items of a list do not have.
pub(super) fn keep_known(item: Type, value: &mut SpannedValue<'_>) {
    let (Type::Object(shape) | Type::TextOr(_, shape), Data::List(items)) = (item, &mut value.data) else {
        return;
    };
    for item in items {
        if let Data::Map(members) = &mut item.data {
            members.retain(|member| shape.field(&member.key).is_some());
        }
    }
}

/// The negation that YAML read as a tag without a value, as in `!memory.done`.
pub(super) fn negation(language: Language, value: &SpannedValue<'_>) -> Option<String> {
    let Data::Tagged(tag) = value.data else { return None };
    let operand = tag.strip_prefix('!').filter(|operand| operand.len() > 1 && !operand.starts_with('!'))?;
    let is_path = operand.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let is_whole = usize::from(value.at.range.len()) <= tag.len();
    (is_path && is_whole).then(|| language.negated(operand)).flatten()
}

/// The names in a text with commas; `None` if it is not such a list.
pub(super) fn names_in(text: &str) -> Option<Vec<&str>> {
    let is_name = |name: &&str| {
        !name.is_empty()
            && name.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/'))
    };
    let names: Vec<&str> = text.split(',').map(str::trim).collect();
    (names.len() > 1 && names.iter().all(is_name)).then_some(names)
}

/// Whether the value is a list of names and the type a mapping from names to mappings.
pub(super) fn maps_names(of: Type, value: &SpannedValue<'_>) -> bool {
    let Some(items) = value.as_list() else { return false };
    let is_name = |item: &SpannedValue<'_>| match &item.data {
        Data::Text(text) => !text.trim().is_empty(),
        Data::Map(members) => matches!(members.as_slice(), [only] if only.value.as_map().is_some()),
        _ => false,
    };
    matches!(of, Type::Object(_) | Type::Open(_) | Type::JsonSchema)
        && !items.is_empty()
        && items.iter().all(is_name)
}

/// Keys under which people write a name that should be written alone.
const NAME_KEYS: &[&str] = &["name", "id", "node", "tool", "key"];

/// The name in a mapping with one entry: the value of `name` or a similar key, or a key without a value.
pub(super) fn wrapped(dialect: &Dialect, ty: Type, value: &SpannedValue<'_>) -> Option<String> {
    let [only] = value.as_map()? else { return None };
    let takes_names = |ty: Type| matches!(ty, Type::Symbol(..) | Type::Reference(_));
    let key = only.key.trim();
    let is_bare = only.value.is_null() && !key.is_empty();
    match ty {
        Type::TextOr(inner, shape) => {
            let is_known = meant_key(dialect, shape, key);
            (takes_word(*inner) && is_bare && !is_known).then(|| key.to_owned())
        }
        _ if !takes_names(ty) => None,
        _ if is_bare => Some(key.to_owned()),
        _ => {
            let name = only.value.as_text().filter(|name| !name.trim().is_empty())?;
            NAME_KEYS.contains(&key).then(|| name.to_owned())
        }
    }
}

/// Whether a key belongs to the shape, or is a known other word for one of its keys.
fn meant_key(dialect: &Dialect, shape: &'static Shape, key: &str) -> bool {
    let fields: Vec<&'static Field> = shape.fields.iter().collect();
    meant_field(dialect, shape, key, None, &fields).is_some() || dialect.foreign(shape, key).is_some()
}

/// The names in a mapping whose keys have no values, if the items of the list are names.
pub(super) fn names_as_keys<'t>(item: Type, value: &SpannedValue<'t>) -> Option<Vec<SpannedValue<'t>>> {
    let members = value.as_map().filter(|members| !members.is_empty())?;
    let takes_names = match item {
        Type::Symbol(..) | Type::Reference(_) => true,
        Type::TextOr(inner, _) => takes_word(*inner),
        _ => false,
    };
    let are_bare = members.iter().all(|member| member.value.is_null());
    let name = |member: &SpannedEntry<'t>| SpannedValue {
        data: Data::Text(member.key.clone()),
        at: member.key_at,
        node: None,
    };
    (takes_names && are_bare).then(|| members.iter().map(name).collect())
}

/// The only item of a list, if a single name belongs there.
pub(super) fn only_item<'t>(ty: Type, value: &SpannedValue<'t>) -> Option<SpannedValue<'t>> {
    let [only] = value.as_list()? else { return None };
    (takes_word(ty) && !matches!(ty, Type::ArgumentType(_)) && only.as_text().is_some()).then(|| only.clone())
}
