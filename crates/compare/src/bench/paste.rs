//! Measures a program that pastes declarations into a document faster than anybody types.
//!
//! Input is a server with an open document. Output is how long the server needs after the last edit, and whether it has the whole
//! text. Invariant: the last edit makes an error, so diagnostics with an error are those of the whole text.

use std::cell::Cell;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::client::{Client, milliseconds};
use super::columns::Column;
use super::document::{ERROR, Toggle, uri};

/// The number of edits, and the time between two: a thousand in a second.
const EDITS: usize = 1_000;
const PAUSE: Duration = Duration::from_millis(1);

/// Pastes declarations at the end of a document, whose last version was `version`, and adds the figures.
pub(super) fn measure(
    client: &mut Client,
    file: &Path,
    text: &str,
    toggle: &Toggle<'_>,
    version: usize,
    column: &mut Column,
) -> Result<()> {
    let uri = uri(file)?;
    client.drain();
    let (processor_before, memory_before) = (client.processor_ms(), client.memory());
    // A document of the benchmark ends with a line break.
    let (started, mut whole) = (Instant::now(), text.to_owned());
    let mut end = text.matches('\n').count();
    for number in 1..EDITS {
        let declaration = format!(
            "---\nkind: ToolNode\nname: pasted_{number}\ndescription: Pasted.\nfunc: tools.pasted_{number}\n"
        );
        let change = appended(&uri, end, &declaration, version + number);
        whole.push_str(&declaration);
        end += declaration.matches('\n').count();
        // Late edits are not made later: the rate is the same whatever the server does.
        let due = started + PAUSE * u32::try_from(number)?;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
        client.notify("textDocument/didChange", &change)?;
    }
    let broken = toggle.broken(&uri, version + EDITS);
    let sent = client.notify("textDocument/didChange", &broken)?;
    let reports = Cell::new(0_usize);
    let last_version = Some((version + EDITS) as u64);
    let last = client.diagnostics(&uri, |params| {
        reports.set(reports.get() + 1);
        // Not every server says which version its diagnostics are about.
        let is_last = params.get("version").is_none_or(|version| version.as_u64() == last_version);
        is_last && params["diagnostics"].as_array().into_iter().flatten().any(|one| one["severity"] == ERROR)
    })?;
    let processor = client.processor_ms() - processor_before;
    let what = format!("{EDITS} edits, 1 ms apart");
    column.time(format!("{what}: until the last one was read"), milliseconds(started, sent));
    column.time(
        format!("{what}: the last one to its diagnostics"),
        last.map_or(f64::INFINITY, |last| milliseconds(sent, last)),
    );
    column.add(format!("{what}: reports of diagnostics"), reports.get().to_string());
    column.time(format!("{what}: processor time"), processor);
    column.memory(&format!("{what}: more memory"), client.memory().saturating_sub(memory_before));
    expect_whole(client, file, &toggle.broken_text(&whole))
}

/// The change that adds a text in front of the first letter of a line.
fn appended(uri: &str, line: usize, added: &str, version: usize) -> Value {
    let end = json!({"line": line, "character": 0});
    json!({
        "textDocument": {"uri": uri, "version": version},
        "contentChanges": [{"range": {"start": end, "end": end}, "text": added}]})
}

/// Nothing is lost: the server says the same about the document as about another one that is opened with the whole text.
fn expect_whole(client: &mut Client, file: &Path, whole: &str) -> Result<()> {
    let (edited, copy) = (uri(file)?, uri(file)?.replace(".yaml", "_copy.yaml"));
    let document = json!({"uri": copy, "languageId": "yaml", "version": 0, "text": whole});
    client.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    let mut symbols = |uri: &str| -> Result<Value> {
        let asked = json!({"textDocument": {"uri": uri}});
        let (_, symbols) = client.answer("textDocument/documentSymbol", &asked)?.context("no symbols")?;
        Ok(symbols)
    };
    let (edited, copy) = (symbols(&edited)?, symbols(&copy)?);
    ensure!(edited.as_array().is_some_and(|symbols| symbols.len() >= EDITS), "the symbols are incomplete");
    ensure!(edited == copy, "the server has another text than the client");
    Ok(())
}
