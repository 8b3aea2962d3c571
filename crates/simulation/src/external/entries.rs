//! The entries of a trace: the items of a JSON list, one JSON value a line, or one value.
//!
//! Input: a text; output: values, each with its line. Invariant: all of the text is JSON, or there are no entries.

use nodewise_syntax::{LineIndex, parse};
use serde_json::Value as Json;

use crate::external_run::TraceEntry;

/// The entries of a text. `None` if it is not JSON.
#[must_use]
pub fn entries(text: &str) -> Option<Vec<TraceEntry>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    match serde_json::from_str(text) {
        Ok(Json::Array(items)) => Some(of_list(text, items)),
        Ok(value) => Some(vec![TraceEntry { value, line: 1 }]),
        Err(_) => of_lines(text),
    }
}

fn of_list(text: &str, items: Vec<Json>) -> Vec<TraceEntry> {
    let index = LineIndex::new(text);
    let tree = parse(text);
    let root = tree.documents().next().and_then(|document| document.root());
    let places = root.and_then(|root| root.as_sequence()).into_iter().flat_map(|list| list.items());
    let lines: Vec<u32> = places.map(|item| index.line_col(item.range().start()).line).collect();
    let entry = |(position, value)| TraceEntry { value, line: lines.get(position).copied().unwrap_or(1) };
    items.into_iter().enumerate().map(entry).collect()
}

fn of_lines(text: &str) -> Option<Vec<TraceEntry>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let entries: Option<Vec<TraceEntry>> = lines
        .map(|(line, text)| Some(TraceEntry { value: serde_json::from_str(text).ok()?, line }))
        .collect();
    entries.filter(|entries| !entries.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_entries(text: &str, expected: &str) {
        let shown = entries(text).map(|entries| {
            let entries = entries.iter().map(|entry| format!("{}:{}", entry.line, entry.value));
            entries.collect::<Vec<_>>().join(" ")
        });
        assert_eq!(shown.unwrap_or_else(|| "none".to_owned()), expected, "{text}");
    }

    #[test]
    fn entries_are_items_lines_or_one_value() {
        check_entries("[\n {\"a\": 1},\n {\"a\":\n 2}, 3]", "2:{\"a\":1} 3:{\"a\":2} 4:3");
        check_entries("{\"a\": 1}\n\n{\"a\": 2}\n", "1:{\"a\":1} 3:{\"a\":2}");
        check_entries("{\n\"a\": 1}", "1:{\"a\":1}");
        check_entries("\u{feff}[1]", "1:1");
        check_entries("a: 1", "none");
        check_entries("", "none");
        check_entries("{\"a\": 1}\n{\"a\":", "none");
        check_entries(&"[".repeat(5000), "none");
    }
}
