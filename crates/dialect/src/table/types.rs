//! What a value may be: types, their bounds, and the variants and forms that mappings come in.

use nodewise_expr::language::Language;
use nodewise_model::NameScope;

pub use super::topic::ReviewTopic;
use super::{Field, Required, Shape};

/// Whether a release imports what a function path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Import {
    /// It does, so that the path needs a module.
    Done,
    /// It keeps the text, and a program may look it up as it likes.
    Never,
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// The word that names the document's kind.
    Kind,
    DeclaredName,
    /// A text without further meaning.
    Text,
    /// Any value.
    Any,
    /// `true` or `false`, or a text that the loaders read as one.
    Bool,
    /// `true` or `false`, nothing else.
    Boolean,
    /// A number within bounds.
    Number(NumberBounds),
    /// A text, list or mapping of a certain length, in characters, items or keys.
    Sized(&'static Type, LengthBounds),
    /// A name of letters, digits, `-` and `_`, not empty, and what it stands for.
    Slug(Symbol),
    /// A name that means something in its document, and what it does there.
    Symbol(Symbol, NameUse),
    /// An expression in this language.
    Expression(Language),
    /// A regular expression, as JavaScript writes it.
    Pattern,
    /// The path of a file, relative to this one, or from the project's folder if it begins with `/`; what the file holds.
    File(FileContent),
    JsonSchema,
    /// A mapping with free keys: what the keys are, and what the values.
    MapOf(&'static (Type, Type)),
    /// A mapping whose other fields depend on the word in one of them.
    Variant(&'static Variant),
    /// One of several forms, which are easy to distinguish.
    OneOf(&'static [Form]),
    /// One of these words.
    Word(&'static [Word]),
    /// A text, and what it usually is.
    Suggested(&'static [Word]),
    /// Any value; one of this type means what the type says.
    Lenient(&'static Type),
    /// A dotted path to a function.
    FunctionPath(Import),
    /// A condition in the dialect's expression language.
    Condition(Language),
    /// The id of an edge: text or number.
    EdgeId,
    /// A name that is looked up; `Kind/name` is understood too.
    Reference(&'static NameScope),
    /// A name with its kind in front, and the character between them.
    Qualified(&'static NameScope, char),
    /// A localized text, and what its templates may name.
    Bundle(Template),
    /// A list of localized texts, or one whose leaves are lists.
    Bundles(Template),
    /// The type of a tool's argument: one of these words, or a list of them.
    ArgumentType(&'static [Word]),
    /// An injected variable: `path`, `target: path` as text, or as a mapping with one key.
    Injection,
    /// The fields of a structured answer, and the words that name a field's type.
    OutputFields(&'static [Word], &'static Shape),
    List(&'static Type),
    /// One value, or a list of such values.
    OneOrMany(&'static Type),
    /// A text of one type, or a mapping of a shape.
    TextOr(&'static Type, &'static Shape),
    /// A mapping of a shape.
    Object(&'static Shape),
    /// A mapping of a shape that may hold other keys too.
    Open(&'static Shape),
}

/// What a file holds that a [`Type::File`] names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileContent {
    Scripts,
    /// Declarations of what runs.
    Declarations,
}

/// A word that a [`Type::Word`] accepts.
#[derive(Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// What counts where the releases of a system differ from its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// The specification; what releases lack is at most a hint.
    #[default]
    Specification,
    /// The release of this version: what it rejects or reads differently is a warning.
    Release(&'static str),
}

/// The bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NumberBounds {
    /// Whether it must be whole.
    pub integer: bool,
    /// The least value.
    pub min: f64,
    /// The greatest value.
    pub max: f64,
    /// Whether the least value itself is out.
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

/// What a name stands for in a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// A node of the graph.
    Node,
    /// A node of the graph, or one of the dialect's words for where a run begins or ends.
    Endpoint,
    Edge,
    Graph,
    Agent,
    Tool,
    /// A server that offers tools or agents.
    Server,
    /// A key of the run's memory or state, with dots for its parts.
    State,
    /// A key of the input, output or state of another graph.
    ForeignState,
    /// An artifact of a node.
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
    /// It declares the thing.
    Declares,
    /// It refers to the thing.
    Refers,
    /// It reads the thing's value.
    Reads,
    /// It writes the thing's value.
    Writes,
}

/// A mapping whose other fields depend on the word in one of them.
#[derive(Debug)]
pub struct Variant {
    /// The name of the type, for instance `ToolSource`.
    pub name: &'static str,
    /// What it is, in one or two sentences.
    pub doc: &'static str,
    /// The key with the word.
    pub key: &'static str,
    /// The words, each with its shape; the shape holds the key too.
    pub cases: &'static [Case],
    /// How the same is written shorter, where that is possible.
    pub short: Option<&'static ShortForms>,
}

/// Shorter forms of a [`Variant`].
#[derive(Debug)]
pub struct ShortForms {
    /// The field that a text alone stands for. The case is the one that lists the text among its words.
    pub text: &'static str,
    /// The case of a text that no case lists.
    pub other: &'static str,
    /// Keys that stand for a case and one of its fields.
    pub keys: &'static [ShortKey],
}

/// A key that stands for a case and one of its fields.
#[derive(Debug)]
pub struct ShortKey {
    pub key: &'static str,
    /// The word of the case.
    pub case: &'static str,
    /// The field whose value the key has.
    pub field: &'static str,
    /// The other keys of the short form, each with the field that it stands for; the first that is there counts.
    pub others: &'static [(&'static str, &'static str)],
}

/// One case of a [`Variant`].
#[derive(Debug)]
pub struct Case {
    /// The word and its meaning.
    pub word: Word,
    /// The fields.
    pub shape: Shape,
}

/// One form of a [`Type::OneOf`].
#[derive(Debug)]
pub struct Form {
    /// How it is recognised.
    pub when: Discriminator,
    /// What it must be then.
    pub ty: Type,
}

/// How a form is recognised; the first that fits counts.
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

/// Which variables a text may name in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    Open,
    /// These only.
    Closed(&'static [&'static str]),
}

impl Symbol {
    /// A name of the kind, for messages: "the id of a node".
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
    /// Whether it is a number.
    #[must_use]
    pub fn takes_number(&self) -> bool {
        match self {
            Type::Number(_) => true,
            Type::Sized(inner, _) | Type::Lenient(inner) => inner.takes_number(),
            _ => false,
        }
    }

    /// How a mapping of the type begins: its required keys, in one line.
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

    /// What is done to nodes in a value of the type: they are declared, or else named.
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
    /// The case of that word.
    #[must_use]
    pub fn case(&self, word: &str) -> Option<&'static Case> {
        self.cases.iter().find(|case| case.word.text == word)
    }

    pub fn words(&self) -> impl Iterator<Item = &'static Word> + use<> {
        self.cases.iter().map(|case| &case.word)
    }
}
