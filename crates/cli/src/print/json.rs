//! One JSON document for programs, version 1.
//!
//! Input: diagnostics and a summary. Output: the parts of the document. Invariant: within a version, keys are only
//! added. Lines and columns count from 1, byte offsets from 0.

use std::io;

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::report::JsonDiagnostic;
use serde::Serialize;
use serde_json::ser::Formatter;

use super::{AgainstBaseline, Summary};
use crate::project::{Extent, Judged};
use crate::screen;

/// The start of the document.
pub(super) const HEAD: &str = "{\"version\":1,\"diagnostics\":[";

/// The separator before each diagnostic.
#[derive(Debug, Default)]
pub(super) struct Separator {
    is_behind_first: bool,
}

impl Separator {
    /// The text before the next diagnostic.
    pub(super) fn next(&mut self) -> &'static str {
        let separator = if self.is_behind_first { ",\n" } else { "\n" };
        self.is_behind_first = true;
        separator
    }
}

/// A diagnostic as a JSON object.
pub(super) fn text(judged: &Judged, diagnostic: &Diagnostic) -> String {
    to_json(&JsonDiagnostic::new(diagnostic, &|origin| judged.place(origin)))
}

/// The end of the document.
pub(super) fn tail(summary: &Summary, statistics: Option<&str>) -> String {
    let Summary { extent, unreadable, errors, warnings, hints, baseline } = summary;
    let Extent { files, declarations, skipped } = extent;
    let baseline = baseline.map_or_else(String::new, |AgainstBaseline { held_back, stale }| {
        format!(",\"heldBack\":{held_back},\"stale\":{stale}")
    });
    let statistics = statistics.map_or_else(String::new, |rules| format!("\"statistics\":{rules},"));
    format!(
        "\n],{statistics}\"summary\":{{\"files\":{files},\"declarations\":{declarations},\"leftAlone\":{skipped},\"unreadable\":{unreadable},\"errors\":{errors},\"warnings\":{warnings},\"infos\":{hints}{baseline}}}}}\n"
    )
}

/// A value as compact JSON that is safe on a terminal.
pub(crate) fn to_json(value: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, SafeFormatter);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => String::from("null"),
    }
}

/// A JSON text with unsafe characters for a terminal escaped, except line breaks.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => escaped.push('\n'),
            harmful if screen::is_harmful(harmful) => {
                escaped.push_str(&format!("\\u{:04x}", u32::from(harmful)));
            }
            other => escaped.push(other),
        }
    }
    escaped
}

/// Escapes characters that JSON allows in a string and that are unsafe for a terminal.
struct SafeFormatter;

impl Formatter for SafeFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((offset, harmful)) =
            rest.char_indices().find(|(_, character)| screen::is_harmful(*character))
        {
            let (safe, behind) = rest.split_at(offset);
            writer.write_all(safe.as_bytes())?;
            write!(writer, "\\u{:04x}", u32::from(harmful))?;
            rest = behind.get(harmful.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }
}
