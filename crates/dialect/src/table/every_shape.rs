//! Every shape of a dialect's documents, kinds and types.

use super::{Dialect, Shape, Type};

impl Dialect {
    /// Whether a shape of its documents has a field of that key.
    #[must_use]
    pub fn has_field(&self, key: &str) -> bool {
        self.shapes().iter().any(|shape| shape.field(key).is_some())
    }

    /// The shapes of its documents, those of the kinds first.
    fn shapes(&self) -> Vec<&'static Shape> {
        let mut shapes: Vec<&'static Shape> = self.kinds.iter().map(|kind| &kind.shape).collect();
        let mut position = 0;
        while let Some(shape) = shapes.get(position).copied() {
            shape.fields.iter().for_each(|field| add(field.ty, &mut shapes));
            position += 1;
        }
        shapes
    }
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
