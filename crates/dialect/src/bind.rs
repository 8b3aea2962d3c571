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

/// What binding found in one document.
#[derive(Debug, Default)]
pub struct Bound<'v, 't> {
    /// Violations of the table, in reading order of the document.
    pub issues: Vec<Issue>,
    pub expressions: Vec<ExpressionUse<'v, 't>>,
    /// The localized texts.
    pub bundles: Vec<BundleUse<'v, 't>>,
    /// The names that are looked up.
    pub references: Vec<Reference>,
    /// The fields that hold something unknown, each with its shape.
    pub unknown: Vec<(&'static Shape, &'static Field)>,
}

/// An expression in its place.
#[derive(Debug, Clone, Copy)]
pub struct ExpressionUse<'v, 't> {
    /// The text.
    pub value: &'v SpannedValue<'t>,
    pub language: Language,
}

/// A localized text in its place.
#[derive(Debug, Clone)]
pub struct BundleUse<'v, 't> {
    /// The value, or one element of a list of localized texts.
    pub value: &'v SpannedValue<'t>,
    /// Which variables it may name.
    pub template: Template,
    /// The key of the field that holds it.
    pub key: &'static str,
    /// Its texts, normalised.
    pub bundle: TextBundle<'v, 't>,
    /// What kept texts out of the bundle.
    pub conflicts: Vec<BundleProblem>,
}

/// A violation of the table.
#[derive(Debug, Clone)]
pub struct Issue {
    /// What departs.
    pub kind: IssueKind,
    pub at: Origin,
    /// The type that has the field.
    pub shape: &'static Shape,
    /// The field, unless it is unknown.
    pub field: Option<&'static Field>,
}

/// How a value departs from the table.
#[derive(Debug, Clone)]
pub enum IssueKind {
    /// A required key is not there.
    MissingField,
    /// A condition is not there.
    MissingCondition,
    EmptyCondition,
    /// A condition is not a text.
    ConditionType(&'static str),
    /// The key is none of the shape's.
    UnknownField(String),
    /// The key is an older spelling of this one.
    Superseded(&'static str),
    /// The key is documented, and every release ignores it.
    Unheeded,
    /// The value has another YAML type: what was expected, what was found.
    WrongType(String, &'static str),
    /// The word is none of the allowed ones.
    BadWord(String, &'static [Word]),
    /// A name that cannot be referred to, and why.
    BadName(&'static str),
    /// The text is no function path, and why.
    FunctionPath(&'static str),
    /// An edge id that is neither text nor number.
    EdgeId(&'static str),
    /// The text is no `Kind<separator>name`.
    Qualified(String, char),
    /// An injected variable that is none of the accepted forms.
    Injection,
    /// A type of argument that does not exist.
    ArgumentType(String),
    /// A type of a structured answer's field that does not exist.
    OutputType(String),
    /// A field of a structured answer whose value is no type: the fact, and what to write.
    OutputForm(&'static str, &'static str),
    /// A number or a length outside its bounds: what was expected, what was found.
    OutOfRange(String, String),
    /// The text is no slug.
    NotASlug(String),
    /// The word that decides which fields there are is none of the known ones: the word, and these.
    BadVariant(String, &'static Variant),
    /// The word that decides which fields there are is not there.
    MissingVariant(&'static Variant),
    /// The text is no regular expression, and why.
    Pattern(String),
    /// A part of a JSON Schema says something else than it looks like.
    Schema(SchemaFault),
}

impl Issue {
    /// What the violation amounts to where its field says so itself.
    #[must_use]
    pub fn violation(&self) -> Option<Violation> {
        self.field.and_then(|field| field.violation)
    }
}

/// How strictly a document is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// A whole declaration: required keys must be there.
    Declaration,
    /// A patch: keys may be missing, and `null` removes one.
    Patch,
}

/// Binds a declaration.
#[must_use]
pub fn bind<'v, 't>(kind: &'static Kind, value: &'v SpannedValue<'t>) -> Bound<'v, 't> {
    let mut binder = Binder { mode: Mode::Declaration, bound: Bound::default() };
    binder.object(&kind.shape, None, value, false);
    binder.bound
}

/// Binds an overlay: its own keys, and beside them the fields of its target's kind.
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
    /// Binds the members of a mapping. `patched` is the shape whose fields an overlay may hold beside
    /// its own; `open` accepts keys that nobody knows.
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

    /// Binds one value against a type; lists and unions come back here for their parts.
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
            // The packages want a mapping here; lists are for examples alone.
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

/// Where a value stands in the table and in the file.
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

/// The scope's kinds, for messages: "Node, FunctionNode, LLMNode or ToolNode".
#[must_use]
pub fn kinds_in_words(scope: &NameScope) -> String {
    match scope.kinds {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
