//! The documentation of items. In: a handle, which an editor stores as text and sends back. Out: a text to show.
//! Invariant: reading a handle from its text gives the same handle. An outdated handle finds nothing.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::index::Declared;
use nodewise_analysis::page;
use nodewise_analysis::rules::rule;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{
    Dialect, Field, FieldOrigin, Form, Kind, Language, Required, Shape, Type, Word,
};
use nodewise_dialect::tables::{self, DIALECTS, shapes};
use nodewise_dialect::walk::Slot;
use nodewise_expr::vocabulary::VocabularyEntry;
use smol_str::SmolStr;

use crate::cursor_context::CursorContext;
use crate::markup::{Line, Markup, describe_entity, describe_field, describe_kind};
use crate::names::{Entity, NameKind, document};

/// Identifies the documentation of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle(String);

impl Handle {
    /// The handle as text, for an editor to store.
    #[must_use]
    pub fn as_text(&self) -> &str {
        &self.0
    }

    /// The handle as text.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0
    }

    /// A handle from its text.
    #[must_use]
    pub fn from_text(text: impl Into<String>) -> Handle {
        Handle(text.into())
    }

    fn of(parts: &[&str]) -> Handle {
        Handle(parts.join("\n"))
    }

    /// A key of a shape.
    pub(super) fn field(dialect: &'static Dialect, shape: &'static Shape, field: &Field) -> Option<Handle> {
        let number = shapes(dialect).iter().position(|known| known.is_same(shape))?;
        Some(Handle::of(&["field", dialect.id, &number.to_string(), field.key]))
    }

    /// A kind of document.
    pub(super) fn kind(dialect: &'static Dialect, kind: &Kind) -> Handle {
        Handle::of(&["kind", dialect.id, kind.name])
    }

    /// A declaration of a document.
    pub(super) fn declaration(snapshot: &Snapshot, declared: Declared) -> Handle {
        let path = snapshot.file(declared.document.source).map_or("", |file| &*file.path);
        let (position, kind, part) = (declared.document.position, declared.kind, declared.part());
        Handle(format!("declaration\n{path}\n{position}\n{kind}\n{part}"))
    }

    /// A key of the state of the graph around the cursor.
    pub(super) fn state(spot: &CursorContext<'_>, name: &str) -> Option<Handle> {
        let document = spot.document?.id.position.to_string();
        let (graph, ..) = spot.graph()?;
        Some(Handle::of(&["state", &spot.file.path, &document, &graph.to_string(), name]))
    }

    /// A word or sign of an expression language.
    pub(super) fn entry(language: Language, entry: &VocabularyEntry) -> Option<Handle> {
        let entries = language.vocabulary();
        let number = entries.iter().position(|known| known.name == entry.name && known.kind == entry.kind)?;
        Some(Handle::of(&["entry", language.id(), &number.to_string()]))
    }

    pub(super) fn rule(id: &str) -> Handle {
        Handle::of(&["rule", id])
    }
}

/// The documentation. `None` if its subject no longer exists.
#[must_use]
pub fn resolve(snapshot: &Snapshot, handle: &Handle) -> Option<Markup> {
    let parts: Vec<&str> = handle.0.split('\n').collect();
    match parts.as_slice() {
        ["field", dialect, number, key] => {
            let shape = *shapes(dialect_of(dialect)?).get(number.parse::<usize>().ok()?)?;
            Some(describe_field(Slot { shape, field: shape.field(key)? }))
        }
        ["kind", dialect, name] => Some(describe_kind(dialect_of(dialect)?.kind(name)?)),
        ["declaration", path, position, kind, part] => {
            let document = document_at(snapshot, path, position)?;
            let kind = DIALECTS.iter().find_map(|dialect| dialect.kind(kind))?.name;
            let part = part.parse().ok()?;
            Some(describe_entity(snapshot, &Entity::Declaration { document, kind, part }))
        }
        ["state", path, position, graph, name] => {
            let document = document_at(snapshot, path, position)?;
            let graph = Some(graph.parse().ok()?);
            let name = SmolStr::new(name);
            let entity = Entity::Local { document, graph, kind: NameKind::State, name };
            Some(describe_entity(snapshot, &entity))
        }
        ["rule", id] => {
            let mut markup = Markup::new();
            markup.paragraph(&Line::new().strong(rule(id)?.id));
            markup.paragraph(&Line::new().prose(&page::summary(rule(id)?)));
            Some(markup)
        }
        ["entry", language, number] => {
            let entry = tables::language(language)?.vocabulary().get(number.parse::<usize>().ok()?)?;
            let mut markup = Markup::new();
            markup.paragraph(&Line::new().code(entry.signature.unwrap_or(entry.name)));
            markup.paragraph(&Line::new().prose(entry.doc));
            Some(markup)
        }
        _ => None,
    }
}

/// A few words about a key: whether it is required, and its type.
pub(super) fn field_detail(field: &Field) -> String {
    let mut parts = Vec::new();
    match field.required {
        Required::Yes => parts.push("required".to_owned()),
        Required::Unless(other) => parts.push(format!("required without `{other}`")),
        Required::No => {}
    }
    let type_words = type_words(field.ty);
    if !type_words.is_empty() {
        parts.push(type_words);
    }
    match field.origin {
        FieldOrigin::Unheeded => parts.push("has no effect".to_owned()),
        FieldOrigin::Release(version) => parts.push(format!("release {version}")),
        FieldOrigin::Examples | FieldOrigin::Specification => {}
    }
    parts.join(", ")
}

/// A type in a few words.
fn type_words(ty: Type) -> String {
    match ty {
        Type::Kind => "kind".to_owned(),
        Type::DeclaredName => "name".to_owned(),
        Type::Text | Type::Slug(_) | Type::Suggested(_) => "text".to_owned(),
        Type::Any => String::new(),
        Type::Bool | Type::Boolean => "true or false".to_owned(),
        Type::Number(bounds) => bounds.in_words(),
        Type::Sized(inner, _) | Type::Lenient(inner) => type_words(*inner),
        Type::Symbol(symbol, _) => symbol.one().to_owned(),
        Type::Expression(language) => language.title().to_owned(),
        Type::File(_) => "file".to_owned(),
        Type::Pattern => "regular expression".to_owned(),
        Type::JsonSchema => "JSON Schema".to_owned(),
        Type::MapOf((_, of)) => format!("mapping to {}", or_values(type_words(*of))),
        Type::Variant(variant) => variant.name.to_owned(),
        Type::OneOf(forms) => {
            let words: Vec<String> = forms.iter().map(|form: &Form| type_words(form.ty)).collect();
            words.join(" or ")
        }
        Type::Word(words) | Type::ArgumentType(words) => words_in_short(words),
        Type::FunctionPath(_) => "function".to_owned(),
        Type::Condition(_) => "condition".to_owned(),
        Type::EdgeId => "edge id".to_owned(),
        Type::Reference(scope) | Type::Qualified(scope, _) => scope.noun.to_owned(),
        Type::Bundle(_) => "localized text".to_owned(),
        Type::Bundles(_) => "localized texts".to_owned(),
        Type::Injection => "variable".to_owned(),
        Type::OutputFields(..) => "fields and their types".to_owned(),
        Type::List(item) => format!("list of {}", or_values(type_words(*item))),
        Type::OneOrMany(item) => format!("{}, or several", type_words(*item)),
        Type::TextOr(text, shape) => format!("{} or {}", type_words(*text), shape.name),
        Type::Object(shape) | Type::Open(shape) => shape.name.to_owned(),
    }
}

fn or_values(words: String) -> String {
    if words.is_empty() { "values".to_owned() } else { words }
}

fn words_in_short(words: &[Word]) -> String {
    match words {
        [] | [_, _, _, _, _, ..] => "word".to_owned(),
        few => few.iter().map(|word| word.text).collect::<Vec<_>>().join(" | "),
    }
}

fn dialect_of(id: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|dialect| dialect.id == id)
}

/// A document, by its position.
fn document_at(snapshot: &Snapshot, path: &str, position: &str) -> Option<DocumentId> {
    let id = DocumentId { source: snapshot.source(path)?, position: position.parse().ok()? };
    document(snapshot, id).map(|document| document.id)
}
