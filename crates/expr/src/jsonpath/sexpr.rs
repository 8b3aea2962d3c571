//! The S-expression form of a path: its steps and the trees of its filters.
//!
//! Input: a path; output: one line. Invariant: the dots, brackets and quotes of the source do not appear.

use super::{JsonPath, JsonPathSegment, ScriptExpression, SegmentKind, Slice};
use crate::javascript::number_to_text;

/// The S-expression of a path: `(path root (child "a") (filter (> (var @.b) 1)))`.
pub fn sexpr(path: &JsonPath) -> String {
    let mut out = "(path".to_owned();
    for segment in &path.segments {
        out.push(' ');
        write(segment, &segment.kind, &mut out);
    }
    out.push(')');
    out
}

fn write(segment: &JsonPathSegment, kind: &SegmentKind, out: &mut String) {
    match kind {
        SegmentKind::Root => out.push_str("root"),
        SegmentKind::Child => out.push_str(&format!("(child {:?})", segment.text.as_str())),
        SegmentKind::Wildcard => out.push_str("wildcard"),
        SegmentKind::Descendants => out.push_str("descendants"),
        SegmentKind::Union(parts) => {
            out.push_str("(union");
            for part in parts {
                out.push(' ');
                write(part, &part.kind, out);
            }
            out.push(')');
        }
        SegmentKind::Slice(Slice { start, end, step }) => {
            let end = end.map_or("end".to_owned(), number_to_text);
            out.push_str(&format!("(slice {} {end} {})", number_to_text(*start), number_to_text(*step)));
        }
        SegmentKind::Filter(filter) => match &filter.nested {
            Some(nested) => {
                out.push_str(&format!("(filter {:?} ", nested.name.as_str()));
                write(&nested.segment, &nested.segment.kind, out);
                out.push(')');
            }
            None => write_script("filter", &filter.script, out),
        },
        SegmentKind::Computed(script) => write_script("computed", script, out),
        SegmentKind::Parent => out.push_str("parent"),
        SegmentKind::Name => out.push_str("name"),
        SegmentKind::Type(word) => out.push_str(&format!("(type {word:?})")),
        SegmentKind::Escaped { name, .. } => out.push_str(&format!("(child {:?})", name.as_str())),
        SegmentKind::Lost => out.push_str("lost"),
    }
}

fn write_script(head: &str, script: &ScriptExpression, out: &mut String) {
    out.push('(');
    out.push_str(head);
    for expr in &script.expressions {
        out.push(' ');
        out.push_str(&crate::sexpr::sexpr(expr));
    }
    out.push(')');
}
