//! Merges where a side renamed a node: both sides' meaning is kept under the new name, or the reason is given in words.

use nodewise_review::change::PartChangeKind;
use nodewise_review::merge::{MergeOutcome, merge};
use nodewise_review::text::text;

use crate::corpora::{TestFile, compared, projects, snapshot};
use crate::edits::{edited, edits};

const DESK: &str = "\
# The desk.
id: desk
name: desk
description: Answers.
nodes:
  - {id: draft, type: agent, agent_id: writer, read_keys: [question], write_keys: [answer]}  # writes
  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [answer]}
  - {id: send, type: tool, tool_id: mail, tools: [mail], read_keys: [answer, rate_result]}
edges:
  - {source: draft, target: rate}
  - {source: rate, target: send, condition: {type: conditional, condition: memory.rate_result > 5}}
  - {source: rate, target: draft}
start_node: draft
end_nodes: [send]
";

const LIMAN: &str = "\
kind: LLMNode
name: desk
prompts: {system: {en: Help.}}
tools: [find]
nodes:
  - {target: close, when: done}
---
kind: ToolNode
name: find
description: {en: Finds.}
func: desk.find
---
kind: FunctionNode
name: close
func: desk.close
";

/// So many nodes of a file are renamed, one after the other.
const RENAMES_OF_FILE: usize = 3;

/// What is replaced by what.
type Replacements<'r> = &'r [(&'r str, &'r str)];

/// The graph with a change.
fn with(base: &str, changes: Replacements<'_>) -> String {
    changes.iter().fold(base.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// Two changes of a text, and what becomes of both, in the layout of either side.
#[track_caller]
fn check_merged(base: &str, ours: Replacements<'_>, theirs: Replacements<'_>, both: Replacements<'_>) {
    let (ours, theirs) = (with(base, ours), with(base, theirs));
    let found = merge("g.yaml", base, &ours, &theirs);
    let MergeOutcome::Merged(merged) = &found else { panic!("{found:?}") };
    let expected = with(base, both);
    assert!(*merged == expected, "{merged}\nexpected:\n{expected}");
    let mirrored = merge("g.yaml", base, &theirs, &ours);
    let MergeOutcome::Merged(mirrored) = &mirrored else { panic!("{mirrored:?}") };
    let rest = compared(&file_of("g.yaml", merged), &file_of("g.yaml", mirrored));
    assert!(rest.is_empty(), "{}", text(&rest));
}

/// Two changes that cannot be merged: where, and why, whoever merges whom.
#[track_caller]
fn check_conflict(base: &str, ours: Replacements<'_>, theirs: Replacements<'_>, expected: &str) {
    let (ours, theirs) = (with(base, ours), with(base, theirs));
    for (ours, theirs) in [(&ours, &theirs), (&theirs, &ours)] {
        let found = merge("g.yaml", base, ours, theirs);
        let MergeOutcome::Conflicts(found) = found else { panic!("{found:?}") };
        let found: Vec<String> = found.iter().map(|one| format!("{}: {}", one.path, one.message)).collect();
        assert_eq!(found.join("\n"), expected);
    }
}

/// The node `rate` under another name, wherever it is named.
const JUDGE: Replacements<'_> = &[
    ("{id: rate,", "{id: judge,"),
    ("target: rate}", "target: judge}"),
    ("source: rate,", "source: judge,"),
    ("rate_result", "judge_result"),
];

#[test]
fn a_change_of_the_renamed_node_is_kept() {
    let tool = ("tool_id: rate, tools: [rate]", "tool_id: score, tools: [score]");
    check_merged(DESK, JUDGE, &[tool], &[JUDGE, &[tool]].concat());
    check_merged(DESK, &[tool], JUDGE, &[JUDGE, &[tool]].concat());
    // A condition that reads what is named after the node.
    let limit = ("memory.rate_result > 5", "memory.rate_result > 7 and memory.rate_result < 9");
    let both = [&[limit], JUDGE].concat();
    check_merged(DESK, JUDGE, &[limit], &both);
    check_merged(DESK, &[limit], JUDGE, &both);
    check_merged(DESK, JUDGE, JUDGE, JUDGE);
}

#[test]
fn a_new_edge_to_the_renamed_node_is_kept() {
    let edge = (
        "  - {source: rate, target: draft}\n",
        "  - {source: rate, target: draft}\n  - {source: send, target: rate, condition: {type: conditional, condition: \"memory.rate_result < 2\"}}\n",
    );
    let both = [(
        "target: draft}\n",
        "target: draft}\n  - {source: send, target: rate, condition: {type: conditional, condition: memory.judge_result < 2}}\n",
    )];
    let both = [&both, JUDGE, &[("send, target: rate,", "send, target: judge,")]].concat();
    check_merged(DESK, JUDGE, &[edge], &both);
}

#[test]
fn renames_of_different_nodes_are_kept() {
    let post: Replacements<'_> = &[
        ("{id: send,", "{id: post,"),
        ("target: send,", "target: post,"),
        ("end_nodes: [send]", "end_nodes: [post]"),
    ];
    check_merged(DESK, JUDGE, post, &[JUDGE, post].concat());
}

#[test]
fn declarations_that_are_nodes_are_renamed_too() {
    let search: Replacements<'_> = &[("name: find", "name: search"), ("tools: [find]", "tools: [search]")];
    let words: Replacements<'_> = &[("Finds.", "Finds orders.")];
    check_merged(LIMAN, search, words, &[search, words].concat());
    check_merged(LIMAN, words, search, &[search, words].concat());
    let more: Replacements<'_> = &[(
        "---\nkind: FunctionNode",
        "---\nkind: LLMNode\nname: other\nprompts: {system: {en: Help.}}\ntools: [find]\n---\nkind: FunctionNode",
    )];
    let last: Replacements<'_> = &[(
        "func: desk.close\n",
        "func: desk.close\n---\nkind: LLMNode\nname: other\nprompts: {system: {en: Help.}}\ntools: [find]\n",
    )];
    // A document in front of others is not merged, whatever was renamed.
    check_conflict(LIMAN, search, more, ": a document was added in front, removed or renamed");
    let both = [last, search].concat();
    let (ours, theirs) = (with(LIMAN, search), with(LIMAN, last));
    let MergeOutcome::Merged(merged) = merge("g.yaml", LIMAN, &ours, &theirs) else { panic!("conflict") };
    let rest = compared(&file_of("g.yaml", &merged), &file_of("g.yaml", &with(LIMAN, &both)));
    assert!(rest.is_empty(), "{}", text(&rest));
}

#[test]
fn what_contradicts_a_rename_is_a_conflict() {
    let score: Replacements<'_> = &[
        ("{id: rate,", "{id: score,"),
        ("target: rate}", "target: score}"),
        ("source: rate,", "source: score,"),
        ("rate_result", "score_result"),
    ];
    check_conflict(
        DESK,
        JUDGE,
        score,
        "desk.rate: both sides renamed the node, one to `judge`, the other to `score`",
    );
    let gone: Replacements<'_> = &[
        ("  - {id: rate, type: tool, tool_id: rate, tools: [rate], read_keys: [answer]}\n", ""),
        ("  - {source: draft, target: rate}\n", "  - {source: draft, target: send}\n"),
        (
            "  - {source: rate, target: send, condition: {type: conditional, condition: memory.rate_result > 5}}\n",
            "",
        ),
        ("  - {source: rate, target: draft}\n", ""),
        ("[answer, rate_result]", "[answer]"),
    ];
    check_conflict(
        DESK,
        JUDGE,
        gone,
        "desk.rate: one side renamed the node to `judge`, and the other removed it",
    );
    let another: Replacements<'_> = &[
        (
            "  - {id: send, type",
            "  - {id: judge, type: tool, tool_id: judge, tools: [judge], read_keys: [answer]}\n  - {id: send, type",
        ),
        (
            "  - {source: rate, target: draft}\n",
            "  - {source: rate, target: judge}\n  - {source: judge, target: draft}\n",
        ),
    ];
    check_conflict(
        DESK,
        JUDGE,
        another,
        "desk.rate: one side renamed the node to `judge`, and the other has another node of this name",
    );
}

/// The names of the nodes of a file that can be renamed by their letters alone: the file with the new name means the same apart
/// from it.
fn renamed_files(path: &str, base: &str, end: &str) -> Vec<String> {
    let snapshot = snapshot(&file_of(path, base));
    let declarations = snapshot.files().iter().flat_map(|file| &file.documents);
    let declarations = declarations.filter_map(|document| document.effective.as_ref()?.declaration.as_ref());
    let graphs: Vec<_> = declarations.flat_map(|declaration| declaration.graphs()).collect();
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    let names = nodes.filter_map(|node| node.id.as_ref().map(|id| id.value.to_string()));
    let renamed = names.filter_map(|name| {
        let text = with_name(base, &name, &format!("{name}{end}"));
        let review = compared(&file_of(path, base), &file_of(path, &text));
        let is_rename = |changed: &nodewise_review::change::ChangedDeclaration| {
            changed.part.parts.iter().any(|part| matches!(part.kind, PartChangeKind::Renamed(_)))
        };
        (review.len() == 1 && review.declarations.iter().all(is_rename)).then_some(text)
    });
    renamed.take(RENAMES_OF_FILE).collect()
}

/// A text with another word for a word, also in front of `_` and behind `.`, where keys are named after nodes.
fn with_name(text: &str, name: &str, new: &str) -> String {
    let is_word = |character: char| character.is_alphanumeric() || character == '-' || character == '_';
    let (mut found, mut rest) = (String::new(), text);
    while let Some(position) = rest.find(name) {
        let (before, behind) = rest.split_at(position);
        let behind = &behind[name.len()..];
        let last = before.chars().next_back().or(found.chars().next_back());
        let begins = !last.is_some_and(is_word);
        let ends = !behind.starts_with(|character| is_word(character) && character != '_');
        found.push_str(before);
        found.push_str(if begins && ends { new } else { name });
        rest = behind;
    }
    found + rest
}

#[test]
fn merges_with_renames_commute_and_keep_both() {
    let (mut merged, mut conflicts, mut faults) = (0, 0, Vec::new());
    for files in projects() {
        let all = edits(&files);
        for (number, (path, base)) in files.iter().enumerate() {
            let own: Vec<_> = all.iter().filter(|edit| edit.file == number).collect();
            let renamed = renamed_files(path, base, "_now");
            for (position, ours) in renamed.iter().enumerate() {
                for edit in own.iter().skip(position % 5).step_by(own.len() / 3 + 1) {
                    let theirs = edited(&files, edit)[number].1.clone();
                    match check_pair(path, base, (ours, &theirs)) {
                        Ok(true) => merged += 1,
                        Ok(false) => conflicts += 1,
                        Err(fault) => faults.push(format!("{path}: {fault}")),
                    }
                }
            }
            // Two renames: of one node they contradict one another, of two nodes they do not.
            let others = renamed_files(path, base, "_then");
            for (ours, theirs) in renamed.iter().zip(others.iter().cycle().skip(1)).take(2) {
                match check_pair(path, base, (ours, theirs)) {
                    Ok(true) => merged += 1,
                    Ok(false) => conflicts += 1,
                    Err(fault) => faults.push(format!("{path}: {fault}")),
                }
            }
            if let Some((ours, theirs)) = renamed.first().zip(others.first()) {
                let found = merge(path, base, ours, theirs);
                let is_reported = matches!(&found, MergeOutcome::Conflicts(found) if found.iter().any(|one| one.message.contains("both sides renamed")));
                if !is_reported && !matches!(found, MergeOutcome::Unreadable(_)) {
                    faults.push(format!("{path}: renamed by both: {found:?}"));
                }
            }
        }
    }
    assert!(merged >= 150, "{merged} merges, {conflicts} conflicts");
    assert!(conflicts * 10 <= merged, "{merged} merges, {conflicts} conflicts");
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// Whether a rename and another change are merged, in either order to the same meaning, with all changes of both.
fn check_pair(path: &str, base: &str, (ours, theirs): (&str, &str)) -> Result<bool, String> {
    let (found, mirrored) = (merge(path, base, ours, theirs), merge(path, base, theirs, ours));
    let (found, mirrored) = match (&found, &mirrored) {
        (MergeOutcome::Merged(found), MergeOutcome::Merged(mirrored)) => (found, mirrored),
        (MergeOutcome::Conflicts(_), MergeOutcome::Conflicts(_))
        | (MergeOutcome::Unreadable(_), MergeOutcome::Unreadable(_)) => return Ok(false),
        _ => return Err(format!("only one order merges: {found:?} {mirrored:?}")),
    };
    let between = |one: &str, other: &str| compared(&file_of(path, one), &file_of(path, other));
    let differs = between(found, mirrored);
    if !differs.is_empty() {
        return Err(format!("does not commute\n{}", text(&differs)));
    }
    for (side, other) in [(ours, theirs), (theirs, ours)] {
        let (added, wanted) = (between(side, found), between(base, other));
        if added.len() != wanted.len() {
            return Err(format!("adds\n{}in the place of\n{}", text(&added), text(&wanted)));
        }
    }
    Ok(true)
}

fn file_of(path: &str, text: &str) -> Vec<TestFile> {
    vec![(path.to_owned(), text.to_owned())]
}
