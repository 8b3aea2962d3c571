//! Binding of values without parts: names, words, paths, ids, references.

use nodewise_expr::filtrex::pattern_fault;
use nodewise_model::{NameScope, Reference};
use smol_str::SmolStr;

use super::{Binder, ExpressionUse, IssueKind, Place};
use crate::table::{Language, Shape, Type, Word};
use crate::value::{Data, SpannedValue};

/// Texts that the loaders accept as a boolean.
const BOOLEAN_WORDS: &[&str] = &["true", "false", "yes", "no", "on", "off", "t", "f", "y", "n", "1", "0"];

impl<'v, 't> Binder<'v, 't> {
    pub(super) fn leaf(&mut self, place: Place, ty: Type, value: &'v SpannedValue<'t>) {
        match ty {
            Type::Any | Type::Lenient(_) => {}
            Type::Condition(language) => self.condition(place, language, value),
            Type::Boolean => match value.data {
                Data::Bool(_) => {}
                _ => self.wrong_type(place, "`true` or `false`", value),
            },
            Type::EdgeId => match value.data {
                Data::Text(_) | Data::Number(_) => {}
                _ => self.report(place, IssueKind::EdgeId(value.describe())),
            },
            Type::Bool => match &value.data {
                Data::Bool(_) => {}
                Data::Number(number) if *number == 0.0 || *number == 1.0 => {}
                Data::Text(text) if BOOLEAN_WORDS.contains(&text.to_ascii_lowercase().as_str()) => {}
                _ => self.wrong_type(place, "`true` or `false`", value),
            },
            Type::ArgumentType(words) => self.argument_type(place, words, value),
            Type::Injection => self.injection(place, value),
            Type::OutputFields(words, extended) => match value.data {
                Data::Map(_) => self.output_fields(place, (words, extended), value),
                _ => self.wrong_type(place, "a mapping from field names to types", value),
            },
            _ => match value.as_text() {
                Some(text) => self.text(place, ty, text, value),
                None => self.not_a_text(place, ty, value),
            },
        }
    }

    fn not_a_text(&mut self, place: Place, ty: Type, value: &SpannedValue<'t>) {
        match ty {
            Type::Qualified(_, separator) => {
                self.report(place, IssueKind::Qualified(value.describe().to_owned(), separator));
            }
            Type::Word(_) | Type::Kind => self.wrong_type(place, "a word", value),
            Type::FunctionPath(_) => self.wrong_type(place, "the dotted path of a function", value),
            Type::Symbol(symbol, _) => self.wrong_type(place, symbol.one(), value),
            Type::Expression(_) => self.wrong_type(place, "an expression as text", value),
            Type::File(_) => self.wrong_type(place, "the path of a file", value),
            Type::Pattern => self.wrong_type(place, "a regular expression as text", value),
            Type::Reference(scope) => self.wrong_type(place, &format!("the name of {}", scope.one()), value),
            _ => self.wrong_type(place, "a text", value),
        }
    }

    fn text(&mut self, place: Place, ty: Type, text: &str, value: &'v SpannedValue<'t>) {
        match ty {
            Type::DeclaredName => {
                if let Some(fault) = name_fault(text) {
                    self.report(place, IssueKind::BadName(fault));
                }
            }
            Type::Word(words) if !knows(words, text) => {
                self.report(place, IssueKind::BadWord(text.to_owned(), words));
            }
            Type::FunctionPath(_) => {
                if let Some(fault) = function_path_fault(text) {
                    self.report(place, IssueKind::FunctionPath(fault));
                }
            }
            Type::Pattern => {
                if let Some(fault) = pattern_fault(text) {
                    self.report(place, IssueKind::Pattern(fault));
                }
            }
            Type::Expression(language) => self.bound.expressions.push(ExpressionUse { value, language }),
            Type::Slug(_) if !is_slug(text) => self.report(place, IssueKind::NotASlug(text.to_owned())),
            Type::Reference(scope) => self.bound.references.push(reference(text, value, scope)),
            Type::Qualified(scope, separator) => match qualified(text, value, scope, separator) {
                Some(reference) => self.bound.references.push(reference),
                None => self.report(place, IssueKind::Qualified(text.to_owned(), separator)),
            },
            _ => {}
        }
    }

    fn condition(&mut self, place: Place, language: Language, value: &'v SpannedValue<'t>) {
        match &value.data {
            Data::Null => self.report(place, IssueKind::EmptyCondition),
            Data::Text(text) if text.is_empty() => self.report(place, IssueKind::EmptyCondition),
            Data::Text(_) => {
                self.bound.expressions.push(ExpressionUse { value, language });
            }
            _ => self.report(place, IssueKind::ConditionType(value.describe())),
        }
    }

    fn argument_type(&mut self, place: Place, words: &'static [Word], value: &'v SpannedValue<'t>) {
        match &value.data {
            Data::Text(text) if !knows(words, text) => {
                self.report(place, IssueKind::ArgumentType(text.to_string()));
            }
            Data::Text(_) => {}
            Data::List(items) if !items.is_empty() => {
                for item in items {
                    match item.as_text() {
                        Some(text) if knows(words, text) => {}
                        Some(text) => {
                            self.report(place.at_value(item), IssueKind::ArgumentType(text.to_owned()));
                        }
                        None => self.wrong_type(place.at_value(item), "the name of a type", item),
                    }
                }
            }
            _ => self.wrong_type(place, "the name of a type, or a list of such names", value),
        }
    }

    /// Checks an injected variable: `path` or `target: path` as a text, or `target: path` as a mapping with one key.
    fn injection(&mut self, place: Place, value: &'v SpannedValue<'t>) {
        if injection_parts(value).is_none() {
            self.report(place, IssueKind::Injection);
        }
    }

    /// Checks a field type of a structured answer: the extended form `{type, description?, optional?}`, a list of one type,
    /// or nested fields.
    fn output_fields(&mut self, place: Place, (words, extended): OutputFields, value: &'v SpannedValue<'t>) {
        for member in value.as_map().unwrap_or_default() {
            self.output_type(place.at_value(&member.value), (words, extended), &member.value);
        }
    }

    fn output_type(&mut self, place: Place, (words, extended): OutputFields, value: &'v SpannedValue<'t>) {
        match &value.data {
            Data::Text(text) if knows(words, text) => {}
            Data::Text(text) => self.report(place, IssueKind::OutputType(text.to_string())),
            Data::List(items) => match items.as_slice() {
                [item] if item.as_map().is_some() => self.report(
                    place.at_value(item),
                    IssueKind::OutputForm(
                        "the items of a list cannot be mappings",
                        "write the name of a type",
                    ),
                ),
                [item] => self.output_type(place.at_value(item), (words, extended), item),
                _ => {
                    let fault =
                        IssueKind::OutputForm("a list takes one type", "write one type, such as `[str]`");
                    self.report(place, fault);
                }
            },
            Data::Map(members) if members.is_empty() => {
                let fault = IssueKind::OutputForm("a field of type mapping has no fields", "add a field");
                self.report(place, fault);
            }
            Data::Map(_) => match output_extended_type(extended, value) {
                Some(inner) => self.output_type(place.at_value(inner), (words, extended), inner),
                None => self.output_fields(place, (words, extended), value),
            },
            _ => self.wrong_type(place, "a type, a list of one type, or a mapping of fields", value),
        }
    }
}

/// The words for types, and the shape of the extended form.
type OutputFields = (&'static [Word], &'static Shape);

/// The type inside the extended form of an output field, `{type, description, optional}`; `None` for another form.
pub(crate) fn output_extended_type<'v, 't>(
    extended: &Shape,
    value: &'v SpannedValue<'t>,
) -> Option<&'v SpannedValue<'t>> {
    let [type_field, ..] = extended.fields else { return None };
    let is_extended = value.as_map()?.iter().all(|member| extended.field(&member.key).is_some());
    is_extended.then(|| value.get(type_field.key).map(|member| &member.value)).flatten()
}

/// The reference that a text makes in a scope. The text may be `name`, or `Kind/name` with a kind of the scope.
#[must_use]
pub fn reference(text: &str, value: &SpannedValue<'_>, scope: &'static NameScope) -> Reference {
    let known = |(kind, name)| Some((scope.kind(kind)?, name));
    let written_kind = text.split_once('/').filter(|_| scope.takes_kind).and_then(known);
    let named = |name| Reference::new(SmolStr::new(name), value.at, scope);
    written_kind.map_or_else(|| named(text), |(kind, name)| named(name).of_kind(kind))
}

/// The reference that a text `Kind<separator>name` makes. `None` if a part is missing or the kind is not one of the
/// scope's. The text is split at the first separator; with a slash, there must be exactly one.
#[must_use]
pub fn qualified(
    text: &str,
    value: &SpannedValue<'_>,
    scope: &'static NameScope,
    separator: char,
) -> Option<Reference> {
    let (kind, name) = text.split_once(separator)?;
    let one_slash = separator != '/' || !name.contains('/');
    let kind = scope.kind(kind).filter(|_| !name.is_empty() && one_slash)?;
    Some(Reference::new(SmolStr::new(name), value.at, scope).of_kind(kind))
}

/// The target (`None` if it is not written) and the path of an injected variable.
pub(crate) fn injection_parts<'v>(value: &'v SpannedValue<'_>) -> Option<(Option<&'v str>, &'v str)> {
    let (target, path) = match &value.data {
        Data::Text(text) => match text.split_once(':') {
            Some((target, path)) => (Some(target.trim_end()), path.strip_prefix(' ')?.trim()),
            None => (None, text.as_ref()),
        },
        Data::Map(members) => match members.as_slice() {
            [only] => (Some(only.key.as_ref()), only.value.as_text()?),
            _ => return None,
        },
        _ => return None,
    };
    (target.is_none_or(is_dotted) && is_dotted(path)).then_some((target, path))
}

fn knows(words: &[Word], text: &str) -> bool {
    words.iter().any(|word| word.text == text)
}

/// The reason why a declaration's name cannot be referred to; `None` if it can.
#[must_use]
pub fn name_fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("it is empty")
    } else if name.contains('/') {
        Some("it has a `/`, which separates kind and name in references")
    } else if name.contains(':') {
        Some("it has a `:`, which separates kind and name in keys")
    } else if name.trim() != name {
        Some("it starts or ends with a space")
    } else {
        None
    }
}

/// The fault of a function path that is a single name.
pub const NO_MODULE: &str = "the module is missing";

/// The reason why a text is not a function path; `None` if it is. A function path is at least two identifiers joined by
/// dots.
#[must_use]
pub fn function_path_fault(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        Some("it is empty")
    } else if path.starts_with('.') {
        Some("a relative path cannot be imported")
    } else if path.contains(':') {
        Some("module and function are joined by a dot, not a colon")
    } else if path.ends_with(')') {
        Some("it names a function; parentheses do not belong to it")
    } else if path.split('.').any(str::is_empty) {
        Some("a part between the dots is empty")
    } else if path.contains(['/', '\\']) {
        Some("modules are joined by dots, not by slashes")
    } else if path.contains('-') {
        Some("a name in Python has no dash; the module may be called with `_`")
    } else if !path.split('.').all(is_identifier) {
        Some("a part is not an identifier")
    } else if !path.contains('.') {
        Some(NO_MODULE)
    } else if path.ends_with(".py") {
        Some("it names a file, not a function in it")
    } else {
        None
    }
}

/// Whether a word consists of ASCII letters, digits, `-` and `_`, and is not empty.
fn is_slug(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Whether a path consists of identifiers joined by dots.
pub(crate) fn is_dotted(path: &str) -> bool {
    path.split('.').all(is_identifier)
}

/// Whether a word begins with a letter or `_` and continues with letters, digits and `_`.
fn is_identifier(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && letters.all(|letter| letter == '_' || letter.is_alphanumeric())
}
