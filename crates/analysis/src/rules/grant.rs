//! What the rules about keys of the state share: a repair that adds a key to a list of what a node may read or write.

use nodewise_model::{Located, Origin};
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::place;
use super::wording::short;
use crate::diagnostic::Finding;
use crate::rule::Context;

/// Offers to add `key` to a list of keys, whose own key stands at `list_at`.
pub(super) fn add(
    context: &Context<'_>,
    finding: Finding,
    list: &[Located<SmolStr>],
    list_at: Option<Origin>,
    key: &str,
) -> Finding {
    let edit = match (list.last(), list_at) {
        (Some(last), _) => behind(context, last.at, key),
        (None, Some(at)) => into_empty(context, at, key),
        (None, None) => None,
    };
    match edit.filter(|_| place::is_word(key)) {
        Some((at, text)) => finding.fix(format!("Add `{}` to the list", short(key)), false, at, text),
        None => finding,
    }
}

/// A new item behind the last one, in the style of the list.
fn behind(context: &Context<'_>, last: Origin, key: &str) -> Option<(Origin, String)> {
    let text = &*context.source(last.source)?.text;
    let rest = text.get(usize::from(last.range.end())..)?;
    let at = Origin::new(last.source, TextRange::empty(last.range.end()));
    if rest.trim_start().starts_with([',', ']']) {
        return Some((at, format!(", {key}")));
    }
    let before = text.get(..usize::from(last.range.start()))?;
    let line = before.rsplit('\n').next()?;
    let is_alone = rest.is_empty() || rest.starts_with(['\n', '\r']);
    (is_alone && line.trim() == "-").then(|| (at, format!("\n{line}{key}")))
}

/// The first item of a list that is written as `[]`.
fn into_empty(context: &Context<'_>, list_at: Origin, key: &str) -> Option<(Origin, String)> {
    let text = &*context.source(list_at.source)?.text;
    let rest = text.get(usize::from(list_at.range.end())..)?;
    let gap = rest.len() - rest.strip_prefix(':')?.trim_start_matches(' ').len();
    let open = list_at.range.end() + TextSize::try_from(gap).ok()?;
    rest.get(gap..)?
        .starts_with("[]")
        .then(|| (Origin::new(list_at.source, TextRange::empty(open + TextSize::of('['))), key.to_owned()))
}
