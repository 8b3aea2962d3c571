//! Names, operators and functions inside expressions. In: the expression at the cursor, and the items that its language
//! allows there. Out: items with edits that respect quotes and block scalars. The vocabulary of a language comes from
//! `expr`; the names come from the graph and the project.

use nodewise_dialect::table::Language;
use nodewise_expr::assist::{Wanted, expected, fitting};
use nodewise_expr::language::StateAccess;
use nodewise_expr::value::Value;
use nodewise_expr::vocabulary::{EntryKind, VocabularyEntry};
use nodewise_syntax::TextSize;
use smol_str::SmolStr;

use super::docs::Handle;
use super::fragment::Fragment;
use super::offer::{Body, Offer, Offers};
use super::outline::{Outline, unfilled};
use super::schema::{ENUM, PROPERTIES, TYPE};
use super::state::{StateKey, artifact_keys, partition_keys, readable, scratch_keys};
use super::writing::replacing;
use super::{Answer, ItemKind, errors, functions, graph, symbols};
use crate::cursor_context::{CursorContext, ExpressionSpot};

/// The maximum number of conditions in other documents that are searched for variables.
const CONDITIONS_MAX: usize = 500;

/// A name with a value.
const NAME: u8 = 0;
/// A value that the other side of a comparison can have.
const VALUE: u8 = 0;
/// Names of the graph or the project.
const ROOT: u8 = 1;
/// Functions and constants.
const WORD: u8 = 2;

/// Offers what is possible at a cursor inside an expression.
pub(super) fn complete(spot: &CursorContext<'_>, answer: &mut Answer) {
    let Some(expression) = &spot.expression else { return };
    let offset = TextSize::try_from(expression.offset).unwrap_or_default();
    let expected = expected(expression.language, &expression.text, offset);
    let Some(fragment) = Fragment::new(spot, expression, expected.replace) else { return };
    let names = Names { spot, expression };
    let mut offers = Offers::new(&expected.prefix);
    let (routes, others): (Vec<&Wanted>, Vec<&Wanted>) =
        expected.kinds.iter().partition(|wanted| matches!(wanted, Wanted::Route));
    for wanted in routes.into_iter().chain(others) {
        names.offer(wanted, &mut offers);
        for entry in fitting(expression.language, wanted) {
            offers.add(entry_offer(expression.language, entry, answer.options.snippets));
        }
    }
    let filter = (fragment.typed(spot) != expected.prefix.as_str()).then(|| fragment.typed(spot).to_owned());
    answer.add(offers, |offer| {
        let (text, is_snippet) = match &offer.body {
            Body::Outline(Outline::Fixed(snippet)) => (snippet.clone(), true),
            _ => (offer.label.clone(), false),
        };
        let reads_as = if is_snippet { unfilled(&text) } else { text.clone() };
        let written = fragment.write(&text, &reads_as)?;
        let mut item = replacing(offer, fragment.range, spot.position.offset, written);
        item.edit.is_snippet = is_snippet;
        item.filter.clone_from(&filter);
        Some(item)
    });
}

fn entry_offer(language: Language, entry: &VocabularyEntry, snippets: bool) -> Offer {
    let kind = match entry.kind {
        EntryKind::Root => ItemKind::State,
        EntryKind::Function | EntryKind::Method | EntryKind::Builtin => ItemKind::Function,
        EntryKind::Constant => ItemKind::Value,
        _ => ItemKind::Operator,
    };
    let tier = if entry.kind == EntryKind::Root { ROOT } else { WORD };
    let body = match &entry.snippet {
        Some(snippet) if snippets => Body::Outline(Outline::Fixed(snippet.clone())),
        _ => Body::Text(entry.name.to_owned()),
    };
    Offer { body, ..Offer::text(entry.name, kind, tier) }
        .with_detail(entry.signature.unwrap_or_default())
        .with_documentation(Handle::entry(language, entry))
}

/// The names for an expression.
struct Names<'s> {
    spot: &'s CursorContext<'s>,
    expression: &'s ExpressionSpot,
}

impl Names<'_> {
    fn offer(&self, wanted: &Wanted, offers: &mut Offers) {
        match wanted {
            Wanted::Operand { compared, .. } => {
                if let Some(path) = compared {
                    self.values(path, Some(self.quote()), offers);
                }
                self.roots(offers);
            }
            Wanted::Text { compared: Some(path), .. } => self.values(path, None, offers),
            Wanted::Member { path } => self.members(path, offers),
            Wanted::Argument { .. } => errors::offer(self.spot, offers),
            Wanted::Route => self.routes(offers),
            Wanted::FunctionPath { path } if path.is_empty() => functions::offer(self.spot.snapshot, offers),
            Wanted::FunctionPath { path } => {
                functions::offer_below(self.spot.snapshot, &path.join("."), offers);
            }
            _ => {}
        }
    }

    /// The beginnings of paths, and whole paths to readable values.
    fn roots(&self, offers: &mut Offers) {
        match self.expression.language.syntax().state {
            StateAccess::Variables => self.variables(offers),
            StateAccess::Parts(parts) => {
                for part in parts {
                    for key in self.keys(part) {
                        self.add_key(&format!("{part}.{}", key.name), key, offers);
                    }
                }
            }
            // The scripts of a path see its items, and no keys.
            StateAccess::Keys(root) if !self.expression.language.is_path() => {
                for key in self.memory() {
                    self.add_key(&format!("{root}.{}", key.name), key, offers);
                }
            }
            StateAccess::BareKeys => {
                for key in self.memory() {
                    let name = key.name.clone();
                    self.add_key(&name, key, offers);
                }
            }
            StateAccess::Keys(_) | StateAccess::OwnWrites | StateAccess::Value => {}
        }
    }

    /// The names after a dot.
    fn members(&self, path: &[SmolStr], offers: &mut Offers) {
        let keys = match (self.expression.language.syntax().state, path) {
            (StateAccess::Variables, path) => return self.parts_of_variables(path, offers),
            (StateAccess::Parts(_), [part]) => self.keys(part),
            (StateAccess::OwnWrites, []) => self.own_writes(),
            (StateAccess::Keys(known), [root]) if root == known => self.memory(),
            _ => Vec::new(),
        };
        for key in keys {
            let name = key.name.to_string();
            self.add_key(&name, key, offers);
        }
        if let Some(Value::Map(properties)) = self.schema(path).and_then(|schema| keyword(schema, PROPERTIES))
        {
            for (name, schema) in properties.iter() {
                if !offers.has(name) {
                    offers.add(
                        Offer::text(name.as_str(), ItemKind::State, NAME).with_detail(type_word(schema)),
                    );
                }
            }
        }
    }

    fn add_key(&self, label: &str, key: StateKey, offers: &mut Offers) {
        if !offers.has(label) {
            let documentation = Handle::state(self.spot, label);
            let offer = Offer::text(label, ItemKind::State, key.tier).with_detail(key.detail);
            offers.add(offer.with_documentation(documentation));
        }
    }

    /// The keys of a part of the state.
    fn keys(&self, part: &str) -> Vec<StateKey> {
        let Some((_, graph, facts)) = self.spot.graph() else { return Vec::new() };
        match &graph.conventions.parts {
            Some(parts) if part == parts.scratch => scratch_keys(graph, facts),
            Some(parts) if part == parts.artifacts => artifact_keys(graph, facts),
            _ => partition_keys(graph, |name| name == part),
        }
    }

    /// The keys of the memory.
    fn memory(&self) -> Vec<StateKey> {
        let graph = self.spot.graph();
        graph.map(|(_, graph, facts)| readable(self.spot, graph, facts)).unwrap_or_default()
    }

    /// The keys that the node around the cursor writes.
    fn own_writes(&self) -> Vec<StateKey> {
        let (Some((_, _, facts)), Some((position, _))) = (self.spot.graph(), self.spot.node()) else {
            return Vec::new();
        };
        let written = facts.access.get(position).into_iter().flat_map(|access| &access.writes);
        let key = |name: &SmolStr| StateKey { name: name.clone(), tier: NAME, detail: String::new() };
        written.map(key).collect()
    }

    /// The variables in conditions of the project.
    fn variables(&self, offers: &mut Offers) {
        self.for_each_path(|path, detail| {
            if let Some(root) = path.first().filter(|root| !offers.has(root)) {
                offers.add(Offer::text(root.as_str(), ItemKind::Variable, NAME).with_detail(detail));
            }
        });
    }

    /// The names after a path in conditions of the project.
    fn parts_of_variables(&self, above: &[SmolStr], offers: &mut Offers) {
        self.for_each_path(|path, detail| {
            let Some(next) = path.strip_prefix(above).and_then(|rest| rest.first()) else { return };
            if !offers.has(next) {
                offers.add(Offer::text(next.as_str(), ItemKind::Variable, NAME).with_detail(detail));
            }
        });
    }

    /// Calls `visit` with the paths in conditions of the project, those of this document first.
    fn for_each_path(&self, mut visit: impl FnMut(&[SmolStr], &str)) {
        let language = self.expression.language;
        let offset = self.spot.position.offset;
        let own = self.spot.file.source;
        let mut left = CONDITIONS_MAX;
        let others = self.spot.snapshot.files().iter().map(AsRef::as_ref).filter(|file| file.source != own);
        for file in std::iter::once(self.spot.file).chain(others) {
            let conditions = file.documents.iter().flat_map(|document| &document.conditions);
            for condition in conditions.filter(|condition| condition.language == language) {
                if file.source == own && condition.at.range.contains_inclusive(offset) {
                    continue;
                }
                let detail = if file.source == own { "in this document" } else { &*file.path };
                for path in language.paths(&condition.text) {
                    let names: Vec<SmolStr> =
                        path.segments.iter().map(|segment| SmolStr::new(&segment.name)).collect();
                    visit(&names, detail);
                }
                left -= 1;
                if left == 0 {
                    return;
                }
            }
        }
    }

    /// The nodes that a result can name.
    fn routes(&self, offers: &mut Offers) {
        let Some((_, graph, facts)) = self.spot.graph() else { return };
        let targets: Vec<&str> = match self.spot.node() {
            Some((position, _)) => {
                let edges = facts.outgoing(position).iter().filter_map(|edge| graph.edges.get(*edge));
                edges.filter_map(|edge| Some(edge.target.as_ref()?.name.value.as_str())).collect()
            }
            None => graph::ends_around(&symbols::of_graph(self.spot)).into_iter().skip(1).collect(),
        };
        let known = graph.nodes.iter().filter_map(|node| Some(node.id.as_ref()?.value.as_str()));
        for name in targets.iter().copied().chain(known.filter(|_| targets.is_empty())) {
            if !offers.has(name) {
                offers.add(Offer::text(name, ItemKind::Node, NAME).with_detail("routes to this node"));
            }
        }
    }

    /// The values that the schema of a path lists.
    fn values(&self, path: &[SmolStr], quote: Option<char>, offers: &mut Offers) {
        let listed = self.schema(path).and_then(|schema| keyword(schema, ENUM));
        let Some(Value::List(values)) = listed else { return };
        for value in values.iter() {
            let text = match (value, quote) {
                (Value::Text(text), Some(quote)) => format!("{quote}{text}{quote}"),
                (Value::Text(text), None) => text.to_string(),
                (Value::Bool(value), Some(_)) => value.to_string(),
                (Value::Number(number), Some(_)) => nodewise_dialect::value::number_text(*number),
                _ => continue,
            };
            let detail = format!("a value of `{}`", path.join("."));
            offers.add(Offer::text(text, ItemKind::Word, VALUE).with_detail(detail));
        }
    }

    /// The quote for texts in the language.
    fn quote(&self) -> char {
        self.expression.language.syntax().quote
    }

    /// The schema of the value of a path.
    fn schema(&self, path: &[SmolStr]) -> Option<&Value> {
        let (_, graph, _) = self.spot.graph()?;
        let (root, rest) = path.split_first()?;
        let (schema, rest) = match self.expression.language.syntax().state {
            StateAccess::Parts(_) => {
                let parts = &graph.state.as_ref()?.value;
                let part = parts.iter().find(|part| part.name.value == *root)?;
                (part.schema.as_ref()?, rest)
            }
            StateAccess::Keys(known) if root == known => {
                let (key, rest) = rest.split_first()?;
                let mut ports = graph.inputs.iter().chain(&graph.outputs).flatten();
                (ports.find(|port| port.key.value == *key)?.schema.as_ref()?, rest)
            }
            _ => return None,
        };
        rest.iter().try_fold(schema, |schema, name| match keyword(schema, PROPERTIES)? {
            Value::Map(properties) => properties.get(name),
            _ => None,
        })
    }
}

fn keyword<'v>(schema: &'v Value, word: &str) -> Option<&'v Value> {
    match schema {
        Value::Map(keywords) => keywords.get(word),
        _ => None,
    }
}

fn type_word(schema: &Value) -> String {
    match keyword(schema, TYPE) {
        Some(Value::Text(word)) => word.to_string(),
        _ => String::new(),
    }
}
