//! Keys that are read before anything has written them, though something may. In: transitions and who reads and writes;
//! out: findings of the main graph. Invariant: a visit of a node that may write a key counts as a write of it.

use std::collections::BTreeSet;

use smol_str::SmolStr;

use super::{Ground, began};
use crate::explore::guide::Outline;
use crate::explore::view::Sign;
use crate::explore::{Finding, FindingKind};

pub(super) fn findings(ground: &Ground<'_>) -> Vec<Finding> {
    let Some(main) = ground.guide.outlines().first() else { return Vec::new() };
    let read: BTreeSet<&SmolStr> =
        main.nodes.iter().flat_map(|node| node.reads.iter().chain(&node.tests)).collect();
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for key in read.into_iter().filter(|key| !main.given.contains(*key)) {
        let writers: BTreeSet<&SmolStr> =
            main.nodes.iter().filter(|node| node.writes.contains(key)).map(|node| &node.id).collect();
        if !writers.is_empty() {
            found.extend(of_key(ground, main, key, &writers));
        }
    }
    found.sort_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// The first reads of a key on ways without a write of it, one for each node.
fn of_key(
    ground: &Ground<'_>,
    main: &Outline,
    key: &SmolStr,
    writers: &BTreeSet<&SmolStr>,
) -> Vec<(usize, Finding)> {
    let mut early: Vec<(usize, SmolStr, bool)> = Vec::new();
    let reached = ground.paths.spread(|position, transition| {
        if transition.is_fault {
            return false;
        }
        for (node, by_condition) in reads_before(&transition.signs, main, key, writers) {
            if early.iter().all(|(_, known, _)| *known != node) {
                early.push((position, node, by_condition));
            }
        }
        !transition.signs.iter().any(|sign| is_write(sign, main, writers))
    });
    let finding = |(position, node, by_condition): (usize, SmolStr, bool)| {
        let witness = ground.paths.witness(&ground.paths.way(&reached, position));
        let witness = ground.checked(witness, |signs, _, _| {
            reads_before(signs, main, key, writers).iter().any(|(reader, _)| *reader == node)
        });
        let kind = FindingKind::ReadBeforeWrite { node, key: key.clone(), by_condition };
        (position, Finding { kind, graph: main.id.clone(), witness })
    };
    early.into_iter().map(finding).collect()
}

/// The nodes that read a key before the first write of it, and whether conditions of their edges do so.
fn reads_before(
    signs: &[Sign],
    main: &Outline,
    key: &SmolStr,
    writers: &BTreeSet<&SmolStr>,
) -> Vec<(SmolStr, bool)> {
    let mut found = Vec::new();
    for sign in signs {
        if is_write(sign, main, writers) {
            break;
        }
        for node in &main.nodes {
            let begins = began(sign, &main.id, &node.id) && node.reads.contains(key);
            let leaves = matches!(sign, Sign::Ended(at) if at.graph == main.id && at.node == node.id)
                && node.tests.contains(key);
            // A node that reads what it writes itself begins with nothing on purpose.
            if (begins && !writers.contains(&node.id)) || leaves {
                found.push((node.id.clone(), leaves));
            }
        }
    }
    found
}

fn is_write(sign: &Sign, main: &Outline, writers: &BTreeSet<&SmolStr>) -> bool {
    matches!(sign, Sign::Ended(at) if at.graph == main.id && writers.contains(&at.node))
}
