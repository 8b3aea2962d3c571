//! New nodes. In: the kind and the name. Out: a value with what the kind needs, and the kinds to choose from. What only
//! the author can know is taken from the node before, if it has the same kind.

use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{
    Dialect, Field, KindRole, NameUse, Needed, Required, Shape, Symbol, Type, Word,
};
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::graph::GraphNode;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::Mapping;
use nodewise_syntax::write::NewValue;

use super::graph_text::GraphText;
use super::{BoardRefusal, GraphId, NewNode};
use crate::actions::skeleton::Skeleton;
use crate::graph::{graph_at, graph_place, is_node};
use crate::names::document;
use crate::position::FilePosition;

/// The kinds of nodes that can be added to a graph, and an unused name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeChoices {
    /// The kinds, the simplest first.
    pub kinds: Vec<NodeKindChoice>,
    /// A name that no node of the graph has.
    pub name: String,
}

/// A kind of nodes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeKindChoice {
    pub word: &'static str,
    /// What such a node does.
    pub doc: &'static str,
}

/// What can be added to the graph at a position.
#[must_use]
pub fn node_choices(snapshot: &Snapshot, position: FilePosition) -> Option<NodeChoices> {
    let (id, part) = graph_place(snapshot, position)?;
    let view = graph_at(snapshot, position)?;
    let taken = |name: &str| view.nodes.iter().any(|node| node.label == name);
    let mut names =
        std::iter::once("new_node".to_owned()).chain((2..).map(|number| format!("new_node_{number}")));
    let name = names.find(|name| !taken(name))?;
    let kinds = if is_node(snapshot, id) {
        let nodewise_analysis::facts::Ownership::Ours(dialect) = snapshot.file(id.source)?.ownership else {
            return None;
        };
        let is_kind = |kind: &&nodewise_dialect::table::Kind| matches!(kind.role, KindRole::Node(_));
        let kinds = dialect.kinds.iter().filter(is_kind);
        kinds.map(|kind| NodeKindChoice { word: kind.name, doc: kind.shape.doc }).collect()
    } else {
        document(snapshot, id)?;
        let text = GraphText::of(snapshot, GraphId { document: id, part }).ok()?;
        let (_, words) = kind_field(text.nodes().ok()?.item)?;
        let mut words: Vec<&Word> = words.iter().collect();
        words.arrange_by_key(|word| text.dialect.plain_node != Some(word.text));
        words.into_iter().map(|word| NodeKindChoice { word: word.text, doc: word.doc }).collect()
    };
    Some(NodeChoices { kinds, name })
}

/// Checks that a new node can have this name.
pub(super) fn check_name(snapshot: &Snapshot, id: GraphId, name: &str) -> Result<(), BoardRefusal> {
    let text = GraphText::of(snapshot, id)?;
    let conventions = text.graph.conventions;
    check_letters(name)?;
    if text.graph.node(name).is_some() {
        return Err(taken(name));
    }
    if conventions.is_reserved(name) {
        return Err(BoardRefusal::new(format!(
            "`{name}` is a reserved name for the start or the end of a run. Choose another name."
        )));
    }
    Ok(())
}

/// Checks that a name has no invisible characters.
pub(super) fn check_letters(name: &str) -> Result<(), BoardRefusal> {
    match name.is_empty() || name.trim() != name || name.contains(char::is_control) {
        true => Err(BoardRefusal::new("A name needs a letter, and cannot begin or end with a space.")),
        false => Ok(()),
    }
}

pub(super) fn taken(name: &str) -> BoardRefusal {
    BoardRefusal::new(format!("A node `{name}` already exists. Choose another name."))
}

/// The key of a node's kind, and the words for kinds.
fn kind_field(shape: &'static Shape) -> Option<(&'static Field, &'static [Word])> {
    shape.fields.iter().find_map(|field| match field.ty {
        Type::Word(words) if field.required == Required::Yes => Some((field, words)),
        _ => None,
    })
}

/// A new node of a graph. `like` is a node that may have the same kind.
pub(super) fn node_value(
    text: &GraphText<'_>,
    shape: &'static Shape,
    node: &NewNode,
    like: Option<&GraphNode>,
) -> Result<NewValue, BoardRefusal> {
    let unknown = || BoardRefusal::new(format!("`{}` is no kind of node.", node.kind));
    let (kind, words) = kind_field(shape).ok_or_else(unknown)?;
    if !words.iter().any(|word| word.text == node.kind) {
        return Err(unknown());
    }
    let model = like.and_then(|like| text.nodes().ok()?.mapping(like.at).ok());
    let is_like = |model: &Mapping<'_>| word_of(*model, kind.key).as_deref() == Some(node.kind.as_str());
    let model = model.filter(is_like);
    let other_name = format!("{}_worker", node.name);
    let skeleton_for = |ty: Type| {
        let name = if names_node(ty) { &other_name } else { &node.name };
        Skeleton { dialect: text.dialect, name, kind: None }
    };
    let entry = |field: &'static Field| {
        let is_needed = match field.needed {
            Needed::Beside(beside) => beside.key == kind.key && beside.words.contains(&node.kind.as_str()),
            Needed::Never | Needed::Without(_) => false,
        };
        if field.required != Required::Yes && !is_needed {
            return None;
        }
        let value = match field.ty {
            _ if field.key == kind.key => NewValue::text(node.kind.as_str()),
            Type::Symbol(Symbol::Node, NameUse::Declares) => NewValue::text(node.name.as_str()),
            ty => {
                let copied = model.and_then(|model| NewValue::of(model.get(field.key)?.value()?));
                copied.unwrap_or_else(|| settings(&skeleton_for(ty), ty, kind.key, &node.kind))
            }
        };
        Some((field.key, value))
    };
    Ok(NewValue::mapping(shape.fields.iter().filter_map(entry)))
}

/// The settings that a kind requires. Settings in variants contain the word of the kind.
fn settings(skeleton: &Skeleton<'_>, ty: Type, key: &str, word: &str) -> NewValue {
    let Type::Variant(variant) = ty else { return skeleton.field(ty) };
    let Some(case) = variant.case(word) else { return skeleton.field(ty) };
    let NewValue::Mapping(mut entries) = skeleton.shape(&case.shape) else { return skeleton.field(ty) };
    for (_, value) in entries.iter_mut().filter(|(entry, _)| entry == variant.key || entry == key) {
        *value = NewValue::text(word);
    }
    NewValue::Mapping(entries)
}

/// Whether settings must name another node, which the author still has to add.
fn names_node(ty: Type) -> bool {
    let is_name = |field: &Field| {
        let is_node = matches!(field.ty, Type::Symbol(Symbol::Node, NameUse::Refers));
        is_node && field.required == Required::Yes
    };
    matches!(ty, Type::Object(shape) if shape.fields.iter().any(is_name))
}

fn word_of(mapping: Mapping<'_>, key: &str) -> Option<String> {
    Some(mapping.get(key)?.value()?.as_scalar()?.cooked().into_owned())
}

/// The dialect and the kind of a document that declares a node.
pub(super) fn document_kind(
    dialect_id: &str,
    word: &str,
) -> Result<(&'static Dialect, &'static nodewise_dialect::table::Kind), BoardRefusal> {
    let dialect = DIALECTS.iter().copied().find(|dialect| dialect.id == dialect_id);
    let kind = dialect.and_then(|dialect| Some((dialect, dialect.kind(word)?)));
    let kind = kind.filter(|(_, kind)| matches!(kind.role, KindRole::Node(_)));
    kind.ok_or_else(|| BoardRefusal::new(format!("`{word}` is no kind of node.")))
}
