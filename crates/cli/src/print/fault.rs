//! An error in a text that is not a file of a project, for example an expression.
//!
//! Input: the text, a range, a message. Output: a drawing with carets. Invariant: as for diagnostics, control
//! characters do not reach a terminal.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use nodewise_syntax::{LineIndex, TextRange};

use super::excerpt::{Excerpt, Mark};
use crate::screen;

/// An error in a text.
pub(crate) struct Fault<'f> {
    /// The name of the text, as shown.
    pub(crate) name: &'f str,
    pub(crate) text: &'f str,
    /// The place of the error.
    pub(crate) range: TextRange,
    pub(crate) message: &'f str,
    /// What to write instead.
    pub(crate) help: Option<&'f str>,
}

impl Fault<'_> {
    /// Draws the error.
    pub(crate) fn text(&self, lines: &LineIndex) -> String {
        let line = lines.line_col(self.range.start()).line;
        let excerpt = Excerpt::new(self.text, lines, &[Mark { range: self.range, line }]);
        let span = excerpt.spans.into_iter().next().unwrap_or_default();
        let snippet = Snippet::source(excerpt.text)
            .line_start(excerpt.first_line as usize)
            .path(screen::line(self.name))
            .annotation(AnnotationKind::Primary.span(span));
        let mut group = Level::ERROR.primary_title(screen::line(self.message)).element(snippet);
        if let Some(help) = self.help {
            group = group.element(Level::HELP.message(screen::line(help)));
        }
        Renderer::plain().render(&[group])
    }
}
