//! A name of a node where the text refers to it. In: its place. Out: the edits that write another name there, or take it
//! out with its key or its item.

use nodewise_dialect::place::PathStep;
use nodewise_dialect::table::{Field, Needed, Required, Type};
use nodewise_dialect::value::SpannedValue;
use nodewise_model::Origin;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{NewValue, ScalarPosition, scalar_like};
use nodewise_syntax::{ScalarStyle, SyntaxNode};

use super::graph_text::{is_json, writer};
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, Edited, unwritable};
use crate::actions::chain::{self, PathValue};
use crate::cursor_context::CursorContext;
use crate::position::FilePosition;

/// Replaces a name with another text.
pub(super) fn set_name(copy: &mut WorkingCopy<'_>, at: Origin, text: &str) -> Edited {
    let now = copy.now();
    let spot =
        CursorContext::at(&now, FilePosition::new(at.source, at.range.start())).ok_or_else(unwritable)?;
    let links = chain::links(&spot);
    let node = links.last().and_then(|link| link.node(spot.file.tree())).ok_or_else(unwritable)?;
    copy.apply(at.source, vec![text_edit(node, text, is_json(spot.file))?])
}

/// The edit that replaces the text of a scalar and keeps its quotes.
pub(super) fn text_edit(node: SyntaxNode<'_>, text: &str, is_json: bool) -> Result<TextEdit, BoardRefusal> {
    let scalar = node.as_scalar().ok_or_else(unwritable)?;
    if matches!(scalar.style(), ScalarStyle::Literal | ScalarStyle::Folded) {
        return Err(unwritable());
    }
    let position = if is_json { ScalarPosition::Json } else { ScalarPosition::Flow };
    Ok(TextEdit { range: node.range(), text: scalar_like(scalar, text, position) })
}

/// Removes a name, with its item or key. `what` is the noun for the message if the graph needs it.
pub(super) fn remove_name(copy: &mut WorkingCopy<'_>, at: Origin, what: &str) -> Edited {
    let now = copy.now();
    let edits = removal(&now, at, what)?;
    copy.apply(at.source, edits)
}

fn removal(
    now: &nodewise_analysis::workspace::Snapshot,
    at: Origin,
    what: &str,
) -> Result<Vec<TextEdit>, BoardRefusal> {
    let spot =
        CursorContext::at(now, FilePosition::new(at.source, at.range.start())).ok_or_else(unwritable)?;
    if spot.expression.is_some() {
        let line = spot.file.line(at.range.start());
        return Err(BoardRefusal::new(format!(
            "A condition in line {line} names {what}. Change the condition first."
        )));
    }
    let links = chain::links(&spot);
    let [.., above, last] = links.as_slice() else { return Err(unwritable()) };
    let field = last.slot.map(|slot| slot.field);
    let line = spot.file.line(at.range.start());
    let is_needed = || {
        let key = field.map_or("", |field| field.key);
        BoardRefusal::new(format!(
            "`{key}` in line {line} must name a node, and it names {what}. Let it name another node first."
        ))
    };
    match last.step {
        Some(PathStep::Key(key)) => match field.filter(|field| field.key == key) {
            Some(field) if must_be_there(field, above.value) => Err(is_needed()),
            _ => remove_key(&spot, above, key),
        },
        Some(PathStep::Item(index)) => {
            let sequence = above.sequence(spot.file.tree()).ok_or_else(unwritable)?;
            let count = sequence.items().count();
            if field.is_some_and(|field| least(field.ty) >= count) {
                return Err(is_needed());
            }
            if count > 1 {
                return Ok(writer(spot.file).remove_item(sequence, index));
            }
            let [.., parent, _, _] = links.as_slice() else { return Err(unwritable()) };
            let key = above.key().ok_or_else(unwritable)?;
            let owner = links.get(links.len() - 2).and_then(|list| list.slot).map(|slot| slot.field);
            match owner.is_some_and(|field| field.key == key && !must_be_there(field, parent.value)) {
                true => remove_key(&spot, parent, key),
                false => {
                    let mapping = parent.mapping(spot.file.tree()).ok_or_else(unwritable)?;
                    let entry = mapping.get(key).ok_or_else(unwritable)?;
                    Ok(writer(spot.file).set_value(mapping, entry, &NewValue::Sequence(Vec::new())))
                }
            }
        }
        None => Err(unwritable()),
    }
}

fn remove_key(
    spot: &CursorContext<'_>,
    owner: &PathValue<'_, '_>,
    key: &str,
) -> Result<Vec<TextEdit>, BoardRefusal> {
    let mapping = owner.mapping(spot.file.tree()).ok_or_else(unwritable)?;
    let is_meant = |entry: nodewise_syntax::Entry<'_>| entry.key_text().as_deref() == Some(key);
    let index = mapping.entries().position(is_meant).ok_or_else(unwritable)?;
    Ok(writer(spot.file).remove_entry(mapping, index))
}

/// Whether a key is required, given the other keys of its mapping.
fn must_be_there(field: &Field, owner: &SpannedValue<'_>) -> bool {
    let has = |key: &str| owner.get(key).is_some();
    let is_required = match field.required {
        Required::No => false,
        Required::Yes => true,
        Required::Unless(other) => !has(other),
    };
    let is_needed = match field.needed {
        Needed::Never => false,
        Needed::Beside(beside) => {
            let word = owner.get(beside.key).and_then(|member| member.value.as_text());
            word.is_some_and(|word| beside.words.contains(&word))
        }
        Needed::Without(others) => !others.iter().any(|other| has(other)),
    };
    is_required || is_needed
}

/// The minimum number of items of a list.
fn least(ty: Type) -> usize {
    match ty {
        Type::Sized(_, bounds) => bounds.min,
        _ => 0,
    }
}
