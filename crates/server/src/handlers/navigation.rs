//! Where names lead, and where they are used.
//!
//! Input: positions. Output: locations. Invariant: a place without a URI is left out.

use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::goto::{self, DefinitionLink};
use nodewise_ide::highlight::{HighlightKind, highlights};
use nodewise_ide::position::FilePosition;
use nodewise_ide::{linked, references};
use tower_lsp_server::ls_types::{
    DocumentHighlight, DocumentHighlightKind, GotoDefinitionResponse, LinkedEditingRanges, Location,
    LocationLink, Position, Range, ReferenceParams, TextDocumentPositionParams,
};

use super::bound;
use crate::convert;
use crate::request::Asked;
use crate::uri;

/// A request for the target of a name.
#[derive(Clone, Copy)]
pub(crate) struct Question {
    ask: fn(&Snapshot, FilePosition) -> Option<DefinitionLink>,
    /// Whether a target can be the line in the configuration that defines the name.
    takes_lines: bool,
    /// Whether a target can be the function that the configuration names.
    takes_functions: bool,
}

/// `textDocument/definition`, with `goto::definition`
pub(crate) const DEFINITION: Question =
    Question { ask: goto::definition, takes_lines: true, takes_functions: true };
/// `textDocument/declaration`
pub(crate) const DECLARATION: Question =
    Question { ask: goto::declaration, takes_lines: true, takes_functions: false };
/// `textDocument/typeDefinition`
pub(crate) const TYPE_DEFINITION: Question =
    Question { ask: goto::type_definition, takes_lines: false, takes_functions: false };
/// `textDocument/implementation`
pub(crate) const IMPLEMENTATION: Question =
    Question { ask: goto::implementation, takes_lines: false, takes_functions: true };

/// Answers any request for the target of a name.
pub(crate) fn leads(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
    question: Question,
) -> Option<GotoDefinitionResponse> {
    let (file, position) = asked.at(parameters)?;
    let link = (question.ask)(file.snapshot(), position);
    let bound = bound::at(&file, position);
    let origin =
        file.span(link.as_ref().map(|link| link.origin).or(bound.as_ref().map(|bound| bound.origin))?);
    let mut link = link.unwrap_or_else(|| DefinitionLink::nowhere(position));
    let line = bound.as_ref().filter(|_| question.takes_lines).and_then(|bound| bound.place(asked, &file));
    let function = bound.filter(|_| question.takes_functions).and_then(|bound| bound.function);
    link.functions.extend(function.and_then(|path| goto::function_place(file.snapshot(), &path)));
    let lines = line.into_iter().map(|(target_uri, range)| LocationLink {
        origin_selection_range: origin,
        target_uri,
        target_range: range,
        target_selection_range: range,
    });
    let targets = link.targets.iter().filter_map(|target| {
        let (uri, selection) = file.place(target.at)?;
        Some(LocationLink {
            origin_selection_range: origin,
            target_uri: uri,
            target_range: file.span(target.whole)?,
            target_selection_range: selection,
        })
    });
    let functions = link.functions.iter().filter_map(|function| {
        // Columns in programs are counted in bytes. Before the name, there are only spaces and a keyword.
        let at = |column| Position { line: function.line, character: column };
        let length = u32::try_from(last_part(&function.name).len()).ok()?;
        let selection = Range::new(at(function.column), at(function.column.saturating_add(length)));
        let path = file.project.root.as_deref()?.join(&function.path);
        Some(LocationLink {
            origin_selection_range: origin,
            target_uri: convert::uri(&uri::from_path(&path))?,
            target_range: selection,
            target_selection_range: selection,
        })
    });
    let targets: Vec<LocationLink> = targets.chain(functions).chain(lines).collect();
    if targets.is_empty() {
        return None;
    }
    if asked.abilities.location_links {
        return Some(targets.into());
    }
    let location = |link: LocationLink| Location { uri: link.target_uri, range: link.target_selection_range };
    Some(targets.into_iter().map(location).collect::<Vec<Location>>().into())
}

/// The part of a dotted name after the last dot.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `textDocument/references`
pub(crate) fn references(asked: &Asked<'_>, parameters: &ReferenceParams) -> Option<Vec<Location>> {
    let (file, position) = asked.at(&parameters.text_document_position)?;
    let with_declaration = parameters.context.include_declaration;
    let found = references::references(file.snapshot(), position, with_declaration)?;
    Some(found.into_iter().filter_map(|origin| file.location(origin)).collect())
}

/// `textDocument/documentHighlight`
pub(crate) fn document_highlight(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
) -> Option<Vec<DocumentHighlight>> {
    let (file, position) = asked.at(parameters)?;
    let found = highlights(file.snapshot(), position);
    let highlight = |one: nodewise_ide::highlight::Highlight| DocumentHighlight {
        range: file.range(one.range),
        kind: Some(match one.kind {
            HighlightKind::Text => DocumentHighlightKind::TEXT,
            HighlightKind::Read => DocumentHighlightKind::READ,
            HighlightKind::Write => DocumentHighlightKind::WRITE,
        }),
    };
    Some(found.into_iter().map(highlight).collect())
}

/// `textDocument/linkedEditingRange`
pub(crate) fn linked_editing(
    asked: &Asked<'_>,
    parameters: &TextDocumentPositionParams,
) -> Option<LinkedEditingRanges> {
    let (file, position) = asked.at_document(parameters)?;
    let found = linked::linked_ranges(file.snapshot(), position);
    let ranges = found.into_iter().map(|range| file.range(range)).collect::<Vec<_>>();
    (!ranges.is_empty()).then_some(LinkedEditingRanges { ranges, word_pattern: None })
}
