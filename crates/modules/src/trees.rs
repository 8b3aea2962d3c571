//! The trees of the modules that were read last: reading one of them again after an edit costs what changed.
//!
//! Input: trees with their texts. Output: the tree of a path, with the difference to another text marked. Invariant: what is
//! remembered has no effect on what a text means.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tree_sitter::{InputEdit, Point, Tree};

use crate::nodes::Nodes;

/// The number of trees that are kept. A tree is many times as large as its text.
const KEPT_MAX: usize = 8;

/// The syntax trees of the modules that were parsed last. Makes parsing after a small change fast.
#[derive(Debug, Default)]
pub struct Trees(Mutex<Vec<KnownTree>>);

/// A parsed module with its text.
#[derive(Debug, Clone)]
pub(crate) struct KnownTree {
    pub(crate) path: String,
    pub(crate) text: Arc<str>,
    pub(crate) tree: Tree,
    pub(crate) nodes: Arc<Nodes>,
}

/// The range in which two texts differ.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Difference {
    start: usize,
    old_end: usize,
    new_end: usize,
}

impl Trees {
    /// The tree that was last kept for a path.
    pub(crate) fn find(&self, path: &str) -> Option<KnownTree> {
        self.lock().iter().find(|known| known.path == path).cloned()
    }

    /// Keeps a tree. If there are too many, drops the one that was kept first.
    pub(crate) fn keep(&self, new: KnownTree) {
        let mut trees = self.lock();
        trees.retain(|known| known.path != new.path);
        if trees.len() >= KEPT_MAX {
            trees.remove(0);
        }
        trees.push(new);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<KnownTree>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownTree {
    /// The range in which `text` differs from the known text.
    pub(crate) fn difference(&self, text: &str) -> Difference {
        let (old, new) = (self.text.as_bytes(), text.as_bytes());
        let same = |(one, other): &(&u8, &u8)| one == other;
        let start = old.iter().zip(new).take_while(same).count();
        let rest = old.len().min(new.len()) - start;
        let end = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(same).count();
        Difference { start, old_end: old.len() - end, new_end: new.len() - end }
    }

    /// The tree with the changed range marked, for the parser.
    pub(crate) fn edited(&self, difference: &Difference, text: &str) -> Tree {
        let Difference { start, old_end, new_end } = *difference;
        let (old, new) = (self.text.as_bytes(), text.as_bytes());
        let mut tree = self.tree.clone();
        tree.edit(&InputEdit {
            start_byte: start,
            old_end_byte: old_end,
            new_end_byte: new_end,
            start_position: point(old, start),
            old_end_position: point(old, old_end),
            new_end_position: point(new, new_end),
        });
        tree
    }
}

impl Difference {
    /// Where a range of the new text was in the old text. `None` if it overlaps or touches the difference.
    pub(crate) fn before(&self, part: &Range<usize>) -> Option<Range<usize>> {
        if part.end < self.start {
            return Some(part.clone());
        }
        let moved = |offset: usize| offset - self.new_end + self.old_end;
        (part.start > self.new_end).then(|| moved(part.start)..moved(part.end))
    }
}

/// The position of an offset: its line, and the byte column in the line, from 0.
fn point(text: &[u8], offset: usize) -> Point {
    let before = text.get(..offset).unwrap_or_default();
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    Point::new(memchr::memchr_iter(b'\n', before).count(), column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    /// Every node with its place, its role and the node around it.
    fn nodes(source: &Source) -> Vec<String> {
        source.nodes.iter().map(|node| format!("{node:?} in {:?}", node.parent())).collect()
    }

    #[test]
    fn a_text_has_the_same_tree_whatever_was_read_before() {
        const TEXT: &str = "import { node } from 'p';\nconst b = 1, c = [2];\nfunction d() {}\nconst a = node({ id: `a${1}`, reads: ['ä', ...x].map((y) => y) });\n\
            // end\nexport const b = <T,>(c: T): c is T => a satisfies B;\n";
        let pieces =
            ["", "x", "'", "`", "{", "}", "(", ")", ";", "/", "\n", " ", "ö", ", ", "const c = 1;\n"];
        let trees = Trees::default();
        let mut whole = 0;
        for (number, (at, _)) in TEXT.char_indices().enumerate() {
            for piece in [pieces[number % pieces.len()], pieces[(number * 7 + 1) % pieces.len()]] {
                let rest = TEXT[at..].chars().skip(number % 3).collect::<String>();
                let text: Arc<str> = format!("{}{piece}{rest}", &TEXT[..at]).into();
                let fresh = Source::parse("m.ts", &text, None).unwrap();
                let again = Source::parse("m.ts", &text, Some(&trees)).unwrap();
                whole += usize::from(!trees.find("m.ts").unwrap().tree.root_node().has_error());
                assert_eq!(nodes(&fresh), nodes(&again), "{text}");
            }
        }
        assert!(whole > 20, "{whole}");
    }

    #[test]
    fn only_the_last_trees_are_kept() {
        let trees = Trees::default();
        for number in 0..2 * KEPT_MAX {
            Source::parse(&format!("{number}.ts"), &"x".into(), Some(&trees));
        }
        assert_eq!(trees.lock().len(), KEPT_MAX);
        assert!(trees.find("0.ts").is_none() && trees.find(&format!("{}.ts", 2 * KEPT_MAX - 1)).is_some());
    }
}
