//! The structure of a file: symbols, folds, selections, links, and the search for symbols in all files.
//!
//! Input: a file, or a query. Output: results in the types of the protocol. Invariant: ranges are for the version of
//! the document at the time of the request.

use nodewise_ide::folding::FoldKind;
use nodewise_ide::links::LinkTarget;
use nodewise_ide::symbols::{FoundSymbol, OutlineSymbol, SymbolKind};
use nodewise_ide::{folding, links, selection, symbols};
use nodewise_model::Origin;
use nodewise_syntax::TextRange;
use tower_lsp_server::ls_types::{self as lsp, Uri};

use crate::convert;
use crate::request::{Asked, File, location};

/// `textDocument/documentSymbol`
pub(crate) fn document_symbols(asked: &Asked<'_>, uri: &Uri) -> Option<lsp::DocumentSymbolResponse> {
    let file = asked.document(uri)?;
    let all = symbols::outline(file.snapshot(), file.source());
    if asked.abilities.nested_symbols {
        return Some(lsp::DocumentSymbolResponse::Nested(nested(&file, all)));
    }
    let mut flat = Vec::new();
    flatten(&file, uri, all, None, &mut flat);
    Some(lsp::DocumentSymbolResponse::Flat(flat))
}

pub(crate) fn workspace_symbols(asked: &Asked<'_>, query: &str) -> lsp::WorkspaceSymbolResponse {
    let mut found = Vec::new();
    for project in asked.view.projects.values() {
        let places = asked.view.places(project);
        let symbol = |one: FoundSymbol| {
            let location = location(&places, one.at)?;
            let container = (!one.container.is_empty()).then_some(one.container);
            Some(information(one.name, kind(one.kind), location, container))
        };
        found.extend(symbols::search(&asked.snapshot(project), query).into_iter().filter_map(symbol));
    }
    lsp::WorkspaceSymbolResponse::Flat(found)
}

/// `textDocument/foldingRange`
pub(crate) fn folds(asked: &Asked<'_>, uri: &Uri) -> Option<Vec<lsp::FoldingRange>> {
    let file = asked.document(uri)?;
    let fold = |fold: folding::Fold| {
        let range = file.range(fold.range);
        lsp::FoldingRange {
            start_line: range.start.line,
            start_character: (!asked.abilities.folds_lines).then_some(range.start.character),
            end_line: range.end.line,
            end_character: (!asked.abilities.folds_lines).then_some(range.end.character),
            kind: match fold.kind {
                FoldKind::Comments => Some(lsp::FoldingRangeKind::Comment),
                FoldKind::Region => Some(lsp::FoldingRangeKind::Region),
                FoldKind::Collection | FoldKind::Text | FoldKind::Document => None,
            },
            collapsed_text: None,
        }
    };
    let mut folds: Vec<_> = folding::folds(file.snapshot(), file.source()).into_iter().map(fold).collect();
    folds.truncate(asked.abilities.folds_max.unwrap_or(usize::MAX));
    Some(folds)
}

/// `textDocument/selectionRange`
pub(crate) fn selections(
    asked: &Asked<'_>,
    parameters: &lsp::SelectionRangeParams,
) -> Option<Vec<lsp::SelectionRange>> {
    let file = asked.document(&parameters.text_document.uri)?;
    let around = |position: &lsp::Position| {
        let ranges = selection::selection(file.snapshot(), file.position(*position));
        let outwards = ranges.into_iter().rev().fold(None, |parent, range| {
            Some(lsp::SelectionRange { range: file.range(range), parent: parent.map(Box::new) })
        });
        let here = lsp::SelectionRange { range: lsp::Range::new(*position, *position), parent: None };
        outwards.unwrap_or(here)
    };
    Some(parameters.positions.iter().map(around).collect())
}

/// `textDocument/documentLink`
pub(crate) fn links(asked: &Asked<'_>, uri: &Uri) -> Option<Vec<lsp::DocumentLink>> {
    let file = asked.document(uri)?;
    let link = |link: links::Link| {
        // Leave out a link that this client cannot follow.
        let target = match link.target {
            LinkTarget::Rule(rule) => {
                convert::diagnostics::rule_page(rule.id).filter(|_| asked.abilities.shows_pages)?
            }
            LinkTarget::File(source) => file.location(Origin::new(source, TextRange::default()))?.uri,
        };
        let (range, tooltip) = (file.range(link.range), Some(link.tooltip));
        Some(lsp::DocumentLink { range, target: Some(target), tooltip, data: None })
    };
    Some(links::links(file.snapshot(), file.source()).into_iter().filter_map(link).collect())
}

fn nested(file: &File<'_>, symbols: Vec<OutlineSymbol>) -> Vec<lsp::DocumentSymbol> {
    let one = |symbol: OutlineSymbol| {
        // Older versions of the protocol have this field, and it is still part of the type.
        #[expect(deprecated, reason = "the type has no other constructor")]
        lsp::DocumentSymbol {
            name: symbol.name,
            detail: (!symbol.detail.is_empty()).then_some(symbol.detail),
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            range: file.range(symbol.range),
            selection_range: file.range(symbol.selection),
            children: (!symbol.children.is_empty()).then(|| nested(file, symbol.children)),
        }
    };
    symbols.into_iter().map(one).collect()
}

fn flatten(
    file: &File<'_>,
    uri: &Uri,
    symbols: Vec<OutlineSymbol>,
    container: Option<&str>,
    flat: &mut Vec<lsp::SymbolInformation>,
) {
    for symbol in symbols {
        let location = lsp::Location { uri: uri.clone(), range: file.range(symbol.range) };
        let name = symbol.name.clone();
        flat.push(information(symbol.name, kind(symbol.kind), location, container.map(str::to_owned)));
        flatten(file, uri, symbol.children, Some(&name), flat);
    }
}

#[expect(deprecated, reason = "the type has no other constructor")]
fn information(
    name: String,
    kind: lsp::SymbolKind,
    location: lsp::Location,
    container_name: Option<String>,
) -> lsp::SymbolInformation {
    lsp::SymbolInformation { name, kind, tags: None, deprecated: None, location, container_name }
}

fn kind(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::ModelNode | SymbolKind::Agent => lsp::SymbolKind::CLASS,
        SymbolKind::Tool => lsp::SymbolKind::METHOD,
        SymbolKind::FunctionNode => lsp::SymbolKind::FUNCTION,
        SymbolKind::Account | SymbolKind::Provider | SymbolKind::Server => lsp::SymbolKind::INTERFACE,
        SymbolKind::Overlay => lsp::SymbolKind::OPERATOR,
        SymbolKind::Graph => lsp::SymbolKind::MODULE,
        SymbolKind::Bundle => lsp::SymbolKind::PACKAGE,
        SymbolKind::Node => lsp::SymbolKind::OBJECT,
        SymbolKind::Plan => lsp::SymbolKind::NAMESPACE,
        SymbolKind::Edge => lsp::SymbolKind::EVENT,
        SymbolKind::LanguageModel => lsp::SymbolKind::CONSTANT,
        SymbolKind::Field => lsp::SymbolKind::FIELD,
    }
}
