//! Diagnostics that the client requests.
//!
//! Input: documents, and the result ids that the client has. Output: reports. Invariant: equal diagnostics have the
//! same result id, so nothing is sent twice.

use std::collections::BTreeMap;

use serde_json::json;
use tower_lsp_server::ls_types::{
    DocumentDiagnosticParams, DocumentDiagnosticReport, DocumentDiagnosticReportResult,
    FullDocumentDiagnosticReport, ProgressToken, RelatedFullDocumentDiagnosticReport,
    RelatedUnchangedDocumentDiagnosticReport, UnchangedDocumentDiagnosticReport, WorkspaceDiagnosticParams,
    WorkspaceDiagnosticReport, WorkspaceDocumentDiagnosticReport, WorkspaceFullDocumentDiagnosticReport,
    WorkspaceUnchangedDocumentDiagnosticReport,
};

use crate::convert;
use crate::options::DiagnosticsScope;
use crate::placed::{Placed, Report};
use crate::publish::{self, findings};
use crate::request::Asked;
use crate::transport::Outbox;
use crate::view::View;

/// The number of files in one part of a workspace report.
const PART: usize = 200;

/// `textDocument/diagnostic`
pub(crate) fn document(
    asked: &Asked<'_>,
    parameters: &DocumentDiagnosticParams,
) -> DocumentDiagnosticReportResult {
    let uri = parameters.text_document.uri.as_str();
    let found = publish::report(asked.view, uri).map(|report| report.diagnostics).unwrap_or_default();
    let id = result_id(&found);
    let report = if parameters.previous_result_id.as_ref() == Some(&id) {
        DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
            related_documents: None,
            unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
        })
    } else {
        DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
            related_documents: None,
            full_document_diagnostic_report: FullDocumentDiagnosticReport {
                result_id: Some(id),
                items: convert::diagnostics::diagnostics(&found, asked.abilities),
            },
        })
    };
    report.into()
}

/// `workspace/diagnostic`
pub(crate) fn workspace(
    asked: &Asked<'_>,
    parameters: &WorkspaceDiagnosticParams,
) -> Vec<WorkspaceDocumentDiagnosticReport> {
    let known = parameters.previous_result_ids.iter();
    let mut known: BTreeMap<&str, &str> =
        known.map(|known| (known.uri.as_str(), known.value.as_str())).collect();
    let mut items = Vec::new();
    let mut add = |report: Report| {
        let id = result_id(&report.diagnostics);
        let before = known.remove(&*report.uri);
        if before.is_some() || !report.diagnostics.is_empty() {
            items.extend(item(asked, &report, id, before));
        }
    };
    for_each(asked, &mut add);
    // Files that are gone or no longer wanted, and that the client still shows.
    let gone: Vec<String> = known.into_keys().map(str::to_owned).collect();
    for uri in gone {
        let report = Report { uri: uri.into(), version: None, diagnostics: Vec::new() };
        items.extend(item(asked, &report, result_id(&[]), None));
    }
    items
}

/// Whether some item is new to the client.
pub(crate) fn has_news(items: &[WorkspaceDocumentDiagnosticReport]) -> bool {
    items.iter().any(|item| matches!(item, WorkspaceDocumentDiagnosticReport::Full(_)))
}

/// The answer for a workspace report. If the client accepts partial results, it gets the report in parts, and the
/// answer is empty.
pub(crate) fn in_parts(
    items: Vec<WorkspaceDocumentDiagnosticReport>,
    token: Option<&ProgressToken>,
    outbox: &Outbox,
) -> WorkspaceDiagnosticReport {
    let Some(token) = token else { return WorkspaceDiagnosticReport { items } };
    for part in items.chunks(PART) {
        outbox.notify("$/progress", json!({"token": token, "value": {"items": part}}));
    }
    WorkspaceDiagnosticReport { items: Vec::new() }
}

/// Calls `add` for every file whose diagnostics are wanted.
fn for_each(asked: &Asked<'_>, add: &mut dyn FnMut(Report)) {
    let view: &View = asked.view;
    for uri in view.documents.keys() {
        publish::report(view, uri).into_iter().for_each(&mut *add);
    }
    if view.options.diagnostics != DiagnosticsScope::Workspace {
        return;
    }
    for project in view.projects.values().filter(|project| project.is_complete) {
        for file in project.snapshot.files().iter().filter(|file| !project.open.contains_key(&*file.path)) {
            if asked.cancel.is_cancelled() {
                return;
            }
            if let Some(uri) = project.uri(&file.path) {
                add(Report { uri, version: None, diagnostics: findings::of_file(view, project, file) });
            }
        }
    }
}

fn item(
    asked: &Asked<'_>,
    report: &Report,
    id: String,
    before: Option<&str>,
) -> Option<WorkspaceDocumentDiagnosticReport> {
    let (uri, version) = (convert::uri(&report.uri)?, report.version.map(i64::from));
    if before == Some(&*id) {
        let unchanged = UnchangedDocumentDiagnosticReport { result_id: id };
        let report = WorkspaceUnchangedDocumentDiagnosticReport {
            uri,
            version,
            unchanged_document_diagnostic_report: unchanged,
        };
        return Some(report.into());
    }
    let items = convert::diagnostics::diagnostics(&report.diagnostics, asked.abilities);
    let full = FullDocumentDiagnosticReport { result_id: Some(id), items };
    Some(WorkspaceFullDocumentDiagnosticReport { uri, version, full_document_diagnostic_report: full }.into())
}

fn result_id(diagnostics: &[Placed]) -> String {
    format!("{:016x}", publish::fingerprint(diagnostics))
}
