//! Where a text is broken: what stands there is a guess, and rules that judge a guess would cry wolf.
//! A finding is silent inside the smallest block entry or item that holds a syntax problem, below a line with a wrong
//! indentation, at a repeated key and in an item that seems to be two. A finding about something missing is silent in a
//! document that is broken anywhere.

use std::cmp::Reverse;
use std::sync::LazyLock;

use nodewise_model::MostlyEmpty;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::locate::{TreeStep, locate};
use nodewise_syntax::{NodeValue, Problem, ProblemKind, SyntaxNode, TextRange, TextSize, Tree};
use thin_vec::ThinVec;

/// The parts of a file that cannot be read or are unknown.
#[derive(Debug, Default)]
pub struct Damage {
    /// The smallest mapping entries and list items that contain a syntax problem: in order, without overlap.
    entries: ThinVec<TextRange>,
    /// The lines of repeated keys, in order.
    repeated: ThinVec<TextRange>,
    /// Where an item of a list is missing, because it seems to be a part of another one: in order. These are items in which a key is
    /// repeated and others follow, and lines without a dash.
    lost_items: ThinVec<TextRange>,
    /// The documents that contain a syntax problem, in order.
    documents: ThinVec<TextRange>,
    /// The parts of a module's documents that depend on values known only at run time: in order, without overlap.
    unknown: ThinVec<TextRange>,
}

impl MostlyEmpty for Damage {
    fn empty() -> &'static Damage {
        static EMPTY: LazyLock<Damage> = LazyLock::new(Damage::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        let Damage { entries, repeated, lost_items, documents, unknown } = self;
        let parts = [entries, repeated, lost_items, documents, unknown];
        parts.into_iter().all(|part| part.is_empty())
    }
}

impl Damage {
    /// Collects the damage of a tree.
    pub(crate) fn read(tree: &Tree) -> Damage {
        let mut damage = Damage::default();
        if tree.is_built() {
            damage.unknown = unknown(tree);
        }
        if tree.problems().is_empty() {
            return damage;
        }
        let of_keys = tree.problems().iter().filter(|problem| problem.kind == ProblemKind::DuplicateKey);
        damage.repeated.extend(of_keys.flat_map(|problem| repeated_entries(tree.text(), problem)));
        damage.repeated.arrange_by_key(|part| part.start());
        damage.lost_items = lost_items(tree);
        let faults = tree.problems().iter().filter(|problem| problem.is_syntax());
        let mut faults: Vec<TextRange> = faults.map(|problem| problem.range).collect();
        let moved = tree.problems().iter().filter(|problem| problem.kind == ProblemKind::BadIndentation);
        damage.entries.extend(moved.filter_map(|problem| lines_below(tree.text(), problem.range)));
        faults.arrange_by_key(|fault| fault.start());
        let mut rest = faults.as_slice();
        for document in tree.documents() {
            let (inside, behind) = split_at_end(rest, document.range().end());
            let lacks_item = damage.lacks_item(document.range());
            if lacks_item || !inside.is_empty() {
                damage.documents.push(document.range());
                mark(document.root(), inside, None, &mut damage.entries);
            }
            rest = behind;
        }
        // An inner entry may be added before the outer entry that contains it.
        damage.entries.arrange_by_key(|part| (part.start(), Reverse(part.end())));
        damage.entries.dedup_by(|part, before| before.contains_range(*part));
        damage
    }

    /// Whether the text at `range` depends on a value that is known only at run time.
    pub(crate) fn is_unknown(&self, range: TextRange) -> bool {
        holds(&self.unknown, range.start())
    }

    /// Whether the text at `range` is inside an entry or item with a syntax problem.
    pub(crate) fn is_broken(&self, range: TextRange) -> bool {
        holds(&self.entries, range.start())
    }

    /// Whether a list in the document at `range` lacks an item, because it seems to be a part of another one.
    pub(crate) fn lacks_item(&self, range: TextRange) -> bool {
        let before = self.lost_items.partition_point(|item| item.start() < range.start());
        self.lost_items.get(before).is_some_and(|item| range.contains_range(*item))
    }

    /// Whether a finding at `range` would be a guess. `absence`: the finding reports that something is missing, so any
    /// problem in the document makes it one.
    pub(crate) fn covers(&self, range: TextRange, absence: bool) -> bool {
        self.is_broken(range)
            || holds(&self.repeated, range.start())
            || holds(&self.lost_items, range.start())
            || (absence && holds(&self.documents, range.start()))
    }
}

/// The parts of a built tree that depend on values known only at run time. If an item of a document's lists, or another
/// entry of the document, contains such a value, all its parts count, wherever they are in the text.
fn unknown(tree: &Tree) -> ThinVec<TextRange> {
    let mut found = Vec::new();
    let entries = tree.documents().filter_map(|document| document.root()?.as_mapping());
    for entry in entries.flat_map(|root| root.entries().collect::<Vec<_>>()) {
        let Some(value) = entry.value() else { continue };
        match value.as_sequence() {
            Some(list) => {
                list.items().filter_map(|item| item.node()).for_each(|item| add_unknown(item, &mut found))
            }
            None => add_unknown(value, &mut found),
        }
    }
    found.arrange_by_key(|range| range.start());
    found.dedup_by(|range, before| {
        let overlaps = range.start() <= before.end();
        if overlaps {
            *before = before.cover(*range);
        }
        overlaps
    });
    found.into()
}

/// If the node contains something unknown, adds the ranges of all its parts.
fn add_unknown(node: SyntaxNode<'_>, found: &mut Vec<TextRange>) {
    let (mut waiting, mut parts, mut is_unknown) = (vec![node], Vec::new(), false);
    while let Some(node) = waiting.pop() {
        parts.push(node.range());
        match node.value() {
            NodeValue::Mapping(mapping) => {
                waiting.extend(mapping.entries().flat_map(|entry| [entry.key(), entry.value()]).flatten());
            }
            NodeValue::Sequence(list) => waiting.extend(list.items().filter_map(|item| item.node())),
            NodeValue::Unknown => is_unknown = true,
            NodeValue::Scalar(_) | NodeValue::Alias(_) | NodeValue::Empty => {}
        }
    }
    if is_unknown {
        found.append(&mut parts);
    }
}

/// If a file has more repeated keys than this, only this many are looked at.
const REPEATED_MAX: usize = 40;

/// Where items of lists in block style are missing.
fn lost_items(tree: &Tree) -> ThinVec<TextRange> {
    let repeated = tree.problems().iter().filter(|problem| problem.kind == ProblemKind::DuplicateKey);
    let items = repeated.take(REPEATED_MAX).filter_map(|problem| {
        let location = locate(tree, problem.range.start());
        let mapping =
            tree.node(location.key()?.mapping?)?.as_mapping().filter(|mapping| !mapping.is_flow())?;
        let is_item = matches!(location.path.last(), Some(TreeStep::Item { .. }));
        let is_last = mapping.entries().last()?.key()?.range() == problem.range;
        (is_item && !is_last).then(|| mapping.range())
    });
    let no_dash = tree.problems().iter().filter(|problem| problem.kind == ProblemKind::MissingDash);
    let mut items: Vec<TextRange> = items.chain(no_dash.map(|problem| problem.range)).collect();
    items.arrange_by_key(|item| item.start());
    items.dedup();
    items.into()
}

/// In block style, the line of a repeated key, and that of its first occurrence if no value follows on that line.
fn repeated_entries(text: &str, problem: &Problem) -> impl Iterator<Item = TextRange> {
    let rest = move |key: TextRange| {
        let (before, rest) = text.split_at_checked(usize::from(key.start()))?;
        let begins_line = before.rsplit('\n').next()?.trim_matches([' ', '-']).is_empty();
        let rest = rest.lines().next().filter(|_| begins_line)?;
        Some((TextRange::at(key.start(), TextSize::of(rest)), rest.trim_end().ends_with(':')))
    };
    let first = problem.related.and_then(rest).filter(|(_, is_empty)| *is_empty);
    rest(problem.range).into_iter().chain(first).map(|(range, _)| range)
}

/// A line with a wrong indentation and the lines below it that are indented further: nobody knows where they belong.
fn lines_below(text: &str, line: TextRange) -> Option<TextRange> {
    let start = usize::from(line.start());
    let column = start - text.get(..start)?.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text.get(start..)?.split_inclusive('\n');
    let mut length = lines.next()?.len();
    let belongs =
        |line: &&str| line.trim().is_empty() || line.len() - line.trim_start_matches(' ').len() > column;
    length += lines.take_while(belongs).map(str::len).sum::<usize>();
    Some(TextRange::at(line.start(), TextSize::try_from(length).ok()?))
}

/// Whether one of `parts`, which are sorted, contains the offset.
fn holds(parts: &[TextRange], offset: TextSize) -> bool {
    let behind = parts.partition_point(|part| part.start() <= offset);
    parts[..behind].last().is_some_and(|part| part.contains_inclusive(offset))
}

/// Adds the smallest entry or item around each fault. The faults are sorted and all in or before `node`. A flow collection
/// counts as one item. A fault outside every entry takes what encloses it.
fn mark(
    node: Option<SyntaxNode<'_>>,
    faults: &[TextRange],
    enclosing: Option<TextRange>,
    parts: &mut ThinVec<TextRange>,
) {
    let children: Vec<(TextRange, Option<SyntaxNode<'_>>)> = match node.map(SyntaxNode::value) {
        Some(NodeValue::Mapping(mapping)) if !mapping.is_flow() => {
            mapping.entries().map(|entry| (entry.range(), entry.value())).collect()
        }
        Some(NodeValue::Sequence(sequence)) if !sequence.is_flow() => {
            sequence.items().map(|item| (item.range(), item.node())).collect()
        }
        _ => Vec::new(),
    };
    let mut rest = faults;
    for (position, (range, below)) in children.iter().enumerate() {
        let next = children.get(position + 1).map(|(next, _)| next.start());
        let until = next.map_or(range.end(), |next| range.end().min(next));
        let before = rest.partition_point(|fault| fault.start() < range.start());
        let (outside, from_here) = rest.split_at(before);
        parts.extend(outside.iter().map(|fault| enclosing.unwrap_or(*fault)));
        let (inside, behind) = match next {
            Some(next) if next <= range.end() => {
                from_here.split_at(from_here.partition_point(|fault| fault.start() < next))
            }
            _ => split_at_end(from_here, until),
        };
        if !inside.is_empty() {
            mark(*below, inside, Some(*range), parts);
        }
        rest = behind;
    }
    parts.extend(rest.iter().map(|fault| enclosing.unwrap_or(*fault)));
}

/// Splits the faults into those that begin at or before `end`, and the others.
fn split_at_end(faults: &[TextRange], end: TextSize) -> (&[TextRange], &[TextRange]) {
    faults.split_at(faults.partition_point(|fault| fault.start() <= end))
}
