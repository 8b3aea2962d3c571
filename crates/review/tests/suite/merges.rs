//! Merges: what both sides changed is in the result, whoever merges whom; what contradicts itself is a conflict.

use nodewise_review::merge::{MergeOutcome, merge};
use nodewise_review::text::text;

use crate::corpora::{TestFile, compared, projects};
use crate::edits::{edited, edits};

const BASE: &str = "\
# The desk.
id: desk
name: desk
description: Answers.
nodes:
  - {id: draft, type: agent, agent_id: writer, read_keys: [question], write_keys: [answer]}  # writes
  - {id: send, type: tool, tool_id: mail, tools: [mail], read_keys: [answer]}
edges:
  - {source: draft, target: send}
start_node: draft
end_nodes: [send]
";

/// The graph with a change: what is replaced by what.
fn with(changes: &[(&str, &str)]) -> String {
    let mut text = BASE.to_owned();
    for (old, new) in changes {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

/// Two changed graphs, and what becomes of both changes.
#[track_caller]
fn check_merged(ours: &[(&str, &str)], theirs: &[(&str, &str)], both: &[(&str, &str)]) {
    let found = merge("g.yaml", BASE, &with(ours), &with(theirs));
    let MergeOutcome::Merged(merged) = &found else { panic!("{found:?}") };
    assert_eq!(*merged, with(both));
}

/// Two changed graphs that cannot be merged: where, and why.
#[track_caller]
fn check_conflict(ours: &[(&str, &str)], theirs: &[(&str, &str)], expected: &str) {
    let MergeOutcome::Conflicts(found) = merge("g.yaml", BASE, &with(ours), &with(theirs)) else {
        panic!("merged")
    };
    let found: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.message)).collect();
    assert_eq!(found.join("\n"), expected);
}

#[test]
fn changes_of_different_parts_are_merged_into_our_text() {
    let renamed = ("description: Answers.", "description: Answers questions.");
    let tool = ("tool_id: mail", "tool_id: post");
    check_merged(&[renamed], &[tool], &[renamed, tool]);
    check_merged(&[tool], &[renamed], &[renamed, tool]);
    check_merged(&[tool], &[tool], &[tool]);
    // Two fields of one node.
    check_merged(&[tool], &[("tools: [mail]", "tools: [post]")], &[tool, ("tools: [mail]", "tools: [post]")]);
    // A new node with its edge beside a changed node.
    let node = (
        "  - {id: send, type",
        "  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [answer]}\n  - {id: send, type",
    );
    let edge = (
        "  - {source: draft, target: send}",
        "  - {source: draft, target: rate}\n  - {source: rate, target: send}",
    );
    check_merged(
        &[("# The desk.", "# Our desk."), tool],
        &[node, edge],
        &[("# The desk.", "# Our desk."), tool, node, edge],
    );
    // Words of a list whose order means nothing.
    check_merged(
        &[("write_keys: [answer]", "write_keys: [answer, sources]")],
        &[("write_keys: [answer]", "write_keys: [answer, tone]")],
        &[("write_keys: [answer]", "write_keys: [answer, sources, tone]")],
    );
    // Layout is ours.
    check_merged(
        &[("  # writes", "")],
        &[("{id: draft, type: agent,", "{type: agent, id: draft,"), tool],
        &[("  # writes", ""), tool],
    );
}

#[test]
fn what_contradicts_itself_is_a_conflict() {
    check_conflict(
        &[("tool_id: mail", "tool_id: post")],
        &[("tool_id: mail", "tool_id: fax")],
        "nodes.send.tool_id: both sides changed it, each in another way",
    );
    let without = [
        ("  - {id: send, type: tool, tool_id: mail, tools: [mail], read_keys: [answer]}\n", ""),
        ("edges:\n  - {source: draft, target: send}\n", "edges: []\n"),
        ("end_nodes: [send]", "end_nodes: [draft]"),
    ];
    check_conflict(
        &without,
        &[("tool_id: mail", "tool_id: fax")],
        "nodes.send: one side removed it, and the other changed it",
    );
    // Each is fine alone; together an edge leads from a node that is gone.
    let back = (
        "  - {source: draft, target: send}",
        "  - {source: draft, target: send}\n  - {source: send, target: draft}",
    );
    check_conflict(
        &without,
        &[back],
        ": together, the changes of both sides have an error: no node has the id `send`",
    );
    assert!(matches!(merge("g.yaml", "a: [", "b: 1", "c: 1"), MergeOutcome::Unreadable(_)));
    assert!(matches!(merge("g.yaml", "a: 1", "b: 1", "c: 1"), MergeOutcome::Unreadable(_)));
}

#[test]
fn merges_of_single_edits_commute_and_apply_both() {
    let (mut merged, mut conflicts, mut faults) = (0, 0, Vec::new());
    for files in projects() {
        let all = edits(&files);
        for (number, pair) in all.windows(4).enumerate().filter(|(number, _)| number % 7 == 0) {
            let [one, .., other] = pair else { continue };
            if one.file != other.file {
                continue;
            }
            let (path, base) = &files[one.file];
            let side = |edit| edited(&files, edit)[one.file].1.clone();
            let (ours, theirs) = (side(one), side(other));
            // The other side alone: the diff, applied, gives the other version.
            let alone = merge(path, base, &format!("# ours\n{base}"), &theirs);
            let (found, mirrored) = (merge(path, base, &ours, &theirs), merge(path, base, &theirs, &ours));
            match (&found, &mirrored) {
                (MergeOutcome::Merged(found), MergeOutcome::Merged(mirrored)) => {
                    merged += 1;
                    let same = compared(&file_of(path, found), &file_of(path, mirrored));
                    let from_ours = compared(&file_of(path, &ours), &file_of(path, found));
                    let from_base = compared(&file_of(path, base), &file_of(path, &theirs));
                    if !same.is_empty() || from_ours.len() != from_base.len() {
                        faults.push(format!(
                            "{path} {number}: {} {}\n{}",
                            u32::from(one.at.range.start()),
                            found,
                            text(&from_ours)
                        ));
                    }
                }
                (MergeOutcome::Conflicts(_), MergeOutcome::Conflicts(_)) => conflicts += 1,
                (MergeOutcome::Unreadable(_), MergeOutcome::Unreadable(_)) => {}
                _ => faults.push(format!("{path} {number}: {found:?} {mirrored:?}")),
            }
            if let MergeOutcome::Merged(alone) = &alone {
                let rest = compared(&file_of(path, alone), &file_of(path, &theirs));
                if !rest.is_empty() || !alone.starts_with("# ours\n") {
                    faults.push(format!("{path} {number}: applied alone\n{}", text(&rest)));
                }
            }
        }
    }
    assert!(merged >= 100, "{merged} merges, {conflicts} conflicts");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn file_of(path: &str, text: &str) -> Vec<TestFile> {
    vec![(path.to_owned(), text.to_owned())]
}
