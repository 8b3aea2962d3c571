//! Keys in the order of the dialect's table. In: a text and the kinds of its documents; out: the text with the entries
//! of its block mappings moved, each with the comments above it. Invariant: an entry moves whole, and a mapping that
//! cannot be taken apart safely stays as it is.

use nodewise_dialect::table::{Kind, Shape};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Visitor, walk};
use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::parts::{self, PartKind, SyntaxElement};
use nodewise_syntax::{TextRange, TextSize, Tree};

use crate::conditions::stands_here;

/// The maximum number of rounds. Each round orders the outermost mappings that are out of order: edits of mappings
/// inside them would overlap with theirs.
const ROUNDS: usize = 64;

/// The text with its keys in order; `None` if they already are, or cannot be moved.
pub(crate) fn ordered(tree: &Tree, kinds: &[Option<&'static Kind>]) -> Option<String> {
    // Keys must not be moved, because an alias must stay after its anchor.
    if tree.has_aliases() {
        return None;
    }
    let mut current: Option<Tree> = None;
    for _ in 0..ROUNDS {
        let tree = current.as_ref().unwrap_or(tree);
        let mut edits = round(tree, kinds);
        if edits.is_empty() {
            break;
        }
        let text = apply_edits(tree.text(), &mut edits).ok()?;
        current = Some(nodewise_syntax::parse(text));
    }
    current.map(|tree| tree.text().to_owned())
}

/// The edits of the outermost mappings whose keys are out of order.
fn round(tree: &Tree, kinds: &[Option<&'static Kind>]) -> Vec<TextEdit> {
    let mut finder = Finder { tree, wanted: Vec::new() };
    for (document, kind) in tree.documents().zip(kinds) {
        let (Some(kind), Some(root)) = (kind, document.root()) else { continue };
        let value = SpannedValue::from_node(root, SourceId(0));
        walk(kind, None, &value, &mut finder);
    }
    let mut edits: Vec<TextEdit> = Vec::new();
    for (part, order) in finder.wanted {
        let is_inside = edits.last().is_some_and(|last| part.range().start() < last.range.end());
        if !is_inside {
            edits.extend(moved(tree, part, &order));
        }
    }
    edits
}

/// Collects the mappings whose keys are out of order, with the right order.
struct Finder<'t> {
    tree: &'t Tree,
    wanted: Vec<(SyntaxElement<'t>, Vec<usize>)>,
}

impl<'v, 't> Visitor<'v, 't> for Finder<'t> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        stands_here(self.tree, value)
    }

    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        let (Some(members), Some(node)) = (value.as_map(), value.node) else { return };
        let rank = |member: &SpannedEntry<'_>| {
            shape.fields.iter().position(|field| field.key == member.key).unwrap_or(usize::MAX)
        };
        let ranks: Vec<usize> = members.iter().map(rank).collect();
        if ranks.is_sorted() {
            return;
        }
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.arrange_by_key(|at| ranks.get(*at).copied());
        self.wanted.extend(parts::part_of(self.tree, node).map(|part| (part, order)));
    }
}

/// An entry and the lines that move with it: whole lines above it, and the entry up to the end of its last line.
struct Chunk<'t> {
    above: &'t str,
    entry: &'t str,
}

/// The edit that reorders the entries of a block mapping.
fn moved(tree: &Tree, map: SyntaxElement<'_>, order: &[usize]) -> Option<TextEdit> {
    let map = content(map)?;
    let entries: Vec<SyntaxElement<'_>> =
        map.children().filter(|part| part.kind() == PartKind::Entry).collect();
    let is_safe = map.kind() == PartKind::BlockMap && entries.len() == order.len() && !holds_kept_lines(map);
    let (text, range) = (tree.text(), map.range());
    if !is_safe || text.get(usize::from(range.end())..).is_none_or(str::is_empty) {
        return None;
    }
    let start = usize::from(range.start());
    let line_start = text.get(..start)?.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let indentation = text.get(line_start..start)?;
    let begins_line = indentation.chars().all(|letter| letter == ' ');
    let column = start - line_start;
    let mut bounds = vec![start];
    for (entry, next) in entries.iter().zip(entries.iter().skip(1)) {
        bounds.push(end_of_entry(text, entry.range().end(), next.range().start(), column)?);
    }
    let last = usize::from(range.end());
    let rest = text.get(last..)?;
    let end = last + rest.find(['\n', '\r']).unwrap_or(rest.len());
    bounds.push(end);
    let mut chunks = Vec::with_capacity(entries.len());
    for (entry, bound) in entries.iter().zip(bounds.windows(2)) {
        let [from, to] = bound else { return None };
        let own = usize::from(entry.range().start());
        let lead = text.get(*from..own)?;
        let above = lead.get(..lead.rfind(['\n', '\r']).map_or(0, |at| at + 1))?;
        chunks.push(Chunk { above, entry: text.get(own..*to)?.trim_end_matches(['\n', '\r']) });
    }
    let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let blanks = " ".repeat(column);
    let mut out = String::with_capacity(end - start);
    for (place, at) in order.iter().enumerate() {
        let chunk = chunks.get(*at)?;
        if place == 0 && !begins_line && !chunk.above.trim().is_empty() {
            return None;
        }
        if place > 0 {
            out.push_str(line_break);
            out.push_str(chunk.above);
            out.push_str(&blanks);
        } else if begins_line && !chunk.above.trim().is_empty() {
            out.push_str(chunk.above.trim_start());
            out.push_str(&blanks);
        }
        out.push_str(chunk.entry);
    }
    let range = TextRange::new(range.start(), TextSize::try_from(end).ok()?);
    Some(TextEdit { range, text: out })
}

/// Where an entry ends and the lines above the next one begin. Comments on the entry's last line, and those that are
/// deeper than its mapping, belong to the entry.
fn end_of_entry(text: &str, end: TextSize, next: TextSize, column: usize) -> Option<usize> {
    let (end, next) = (usize::from(end), usize::from(next));
    let mut at = end;
    for line in text.get(end..next)?.split_inclusive('\n') {
        let is_first = at == end && !text.get(..end)?.ends_with('\n');
        let blanks = line.len() - line.trim_start_matches(' ').len();
        let is_own = line.trim_start().starts_with('#') && blanks > column;
        if !line.ends_with('\n') || !(is_first || is_own) {
            break;
        }
        at += line.len();
    }
    Some(at)
}

/// The node after its anchor and tag.
fn content(part: SyntaxElement<'_>) -> Option<SyntaxElement<'_>> {
    match part.kind() {
        PartKind::Properties => content(part.children().find(|child| child.is_node())?),
        _ => Some(part),
    }
}

/// Whether a block scalar keeps its trailing empty lines. At another place, it would have other lines after it.
fn holds_kept_lines(map: SyntaxElement<'_>) -> bool {
    map.within().any(|part| part.kind() == PartKind::BlockHeader && part.text().contains('+'))
}
