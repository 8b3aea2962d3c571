//! The vocabulary that a dialect's table is written in. A table is plain static data: kinds hold a
//! shape, a shape holds fields, a field has a type. Validation, completion, hover, schemas, docs and
//! lowering read it; a fact about a key stands nowhere else.

mod build;
mod builders;
mod chains;
mod document_template;
mod habit;
mod meant;
mod plans;
mod registrations;
mod topic;
mod types;

use nodewise_model::conventions::Conventions;
use nodewise_model::project_rule::PartProperty;
use nodewise_model::{Declaration, NameScope, NodeKind, Origin as At, Reference};

use crate::packed_text::PackedText;
use crate::value::SpannedValue;
pub use build::{
    alias, at_least, field, foreign, foreign_edge, integer, integer_from, number, number_above, synonym,
    up_to, word,
};
pub use builders::{
    Builder, BuilderArgument, BuilderKeys, BuilderOption, BuilderResult, Builders, Makes, OptionForm,
    builder, node_builder, option, result,
};
pub use chains::{ChainKeys, ChainMethod, Does, MethodChain, StepKind, Steps, method};
pub use document_template::{DocumentTemplate, ExampleFile};
pub use habit::{Foreign, KeyAlias, Synonym};
pub use nodewise_expr::language::Language;
pub use plans::{GoalOpening, PlanAction, PlanStyle, Planning, opening};
pub use registrations::Registrations;
pub use types::{
    Case, Discriminator, FileContent, Form, Import, LengthBounds, NameUse, NumberBounds, Profile,
    ReviewTopic, ShortForms, ShortKey, Symbol, Template, Type, Variant, Word,
};

/// A system whose documents nodewise reads: everything that is known about its language.
#[derive(Debug)]
pub struct Dialect {
    /// The id in commands and in the configuration.
    pub id: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The packages whose behaviour the table follows, each with its version. Empty for nodewise's own documents.
    pub follows: &'static [&'static str],
    /// The page that specifies the dialect, in Markdown; `None` for nodewise's own documents.
    pub specification: Option<&'static PackedText>,
    /// The profiles that a project can choose, each with its word; empty if there is no choice.
    pub profiles: &'static [(Word, Profile)],
    /// The file name extensions of its files, in lower case.
    pub extensions: &'static [&'static str],
    /// Whether the system loads files only by these extensions, in exactly this case.
    pub loads_by_extension: bool,
    /// File names that decide the dialect and the kind of the documents.
    pub file_names: &'static [FileName],
    /// How the kind of a document is recognised.
    pub recognition: Recognition,
    /// How violations of the table are treated.
    pub violations: ViolationPolicy,
    /// Things that a host program may provide instead of a declaration.
    pub outside: &'static [Outside],
    /// Its expression languages.
    pub languages: &'static [Language],
    /// The names to which the system's runtime gives a meaning.
    pub conventions: &'static Conventions,
    /// The shape in which a graph declares its state; `None` if keys need no declaration.
    pub state_schema: Option<&'static Shape>,
    /// The ways to combine several writes of a state key.
    pub reducers: &'static [Word],
    /// The traits of a persona that conditions can read.
    pub traits: &'static [&'static str],
    /// The prefix in the name of a voice exit that a keyword triggers.
    pub keyword_exit: Option<&'static str>,
    /// How overlays work; `None` if the dialect has none.
    pub overlays: Option<&'static Overlays>,
    /// Pairs of keys that exclude one another.
    pub exclusive: &'static [Exclusive],
    /// The scope in which graphs are looked up by id.
    pub graphs: Option<&'static NameScope>,
    /// Descriptions for the ids of [`Conventions::terminals`]: the start, then the end.
    pub terminals: &'static [Word],
    /// The tools that the engine provides.
    pub builtin_tools: &'static [Word],
    /// The usual prefix of tools that are generated at run time.
    pub generated_tools: Option<&'static str>,
    /// A type of node that needs no settings.
    pub plain_node: Option<&'static str>,
    /// How Python programs register things; `None` if they do not, or if that is not read.
    pub registrations: Option<&'static Registrations>,
    /// How programs build documents of the dialect; `None` if they do not, or if that is not read.
    pub builders: Option<&'static Builders>,
    /// The kinds of declarations.
    pub kinds: &'static [Kind],
    /// Templates for new documents, the most common first.
    pub templates: &'static [DocumentTemplate],
    /// The files of an example project; empty if there is none.
    pub example: &'static [ExampleFile],
    /// The properties that project rules can test. All other properties count as unknown.
    pub properties: &'static [PartProperty],
    /// Whether plugins may add keys that the table does not have.
    pub has_plugins: bool,
    /// Other words that people use for keys.
    pub aliases: &'static [KeyAlias],
    /// Other words that people use for words of closed lists and for kinds.
    pub synonyms: &'static [Synonym],
    /// Keys of other systems, each with advice.
    pub foreign: &'static [Foreign],
    /// Converts a document to a declaration.
    pub lower: Lower,
}

/// A file name that decides the kind of the file's documents.
#[derive(Debug, Clone, Copy)]
pub struct FileName {
    /// The ending of the file name.
    pub ending: &'static str,
    pub kind: &'static str,
}

/// How an overlay is combined with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Key by key.
    Merge,
    /// The overlay's fields replace all of the target's fields, except kind and name.
    Replace,
}

/// How overlays of a dialect work.
#[derive(Debug)]
pub struct Overlays {
    /// Returns the kind of the target, whether or not the target exists; `None` if it cannot be read.
    pub kind: for<'v> fn(&'v SpannedValue<'_>) -> Option<&'v str>,
    /// Returns the target, and how the overlay is combined with it; `None` if that cannot be read.
    pub target: fn(&SpannedValue<'_>) -> Option<(Reference, Strategy)>,
}

/// A pair of keys in a declaration that exclude one another.
#[derive(Debug)]
pub struct Exclusive {
    /// The id of the pair.
    pub id: &'static str,
    /// Returns the places of both keys if a declaration has both.
    pub find: fn(&Kind, &SpannedValue<'_>) -> Option<(At, At)>,
}

/// Things that a host program provides and that a project can list in `nodewise.toml`.
#[derive(Debug)]
pub struct Outside {
    /// The key of the list in `nodewise.toml`.
    pub key: &'static str,
    /// The kinds of declarations for which the names stand; empty if no document can declare such a thing.
    pub kinds: &'static [&'static str],
    /// What the names stand for inside documents, if they are used there.
    pub symbol: Option<Symbol>,
    /// A description of the names.
    pub doc: &'static str,
}

/// Converts a document to a declaration; `None` for a document that declares nothing itself.
pub type Lower = fn(&'static Kind, &SpannedValue<'_>) -> Option<Declaration>;

/// How a document's kind is recognised.
#[derive(Debug)]
pub enum Recognition {
    /// By a top-level key whose value is the name of the kind.
    ByWord {
        key: &'static str,
        /// Top-level keys that show that a document belongs to another system.
        foreign_keys: &'static [&'static str],
    },
    /// By the content that documents of each kind have: see [`Kind::evidence`].
    ByShape,
}

/// The class of the specification for each kind of violation; `None` if the specification has none.
#[derive(Debug)]
pub struct ViolationPolicy {
    /// Text that is not valid YAML.
    pub broken_text: Option<&'static str>,
    /// A file without a document.
    pub empty_file: Option<&'static str>,
    /// A document that is not a mapping.
    pub not_a_mapping: Option<&'static str>,
    /// A key that occurs twice in a mapping.
    pub repeated_key: Option<&'static str>,
    /// A required key is missing.
    pub missing: Option<&'static str>,
    /// A value of the wrong type.
    pub wrong_type: Option<&'static str>,
    /// A word that is not among the allowed ones.
    pub bad_word: Option<&'static str>,
    /// A key that the shape does not have.
    pub unknown_key: Option<&'static str>,
    /// A number or a length outside its bounds, if the field has no class of its own.
    pub out_of_range: Option<&'static str>,
    /// Something that a bundle uses but does not list in its requirements. The system evaluates nothing else then.
    pub undeclared: Option<&'static str>,
    /// Whether the system refuses a value outside its bounds. If not, it runs with surprising results.
    pub range_is_refused: bool,
    /// Whether any violation, except an unknown key, makes the system refuse the document before it evaluates the content.
    pub halt: bool,
}

/// A kind of declaration.
#[derive(Debug)]
pub struct Kind {
    /// The name in documents, in exactly this case.
    pub name: &'static str,
    /// What a declaration of this kind is.
    pub role: KindRole,
    /// For dialects without kind names, the marks of the kind: one of these sets must hold completely. The first kind in
    /// the table whose marks hold is taken.
    pub evidence: &'static [&'static [Mark]],
    /// The fields of the declaration.
    pub shape: Shape,
}

/// A fact about a document that suggests a kind.
#[derive(Debug)]
pub enum Mark {
    /// The key exists.
    Has(&'static str),
    /// The key does not exist.
    Lacks(&'static str),
    /// The key holds a list.
    List(&'static str),
    /// The key holds a mapping.
    Map(&'static str),
    /// The key holds a text.
    Text(&'static str),
    /// The key holds one of these words.
    Word(&'static str, &'static [Word]),
    /// The key holds a list with an item that has this key.
    ItemHas(&'static str, &'static str),
    /// The key holds a list with an item in which this key holds one of these words.
    ItemWord(&'static str, &'static str, &'static [Word]),
}

/// What a kind of declaration stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KindRole {
    /// A node of the graph.
    Node(NodeKind),
    /// An account that stands for an identity.
    Account,
    /// A source of credentials.
    Provider,
    /// An overlay. It declares nothing itself.
    Overlay,
    /// A graph document: a whole graph.
    Graph,
    /// Graphs and agents packed together.
    Bundle,
    /// A single node as a document of its own.
    GraphNode,
    /// An agent that nodes call.
    Agent,
    /// A plan that a program turns into a graph.
    Plan,
    /// A script or scenario: answers for a simulated run, and expectations.
    Scenario,
    /// A project rule.
    Rule,
}

/// A mapping with known fields.
#[derive(Debug)]
pub struct Shape {
    /// The name of the type, for instance `Edge`.
    pub name: &'static str,
    /// A description in one or two sentences.
    pub doc: &'static str,
    /// The fields, in the usual order.
    pub fields: &'static [Field],
}

/// One key of a shape.
#[derive(Debug)]
pub struct Field {
    pub key: &'static str,
    /// The type of the value.
    pub ty: Type,
    /// Whether the key is required.
    pub required: Required,
    /// When the key is needed although loaders accept a declaration without it.
    pub needed: Needed,
    /// Whether `null` counts as a missing value.
    pub nullable: bool,
    /// Whether the value identifies an item of a list, so that overlays merge items with the same value.
    pub identity: bool,
    /// The value that applies if the key is missing, as YAML.
    pub default: Option<&'static str>,
    /// Where the field comes from.
    pub origin: FieldOrigin,
    /// The key of the specification that replaces this one.
    pub superseded_by: Option<&'static str>,
    /// Keys that must not exist together with it.
    pub excludes: &'static [&'static str],
    /// The words of another key with which the field has a meaning; `None` if it always has one.
    pub beside: Option<Beside>,
    /// The class of the specification for a value outside the field's bounds.
    pub range_class: Option<&'static str>,
    /// How other violations of the field are treated, if that differs from the dialect's policy.
    pub violation: Option<Violation>,
    /// The keys that a mapping with free keys usually has in this field.
    pub usual: Option<&'static Shape>,
    /// The topic of a change to the field and its content, for reviewers. `None` if the type decides it.
    pub topic: Option<ReviewTopic>,
    /// Whether the order of the items has no meaning.
    pub is_unordered: bool,
    /// Whether the value is the declaration's name for people, for declarations whose id may be unreadable.
    pub is_label: bool,
    /// A description for hovers and the reference page, in one or two sentences.
    pub doc: &'static str,
}

/// A condition on another key: it has one of these words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    pub key: &'static str,
    pub words: &'static [&'static str],
}

/// How a violation of one field is treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
    /// The class of the specification.
    pub class: &'static str,
    /// Whether the system refuses the document. If not, it runs with surprising results.
    pub is_refused: bool,
}

/// When a key is required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// Never.
    No,
    /// Always.
    Yes,
    /// Unless another key exists.
    Unless(&'static str),
}

/// When a key is needed although loaders accept a declaration without it: without the key, the declaration does not work.
/// Rules report this in their own words; schemas and reference pages use this entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    Never,
    /// If another key has one of these words.
    Beside(Beside),
    /// If none of these keys exists.
    Without(&'static [&'static str]),
}

/// Where a field comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldOrigin {
    /// The specification. Releases support it unless the description says otherwise.
    Specification,
    /// Only examples of the documentation. The packages ignore it.
    Examples,
    /// Only releases, from this version on.
    Release(&'static str),
    /// Documentation that releases do not follow: they ignore or drop the field, as the description says.
    Unheeded,
}

impl Mark {
    /// The required keys.
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

impl ViolationPolicy {
    /// A policy without classes, in which nothing is refused.
    pub const NONE: ViolationPolicy = ViolationPolicy {
        broken_text: None,
        empty_file: None,
        not_a_mapping: None,
        repeated_key: None,
        missing: None,
        wrong_type: None,
        bad_word: None,
        unknown_key: None,
        out_of_range: None,
        undeclared: None,
        range_is_refused: true,
        halt: false,
    };

    /// Whether a violation has this class.
    #[must_use]
    pub fn holds(&self, class: &str) -> bool {
        [self.missing, self.wrong_type, self.bad_word, self.unknown_key, self.out_of_range]
            .contains(&Some(class))
    }
}

impl Dialect {
    /// An empty dialect, from which tables begin.
    pub const NONE: Dialect = Dialect {
        id: "",
        title: "",
        follows: &[],
        specification: None,
        profiles: &[],
        extensions: &["yaml", "yml"],
        loads_by_extension: false,
        file_names: &[],
        recognition: Recognition::ByShape,
        violations: ViolationPolicy::NONE,
        outside: &[],
        languages: &[],
        conventions: &Conventions::NONE,
        state_schema: None,
        reducers: &[],
        traits: &[],
        keyword_exit: None,
        overlays: None,
        exclusive: &[],
        graphs: None,
        terminals: &[],
        builtin_tools: &[],
        generated_tools: None,
        plain_node: None,
        registrations: None,
        builders: None,
        kinds: &[],
        templates: &[],
        example: &[],
        properties: &[],
        has_plugins: false,
        aliases: &[],
        synonyms: &[],
        foreign: &[],
        lower: |_, _| None,
    };

    /// Whether the dialect is that of a system, and not of nodewise's own documents.
    #[must_use]
    pub fn is_system(&self) -> bool {
        !self.follows.is_empty()
    }

    /// The language of conditions on edges.
    #[must_use]
    pub fn condition_language(&self) -> Option<Language> {
        self.conventions.conditions
    }

    /// Whether files with this extension may contain its declarations, ignoring case.
    #[must_use]
    pub fn has_extension(&self, extension: &str) -> bool {
        self.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension))
    }

    /// Whether the system loads files with this extension.
    #[must_use]
    pub fn loads(&self, extension: &str) -> bool {
        !self.loads_by_extension || self.extensions.contains(&extension)
    }

    /// The top-level key that names the kind; `None` if the kind is recognised by content.
    #[must_use]
    pub fn discriminator(&self) -> Option<&'static str> {
        match self.recognition {
            Recognition::ByWord { key, .. } => Some(key),
            Recognition::ByShape => None,
        }
    }

    /// Whether the state of a run is divided into parts that hold its keys.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        self.conventions.parts.is_some()
    }

    /// The kind of a file's documents, if the file's name decides it.
    #[must_use]
    pub fn kind_of_file(&self, path: &str) -> Option<&'static Kind> {
        self.kind(self.file_name(path)?.kind)
    }

    /// The entry of `file_names` that matches a path.
    #[must_use]
    pub fn file_name(&self, path: &str) -> Option<&'static FileName> {
        self.file_names.iter().find(|name| path.ends_with(name.ending))
    }

    /// Whether a top-level key is one of the overlay's own keys. For example, `to` of an overlay is not the `to` of a node.
    #[must_use]
    pub fn is_overlay_key(&self, key: &str) -> bool {
        self.kinds.iter().any(|kind| kind.role == KindRole::Overlay && kind.shape.field(key).is_some())
    }

    /// The kind with this name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static Kind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }

    /// The kind of the declaration that an overlay targets.
    #[must_use]
    pub fn overlay_kind(&self, value: &SpannedValue<'_>) -> Option<&'static Kind> {
        self.kind((self.overlays?.kind)(value)?)
    }
}

impl Kind {
    /// Whether other documents can refer to a declaration of this kind.
    #[must_use]
    pub fn is_declarable(&self) -> bool {
        self.role != KindRole::Overlay
    }
}

impl Shape {
    /// Whether both are the same shape. Constants may be copied, so the addresses are not enough.
    #[must_use]
    pub fn is_same(&self, other: &Shape) -> bool {
        std::ptr::eq(self, other) || self.name == other.name && self.doc == other.doc
    }

    /// The field with this key.
    #[must_use]
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.key == key)
    }
}

impl Field {
    /// Whether an overlay may have the field for its target. Kind and name of the target cannot be changed.
    #[must_use]
    pub fn is_patchable(&self) -> bool {
        !matches!(self.ty, Type::Kind | Type::DeclaredName)
    }
}
