//! What a table knows that tells what was meant: other words for a key, the mappings that a field may hold, how the items of
//! a list are told apart.

use super::SlipKind;
use crate::near;
use crate::table::{Dialect, Field, Shape, Symbol, Type, Use};
use crate::value::{Data, Member, Value};

/// The one of the absent fields that a key was meant to be.
pub(super) fn meant_field(
    dialect: &Dialect,
    shape: &Shape,
    key: &str,
    absent: &[&'static Field],
) -> Option<&'static Field> {
    let keys: Vec<&'static str> = absent.iter().map(|field| field.key).collect();
    let same = keys.iter().copied().find(|known| near::is_same_but_for_style(known, key));
    let meant = match same.or_else(|| dialect.aliased(shape, key).filter(|known| keys.contains(known))) {
        Some(meant) => meant,
        None if dialect.foreign(shape, key).is_some() => return None,
        None => near::meant(key, &keys)?,
    };
    absent.iter().find(|field| field.key == meant).copied()
}

/// The shapes of the mapping that a field holds, or may hold.
pub(super) fn child_shapes(field: &'static Field, there: Option<&Value<'_>>) -> Vec<&'static Shape> {
    match field.ty {
        Type::Object(shape) | Type::TextOr(_, shape) => vec![shape],
        Type::Variant(variant) => {
            let word = there.and_then(|value| value.get(variant.key));
            match word.and_then(|member| member.value.as_text()).and_then(|word| variant.case(word)) {
                Some(case) => vec![&case.shape],
                None if there.is_none() => variant.cases.iter().map(|case| &case.shape).collect(),
                None => Vec::new(),
            }
        }
        _ => field.usual.into_iter().collect(),
    }
}

/// How a value that is no list stands for one, if the type wants a list and the value is plainly an item of it, or all.
pub(super) fn takes_one(ty: Type, value: &Value<'_>) -> Option<SlipKind> {
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
        ) => (!text.trim().is_empty()).then_some(SlipKind::Alone),
        (Data::Map(members), Type::Object(shape) | Type::TextOr(_, shape)) if !members.is_empty() => {
            if members.iter().any(|member| shape.field(&member.key).is_some()) {
                return Some(SlipKind::Alone);
            }
            let are_items = members.iter().all(|member| {
                let known =
                    |inside: &[Member<'_>]| inside.iter().any(|inside| shape.field(&inside.key).is_some());
                member.value.as_map().is_some_and(known)
            });
            are_items.then(|| item_key(shape)).flatten().map(|key| SlipKind::Named { key })
        }
        _ => None,
    }
}

/// The key that tells the items of a list apart.
fn item_key(shape: &'static Shape) -> Option<&'static str> {
    let is_name = |field: &&Field| {
        field.identity
            || matches!(
                field.ty,
                Type::Symbol(Symbol::Node | Symbol::Edge, Use::Declares) | Type::DeclaredName
            )
    };
    shape.fields.iter().find(is_name).map(|field| field.key)
}
