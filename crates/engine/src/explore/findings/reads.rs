//! Keys that are read before anything has written them, though something may. In: transitions and who reads and writes;
//! out: findings of the main graph. Invariant: a visit of a node that may write a key counts as a write of it.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::Ground;
use crate::explore::guide::Outline;
use crate::explore::view::Sign;
use crate::explore::{Finding, FindingKind};

pub(super) fn findings(ground: &Ground<'_>) -> Vec<Finding> {
    let Some(main) = ground.guide.outlines().first() else { return Vec::new() };
    let read: BTreeSet<&SmolStr> =
        main.nodes.iter().flat_map(|node| node.reads.iter().chain(&node.tests)).collect();
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for key in read.into_iter().filter(|key| !main.given.contains(*key)) {
        found.extend(of_key(ground, main, key));
    }
    found.sort_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// Who does what with a key.
#[derive(Default)]
struct Users<'m> {
    graph: &'m str,
    /// For each node that reads it, whether its work does, and whether conditions of its edges do.
    readers: FxHashMap<&'m SmolStr, (bool, bool)>,
    writers: FxHashSet<&'m SmolStr>,
}

impl<'m> Users<'m> {
    fn of(key: &SmolStr, main: &'m Outline) -> Users<'m> {
        let mut users = Users { graph: &main.id, ..Users::default() };
        for node in &main.nodes {
            let writes = node.writes.contains(key);
            // A node that reads what it writes itself begins with nothing on purpose.
            let reads = node.reads.contains(key) && !writes;
            let tests = node.tests.contains(key);
            if writes {
                users.writers.insert(&node.id);
            }
            if reads || tests {
                users.readers.insert(&node.id, (reads, tests));
            }
        }
        users
    }

    fn is_write(&self, sign: &Sign) -> bool {
        matches!(sign, Sign::Ended(at) if at.graph == self.graph && self.writers.contains(&at.node))
    }

    /// The nodes that read before the first write, and whether conditions of their edges do so.
    fn reads_before<'s>(&'s self, signs: &'s [Sign]) -> impl Iterator<Item = (&'s SmolStr, bool)> {
        signs.iter().take_while(|sign| !self.is_write(sign)).filter_map(|sign| {
            let (at, leaves) = match sign {
                Sign::Began(at) => (at, false),
                Sign::Ended(at) => (at, true),
                _ => return None,
            };
            let (reads, tests) = self.readers.get(&at.node).filter(|_| at.graph == self.graph)?;
            let is_read = if leaves { *tests } else { *reads };
            is_read.then_some((&at.node, leaves))
        })
    }
}

/// The first reads of a key on ways without a write of it, one for each node.
fn of_key(ground: &Ground<'_>, main: &Outline, key: &SmolStr) -> Vec<(usize, Finding)> {
    let users = Users::of(key, main);
    if users.writers.is_empty() {
        return Vec::new();
    }
    let mut early: Vec<(usize, SmolStr, bool)> = Vec::new();
    let reached = ground.paths.spread(|position, transition| {
        if transition.is_fault {
            return false;
        }
        for (node, by_condition) in users.reads_before(&transition.signs) {
            if early.iter().all(|(_, known, _)| known != node) {
                early.push((position, node.clone(), by_condition));
            }
        }
        !transition.signs.iter().any(|sign| users.is_write(sign))
    });
    let finding = |(position, node, by_condition): (usize, SmolStr, bool)| {
        let witness = ground.paths.witness(&ground.paths.way(&reached, position));
        let witness = ground
            .checked(witness, |signs, _, _| users.reads_before(signs).any(|(reader, _)| *reader == node));
        let kind = FindingKind::ReadBeforeWrite { node, key: key.clone(), by_condition };
        (position, Finding { kind, graph: main.id.clone(), witness })
    };
    early.into_iter().map(finding).collect()
}
