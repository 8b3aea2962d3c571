//! Edges of a graph whose nodes are separate documents. In: two nodes, or an edge of the view. Out: the edits of the lists
//! in the documents. An edge is a name in a list, or a mapping with a target and a condition.

use nodewise_analysis::facts::{DocumentId, FileFacts};
use nodewise_analysis::workspace::Snapshot;
use nodewise_diagram::view::{EdgeKind, EdgeView, GraphView, NodeRole};
use nodewise_dialect::place::PathStep;
use nodewise_dialect::table::{Field, Kind, Required, Shape, Type};
use nodewise_model::Origin;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue};
use nodewise_syntax::{Mapping, Sequence};

use super::graph_text::{is_json, writer};
use super::names::text_edit;
use super::working_copy::WorkingCopy;
use super::{BoardRefusal, EdgeEnd, Edited, unwritable};
use crate::actions::chain::{self, PathValue, is_edge, text_or};
use crate::actions::create::add_to_list;
use crate::actions::edges::{List, Name, edge_list, target_field};
use crate::cursor_context::CursorContext;
use crate::names::declaration;
use crate::position::FilePosition;

/// A node of the network: its kind and name, as in the ids of the view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NodeName {
    pub(super) kind: String,
    pub(super) name: String,
}

pub(super) struct NodeDocument<'s> {
    pub(super) file: &'s FileFacts,
    pub(super) kind: &'static Kind,
    pub(super) mapping: Mapping<'s>,
    pub(super) id: DocumentId,
}

/// The kind and name of a node of the view.
pub(super) fn named(view: &GraphView, id: &str) -> Result<NodeName, BoardRefusal> {
    let node = view.nodes.iter().find(|node| node.id == id && node.role == NodeRole::Node);
    let node = node.ok_or_else(|| super::unnamed(id.trim_start_matches('/')))?;
    Ok(NodeName { kind: node.kind.to_string(), name: node.label.to_string() })
}

impl<'s> NodeDocument<'s> {
    /// The document that declares a node.
    pub(super) fn of(snapshot: &'s Snapshot, node: &NodeName) -> Result<NodeDocument<'s>, BoardRefusal> {
        let documents = snapshot.files().iter().flat_map(|file| {
            let file = snapshot.file(file.source);
            file.into_iter().flat_map(|file| file.documents.iter().map(move |document| (file, document.id)))
        });
        let is_meant = |id: DocumentId| {
            declaration(snapshot, id).is_some_and(|found| {
                found.kind == node.kind && found.name.as_ref().is_some_and(|name| name.value == node.name)
            })
        };
        let mut found = documents.filter(|(_, id)| is_meant(*id));
        let (file, id) = found.next().ok_or_else(|| super::unnamed(&node.name))?;
        if found.next().is_some() {
            return Err(BoardRefusal::new(format!(
                "Several files declare {} `{}`. Give each its own name in the text first.",
                node.kind, node.name
            )));
        }
        let root = file.tree().documents().nth(id.position as usize).and_then(|document| document.root());
        let mapping = root.and_then(|root| root.as_mapping()).ok_or_else(unwritable)?;
        let kind = snapshot_kind(file, &node.kind).ok_or_else(unwritable)?;
        Ok(NodeDocument { file, kind, mapping, id })
    }

    /// The list in which the node can name another one: one that exists, or else the first one that is possible.
    fn list_for(&self, target: &NodeName) -> Option<List> {
        let lists: Vec<List> = self.kind.shape.fields.iter().filter_map(edge_list).collect();
        let accepts = |list: &&List| list.name.scope().kinds.contains(&target.kind.as_str());
        let is_there = |list: &&List| self.mapping.get(list.field.key).is_some();
        let is_excluded = |list: &&List| {
            let others = self.mapping.entries().filter_map(|entry| entry.key_text());
            { others }.any(|key| list.field.excludes.contains(&key.as_ref()))
        };
        let mut fitting = lists.iter().filter(accepts);
        let present = fitting.clone().find(is_there);
        present.or_else(|| fitting.find(|list| !is_excluded(list))).copied()
    }

    /// The list of tools that the node's model may call.
    fn tools_for(&self, target: &NodeName) -> Option<&'static Field> {
        self.kind.shape.fields.iter().find(|field| match field.ty {
            Type::List(Type::Reference(scope)) => scope.kinds.contains(&target.kind.as_str()),
            _ => false,
        })
    }
}

/// The kind with a name in the dialect of a file.
fn snapshot_kind(file: &FileFacts, name: &str) -> Option<&'static Kind> {
    match file.ownership {
        nodewise_analysis::facts::Ownership::Ours(dialect) => dialect.kind(name),
        _ => None,
    }
}

/// Adds an edge from one node to another.
pub(super) fn connect(
    copy: &mut WorkingCopy<'_>,
    from: &NodeName,
    to: &NodeName,
    condition: Option<&str>,
) -> Edited {
    let now = copy.now();
    let source = NodeDocument::of(&now, from)?;
    let tools = source.tools_for(to).filter(|_| condition.is_none());
    let (key, value) = match (tools, source.list_for(to)) {
        // A model calls tools, so a connection to a tool most likely means that.
        (Some(tools), _) => (tools.key, NewValue::text(to.name.as_str())),
        (None, Some(list)) => (list.field.key, edge_value(list, to, condition)?),
        (None, None) => {
            return Err(BoardRefusal::new(format!(
                "{} `{}` cannot lead to a {}.",
                from.kind, from.name, to.kind
            )));
        }
    };
    if condition.is_none() && names_already(&source, key, to) {
        return Err(BoardRefusal::new(format!("`{}` already leads to `{}`.", from.name, to.name)));
    }
    let edits = add_to_list(&writer(source.file), source.mapping, key, MemberPosition::Last, &value);
    copy.apply(source.file.source, edits.ok_or_else(unwritable)?)
}

/// Whether a list already names a node as a target that is always followed.
fn names_already(source: &NodeDocument<'_>, key: &str, to: &NodeName) -> bool {
    let sequence = source.mapping.get(key).and_then(|entry| entry.value()?.as_sequence());
    let is_meant = |text: &str| text == to.name || text.rsplit('/').next() == Some(to.name.as_str());
    sequence.is_some_and(|sequence| {
        let mut items = sequence.items().filter_map(|item| item.node()?.as_scalar());
        items.any(|scalar| is_meant(&scalar.cooked()))
    })
}

/// A new edge for a list.
pub(super) fn edge_value(
    list: List,
    to: &NodeName,
    condition: Option<&str>,
) -> Result<NewValue, BoardRefusal> {
    let name = NewValue::text(target_text(list.name, to));
    let Some(condition) = condition else { return Ok(name) };
    let target = target_field(list.shape).ok_or_else(unwritable)?;
    let when = condition_field(list.shape).ok_or_else(unwritable)?;
    Ok(NewValue::mapping([(target.key, name), (when.key, NewValue::text(condition))]))
}

/// The name of a node in the form that a list uses.
fn target_text(name: Name, to: &NodeName) -> String {
    match name {
        Name::Plain(_) => to.name.clone(),
        Name::Qualified(_, separator) => format!("{}{separator}{}", to.kind, to.name),
    }
}

fn condition_field(shape: &'static Shape) -> Option<&'static Field> {
    shape.fields.iter().find(|field| matches!(field.ty, Type::Condition(_)))
}

/// An edge in a list: the list, the index of its item, and the name of its target.
struct ListedEdge<'t> {
    file: &'t FileFacts,
    /// The mapping that contains the list, and the list's key.
    owner: Mapping<'t>,
    field: &'static Field,
    sequence: Sequence<'t>,
    index: usize,
    /// The item as a mapping, with its shape; `None` if the item is just a name.
    mapping: Option<(Mapping<'t>, &'static Shape)>,
    /// The list of targets, if the edge has several, and the index of this one.
    targets: Option<(Sequence<'t>, usize)>,
    at: Origin,
}

/// Calls a function with the edge at a place.
fn with_edge<T>(
    now: &Snapshot,
    at: Origin,
    act: impl FnOnce(&ListedEdge<'_>) -> Result<T, BoardRefusal>,
) -> Result<T, BoardRefusal> {
    let spot =
        CursorContext::at(now, FilePosition::new(at.source, at.range.start())).ok_or_else(unwritable)?;
    let links = chain::links(&spot);
    let edge = listed(&spot, &links, at).ok_or_else(unwritable)?;
    act(&edge)
}

fn listed<'t>(spot: &CursorContext<'t>, links: &[PathValue<'_, 't>], at: Origin) -> Option<ListedEdge<'t>> {
    let file = spot.file;
    let tree = file.tree();
    // The outermost item belongs to the list of edges. A list of targets is inside it.
    let depth = links.iter().position(|link| matches!(link.step, Some(PathStep::Item(_))))?;
    let (list, item) = (links.get(depth.checked_sub(1)?)?, links.get(depth)?);
    let owner = links.get(depth.checked_sub(2)?)?;
    let Some(PathStep::Item(index)) = item.step else { return None };
    let field = list.slot?.field;
    let shape = text_or(field.ty).map(|(_, shape)| shape).filter(|shape| is_edge(shape));
    let mapping = item.mapping(tree).zip(shape);
    let targets = links.get(depth + 1..)?.windows(2).find_map(|pair| {
        let [list, one] = pair else { return None };
        match one.step {
            Some(PathStep::Item(index)) => Some((list.sequence(tree)?, index)),
            _ => None,
        }
    });
    let sequence = list.sequence(tree)?;
    Some(ListedEdge { file, owner: owner.mapping(tree)?, field, sequence, index, mapping, targets, at })
}

impl ListedEdge<'_> {
    /// Whether the item has keys other than a target and a condition.
    fn has_more(&self) -> bool {
        let Some((mapping, shape)) = self.mapping else { return false };
        let known = [target_field(shape), condition_field(shape)];
        let is_other = |key: &str| !known.iter().flatten().any(|field| field.key == key);
        mapping.entries().any(|entry| entry.key_text().is_none_or(|key| is_other(&key)))
    }

    /// The edits that remove the edge.
    fn removal(&self) -> Result<Vec<TextEdit>, BoardRefusal> {
        let writer = writer(self.file);
        if let Some((targets, index)) = self.targets
            && targets.items().count() > 1
        {
            return Ok(writer.remove_item(targets, index));
        }
        if self.sequence.items().count() > 1 {
            return Ok(writer.remove_item(self.sequence, self.index));
        }
        let is_list = |entry: nodewise_syntax::Entry<'_>| entry.key_text().as_deref() == Some(self.field.key);
        let index = self.owner.entries().position(is_list).ok_or_else(unwritable)?;
        Ok(writer.remove_entry(self.owner, index))
    }
}

/// Deletes the edge at a place.
pub(super) fn delete(copy: &mut WorkingCopy<'_>, at: Origin) -> Edited {
    let now = copy.now();
    let edits = with_edge(&now, at, |edge| edge.removal())?;
    copy.apply(at.source, edits)
}

pub(super) fn reconnect(
    copy: &mut WorkingCopy<'_>,
    view: &GraphView,
    edge: &EdgeView,
    end: EdgeEnd,
    node: &NodeName,
) -> Edited {
    let at = edge.at.ok_or_else(unwritable)?;
    match end {
        EdgeEnd::To => retarget(copy, at, node),
        EdgeEnd::From => {
            let to = named(view, &edge.to)?;
            let now = copy.now();
            if with_edge(&now, at, |found| Ok(found.has_more()))? {
                return Err(BoardRefusal::new(
                    "The edge has an id, and other edges of its node may wait for it. Move it in the text.",
                ));
            }
            delete(copy, at)?;
            connect(copy, node, &to, edge.condition.as_deref())
        }
    }
}

/// Changes the target of the edge at a place.
pub(super) fn retarget(copy: &mut WorkingCopy<'_>, at: Origin, to: &NodeName) -> Edited {
    let now = copy.now();
    let edits = with_edge(&now, at, |edge| {
        let list = edge_list(edge.field);
        let scope = match (list, edge.field.ty) {
            (Some(list), _) => list.name.scope(),
            (None, Type::List(Type::Reference(scope))) => scope,
            _ => return Err(unwritable()),
        };
        if !scope.kinds.contains(&to.kind.as_str()) {
            return Err(BoardRefusal::new(format!(
                "`{}` cannot name {} `{}`. Delete the edge, and connect the two nodes.",
                edge.field.key, to.kind, to.name
            )));
        }
        let text = list.map_or_else(|| to.name.clone(), |list| target_text(list.name, to));
        let node = name_node(edge).ok_or_else(unwritable)?;
        Ok(vec![text_edit(node, &text, is_json(edge.file))?])
    })?;
    copy.apply(at.source, edits)
}

/// The scalar with the name of the target.
fn name_node<'t>(edge: &ListedEdge<'t>) -> Option<nodewise_syntax::SyntaxNode<'t>> {
    let is_there = |node: &nodewise_syntax::SyntaxNode<'_>| {
        node.as_scalar().is_some() && node.full_range().contains_range(edge.at.range)
    };
    edge.file.tree().nodes().filter(is_there).last()
}

pub(super) fn set_condition(copy: &mut WorkingCopy<'_>, edge: &EdgeView, condition: Option<&str>) -> Edited {
    let at = edge.at.ok_or_else(unwritable)?;
    if edge.kind == EdgeKind::Tool {
        return Err(BoardRefusal::new(
            "The model decides when it calls a tool, so this edge has no condition.",
        ));
    }
    if edge.condition.as_deref() == condition {
        return Ok(());
    }
    let now = copy.now();
    let edits = with_edge(&now, at, |edge| condition_edits(edge, condition))?;
    copy.apply(at.source, edits)
}

fn condition_edits(edge: &ListedEdge<'_>, condition: Option<&str>) -> Result<Vec<TextEdit>, BoardRefusal> {
    let list = edge_list(edge.field).ok_or_else(unwritable)?;
    let when = condition_field(list.shape).ok_or_else(unwritable)?;
    let writer = writer(edge.file);
    let item = edge.sequence.items().nth(edge.index).ok_or_else(unwritable)?;
    let Some((mapping, shape)) = edge.mapping else {
        let text = item.node().and_then(|node| node.as_scalar()).ok_or_else(unwritable)?.cooked();
        let target = target_field(list.shape).ok_or_else(unwritable)?;
        let entries =
            [(target.key, NewValue::text(text)), (when.key, NewValue::text(condition.unwrap_or_default()))];
        return Ok(writer.set_item(edge.sequence, item, &NewValue::mapping(entries)));
    };
    let entry = mapping.get(when.key);
    match (condition, entry) {
        (Some(text), Some(entry)) => Ok(writer.set_value(mapping, entry, &NewValue::text(text))),
        (Some(text), None) => {
            Ok(writer.insert_entry(mapping, MemberPosition::Last, when.key, &NewValue::text(text)))
        }
        (None, _) => {
            let target = target_field(shape).and_then(|target| mapping.get(target.key)?.value()?.as_scalar());
            if let Some(target) = target.filter(|_| !edge.has_more()) {
                return Ok(writer.set_item(edge.sequence, item, &NewValue::text(target.cooked())));
            }
            let is_when = |entry: nodewise_syntax::Entry<'_>| entry.key_text().as_deref() == Some(when.key);
            let index = mapping.entries().position(is_when).ok_or_else(unwritable)?;
            match when.required {
                Required::No => Ok(writer.remove_entry(mapping, index)),
                _ => Err(BoardRefusal::new(
                    "An edge with an id or with several targets needs a condition. Write `true` if it always holds.",
                )),
            }
        }
    }
}
