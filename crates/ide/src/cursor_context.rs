//! What is at a cursor: the place in the document, what the dialect's table allows there, and inside an expression, the
//! place in its text. Completion, hover, signature help and actions start here. In: a position. Out: plain data. It
//! also works in incomplete text: a document that is not recognised yet is treated as the kind that it resembles.

use nodewise_analysis::facts::{DocumentFacts, DocumentRole, FileFacts, Ownership};
use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::place::{self, Expectation, Keys};
use nodewise_dialect::table::{Dialect, Kind, Language, Type};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_syntax::locate::{Location, Place, TreeStep, locate};
use nodewise_syntax::{ScalarStyle, SyntaxNodeId, TextRange, TextSize};

use crate::names::patched_kind;
use crate::position::FilePosition;

/// The minimum number of a kind's keys in a document that resembles the kind.
const RESEMBLANCE_MIN: usize = 2;

/// What is at a cursor.
#[derive(Debug)]
pub struct CursorContext<'s> {
    /// The project.
    pub snapshot: &'s Snapshot,
    pub file: &'s FileFacts,
    /// The cursor, at a character boundary inside the text.
    pub position: FilePosition,
    /// The cursor's place in the document.
    pub location: Location,
    /// The dialect of the document, or the one that it resembles.
    pub dialect: Option<&'static Dialect>,
    /// The kind of the document, or the one that it resembles.
    pub kind: Option<&'static Kind>,
    /// The kind that an overlay patches.
    pub patched: Option<&'static Kind>,
    /// The facts of the document, if it belongs to a dialect.
    pub document: Option<&'s DocumentFacts>,
    /// The value of the document, as far as it is written.
    pub root: Option<SpannedValue<'s>>,
    /// The possible types of a value here, the most likely first. Empty if a value is not possible.
    pub expected: Vec<Expectation>,
    /// The possible keys here. Empty if a key is not possible.
    pub keys: Vec<Keys>,
    /// The expression around the cursor.
    pub expression: Option<ExpressionSpot>,
}

/// A cursor in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionSpot {
    pub language: Language,
    /// The whole text, as the language reads it.
    pub text: String,
    /// The cursor's byte offset in the text.
    pub offset: usize,
    /// The value with the text, if it exists.
    pub node: Option<SyntaxNodeId>,
    /// The range of the text in the file, without quotes.
    pub range: TextRange,
}

impl<'s> CursorContext<'s> {
    /// What is at a position. `None` for files that are not in the snapshot.
    #[must_use]
    pub fn at(snapshot: &'s Snapshot, position: FilePosition) -> Option<CursorContext<'s>> {
        let file = position.file(snapshot)?;
        let position = FilePosition { offset: floor(&file.text, position.offset), ..position };
        let tree = file.tree();
        let location = locate(tree, position.offset);
        let document = file.documents.get(location.document);
        let root = tree.documents().nth(location.document).and_then(|document| document.root());
        let root = root.map(|root| SpannedValue::from_node(root, file.source));
        let (dialect, kind) = whose(file, document, root.as_ref());
        let mut spot = CursorContext {
            snapshot,
            file,
            position,
            location,
            dialect,
            kind,
            patched: None,
            document,
            root,
            expected: Vec::new(),
            keys: Vec::new(),
            expression: None,
        };
        spot.read_table();
        spot.expression = spot.expression_at_cursor();
        Some(spot)
    }

    /// The same place, if the document were of a kind.
    pub(crate) fn as_kind(&self, dialect: &'static Dialect, kind: &'static Kind) -> CursorContext<'s> {
        let mut spot = CursorContext {
            location: self.location.clone(),
            root: self.root.clone(),
            dialect: Some(dialect),
            kind: Some(kind),
            patched: None,
            expected: Vec::new(),
            keys: Vec::new(),
            expression: None,
            ..*self
        };
        spot.read_table();
        spot.expression = spot.expression_at_cursor();
        spot
    }

    /// What a document can become that nothing identifies yet: the kinds that have all its keys, and this place. Systems
    /// that the project uses exclude the others. JSON files of other programs are everywhere, so they never become ours.
    pub(crate) fn possible_kinds(&self) -> Vec<(&'static Dialect, &'static Kind)> {
        let members = self.root.as_ref().and_then(SpannedValue::as_map).unwrap_or_default();
        let is_unknown = self.kind.is_none() && self.file.settings.dialect == Pin::ByContent;
        let ending = self.file.path.rsplit_once('.').map_or("", |(_, ending)| ending);
        if !is_unknown || members.is_empty() || ending.eq_ignore_ascii_case("json") {
            return Vec::new();
        }
        let used = used_dialects(self.snapshot);
        // Without neighbours of ours, one key at the top says too little.
        if used.is_empty() && self.location.path.len() < 2 {
            return Vec::new();
        }
        let is_possible = |dialect: &&'static Dialect| {
            let is_used = used.is_empty() || used.iter().any(|used| used.id == dialect.id);
            is_used && dialect.discriminator().is_none() && dialect.extensions.contains(&ending)
        };
        let kinds = DIALECTS.iter().copied().filter(is_possible).flat_map(|dialect| {
            let fits =
                |kind: &&'static Kind| members.iter().all(|member| kind.shape.field(&member.key).is_some());
            dialect.kinds.iter().filter(fits).map(move |kind| (dialect, kind))
        });
        kinds.collect()
    }

    fn read_patched(&mut self) {
        self.patched = match (self.dialect, self.kind, &self.root) {
            (Some(dialect), Some(kind), Some(root)) => patched_kind(dialect, kind, root),
            _ => None,
        };
    }

    /// The path from the document's root to the cursor.
    #[must_use]
    pub fn path(&self) -> Vec<place::PathStep<'_>> {
        table_path(&self.location.path)
    }

    /// The value at the end of the path, if there is one.
    #[must_use]
    pub fn value(&self) -> Option<&SpannedValue<'s>> {
        let root = self.root.as_ref()?;
        self.path().into_iter().try_fold(root, place::part)
    }

    /// The type of the innermost value around the cursor that the table describes, and the number of steps to it. The
    /// parts of a localized text or a schema depend on that type.
    #[must_use]
    pub fn leaf_around(&self) -> Option<(Type, usize)> {
        let path = self.path();
        let kind = self.kind?;
        (0..=path.len()).rev().find_map(|steps| {
            let above = path.get(..steps)?;
            let expected = place::expected(kind, self.patched, self.root.as_ref(), above);
            expected.first().map(|expectation| (expectation.ty, steps))
        })
    }

    /// The graph around the cursor, with its index among the document's graphs.
    #[must_use]
    pub fn graph(&self) -> Option<(usize, &'s Graph, &'s GraphFacts)> {
        let effective = self.document?.effective.as_ref()?;
        let around = self.around();
        let mut graphs = effective.graphs().enumerate();
        let (position, (graph, facts)) =
            graphs.find(|(_, (graph, _))| around.iter().any(|value| graph.head == value.head()))?;
        Some((position, graph, facts))
    }

    /// The node of a graph around the cursor, with its index in the graph.
    #[must_use]
    pub fn node(&self) -> Option<(usize, &'s GraphNode)> {
        let (_, graph, _) = self.graph()?;
        let around = self.around();
        let mut nodes = graph.nodes.iter().enumerate();
        nodes.find(|(_, node)| around.iter().skip(1).any(|value| node.head == value.head()))
    }

    /// The values around the cursor, starting with the document's root.
    #[must_use]
    pub fn around(&self) -> Vec<&SpannedValue<'s>> {
        let mut around: Vec<&SpannedValue<'s>> = self.root.iter().collect();
        for step in self.path() {
            let Some(below) = around.last().and_then(|value| place::part(value, step)) else { break };
            around.push(below);
        }
        around
    }

    /// The text of the cursor's line before the cursor.
    #[must_use]
    pub fn line_before(&self) -> &'s str {
        let end = usize::from(self.position.offset).min(self.file.text.len());
        let before = self.file.text.get(..end).unwrap_or_default();
        before.rsplit('\n').next().unwrap_or_default()
    }

    fn read_table(&mut self) {
        self.read_patched();
        let Some(kind) = self.kind else { return };
        let path = table_path(&self.location.path);
        let root = self.root.as_ref();
        // A word that may become a key says nothing about the value.
        let is_begun = matches!(self.location.place, Place::Either { .. });
        let expected = match is_begun {
            true => place::expected_anew(kind, self.patched, root, &path),
            false => place::expected(kind, self.patched, root, &path),
        };
        let mut keys = match self.location.key() {
            Some(_) => place::keys(&expected, self.value()),
            None => Vec::new(),
        };
        if self.location.key().is_some() && path.is_empty() {
            keys.extend(self.patched.map(|kind| Keys::Patched(&kind.shape)));
        }
        let is_value = self.location.value().is_some();
        self.expected = if is_value { expected } else { Vec::new() };
        self.keys = keys;
    }

    fn expression_at_cursor(&self) -> Option<ExpressionSpot> {
        let value = self.location.value()?;
        let language = self.expected.iter().find_map(|expectation| match expectation.ty {
            Type::Expression(language) | Type::Condition(language) => Some(language),
            _ => None,
        })?;
        let scalar = value.node.and_then(|node| self.file.tree().node(node)?.as_scalar());
        let mut text = scalar.map(|scalar| scalar.cooked().into_owned()).unwrap_or_default();
        let mut offset = match scalar {
            Some(_) => value.cooked_offset?,
            None => 0,
        };
        let mut range = value.typed;
        // A plain scalar in YAML ends before trailing spaces. For the person who types, they belong to the expression.
        if value.style == Some(ScalarStyle::Plain) {
            let blanks = self.blanks_behind(range.end());
            if !blanks.is_empty() {
                text.push_str(blanks);
                offset = text.len();
                range = TextRange::new(range.start(), self.position.offset);
            }
        }
        Some(ExpressionSpot { language, text, offset, node: value.node, range })
    }

    /// The text from an offset to the cursor if it contains only spaces, else empty.
    fn blanks_behind(&self, start: TextSize) -> &'s str {
        let between = self.file.text.get(usize::from(start)..usize::from(self.position.offset));
        between.filter(|text| text.bytes().all(|byte| matches!(byte, b' ' | b'\t'))).unwrap_or_default()
    }
}

impl ExpressionSpot {
    /// The place in the file of a range of the expression's text.
    #[must_use]
    pub fn place(&self, file: &FileFacts, range: TextRange) -> TextRange {
        let scalar = self.node.and_then(|node| file.tree().node(node)?.as_scalar());
        match scalar {
            Some(scalar) => {
                let cooked = scalar.cooked_with_map();
                let (map, end) = (cooked.map, cooked.text.len());
                // Spaces between a plain scalar and the cursor are the same in the source.
                let source = |offset: usize| {
                    let behind = TextSize::try_from(offset.saturating_sub(end)).unwrap_or_default();
                    map.source_offset(offset.min(end)) + behind
                };
                match (range.is_empty(), usize::from(range.end()) > end) {
                    (true, _) => TextRange::empty(source(range.start().into())),
                    (false, true) => TextRange::new(source(range.start().into()), source(range.end().into())),
                    (false, false) => map.source_range(range.into()),
                }
            }
            None => TextRange::empty(self.range.start()),
        }
    }
}

/// The systems of the project's files.
#[must_use]
pub fn used_dialects(snapshot: &Snapshot) -> Vec<&'static Dialect> {
    let mut used: Vec<&'static Dialect> = Vec::new();
    for file in snapshot.files() {
        if let Ownership::Ours(dialect) = file.ownership
            && dialect.specification.is_some()
            && used.iter().all(|known| known.id != dialect.id)
        {
            used.push(dialect);
        }
    }
    used
}

/// The nearest character boundary at or before the offset.
fn floor(text: &str, offset: TextSize) -> TextSize {
    let mut at = usize::from(offset).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    TextSize::try_from(at).unwrap_or(offset)
}

/// Steps of the tree as steps of the table.
#[must_use]
pub fn table_path(path: &[TreeStep]) -> Vec<place::PathStep<'_>> {
    fn step(step: &TreeStep) -> place::PathStep<'_> {
        match step {
            TreeStep::Key { text, .. } => place::PathStep::Key(text),
            TreeStep::Item { index, .. } => place::PathStep::Item(*index),
        }
    }
    path.iter().map(step).collect()
}

/// The dialect and kind of a document. If it is not recognised, those that it resembles.
fn whose(
    file: &FileFacts,
    document: Option<&DocumentFacts>,
    root: Option<&SpannedValue<'_>>,
) -> (Option<&'static Dialect>, Option<&'static Kind>) {
    let owner = match (file.ownership, file.settings.dialect) {
        (Ownership::Ours(dialect), _) => Some(dialect),
        (_, Pin::Dialect(id)) => DIALECTS.iter().copied().find(|dialect| dialect.id == id),
        _ => None,
    };
    if let Some(DocumentFacts { role: DocumentRole::Kind(kind), .. }) = document {
        return (owner, Some(kind));
    }
    if file.settings.dialect == Pin::None {
        return (None, None);
    }
    let likely = root.and_then(|root| resembled(owner, root));
    (owner.or(likely.map(|(dialect, _)| dialect)), likely.map(|(_, kind)| kind))
}

/// The kind with most of a document's keys. More than half of its keys must belong to the kind.
fn resembled(
    owner: Option<&'static Dialect>,
    root: &SpannedValue<'_>,
) -> Option<(&'static Dialect, &'static Kind)> {
    let members = root.as_map()?;
    let mut best: Option<(usize, &'static Dialect, &'static Kind)> = None;
    let dialects = DIALECTS.iter().copied();
    let deciding =
        DIALECTS.iter().find_map(|dialect| dialect.discriminator().filter(|key| root.get(key).is_some()));
    for dialect in dialects.filter(|dialect| owner.is_none_or(|owner| owner.id == dialect.id)) {
        let key = dialect.discriminator();
        // If a word decides the kind, only systems with that word can match.
        if key.is_none() && deciding.is_some() {
            continue;
        }
        let word = key.and_then(|key| root.get(key)?.value.as_text());
        if key.is_some() && word.is_none() && owner.is_none() {
            continue;
        }
        for kind in dialect.kinds {
            let known = members.iter().filter(|member| kind.shape.field(&member.key).is_some()).count();
            let is_named = word.is_some_and(|word| word.eq_ignore_ascii_case(kind.name));
            let score = known + if is_named { members.len() } else { 0 };
            let is_enough =
                known * 2 > members.len() && (known >= RESEMBLANCE_MIN || is_named || owner.is_some());
            if is_enough && best.is_none_or(|(so_far, ..)| score > so_far) {
                best = Some((score, dialect, kind));
            }
        }
    }
    best.map(|(_, dialect, kind)| (dialect, kind))
}

#[cfg(test)]
mod tests {
    use nodewise_dialect::place::Keys;
    use nodewise_dialect::table::Type;

    use super::CursorContext;
    use crate::testing::project_at_cursor;

    /// Describes what is possible at the cursor: keys by their shape, values by their field.
    fn check_spot(fixture: &str, expected: &str) {
        let (snapshot, position) = project_at_cursor(fixture);
        let spot = CursorContext::at(&snapshot, position).unwrap();
        let mut parts: Vec<String> = Vec::new();
        parts.extend(spot.kind.map(|kind| kind.name.to_owned()));
        parts.extend(spot.keys.iter().map(|keys| match keys {
            Keys::Shape(shape) => format!("keys of {}", shape.name),
            Keys::Patched(shape) => format!("patched keys of {}", shape.name),
            Keys::Undecided(variant) => format!("keys of any {}", variant.name),
            Keys::Free(..) => "free keys".to_owned(),
        }));
        parts.extend(spot.expected.iter().map(|expectation| {
            let key = expectation.slot.map_or("the document", |slot| slot.field.key);
            match expectation.ty {
                Type::List(_) => format!("a list for {key}"),
                Type::Object(_) => format!("a mapping for {key}"),
                _ => format!("a value for {key}"),
            }
        }));
        parts.extend(spot.graph().map(|(position, ..)| format!("graph {position}")));
        parts.extend(spot.node().map(|(position, _)| format!("node {position}")));
        parts
            .extend(spot.expression.map(|expression| format!("`{}`@{}", expression.text, expression.offset)));
        assert_eq!(parts.join(", "), expected);
    }

    #[test]
    fn liman() {
        check_spot("kind: LLMNode\nname: a\n$0", "LLMNode, keys of LLMNode");
        check_spot("kind: LLMNode\nname: a\nno$0", "LLMNode, keys of LLMNode");
        check_spot("kind: LLMNode\nname: a\ntools: [b, $0]\n", "LLMNode, a value for tools");
        check_spot(
            "kind: LLMNode\nname: a\nnodes:\n  - $0\n",
            "LLMNode, keys of Edge, a value for nodes, a mapping for nodes",
        );
        check_spot("kind: LLMNode\nname: a\nnodes:\n  - target: b\n    $0\n", "LLMNode, keys of Edge");
        check_spot(
            "kind: LLMNode\nname: a\nnodes:\n  - target: b\n    when: a an$0d b\n",
            "LLMNode, a value for when, `a and b`@4",
        );
        check_spot(
            "kind: LLMNode\nname: a\nnodes:\n  - target: b\n    when: $0\n",
            "LLMNode, a value for when, ``@0",
        );
        check_spot("kind: Overlay\nto: LLMNode:a\n$0", "Overlay, keys of Overlay, patched keys of LLMNode");
        check_spot("kind: llmnode\nname: a\n$0", "LLMNode, keys of LLMNode");
        check_spot("apiVersion: v1\nkind: Pod\n$0", "");
    }

    #[test]
    fn cycgraph() {
        let graph = "id: g\nname: G\ndescription: ''\nstart_node: a\nnodes:\n  - id: a\n    type: agent\n";
        check_spot(&format!("{graph}    read_keys: [$0]\n"), "Graph, a value for read_keys, graph 0, node 0");
        check_spot(&format!("{graph}    $0\n"), "Graph, keys of GraphNode, graph 0, node 0");
        check_spot("name: G\ndescription: ''\n$0", "Graph, keys of Graph");
        check_spot(
            &format!(
                "{graph}edges:\n  - source: a\n    target: a\n    condition: {{type: conditional, condition: \"memory.$0\"}}\n"
            ),
            "Graph, a value for condition, graph 0, `memory.`@7",
        );
    }

    #[test]
    fn agentos() {
        let graph = "id: g\nnodes:\n  - id: a\n    type: tool\n    executorConfig:\n";
        check_spot(
            &format!("{graph}      type: $0\n"),
            "CompiledExecutionGraph, a value for type, graph 0, node 0",
        );
        check_spot(
            &format!("{graph}      type: router\n      condition: {{$0}}\n"),
            "CompiledExecutionGraph, keys of any GraphCondition, graph 0, node 0",
        );
    }
}
