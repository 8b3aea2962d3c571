//! Diagnostics with positions.
//!
//! Input: spans and texts. Output: plain data. Invariant: these types do not depend on the protocol, so diagnostics that
//! are pushed, pulled and compared are the same.

use std::sync::Arc;

use crate::positions::Span;

/// The diagnostics of one document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Report {
    pub(crate) uri: Arc<str>,
    /// The version of the text, if the document is open.
    pub(crate) version: Option<i32>,
    /// The diagnostics, in output order.
    pub(crate) diagnostics: Vec<Placed>,
}

/// A diagnostic with positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Placed {
    pub(crate) span: Span,
    pub(crate) severity: FindingSeverity,
    pub(crate) source: FindingSource,
    /// The rule. `None` for problems of the configuration.
    pub(crate) rule: Option<&'static str>,
    pub(crate) message: String,
    /// How the editor shows the text, if it differs from other text.
    pub(crate) tag: Option<FindingTag>,
    /// Other places that explain the finding.
    pub(crate) related: Vec<RelatedPlace>,
    pub(crate) fixes: Vec<PlacedFix>,
}

/// The source of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FindingSource {
    /// The text of the file.
    Text,
    /// The last dry run.
    Run,
}

/// The severity of a finding. The protocol's own type cannot be hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FindingSeverity {
    /// A run will fail.
    Error,
    /// Probably a mistake.
    Warning,
    /// Worth knowing.
    Hint,
}

/// How the editor shows the text of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum FindingTag {
    /// Faded out, because it has no effect.
    Unnecessary,
    /// Struck through, because something newer replaces it.
    Deprecated,
}

/// Another place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct RelatedPlace {
    pub(crate) uri: Arc<str>,
    pub(crate) span: Span,
    pub(crate) message: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct PlacedFix {
    pub(crate) title: String,
    /// Whether the fix certainly has the meaning that the author wanted.
    pub(crate) is_safe: bool,
    /// The edits: file, range, new text.
    pub(crate) edits: Vec<(Arc<str>, Span, String)>,
}
