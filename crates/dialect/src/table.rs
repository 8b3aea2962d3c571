//! The vocabulary that a dialect's table is written in. A table is plain static data: kinds hold a
//! shape, a shape holds fields, a field has a type. Validation, completion, hover, schemas, docs and
//! lowering read it; a fact about a key stands nowhere else.

use nodewise_model::{Declaration, NodeKind, Scope};

use crate::value::Value;

/// A system whose declarations we read.
#[derive(Debug)]
pub struct Dialect {
    /// The id in commands and configuration, for instance `liman`.
    pub id: &'static str,
    /// The name in texts for people.
    pub title: &'static str,
    /// The endings of its files.
    pub extensions: &'static [&'static str],
    /// How a document's kind is told.
    pub recognition: Recognition,
    /// What a departure from the table amounts to.
    pub departures: Departures,
    /// What a host program may provide that no document declares.
    pub outside: &'static [Outside],
    /// What can be declared.
    pub kinds: &'static [Kind],
    /// How a document becomes a declaration.
    pub lower: Lower,
}

/// Things that a host program provides and that `nodewise.toml` can list by name.
#[derive(Debug)]
pub struct Outside {
    /// The key of the list.
    pub key: &'static str,
    /// The kinds of declaration that the names stand for; none where no document can declare such a thing.
    pub kinds: &'static [&'static str],
    /// What the names are.
    pub doc: &'static str,
}

/// How a document becomes a declaration; `None` for one that declares nothing itself.
pub type Lower = fn(&'static Kind, &Value<'_>) -> Option<Declaration>;

/// How a document's kind is told.
#[derive(Debug)]
pub enum Recognition {
    /// By a top-level key whose value names the kind.
    ByWord {
        /// That key.
        key: &'static str,
        /// Top-level keys which say that a document belongs to another system.
        foreign_keys: &'static [&'static str],
    },
    /// By what each kind's documents hold: see [`Kind::evidence`].
    ByShape,
}

/// What a departure from the table amounts to: the class of the specification that it stands for.
#[derive(Debug)]
pub struct Departures {
    /// A required key is missing.
    pub missing: Option<&'static str>,
    /// A value of another type.
    pub wrong_type: Option<&'static str>,
    /// A word that is none of the allowed ones.
    pub bad_word: Option<&'static str>,
    /// A key that nobody knows.
    pub unknown_key: Option<&'static str>,
    /// A number or a length outside its bounds, where the field has no class of its own.
    pub out_of_range: Option<&'static str>,
    /// Whether a value outside its bounds is refused, or runs and surprises.
    pub range_is_refused: bool,
    /// Whether any departure, an unknown key aside, ends the system's judgement of the document.
    pub halt: bool,
}

/// A kind of declaration.
#[derive(Debug)]
pub struct Kind {
    /// The word in the document; case counts.
    pub name: &'static str,
    /// What a declaration of this kind is.
    pub role: Role,
    /// What tells a document of this kind where no word does: one of these sets of marks must hold.
    /// Kinds are asked in the table's order.
    pub evidence: &'static [&'static [Mark]],
    /// Its fields.
    pub shape: Shape,
}

/// One fact about a document that speaks for a kind.
#[derive(Debug)]
pub enum Mark {
    /// The key is there.
    Has(&'static str),
    /// The key is not there.
    Lacks(&'static str),
    /// The key holds a list.
    List(&'static str),
    /// The key holds a mapping.
    Map(&'static str),
    /// The key holds a text.
    Text(&'static str),
    /// The key holds one of these words.
    Word(&'static str, &'static [Word]),
    /// The key holds a list, and some item of it has this key.
    ItemHas(&'static str, &'static str),
    /// The key holds a list, and in some item of it this key holds one of these words.
    ItemWord(&'static str, &'static str, &'static [Word]),
}

/// What a kind of declaration stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A node of the graph.
    Node(NodeKind),
    /// An identity.
    Account,
    /// A source of credentials.
    Provider,
    /// A patch for another declaration; it declares nothing itself.
    Overlay,
    /// A whole graph in one document.
    Graph,
    /// Graphs and agents packed together.
    Bundle,
    /// One node of a graph by itself.
    GraphNode,
    /// An agent that nodes call.
    Agent,
    /// A plan that a program compiles to a graph.
    Plan,
}

/// A mapping with known fields.
#[derive(Debug)]
pub struct Shape {
    /// The name of the type, for instance `Edge`.
    pub name: &'static str,
    /// What it is, in one or two sentences.
    pub doc: &'static str,
    /// The fields in the order in which people write them.
    pub fields: &'static [Field],
}

/// One key of a shape.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value may be.
    pub ty: Type,
    /// Whether the key must be there.
    pub required: Required,
    /// Whether an empty value (`null`) is as good as none.
    pub nullable: bool,
    /// Whether its value tells the items of a list apart, so that overlays merge them.
    pub identity: bool,
    /// The value that counts when the key is absent, as YAML.
    pub default: Option<&'static str>,
    /// Who knows the field.
    pub origin: Origin,
    /// The key that says the same in the specification's form.
    pub superseded_by: Option<&'static str>,
    /// The class of the specification that a value outside the field's bounds stands for.
    pub range_class: Option<&'static str>,
    /// What any other departure of the field amounts to, where that is not the dialect's usual.
    pub departure: Option<Departure>,
    /// One or two sentences for hover and the reference page.
    pub doc: &'static str,
}

/// What a departure of one field amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Departure {
    /// The class of the specification.
    pub class: &'static str,
    /// Whether the document is refused for it, or runs and surprises.
    pub is_refused: bool,
}

/// When a key must be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// Never.
    No,
    /// Always.
    Yes,
    /// Unless this other key is there.
    Unless(&'static str),
}

/// Who knows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The specification, and releases unless the doc says otherwise.
    Specification,
    /// The documentation's examples only; the packages ignore it.
    Examples,
    /// A release only, from the named version on.
    Release(&'static str),
    /// Documentation that the release does not follow: it reads the field and does nothing with it, or drops
    /// it. The doc says which.
    Unheeded,
}

/// What a value may be.
#[derive(Debug, Clone, Copy)]
pub enum Type {
    /// The word that names the document's kind.
    Kind,
    /// The name that is declared.
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
    Number(Bounds),
    /// A text, list or mapping of a certain length, in characters, items or keys.
    Sized(&'static Type, Size),
    /// A text of letters, digits, `-` and `_`, not empty.
    Slug,
    /// A name that means something in its document, and what it does there.
    Symbol(Symbol, Use),
    /// An expression in this language.
    Expression(Language),
    /// A regular expression, as JavaScript writes it.
    Pattern,
    /// A JSON Schema.
    JsonSchema,
    /// A mapping with free keys: what the keys are, and what the values.
    MapOf(&'static (Type, Type)),
    /// A mapping whose other fields depend on the word in one of them.
    Variant(&'static Variant),
    /// One of several forms, told apart by a glance.
    OneOf(&'static [Form]),
    /// One of these words.
    Word(&'static [Word]),
    /// A dotted path to a function.
    FunctionPath,
    /// A condition in the dialect's expression language.
    Condition,
    /// The id of an edge: text or number.
    EdgeId,
    /// A name that is looked up; `Kind/name` is understood too.
    Reference(&'static Scope),
    /// A name with its kind in front, and the character between them.
    Qualified(&'static Scope, char),
    /// A localized text, and what its templates may name.
    Bundle(Template),
    /// A list of localized texts, or one whose leaves are lists.
    Bundles(Template),
    /// The type of a tool's argument: one of these words, or a list of them.
    ArgumentType(&'static [Word]),
    /// An injected variable: `path`, `target: path` as text, or as a mapping with one key.
    Injection,
    /// The fields of a structured answer, and the words that name a field's type.
    OutputFields(&'static [Word]),
    /// A list.
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

/// A word that a [`Type::Word`] accepts.
#[derive(Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// The bounds of a number, both inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
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
pub struct Size {
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
    /// An edge.
    Edge,
    /// A graph.
    Graph,
    /// An agent.
    Agent,
    /// A tool.
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
    /// A guardrail.
    Guardrail,
    /// An extension of the host.
    Extension,
    /// A trait of a persona.
    Trait,
}

/// What a name does where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// It declares the thing.
    Declares,
    /// It refers to the thing.
    Refers,
    /// It reads the thing's value.
    Reads,
    /// It writes the thing's value.
    Writes,
}

/// A language of expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Liman's conditions.
    LimanCe,
    /// cycgraph's edge conditions: filtrex over the whole state of the run.
    FiltrexEdge,
    /// cycgraph's verifiers: filtrex over the node's part of the memory.
    FiltrexVerifier,
    /// AgentOS' routing expressions.
    AgentOsRouting,
    /// JSONPath over the state that a node sees.
    JsonPathState,
    /// JSONPath over what an agent has just written.
    JsonPathUpdates,
    /// JSONPath over one value of the memory.
    JsonPathValue,
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
    /// How it is told.
    pub when: When,
    /// What it must be then.
    pub ty: Type,
}

/// How a form is told; the first that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// The value is a text.
    Text,
    /// The value is a boolean.
    Boolean,
    /// The value is a mapping with this key.
    HasKey(&'static str),
    /// Otherwise.
    Otherwise,
}

/// Which variables a text may name in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Any.
    Open,
    /// These only.
    Closed(&'static [&'static str]),
}

impl Mark {
    /// The keys that must be there.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        let (first, second) = match self {
            Mark::Has(key) | Mark::List(key) | Mark::Map(key) | Mark::Text(key) | Mark::Word(key, _) => {
                (Some(*key), None)
            }
            Mark::ItemHas(key, inner) | Mark::ItemWord(key, inner, _) => (Some(*key), Some(*inner)),
            Mark::Lacks(_) => (None, None),
        };
        first.into_iter().chain(second)
    }
}

impl Departures {
    /// Whether the class is one that a departure stands for.
    #[must_use]
    pub fn holds(&self, class: &str) -> bool {
        [self.missing, self.wrong_type, self.bad_word, self.unknown_key, self.out_of_range]
            .contains(&Some(class))
    }
}

impl Dialect {
    /// The top-level key that names the kind, where there is one.
    #[must_use]
    pub fn discriminator(&self) -> Option<&'static str> {
        match self.recognition {
            Recognition::ByWord { key, .. } => Some(key),
            Recognition::ByShape => None,
        }
    }

    /// Whether a top-level key is an overlay's own: its `to` is not the one of a node.
    #[must_use]
    pub fn is_overlay_key(&self, key: &str) -> bool {
        self.kinds.iter().any(|kind| kind.role == Role::Overlay && kind.shape.field(key).is_some())
    }

    /// The kind of that name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static Kind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }
}

impl Kind {
    /// Whether a declaration of this kind can be referred to.
    #[must_use]
    pub fn is_declarable(&self) -> bool {
        self.role != Role::Overlay
    }
}

impl Language {
    /// What an expression in it is called.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Language::LimanCe => "a condition",
            Language::FiltrexEdge | Language::FiltrexVerifier => "a filtrex expression",
            Language::AgentOsRouting => "a routing expression",
            Language::JsonPathState | Language::JsonPathUpdates | Language::JsonPathValue => "a JSONPath",
        }
    }
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
        }
    }
}

impl Variant {
    /// The case of that word.
    #[must_use]
    pub fn case(&self, word: &str) -> Option<&'static Case> {
        self.cases.iter().find(|case| case.word.text == word)
    }

    /// The words.
    pub fn words(&self) -> impl Iterator<Item = &'static Word> + use<> {
        self.cases.iter().map(|case| &case.word)
    }
}

impl Shape {
    /// Whether the other is the same shape, maybe another copy of it: constants have no address of their own.
    #[must_use]
    pub fn is_same(&self, other: &Shape) -> bool {
        std::ptr::eq(self, other) || self.name == other.name && self.doc == other.doc
    }

    /// The field of that key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

/// A field that may be left out.
pub(crate) const fn field(key: &'static str, ty: Type, doc: &'static str) -> Field {
    Field {
        key,
        ty,
        required: Required::No,
        nullable: false,
        identity: false,
        default: None,
        origin: Origin::Specification,
        superseded_by: None,
        range_class: None,
        departure: None,
        doc,
    }
}

impl Field {
    /// Whether an overlay may hold the field for its target: kind and name are the target's own.
    #[must_use]
    pub fn is_patchable(&self) -> bool {
        !matches!(self.ty, Type::Kind | Type::DeclaredName)
    }

    pub(crate) const fn required(self) -> Field {
        Field { required: Required::Yes, ..self }
    }

    pub(crate) const fn required_unless(self, other: &'static str) -> Field {
        Field { required: Required::Unless(other), ..self }
    }

    pub(crate) const fn nullable(self) -> Field {
        Field { nullable: true, ..self }
    }

    pub(crate) const fn identity(self) -> Field {
        Field { identity: true, ..self }
    }

    pub(crate) const fn default(self, value: &'static str) -> Field {
        Field { default: Some(value), ..self }
    }

    pub(crate) const fn origin(self, origin: Origin) -> Field {
        Field { origin, ..self }
    }

    pub(crate) const fn range_class(self, class: &'static str) -> Field {
        Field { range_class: Some(class), ..self }
    }

    /// Departures are refused, as this class.
    pub(crate) const fn refused_as(self, class: &'static str) -> Field {
        Field { departure: Some(Departure { class, is_refused: true }), ..self }
    }

    /// Departures run and surprise, as this class.
    pub(crate) const fn tolerated_as(self, class: &'static str) -> Field {
        Field { departure: Some(Departure { class, is_refused: false }), ..self }
    }

    pub(crate) const fn superseded_by(self, key: &'static str) -> Field {
        Field { superseded_by: Some(key), ..self }
    }
}

/// A word and its meaning.
pub(crate) const fn word(text: &'static str, doc: &'static str) -> Word {
    Word { text, doc }
}

/// A whole number within bounds.
pub(crate) const fn integer(min: i64, max: i64) -> Type {
    Type::Number(Bounds { integer: true, min: min as f64, max: max as f64, above_min: false })
}

/// A whole number from `min` on.
pub(crate) const fn integer_from(min: i64) -> Type {
    Type::Number(Bounds { integer: true, min: min as f64, max: f64::INFINITY, above_min: false })
}

/// A number within bounds.
pub(crate) const fn number(min: f64, max: f64) -> Type {
    Type::Number(Bounds { integer: false, min, max, above_min: false })
}

/// A number above `min`.
pub(crate) const fn number_above(min: f64) -> Type {
    Type::Number(Bounds { integer: false, min, max: f64::INFINITY, above_min: true })
}

/// A length from `min` on.
pub(crate) const fn at_least(min: usize) -> Size {
    Size { min, max: usize::MAX }
}

/// A length up to `max`.
pub(crate) const fn up_to(max: usize) -> Size {
    Size { min: 0, max }
}
