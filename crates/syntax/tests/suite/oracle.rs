//! The same events from three parsers: ours, yaml-rust2, saphyr-parser.
//!
//! A line per event: what all three tell (kind, style, text, tag, whether an anchor is there).

use nodewise_syntax::{Tree, events};

/// What a parser makes of a text: its events, or that it refuses.
pub(crate) type Verdict = Result<Vec<String>, String>;

pub(crate) fn ours(tree: &Tree) -> Verdict {
    if !tree.is_valid() {
        return Err(tree
            .problems()
            .iter()
            .map(|problem| format!("{:?} {:?}; ", problem.kind, problem.range))
            .collect());
    }
    Ok(events::event_text(tree).lines().map(normalize).collect())
}

/// Takes out what the other parsers do not tell: flow style, markers, anchor names.
fn normalize(line: &str) -> String {
    let (head, rest) = line.split_at(line.len().min(4));
    match head {
        "+DOC" | "-DOC" | "+STR" | "-STR" => head.to_owned(),
        "=ALI" => head.to_owned(),
        "+MAP" | "+SEQ" => {
            let rest = rest.strip_prefix(" {}").or(rest.strip_prefix(" []")).unwrap_or(rest);
            let (properties, _) = split_properties(rest);
            format!("{head}{properties}")
        }
        "=VAL" => {
            let (properties, value) = split_properties(rest);
            format!("{head}{properties}{value}")
        }
        _ => line.to_owned(),
    }
}

fn split_properties(mut rest: &str) -> (String, &str) {
    let mut properties = String::new();
    if let Some(anchored) = rest.strip_prefix(" &") {
        properties.push_str(" &");
        rest = anchored.find(' ').map_or("", |end| &anchored[end..]);
    }
    if rest.starts_with(" <") {
        let end = rest.find('>').map_or(rest.len(), |end| end + 1);
        properties.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    (properties, rest)
}

fn escaped(text: &str) -> String {
    let escapes =
        [("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\r", "\\r"), ("\u{8}", "\\b"), ("\0", "\\0")];
    escapes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

fn properties(anchor: usize, tag: Option<String>) -> String {
    let anchor = if anchor > 0 { " &" } else { "" };
    tag.map_or(anchor.to_owned(), |tag| format!("{anchor} <{tag}>"))
}

pub(crate) fn yaml_rust2(text: &str) -> Verdict {
    use yaml_rust2::parser::{Event, Parser, Tag};
    use yaml_rust2::scanner::TScalarStyle;
    let tag = |tag: Option<Tag>| tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
    let mut parser = Parser::new_from_str(text);
    let mut lines = Vec::new();
    loop {
        let (event, _) = parser.next_token().map_err(|error| error.to_string())?;
        lines.push(match event {
            Event::Nothing => continue,
            Event::StreamStart => "+STR".to_owned(),
            Event::StreamEnd => {
                lines.push("-STR".to_owned());
                return Ok(lines);
            }
            Event::DocumentStart => "+DOC".to_owned(),
            Event::DocumentEnd => "-DOC".to_owned(),
            Event::Alias(_) => "=ALI".to_owned(),
            Event::SequenceStart(anchor, name) => format!("+SEQ{}", properties(anchor, tag(name))),
            Event::SequenceEnd => "-SEQ".to_owned(),
            Event::MappingStart(anchor, name) => format!("+MAP{}", properties(anchor, tag(name))),
            Event::MappingEnd => "-MAP".to_owned(),
            Event::Scalar(value, style, anchor, name) => {
                let style = match style {
                    TScalarStyle::Plain => ':',
                    TScalarStyle::SingleQuoted => '\'',
                    TScalarStyle::DoubleQuoted => '"',
                    TScalarStyle::Literal => '|',
                    TScalarStyle::Folded => '>',
                };
                format!("=VAL{} {style}{}", properties(anchor, tag(name)), escaped(&value))
            }
        });
    }
}

pub(crate) fn saphyr(text: &str) -> Verdict {
    use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
    let tag = |tag: Option<std::borrow::Cow<'_, Tag>>| tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
    let mut lines = Vec::new();
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        lines.push(match event {
            Event::Nothing => continue,
            Event::StreamStart => "+STR".to_owned(),
            Event::StreamEnd => "-STR".to_owned(),
            Event::DocumentStart(_) => "+DOC".to_owned(),
            Event::DocumentEnd => "-DOC".to_owned(),
            Event::Alias(_) => "=ALI".to_owned(),
            Event::SequenceStart(anchor, name) => format!("+SEQ{}", properties(anchor, tag(name))),
            Event::SequenceEnd => "-SEQ".to_owned(),
            Event::MappingStart(anchor, name) => format!("+MAP{}", properties(anchor, tag(name))),
            Event::MappingEnd => "-MAP".to_owned(),
            Event::Scalar(value, style, anchor, name) => {
                let style = match style {
                    ScalarStyle::Plain => ':',
                    ScalarStyle::SingleQuoted => '\'',
                    ScalarStyle::DoubleQuoted => '"',
                    ScalarStyle::Literal => '|',
                    ScalarStyle::Folded => '>',
                };
                format!("=VAL{} {style}{}", properties(anchor, tag(name)), escaped(&value))
            }
        });
    }
    Ok(lines)
}
