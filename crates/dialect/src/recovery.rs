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
use crate::recognise::meant_discriminator;
use crate::suggest;
use crate::table::{Beside, Dialect, Discriminator, Field, Form, Kind, Required, Shape, Type, Variant};
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};
use lists::{complete, map_names};
use meaning::{child_shapes, meant_field, stands_alone, takes_one, usual_text};

/// Something that is written differently from what the table requires, but whose meaning is clear.
#[derive(Debug, Clone)]
pub struct Mistake {
    /// How it is written.
    pub kind: MistakeKind,
    /// The place of the key or of the value.
    pub at: Origin,
    /// The shape that has the field.
    pub shape: &'static Shape,
    /// The field that was meant.
    pub field: &'static Field,
}

/// The ways in which a field may be written wrongly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MistakeKind {
    /// The key is misspelt, or is another word for it.
    Key {
        /// The key as written.
        written: String,
        /// Set if the value is also a single value where a list or mapping belongs.
        alone: Option<SingleValue>,
    },
    /// The key, or a similar one, is next to a mapping instead of inside it.
    TooHigh {
        /// The key as written.
        written: String,
        /// The key of the mapping to which it belongs.
        below: &'static str,
        /// Set if that mapping does not exist.
        absent: Option<AbsentMapping>,
    },
    /// The key is inside a mapping instead of next to it.
    TooLow {
        /// The key as written.
        written: String,
        /// The key of the mapping that contains it wrongly.
        inside: &'static str,
    },
    /// The value is another word than the allowed ones.
    Word {
        /// The word as written.
        written: String,
        /// The word that was meant.
        meant: &'static str,
    },
    /// The word of a required key is missing.
    MissingWord {
        /// The word that fits the other keys.
        meant: &'static str,
    },
    /// A number or a boolean is written where a name belongs, and quotes would make it a text: a description of the value.
    Unquoted(&'static str),
    /// An expression begins with `!`, which YAML reads as a tag.
    Tag {
        /// The expression that was meant, in the field's language.
        meant: String,
    },
    /// The last items of a list are items of the list under a key that is missing above them.
    OtherList {
        /// The key of the list that contains them wrongly.
        inside: &'static str,
        /// How many there are.
        count: usize,
    },
    /// A single value is written where a list or mapping belongs.
    SingleValue(SingleValue),
    /// An item has only one key with a value, as a short form of an item with several keys.
    Short {
        /// The key as written.
        written: String,
        /// The key of the item's name.
        key: &'static str,
        /// If the value is a single one, the key under which it belongs.
        other: Option<&'static str>,
    },
    /// A JSON Schema is written where a list of the items in its `properties` belongs.
    Schema {
        /// The key of an item's name.
        key: &'static str,
    },
    /// A list of names is written where a mapping from names belongs.
    Listed,
    /// A list with one item is written where a single value belongs.
    Only,
    /// A mapping with one entry is written where a name belongs, as in `- name: x` or `- x:`.
    Wrapped {
        /// The name that was meant.
        meant: String,
    },
    /// A mapping whose keys have no values is written where a list of names belongs.
    Keys,
    /// A mapping from names to items is written where a list of items belongs.
    Named {
        /// The key of an item's name.
        key: &'static str,
    },
}

/// A mapping that does not exist although a misplaced key belongs in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AbsentMapping {
    /// Whether the mapping is required.
    pub is_required: bool,
    /// Whether this is the first of several keys that belong in it.
    pub is_first: bool,
}

/// What a single value means where a list or a mapping belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SingleValue {
    /// It is the only item of the list.
    Item,
    /// It is an expression, and belongs under a key of a mapping.
    Expression {
        key: &'static str,
        /// The key that decides the kind of the mapping, with its word; `None` if no such key is needed.
        word: Option<(&'static str, &'static str)>,
    },
}

/// Corrects the mistakes in a document. Returns the corrected value and the mistakes in reading order; `None` if there are
/// no mistakes. `is_extra` accepts unknown keys that are no mistakes, such as fields of plugins.
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

/// Of a mapping with very many unknown keys, only this many are compared with the known ones.
const UNKNOWN_MAX: usize = 100;

struct Recovery<'e> {
    dialect: &'static Dialect,
    is_extra: &'e dyn Fn(&str) -> bool,
    mistakes: Vec<Mistake>,
}

/// The mapping around a value, and the field that contains the value.
#[derive(Clone, Copy)]
struct Around<'a> {
    shape: &'static Shape,
    field: &'static Field,
    /// The fields that are missing in the mapping.
    absent: &'a [&'static Field],
}

impl Recovery<'_> {
    /// Corrects a mapping. Returns members that belong in the mapping around it.
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

    /// Corrects a misspelt kind, or adds the kind.
    fn kind(&mut self, kind: &'static Kind, value: &mut SpannedValue<'_>) {
        let Some(discriminator) = self.dialect.discriminator() else { return };
        let meant = meant_discriminator(self.dialect, value).map(|member| member.key_at);
        let head = value.head();
        let Data::Map(members) = &mut value.data else { return };
        let Some(member) = members.iter_mut().find(|member| member.key == discriminator) else {
            let Some(field) = kind.shape.field(discriminator) else { return };
            let key = Cow::Borrowed(discriminator);
            match members.iter_mut().find(|member| Some(member.key_at) == meant) {
                Some(member) => {
                    let written = std::mem::replace(&mut member.key, key).into_owned();
                    let mistake = MistakeKind::Key { written, alone: None };
                    self.mistake(mistake, member.key_at, &kind.shape, field);
                }
                None => {
                    self.mistake(MistakeKind::MissingWord { meant: kind.name }, head, &kind.shape, field);
                    let value =
                        SpannedValue { data: Data::Text(Cow::Borrowed(kind.name)), at: head, node: None };
                    members.push(SpannedEntry { key, key_at: head, value });
                }
            }
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

    /// Corrects misspelt keys.
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

    /// Moves members into the inner mapping to which they belong.
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

    /// The only field of `shape` whose mapping may contain the member, and the member's field there; `None` if there are
    /// several.
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

    /// Removes the members that belong in the mapping around this one, and returns them.
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

    /// Corrects a value of a type. Returns members that belong in the mapping around it.
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
            Type::OneOf(forms) => {
                self.form_key(forms, value);
                match forms.iter().find(|form| fits(form, value)) {
                    Some(form) => self.typed(form.ty, around, value),
                    None => Vec::new(),
                }
            }
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

    /// Corrects the misspelt key that decides which form a mapping has.
    fn form_key(&mut self, forms: &'static [Form], value: &mut SpannedValue<'_>) {
        let shapes = || {
            forms.iter().filter_map(|form| match form.ty {
                Type::Object(shape) | Type::Open(shape) => Some((form, shape)),
                _ => None,
            })
        };
        let keys = || {
            shapes().filter_map(|(form, shape)| match form.when {
                Discriminator::HasKey(key) => shape.field(key).map(|field| (shape, field)),
                _ => None,
            })
        };
        let Data::Map(members) = &mut value.data else { return };
        let is_known = |key: &str| shapes().any(|(_, shape)| shape.field(key).is_some());
        if members.iter().any(|member| keys().any(|(_, field)| field.key == member.key)) {
            return;
        }
        for member in members.iter_mut().filter(|member| !is_known(&member.key)).take(UNKNOWN_MAX) {
            let near = suggest::nearest(&member.key, keys().map(|(_, field)| field.key));
            let Some((shape, field)) = keys().find(|(_, field)| Some(field.key) == near) else { continue };
            let written = std::mem::replace(&mut member.key, Cow::Borrowed(field.key)).into_owned();
            return self.mistake(MistakeKind::Key { written, alone: None }, member.key_at, shape, field);
        }
    }

    /// Corrects a localized text. It may have any keys, so a member is only moved out if it cannot be a text.
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

    /// Adds required words that are missing but follow from the other keys.
    fn missing_words(&mut self, shape: &'static Shape, members: &mut Vec<SpannedEntry<'_>>) {
        for field in absent_fields(shape, members) {
            if field.required != Required::Yes || !matches!(field.ty, Type::Word(_)) {
                continue;
            }
            let dependent = members.iter().find_map(|member| {
                let beside = shape.field(&member.key)?.beside?;
                Some((member.key_at, beside)).filter(|(_, beside)| beside.key == field.key)
            });
            if let Some((at, Beside { words: [meant], .. })) = dependent {
                self.mistake(MistakeKind::MissingWord { meant }, at, shape, field);
                let value = SpannedValue { data: Data::Text(Cow::Borrowed(meant)), at, node: None };
                members.push(SpannedEntry { key: Cow::Borrowed(field.key), key_at: at, value });
            }
        }
    }

    /// Corrects a mapping whose fields depend on a word. First corrects the word, or finds it by the other keys.
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

    /// Adds the word of the only case that has all the keys that are present.
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

/// Whether the type wants a list and the value is a single value.
#[must_use]
pub(crate) fn is_alone(ty: Type, value: &SpannedValue<'_>) -> bool {
    takes_one(ty, value) == Some(MistakeKind::SingleValue(SingleValue::Item))
}

/// The fields of a shape that are missing in a mapping.
fn absent_fields(shape: &'static Shape, members: &[SpannedEntry<'_>]) -> Vec<&'static Field> {
    shape.fields.iter().filter(|field| members.iter().all(|member| member.key != field.key)).collect()
}

#[cfg(test)]
mod tests;
