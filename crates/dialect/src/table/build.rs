//! How tables are written: short constructors for fields and types, all of them constant.

use super::{
    Beside, Field, FieldOrigin, Foreign, KeyAlias, LengthBounds, Needed, NumberBounds, Required, ReviewTopic,
    Shape, Synonym, Type, Violation, Word,
};

/// A field that may be left out.
pub const fn field(key: &'static str, ty: Type, doc: &'static str) -> Field {
    Field {
        key,
        ty,
        required: Required::No,
        needed: Needed::Never,
        nullable: false,
        identity: false,
        default: None,
        origin: FieldOrigin::Specification,
        superseded_by: None,
        excludes: &[],
        beside: None,
        range_class: None,
        violation: None,
        usual: None,
        topic: None,
        is_unordered: false,
        is_label: false,
        doc,
    }
}

impl Field {
    /// The key must be there.
    pub const fn required(self) -> Field {
        Field { required: Required::Yes, ..self }
    }

    /// The key must be there unless this other key is.
    pub const fn required_unless(self, other: &'static str) -> Field {
        Field { required: Required::Unless(other), ..self }
    }

    /// Beside these words of another key it must be there.
    pub const fn needed_beside(self, key: &'static str, words: &'static [&'static str]) -> Field {
        Field { needed: Needed::Beside(Beside { key, words }), ..self }
    }

    /// Where none of these keys is there it must be.
    pub const fn needed_without(self, others: &'static [&'static str]) -> Field {
        Field { needed: Needed::Without(others), ..self }
    }

    /// An empty value is as good as none.
    pub const fn nullable(self) -> Field {
        Field { nullable: true, ..self }
    }

    /// Its value tells the items of a list apart.
    pub const fn identity(self) -> Field {
        Field { identity: true, ..self }
    }

    /// The value that counts when the key is absent, as YAML.
    pub const fn default(self, value: &'static str) -> Field {
        Field { default: Some(value), ..self }
    }

    /// Who knows the field.
    pub const fn origin(self, origin: FieldOrigin) -> Field {
        Field { origin, ..self }
    }

    /// A value out of bounds stands for this class of the specification.
    pub const fn range_class(self, class: &'static str) -> Field {
        Field { range_class: Some(class), ..self }
    }

    /// Violations are refused, as this class.
    pub const fn refused_as(self, class: &'static str) -> Field {
        Field { violation: Some(Violation { class, is_refused: true }), ..self }
    }

    /// Violations run and surprise, as this class.
    pub const fn tolerated_as(self, class: &'static str) -> Field {
        Field { violation: Some(Violation { class, is_refused: false }), ..self }
    }

    /// These keys exclude it.
    pub const fn excludes(self, excludes: &'static [&'static str]) -> Field {
        Field { excludes, ..self }
    }

    /// It means something beside these words of another key.
    pub const fn beside(self, key: &'static str, words: &'static [&'static str]) -> Field {
        Field { beside: Some(Beside { key, words }), ..self }
    }

    /// The keys that its mapping usually has, though any may stand there.
    pub const fn usually(self, usual: &'static Shape) -> Field {
        Field { usual: Some(usual), ..self }
    }

    /// What a change of it is about.
    pub const fn topic(self, topic: ReviewTopic) -> Field {
        Field { topic: Some(topic), ..self }
    }

    /// The order of its items means nothing.
    pub const fn unordered(self) -> Field {
        Field { is_unordered: true, ..self }
    }

    /// Its value is what people call the declaration.
    pub const fn label(self) -> Field {
        Field { is_label: true, ..self }
    }

    /// The key that says the same in the form of the specification.
    pub const fn superseded_by(self, key: &'static str) -> Field {
        Field { superseded_by: Some(key), ..self }
    }
}

/// Other words that people write for a key of a shape.
pub const fn alias(shape: &'static str, key: &'static str, words: &'static [&'static str]) -> KeyAlias {
    KeyAlias { shape, key, words }
}

/// Other words that people write for a word of a list, or for a kind.
pub const fn synonym(word: &'static str, others: &'static [&'static str]) -> Synonym {
    Synonym { word, others }
}

/// Keys of other systems in a shape, and what to write instead.
pub const fn foreign(shape: &'static str, keys: &'static [&'static str], instead: &'static str) -> Foreign {
    Foreign { shape, keys, instead, is_edge: false }
}

/// Keys that say in other systems where a node leads, or what leads to it.
pub const fn foreign_edge(
    shape: &'static str,
    keys: &'static [&'static str],
    instead: &'static str,
) -> Foreign {
    Foreign { shape, keys, instead, is_edge: true }
}

/// A word and its meaning.
pub const fn word(text: &'static str, doc: &'static str) -> Word {
    Word { text, doc }
}

/// A whole number within bounds.
pub const fn integer(min: i64, max: i64) -> Type {
    Type::Number(NumberBounds { integer: true, min: min as f64, max: max as f64, above_min: false })
}

/// A whole number from `min` on.
pub const fn integer_from(min: i64) -> Type {
    Type::Number(NumberBounds { integer: true, min: min as f64, max: f64::INFINITY, above_min: false })
}

/// A number within bounds.
pub const fn number(min: f64, max: f64) -> Type {
    Type::Number(NumberBounds { integer: false, min, max, above_min: false })
}

/// A number above `min`.
pub const fn number_above(min: f64) -> Type {
    Type::Number(NumberBounds { integer: false, min, max: f64::INFINITY, above_min: true })
}

/// A length from `min` on.
pub const fn at_least(min: usize) -> LengthBounds {
    LengthBounds { min, max: usize::MAX }
}

/// A length up to `max`.
pub const fn up_to(max: usize) -> LengthBounds {
    LengthBounds { min: 0, max }
}
