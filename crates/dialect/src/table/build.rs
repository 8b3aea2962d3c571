//! How tables are written: short constructors for fields and types, all of them constant.

use super::{
    Beside, Field, FieldOrigin, Foreign, KeyAlias, LengthBounds, Needed, NumberBounds, Required, ReviewTopic,
    Shape, Synonym, Type, Violation, Word,
};

/// A field whose key is optional. The following methods change it.
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
    /// Makes the key required.
    pub const fn required(self) -> Field {
        Field { required: Required::Yes, ..self }
    }

    /// Makes the key required unless another key exists.
    pub const fn required_unless(self, other: &'static str) -> Field {
        Field { required: Required::Unless(other), ..self }
    }

    /// Makes the key needed if another key has one of these words; see [`Needed`].
    pub const fn needed_beside(self, key: &'static str, words: &'static [&'static str]) -> Field {
        Field { needed: Needed::Beside(Beside { key, words }), ..self }
    }

    /// Makes the key needed if none of these keys exists; see [`Needed`].
    pub const fn needed_without(self, others: &'static [&'static str]) -> Field {
        Field { needed: Needed::Without(others), ..self }
    }

    /// Makes `null` count as a missing value.
    pub const fn nullable(self) -> Field {
        Field { nullable: true, ..self }
    }

    /// Makes the value identify an item of a list.
    pub const fn identity(self) -> Field {
        Field { identity: true, ..self }
    }

    /// Sets the value that applies if the key is missing, as YAML.
    pub const fn default(self, value: &'static str) -> Field {
        Field { default: Some(value), ..self }
    }

    /// Sets where the field comes from.
    pub const fn origin(self, origin: FieldOrigin) -> Field {
        Field { origin, ..self }
    }

    /// Sets the class of the specification for values outside the bounds.
    pub const fn range_class(self, class: &'static str) -> Field {
        Field { range_class: Some(class), ..self }
    }

    /// Makes the system refuse other violations, with this class.
    pub const fn refused_as(self, class: &'static str) -> Field {
        Field { violation: Some(Violation { class, is_refused: true }), ..self }
    }

    /// Makes the system tolerate other violations, with this class.
    pub const fn tolerated_as(self, class: &'static str) -> Field {
        Field { violation: Some(Violation { class, is_refused: false }), ..self }
    }

    /// Sets the keys that must not exist together with the field.
    pub const fn excludes(self, excludes: &'static [&'static str]) -> Field {
        Field { excludes, ..self }
    }

    /// Restricts the field's meaning to these words of another key.
    pub const fn beside(self, key: &'static str, words: &'static [&'static str]) -> Field {
        Field { beside: Some(Beside { key, words }), ..self }
    }

    /// Sets the keys that the field's mapping usually has, although it may have any.
    pub const fn usually(self, usual: &'static Shape) -> Field {
        Field { usual: Some(usual), ..self }
    }

    /// Sets the topic of changes to the field.
    pub const fn topic(self, topic: ReviewTopic) -> Field {
        Field { topic: Some(topic), ..self }
    }

    /// Marks the order of the items as meaningless.
    pub const fn unordered(self) -> Field {
        Field { is_unordered: true, ..self }
    }

    /// Marks the value as the declaration's name for people.
    pub const fn label(self) -> Field {
        Field { is_label: true, ..self }
    }

    /// Sets the key of the specification that replaces this one.
    pub const fn superseded_by(self, key: &'static str) -> Field {
        Field { superseded_by: Some(key), ..self }
    }
}

/// Other words that people use for a key of a shape.
pub const fn alias(shape: &'static str, key: &'static str, words: &'static [&'static str]) -> KeyAlias {
    KeyAlias { shape, key, words }
}

/// Other words that people use for a word of a closed list or for a kind.
pub const fn synonym(word: &'static str, others: &'static [&'static str]) -> Synonym {
    Synonym { word, others }
}

/// Keys of other systems that people write in a shape, with advice.
pub const fn foreign(shape: &'static str, keys: &'static [&'static str], instead: &'static str) -> Foreign {
    Foreign { shape, keys, instead, is_edge: false }
}

/// Like [`foreign`], for keys that say where a node leads or what leads to it.
pub const fn foreign_edge(
    shape: &'static str,
    keys: &'static [&'static str],
    instead: &'static str,
) -> Foreign {
    Foreign { shape, keys, instead, is_edge: true }
}

/// A word and its description.
pub const fn word(text: &'static str, doc: &'static str) -> Word {
    Word { text, doc }
}

/// An integer within bounds, both inclusive.
pub const fn integer(min: i64, max: i64) -> Type {
    Type::Number(NumberBounds { integer: true, min: min as f64, max: max as f64, above_min: false })
}

/// An integer of at least `min`.
pub const fn integer_from(min: i64) -> Type {
    Type::Number(NumberBounds { integer: true, min: min as f64, max: f64::INFINITY, above_min: false })
}

/// A number within bounds, both inclusive.
pub const fn number(min: f64, max: f64) -> Type {
    Type::Number(NumberBounds { integer: false, min, max, above_min: false })
}

/// A number greater than `min`.
pub const fn number_above(min: f64) -> Type {
    Type::Number(NumberBounds { integer: false, min, max: f64::INFINITY, above_min: true })
}

/// A length of at least `min`.
pub const fn at_least(min: usize) -> LengthBounds {
    LengthBounds { min, max: usize::MAX }
}

/// A length of at most `max`.
pub const fn up_to(max: usize) -> LengthBounds {
    LengthBounds { min: 0, max }
}
