//! Signature help, inlay hints, inline values and code lenses.
//!
//! Input: a place, or a part of a file. Output: results in the types of the protocol. Invariant: texts have the format
//! that the client shows, and a lens has a command only if the client has it.

use nodewise_ide::inlay::{self, Inlay};
use nodewise_ide::inline_values::inline_values;
use nodewise_ide::lenses::{self, LensSettings, RunLens, Runnable};
use nodewise_ide::signature;
use nodewise_project::config::live::Live;
use serde_json::{Value, json};
use tower_lsp_server::ls_types::{self as lsp, Uri};

use super::commands::{REQUEST, RUN, SIMULATE, UNPIN};
use super::markup;
use crate::abilities::SHOW_REFERENCES;
use crate::pins::FilePins;
use crate::request::{Asked, File};

/// The characters that open signature help, and those that update it.
pub(crate) const OPENING: [&str; 2] = ["(", ","];

/// `textDocument/signatureHelp`
pub(crate) fn signature(
    asked: &Asked<'_>,
    parameters: &lsp::SignatureHelpParams,
) -> Option<lsp::SignatureHelp> {
    let (file, at) = asked.at_document(&parameters.text_document_position_params)?;
    let found = signature::signature(file.snapshot(), at)?;
    let parameter = |range: &nodewise_syntax::TextRange| lsp::ParameterInformation {
        label: lsp::ParameterLabel::LabelOffsets([range.start().into(), range.end().into()]),
        documentation: None,
    };
    let text = markup::shown(&found.text, asked.abilities.signature_markdown, None);
    let active = found.active.and_then(|active| u32::try_from(active).ok());
    let information = lsp::SignatureInformation {
        documentation: Some(lsp::Documentation::MarkupContent(text)),
        parameters: Some(found.parameters.iter().map(parameter).collect()),
        active_parameter: active,
        label: found.label,
    };
    Some(lsp::SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: active,
    })
}

/// `textDocument/inlayHint`
pub(crate) fn inlays(asked: &Asked<'_>, parameters: &lsp::InlayHintParams) -> Option<Vec<lsp::InlayHint>> {
    let file = asked.document(&parameters.text_document.uri)?;
    let range = file.text_range(parameters.range);
    let found = inlay::inlays(file.snapshot(), file.source(), range, asked.view.options.inlays);
    Some(found.into_iter().map(|one| inlay_hint(&file, one)).collect())
}

fn inlay_hint(file: &File<'_>, one: Inlay) -> lsp::InlayHint {
    let here = file.range(nodewise_syntax::TextRange::empty(one.at));
    let tooltip = markup::shown(&one.text, true, Some(file));
    let part = lsp::InlayHintLabelPart {
        value: one.label,
        tooltip: Some(lsp::InlayHintLabelPartTooltip::MarkupContent(tooltip)),
        location: one.target.and_then(|target| file.location(target)),
        command: None,
    };
    lsp::InlayHint {
        position: here.start,
        label: lsp::InlayHintLabel::LabelParts(vec![part]),
        kind: one.is_type.then_some(lsp::InlayHintKind::TYPE),
        text_edits: None,
        tooltip: None,
        padding_left: Some(!one.is_type),
        padding_right: Some(false),
        data: None,
    }
}

/// `textDocument/inlineValue`: what the editor lets the debug adapter evaluate.
pub(crate) fn inline(
    asked: &Asked<'_>,
    parameters: &lsp::InlineValueParams,
) -> Option<Vec<lsp::InlineValue>> {
    let file = asked.file(&parameters.text_document.uri)?;
    let part = file.text_range(parameters.range);
    let stopped = file.text_range(parameters.context.stopped_location);
    let found = inline_values(file.snapshot(), file.source(), part, stopped).into_iter();
    let written = found.map(|one| {
        lsp::InlineValue::EvaluatableExpression(lsp::InlineValueEvaluatableExpression {
            range: file.range(one.range),
            expression: Some(one.expression),
        })
    });
    Some(written.collect())
}

/// `textDocument/codeLens`. Lenses that run something have their commands at once, because these need no search. The
/// others get theirs in `codeLens/resolve`, except for a client that wants all lenses complete.
pub(crate) fn lenses(asked: &Asked<'_>, uri: &Uri) -> Option<Vec<lsp::CodeLens>> {
    let file = asked.file(uri)?;
    let has_live = crate::HAS_LIVE && *file.project.live != Live::default();
    let options = asked.view.options;
    // Lenses for pins and requests come after `Run node (live)`, also if that lens itself is turned off.
    let wanted = LensSettings { run_live: has_live, ..options.lenses };
    let found = lenses::lenses(file.snapshot(), file.source(), wanted);
    let complete = |lens| match asked.abilities.complete_lenses {
        true => resolved_lens(asked, lens),
        false => lens,
    };
    let pins = if has_live { FilePins::of(file.project, &file.facts.path) } else { FilePins::default() };
    let mut lenses = Vec::new();
    for lens in found {
        let range = file.range(lens.range);
        let Some(run) = lens.run else {
            let data = json!({ "uri": uri.as_str(), "at": file.range(lens.name).start });
            lenses.push(complete(lsp::CodeLens { range, data: Some(data), command: None }));
            continue;
        };
        let is_shown = !run.runnable.is_live || options.lenses.run_live;
        let own = is_shown.then(|| running(asked, uri, &run));
        let commands = own.into_iter().chain(beside_live(asked, uri, &run.runnable, &pins));
        lenses.extend(commands.map(|command| lsp::CodeLens { range, data: None, command: Some(command) }));
    }
    Some(lenses)
}

/// The lenses after `Run node (live)`: one that removes the pin of the node, and one for its request if the user
/// wants to see that.
fn beside_live(asked: &Asked<'_>, uri: &Uri, runnable: &Runnable, pins: &FilePins) -> Vec<lsp::Command> {
    let Some(node) = runnable.node.as_deref().filter(|_| runnable.is_live) else { return Vec::new() };
    let lens = |title: String, command: &str| lsp::Command {
        title,
        command: command.to_owned(),
        arguments: Some(vec![simulation(uri, runnable)]),
    };
    let pin = pins.run_of(runnable.graph.as_deref(), node);
    let pin = pin.map(|run| lens(format!("Unpin output (of {run})"), UNPIN));
    let request = asked.view.options.request_lenses.then(|| lens("Show request".to_owned(), REQUEST));
    pin.into_iter().chain(request).collect()
}

/// The command of a lens that runs something. Its title has the result of the last run.
fn running(asked: &Asked<'_>, uri: &Uri, RunLens { title, runnable }: &RunLens) -> lsp::Command {
    let end = asked.view.ran.iter().find_map(|ran| ran.end(uri.as_str(), runnable));
    let title = end.map_or_else(|| (*title).to_owned(), |end| format!("{title} · {end}"));
    let command = if runnable.is_live { RUN } else { SIMULATE }.to_owned();
    lsp::Command { title, command, arguments: Some(vec![simulation(uri, runnable)]) }
}

/// `codeLens/resolve`
pub(crate) fn resolved_lens(asked: &Asked<'_>, mut lens: lsp::CodeLens) -> lsp::CodeLens {
    if lens.command.is_none() {
        lens.command = references(asked, &lens);
    }
    lens
}

/// The command of a lens with the number of references. It shows the places if the client can.
fn references(asked: &Asked<'_>, lens: &lsp::CodeLens) -> Option<lsp::Command> {
    let data = lens.data.as_ref()?;
    let uri: Uri = data.get("uri")?.as_str()?.parse().ok()?;
    let at: lsp::Position = serde_json::from_value(data.get("at")?.clone()).ok()?;
    let file = asked.file(&uri)?;
    let found = lenses::references(file.snapshot(), file.position(at))?;
    let can_show = asked.abilities.shows_references && !found.places.is_empty();
    let places: Vec<Value> = match can_show {
        true => found.places.iter().filter_map(|at| Some(json!(file.location(*at)?))).collect(),
        false => Vec::new(),
    };
    let arguments = can_show.then(|| vec![json!(uri.as_str()), json!(at), json!(places)]);
    let command = if can_show { SHOW_REFERENCES.to_owned() } else { String::new() };
    Some(lsp::Command { title: found.title, command, arguments })
}

/// The argument of the command that runs a graph.
fn simulation(uri: &Uri, run: &Runnable) -> Value {
    json!({
        "uri": uri.as_str(), "graph": run.graph.as_deref(), "node": run.node.as_deref(),
        "only": run.is_alone, "scenario": run.scenario, "announce": true,
    })
}
