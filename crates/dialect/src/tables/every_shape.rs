//! Every shape of a dialect's documents, kinds and types, and every place in them where names are looked up.
//!
//! Input: a dialect. Output: its shapes, and the scopes of all dialects. Invariant: they are the same, in the same order, as long as the program runs.

use std::sync::LazyLock;

use nodewise_model::NameScope;

use super::{DIALECTS, position};
use crate::table::{Dialect, Shape, Type};

/// The shapes of a dialect's documents, those of the kinds first.
#[must_use]
pub fn shapes(dialect: &Dialect) -> &'static [&'static Shape] {
    static SHAPES: LazyLock<Vec<Vec<&'static Shape>>> =
        LazyLock::new(|| DIALECTS.iter().map(|dialect| reachable(dialect)).collect());
    position(dialect).and_then(|position| SHAPES.get(position)).map(Vec::as_slice).unwrap_or_default()
}

/// Whether a shape of a dialect's documents has a field of that key.
#[must_use]
pub fn has_field(dialect: &Dialect, key: &str) -> bool {
    shapes(dialect).iter().any(|shape| shape.field(key).is_some())
}

/// The scopes of all dialects, each once.
#[must_use]
pub fn scopes() -> &'static [&'static NameScope] {
    static SCOPES: LazyLock<Vec<&'static NameScope>> = LazyLock::new(|| {
        let mut scopes = Vec::new();
        let fields = DIALECTS.iter().flat_map(|dialect| shapes(dialect)).flat_map(|shape| shape.fields);
        fields.for_each(|field| add_scopes(field.ty, &mut scopes));
        scopes
    });
    &SCOPES
}

fn reachable(dialect: &'static Dialect) -> Vec<&'static Shape> {
    let mut shapes: Vec<&'static Shape> = dialect.kinds.iter().map(|kind| &kind.shape).collect();
    let mut position = 0;
    while let Some(shape) = shapes.get(position).copied() {
        shape.fields.iter().for_each(|field| add(field.ty, &mut shapes));
        position += 1;
    }
    shapes
}

fn add(ty: Type, shapes: &mut Vec<&'static Shape>) {
    match ty {
        Type::Object(shape) | Type::Open(shape) | Type::TextOr(_, shape)
            if !shapes.iter().any(|known| known.is_same(shape)) =>
        {
            shapes.push(shape);
        }
        Type::Variant(variant) => {
            variant.cases.iter().for_each(|case| add(Type::Object(&case.shape), shapes));
        }
        Type::List(inner) | Type::OneOrMany(inner) | Type::Sized(inner, _) | Type::Lenient(inner) => {
            add(*inner, shapes);
        }
        Type::MapOf((_, value)) => add(*value, shapes),
        Type::OneOf(forms) => forms.iter().for_each(|form| add(form.ty, shapes)),
        _ => {}
    }
}

fn add_scopes(ty: Type, scopes: &mut Vec<&'static NameScope>) {
    match ty {
        Type::Reference(scope) | Type::Qualified(scope, _)
            if !scopes.iter().any(|known| std::ptr::eq(*known, scope)) =>
        {
            scopes.push(scope);
        }
        Type::List(inner)
        | Type::OneOrMany(inner)
        | Type::Sized(inner, _)
        | Type::Lenient(inner)
        | Type::TextOr(inner, _)
        | Type::MapOf((_, inner)) => add_scopes(*inner, scopes),
        Type::OneOf(forms) => forms.iter().for_each(|form| add_scopes(form.ty, scopes)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_of_all_dialects_are_found() {
        let found: Vec<&str> = scopes().iter().map(|scope| scope.class).collect();
        for class in [
            "unresolved-tool",
            "unresolved-node",
            "unresolved-credentials-provider",
            "unknown-agent",
            "unknown-graph",
        ] {
            assert!(found.contains(&class), "{class} is not among {found:?}");
        }
    }
}
