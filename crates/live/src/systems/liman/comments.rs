//! Comments that describe the fields of a structured answer: the release hands them to models (liman:2.8).
//!
//! Input: fields, and the text that they are written in; output: the fields with descriptions. The release finds a comment through the
//! field before it: behind its value, and in the lines between the two, if that value is a word. So the first field has none, and a
//! field behind a list or a mapping. Invariant: a field with the long notation (`{type: …}`) has only what it says itself.

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Localized, LocalizedText, OutputField};
use thin_vec::{ThinVec, thin_vec};

use super::LANGUAGE;

/// The fields with their descriptions. The comments before a field describe it, unless it has the long notation.
pub(super) fn described(fields: &[OutputField], snapshot: &Snapshot) -> ThinVec<OutputField> {
    let mut described: ThinVec<OutputField> = fields.into();
    for (field, before) in described.iter_mut().skip(1).zip(fields) {
        let Some(last) = &before.type_name else { continue };
        let Some(file) = snapshot.file(last.at.source) else { continue };
        let range = std::ops::Range::<usize>::from(last.at.range);
        let (Some(head), Some(after)) = (file.text.get(..range.start), file.text.get(range.end..)) else {
            continue;
        };
        if before.lists > 0 || !is_key_of(last_line(head), before) {
            continue;
        }
        if let Some(text) = comment(after, field) {
            let text =
                LocalizedText { language: LANGUAGE, path: ThinVec::new(), text: text.into(), at: last.at };
            field.description = Localized { texts: thin_vec![text] };
        }
    }
    for field in &mut described {
        field.fields = self::described(&field.fields, snapshot);
    }
    described
}

fn last_line(text: &str) -> &str {
    text.rsplit('\n').next().unwrap_or_default()
}

/// Whether a line up to a value has nothing but the key of this field.
fn is_key_of(text: &str, field: &OutputField) -> bool {
    let Some(key) = text.trim().strip_suffix(':') else { return false };
    let key = key.trim_end().trim_matches(['"', '\'']);
    key.strip_suffix('?').unwrap_or(key) == field.name
}

/// The comments between a value and the next field; `None` if there are none, or if that field has the long notation.
fn comment(after: &str, field: &OutputField) -> Option<String> {
    let mut lines = after.lines();
    let mut texts = Vec::new();
    let mut add = |line: &str| {
        let text = line.trim().trim_start_matches('#').trim();
        if !text.is_empty() {
            texts.push(text.to_owned());
        }
    };
    let behind = lines.next()?.trim();
    match behind.is_empty() || behind.starts_with('#') {
        true => add(behind),
        false => return None,
    }
    let key = loop {
        let line = lines.next()?;
        match line.trim() {
            "" => {}
            comment if comment.starts_with('#') => add(comment),
            key => break key,
        }
    };
    let (key, value) = key.split_once(':')?;
    if !is_key_of(&format!("{key}:"), field) {
        return None;
    }
    let value = value.split(" #").next().unwrap_or_default().trim();
    let is_long = match (&field.type_name, field.lists, value) {
        (None, ..) => false,
        (Some(_), 0, "") => true,
        (Some(_), _, "") => !lines.next()?.trim_start().starts_with('-'),
        (Some(_), _, value) => value.starts_with('{'),
    };
    (!is_long && !texts.is_empty()).then(|| texts.join(" "))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_model::Body;

    use super::*;
    use crate::restore;

    fn lines(fields: &[OutputField], indent: &str, out: &mut String) {
        for field in fields {
            let text = field.description.texts.first().map_or("-", |text| &*text.text);
            out.push_str(&format!("{indent}{}: {text}\n", field.name));
            lines(&field.fields, &format!("{indent}  "), out);
        }
    }

    /// The descriptions that the release 0.1.1 gives fields that are written like this.
    #[track_caller]
    fn check(output: &str, expected: &str) {
        let text = format!(
            "kind: LLMNode\nname: chat\nprompts:\n  system: {{en: Hello.}}\nstructured_output:\n{output}"
        );
        let snapshot = restore::snapshot(&[("chat.yaml".to_owned(), Arc::from(text))]);
        let declared = snapshot.files().iter().flat_map(|file| &file.documents);
        let declared = declared.filter_map(|facts| snapshot.index().effective(facts)?.written());
        let fields = declared.filter_map(|declaration| match &declaration.body {
            Body::Node(node) => Some(described(&node.details.output, &snapshot)),
            _ => None,
        });
        let mut found = String::new();
        fields.for_each(|fields| lines(&fields, "", &mut found));
        assert_eq!(found, expected);
    }

    #[test]
    fn comments_describe_the_field_behind_a_word() {
        check(
            "  first: str # eol of first\n  # before second\n  # more\n  second: int\n  third: [str]\n  # object comment\n  obj:\n    # before a\n    a: str\n    # before b\n    b?: int\n\n  # after blank\n  fourth: {type: str, description: own}\n  # before fifth\n  fifth: bool\n  sixth: str\n",
            "first: -\nsecond: eol of first before second more\nthird: -\nobj: -\n  a: -\n  b: before b\nfourth: own\nfifth: -\nsixth: -\n",
        );
    }

    #[test]
    fn the_long_notation_takes_no_comment_and_gives_none() {
        check(
            "  a: str\n  # of b\n  b: {type: int}\n  # of c\n  c: str\n  # of d\n  d:\n    type: int\n  # of e\n  e: str\n  # of f\n  f:\n    x: str\n  # of g\n  g: str\n  # of h\n  h: [int]\n  i: str\n",
            "a: -\nb: -\nc: -\nd: -\ne: -\nf: of f\n  x: -\ng: -\nh: of h\ni: -\n",
        );
    }
}
