//! A name that points at a declaration, with the scope that says which kinds of declaration fit.

use smol_str::SmolStr;

use crate::origin::Origin;

/// How harmful it is if a name cannot be resolved in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnresolvedSeverity {
    /// The run fails.
    Error,
    /// A program may register the name at run time.
    Warning,
}

/// A place where names are looked up: the kinds that a name may stand for, in order of preference.
#[derive(Debug)]
pub struct NameScope {
    /// The problem class of a name that cannot be resolved here, for instance `unknown-tool`.
    pub class: &'static str,
    /// What the names stand for, as a noun for messages: "tool", "node".
    pub noun: &'static str,
    /// The kinds that a name may stand for. If several match, the first one wins.
    pub kinds: &'static [&'static str],
    /// Whether a kind may be written in front of the name.
    pub takes_kind: bool,
    /// How harmful it is if nothing has the name.
    pub severity: UnresolvedSeverity,
    /// Whether the place is in a document about other documents: a script or an overlay. Uses there do not show how a
    /// declaration should be named.
    pub is_secondary: bool,
}

impl NameScope {
    /// The noun with its article: "a tool", "an LLM node".
    #[must_use]
    pub fn one(&self) -> String {
        let article = if self.noun.starts_with(['a', 'e', 'i', 'o', 'L']) { "an" } else { "a" };
        format!("{article} {}", self.noun)
    }

    /// The kind with this name, if the scope allows it.
    #[must_use]
    pub fn kind(&self, word: &str) -> Option<&'static str> {
        self.kinds.iter().copied().find(|kind| *kind == word)
    }
}

/// One use of a name.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The name as written, without the kind in front of it.
    pub name: SmolStr,
    /// The place of the whole reference.
    pub at: Origin,
    pub scope: &'static NameScope,
    /// The number, from 1, of the kind in front of the name, in the list of the scope; 0 if there is none. One byte
    /// instead of a text, because there are many references.
    kind: u8,
}

impl PartialEq for Reference {
    fn eq(&self, other: &Reference) -> bool {
        let Reference { name, at, scope, kind } = self;
        (name, *at, *kind) == (&other.name, other.at, other.kind) && std::ptr::eq(*scope, other.scope)
    }
}

impl Reference {
    /// A use of `name` without a kind in front of it.
    #[must_use]
    pub fn new(name: SmolStr, at: Origin, scope: &'static NameScope) -> Reference {
        Reference { name, at, scope, kind: 0 }
    }

    /// Adds the kind that is written in front of the name. The scope must list it.
    #[must_use]
    pub fn of_kind(self, kind: &str) -> Reference {
        let position = self.scope.kinds.iter().position(|known| *known == kind);
        let kind = position.and_then(|position| u8::try_from(position + 1).ok());
        Reference { kind: kind.unwrap_or_default(), ..self }
    }

    /// The kind in front of the name, if the text is `Kind/name` or `Kind:name`.
    #[must_use]
    pub fn kind(&self) -> Option<&'static str> {
        self.scope.kinds.get(usize::from(self.kind).checked_sub(1)?).copied()
    }

    /// Whether the reference may mean a declaration of this kind.
    #[must_use]
    pub fn accepts(&self, kind: &str) -> bool {
        match self.kind() {
            Some(written) => written == kind,
            None => self.scope.kinds.contains(&kind),
        }
    }
}
