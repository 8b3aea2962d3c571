//! From a TOML document to the types of the configuration, through serde.
//!
//! Input: a table with the place of each part. Output: a value, or what is wrong with it and where. Invariant: messages and places are
//! those of `toml`'s own deserializer, which takes several times as much code for each type. In WebAssembly, that was a
//! twentieth of the module.

use std::fmt::{self, Display};
use std::ops::Range;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_spanned::de::{SpannedDeserializer, is_spanned};
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

/// How `toml` hands over a date or a time.
const DATE_TIME: &str = "$__toml_private_datetime";

/// What does not fit the types. In a box, because every function for a type returns it.
#[derive(Debug)]
pub(super) struct ShapeError(Box<Shape>);

#[derive(Debug)]
struct Shape {
    message: String,
    span: Option<Range<usize>>,
}

impl ShapeError {
    fn new(message: String) -> ShapeError {
        ShapeError(Box::new(Shape { message, span: None }))
    }

    /// The error with a place, unless it has one that is more exact.
    #[inline(never)]
    fn at(mut self, place: Place) -> ShapeError {
        self.0.span.get_or_insert(place.range());
        self
    }

    pub(super) fn message(&self) -> &str {
        &self.0.message
    }

    pub(super) fn span(&self) -> Option<Range<usize>> {
        self.0.span.clone()
    }
}

impl Display for ShapeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for ShapeError {}

impl serde::de::Error for ShapeError {
    fn custom<T: Display>(message: T) -> ShapeError {
        ShapeError::new(message.to_string())
    }
}

#[derive(Clone, Copy)]
struct Place {
    start: usize,
    end: usize,
}

impl Place {
    fn new(range: Range<usize>) -> Place {
        Place { start: range.start, end: range.end }
    }

    fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A part of the document.
#[derive(Clone, Copy)]
pub(super) struct Part<'d> {
    content: Content<'d>,
    place: Place,
}

#[derive(Clone, Copy)]
enum Content<'d> {
    Key(&'d str),
    Table(&'d DeTable<'d>),
    Value(&'d DeValue<'d>),
}

/// The content as serde names it.
enum Datum<'d> {
    Text(&'d str),
    Truth(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    List(&'d [Spanned<DeValue<'d>>]),
    Table(&'d DeTable<'d>),
    Date(DeTable<'static>),
    /// A number that no type of the configuration can hold.
    Large(String),
}

impl<'d> Part<'d> {
    /// The whole document.
    pub(super) fn document(root: &'d Spanned<DeTable<'d>>) -> Part<'d> {
        Part { content: Content::Table(root.get_ref()), place: Place::new(root.span()) }
    }

    #[inline(never)]
    fn key(key: &'d Spanned<DeString<'d>>) -> Part<'d> {
        Part { content: Content::Key(key.get_ref()), place: Place::new(key.span()) }
    }

    #[inline(never)]
    fn value(value: &'d Spanned<DeValue<'d>>) -> Part<'d> {
        Part { content: Content::Value(value.get_ref()), place: Place::new(value.span()) }
    }

    #[inline(never)]
    fn datum(self) -> Result<Datum<'d>, ShapeError> {
        let value = match self.content {
            Content::Key(text) => return Ok(Datum::Text(text)),
            Content::Table(table) => return Ok(Datum::Table(table)),
            Content::Value(value) => value,
        };
        Ok(match value {
            DeValue::String(text) => Datum::Text(text),
            DeValue::Boolean(value) => Datum::Truth(*value),
            DeValue::Integer(number) => integer(number),
            DeValue::Float(number) => match float(number.as_str()) {
                Some(number) => Datum::Float(number),
                None => return Err(ShapeError::custom("floating-point number overflowed").at(self.place)),
            },
            DeValue::Array(items) => Datum::List(items),
            DeValue::Table(table) => Datum::Table(table),
            DeValue::Datetime(value) => Datum::Date(self.date(value.to_string())),
        })
    }

    fn date(self, text: String) -> DeTable<'static> {
        let mut table = DeTable::new();
        let value = DeValue::String(text.into());
        table.insert(
            Spanned::new(self.place.range(), DATE_TIME.into()),
            Spanned::new(self.place.range(), value),
        );
        table
    }

    /// The table, if the part is one.
    fn table(self) -> Option<&'d DeTable<'d>> {
        match self.content {
            Content::Table(table) | Content::Value(DeValue::Table(table)) => Some(table),
            _ => None,
        }
    }

    /// The choice that the part names.
    #[inline(never)]
    fn variant(self) -> Result<Variant<'d>, ShapeError> {
        let Some(table) = self.table() else {
            return match self.content {
                Content::Key(_) | Content::Value(DeValue::String(_)) => {
                    Ok(Variant { word: self, value: None })
                }
                _ => Err(ShapeError::custom("wanted string or table").at(self.place)),
            };
        };
        let mut entries = table.iter();
        match (entries.next(), entries.next()) {
            (Some((key, value)), None) => Ok(Variant { word: Part::key(key), value: Some(value) }),
            (None, _) => Err(ShapeError::custom("wanted exactly 1 element, found 0 elements").at(self.place)),
            (Some(_), Some(_)) => {
                Err(ShapeError::custom("wanted exactly 1 element, more than 1 element").at(self.place))
            }
        }
    }
}

impl<'de> Deserializer<'de> for Part<'_> {
    type Error = ShapeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        let result = match self.datum()? {
            Datum::Text(text) => visitor.visit_str(text),
            Datum::Truth(value) => visitor.visit_bool(value),
            Datum::Signed(number) => visitor.visit_i64(number),
            Datum::Unsigned(number) => visitor.visit_u64(number),
            Datum::Float(number) => visitor.visit_f64(number),
            Datum::List(items) => visitor.visit_seq(Items(items.iter())),
            Datum::Table(table) => visitor.visit_map(Entries::of(table)),
            Datum::Date(table) => visitor.visit_map(Entries::of(&table)),
            Datum::Large(number) => Err(ShapeError::invalid_type(Unexpected::Other(&number), &visitor)),
        };
        result.map_err(|error| error.at(self.place))
    }

    /// An entry that is there has a value.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ShapeError> {
        visitor.visit_some(self).map_err(|error| error.at(self.place))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        visitor.visit_newtype_struct(self).map_err(|error| error.at(self.place))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        match is_spanned(name) {
            true => visitor.visit_map(SpannedDeserializer::new(self, self.place.range())),
            false => self.deserialize_any(visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        visitor.visit_enum(self.variant()?).map_err(|error| error.at(self.place))
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char str string seq
        bytes byte_buf map unit ignored_any unit_struct tuple_struct tuple identifier
    }
}

impl<'d> IntoDeserializer<'_, ShapeError> for Part<'d> {
    type Deserializer = Part<'d>;

    fn into_deserializer(self) -> Part<'d> {
        self
    }
}

fn integer<'d>(number: &DeInteger<'_>) -> Datum<'d> {
    let (text, radix) = (number.as_str(), number.radix());
    if let Ok(number) = i64::from_str_radix(text, radix) {
        Datum::Signed(number)
    } else if let Ok(number) = u64::from_str_radix(text, radix) {
        Datum::Unsigned(number)
    } else if let Ok(number) = i128::from_str_radix(text, radix) {
        Datum::Large(format!("integer `{number}` as i128"))
    } else {
        Datum::Large(format!("integer `{number}`"))
    }
}

fn float(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| !number.is_infinite() || text.contains("inf"))
}

/// The entries of a table.
struct Entries<'d, I> {
    entries: I,
    value: Option<&'d Spanned<DeValue<'d>>>,
}

type Entry<'d> = (&'d Spanned<DeString<'d>>, &'d Spanned<DeValue<'d>>);

impl<'d> Entries<'d, ()> {
    fn of(table: &'d DeTable<'d>) -> Entries<'d, impl ExactSizeIterator<Item = Entry<'d>>> {
        Entries { entries: table.iter(), value: None }
    }
}

impl<'de, 'd, I: ExactSizeIterator<Item = Entry<'d>>> MapAccess<'de> for Entries<'d, I> {
    type Error = ShapeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ShapeError> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        let key = Part::key(key);
        seed.deserialize(key).map(Some).map_err(|error| error.at(key.place))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ShapeError> {
        let value = self.value.take().ok_or_else(|| ShapeError::custom("a value without its key"))?;
        let value = Part::value(value);
        seed.deserialize(value).map_err(|error| error.at(value.place))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

/// The items of an array.
struct Items<'d>(std::slice::Iter<'d, Spanned<DeValue<'d>>>);

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = ShapeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, ShapeError> {
        self.0.next().map(|item| seed.deserialize(Part::value(item))).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// A choice: a word, or a table with one entry.
struct Variant<'d> {
    word: Part<'d>,
    value: Option<&'d Spanned<DeValue<'d>>>,
}

impl<'d> Variant<'d> {
    /// What the choice has beside its word.
    fn part(self, wanted: &str) -> Result<Part<'d>, ShapeError> {
        let missing = || ShapeError::invalid_type(Unexpected::UnitVariant, &wanted);
        self.value.map(Part::value).ok_or_else(missing)
    }
}

impl<'de, 'd> EnumAccess<'de> for Variant<'d> {
    type Error = ShapeError;
    type Variant = Variant<'d>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Variant<'d>), ShapeError> {
        let word = seed.deserialize(self.word).map_err(|error| error.at(self.word.place))?;
        Ok((word, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = ShapeError;

    fn unit_variant(self) -> Result<(), ShapeError> {
        let Some(value) = self.value else { return Ok(()) };
        let expected = match value.get_ref() {
            DeValue::Array(items) if items.is_empty() => return Ok(()),
            DeValue::Table(table) if table.is_empty() => return Ok(()),
            DeValue::Array(_) => "expected empty array".to_owned(),
            DeValue::Table(_) => "expected empty table".to_owned(),
            other => format!("expected table, found {}", other.type_str()),
        };
        Err(ShapeError::new(expected).at(Place::new(value.span())))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ShapeError> {
        seed.deserialize(self.part("newtype variant")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value, ShapeError> {
        self.part("tuple variant")?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ShapeError> {
        self.part("struct variant")?.deserialize_any(visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use toml::de::DeTable;

    use super::Part;
    use crate::config::file::File;

    /// Compares the result of a document, or its message and place, with that of `toml`.
    #[track_caller]
    fn check_same(text: &str) -> bool {
        let root = DeTable::parse(text).expect(text);
        let own = File::deserialize(Part::document(&root))
            .map_err(|error| (error.message().to_owned(), error.span()));
        let theirs = File::deserialize(toml::Deserializer::from(root.clone()))
            .map_err(|error| (error.message().to_owned(), error.span()));
        assert_eq!(format!("{own:?}"), format!("{theirs:?}"), "{text}");
        own.is_ok()
    }

    #[test]
    fn values_are_those_of_toml() {
        for text in [
            "",
            "[files]\ninclude = ['a', \"b\\n\"]\nmax_size_mib = 0x10",
            "files = { exclude = [] }\n[rules]\na = 'off'\n[[rules.override]]\nfiles = ['t']\nlevels = { b = 'x' }",
            "[format]\nindent = 4\nbrace_spacing = true\nquotes = 'double'",
            "[liman]\nprofile = '0.1.1'\n[liman.external]\ntools = ['search']",
            "[live]\ntimeout_s = 1.5\nretries = 3\n[live.models.m]\nseed = -7\nprompt_cache = '5m'\nattachments = ['image']",
            "[live.models.m.body]\na = [1, 2.5, true, { b = 'c' }]\nd = 1979-05-27\ne = 18446744073709551615",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nkey = { env = 'K' }\nheaders = { a = 'b', c = { command = ['de'] } }",
            "[live.engines.e]\nurl = ['a', 'b']\n[live.engines.f]\nurl = 'a'",
            "[live.services]\nrecall = 'a.b'\nfitness = 'c.d'",
            "[serve]\nidentity = ['k']\ncalls_at_once = 3",
            "[live.agents]\na = 'm'\n[live.tools.t]\nagain = 'never'\nparameters = { type = 'object' }",
        ] {
            assert!(check_same(text), "{text}");
        }
    }

    #[test]
    fn messages_and_places_are_those_of_toml() {
        for text in [
            "files = 3",
            "file = 3",
            "[files]\nexlude = []",
            "[files]\ninclude = 'a'",
            "[files]\ninclude = ['a', 3]",
            "[files]\nmax_size_mib = -1",
            "[files]\nmax_size_mib = 99999999999999999999",
            "[files]\nmax_size_mib = 0xfffffffffffffffffffff",
            "[files]\nmax_size_mib = 1979-05-27",
            "[check]\nbaseline = 1979-05-27T07:32:00Z",
            "[rules]\na = 3",
            "[[rules.override]]\nfiles = ['t']",
            "[format]\nindent = 'four'",
            "[format]\nline_width = 1.5",
            "[liman]\nprofil = 'a'",
            "[live]\ntimeout_s = 1e999",
            "[live.providers.p]\nkind = 'other'\nbase_url = 'u'",
            "[live.providers.p]\nkind = {}\nbase_url = 'u'",
            "[live.providers.p]\nkind = 3\nbase_url = 'u'",
            "[live.providers.p]\nkind = { openai = 3 }\nbase_url = 'u'",
            "[live.providers.p]\nkind = { openai = [3] }\nbase_url = 'u'",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nkey = { env = 'K', command = ['a'] }",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nkey = { env = 3 }",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nkey = { file = 'K' }",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nkey = 'K'",
            "[live.providers.p]\nkind = 'openai'\nbase_url = 'u'\nheaders = { a = 3 }",
            "[live.engines.e]\nurl = [3]",
            "[live.engines.e]\nurl = 3",
            "[live.services]\nother = 'a.b'",
            "[live.models.m]\nattachments = ['film']",
            "[live.models.m]\nprompt_cache = '6m'",
            "[live.models.m]\nmax_tokens = 4294967296",
        ] {
            assert!(!check_same(text), "{text}");
        }
    }
}
