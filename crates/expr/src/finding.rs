//! What is suspicious about an expression that the runtime accepts.
//!
//! Each language has its own kinds of findings. Code that knows no language sees a kind as a [`FindingClass`].
//! Invariant: the replacement of a finding, put in place of its range, removes that finding.

use text_size::TextRange;

/// A finding. Each language has its own kinds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionFinding<Kind> {
    pub kind: Kind,
    /// The text it is about.
    pub range: TextRange,
    /// What is wrong, with names in backticks.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The text to put in place of `range`.
    pub replacement: Option<String>,
}

/// A kind of finding of any language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FindingClass {
    family: &'static str,
    number: usize,
}

/// The kinds of findings of a language. `finding_kinds!` implements it.
pub trait FindingFamily: Copy + PartialEq + 'static {
    /// The name of the family, which no other language uses.
    const FAMILY: &'static str;
    /// Every kind, in a fixed order.
    const KINDS: &'static [Self];
}

impl FindingClass {
    /// The class of a kind.
    #[must_use]
    pub fn of<Kind: FindingFamily>(kind: Kind) -> FindingClass {
        let number = Kind::KINDS.iter().position(|other| *other == kind).unwrap_or_default();
        FindingClass { family: Kind::FAMILY, number }
    }

    /// The kind, if the class is one of this family.
    #[must_use]
    pub fn kind<Kind: FindingFamily>(self) -> Option<Kind> {
        (self.family == Kind::FAMILY).then(|| Kind::KINDS.get(self.number).copied()).flatten()
    }
}

impl<Kind: FindingFamily> ExpressionFinding<Kind> {
    /// The same finding, with a kind that does not depend on the language.
    #[must_use]
    pub fn classed(self) -> ExpressionFinding<FindingClass> {
        ExpressionFinding {
            kind: FindingClass::of(self.kind),
            range: self.range,
            message: self.message,
            help: self.help,
            replacement: self.replacement,
        }
    }
}

/// Declares the kinds of findings of a language, and the list of them.
#[macro_export]
macro_rules! finding_kinds {
    ($family:literal, $(#[$about:meta])* pub enum $kinds:ident { $($(#[$what:meta])* $kind:ident,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kinds {
            $($(#[$what])* $kind,)*
        }

        impl $crate::finding::FindingFamily for $kinds {
            const FAMILY: &'static str = $family;
            const KINDS: &'static [Self] = &[$($kinds::$kind),*];
        }
    };
}
