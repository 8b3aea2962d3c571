//! A value to write, with placeholders. In: an outline, its place and style. Out: its text, with `${1:…}` where the
//! editor supports placeholders. Invariant: without placeholders, the text is valid YAML.

use nodewise_dialect::table::{Field, Type};
use nodewise_dialect::tables::DIALECTS;
use nodewise_syntax::ScalarStyle;
use nodewise_syntax::write::{ScalarPosition, fragment_text, scalar_text};

/// The maximum number of words in a choice. Longer lists are offered by the next completion.
const CHOICES_MAX: usize = 20;

/// A value to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outline {
    /// No value yet: a text, or anything else.
    Open {
        /// Whether it becomes a text.
        is_text: bool,
    },
    /// A scalar to choose or change.
    Hole {
        /// Its possible values, the most likely first.
        choices: Vec<String>,
        /// Whether these are texts.
        is_text: bool,
    },
    /// A text to change. Equal ones are one placeholder.
    Named(String),
    /// A known text.
    Fixed(String),
    /// A known value that is not a text, as YAML and JSON write it.
    Plain(String),
    /// A mapping. An empty one has to be filled.
    Map(Vec<(OutlineKey, Outline)>),
    List(Vec<Outline>),
    /// A collection in brackets.
    InBrackets(Box<Outline>),
}

/// A key of a mapping to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OutlineKey {
    /// A known key.
    Fixed(String),
    /// A key to change. It is one placeholder with every [`Outline::Named`] of the same text.
    Named(String),
}

/// Writes outlines.
pub(super) struct Writer {
    setting: ScalarPosition,
    snippets: bool,
    next_place: usize,
    /// The texts of the placeholders that can stand at several places, and their numbers.
    named: Vec<(String, usize)>,
    text: String,
}

impl Outline {
    /// What follows a key that was just typed.
    pub(super) fn behind_key(field: &Field) -> Outline {
        match Outline::of_type(field.ty) {
            Outline::Open { is_text: false } => match field.default {
                Some(default) if matches!(field.ty, Type::Number(_)) => {
                    Outline::Hole { choices: vec![default.to_owned()], is_text: false }
                }
                _ => Outline::Open { is_text: false },
            },
            // The default is seldom the value to write.
            Outline::Hole { mut choices, is_text }
                if field.default == choices.first().map(String::as_str) =>
            {
                let moved = choices.len().min(1);
                choices.rotate_left(moved);
                Outline::Hole { choices, is_text }
            }
            other => other,
        }
    }

    /// The start of a value of a type.
    pub(super) fn of_type(ty: Type) -> Outline {
        let texts = |words: Vec<String>| match words.len() {
            1..=CHOICES_MAX => Outline::Hole { choices: words, is_text: true },
            _ => Outline::Open { is_text: true },
        };
        match ty {
            Type::Sized(inner, _) | Type::OneOrMany(inner) | Type::TextOr(inner, _) => {
                Outline::of_type(*inner)
            }
            Type::OneOf(forms) => {
                forms.first().map_or(Outline::Open { is_text: false }, |form| Outline::of_type(form.ty))
            }
            Type::List(item) => Outline::List(vec![match Outline::of_type(*item) {
                Outline::Hole { is_text, .. } => Outline::Open { is_text },
                Outline::Map(_) => Outline::Map(Vec::new()),
                Outline::List(_) => Outline::Open { is_text: false },
                other => other,
            }]),
            Type::Bundles(_) => Outline::List(vec![Outline::Open { is_text: true }]),
            Type::Object(_)
            | Type::Open(_)
            | Type::Variant(_)
            | Type::MapOf(_)
            | Type::OutputFields(..)
            | Type::JsonSchema => Outline::Map(Vec::new()),
            Type::Word(words) | Type::ArgumentType(words) => {
                texts(words.iter().map(|word| word.text.to_owned()).collect())
            }
            Type::Kind => {
                let dialects = DIALECTS.iter().filter(|dialect| dialect.discriminator().is_some());
                texts(dialects.flat_map(|dialect| dialect.kinds).map(|kind| kind.name.to_owned()).collect())
            }
            Type::Bool | Type::Boolean => {
                Outline::Hole { choices: vec!["true".to_owned(), "false".to_owned()], is_text: false }
            }
            Type::Number(_) | Type::Any | Type::EdgeId => Outline::Open { is_text: false },
            _ => Outline::Open { is_text: true },
        }
    }

    fn places(&self) -> usize {
        match self {
            Outline::Open { .. } | Outline::Hole { .. } | Outline::Named(_) => 1,
            Outline::Fixed(_) | Outline::Plain(_) => 0,
            Outline::InBrackets(inner) => inner.places(),
            Outline::Map(entries) if entries.is_empty() => 1,
            Outline::Map(entries) => {
                let of_key = |key: &OutlineKey| usize::from(matches!(key, OutlineKey::Named(_)));
                entries.iter().map(|(key, value)| of_key(key) + value.places()).sum()
            }
            Outline::List(items) => items.iter().map(Outline::places).sum(),
        }
    }

    /// The same without choices, for editors that cannot offer them.
    pub(super) fn without_choices(self) -> Outline {
        match self {
            Outline::Hole { is_text, .. } => Outline::Open { is_text },
            other => other,
        }
    }
}

impl Writer {
    /// A writer of one or more outlines with this total number of placeholders.
    pub(super) fn new(setting: ScalarPosition, snippets: bool, outline: &Outline) -> Writer {
        // The cursor ends up at the only placeholder.
        let is_last = outline.places() == 1 && !matches!(outline, Outline::Hole { .. });
        let next_place = usize::from(!is_last);
        Writer { setting, snippets, next_place, named: Vec::new(), text: String::new() }
    }

    /// The written text.
    pub(super) fn finish(self) -> String {
        self.text
    }

    /// Adds text without changes.
    pub(super) fn literal(&mut self, text: &str) {
        match self.snippets {
            true => self.text.push_str(&escaped(text, &['\\', '$', '}'])),
            false => self.text.push_str(text),
        }
    }

    /// A key and its value. `indent` is the column of the key.
    pub(super) fn entry(&mut self, key: &str, value: &Outline, indent: usize) {
        self.literal(&scalar_text(key, self.setting));
        self.literal(":");
        self.behind_colon(value, indent);
    }

    fn keyed(&mut self, key: &OutlineKey, value: &Outline, indent: usize) {
        match key {
            OutlineKey::Fixed(key) => self.entry(key, value, indent),
            OutlineKey::Named(key) => {
                self.named(key);
                self.literal(":");
                self.behind_colon(value, indent);
            }
        }
    }

    /// A value after the colon of a key. `indent` is the column of the key.
    pub(super) fn behind_colon(&mut self, value: &Outline, indent: usize) {
        let is_block = self.setting == ScalarPosition::Block;
        match value {
            Outline::Map(_) if is_block => {
                self.line(indent + 2);
                self.value(value, indent + 2);
            }
            Outline::List(items) if is_block && !items.is_empty() => {
                self.line(indent + 2);
                self.value(value, indent + 2);
            }
            _ => {
                self.literal(" ");
                self.value(value, indent);
            }
        }
    }

    /// A value at the column `indent`.
    pub(super) fn value(&mut self, value: &Outline, indent: usize) {
        let is_block = self.setting == ScalarPosition::Block;
        match value {
            Outline::Open { is_text } => self.open(*is_text),
            Outline::Hole { choices, is_text } => self.hole(choices, *is_text),
            Outline::Named(text) => self.named(text),
            Outline::Fixed(text) => self.literal(&scalar_text(text, self.setting)),
            Outline::Plain(text) => self.literal(text),
            Outline::InBrackets(inner) if is_block => {
                self.setting = ScalarPosition::Flow;
                self.value(inner, indent);
                self.setting = ScalarPosition::Block;
            }
            Outline::InBrackets(inner) => self.value(inner, indent),
            Outline::Map(entries) if is_block && entries.is_empty() => self.place(&[]),
            Outline::Map(entries) if is_block => {
                for (number, (key, value)) in entries.iter().enumerate() {
                    if number > 0 {
                        self.line(indent);
                    }
                    self.keyed(key, value, indent);
                }
            }
            Outline::List(items) if is_block && !items.is_empty() => {
                for (number, item) in items.iter().enumerate() {
                    if number > 0 {
                        self.line(indent);
                    }
                    self.literal("- ");
                    self.value(item, indent + 2);
                }
            }
            Outline::Map(entries) => self.in_brackets(['{', '}'], entries.len(), indent, |writer, number| {
                if let Some((key, value)) = entries.get(number) {
                    writer.keyed(key, value, indent + 2);
                }
            }),
            Outline::List(items) => self.in_brackets(['[', ']'], items.len(), indent, |writer, number| {
                if let Some(item) = items.get(number) {
                    writer.value(item, indent + 2);
                }
            }),
        }
    }

    /// A line break and the next indentation.
    pub(super) fn line(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
    }

    fn in_brackets(
        &mut self,
        [opener, closer]: [char; 2],
        count: usize,
        indent: usize,
        part: impl Fn(&mut Writer, usize),
    ) {
        // JSON for people has each member on its own line, if there are several.
        let on_lines = self.setting == ScalarPosition::Json && count > 1;
        self.literal(&opener.to_string());
        if count == 0 {
            self.place(&[]);
        }
        for number in 0..count {
            match (on_lines, number > 0) {
                (true, is_later) => {
                    self.literal(if is_later { "," } else { "" });
                    self.line(indent + 2);
                }
                (false, true) => self.literal(", "),
                (false, false) => {}
            }
            part(self, number);
        }
        if on_lines {
            self.line(indent);
        }
        self.literal(&closer.to_string());
    }

    fn open(&mut self, is_text: bool) {
        let quote = if is_text && self.setting == ScalarPosition::Json { "\"" } else { "" };
        self.literal(quote);
        self.place(&[]);
        self.literal(quote);
    }

    fn hole(&mut self, choices: &[String], is_text: bool) {
        let written: Vec<String> = choices
            .iter()
            .map(|choice| if is_text { scalar_text(choice, self.setting) } else { choice.clone() })
            .collect();
        self.place(&written);
    }

    /// A placeholder for a text that can stand at several places. In JSON, the quotes stay when the text is replaced.
    fn named(&mut self, text: &str) {
        let is_quoted = self.setting == ScalarPosition::Json;
        let written = match is_quoted {
            true => fragment_text(ScalarStyle::DoubleQuoted, text).unwrap_or_default(),
            false => scalar_text(text, self.setting),
        };
        let quote = if is_quoted { "\"" } else { "" };
        self.literal(quote);
        match self.named.iter().find(|(named, _)| named == text) {
            Some((_, number)) if self.snippets => {
                let place = format!("${{{number}:{}}}", escaped(&written, &['\\', '$', '}']));
                self.text.push_str(&place);
            }
            _ => {
                self.named.push((text.to_owned(), self.next_place));
                self.place(&[written]);
            }
        }
        self.literal(quote);
    }

    /// A placeholder. Without snippets, its value.
    fn place(&mut self, choices: &[String]) {
        if !self.snippets {
            self.text.push_str(choices.first().map_or("", String::as_str));
            return;
        }
        let number = self.next_place;
        self.next_place += 1;
        let place = match choices {
            [] => format!("${number}"),
            [only] => format!("${{{number}:{}}}", escaped(only, &['\\', '$', '}'])),
            several => {
                let choices: Vec<String> =
                    several.iter().map(|choice| escaped(choice, &['\\', '$', '}', ',', '|'])).collect();
                format!("${{{number}|{}|}}", choices.join(","))
            }
        };
        self.text.push_str(&place);
    }
}

/// A text, escaped for a snippet.
fn escaped(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        if special.contains(&letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// The text of a snippet with its placeholders filled in.
pub(super) fn unfilled(snippet: &str) -> String {
    let mut text = String::new();
    let mut rest = snippet;
    while let Some(at) = rest.find(['$', '\\', '}']) {
        text.push_str(&rest[..at]);
        let (sign, behind) = (&rest[at..=at], &rest[at + 1..]);
        rest = behind;
        match sign {
            "\\" => {
                let escaped = behind.chars().next().map_or(0, char::len_utf8);
                text.push_str(&behind[..escaped]);
                rest = &behind[escaped..];
            }
            "$" => {
                let inner =
                    behind.trim_start_matches(|letter: char| letter == '{' || letter.is_ascii_digit());
                rest = inner.strip_prefix(':').unwrap_or(inner);
            }
            _ => {}
        }
    }
    text.push_str(rest);
    text
}
