//! What a value may be: types, their bounds, and the variants and forms that mappings come in.

use nodewise_expr::language::Language;
use nodewise_model::NameScope;

pub use super::topic::ReviewTopic;
use super::{Field, Required, Shape};

/// Whether a release imports the function that a function path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Import {
    /// It imports the function, so the path needs a module.
    Done,
    /// It only stores the text. The program decides how to find the function.
    Never,
}

/// The type of a field's value.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// The word that names the document's kind.
    Kind,
    DeclaredName,
    /// Any text, without further meaning.
    Text,
    /// Any value.
    Any,
    /// `true` or `false`, or a text that the loaders convert to one.
    Bool,
    /// `true` or `false` only.
    Boolean,
    /// A number within bounds.
    Number(NumberBounds),
    /// A text, list or mapping with a limited length in characters, items or keys.
    Sized(&'static Type, LengthBounds),
    /// A name of letters, digits, `-` and `_` that is not empty, and what it stands for.
    Slug(Symbol),
    /// A name with a meaning inside its document, and what it does there.
    Symbol(Symbol, NameUse),
    /// An expression in a language.
    Expression(Language),
    /// A regular expression of JavaScript.
    Pattern,
    /// The path of a file, and what the file contains. The path is relative to this file, or to the project's folder if it
    /// begins with `/`.
    File(FileContent),
    JsonSchema,
    /// A mapping with free keys: the type of the keys, and the type of the values.
    MapOf(&'static (Type, Type)),
    /// A mapping with a key whose word decides which other keys exist.
    Variant(&'static Variant),
    /// One of several forms that are easy to tell apart.
    OneOf(&'static [Form]),
    /// One of these words.
    Word(&'static [Word]),
    /// Any text, with suggestions.
    Suggested(&'static [Word]),
    /// Any value. A value of this type has the meaning of the type.
    Lenient(&'static Type),
    /// A dotted path to a function.
    FunctionPath(Import),
    /// A condition in the dialect's expression language.
    Condition(Language),
    /// The id of an edge: a text or a number.
    EdgeId,
    /// A name that is looked up in a scope, or `Kind/name`.
    Reference(&'static NameScope),
    /// A name with its kind in front, and the separator between them.
    Qualified(&'static NameScope, char),
    /// A localized text, and the variables that it may use.
    Bundle(Template),
    /// A list of localized texts, or one localized text with lists as texts.
    Bundles(Template),
    /// The type of a tool's argument: one of these words or a list of them.
    ArgumentType(&'static [Word]),
    /// An injected variable: `path` or `target: path` as a text, or `target: path` as a mapping with one key.
    Injection,
    /// The fields of a structured answer: the words for types, and the shape of the extended form.
    OutputFields(&'static [Word], &'static Shape),
    List(&'static Type),
    /// One value or a list of values.
    OneOrMany(&'static Type),
    /// A text of a type, or a mapping of a shape.
    TextOr(&'static Type, &'static Shape),
    /// A mapping of a shape.
    Object(&'static Shape),
    /// A mapping of a shape that may have other keys too.
    Open(&'static Shape),
}

/// The content of a file that a [`Type::File`] names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileContent {
    Scripts,
    /// Declarations that a run uses.
    Declarations,
}

/// A word of a closed list.
#[derive(Debug)]
pub struct Word {
    pub text: &'static str,
    /// The meaning of the word.
    pub doc: &'static str,
}

/// The version of a system that is followed, where its releases differ from its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The specification. What releases do not support is at most a hint.
    #[default]
    Specification,
    /// The release with this version. What it rejects or reads differently is a warning.
    Release(&'static str),
}

/// The range of values that a number may have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberBounds {
    /// Whether it must be an integer.
    pub integer: bool,
    /// The minimum, inclusive unless `above_min`.
    pub min: f64,
    /// The maximum, inclusive.
    pub max: f64,
    /// Whether the number must be greater than the minimum.
    pub above_min: bool,
}

/// The bounds of a length, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LengthBounds {
    /// The least length.
    pub min: usize,
    /// The greatest length.
    pub max: usize,
}

/// The kind of thing that a name stands for inside a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A node of the graph.
    Node,
    /// A node of the graph, or one of the dialect's words for the start or end of a run.
    Endpoint,
    Edge,
    Graph,
    Agent,
    Tool,
    /// A server that offers tools or agents.
    Server,
    /// A key of the state, with dots for its parts.
    State,
    /// A key of another graph's input, output or state.
    ForeignState,
    /// An artifact that a node writes.
    Artifact,
    /// A language model.
    Model,
    Guardrail,
    /// An extension of the host.
    Extension,
    /// A trait of a persona.
    Trait,
    /// A tag of facts in long-term memory.
    Tag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameUse {
    /// The name declares the thing.
    Declares,
    /// The name refers to the thing.
    Refers,
    /// The value of the thing is read.
    Reads,
    /// The value of the thing is written.
    Writes,
}

/// A mapping with a key whose word decides which other keys exist.
#[derive(Debug)]
pub struct Variant {
    /// The name of the type, for example `ToolSource`.
    pub name: &'static str,
    /// A description in one or two sentences.
    pub doc: &'static str,
    /// The key that has the word.
    pub key: &'static str,
    /// The cases: each word with its shape. The shape contains the key, too.
    pub cases: &'static [Case],
    /// Shorter forms of the same value, if there are any.
    pub short: Option<&'static ShortForms>,
}

/// Shorter forms of a [`Variant`].
#[derive(Debug)]
pub struct ShortForms {
    /// The field for which a plain text stands. The case is the one that has the text among its words.
    pub text: &'static str,
    /// The case for a text that is in no list of words.
    pub other: &'static str,
    /// Keys that imply a case.
    pub keys: &'static [ShortKey],
}

/// A key that implies a case and contains one of its fields.
#[derive(Debug)]
pub struct ShortKey {
    pub key: &'static str,
    /// The word of the implied case.
    pub case: &'static str,
    /// The field for which the key stands.
    pub field: &'static str,
    /// Other keys of the short form, each with its field. If several stand for the same field, the first one counts.
    pub others: &'static [(&'static str, &'static str)],
}

/// One case of a [`Variant`].
#[derive(Debug)]
pub struct Case {
    /// The word of the case.
    pub word: Word,
    /// The shape of the mapping in this case.
    pub shape: Shape,
}

/// One form of a [`Type::OneOf`].
#[derive(Debug)]
pub struct Form {
    /// When a value has this form.
    pub when: Discriminator,
    /// The type of such a value.
    pub ty: Type,
}

/// How a form is recognised. The first form that matches counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discriminator {
    /// The value is a text.
    Text,
    /// The value is a boolean.
    Boolean,
    /// The value is a mapping.
    Mapping,
    /// The value is a mapping with this key.
    HasKey(&'static str),
    Otherwise,
}

/// The variables that a text may use in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    Open,
    /// These only.
    Closed(&'static [&'static str]),
}

impl Symbol {
    /// A description of such a name for messages: "the id of a node".
    #[must_use]
    pub fn one(self) -> &'static str {
        match self {
            Symbol::Node | Symbol::Endpoint => "the id of a node",
            Symbol::Edge => "the id of an edge",
            Symbol::Graph => "the id of a graph",
            Symbol::Agent => "the id of an agent",
            Symbol::Tool => "the name of a tool",
            Symbol::Server => "the id of a server",
            Symbol::State => "a key of the state",
            Symbol::ForeignState => "a key of the other graph",
            Symbol::Artifact => "the key of an artifact",
            Symbol::Model => "the name of a model",
            Symbol::Guardrail => "the id of a guardrail",
            Symbol::Extension => "the id of an extension",
            Symbol::Trait => "the name of a trait",
            Symbol::Tag => "a tag",
        }
    }
}

impl Type {
    /// Whether values of the type are numbers.
    #[must_use]
    pub fn takes_number(&self) -> bool {
        match self {
            Type::Number(_) => true,
            Type::Sized(inner, _) | Type::Lenient(inner) => inner.takes_number(),
            _ => false,
        }
    }

    /// The required keys of a mapping of this type as an example in one line; `None` for other types.
    #[must_use]
    pub fn example(&self) -> Option<String> {
        let (word, shape) = match self {
            Type::Object(shape) => (None, *shape),
            Type::Variant(variant) => {
                let case = variant.cases.first()?;
                (Some((variant.key, case.word.text)), &case.shape)
            }
            _ => return None,
        };
        let key = |field: &&Field| match word.filter(|(key, _)| *key == field.key) {
            Some((key, word)) => format!("{key}: {word}"),
            None => format!("{}: ...", field.key),
        };
        let required = shape.fields.iter().filter(|field| field.required == Required::Yes);
        let keys: Vec<String> = required.map(|field| key(&field)).collect();
        (!keys.is_empty()).then(|| format!("{{{}}}", keys.join(", ")))
    }

    /// What a value of the type does with nodes: whether it declares or refers to them. `None` if it names none.
    #[must_use]
    pub fn use_of_nodes(&self) -> Option<NameUse> {
        match self {
            Type::Symbol(Symbol::Node | Symbol::Endpoint, what) => Some(*what),
            Type::List(inner) | Type::OneOrMany(inner) | Type::Sized(inner, _) | Type::Lenient(inner) => {
                inner.use_of_nodes()
            }
            Type::Object(shape) | Type::TextOr(_, shape) => {
                let uses = || {
                    shape.fields.iter().filter_map(|field| match field.ty {
                        Type::Symbol(Symbol::Node | Symbol::Endpoint, what) => Some(what),
                        _ => None,
                    })
                };
                uses().find(|what| *what == NameUse::Declares).or_else(|| uses().next())
            }
            _ => None,
        }
    }
}

impl Variant {
    /// The case with a word.
    #[must_use]
    pub fn case(&self, word: &str) -> Option<&'static Case> {
        self.cases.iter().find(|case| case.word.text == word)
    }

    pub fn words(&self) -> impl Iterator<Item = &'static Word> + use<> {
        self.cases.iter().map(|case| &case.word)
    }
}
