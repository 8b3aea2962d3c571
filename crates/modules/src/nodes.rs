//! The nodes of a syntax tree in one list: what the reader asks of a node again and again (its kind, its parts, what is around it) is
//! a look into the list.
//!
//! Input: a tree of the parser. Output: the same nodes with the same kinds, fields and places. Invariant: one walk over the tree; the
//! nodes below a node follow it.

use std::fmt;
use std::ops::Range;
use std::sync::OnceLock;

use nodewise_syntax::TextRange;
use tree_sitter::{Language, Tree, TreeCursor};

/// The name that the parser gives to text that it cannot read.
const BROKEN: &str = "ERROR";
/// The kind number of such a part.
const BROKEN_KIND: u16 = u16::MAX;
/// Stands for "no node" in numbers of nodes.
const NOTHING: u32 = u32::MAX;

/// The names in a grammar.
pub(crate) struct Words {
    /// The names of node kinds, by number.
    kinds: Vec<&'static str>,
    /// The names of fields, by number.
    fields: Vec<&'static str>,
}

/// The nodes of a syntax tree in a flat list, each before the nodes below it. Reading it is much faster than walking the
/// tree again.
pub(crate) struct Nodes {
    list: Vec<Record>,
    words: &'static Words,
}

/// A node in the flat list.
struct Record {
    start: u32,
    end: u32,
    parent: u32,
    /// The number of the next node that is not below this one.
    behind: u32,
    kind: u16,
    field: u16,
    is_named: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Node<'t> {
    nodes: &'t Nodes,
    number: u32,
}

impl Words {
    /// The names in a grammar. Collected only once, in `known`.
    pub(crate) fn of(language: &Language, known: &'static OnceLock<Words>) -> &'static Words {
        known.get_or_init(|| {
            let kind = |number: usize| language.node_kind_for_id(u16::try_from(number).ok()?);
            let field = |number: usize| language.field_name_for_id(u16::try_from(number).ok()?);
            Words {
                kinds: (0..language.node_kind_count()).map(|number| kind(number).unwrap_or(BROKEN)).collect(),
                // Field numbers begin at 1.
                fields: (0..=language.field_count())
                    .map(|number| field(number).unwrap_or_default())
                    .collect(),
            }
        })
    }
}

impl Nodes {
    pub(crate) fn new(tree: &Tree, words: &'static Words) -> Nodes {
        let list = Vec::with_capacity(tree.root_node().descendant_count());
        let mut nodes = Nodes { list, words };
        nodes.read(tree, |_, _| false);
        nodes
    }

    /// The nodes of a tree that differs little from a known one. Nodes of unchanged statements are copied instead of read
    /// again. `before` returns where a range of the text was before the change, if its text did not change.
    pub(crate) fn updated(
        tree: &Tree,
        known: &Nodes,
        before: impl Fn(&Range<usize>) -> Option<Range<usize>>,
    ) -> Nodes {
        let mut nodes =
            Nodes { list: Vec::with_capacity(known.list.len() + known.list.len() / 8), words: known.words };
        let mut statements = known.top().peekable();
        nodes.read(tree, |list, new| {
            let Some(old) = before(&(new.start as usize..new.end as usize)) else { return false };
            while statements.next_if(|statement| statement.start_byte() < old.start).is_some() {}
            let is_it =
                |statement: &Node<'_>| statement.byte_range() == old && statement.record().kind == new.kind;
            let Some(statement) = statements.next_if(is_it) else { return false };
            list.extend(statement.moved(new.start, count(list)));
            true
        });
        nodes
    }

    /// Walks the tree and adds its nodes. `copies` may add the nodes of a whole statement by itself and return `true`.
    fn read(&mut self, tree: &Tree, mut copies: impl FnMut(&mut Vec<Record>, &Record) -> bool) {
        let list = &mut self.list;
        let mut cursor = tree.walk();
        let mut parent = NOTHING;
        loop {
            let number = count(list);
            let is_broken = list.get(parent as usize).is_some_and(|record| record.kind == BROKEN_KIND);
            let record = Record::new(&cursor, parent, is_broken);
            let is_copied = parent == 0 && copies(list, &record);
            if !is_copied {
                list.push(record);
                if cursor.goto_first_child() {
                    parent = number;
                    continue;
                }
                close(list, number);
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                close(list, parent);
                parent = list.get(parent as usize).map_or(NOTHING, |record| record.parent);
            }
        }
    }

    /// The top-level statements of the module.
    fn top(&self) -> impl Iterator<Item = Node<'_>> {
        Node { nodes: self, number: 0 }.children()
    }

    /// All nodes, each before the nodes below it.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Node<'_>> {
        (0..count(&self.list)).map(|number| Node { nodes: self, number })
    }

    fn word<'w>(words: &'w [&'static str], number: u16, other: &'static str) -> &'w str {
        words.get(usize::from(number)).copied().unwrap_or(other)
    }
}

fn count(list: &[Record]) -> u32 {
    u32::try_from(list.len()).unwrap_or(NOTHING)
}

/// Records that a node has no more nodes below it.
fn close(list: &mut [Record], number: u32) {
    let behind = count(list);
    if let Some(record) = list.get_mut(number as usize) {
        record.behind = behind;
    }
}

impl Record {
    /// The record of the node at a cursor. Inside broken text, nodes get no field, because the parser guesses there.
    fn new(cursor: &TreeCursor<'_>, parent: u32, is_broken: bool) -> Record {
        let node = cursor.node();
        let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Record {
            start: offset(node.start_byte()),
            end: offset(node.end_byte()),
            parent,
            behind: NOTHING,
            kind: node.kind_id(),
            field: cursor.field_id().filter(|_| !is_broken).map_or(0, u16::from),
            is_named: node.is_named(),
        }
    }
}

impl<'t> Node<'t> {
    /// The records of this statement and all nodes below it, moved to a new position in the text and in the list.
    fn moved(self, start: u32, number: u32) -> impl Iterator<Item = Record> {
        // The difference may be negative: wrapping arithmetic handles that.
        let by = start.wrapping_sub(self.record().start);
        let by_number = number.wrapping_sub(self.number);
        let first = self.number;
        let below = self.nodes.list.get(first as usize..self.record().behind as usize).unwrap_or_default();
        below.iter().map(move |record| Record {
            start: record.start.wrapping_add(by),
            end: record.end.wrapping_add(by),
            parent: if record.parent < first { record.parent } else { record.parent.wrapping_add(by_number) },
            behind: record.behind.wrapping_add(by_number),
            ..*record
        })
    }

    fn record(self) -> &'t Record {
        const NONE: &Record = &Record {
            start: 0,
            end: 0,
            parent: NOTHING,
            behind: 0,
            kind: u16::MAX,
            field: 0,
            is_named: false,
        };
        self.nodes.list.get(self.number as usize).unwrap_or(NONE)
    }

    fn at(self, number: u32) -> Node<'t> {
        Node { number, ..self }
    }

    /// The kind of the node, as the grammar names it.
    pub(crate) fn kind(self) -> &'static str {
        Nodes::word(&self.nodes.words.kinds, self.record().kind, BROKEN)
    }

    /// Whether the node is more than a keyword or punctuation.
    pub(crate) fn is_named(self) -> bool {
        self.record().is_named
    }

    /// The number of the node in the list.
    pub(crate) fn id(self) -> usize {
        self.number as usize
    }

    pub(crate) fn start_byte(self) -> usize {
        self.record().start as usize
    }

    pub(crate) fn end_byte(self) -> usize {
        self.record().end as usize
    }

    pub(crate) fn byte_range(self) -> Range<usize> {
        self.start_byte()..self.end_byte()
    }

    pub(crate) fn range(self) -> TextRange {
        span(self.start_byte(), self.end_byte())
    }

    /// The node around it.
    pub(crate) fn parent(self) -> Option<Node<'t>> {
        let parent = self.record().parent;
        (parent != NOTHING).then(|| self.at(parent))
    }

    /// The direct children, including keywords and punctuation.
    pub(crate) fn children(self) -> impl Iterator<Item = Node<'t>> {
        let end = self.record().behind;
        let mut next = self.number + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then(|| self.at(next))?;
            next = child.record().behind;
            Some(child)
        })
    }

    /// The direct child with a field name of the grammar.
    pub(crate) fn child(self, field: &str) -> Option<Node<'t>> {
        self.children().find(|child| Nodes::word(&self.nodes.words.fields, child.record().field, "") == field)
    }
}

/// The range between two byte offsets.
pub(crate) fn span(start: usize, end: usize) -> TextRange {
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    TextRange::new(offset(start).into(), offset(end.max(start)).into())
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number && std::ptr::eq(self.nodes, other.nodes)
    }
}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let role = Nodes::word(&self.nodes.words.fields, self.record().field, "");
        write!(out, "{role} {} {:?}", self.kind(), self.byte_range())
    }
}

impl fmt::Debug for Nodes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Trees;
    use crate::source::Source;

    /// Compares a node with that of the parser, and those below.
    fn check_node(ours: Node<'_>, theirs: tree_sitter::Node<'_>) {
        let at = format!("{ours:?}");
        assert_eq!(ours.kind(), theirs.kind(), "{at}");
        assert_eq!(ours.is_named(), theirs.is_named(), "{at}");
        assert_eq!(ours.byte_range(), theirs.byte_range(), "{at}");
        assert_eq!(
            ours.parent().map(Node::byte_range),
            theirs.parent().map(|node| node.byte_range()),
            "{at}"
        );
        for field in &ours.nodes.words.fields[1..] {
            let wanted = theirs.child_by_field_name(field).map(|node| (node.kind(), node.byte_range()));
            let found = ours.child(field).map(|node| (node.kind(), node.byte_range()));
            assert_eq!(found, wanted, "`{field}` of {at}");
        }
        let mut cursor = theirs.walk();
        let below: Vec<_> = theirs.children(&mut cursor).collect();
        assert_eq!(ours.children().count(), below.len(), "{at}");
        ours.children().zip(below).for_each(|(ours, theirs)| check_node(ours, theirs));
    }

    fn check_nodes(path: &str, text: &str) {
        let trees = Trees::default();
        let source = Source::parse(path, &text.into(), Some(&trees)).unwrap();
        let tree = trees.find(path).unwrap().tree;
        check_node(source.nodes.iter().next().unwrap(), tree.root_node());
    }

    const TEXT: &str = "import a, { b as c } from 'p'; import * as n from \"q\";\n\
        export const x: T = node({ id: `a${1}b`, 'k': [...y, ,], [z]: (q?.r!) as const, f() {}, get g() { return 1; } });\n\
        export default class K<T> extends L { static #p = 1; async *m(a = 1, { b, c: [d] }, ...rest) { yield* a; } }\n\
        enum E { A = 'a', B } // end\nfor (const [i, j] of k) { if (!i) delete j.l; else i ||= j ?? -1; }\n\
        const t = a ? b : c, u = new M<T>(1).n(2)[3], v = <T,>(w: T): w is T => w satisfies B;\n\
        async function g(this: X, o?: { p: 1 }) { try { await h } catch (e) { } finally { } switch (1) { case 2: } }\n\
        export * as ns from './m'; export { x as default, y }; type Q = { [K in keyof T]?: `${K}` }; declare module 'm' {}\n";

    #[test]
    fn nodes_are_those_of_the_parser() {
        check_nodes("m.ts", TEXT);
        check_nodes("m.tsx", &format!("{TEXT}const e = <A b=\"c\" {{...d}}>text {{f}}<G.H /></A>;\n"));
    }

    #[test]
    fn nodes_of_broken_texts_are_those_of_the_parser() {
        for end in (0..TEXT.len()).step_by(7) {
            check_nodes("m.ts", &TEXT[..end]);
            check_nodes("m.tsx", &TEXT[end..]);
        }
    }
}
