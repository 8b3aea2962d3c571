//! Reading parts of a value by key. A block is a mapping whose missing keys have the defaults of its shape, so that
//! no default is stated twice. In: a value and a key; out: the part with its place, absent if it cannot be read.

use nodewise_model::{Condition, Located, NameScope, Origin, Reference, Setting};
use smol_str::SmolStr;

use crate::table::Shape;
use crate::value::{Data, SpannedEntry, SpannedValue};

/// A mapping of a shape, whose missing keys have the shape's defaults. The mapping itself may be missing.
pub(super) struct Block<'v, 't> {
    value: Option<&'v SpannedValue<'t>>,
    shape: &'static Shape,
}

impl<'v, 't> Block<'v, 't> {
    pub(super) fn of(member: Option<&'v SpannedEntry<'t>>, shape: &'static Shape) -> Block<'v, 't> {
        Block { value: member.map(|member| &member.value), shape }
    }

    pub(super) fn number(&self, key: &str) -> Setting<f64> {
        match self.value.and_then(|value| number_at(value, key)) {
            Some(Located { value, at }) => Setting { value, at: Some(at) },
            None => Setting { value: self.default(key).parse().unwrap_or_default(), at: None },
        }
    }

    pub(super) fn word(&self, key: &str) -> Setting<SmolStr> {
        match self.value.and_then(|value| text_at(value, key)) {
            Some(Located { value, at }) => Setting { value, at: Some(at) },
            None => Setting { value: SmolStr::new(self.default(key)), at: None },
        }
    }

    pub(super) fn boolean(&self, key: &str) -> Setting<bool> {
        match self.value.and_then(|value| value.get(key)) {
            Some(SpannedEntry { value: SpannedValue { data: Data::Bool(value), at, .. }, .. }) => {
                Setting { value: *value, at: Some(*at) }
            }
            _ => Setting { value: self.default(key) == "true", at: None },
        }
    }

    fn default(&self, key: &str) -> &'static str {
        self.shape.field(key).and_then(|field| field.default).unwrap_or_default()
    }
}

pub(super) fn text_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    let value = &value.get(key)?.value;
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}

pub(super) fn number_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<f64>> {
    let value = &value.get(key)?.value;
    match value.data {
        Data::Number(number) => Some(Located::new(number, value.at)),
        _ => None,
    }
}

/// The texts in a list; `None` if there is no list.
pub(super) fn texts_at(value: &SpannedValue<'_>, key: &str) -> Option<Vec<Located<SmolStr>>> {
    let items = value.get(key)?.value.as_list()?;
    Some(items.iter().filter_map(|item| Some(Located::new(SmolStr::new(item.as_text()?), item.at))).collect())
}

pub(super) fn owned_texts(value: &SpannedValue<'_>, key: &str) -> Vec<SmolStr> {
    texts_at(value, key).unwrap_or_default().into_iter().map(|text| text.value).collect()
}

pub(super) fn is_true(value: &SpannedValue<'_>, key: &str) -> bool {
    matches!(value.get(key).map(|member| &member.value.data), Some(Data::Bool(true)))
}

pub(super) fn condition(value: &SpannedValue<'_>, key: &str) -> Option<Condition> {
    let text = text_at(value, key)?;
    Some(Condition { text: text.value.as_str().into(), at: text.at })
}

/// A name that is looked up. Ids of agents and graphs are used as they are: a slash has no meaning.
pub(super) fn reference_at(
    value: &SpannedValue<'_>,
    key: &str,
    scope: &'static NameScope,
) -> Option<Reference> {
    let Located { value: name, at } = text_at(value, key)?;
    Some(opaque_reference(name, at, scope))
}

pub(super) fn opaque_reference(name: SmolStr, at: Origin, scope: &'static NameScope) -> Reference {
    Reference::new(name, at, scope)
}
