//! The expressions of a file whose values an editor shows while a debugged run is stopped: keys of the state, and the paths that
//! conditions read. In: a file and the place of the stop. Out: expressions with their ranges, in reading order. Nothing is
//! evaluated here; the editor asks the debug adapter.

use std::ops::Range;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::{Origin, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::TextRange;
use nodewise_syntax::selection::enclosing_ranges;

use crate::names::{Entity, NameKind, Occurrence, names_within};

/// An expression to evaluate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineValue {
    pub range: TextRange,
    /// The expression, in the language of the graph's conditions.
    pub expression: String,
}

/// The expressions in a part of a file that belong to the same graph as the stop, up to the end of the entry at the
/// stop. The same expression is listed at most once for each line.
#[must_use]
pub fn inline_values(
    snapshot: &Snapshot,
    source: SourceId,
    part: TextRange,
    stopped: TextRange,
) -> Vec<InlineValue> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let stopped = entry(file, stopped);
    let end = line_end(&file.text, stopped.end().into());
    let Some(part) = part.intersect(TextRange::up_to(end)) else { return Vec::new() };
    let keys = names_within(snapshot, source, part.cover(stopped));
    let keys: Vec<&Occurrence> = keys.iter().filter(|one| is_key(&one.entity)).collect();
    let at_stop = keys.iter().find(|one| stopped.contains_range(one.at.range)).map(|one| home(&one.entity));
    let document = file.document_at(Origin::new(source, stopped)).map(|document| document.id);
    let is_of_graph = |one: &&&Occurrence| match (&one.entity, at_stop) {
        (Entity::Local { .. }, Some(stop)) => home(&one.entity) == stop,
        (Entity::Local { document: of, .. }, None) => document.is_none_or(|document| document == *of),
        _ => true,
    };
    let mut found: Vec<InlineValue> = keys
        .iter()
        .filter(is_of_graph)
        .filter(|one| part.contains_range(one.at.range))
        .filter_map(|one| match one.in_expression {
            true => path_at(file, one.at),
            false => Some(InlineValue { range: one.at.range, expression: key(&one.entity)?.to_owned() }),
        })
        .collect();
    found.arrange_by_key(|one| (one.range.start(), one.range.end()));
    once_a_line(file, found)
}

/// The entry that begins on the line of the stop. The place of a node is its id.
fn entry(file: &FileFacts, stopped: TextRange) -> TextRange {
    let line = file.line(stopped.start());
    let around = enclosing_ranges(file.tree(), stopped.start());
    // The list of all nodes begins on the line of the first one.
    let is_list = |range: &TextRange| {
        file.text.get(usize::from(range.start())..).is_some_and(|text| text.starts_with('-'))
    };
    let begins_there = around.into_iter().filter(|range| file.line(range.start()) == line && !is_list(range));
    begins_there.fold(stopped, TextRange::cover)
}

fn is_key(entity: &Entity) -> bool {
    key(entity).is_some()
}

/// The name of the state key, if the entity is one.
fn key(entity: &Entity) -> Option<&str> {
    match entity {
        Entity::Local { kind: NameKind::State, name, .. }
        | Entity::Shared { kind: NameKind::State, name, .. } => Some(name.as_str()),
        _ => None,
    }
}

/// The graph to which a key belongs.
fn home(entity: &Entity) -> Option<(nodewise_analysis::facts::DocumentId, Option<usize>)> {
    match entity {
        Entity::Local { document, graph, .. } => Some((*document, *graph)),
        _ => None,
    }
}

/// The whole path around a name of an expression: `memory.order.total` for `order`.
fn path_at(file: &FileFacts, at: Origin) -> Option<InlineValue> {
    let document = file.document_at(at)?;
    let condition = document.conditions.iter().find(|one| one.at.range.contains_range(at.range))?;
    let place = condition.places(file.tree());
    condition.language.paths(&condition.text).into_iter().find_map(|path| {
        let range = place(path.range).range;
        let expression = condition.text.get(Range::<usize>::from(path.range))?.to_owned();
        range.contains_range(at.range).then_some(InlineValue { range, expression })
    })
}

/// The end of the line of an offset.
fn line_end(text: &str, offset: usize) -> nodewise_syntax::TextSize {
    let rest = text.get(offset..).unwrap_or_default();
    let end = offset + rest.find(['\n', '\r']).unwrap_or(rest.len());
    end.try_into().unwrap_or_default()
}

/// Removes expressions that were already listed on the same line.
fn once_a_line(file: &FileFacts, found: Vec<InlineValue>) -> Vec<InlineValue> {
    let mut kept: Vec<InlineValue> = Vec::new();
    let mut line = 0;
    for one in found {
        let before = kept.last().map_or(0, |last| usize::from(last.range.end()));
        let between = file.text.get(before..usize::from(one.range.start())).unwrap_or_default();
        if between.contains(['\n', '\r']) {
            line = kept.len();
        }
        let own = kept.get(line..).unwrap_or_default();
        if own.iter().all(|other| other.expression != one.expression) {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::ops::Range;

    use nodewise_syntax::{TextRange, TextSize};

    use crate::testing::project_at_cursor;

    /// The inline values of a stop at the line of the cursor, each with its line and its text in the file.
    fn check_inline(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let text = &snapshot.file(position.source).unwrap().text;
        let whole = TextRange::up_to(TextSize::of(&**text));
        let stopped = TextRange::empty(position.offset);
        let mut list = String::new();
        for one in super::inline_values(&snapshot, position.source, whole, stopped) {
            let line = text[..usize::from(one.range.start())].lines().count();
            let letters = &text[Range::<usize>::from(one.range)];
            writeln!(list, "{line}: {letters} = {}", one.expression).unwrap();
        }
        assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected));
    }

    #[test]
    fn keys_and_paths_up_to_the_stop() {
        check_inline(
            "
id: main
name: Main
description: ''
nodes:
  - {id: plan, type: agent, agent_id: x, read_keys: [goal, order], write_keys: [draft, order]}
  - {id: send, type: agent, agent_id: x, read_keys: ['draft']}
edges:
  - {source: plan, target: send, condition: {type: conditional, condition: \"memory.order.total > 5 and memory.draft\"}}
  - {source: plan, target: pl$0an, condition: {type: conditional, condition: memory.order.total < 5}}
  - {source: send, target: plan, condition: {type: conditional, condition: memory.later}}
start_node: plan
end_nodes: []
",
            "
5: goal = goal
5: order = order
5: draft = draft
6: draft = draft
8: memory.order.total = memory.order.total
8: memory.draft = memory.draft
9: memory.order.total = memory.order.total
",
        );
    }

    #[test]
    fn the_whole_entry_of_the_stop_counts() {
        check_inline(
            "
id: main
name: Main
description: ''
nodes:
  - id: pl$0an
    type: agent
    agent_id: x
    read_keys: [goal]
  - id: send
    type: agent
    agent_id: x
    read_keys: [draft]
edges: []
start_node: plan
end_nodes: []
",
            "8: goal = goal\n",
        );
    }

    #[test]
    fn line_breaks_of_windows_and_wide_characters() {
        check_inline(
            "id: main\r\nname: 😀\r\ndescription: ''\r\nnodes:\r\n  - {id: plan, type: agent, agent_id: x, write_keys: [a😀]}\r\nedges:\r\n  - {source: plan, target: plan, condition: {type: conditional, condition: 'memory.$0a > 1'}}\r\nstart_node: plan\r\nend_nodes: []\r\n",
            "5: a😀 = a😀\n7: memory.a = memory.a\n",
        );
    }
}
