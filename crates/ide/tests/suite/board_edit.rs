//! Random edits of every board of the corpora and examples, in sequence. In: the files as projects. Out: what an edit
//! does wrong, nothing. Invariant: the graph is the one that the edit says, the text has no syntax problem more, every
//! line that the edit is not about stays, and the inverse edits give the old text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole, NodeView};
use nodewise_ide::actions::SourceChange;
use nodewise_ide::board_edit::{BoardEdge, BoardEdit, EdgeEnd, NewNode, board_edit, node_choices};
use nodewise_ide::graph::{graph_at, graphs_of};
use nodewise_ide::position::FilePosition;
use nodewise_model::SourceId;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{TextRange, TextSize};

use super::actions::{ROOT, Texts, projects, snapshot};

/// The number of edits of each board, one after the other.
const STEPS: usize = 12;

/// How often each board is edited.
const ROUNDS: u64 = 2;

type Pairs = BTreeSet<(String, String)>;

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }

    fn one<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }
}

fn edge_of(view: &GraphView, index: usize) -> Option<(BoardEdge, EdgeView)> {
    let edge = view.edges.get(index)?.clone();
    Some((BoardEdge { index, from: edge.from.clone(), to: edge.to.clone() }, edge))
}

/// An edit with random parts.
fn edit(view: &GraphView, kinds: &[&'static str], numbers: &mut Numbers, step: usize) -> Option<BoardEdit> {
    let ids: Vec<String> = view.nodes.iter().map(|node| node.id.clone()).collect();
    let id = |numbers: &mut Numbers| numbers.one(&ids).cloned();
    let new = |numbers: &mut Numbers| {
        Some(NewNode { kind: (*numbers.one(kinds)?).to_owned(), name: format!("added_{step}") })
    };
    let condition = |numbers: &mut Numbers| match numbers.below(3) {
        0 => None,
        1 => Some("1 == 1".to_owned()),
        _ => Some("level > 3".to_owned()),
    };
    let edge = |numbers: &mut Numbers| Some(edge_of(view, numbers.below(view.edges.len()))?.0);
    Some(match numbers.below(8) {
        0 => BoardEdit::AddNode { after: id(numbers)?, node: new(numbers)? },
        1 => BoardEdit::InsertNode { edge: edge(numbers)?, node: new(numbers)? },
        2 => BoardEdit::Connect { from: id(numbers)?, to: id(numbers)?, condition: condition(numbers) },
        3 => {
            let end = if numbers.below(2) == 0 { EdgeEnd::From } else { EdgeEnd::To };
            BoardEdit::Reconnect { edge: edge(numbers)?, end, node: id(numbers)? }
        }
        4 => BoardEdit::DeleteNode { node: id(numbers)? },
        5 => BoardEdit::DeleteEdge { edge: edge(numbers)? },
        6 => BoardEdit::RenameNode { node: id(numbers)?, name: format!("renamed_{step}") },
        _ => BoardEdit::SetCondition { edge: edge(numbers)?, condition: condition(numbers) },
    })
}

fn verb(edit: &BoardEdit) -> &'static str {
    match edit {
        BoardEdit::AddNode { .. } => "add",
        BoardEdit::InsertNode { .. } => "insert",
        BoardEdit::Connect { .. } => "connect",
        BoardEdit::Reconnect { .. } => "reconnect",
        BoardEdit::DeleteNode { .. } => "delete node",
        BoardEdit::DeleteEdge { .. } => "delete edge",
        BoardEdit::RenameNode { .. } => "rename",
        BoardEdit::SetCondition { .. } => "condition",
    }
}

fn pairs(view: &GraphView) -> Pairs {
    view.edges.iter().map(|edge| (edge.from.clone(), edge.to.clone())).collect()
}

/// Where an edge leads or comes from, with other ends.
fn moved(edge: &BoardEdge, end: EdgeEnd, node: &str) -> (String, String) {
    match end {
        EdgeEnd::From => (node.to_owned(), edge.to.clone()),
        EdgeEnd::To => (edge.from.clone(), node.to_owned()),
    }
}

/// The name in the id of a node that is a document of its own, else the id.
fn same_kind(id: &str, name: &str) -> String {
    id.split_once('/').map_or_else(|| name.to_owned(), |(kind, _)| format!("{kind}/{name}"))
}

/// What is wrong with the edges after an edit.
fn wrong_edges(before: &GraphView, after: &GraphView, edit: &BoardEdit) -> Option<String> {
    let (was, is) = (pairs(before), pairs(after));
    let added = |node: &NewNode| {
        let is_new = |one: &&NodeView| one.label == node.name && one.role == NodeRole::Node;
        after.nodes.iter().find(is_new).map(|one| one.id.clone())
    };
    let pair = |edge: &BoardEdge| (edge.from.clone(), edge.to.clone());
    let count = |edge: &BoardEdge| {
        before.edges.iter().filter(|one| (&one.from, &one.to) == (&edge.from, &edge.to)).count()
    };
    let (mut wanted, mut may_stay) = (was.clone(), None);
    match edit {
        BoardEdit::AddNode { node, .. } => {
            let Some(id) = added(node) else { return Some("the node is missing".to_owned()) };
            let leads = |pair: &(String, String)| pair.1 == id;
            return (!is.iter().any(leads)).then(|| "nothing leads to the node".to_owned());
        }
        BoardEdit::InsertNode { edge, node } => {
            let Some(id) = added(node) else { return Some("the node is missing".to_owned()) };
            wanted.remove(&pair(edge));
            wanted.extend([(edge.from.clone(), id.clone()), (id, edge.to.clone())]);
            may_stay = Some(edge);
        }
        BoardEdit::Connect { from, to, .. } => {
            // A graph that names the node where runs begin has one such edge.
            if from == " start" && is.len() <= was.len() {
                wanted.retain(|(one, _)| one != " start");
            }
            wanted.insert((from.clone(), to.clone()));
        }
        BoardEdit::Reconnect { edge, end, node } => {
            wanted.remove(&pair(edge));
            wanted.insert(moved(edge, *end, node));
            may_stay = Some(edge);
        }
        BoardEdit::DeleteNode { node } => wanted.retain(|(from, to)| from != node && to != node),
        BoardEdit::DeleteEdge { edge } => {
            let gone = said_by(before, edge);
            wanted.retain(|one| !gone.contains(one) || is.contains(one));
            wanted.remove(&pair(edge));
            may_stay = Some(edge);
        }
        BoardEdit::RenameNode { node, name } => {
            let new = same_kind(node, name);
            let renamed = |id: &String| if id == node { new.clone() } else { id.clone() };
            wanted = was.iter().map(|(from, to)| (renamed(from), renamed(to))).collect();
        }
        BoardEdit::SetCondition { edge, condition } => {
            let found = after.edges.iter().filter(|one| (&one.from, &one.to) == (&edge.from, &edge.to));
            let mut found = found.map(|one| one.condition.clone());
            if !found.any(|text| text == *condition) {
                return Some("the condition is another one".to_owned());
            }
        }
    }
    let mut difference: Vec<String> =
        wanted.difference(&is).map(|pair| format!("{pair:?} is missing")).collect();
    // Another edge, or a setting, may join the same nodes.
    let stays = may_stay.filter(|edge| count(edge) > 1 || is_hidden(before, edge));
    let new = match edit {
        BoardEdit::InsertNode { node, .. } => added(node),
        _ => None,
    };
    // The settings of a new node may name others, which the author still has to add.
    let is_of_new = |pair: &&(String, String)| new.as_ref() == Some(&pair.0);
    let extra = is
        .difference(&wanted)
        .filter(|pair| !is_of_new(pair))
        .filter(|pair| stays.is_none_or(|edge| **pair != (edge.from.clone(), edge.to.clone())));
    difference.extend(extra.map(|pair| format!("{pair:?} is too much")));
    (!difference.is_empty()).then(|| difference.join(", "))
}

/// The edges that an edge says too, such as where it leads when its query finds nothing. They go with it.
fn said_by(view: &GraphView, edge: &BoardEdge) -> Pairs {
    let at = view.edges[edge.index].at;
    let is_in = |one: &&EdgeView| {
        let places = one.at.zip(at);
        places.is_some_and(|(one, all)| one.source == all.source && all.range.contains_range(one.range))
    };
    view.edges.iter().filter(is_in).map(|one| (one.from.clone(), one.to.clone())).collect()
}

/// Whether a setting may join the same nodes: views leave out what an edge shows already.
fn is_hidden(view: &GraphView, edge: &BoardEdge) -> bool {
    let is_setting = |one: &EdgeView| !matches!(one.kind, EdgeKind::Always | EdgeKind::Conditional);
    let node = view.nodes.iter().find(|node| node.id == edge.from);
    let found = view.edges.get(edge.index);
    found.is_some_and(is_setting) || node.is_some_and(|node| node.work.word() != "router")
}

/// The texts after a change, and the inverse edits of each file.
fn applied(now: &Snapshot, texts: &Texts, change: &SourceChange) -> Result<Texts, String> {
    let mut after = texts.clone();
    for file in now.files() {
        let own = change.edits.iter().filter(|edit| edit.at.source == file.source);
        let mut own: Vec<TextEdit> =
            own.map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() }).collect();
        let text = apply_edits(&file.text, &mut own).map_err(|conflict| conflict.to_string())?;
        if apply_edits(&text, &mut inverse(&file.text, &own)).as_deref() != Ok(&*file.text) {
            return Err("the inverse edits do not give the old text".to_owned());
        }
        after.insert(file.path.to_string(), text);
    }
    for source in &change.deleted_files {
        after.remove(&*now.file(*source).unwrap().path);
    }
    for file in &change.new_files {
        if after.insert(file.path.clone(), file.text.clone()).is_some() {
            return Err(format!("{} already exists", file.path));
        }
    }
    Ok(after)
}

fn inverse(text: &str, edits: &[TextEdit]) -> Vec<TextEdit> {
    let mut shift = 0_i64;
    let size = |number: i64| TextSize::from(u32::try_from(number).unwrap());
    let mut back = |edit: &TextEdit| {
        let start = i64::from(u32::from(edit.range.start())) + shift;
        let length = i64::try_from(edit.text.len()).unwrap();
        shift += length - i64::from(u32::from(edit.range.len()));
        let old = text[std::ops::Range::<usize>::from(edit.range)].to_owned();
        TextEdit { range: TextRange::at(size(start), size(length)), text: old }
    };
    edits.iter().map(&mut back).collect()
}

/// Whether an edit takes more out of the texts than it is about.
fn takes_too_much(now: &Snapshot, edit: &BoardEdit, change: &SourceChange) -> bool {
    let taken = change.edits.iter().map(|edit| {
        let file = now.file(edit.at.source).unwrap();
        &file.text[std::ops::Range::<usize>::from(edit.at.range)]
    });
    let is_brackets =
        |text: &str| text.chars().all(|letter| letter.is_whitespace() || "[]{},".contains(letter));
    let is_name = |text: &str| !text.trim_end().contains('\n') && !text.contains('#');
    let mut taken = taken;
    match edit {
        BoardEdit::Connect { from, .. } if from != " start" => !taken.all(is_brackets),
        BoardEdit::DeleteNode { .. } | BoardEdit::DeleteEdge { .. } => false,
        BoardEdit::Reconnect { .. } | BoardEdit::SetCondition { .. } => false,
        _ => !taken.all(|text| is_name(text) || is_brackets(text)),
    }
}

fn problems(snapshot: &Snapshot) -> usize {
    snapshot.files().iter().map(|file| file.tree().problems().len()).sum()
}

/// The view of a graph after an edit: the one with the same name, or of all nodes.
fn view_again(snapshot: &Snapshot, source: SourceId, index: usize) -> Option<GraphView> {
    let sources = if is_network(snapshot, source) { all(snapshot) } else { vec![source] };
    graphs_of(snapshot, &sources).into_iter().nth(index)
}

fn all(snapshot: &Snapshot) -> Vec<SourceId> {
    snapshot.files().iter().map(|file| file.source).collect()
}

fn is_network(snapshot: &Snapshot, source: SourceId) -> bool {
    graphs_of(snapshot, &[source]).iter().all(|view| view.at.is_none())
}

/// A number of its own for each graph, and the same one wherever the checkout is.
fn seed(name: &str, path: &str, index: usize) -> u64 {
    let name = name.strip_prefix(ROOT).unwrap_or(name);
    let letters = name.bytes().chain(path.bytes());
    letters.fold(index as u64, |seed, letter| seed.wrapping_mul(31).wrapping_add(u64::from(letter)))
}

/// Edits a board, and reports what goes wrong. Counts what was done.
fn play(
    name: &str,
    texts: &Texts,
    (path, index, round): (&str, usize, u64),
    done: &mut BTreeMap<String, usize>,
) -> String {
    let mut faults = String::new();
    let mut texts = texts.clone();
    let mut numbers = Numbers(seed(name, path, index).wrapping_add(round));
    for step in 0..STEPS {
        let now = snapshot(&texts);
        let Some(source) = now.source(path) else { break };
        let Some(view) = view_again(&now, source, index) else { break };
        let Some(at) = view.at.or_else(|| view.nodes.first()?.at) else { break };
        let position = FilePosition::new(at.source, at.range.start());
        let Some(choices) = node_choices(&now, position) else { break };
        let kinds: Vec<&'static str> = choices.kinds.iter().map(|kind| kind.word).collect();
        let Some(local) = graph_at(&now, position) else { break };
        let Some(edit) = edit(&local, &kinds, &mut numbers, step) else { continue };
        let system =
            texts.get(path).map_or("", |text| if text.contains("kind:") { "network" } else { "graph" });
        let change = match board_edit(&now, position, &edit) {
            Ok(change) => change,
            Err(refusal) => {
                assert!(refusal.reason.ends_with('.'), "{}", refusal.reason);
                *done.entry(format!("{system}: refused")).or_insert(0) += 1;
                continue;
            }
        };
        *done.entry(format!("{system}: {}", verb(&edit))).or_insert(0) += 1;
        let mut fault = |what: &str| writeln!(faults, "{name}/{path} {edit:?}: {what}").unwrap();
        if takes_too_much(&now, &edit, &change) {
            fault(&format!("it takes too much out: {change:?}"));
        }
        match applied(&now, &texts, &change) {
            Ok(after) => texts = after,
            Err(reason) => {
                fault(&reason);
                break;
            }
        }
        let after = snapshot(&texts);
        if problems(&after) > problems(&now) {
            fault("it breaks the text");
            break;
        }
        let Some(view_after) = after.source(path).and_then(|source| view_again(&after, source, index)) else {
            break;
        };
        if let Some(wrong) = wrong_edges(&view, &view_after, &edit) {
            fault(&wrong);
            break;
        }
    }
    faults
}

#[test]
fn every_edit_of_a_board_does_what_it_says() {
    let mut faults = String::new();
    let mut done: BTreeMap<String, usize> = BTreeMap::new();
    for (name, texts) in projects() {
        let before = snapshot(&texts);
        for file in before.files() {
            let own = graphs_of(&before, &[file.source]);
            let is_network = own.iter().all(|view| view.at.is_none());
            let count = if is_network { own.len().min(1) } else { own.len() };
            for index in 0..count {
                for round in 0..ROUNDS {
                    faults.push_str(&play(&name, &texts, (&file.path, index, round), &mut done));
                }
            }
        }
    }
    println!("{done:#?}");
    assert!(faults.is_empty(), "{faults}\n{done:#?}");
    for system in ["network", "graph"] {
        for verb in
            ["add", "insert", "connect", "reconnect", "delete node", "delete edge", "rename", "condition"]
        {
            let count = done.get(&format!("{system}: {verb}")).copied().unwrap_or_default();
            assert!(count >= 10, "{system}: {verb} was done {count} times only: {done:#?}");
        }
    }
}
