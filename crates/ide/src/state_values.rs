//! The state keys that a node or an edge names, so that their values can be shown while someone steps through a run. In:
//! a place in a node or an edge, for instance its id. Out: the keys in reading order, each once in a line.

use nodewise_analysis::facts::{DocumentFacts, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::Origin;
use nodewise_syntax::TextRange;
use smol_str::SmolStr;

use crate::names::{Entity, NameKind, names_within};

/// A state key in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedKey {
    /// The range of the key, without quotes.
    pub at: Origin,
    /// The key. If the state has parts, the part comes first: `scratch.count`.
    pub name: SmolStr,
}

/// The state keys that are named in the node or edge around a place. Outside of both, those of the document.
#[must_use]
pub fn named_keys(snapshot: &Snapshot, place: Origin) -> Vec<NamedKey> {
    let Some(file) = snapshot.file(place.source) else { return Vec::new() };
    let range = part_around(snapshot, file, place);
    let mut keys: Vec<NamedKey> = Vec::new();
    for one in names_within(snapshot, place.source, range) {
        let Entity::Local { kind: NameKind::State, name, .. } = one.entity else { continue };
        let line_of = |at: Origin| {
            file.text.get(..at.range.start().into()).map_or(0, |text| text.matches('\n').count())
        };
        let is_reported = |known: &NamedKey| known.name == name && line_of(known.at) == line_of(one.at);
        if range.contains_range(one.at.range) && !keys.iter().any(is_reported) {
            keys.push(NamedKey { at: one.at, name });
        }
    }
    keys
}

/// The range of the node or the edge around a place, or of its document.
fn part_around(snapshot: &Snapshot, file: &FileFacts, place: Origin) -> TextRange {
    let around = |at: &Origin| at.source == place.source && at.range.contains_range(place.range);
    let part = |document: &DocumentFacts| {
        let declaration = snapshot.index().effective(document)?.declaration.as_ref()?;
        let parts = declaration.graphs().flat_map(|graph| {
            let nodes = graph.nodes.iter().map(|node| node.at);
            nodes.chain(graph.edges.iter().map(|edge| edge.at))
        });
        parts.filter(around).min_by_key(|at| at.range.len())
    };
    let document = file.document_at(place);
    let found = document.and_then(part).or_else(|| document.map(|document| document.range));
    found.map_or(place.range, |at| at.range)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::named_keys;
    use crate::testing::project_at_cursor;

    /// Lists the keys in the part around the cursor, each with its line from 1.
    fn check_keys(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let place =
            nodewise_model::Origin::new(position.source, nodewise_syntax::TextRange::empty(position.offset));
        let file = snapshot.file(position.source).unwrap();
        let mut list = String::new();
        for key in named_keys(&snapshot, place) {
            let line = file.text[..key.at.range.start().into()].matches('\n').count() + 1;
            let letters = &file.text[std::ops::Range::<usize>::from(key.at.range)];
            writeln!(list, "{line} {} {letters}", key.name).unwrap();
        }
        assert_eq!(list, expected);
    }

    const CLAIMS: &str = r"
#- /claims.yaml
id: claims
name: Claims
nodes:
  - id: look$0
    type: agent
    agent_id: clerk
    read_keys: [claim, policy]
    write_keys: [claim]
  - id: pay
    type: agent
    agent_id: clerk
    read_keys: [sum]
edges:
  - source: look
    target: pay
    condition: {type: conditional, condition: 'memory.sum > 3 and memory.sum < memory.claim'}
start_node: look
end_nodes: [pay]
";

    #[test]
    fn the_keys_of_a_node_are_those_that_it_names() {
        check_keys(CLAIMS, "7 claim claim\n7 policy policy\n8 claim claim\n");
    }

    #[test]
    fn the_keys_of_an_edge_are_those_of_its_condition_each_once_in_a_line() {
        let edge = CLAIMS.replace("look$0", "look").replace("source: look", "source: lo$0ok");
        check_keys(&edge, "16 sum sum\n16 claim claim\n");
    }
}
