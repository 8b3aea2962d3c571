//! What an agent reads: entries within a budget, and where the next ones begin.
//!
//! Input: entries of text, an offset, a budget in tokens. Output: a text, structured content. Invariant: at least one entry is
//! shown, so that an agent that follows `next` reaches the end.

use serde_json::{Value, json};

/// The budget of an answer in tokens, if the agent sets none.
pub(crate) const DEFAULT_BUDGET: usize = 2000;

/// How many bytes count as one token. This is an estimate.
const BYTES_PER_TOKEN: usize = 4;

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) structured: Value,
}

/// Which part of a long answer the agent wants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    /// The most tokens of the answer, by estimate; `None` means [`DEFAULT_BUDGET`].
    pub(crate) budget: Option<usize>,
    /// The number of entries to skip.
    pub(crate) offset: usize,
}

/// One item of an answer that has many, such as a finding.
pub(crate) struct Entry {
    /// What several entries have in common, such as their file. It is written once, above the first of them.
    pub(crate) group: String,
    pub(crate) text: String,
    pub(crate) value: Value,
}

/// Which entries fit the budget.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Shown {
    /// The positions of the entries that fit.
    pub(crate) range: std::ops::Range<usize>,
    /// The number of all entries.
    pub(crate) total: usize,
}

impl Shown {
    /// The offset of the next entries; `None` if these are the last.
    pub(crate) fn next(&self) -> Option<usize> {
        (self.range.end < self.total).then_some(self.range.end)
    }

    /// A line that says how to get the next entries; empty if there are none.
    fn more(&self) -> String {
        match self.next() {
            Some(next) => format!("{} more: call again with `offset` {next}\n", self.total - next),
            None => String::new(),
        }
    }
}

impl Part {
    /// The entries that fit the budget, by the size of each entry in bytes. The first one is always included.
    pub(crate) fn shown(self, sizes: impl IntoIterator<Item = usize>) -> Shown {
        let mut left = self.budget.unwrap_or(DEFAULT_BUDGET).saturating_mul(BYTES_PER_TOKEN);
        let (mut end, mut total, mut is_full) = (self.offset, 0, false);
        for (index, size) in sizes.into_iter().enumerate() {
            total = index + 1;
            if index < self.offset || is_full {
                continue;
            }
            // The first entry is shown even if it is too large, or an agent would never get past it.
            if size > left && index > self.offset {
                is_full = true;
                continue;
            }
            left = left.saturating_sub(size);
            end = index + 1;
        }
        let start = self.offset.min(total);
        Shown { range: start..end.clamp(start, total), total }
    }

    /// An answer whose entries are the lines of a text. `members` are added to the structured answer.
    pub(crate) fn lines(self, text: &str, members: Value) -> Answer {
        let lines: Vec<&str> = text.lines().collect();
        let shown = self.shown(lines.iter().map(|line| line.len() + 1));
        let mut part = String::new();
        for line in lines.get(shown.range.clone()).unwrap_or_default() {
            part.push_str(line);
            part.push('\n');
        }
        let structured = paged(members, &shown, json!(part));
        part.push_str(&shown.more());
        Answer { text: part, structured }
    }

    /// An answer of entries, below the text `head`. `members` are added to the structured answer.
    pub(crate) fn entries(self, head: &str, entries: Vec<Entry>, members: Value) -> Answer {
        let shown = self.shown(entries.iter().map(|entry| entry.text.len()));
        let range = shown.range.clone();
        let (mut text, mut group, mut values) = (head.to_owned(), String::new(), Vec::new());
        for entry in entries.into_iter().skip(range.start).take(range.len()) {
            if entry.group != group {
                text.push_str(&format!("{}\n", entry.group));
                group = entry.group;
            }
            text.push_str(&entry.text);
            values.push(entry.value);
        }
        text.push_str(&shown.more());
        Answer { text, structured: paged(members, &shown, Value::Array(values)) }
    }
}

/// Adds the shown entries, their total and the next offset to the members.
fn paged(mut members: Value, shown: &Shown, entries: Value) -> Value {
    if let Value::Object(members) = &mut members {
        let name = if entries.is_string() { "text" } else { "entries" };
        members.insert(name.to_owned(), entries);
        members.insert("total".to_owned(), json!(shown.total));
        if let Some(next) = shown.next() {
            members.insert("next".to_owned(), json!(next));
        }
    }
    members
}

/// The schema of an answer that [`Part::lines`] gives.
pub(crate) fn lines_schema(members: Value) -> Value {
    schema(members, "text", json!({"type": "string"}))
}

/// The schema of an answer that [`Part::entries`] gives.
pub(crate) fn entries_schema(entry: Value, members: Value) -> Value {
    schema(members, "entries", json!({"type": "array", "items": entry}))
}

fn schema(mut members: Value, name: &str, entries: Value) -> Value {
    let mut required = vec![name.to_owned(), "total".to_owned()];
    if let Value::Object(members) = &mut members {
        required.extend(members.keys().cloned());
        members.insert(name.to_owned(), entries);
        members
            .insert("total".to_owned(), json!({"type": "integer", "description": "All lines or entries."}));
        members.insert(
            "next".to_owned(),
            json!({"type": "integer", "description": "The `offset` of what is not shown; absent at the end."}),
        );
    }
    json!({"type": "object", "properties": members, "required": required})
}

#[cfg(test)]
mod tests {
    use super::{Part, Shown};

    fn check_shown(offset: usize, budget: usize, sizes: &[usize], expected: std::ops::Range<usize>) {
        let part = Part { budget: Some(budget), offset };
        let total = sizes.len();
        assert_eq!(part.shown(sizes.iter().copied()), Shown { range: expected, total });
    }

    #[test]
    fn entries_fill_the_budget_and_a_large_one_stands_alone() {
        check_shown(0, 10, &[20, 20, 1], 0..2);
        check_shown(2, 10, &[20, 20, 1], 2..3);
        check_shown(0, 10, &[900, 1], 0..1);
        check_shown(7, 10, &[20, 20, 1], 3..3);
        check_shown(0, 10, &[], 0..0);
    }
}
