//! The outline of a file, following the dialect's table. In: a file. Out: a tree of symbols in reading order.
//! Invariant: a symbol's range contains its selection and its children.

use nodewise_analysis::facts::{DocumentRole, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{Field, Kind, NameUse, Required, Shape, Symbol as Named, Type};
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_model::{Declaration, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{SyntaxNodeKind, TextRange, Tree};

use super::search::without_quotes;
use super::{OutlineSymbol, SymbolKind};
use crate::names::patched_kind;

/// The sign between the ends of an edge.
const ARROW: &str = "→";

/// The outline of a file: a symbol for each declaration, with its named parts below it.
#[must_use]
pub fn outline(snapshot: &Snapshot, source: SourceId) -> Vec<OutlineSymbol> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let Ownership::Ours(dialect) = file.ownership else { return Vec::new() };
    let tree = file.tree();
    let mut outline = Vec::new();
    for (facts, document) in file.documents.iter().zip(tree.documents()) {
        let (DocumentRole::Kind(kind), Some(root)) = (&facts.role, document.root()) else { continue };
        let value = SpannedValue::from_node(root, source);
        let declared = facts.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
        let mut reader = Reader { tree, declared, found: Vec::new() };
        walk(kind, patched_kind(dialect, kind, &value), &value, &mut reader);
        let mut head = document_symbol(tree, kind, &value, root.full_range());
        if head.kind == SymbolKind::Graph {
            head.name = reader.title(&value).unwrap_or(head.name);
        }
        outline.push(nested(head, reader.found));
    }
    outline
}

/// The symbol of a whole document.
fn document_symbol(
    tree: &Tree,
    kind: &'static Kind,
    value: &SpannedValue<'_>,
    range: TextRange,
) -> OutlineSymbol {
    let named = kind.shape.fields.iter().find(|field| names_document(field));
    let name = named.and_then(|field| value.get(field.key));
    let name = name.filter(|member| member.value.as_text().is_some_and(|text| !text.is_empty()));
    let (text, at) = match name {
        Some(name) => {
            (name.value.as_text().unwrap_or_default(), without_quotes(tree.text(), name.value.at.range))
        }
        None => (kind.name, value.head().range),
    };
    OutlineSymbol {
        name: text.to_owned(),
        detail: if text == kind.name { String::new() } else { kind.name.to_owned() },
        kind: SymbolKind::of_document(kind),
        range: range.cover(at),
        selection: at,
        children: Vec::new(),
    }
}

/// Whether a field contains the name of a document: the name that it declares, or the target of an overlay.
fn names_document(field: &Field) -> bool {
    matches!(
        of_any_size(field.ty),
        Type::DeclaredName
            | Type::Qualified(..)
            | Type::Symbol(Named::Graph | Named::Agent | Named::Node, NameUse::Declares)
    ) && field.superseded_by.is_none()
}

/// Collects the named parts of a document.
struct Reader<'a> {
    tree: &'a Tree,
    /// The declaration of the document.
    declared: Option<&'a Declaration>,
    found: Vec<OutlineSymbol>,
}

impl Reader<'_> {
    /// The title of the graph that a mapping is.
    fn title(&self, value: &SpannedValue<'_>) -> Option<String> {
        let graph = self.declared?.graphs().find(|graph| graph.head == value.head())?;
        graph.title().map(str::to_owned)
    }

    fn add(&mut self, name: String, detail: &str, kind: SymbolKind, range: TextRange, selection: TextRange) {
        let selection = without_quotes(self.tree.text(), selection);
        let range = range.cover(selection);
        if !name.is_empty() {
            let detail = detail.to_owned();
            self.found.push(OutlineSymbol { name, detail, kind, range, selection, children: Vec::new() });
        }
    }

    /// A mapping that is an edge. It is named after its ends.
    fn edge(&mut self, shape: &'static Shape, value: &SpannedValue<'_>) {
        let mut ends = Vec::new();
        for field in shape.fields.iter().filter(|field| is_end(field)) {
            let names = value.get(field.key).map(|member| texts(&member.value)).unwrap_or_default();
            ends.extend((!names.is_empty()).then(|| names.join(", ")));
        }
        let id = shape.fields.iter().find(|field| declared(field) == Some(Named::Edge));
        let id = id.and_then(|field| value.get(field.key));
        let id_text = id.and_then(|id| scalar_text(self.tree, &id.value)).unwrap_or_default();
        let name = match ends.as_slice() {
            [] => id_text.clone(),
            [only] => format!("{ARROW} {only}"),
            ends => ends.join(&format!(" {ARROW} ")),
        };
        let detail = if name == id_text { "" } else { id_text.as_str() };
        let head = shape.fields.iter().find(|field| is_end(field)).and_then(|field| value.get(field.key));
        let selection = head.or(id).map_or(value.head().range, |member| member.value.at.range);
        self.add(name, detail, SymbolKind::Edge, value.at.range, selection);
    }
}

impl<'v, 't> Visitor<'v, 't> for Reader<'_> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        // The content of an alias is elsewhere, and is listed there.
        let node = value.node.and_then(|node| self.tree.node(node));
        node.is_none_or(|node| node.kind() != SyntaxNodeKind::Alias)
    }

    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        let Some((field, named)) = shape.fields.iter().find_map(|field| Some((field, naming(field)?))) else {
            return;
        };
        if named == SymbolKind::Edge {
            return self.edge(shape, value);
        }
        let Some(name) = value.get(field.key) else { return };
        let Some(text) = name.value.as_text() else { return };
        let word = shape.fields.iter().find(|field| field.required == Required::Yes && is_type_word(field));
        let word = word.and_then(|field| value.get(field.key)?.value.as_text()).unwrap_or_default();
        let title = if named == SymbolKind::Graph { self.title(value) } else { None };
        self.add(title.unwrap_or_else(|| text.to_owned()), word, named, value.at.range, name.value.at.range);
    }

    fn free_key(&mut self, ty: Type, _slot: Slot, member: &'v SpannedEntry<'t>) {
        if let Type::Symbol(named, NameUse::Declares) = ty {
            let kind = SymbolKind::of_name(named);
            let range = member.key_at.range.cover(member.value.at.range);
            self.add(member.key.to_string(), "", kind, range, member.key_at.range);
        }
    }

    fn leaf(&mut self, ty: Type, slot: Slot, value: &'v SpannedValue<'t>) {
        let Some(text) = value.as_text() else { return };
        match ty {
            // The mapping around shows a name that is its own field.
            Type::Symbol(named, NameUse::Declares) if declared(slot.field).is_none() => {
                self.add(text.to_owned(), "", SymbolKind::of_name(named), value.at.range, value.at.range);
            }
            Type::Reference(_) | Type::Qualified(..) if holds_edges(slot.field.ty) => {
                self.add(format!("{ARROW} {text}"), "", SymbolKind::Edge, value.at.range, value.at.range);
            }
            _ => {}
        }
    }
}

/// What the value of a field declares.
fn declared(field: &Field) -> Option<Named> {
    match of_any_size(field.ty) {
        Type::Symbol(named, NameUse::Declares) => Some(named),
        Type::EdgeId => Some(Named::Edge),
        _ => None,
    }
}

/// What a mapping is if this field has its name.
fn naming(field: &Field) -> Option<SymbolKind> {
    let own = declared(field).map(SymbolKind::of_name);
    own.or((field.identity && matches!(field.ty, Type::Text)).then_some(SymbolKind::Field))
}

/// Whether a field of an edge is its source or target.
fn is_end(field: &Field) -> bool {
    match of_any_size(field.ty) {
        Type::OneOrMany(inner) => matches!(inner, Type::Reference(_)),
        Type::Reference(_) | Type::Qualified(..) => true,
        Type::Symbol(Named::Node | Named::Endpoint, NameUse::Refers) => field.required == Required::Yes,
        _ => false,
    }
}

/// Whether the items of a field are edges. Short edges are just names.
fn holds_edges(ty: Type) -> bool {
    match ty {
        Type::List(inner) | Type::OneOrMany(inner) | Type::Sized(inner, _) => holds_edges(*inner),
        Type::TextOr(_, shape) => shape.fields.iter().any(|field| declared(field) == Some(Named::Edge)),
        _ => false,
    }
}

/// A type without the bounds of its length.
fn of_any_size(ty: Type) -> Type {
    match ty {
        Type::Sized(inner, _) => of_any_size(*inner),
        other => other,
    }
}

fn is_type_word(field: &Field) -> bool {
    matches!(field.ty, Type::Word(_))
}

fn texts<'v>(value: &'v SpannedValue<'_>) -> Vec<&'v str> {
    match value.as_list() {
        Some(items) => items.iter().filter_map(SpannedValue::as_text).collect(),
        None => value.as_text().into_iter().collect(),
    }
}

/// The text of a scalar, which may be a number.
fn scalar_text(tree: &Tree, value: &SpannedValue<'_>) -> Option<String> {
    let scalar = tree.node(value.node?)?.as_scalar()?;
    Some(scalar.cooked().into_owned())
}

/// Moves symbols into those that contain them.
fn nested(mut root: OutlineSymbol, mut found: Vec<OutlineSymbol>) -> OutlineSymbol {
    found.arrange_by_key(|symbol| (symbol.range.start(), std::cmp::Reverse(symbol.range.end())));
    found.dedup_by(|one, before| one.selection == before.selection && one.name == before.name);
    // The unfinished symbols, each inside the one before it.
    let mut open: Vec<OutlineSymbol> = Vec::new();
    for symbol in found {
        // The root already has its symbol. The content of a merge key is elsewhere.
        if root.selection == symbol.selection || !root.range.contains_range(symbol.range) {
            continue;
        }
        while open.last().is_some_and(|last| !last.range.contains_range(symbol.range)) {
            close_last(&mut root, &mut open);
        }
        open.push(symbol);
    }
    while !open.is_empty() {
        close_last(&mut root, &mut open);
    }
    root
}

fn close_last(root: &mut OutlineSymbol, open: &mut Vec<OutlineSymbol>) {
    if let Some(closed) = open.pop() {
        open.last_mut().unwrap_or(root).children.push(closed);
    }
}
