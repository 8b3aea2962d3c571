//! A search over everything that files declare. In: letters of a name. Out: the matches, best first. Invariant: the
//! answer depends only on the files, not on the order in which they were loaded.

use std::cmp::Reverse;

use nodewise_analysis::facts::{DocumentRole, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::graph::Graph;
use nodewise_model::{Body, Declaration, Located, Origin};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::{FoundSymbol, SymbolKind};

/// The maximum number of results.
pub const FOUND_MAX: usize = 500;

/// The declarations and graph nodes whose names contain the letters of `query` in order, ignoring case. For an empty
/// query, all of them.
#[must_use]
pub fn search(snapshot: &Snapshot, query: &str) -> Vec<FoundSymbol> {
    let query: Vec<char> =
        query.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    for file in snapshot.files().iter().take_while(|_| !snapshot.is_cancelled()) {
        for candidate in candidates(file) {
            let names = [Some(candidate.name), candidate.id].into_iter().flatten();
            if let Some(score) = names.filter_map(|name| score(&query, name)).max() {
                found.push((Reverse(score), candidate.name.len(), candidate));
            }
        }
    }
    // The files are in load order, and a stable sort keeps that order.
    found.arrange_by(|one, other| (one.0, one.1, one.2.name).cmp(&(other.0, other.1, other.2.name)));
    found.truncate(FOUND_MAX);
    found.into_iter().map(|(_, _, candidate)| candidate.found(snapshot)).collect()
}

struct Candidate<'s> {
    /// Where it is declared.
    at: Origin,
    /// The name to show.
    name: &'s str,
    /// The id in files, if it differs.
    id: Option<&'s str>,
    kind: SymbolKind,
    container: &'s str,
}

impl<'s> Candidate<'s> {
    fn new(name: &'s Located<SmolStr>, kind: SymbolKind, container: &'s str) -> Candidate<'s> {
        Candidate { at: name.at, name: &name.value, id: None, kind, container }
    }

    fn graph(id: &'s Located<SmolStr>, graph: &'s Graph, container: &'s str) -> Candidate<'s> {
        let name = graph.title().unwrap_or(&id.value);
        Candidate { at: id.at, name, id: Some(&id.value), kind: SymbolKind::Graph, container }
    }

    fn found(&self, snapshot: &Snapshot) -> FoundSymbol {
        let text = snapshot.file(self.at.source).map_or("", |file| &*file.text);
        FoundSymbol {
            name: self.name.to_owned(),
            kind: self.kind,
            container: self.container.to_owned(),
            at: Origin::new(self.at.source, without_quotes(text, self.at.range)),
        }
    }
}

fn candidates(file: &FileFacts) -> Vec<Candidate<'_>> {
    let mut candidates = Vec::new();
    for document in &file.documents {
        let DocumentRole::Kind(kind) = document.role else { continue };
        let Some(effective) = document.effective.as_ref().filter(|_| document.overlay.is_none()) else {
            continue;
        };
        let Some(declaration) = effective.declaration.as_ref() else { continue };
        let own = declaration.name.iter();
        let graph = match &declaration.body {
            Body::Graph(graph) => Some(graph),
            _ => None,
        };
        candidates.extend(own.map(|name| match graph {
            Some(graph) => Candidate::graph(name, graph, declaration.kind),
            None => Candidate::new(name, SymbolKind::of_document(kind), declaration.kind),
        }));
        add_parts(declaration, &mut candidates);
    }
    candidates
}

/// Adds the declarations packed in a declaration, and the nodes of its graphs.
fn add_parts<'s>(declaration: &'s Declaration, candidates: &mut Vec<Candidate<'s>>) {
    let is_bundle = matches!(declaration.body, Body::Bundle(_));
    let bundle_name = declaration.name.as_ref().map_or(declaration.kind, |name| name.value.as_str());
    for graph in declaration.graphs() {
        let packed = graph.id.iter().filter(|_| is_bundle);
        candidates.extend(packed.map(|id| Candidate::graph(id, graph, bundle_name)));
        let container = graph.title().unwrap_or(declaration.kind);
        let nodes = graph.nodes.iter().filter_map(|node| node.id.as_ref());
        candidates.extend(nodes.map(|name| Candidate::new(name, SymbolKind::Node, container)));
    }
    let agents = declaration.agents().filter_map(|agent| agent.id.as_ref()).filter(|_| is_bundle);
    candidates.extend(agents.map(|name| Candidate::new(name, SymbolKind::Agent, bundle_name)));
}

/// How well a name fits: equal, at its start, at the start of a word, in a word, scattered letters.
fn score(query: &[char], name: &str) -> Option<u32> {
    const WHOLE: u32 = 1_000;
    const HEAD: u32 = 800;
    const WORD: u32 = 600;
    const PART: u32 = 400;
    const AT_WORD: u32 = 10;
    if query.is_empty() {
        return Some(0);
    }
    let letters: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let begins_word = word_starts(name);
    let mut whole = letters.windows(query.len()).enumerate().filter(|(_, part)| *part == query);
    if letters == query {
        return Some(WHOLE);
    }
    if let Some((first, _)) = whole.next() {
        let at_word = |start: usize| begins_word.get(start).copied().unwrap_or(false);
        return Some(match first {
            0 => HEAD,
            first if at_word(first) || whole.any(|(start, _)| at_word(start)) => WORD,
            _ => PART,
        });
    }
    let (mut position, mut total) = (0, 0);
    for letter in query {
        let distance = letters.get(position..)?.iter().position(|candidate| candidate == letter)?;
        position += distance;
        total += if begins_word.get(position).copied().unwrap_or(false) { AT_WORD } else { 1 };
        position += 1;
    }
    Some(total.min(PART - 1))
}

/// For each letter of a name in lower case, whether a word begins there.
fn word_starts(name: &str) -> Vec<bool> {
    let mut starts = Vec::with_capacity(name.len());
    let mut before = ' ';
    for letter in name.chars() {
        let is_start = letter.is_alphanumeric() && !before.is_alphanumeric()
            || letter.is_uppercase() && before.is_lowercase();
        let length = letter.to_lowercase().count();
        starts.extend((0..length).map(|part| is_start && part == 0));
        before = letter;
    }
    starts
}

/// A range without its quotes. The closing quote may be missing.
pub(super) fn without_quotes(text: &str, range: TextRange) -> TextRange {
    let written = text.get(std::ops::Range::from(range)).unwrap_or_default();
    let Some(quote) = written.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
        return range;
    };
    let open = written.get(1..).unwrap_or_default();
    let inner = open.strip_suffix(quote).unwrap_or(open);
    TextRange::at(range.start() + TextSize::from(1), TextSize::of(inner))
}
