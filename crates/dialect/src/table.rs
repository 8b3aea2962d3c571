//! The vocabulary that a dialect's table is written in. A table is plain static data: kinds hold a
//! shape, a shape holds fields, a field has a type. Validation, completion, hover, schemas, docs and
//! lowering read it; a fact about a key stands nowhere else.

use nodewise_model::{NodeKind, Scope};

/// A system whose declarations we read.
#[derive(Debug)]
pub struct Dialect {
    /// The id in commands and configuration, for instance `liman`.
    pub id: &'static str,
    /// The name in texts for people.
    pub title: &'static str,
    /// The top-level key whose value names the kind.
    pub discriminator: &'static str,
    /// Top-level keys which say that a document belongs to another system.
    pub foreign_keys: &'static [&'static str],
    /// What can be declared.
    pub kinds: &'static [Kind],
}

/// A kind of declaration.
#[derive(Debug)]
pub struct Kind {
    /// The word in the document; case counts.
    pub name: &'static str,
    /// What a declaration of this kind is.
    pub role: Role,
    /// Its fields.
    pub shape: Shape,
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
    /// One or two sentences for hover and the reference page.
    pub doc: &'static str,
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
    /// `true` or `false`, or a text that the loaders read as one.
    Bool,
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
}

/// A word that a [`Type::Word`] accepts.
#[derive(Debug)]
pub struct Word {
    /// The word.
    pub text: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// Which variables a text may name in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// Any.
    Open,
    /// These only.
    Closed(&'static [&'static str]),
}

impl Dialect {
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

impl Shape {
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

    pub(crate) const fn superseded_by(self, key: &'static str) -> Field {
        Field { superseded_by: Some(key), ..self }
    }
}

/// A word and its meaning.
pub(crate) const fn word(text: &'static str, doc: &'static str) -> Word {
    Word { text, doc }
}
