//! The files of the run.

use nodewise_model::SourceId;
use serde_json::{Value, json};

use super::Answer;
use crate::arguments::{LocationOf, SourceText};
use crate::refusal::{Refusal, RefusalKind};
use crate::session::DebugSession;

/// `loadedSources`
pub(super) fn loaded(session: &mut DebugSession<'_>) -> Result<Answer, Refusal> {
    let run = session.run.as_ref().ok_or_else(Refusal::not_stopped)?;
    let locations = run.debugger.locations();
    let files = run.files.snapshot.files().iter();
    let with_places = files.filter(|file| !locations.of_file(file.source).is_empty());
    let sources =
        with_places.filter_map(|file| run.files.source(file.source, session.counting, session.launcher));
    let sources: Vec<Value> = sources.collect();
    Ok(Answer::of(json!({ "sources": sources })))
}

/// `source`: the text that the run was compiled from.
pub(super) fn source(session: &mut DebugSession<'_>, given: &SourceText) -> Result<Answer, Refusal> {
    let run = session.run.as_ref().ok_or_else(Refusal::not_stopped)?;
    let reference = given.source.source_reference.filter(|one| *one > 0).unwrap_or(given.source_reference);
    let number = reference.checked_sub(1).and_then(|number| u32::try_from(number).ok());
    let source = match (number, &given.source.path) {
        (Some(number), _) => Some(SourceId(number)),
        (None, Some(path)) => run.files.find(path, session.launcher),
        (None, None) => None,
    };
    let text = source.and_then(|source| run.files.text(source));
    let text = text
        .ok_or_else(|| Refusal::new(RefusalKind::BadArguments, format!("there is no source {reference}")))?;
    let path = source.and_then(|source| run.files.path(source)).unwrap_or_default();
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    let kind = if is_json { "application/json" } else { "text/yaml" };
    Ok(Answer::of(json!({"content": &**text, "mimeType": kind})))
}

/// `locations`: the node that wrote a value.
pub(super) fn location(session: &mut DebugSession<'_>, given: &LocationOf) -> Result<Answer, Refusal> {
    let run = session.stopped_run()?;
    let unknown = || {
        Refusal::new(RefusalKind::BadArguments, format!("there is no location {}", given.location_reference))
    };
    let position = given.location_reference.checked_sub(1).ok_or_else(unknown)?;
    let stacks = run.debugger.stacks();
    if position >= run.debugger.timeline().log().len() {
        return Err(unknown());
    }
    let frames = stacks.frames(position, 0, stacks.lane(position));
    let at = frames.iter().find_map(|frame| frame.at).ok_or_else(unknown)?;
    let source = run.files.source(at.source, session.counting, session.launcher).ok_or_else(unknown)?;
    let ((line, column), (end_line, end_column)) =
        run.files.span(at, session.counting).ok_or_else(unknown)?;
    Ok(Answer::of(json!({
        "source": source, "line": line, "column": column, "endLine": end_line, "endColumn": end_column,
    })))
}
