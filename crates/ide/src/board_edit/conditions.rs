//! The condition of an edge. In: the edge, and the condition as text. Out: the edits that write it, also the words that
//! make it count, or take it out.

use nodewise_diagram::view::{EdgeKind, EdgeView};
use nodewise_dialect::table::{Beside, Field, Shape, Type};
use nodewise_model::Origin;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue};
use nodewise_syntax::{Entry, Mapping, ScalarStyle};

use super::edge_text::{EdgeKeys, condition_value, expression};
use super::graph_text::{GraphText, is_json};
use super::names::text_edit;
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, Edited, GraphId, unwritable};
use crate::graph::declared::{END, START};

/// Sets or removes the condition of an edge.
pub(super) fn set(
    copy: &mut WorkingCopy<'_>,
    graph: GraphId,
    edge: &EdgeView,
    condition: Option<&str>,
) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    if condition.is_some() && edge.from == START {
        return Err(BoardRefusal::new(
            "An edge from the start is always followed, so it takes no condition.",
        ));
    }
    let (Some(at), true) = (edge.at, text.edge(edge.at).is_some()) else {
        return Err(BoardRefusal::new(match edge.to.as_str() {
            END => format!(
                "A run that comes to `{}` always ends there, so this edge takes no condition.",
                edge.from
            ),
            _ => format!("Only `{}` decides about this edge, so it takes no condition.", edge.from.trim()),
        }));
    };
    if !matches!(edge.kind, EdgeKind::Always | EdgeKind::Conditional) {
        return Err(BoardRefusal::new(
            "This edge is decided in another way than by a condition. Change its type in the text first.",
        ));
    }
    match condition {
        Some(condition) => write(copy, graph, at, condition),
        None => remove(copy, graph, at),
    }
}

/// The place of an edge after a step: its first byte stays where it is.
fn moved(copy: &WorkingCopy<'_>, graph: GraphId, at: Origin) -> Result<Origin, BoardRefusal> {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let mut edges = text.graph.edges.iter().map(|edge| edge.at);
    edges.find(|edge| edge.range.start() == at.range.start()).ok_or_else(unwritable)
}

fn write(copy: &mut WorkingCopy<'_>, graph: GraphId, at: Origin, condition: &str) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let list = text.edges()?;
    let keys = EdgeKeys::of(list.item)?;
    let mapping = list.mapping(at)?;
    if let Some(edits) = word_edits(&text, mapping, keys.condition.beside)? {
        copy.apply(at.source, edits)?;
        let at = moved(copy, graph, at)?;
        return write(copy, graph, at, condition);
    }
    let field = keys.condition;
    let value = condition_value(field.ty, condition).ok_or_else(unwritable)?;
    let Some(entry) = mapping.get(field.key) else {
        let place = behind_word(mapping, field);
        return copy.apply(at.source, text.writer().insert_entry(mapping, place, field.key, &value));
    };
    let inner = entry.value().and_then(|node| node.as_mapping());
    match (inner, inner.and_then(|inner| fitting(field.ty, inner))) {
        (Some(inner), Some((_, expression))) => {
            if let Some(edits) = word_edits(&text, inner, expression.beside)? {
                copy.apply(at.source, edits)?;
                let at = moved(copy, graph, at)?;
                return write(copy, graph, at, condition);
            }
            let edits = match inner.get(expression.key) {
                Some(entry) => scalar_edits(&text, inner, entry, condition)?,
                None => {
                    let value = NewValue::text(condition);
                    text.writer().insert_entry(inner, MemberPosition::Last, expression.key, &value)
                }
            };
            copy.apply(at.source, edits)
        }
        _ if matches!(field.ty, Type::Condition(_) | Type::Expression(_)) => {
            copy.apply(at.source, scalar_edits(&text, mapping, entry, condition)?)
        }
        _ => copy.apply(at.source, text.writer().set_value(mapping, entry, &value)),
    }
}

/// The shape of a written condition that has an expression.
fn fitting(ty: Type, written: Mapping<'_>) -> Option<(&'static Shape, &'static Field)> {
    let (shape, field) = expression(ty)??;
    let Type::Variant(variant) = ty else { return Some((shape, field)) };
    let word = written.get(variant.key)?.value()?.as_scalar()?.cooked().into_owned();
    let case = variant.case(&word)?;
    std::ptr::eq(&raw const case.shape, shape).then_some((shape, field))
}

/// The edits that write the word that a key needs next to it to have an effect. `None` if it is already written.
fn word_edits(
    text: &GraphText<'_>,
    mapping: Mapping<'_>,
    beside: Option<Beside>,
) -> Result<Option<Vec<TextEdit>>, BoardRefusal> {
    let Some(Beside { key, words: [word, ..] }) = beside else { return Ok(None) };
    let words = beside.map_or(&[][..], |beside| beside.words);
    let Some(entry) = mapping.get(key) else {
        let value = NewValue::text(*word);
        return Ok(Some(writer_of(text, mapping, |writer, mapping| {
            writer.insert_entry(mapping, MemberPosition::First, key, &value)
        })));
    };
    let written = entry.value().and_then(|node| node.as_scalar());
    if written.is_some_and(|scalar| words.contains(&scalar.cooked().as_ref())) {
        return Ok(None);
    }
    scalar_edits(text, mapping, entry, word).map(Some)
}

fn writer_of<'t>(
    text: &GraphText<'_>,
    mapping: Mapping<'t>,
    edit: impl FnOnce(&nodewise_syntax::write::Writer<'t>, Mapping<'t>) -> Vec<TextEdit>,
) -> Vec<TextEdit> {
    edit(&nodewise_syntax::write::Writer::new(mapping.node().tree(), is_json(text.file)), mapping)
}

/// The edits that write another text as the value of an entry.
fn scalar_edits(
    text: &GraphText<'_>,
    mapping: Mapping<'_>,
    entry: Entry<'_>,
    value: &str,
) -> Result<Vec<TextEdit>, BoardRefusal> {
    let is_line = |style: ScalarStyle| !matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
    let node = entry.value().filter(|node| node.as_scalar().is_some_and(|scalar| is_line(scalar.style())));
    if let Some(node) = node {
        let is_block_plain =
            !mapping.is_flow() && node.as_scalar().is_some_and(|scalar| scalar.style() == ScalarStyle::Plain);
        if !is_block_plain {
            return Ok(vec![text_edit(node, value, is_json(text.file))?]);
        }
    }
    let value = NewValue::text(value);
    Ok(writer_of(text, mapping, |writer, mapping| {
        let entry = entry.key_text().and_then(|key| mapping.get(&key));
        entry.map(|entry| writer.set_value(mapping, entry, &value)).unwrap_or_default()
    }))
}

/// Where a new condition goes: after the word that it needs next to it, or at the end.
fn behind_word(mapping: Mapping<'_>, field: &Field) -> MemberPosition {
    let key = field.beside.map(|beside| beside.key);
    let is_word = |entry: Entry<'_>| entry.key_text().as_deref() == key;
    mapping.entries().position(is_word).map_or(MemberPosition::Last, MemberPosition::Behind)
}

fn remove(copy: &mut WorkingCopy<'_>, graph: GraphId, at: Origin) -> Edited {
    let now = copy.now();
    let text = GraphText::of(&now, graph)?;
    let list = text.edges()?;
    let keys = EdgeKeys::of(list.item)?;
    let mapping = list.mapping(at)?;
    let is_condition = |entry: Entry<'_>| entry.key_text().as_deref() == Some(keys.condition.key);
    if let Some(index) = mapping.entries().position(is_condition) {
        copy.apply(at.source, text.writer().remove_entry(mapping, index))?;
        let at = moved(copy, graph, at)?;
        return remove(copy, graph, at);
    }
    let beside = keys.condition.beside.and_then(|beside| mapping.get(beside.key));
    let field = keys.condition.beside.and_then(|beside| keys.shape.field(beside.key));
    if let (Some(entry), Some(field)) = (beside, field)
        && let Type::Word(words) = field.ty
        && let Some(word) = keys.plain_word(field, words)
    {
        let written = entry.value().and_then(|node| node.as_scalar());
        if written.is_none_or(|scalar| scalar.cooked() != word) {
            copy.apply(at.source, scalar_edits(&text, mapping, entry, word)?)?;
        }
    }
    Ok(())
}
