//! Diagnostics in the types of the protocol.
//!
//! Input: diagnostics with positions, and what the client supports. Output: the protocol's diagnostics. Invariant: the
//! server sends only properties that the client supports.

use nodewise_analysis::project_rules::is_project_rule;
use serde_json::json;
use tower_lsp_server::ls_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, PublishDiagnosticsParams,
};

use crate::abilities::Abilities;
use crate::placed::{FindingSeverity, FindingSource, FindingTag, Placed, PlacedFix, RelatedPlace, Report};

/// The source of diagnostics about the text.
const SOURCE: &str = "nodewise";
/// The source of diagnostics about a dry run.
const RUN_SOURCE: &str = "nodewise simulate";
/// The scheme of the documents that the server provides.
pub(crate) const OWN_SCHEME: &str = "nodewise";
/// The start of the addresses of rule pages, which are documents that the server provides.
pub(crate) const RULE_PAGES: &str = "nodewise:///rules/";
/// The start of the addresses of the specifications that rules cite.
pub(crate) const SPECIFICATIONS: &str = "nodewise:///spec/";

/// The parameters to push a report. `None` if its URI cannot be represented.
pub(crate) fn published(report: &Report, abilities: Abilities) -> Option<PublishDiagnosticsParams> {
    Some(PublishDiagnosticsParams {
        uri: super::uri(&report.uri)?,
        version: report.version.filter(|_| abilities.versions),
        diagnostics: diagnostics(&report.diagnostics, abilities),
    })
}

/// The address of a rule's page. `None` for project rules, which have no page.
pub(crate) fn rule_page(rule: &str) -> Option<tower_lsp_server::ls_types::Uri> {
    if is_project_rule(rule) {
        return None;
    }
    super::uri(&format!("{RULE_PAGES}{rule}.md"))
}

/// Diagnostics in the protocol's type.
pub(crate) fn diagnostics(placed: &[Placed], abilities: Abilities) -> Vec<Diagnostic> {
    placed.iter().map(|one| diagnostic(one, abilities)).collect()
}

fn diagnostic(placed: &Placed, abilities: Abilities) -> Diagnostic {
    let page = placed.rule.filter(|_| abilities.code_descriptions && abilities.shows_pages);
    let page = page.and_then(rule_page);
    let related = abilities.related && !placed.related.is_empty();
    Diagnostic {
        range: super::range(placed.span),
        severity: Some(severity(placed.severity)),
        code: placed.rule.map(|rule| NumberOrString::String(rule.to_owned())),
        code_description: page.map(|href| CodeDescription { href }),
        source: Some(source(placed.source).to_owned()),
        message: placed.message.clone(),
        related_information: related.then(|| placed.related.iter().filter_map(related_place).collect()),
        tags: placed.tag.filter(|_| abilities.tags).map(|shown| vec![tag(shown)]),
        data: (abilities.data && !placed.fixes.is_empty())
            .then(|| json!({"fixes": placed.fixes.iter().map(fix).collect::<Vec<_>>()})),
    }
}

fn source(source: FindingSource) -> &'static str {
    match source {
        FindingSource::Text => SOURCE,
        FindingSource::Run => RUN_SOURCE,
    }
}

fn severity(severity: FindingSeverity) -> DiagnosticSeverity {
    match severity {
        FindingSeverity::Error => DiagnosticSeverity::ERROR,
        FindingSeverity::Warning => DiagnosticSeverity::WARNING,
        FindingSeverity::Hint => DiagnosticSeverity::HINT,
    }
}

fn tag(tag: FindingTag) -> DiagnosticTag {
    match tag {
        FindingTag::Unnecessary => DiagnosticTag::UNNECESSARY,
        FindingTag::Deprecated => DiagnosticTag::DEPRECATED,
    }
}

fn related_place(related: &RelatedPlace) -> Option<DiagnosticRelatedInformation> {
    let location = Location { uri: super::uri(&related.uri)?, range: super::range(related.span) };
    Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
}

fn fix(fix: &PlacedFix) -> serde_json::Value {
    let edits = fix
        .edits
        .iter()
        .map(|(uri, span, text)| json!({"uri": &**uri, "range": super::range(*span), "newText": text}));
    json!({"title": fix.title, "isPreferred": fix.is_safe, "edits": edits.collect::<Vec<_>>()})
}
