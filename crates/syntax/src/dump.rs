//! The whole tree as text, for tests and for people who look under the bonnet.
//!
//! Input: a tree. Output: one line an event, indented by depth, with byte ranges. Invariant: every byte of the
//! text appears in one line.

use crate::node::Children;
use crate::tree::Tree;

/// Writes the tree.
pub fn tree_text(tree: &Tree) -> String {
    let mut text = String::new();
    let mut open = vec![Children::new(tree.events(), 0, tree.events().len())];
    while let Some(children) = open.last_mut() {
        let Some((index, event)) = children.next() else {
            open.pop();
            continue;
        };
        let depth = open.len() - 1;
        text.extend(std::iter::repeat_n("  ", depth));
        if event.kind.is_construct() {
            text.push_str(&format!("{:?} {}..{}\n", event.kind, event.start, tree.end_of(index)));
            open.push(Children::of(tree, index));
        } else {
            let token = tree.slice(event.start, event.end);
            text.push_str(&format!("{:?} {}..{} {token:?}\n", event.kind, event.start, event.end));
        }
    }
    text
}
