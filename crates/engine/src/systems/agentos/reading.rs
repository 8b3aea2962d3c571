//! Where the documentation and the release differ: which of them a run follows.

/// Which reading of the documents a run follows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reading {
    #[default]
    Release,
    /// The documentation, where the release differs from it.
    Documented,
}
