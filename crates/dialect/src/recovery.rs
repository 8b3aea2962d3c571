//! A document as its author meant it, where that is plain: misspelt keys and words, keys that stand one level too high or
//! too low, a single value where a list belongs.
//!
//! Input: a value and its table; output: the value with the mistakes corrected, and the mistakes. Invariant: each part keeps the place
//! where it was written, and a mistake is corrected only if nothing else can be meant. One mistake is one finding then: what
//! would only follow from it (a missing key, a node that no edge leads to) does not come up.

mod lists;
mod meaning;

use std::borrow::Cow;

use nodewise_model::Origin;
use nodewise_platform::sorting::Sorting;

use crate::forms::fits;
use crate::suggest;
use crate::table::{Beside, Dialect, Field, Kind, Required, Shape, Type, Variant};
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};
use lists::{complete, map_names};
use meaning::{child_shapes, meant_field, stands_alone, takes_one, usual_text};

/// Something that was written otherwise than it must be.
#[derive(Debug, Clone)]
pub struct Mistake {
    /// What was written.
    pub kind: MistakeKind,
    /// Where: the key, or the value.
    pub at: Origin,
    /// The mapping that has the field.
    pub shape: &'static Shape,
    /// The field that was meant.
    pub field: &'static Field,
}

/// What was written in place of a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MistakeKind {
    /// Another key.
    Key {
        /// That key.
        written: String,
        /// What its value stands alone for, if it does.
        alone: Option<SingleValue>,
    },
    /// The field's key, or nearly, beside a mapping instead of in it.
    TooHigh {
        /// The key as it is written.
        written: String,
        /// The key of that mapping.
        below: &'static str,
        /// Set if that mapping does not exist.
        absent: Option<AbsentMapping>,
    },
    /// The field's key inside a mapping instead of beside it.
    TooLow {
        /// The key as it is written.
        written: String,
        /// The key of that mapping.
        inside: &'static str,
    },
    /// Another word.
    Word {
        /// That word.
        written: String,
        /// The word that was meant.
        meant: &'static str,
    },
    /// No word where one must be.
    MissingWord {
        /// The one that goes with the keys beside it.
        meant: &'static str,
    },
    /// A number or a boolean where a name belongs, which quotes make of it: what it is.
    Unquoted(&'static str),
    /// An expression that begins with `!`, which YAML reads as a tag: the expression that was meant.
    Tag {
        /// In the field's language.
        meant: String,
    },
    /// A single value where the field takes more.
    SingleValue(SingleValue),
    /// An item that is one key with a value, for the two keys that each item must have, or for its name and the rest.
    Short {
        /// The key that is written.
        written: String,
        /// The key under which an item has its name.
        key: &'static str,
        /// The other key that an item must have, if the value is a single one.
        other: Option<&'static str>,
    },
    /// A JSON Schema in place of a list of what its `properties` are.
    Schema {
        /// The key under which an item has its name.
        key: &'static str,
    },
    /// A list of names where the field takes a mapping from them.
    Listed,
    /// A list of one where the field takes that one.
    Only,
    /// A mapping with one entry where a name belongs, as in `- name: x` or `- x:`.
    Wrapped {
        /// The name.
        meant: String,
    },
    /// Names as keys without values in place of a list of names.
    Keys,
    /// A mapping from names to the items of a list.
    Named {
        /// The key under which an item has its name.
        key: &'static str,
    },
}

/// A mapping that a key belongs into, and that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsentMapping {
    /// Whether the mapping must exist.
    pub is_required: bool,
    /// Whether no key before this one belongs into it.
    pub is_first: bool,
}

/// What a value means where a list or a mapping belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleValue {
    /// The only item of a list.
    Item,
    /// An expression, for the mapping that has it under a key.
    Expression {
        key: &'static str,
        /// The key that names the kind of the mapping, and its word.
        word: Option<(&'static str, &'static str)>,
    },
}

/// The value with its mistakes corrected, and the mistakes in reading order; `None` where there are none. `is_extra` says which
/// unknown keys another system knows.
#[must_use]
pub fn recover<'t>(
    dialect: &'static Dialect,
    kind: &'static Kind,
    value: &SpannedValue<'t>,
    is_extra: &dyn Fn(&str) -> bool,
) -> Option<(SpannedValue<'t>, Vec<Mistake>)> {
    let mut value = value.clone();
    let mut recovery = Recovery { dialect, is_extra, mistakes: Vec::new() };
    recovery.kind(kind, &mut value);
    recovery.object(&kind.shape, None, &mut value);
    recovery.mistakes.arrange_by_key(|mistake| mistake.at.range.start());
    (!recovery.mistakes.is_empty()).then_some((value, recovery.mistakes))
}

/// A mapping with more unknown keys than this is not misspelt.
const UNKNOWN_MAX: usize = 100;

struct Recovery<'e> {
    dialect: &'static Dialect,
    is_extra: &'e dyn Fn(&str) -> bool,
    mistakes: Vec<Mistake>,
}

/// The mapping around a value, and the field that the value stands in.
#[derive(Clone, Copy)]
struct Around<'a> {
    shape: &'static Shape,
    field: &'static Field,
    /// The fields of the mapping that are not there.
    absent: &'a [&'static Field],
}

impl Recovery<'_> {
    /// Corrects a mapping; returns the members that belong to the mapping around it.
    fn object<'t>(
        &mut self,
        shape: &'static Shape,
        around: Option<Around<'_>>,
        value: &mut SpannedValue<'t>,
    ) -> Vec<SpannedEntry<'t>> {
        let Data::Map(members) = &mut value.data else { return Vec::new() };
        self.rename(shape, members);
        self.lower(shape, members);
        self.missing_words(shape, members);
        let lifted = match around {
            Some(around) => self.lift(around, members, |key| shape.field(key).is_none()),
            None => Vec::new(),
        };
        let absent = absent_fields(shape, members);
        let mut brought = Vec::new();
        for member in members.iter_mut() {
            let Some(field) = shape.field(&member.key) else { continue };
            let around = Around { shape, field, absent: &absent };
            brought.extend(self.typed(field.ty, around, &mut member.value));
        }
        members.extend(brought);
        lifted
    }

    /// Gives a misspelt kind its name.
    fn kind(&mut self, kind: &'static Kind, value: &mut SpannedValue<'_>) {
        let Data::Map(members) = &mut value.data else { return };
        let discriminator = self.dialect.discriminator();
        let Some(member) = members.iter_mut().find(|member| Some(member.key.as_ref()) == discriminator)
        else {
            return;
        };
        let Data::Text(word) = &mut member.value.data else { return };
        if let Some(field) = kind.shape.field(&member.key).filter(|_| word != kind.name) {
            let written = std::mem::replace(word, Cow::Borrowed(kind.name)).into_owned();
            self.mistake(
                MistakeKind::Word { written, meant: kind.name },
                member.value.at,
                &kind.shape,
                field,
            );
        }
    }

    /// Gives misspelt keys their name.
    fn rename(&mut self, shape: &'static Shape, members: &mut [SpannedEntry<'_>]) {
        let mut absent = absent_fields(shape, members);
        let unknown = members.iter_mut().filter(|member| shape.field(&member.key).is_none());
        for member in unknown.take(UNKNOWN_MAX) {
            if (self.is_extra)(&member.key) {
                continue;
            }
            let Some(field) = meant_field(self.dialect, shape, &member.key, Some(&member.value), &absent)
            else {
                continue;
            };
            absent.retain(|other| !std::ptr::eq(*other, field));
            let alone = stands_alone(field.ty, &member.value).or_else(|| usual_text(field, &member.value));
            if let Some(alone) = alone {
                complete(alone, &mut member.value);
            }
            let written = std::mem::replace(&mut member.key, Cow::Borrowed(field.key)).into_owned();
            self.mistake(MistakeKind::Key { written, alone }, member.key_at, shape, field);
        }
    }

    /// Puts members that stand too high into the mapping that has their field.
    fn lower<'t>(&mut self, shape: &'static Shape, members: &mut Vec<SpannedEntry<'t>>) {
        let mut position = 0;
        let mut added: Vec<&'static str> = Vec::new();
        while let Some(member) = members.get(position).filter(|_| position < UNKNOWN_MAX) {
            let is_unknown = shape.field(&member.key).is_none() && !(self.is_extra)(&member.key);
            let found = is_unknown.then(|| self.deeper(shape, members, member)).flatten();
            let Some((below, inner_shape, inner)) = found else {
                position += 1;
                continue;
            };
            let mut member = members.remove(position);
            let written = std::mem::replace(&mut member.key, Cow::Borrowed(inner.key)).into_owned();
            let is_first = members.iter().all(|other| other.key != below.key);
            if is_first {
                added.push(below.key);
            }
            let absent = added
                .contains(&below.key)
                .then_some(AbsentMapping { is_required: below.required == Required::Yes, is_first });
            let kind = MistakeKind::TooHigh { written, below: below.key, absent };
            self.mistake(kind, member.key_at, inner_shape, inner);
            let at = member.key_at;
            match members.iter_mut().find(|other| other.key == below.key) {
                Some(SpannedEntry { value: SpannedValue { data: Data::Map(inside), .. }, .. }) => {
                    inside.push(member)
                }
                Some(other) => other.value.data = Data::Map(vec![member]),
                None => {
                    let value = SpannedValue { data: Data::Map(vec![member]), at, node: None };
                    members.push(SpannedEntry { key: Cow::Borrowed(below.key), key_at: at, value });
                }
            }
        }
    }

    /// The one field of `shape` whose mapping may hold the member, and the field there.
    fn deeper(
        &self,
        shape: &'static Shape,
        members: &[SpannedEntry<'_>],
        member: &SpannedEntry<'_>,
    ) -> Option<(&'static Field, &'static Shape, &'static Field)> {
        let mut found: Option<(&'static Field, &'static Shape, &'static Field)> = None;
        for field in shape.fields {
            let there = members.iter().find(|other| other.key == field.key).map(|other| &other.value);
            let is_open = there.is_none_or(|value| {
                value.is_null() || value.as_map().is_some() && value.get(&member.key).is_none()
            });
            if !is_open {
                continue;
            }
            for inner_shape in child_shapes(field, there) {
                let is_wanted = field.required == Required::Yes && there.is_none();
                let other_word = is_wanted.then(|| self.dialect.aliased(inner_shape, &member.key)).flatten();
                let of_key = |inner: &&Field| {
                    suggest::is_same_but_for_style(inner.key, &member.key) || other_word == Some(inner.key)
                };
                let Some(inner) = inner_shape.fields.iter().find(of_key) else { continue };
                if there.is_some_and(|value| value.get(inner.key).is_some()) {
                    continue;
                }
                match found {
                    Some((other, _, _)) if !std::ptr::eq(other, field) => return None,
                    _ => found = Some((field, inner_shape, inner)),
                }
            }
        }
        found
    }

    /// Takes out the members that belong to the mapping around.
    fn lift<'t>(
        &mut self,
        around: Around<'_>,
        members: &mut Vec<SpannedEntry<'t>>,
        is_strange: impl Fn(&str) -> bool,
    ) -> Vec<SpannedEntry<'t>> {
        let mut lifted: Vec<SpannedEntry<'t>> = Vec::new();
        let mut position = 0;
        while let Some(member) = members.get(position) {
            let of_key = |field: &&&'static Field| field.key == member.key;
            let meant = around.absent.iter().find(of_key).filter(|_| is_strange(&member.key));
            let is_first = lifted.iter().all(|other| other.key != member.key);
            match meant.filter(|_| is_first) {
                Some(field) => {
                    let member = members.remove(position);
                    let kind =
                        MistakeKind::TooLow { written: member.key.to_string(), inside: around.field.key };
                    self.mistake(kind, member.key_at, around.shape, field);
                    lifted.push(member);
                }
                None => position += 1,
            }
        }
        lifted
    }

    /// Corrects a value of a type; returns members that belong to the mapping around.
    fn typed<'t>(
        &mut self,
        ty: Type,
        around: Around<'_>,
        value: &mut SpannedValue<'t>,
    ) -> Vec<SpannedEntry<'t>> {
        if let Some(alone @ SingleValue::Expression { .. }) = stands_alone(ty, value) {
            complete(alone, value);
            self.mistake(MistakeKind::SingleValue(alone), value.at, around.shape, around.field);
        }
        if let Some(only) = meaning::only_item(ty, value) {
            let at = value.at;
            *value = only;
            self.mistake(MistakeKind::Only, at, around.shape, around.field);
        }
        if let Some(meant) = meaning::wrapped(self.dialect, ty, value) {
            value.data = Data::Text(Cow::Owned(meant.clone()));
            self.mistake(MistakeKind::Wrapped { meant }, value.at, around.shape, around.field);
        }
        match ty {
            Type::List(item) => self.list(ty, *item, around, value),
            Type::OneOrMany(item) => match &mut value.data {
                Data::List(items) => self.items(*item, around, items),
                _ => self.typed(*item, around, value),
            },
            Type::TextOr(_, shape) | Type::Object(shape) => self.object(shape, Some(around), value),
            Type::Sized(inner, _) => self.typed(*inner, around, value),
            Type::MapOf((_, of)) => {
                if meaning::maps_names(*of, value) {
                    let at = value.at;
                    map_names(value);
                    self.mistake(MistakeKind::Listed, at, around.shape, around.field);
                }
                if let Data::Map(members) = &mut value.data {
                    let of = *of;
                    let around = Around { absent: &[], ..around };
                    members.iter_mut().for_each(|member| drop(self.typed(of, around, &mut member.value)));
                }
                Vec::new()
            }
            Type::Variant(variant) => self.variant(variant, around, value),
            Type::OneOf(forms) => match forms.iter().find(|form| fits(form, value)) {
                Some(form) => self.typed(form.ty, around, value),
                None => Vec::new(),
            },
            Type::Bundle(_) => self.texts(around, value),
            Type::Symbol(..) | Type::Reference(_) | Type::DeclaredName => {
                let text = match value.data {
                    Data::Number(number) if number.is_finite() => number_text(number),
                    Data::Bool(boolean) => boolean.to_string(),
                    _ => return Vec::new(),
                };
                let found = value.describe();
                value.data = Data::Text(Cow::Owned(text));
                self.mistake(MistakeKind::Unquoted(found), value.at, around.shape, around.field);
                Vec::new()
            }
            Type::Expression(language) => {
                if let Some(meant) = meaning::negation(language, value) {
                    value.data = Data::Text(Cow::Owned(meant.clone()));
                    self.mistake(MistakeKind::Tag { meant }, value.at, around.shape, around.field);
                }
                Vec::new()
            }
            Type::Word(words) => {
                let words: Vec<&'static str> = words.iter().map(|word| word.text).collect();
                self.word(&words, around, value);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// Texts have free keys: only what can be no text is out of place.
    fn texts<'t>(&mut self, around: Around<'_>, value: &mut SpannedValue<'t>) -> Vec<SpannedEntry<'t>> {
        if let Data::List(items) = &mut value.data
            && matches!(items.as_slice(), [only] if only.as_map().is_some())
            && let Some(only) = items.pop()
        {
            self.mistake(MistakeKind::Only, value.at, around.shape, around.field);
            *value = only;
        }
        let Data::Map(members) = &mut value.data else { return Vec::new() };
        let lists = members.iter().filter(|member| member.value.as_list().is_some());
        let lists: Vec<String> = lists.map(|member| member.key.to_string()).collect();
        self.lift(around, members, |key| lists.iter().any(|list| list == key))
    }

    /// Adds the words that go with the keys beside them.
    fn missing_words(&mut self, shape: &'static Shape, members: &mut Vec<SpannedEntry<'_>>) {
        for field in absent_fields(shape, members) {
            if field.required != Required::Yes || !matches!(field.ty, Type::Word(_)) {
                continue;
            }
            let told = members.iter().find_map(|member| {
                let beside = shape.field(&member.key)?.beside?;
                Some((member.key_at, beside)).filter(|(_, beside)| beside.key == field.key)
            });
            if let Some((at, Beside { words: [meant], .. })) = told {
                self.mistake(MistakeKind::MissingWord { meant }, at, shape, field);
                let value = SpannedValue { data: Data::Text(Cow::Borrowed(meant)), at, node: None };
                members.push(SpannedEntry { key: Cow::Borrowed(field.key), key_at: at, value });
            }
        }
    }

    /// A mapping whose fields depend on a word: the word is corrected first, or found by the keys beside it.
    fn variant<'t>(
        &mut self,
        variant: &'static Variant,
        around: Around<'_>,
        value: &mut SpannedValue<'t>,
    ) -> Vec<SpannedEntry<'t>> {
        let Data::Map(members) = &mut value.data else { return Vec::new() };
        let words: Vec<&'static str> = variant.words().map(|word| word.text).collect();
        let of_word = |shape: &'static Shape| shape.field(variant.key);
        let around_word = variant.cases.iter().find_map(|case| Some((&case.shape, of_word(&case.shape)?)));
        if let Some((shape, field)) = around_word {
            match members.iter_mut().find(|member| member.key == variant.key) {
                Some(member) => {
                    self.word(&words, Around { shape, field, absent: &[] }, &mut member.value);
                }
                None => self.missing_word(variant, shape, field, value.at, members),
            }
        }
        let word = value.get(variant.key).and_then(|member| member.value.as_text());
        match word.and_then(|word| variant.case(word)) {
            Some(case) => self.object(&case.shape, Some(around), value),
            None => Vec::new(),
        }
    }

    /// Adds the word of the only case that has all keys that are there.
    fn missing_word<'t>(
        &mut self,
        variant: &'static Variant,
        shape: &'static Shape,
        field: &'static Field,
        at: Origin,
        members: &mut Vec<SpannedEntry<'t>>,
    ) {
        let mut fitting = variant.cases.iter().filter(|case| {
            !members.is_empty() && members.iter().all(|member| case.shape.field(&member.key).is_some())
        });
        let (Some(case), None) = (fitting.next(), fitting.next()) else { return };
        let at = members.first().map_or(at, |first| first.key_at);
        self.mistake(MistakeKind::MissingWord { meant: case.word.text }, at, shape, field);
        let value = SpannedValue { data: Data::Text(Cow::Borrowed(case.word.text)), at, node: None };
        members.push(SpannedEntry { key: Cow::Borrowed(variant.key), key_at: at, value });
    }

    fn word(&mut self, words: &[&'static str], around: Around<'_>, value: &mut SpannedValue<'_>) {
        let Data::Text(text) = &mut value.data else { return };
        if words.contains(&text.as_ref()) {
            return;
        }
        let Some(meant) = self.dialect.meant_word(text, words) else { return };
        let written = std::mem::replace(text, Cow::Borrowed(meant)).into_owned();
        self.mistake(MistakeKind::Word { written, meant }, value.at, around.shape, around.field);
    }

    fn mistake(&mut self, kind: MistakeKind, at: Origin, shape: &'static Shape, field: &'static Field) {
        self.mistakes.push(Mistake { kind, at, shape, field });
    }
}

/// Whether a single value stands where the type wants a list.
#[must_use]
pub(crate) fn is_alone(ty: Type, value: &SpannedValue<'_>) -> bool {
    takes_one(ty, value) == Some(MistakeKind::SingleValue(SingleValue::Item))
}

/// The fields of a shape that a mapping does not have.
fn absent_fields(shape: &'static Shape, members: &[SpannedEntry<'_>]) -> Vec<&'static Field> {
    shape.fields.iter().filter(|field| members.iter().all(|member| member.key != field.key)).collect()
}

#[cfg(test)]
mod tests;
