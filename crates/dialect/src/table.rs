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

/// A system whose declarations we read.
#[derive(Debug)]
pub struct Dialect {
    /// The id in commands and configuration.
    pub id: &'static str,
    /// The name in texts for people.
    pub title: &'static str,
    /// The packages whose reading of documents the table follows, each with its version; none for documents of our own.
    pub follows: &'static [&'static str],
    /// The page that specifies it, in Markdown; none for documents of our own.
    pub specification: Option<&'static PackedText>,
    /// What a project can choose to follow, and the word for each; empty where there is no choice.
    pub profiles: &'static [(Word, Profile)],
    /// The endings of its files, in lower case.
    pub extensions: &'static [&'static str],
    /// Whether the system finds its files by these endings, case and all, and reads no other.
    pub loads_by_extension: bool,
    /// Names of files that say whose and of what kind their documents are.
    pub file_names: &'static [FileName],
    /// How a document's kind is recognised.
    pub recognition: Recognition,
    /// What a violation of the table amounts to.
    pub violations: ViolationPolicy,
    /// What a host program may provide that no document declares.
    pub outside: &'static [Outside],
    /// Its expression languages.
    pub languages: &'static [Language],
    /// The names to which its runtime gives a meaning.
    pub conventions: &'static Conventions,
    /// Where a graph says what its state holds; `None` where keys need no declaration.
    pub state_schema: Option<&'static Shape>,
    /// How writes of a key of the state are combined.
    pub reducers: &'static [Word],
    /// The traits of a persona that conditions can read.
    pub traits: &'static [&'static str],
    /// What stands in front of the keyword that ends a voice session, in the name of that exit.
    pub keyword_exit: Option<&'static str>,
    /// How documents patch others; `None` where none does.
    pub overlays: Option<&'static Overlays>,
    /// Keys that exclude one another.
    pub exclusive: &'static [Exclusive],
    /// Where graphs are looked up by their ids.
    pub graphs: Option<&'static NameScope>,
    /// The ids of [`Conventions::terminals`] in words, start and end.
    pub terminals: &'static [Word],
    /// The tools that the engine has.
    pub builtin_tools: &'static [Word],
    /// The usual prefix of tools that are generated at run time.
    pub generated_tools: Option<&'static str>,
    /// The type of a node that needs no settings of its own.
    pub plain_node: Option<&'static str>,
    /// How programs of Python register what documents declare; `None` where none does, or where that is not read.
    pub registrations: Option<&'static Registrations>,
    /// How programs build its documents; `None` where none does, or where that is not read.
    pub builders: Option<&'static Builders>,
    /// What can be declared.
    pub kinds: &'static [Kind],
    /// Whole documents to begin with, the most usual first.
    pub templates: &'static [DocumentTemplate],
    /// The files of an example project; empty if there is none.
    pub example: &'static [ExampleFile],
    /// What rules of a project can ask of its declarations; the rest is unknown of them.
    pub properties: &'static [PartProperty],
    /// Whether plugins may add keys that no table knows.
    pub has_plugins: bool,
    /// Other words that people write for its keys.
    pub aliases: &'static [KeyAlias],
    /// Other words that people write for the words of its lists and its kinds.
    pub synonyms: &'static [Synonym],
    /// Keys of other systems, and what to write instead.
    pub foreign: &'static [Foreign],
    /// How a document becomes a declaration.
    pub lower: Lower,
}

/// A name of files that says what their documents are.
#[derive(Debug, Clone, Copy)]
pub struct FileName {
    /// How the name ends.
    pub ending: &'static str,
    /// The kind of the documents.
    pub kind: &'static str,
}

/// How a patch is combined with its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Key by key.
    Merge,
    /// The patch's fields replace all of the target's, kind and name excepted.
    Replace,
}

/// How documents patch others.
#[derive(Debug)]
pub struct Overlays {
    /// The word for the kind of the target, whether or not a declaration of that name exists.
    pub kind: for<'v> fn(&'v SpannedValue<'_>) -> Option<&'v str>,
    /// The target, and how the values of both come together.
    pub target: fn(&SpannedValue<'_>) -> Option<(Reference, Strategy)>,
}

/// Keys of a declaration that exclude one another.
#[derive(Debug)]
pub struct Exclusive {
    /// What the pair is called.
    pub id: &'static str,
    /// Where both keys stand, if a declaration has both.
    pub find: fn(&Kind, &SpannedValue<'_>) -> Option<(At, At)>,
}

/// Things that a host program provides and that `nodewise.toml` can list by name.
#[derive(Debug)]
pub struct Outside {
    /// The key of the list.
    pub key: &'static str,
    /// The kinds of declaration that the names stand for; none where no document can declare such a thing.
    pub kinds: &'static [&'static str],
    /// What the names stand for, if declarations use them as such names.
    pub symbol: Option<Symbol>,
    /// What the names are.
    pub doc: &'static str,
}

/// How a document becomes a declaration; `None` for one that declares nothing itself.
pub type Lower = fn(&'static Kind, &SpannedValue<'_>) -> Option<Declaration>;

/// How a document's kind is recognised.
#[derive(Debug)]
pub enum Recognition {
    /// By a top-level key whose value names the kind.
    ByWord {
        key: &'static str,
        /// Top-level keys which say that a document belongs to another system.
        foreign_keys: &'static [&'static str],
    },
    /// By what each kind's documents hold: see [`Kind::evidence`].
    ByShape,
}

/// What a violation of the table amounts to: the class of the specification that it stands for.
#[derive(Debug)]
pub struct ViolationPolicy {
    /// Text that YAML does not allow.
    pub broken_text: Option<&'static str>,
    /// A file without a document.
    pub empty_file: Option<&'static str>,
    /// A document that is no mapping.
    pub not_a_mapping: Option<&'static str>,
    /// A key that its mapping holds twice.
    pub repeated_key: Option<&'static str>,
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
    /// Something that a bundle uses and its requirements do not list; it ends the system's judgement too.
    pub undeclared: Option<&'static str>,
    /// Whether a value outside its bounds is refused, or runs and surprises.
    pub range_is_refused: bool,
    /// Whether any violation, an unknown key aside, ends the system's judgement of the document.
    pub halt: bool,
}

/// A kind of declaration.
#[derive(Debug)]
pub struct Kind {
    /// The word in the document; case counts.
    pub name: &'static str,
    /// What a declaration of this kind is.
    pub role: KindRole,
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
pub enum KindRole {
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
    /// What is answered in a dry run, and what must hold.
    Scenario,
    /// A rule of the project.
    Rule,
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
    pub key: &'static str,
    /// What its value may be.
    pub ty: Type,
    /// Whether the key must be there.
    pub required: Required,
    /// When the key must be there that may be left out elsewhere.
    pub needed: Needed,
    /// Whether an empty value (`null`) is as good as none.
    pub nullable: bool,
    /// Whether its value tells the items of a list apart, so that overlays merge them.
    pub identity: bool,
    /// The value that counts when the key is absent, as YAML.
    pub default: Option<&'static str>,
    /// Who knows the field.
    pub origin: FieldOrigin,
    /// The key that says the same in the specification's form.
    pub superseded_by: Option<&'static str>,
    /// Keys that exclude it.
    pub excludes: &'static [&'static str],
    /// The words of another key beside which it means something, where it does not always.
    pub beside: Option<Beside>,
    /// The class of the specification that a value outside the field's bounds stands for.
    pub range_class: Option<&'static str>,
    /// What any other violation of the field amounts to, where that is not the dialect's usual.
    pub violation: Option<Violation>,
    /// The keys that a mapping with free keys usually has here.
    pub usual: Option<&'static Shape>,
    /// What a reviewer calls a change of the field and of what it holds, where its type does not say it.
    pub topic: Option<ReviewTopic>,
    /// Whether the order of its items means nothing.
    pub is_unordered: bool,
    /// Whether its value is what people call the declaration, whose id may be no word.
    pub is_label: bool,
    /// One or two sentences for hover and the reference page.
    pub doc: &'static str,
}

/// The words of another key beside which a field means something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beside {
    pub key: &'static str,
    pub words: &'static [&'static str],
}

/// What a violation of one field amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Violation {
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

/// When a key must be there that loaders let be left out: its declaration does not work without it. Rules report that
/// in their own words; schemas and reference pages read it here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Needed {
    Never,
    /// Beside these words of another key.
    Beside(Beside),
    /// Where none of these keys is there.
    Without(&'static [&'static str]),
}

/// Who knows a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldOrigin {
    /// The specification, and releases unless the doc says otherwise.
    Specification,
    /// The documentation's examples only; the packages ignore it.
    Examples,
    /// A release only, from the named version on.
    Release(&'static str),
    /// Documentation that the release does not follow: it ignores the field, or drops it. The doc says which.
    Unheeded,
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

impl ViolationPolicy {
    /// No violation stands for a class, and none ends anything.
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

    /// Whether the class is one that a violation stands for.
    #[must_use]
    pub fn holds(&self, class: &str) -> bool {
        [self.missing, self.wrong_type, self.bad_word, self.unknown_key, self.out_of_range]
            .contains(&Some(class))
    }
}

impl Dialect {
    /// A dialect without anything: a table fills in what its system has.
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

    /// Whether it is a system's, and not that of our own documents.
    #[must_use]
    pub fn is_system(&self) -> bool {
        !self.follows.is_empty()
    }

    /// The language of the conditions of its edges.
    #[must_use]
    pub fn condition_language(&self) -> Option<Language> {
        self.conventions.conditions
    }

    /// Whether files of that ending may hold its declarations, capitals aside.
    #[must_use]
    pub fn has_extension(&self, extension: &str) -> bool {
        self.extensions.iter().any(|own| own.eq_ignore_ascii_case(extension))
    }

    /// Whether the system reads files of that ending.
    #[must_use]
    pub fn loads(&self, extension: &str) -> bool {
        !self.loads_by_extension || self.extensions.contains(&extension)
    }

    /// The top-level key that names the kind, where there is one.
    #[must_use]
    pub fn discriminator(&self) -> Option<&'static str> {
        match self.recognition {
            Recognition::ByWord { key, .. } => Some(key),
            Recognition::ByShape => None,
        }
    }

    /// Whether the state of a run has parts that hold its keys.
    #[must_use]
    pub fn has_parts(&self) -> bool {
        self.conventions.parts.is_some()
    }

    /// The kind of a file's documents, where its name says it.
    #[must_use]
    pub fn kind_of_file(&self, path: &str) -> Option<&'static Kind> {
        self.kind(self.file_name(path)?.kind)
    }

    /// The name of files that fits a path.
    #[must_use]
    pub fn file_name(&self, path: &str) -> Option<&'static FileName> {
        self.file_names.iter().find(|name| path.ends_with(name.ending))
    }

    /// Whether a top-level key is an overlay's own: its `to` is not the one of a node.
    #[must_use]
    pub fn is_overlay_key(&self, key: &str) -> bool {
        self.kinds.iter().any(|kind| kind.role == KindRole::Overlay && kind.shape.field(key).is_some())
    }

    /// The kind of that name.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<&'static Kind> {
        self.kinds.iter().find(|kind| kind.name == name)
    }

    /// The kind of declaration that an overlay patches.
    #[must_use]
    pub fn overlay_kind(&self, value: &SpannedValue<'_>) -> Option<&'static Kind> {
        self.kind((self.overlays?.kind)(value)?)
    }
}

impl Kind {
    /// Whether a declaration of this kind can be referred to.
    #[must_use]
    pub fn is_declarable(&self) -> bool {
        self.role != KindRole::Overlay
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

impl Field {
    /// Whether an overlay may hold the field for its target: kind and name are the target's own.
    #[must_use]
    pub fn is_patchable(&self) -> bool {
        !matches!(self.ty, Type::Kind | Type::DeclaredName)
    }
}
