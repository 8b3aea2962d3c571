//! A value against a table: which fields are there, which are missing, which are of the wrong type,
//! and where names, conditions and localized texts are used. Never fails; the wording of problems is
//! the rules' business.

mod form;
mod leaf;
mod schema;

use nodewise_model::{NameScope, Origin, Reference};

use crate::bundle::{self, BundleProblem, TextBundle};
use crate::table::{self, Field, Kind, Language, Required, Shape, Template, Type, Variant, Violation, Word};
use crate::value::{Data, SpannedValue};
pub use leaf::{NO_MODULE, function_path_fault, name_fault, qualified, reference};
pub(crate) use leaf::{injection_parts, is_dotted, output_extended_type};
pub use schema::SchemaFault;

/// The result of comparing a document with its table.
#[derive(Debug, Default)]
pub struct Bound<'v, 't> {
    /// Violations of the table, in reading order.
    pub issues: Vec<Issue>,
    pub expressions: Vec<ExpressionUse<'v, 't>>,
    /// The localized texts of the document.
    pub bundles: Vec<BundleUse<'v, 't>>,
    /// The names that the document refers to.
    pub references: Vec<Reference>,
    /// The fields whose value is known only at run time, each with its shape.
    pub unknown: Vec<(&'static Shape, &'static Field)>,
}

/// An expression and the field that contains it.
#[derive(Debug, Clone, Copy)]
pub struct ExpressionUse<'v, 't> {
    /// The text.
    pub value: &'v SpannedValue<'t>,
    pub language: Language,
}

/// A localized text and the field that contains it.
#[derive(Debug, Clone)]
pub struct BundleUse<'v, 't> {
    /// The value, or one item of a list of localized texts.
    pub value: &'v SpannedValue<'t>,
    /// The variables that the text may use.
    pub template: Template,
    /// The key of the field that holds it.
    pub key: &'static str,
    /// Its texts, normalised.
    pub bundle: TextBundle<'v, 't>,
    /// Why some texts could not be added to the bundle.
    pub conflicts: Vec<BundleProblem>,
}

/// A violation of the dialect's table.
#[derive(Debug, Clone)]
pub struct Issue {
    /// The kind of the violation.
    pub kind: IssueKind,
    pub at: Origin,
    /// The shape that has the field.
    pub shape: &'static Shape,
    /// The field; `None` for an unknown key.
    pub field: Option<&'static Field>,
}

/// The kinds of violations.
#[derive(Debug, Clone)]
pub enum IssueKind {
    /// A required key is missing.
    MissingField,
    /// A required key for a condition is missing.
    MissingCondition,
    EmptyCondition,
    /// A condition is not a text: a description of the value.
    ConditionType(&'static str),
    /// The shape has no such key.
    UnknownField(String),
    /// An older spelling of a key: the current key.
    Superseded(&'static str),
    /// The key is documented, but every release ignores it.
    Unheeded,
    /// The value has the wrong type: the expected and the found type, in words.
    WrongType(String, &'static str),
    /// The word is not among the allowed ones: the word, and those.
    BadWord(String, &'static [Word]),
    /// The name cannot be referred to: the reason.
    BadName(&'static str),
    /// The text is not a function path: the reason.
    FunctionPath(&'static str),
    /// An edge id is neither a text nor a number: a description of the value.
    EdgeId(&'static str),
    /// The text is not of the form `Kind<separator>name`: the text, and the separator.
    Qualified(String, char),
    /// An injected variable has none of the accepted forms.
    Injection,
    /// The type of an argument does not exist: the word.
    ArgumentType(String),
    /// The type of a structured answer's field does not exist: the word.
    OutputType(String),
    /// The value of a structured answer's field is no type: the message, and the help.
    OutputForm(&'static str, &'static str),
    /// A number or a length is outside its bounds: what was expected, and what was found.
    OutOfRange(String, String),
    /// The text is not a slug: the text.
    NotASlug(String),
    /// The word that decides which fields exist is unknown: the word, and the variant with the known ones.
    BadVariant(String, &'static Variant),
    /// The word that decides which fields exist is missing.
    MissingVariant(&'static Variant),
    /// The text is not a regular expression: the reason.
    Pattern(String),
    /// A part of a JSON Schema does not mean what it looks like.
    Schema(SchemaFault),
}

impl Issue {
    /// The violation as the field's table entry describes it; `None` if the dialect's general policy applies.
    #[must_use]
    pub fn violation(&self) -> Option<Violation> {
        self.field.and_then(|field| field.violation)
    }
}

/// Which keys a mapping must or may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A whole declaration: required keys must be present.
    Declaration,
    /// A patch: keys may be missing, and `null` removes a key.
    Patch,
}

/// Compares a declaration with its table.
#[must_use]
pub fn bind<'v, 't>(kind: &'static Kind, value: &'v SpannedValue<'t>) -> Bound<'v, 't> {
    let mut binder = Binder { mode: Mode::Declaration, bound: Bound::default() };
    binder.object(&kind.shape, None, value, false);
    binder.bound
}

/// Compares an overlay with its table: its own keys, and the fields for its target's kind.
#[must_use]
pub fn bind_overlay<'v, 't>(
    overlay: &'static Kind,
    target: Option<&'static Kind>,
    value: &'v SpannedValue<'t>,
) -> Bound<'v, 't> {
    let mut binder = Binder { mode: Mode::Declaration, bound: Bound::default() };
    binder.object(&overlay.shape, target.map(|kind| &kind.shape), value, target.is_none());
    binder.bound
}

struct Binder<'v, 't> {
    mode: Mode,
    bound: Bound<'v, 't>,
}

impl<'v, 't> Binder<'v, 't> {
    /// Compares the members of a mapping. `patched` is the shape whose fields an overlay may have in addition to its own.
    /// If `open`, unknown keys are accepted.
    fn object(
        &mut self,
        shape: &'static Shape,
        patched: Option<&'static Shape>,
        value: &'v SpannedValue<'t>,
        open: bool,
    ) {
        let Some(members) = value.as_map() else { return };
        for member in members {
            let at = if member.value.is_null() { member.key_at } else { member.value.at };
            if let Some(field) = shape.field(&member.key) {
                if field.origin == table::FieldOrigin::Unheeded {
                    self.issue(IssueKind::Unheeded, member.key_at, shape, Some(field));
                }
                if let Some(key) = field.superseded_by {
                    self.issue(IssueKind::Superseded(key), member.key_at, shape, Some(field));
                }
                self.field(shape, field, &member.value, at);
            } else if let Some(field) =
                patched.and_then(|patched| patched.field(&member.key)).filter(|field| field.is_patchable())
            {
                let outer = std::mem::replace(&mut self.mode, Mode::Patch);
                self.field(patched.unwrap_or(shape), field, &member.value, at);
                self.mode = outer;
            } else if !open {
                let known = patched.unwrap_or(shape);
                let kind = IssueKind::UnknownField(member.key.to_string());
                self.issue(kind, member.key_at, known, None);
            }
        }
        if self.mode == Mode::Declaration {
            self.missing(shape, value);
        }
    }

    fn missing(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        for field in shape.fields {
            let required = match field.required {
                Required::No => false,
                Required::Yes => true,
                Required::Unless(other) => value.get(other).is_none(),
            };
            if required && value.get(field.key).is_none() {
                let kind = match field.ty {
                    Type::Condition(_) => IssueKind::MissingCondition,
                    _ => IssueKind::MissingField,
                };
                self.issue(kind, value.head(), shape, Some(field));
            }
        }
    }

    fn field(
        &mut self,
        shape: &'static Shape,
        field: &'static Field,
        value: &'v SpannedValue<'t>,
        at: Origin,
    ) {
        if value.is_null() && (field.nullable || self.mode == Mode::Patch) {
            return;
        }
        if matches!(value.data, Data::Unknown) {
            self.bound.unknown.push((shape, field));
            return;
        }
        self.value(Place { shape, field, at }, field.ty, value);
    }

    /// Compares one value with a type. Lists and unions call this again for their parts.
    fn value(&mut self, place: Place, ty: Type, value: &'v SpannedValue<'t>) {
        match ty {
            Type::List(item) => match value.as_list() {
                Some(items) => self.items(place, *item, items),
                None => self.wrong_type(place, "a list", value),
            },
            Type::OneOrMany(item) => match value.as_list() {
                Some([]) if matches!(item, Type::Reference(_)) => {
                    let expected = "a name or a list with at least one name".to_owned();
                    self.report(place, IssueKind::WrongType(expected, "an empty list"));
                }
                Some(items) => self.items(place, *item, items),
                None => self.value(place, *item, value),
            },
            Type::TextOr(text, shape) => match value.data {
                Data::Map(_) => self.object(shape, None, value, false),
                Data::Text(_) => self.value(place, *text, value),
                _ => self.wrong_type(place, "a name or a mapping", value),
            },
            Type::Object(shape) => match value.data {
                Data::Map(_) => self.object(shape, None, value, false),
                _ => self.wrong_type(place, "a mapping", value),
            },
            Type::Open(shape) => match value.data {
                Data::Map(_) => self.object(shape, None, value, true),
                _ => self.wrong_type(place, "a mapping", value),
            },
            Type::Number(_)
            | Type::Sized(..)
            | Type::MapOf(_)
            | Type::Variant(_)
            | Type::OneOf(_)
            | Type::JsonSchema => self.form(place, ty, value),
            // The packages accept only a mapping here. A list is only allowed for examples.
            Type::Bundle(_) if value.as_list().is_some() => {
                self.wrong_type(place, "a text, or a mapping of texts", value);
            }
            Type::Bundle(template) => self.bundle(place, template, value),
            Type::Bundles(template) => match value.as_list() {
                Some(items) => {
                    items.iter().for_each(|item| self.bundle(place.at_value(item), template, item))
                }
                None => self.bundle(place, template, value),
            },
            leaf => self.leaf(place, leaf, value),
        }
    }

    fn items(&mut self, place: Place, item: Type, items: &'v [SpannedValue<'t>]) {
        for value in items {
            match value.data {
                Data::Unknown => self.bound.unknown.push((place.shape, place.field)),
                _ => self.value(place.at_value(value), item, value),
            }
        }
    }

    fn bundle(&mut self, place: Place, template: Template, value: &'v SpannedValue<'t>) {
        match bundle::normalise(value) {
            Some((bundle, conflicts)) => {
                let key = place.field.key;
                self.bound.bundles.push(BundleUse { value, template, key, bundle, conflicts });
            }
            None => self.wrong_type(place, "a text, or a mapping from language codes to texts", value),
        }
    }

    fn wrong_type(&mut self, place: Place, expected: &str, value: &SpannedValue<'t>) {
        self.report(place, IssueKind::WrongType(expected.to_owned(), value.describe()));
    }

    fn report(&mut self, place: Place, kind: IssueKind) {
        self.issue(kind, place.at, place.shape, Some(place.field));
    }

    fn issue(&mut self, kind: IssueKind, at: Origin, shape: &'static Shape, field: Option<&'static Field>) {
        self.bound.issues.push(Issue { kind, at, shape, field });
    }
}

/// The position of a value in the table and in the file.
#[derive(Clone, Copy)]
struct Place {
    shape: &'static Shape,
    field: &'static Field,
    at: Origin,
}

impl Place {
    fn at_value(self, value: &SpannedValue<'_>) -> Place {
        Place { at: value.at, ..self }
    }
}

/// The kinds of a scope, for messages: "Node, FunctionNode, LLMNode or ToolNode".
#[must_use]
pub fn kinds_in_words(scope: &NameScope) -> String {
    match scope.kinds {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
