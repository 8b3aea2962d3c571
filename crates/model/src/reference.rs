//! A name that points at a declaration, with the scope that says which kinds of declaration fit.

use smol_str::SmolStr;

use crate::origin::Origin;

/// How much harm a name that resolves to nothing does in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnresolvedSeverity {
    /// The run fails.
    Error,
    /// The name may be registered by a program at run time.
    Warning,
}

/// A place where names are looked up: the kinds that fit, first choice first.
#[derive(Debug)]
pub struct NameScope {
    /// The problem class of a name that resolves to nothing here, for instance `unknown-tool`.
    pub class: &'static str,
    /// What the place holds, in words: "tool", "node".
    pub noun: &'static str,
    /// The kinds that fit, in the order in which they win.
    pub kinds: &'static [&'static str],
    /// Whether `Kind/name` is understood, or the name alone.
    pub takes_kind: bool,
    /// What it means when nothing has the name.
    pub severity: UnresolvedSeverity,
}

impl NameScope {
    /// What the place holds, with its article: "a tool", "an LLM node".
    #[must_use]
    pub fn one(&self) -> String {
        let article = if self.noun.starts_with(['a', 'e', 'i', 'o', 'L']) { "an" } else { "a" };
        format!("{article} {}", self.noun)
    }

    /// The kind of that word, if it fits.
    #[must_use]
    pub fn kind(&self, word: &str) -> Option<&'static str> {
        self.kinds.iter().copied().find(|kind| *kind == word)
    }
}

/// One use of a name.
#[derive(Debug, Clone)]
pub struct Reference {
    /// The name as written, without a kind in front of it.
    pub name: SmolStr,
    /// The whole text of the reference.
    pub at: Origin,
    /// Where the name is looked up.
    pub scope: &'static NameScope,
    /// The position of the kind in front of the name among those of the scope, counted from 1; 0 without one. There are many
    /// references.
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

    /// The same with a kind in front of the name, which is one of those of the scope.
    #[must_use]
    pub fn of_kind(self, kind: &str) -> Reference {
        let position = self.scope.kinds.iter().position(|known| *known == kind);
        let kind = position.and_then(|position| u8::try_from(position + 1).ok());
        Reference { kind: kind.unwrap_or_default(), ..self }
    }

    /// The kind in front of the name, where the text was `Kind/name` or `Kind:name`.
    #[must_use]
    pub fn kind(&self) -> Option<&'static str> {
        self.scope.kinds.get(usize::from(self.kind).checked_sub(1)?).copied()
    }

    /// Whether a declaration of `kind` fits this use.
    #[must_use]
    pub fn accepts(&self, kind: &str) -> bool {
        match self.kind() {
            Some(written) => written == kind,
            None => self.scope.kinds.contains(&kind),
        }
    }
}
