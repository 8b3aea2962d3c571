//! Texts in the format that the client shows.
//!
//! Input: a text, and the file that it is about. Output: Markdown with links, or plain text. Invariant: only clients
//! that support Markdown get Markdown.

use nodewise_ide::markup::{Markup, MarkupLinkTarget};
use tower_lsp_server::ls_types::{MarkupContent, MarkupKind};

use crate::convert::diagnostics::rule_page;
use crate::request::File;
use crate::uri;

/// A text in the format that the client shows. It has links if the file can be linked from.
pub(crate) fn shown(text: &Markup, shows_markdown: bool, file: Option<&File<'_>>) -> MarkupContent {
    let address = |place: &MarkupLinkTarget| address(file?, place);
    match shows_markdown {
        true => MarkupContent { kind: MarkupKind::Markdown, value: text.linked(address) },
        false => MarkupContent { kind: MarkupKind::PlainText, value: text.plain().to_owned() },
    }
}

/// The address of a place, escaped for Markdown.
fn address(file: &File<'_>, place: &MarkupLinkTarget) -> Option<String> {
    let (uri, line) = match place {
        MarkupLinkTarget::File(at) => {
            let location = file.location(*at)?;
            (location.uri.as_str().to_owned(), Some(location.range.start.line))
        }
        MarkupLinkTarget::Program { path, line } => {
            (uri::from_path(&file.project.root.as_deref()?.join(path)), Some(*line))
        }
        MarkupLinkTarget::Rule(rule) => {
            (rule_page(rule).filter(|_| file.shows_pages)?.as_str().to_owned(), None)
        }
    };
    // Brackets would end the link.
    let uri = uri.replace('(', "%28").replace(')', "%29");
    Some(match line {
        Some(line) => format!("{uri}#L{}", line + 1),
        None => uri,
    })
}
