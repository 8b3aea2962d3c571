//! A value read along its table: facts and parts.
//!
//! Input: a value and its type. Output: facts and parts of the thing around it. Invariant: a value of another type than the
//! table wants is read as what it is, so nothing that was written is lost.

use std::collections::BTreeMap;

use nodewise_model::{Origin, SourceId};
use smol_str::{SmolStr, format_smolstr};

use super::full_form::full_form;
use super::leaf::{in_brackets, is_scalar, leaf_pieces, name_piece, shown, text};
use super::{FactForm, ItemIdentity, MeaningFact, MeaningPart, MeaningPiece, NameClass, PartRole, joined};
use crate::bundle::{self, FALLBACK_LANGUAGE, TextTree};
use crate::forms::fits;
use crate::table::{Field, Kind, KindRole, NameUse, ReviewTopic, Shape, Symbol, Type, Variant};
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};

/// Reads a whole document.
pub(super) fn document(kind: &'static Kind, value: &SpannedValue<'_>) -> MeaningPart {
    let (role, noun) = match kind.role {
        KindRole::Graph => (PartRole::Graph, "graph"),
        KindRole::Agent => (PartRole::Agent, "agent"),
        KindRole::GraphNode => (PartRole::Node, "node"),
        KindRole::Node(_) => (PartRole::Node, kind.name),
        KindRole::Account
        | KindRole::Provider
        | KindRole::Overlay
        | KindRole::Bundle
        | KindRole::Plan
        | KindRole::Scenario
        | KindRole::Rule => (PartRole::Declaration, kind.name),
    };
    part(role, noun, &kind.shape, value)
}

fn part(role: PartRole, noun: &'static str, shape: &'static Shape, value: &SpannedValue<'_>) -> MeaningPart {
    let mut part = empty(role, noun, value.head());
    Reader::new(&mut part, ReviewTopic::Setting, true).object(shape, value);
    part
}

/// A part without any facts.
fn empty(role: PartRole, noun: &'static str, at: Origin) -> MeaningPart {
    MeaningPart {
        role,
        noun,
        name: None,
        label: None,
        word: None,
        ends: Vec::new(),
        at,
        facts: Vec::new(),
        parts: Vec::new(),
        has_node_order: false,
    }
}

struct Reader<'p> {
    part: &'p mut MeaningPart,
    path: Vec<MeaningPiece>,
    topic: ReviewTopic,
    /// Whether the current keys belong directly to the part.
    is_top: bool,
    /// The field that names the next mapping. Its value is already in the path, so it is not a fact.
    named_by: Option<&'static Field>,
}

/// The role and the word for shapes that are parts of their own; `None` for others.
fn role_of(shape: &'static Shape) -> Option<(PartRole, &'static str)> {
    shape.fields.iter().find_map(|field| match declared(&field.ty)? {
        Symbol::Graph => Some((PartRole::Graph, "graph")),
        Symbol::Node => Some((PartRole::Node, "node")),
        Symbol::Edge => Some((PartRole::Edge, "edge")),
        Symbol::Agent => Some((PartRole::Agent, "agent")),
        _ => None,
    })
}

/// The kind of thing that a value of this type declares.
fn declared(ty: &Type) -> Option<Symbol> {
    match ty {
        Type::Symbol(symbol, NameUse::Declares) => Some(*symbol),
        Type::Sized(inner, _) | Type::Lenient(inner) => declared(inner),
        _ => None,
    }
}

/// The keys that identify an item in a list of this shape.
pub(super) fn item_identity(shape: &'static Shape) -> ItemIdentity {
    let is_end =
        |field: &&Field| matches!(field.ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers));
    let is_edge = matches!(role_of(shape), Some((PartRole::Edge, _)));
    let ends = shape.fields.iter().filter(|field| is_edge && is_end(field)).take(2);
    let name = || shape.fields.iter().find(|field| matches!(field.ty, Type::DeclaredName));
    ItemIdentity {
        key: identity(shape).or_else(name).map(|field| field.key),
        ends: ends.map(|field| field.key).collect(),
    }
}

/// The field that identifies an item in a list.
fn identity(shape: &'static Shape) -> Option<&'static Field> {
    shape.fields.iter().find(|field| field.identity || declared(&field.ty).is_some())
}

/// Whether the shape is an edge with a condition. Such an edge may also be written as the name of its target alone.
fn is_way(shape: &'static Shape) -> bool {
    shape.fields.iter().any(|field| matches!(field.ty, Type::Condition(_)))
}

impl<'p> Reader<'p> {
    fn new(part: &'p mut MeaningPart, topic: ReviewTopic, is_top: bool) -> Reader<'p> {
        Reader { part, path: Vec::new(), topic, is_top, named_by: None }
    }

    fn object(&mut self, shape: &'static Shape, value: &SpannedValue<'_>) {
        let Some(members) = value.as_map() else { return };
        let is_edge = self.is_top && self.part.role == PartRole::Edge;
        let mut ends = if is_edge { 2 } else { 0 };
        let named_by = self.named_by.take().map(|field| field.key);
        for field in shape.fields {
            if !applies(shape, field, value) || named_by == Some(field.key) {
                continue;
            }
            let is_end = matches!(field.ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers));
            let member = value.get(field.key).map(|member| &member.value).filter(|value| !value.is_null());
            if is_end && ends > 0 {
                ends -= 1;
                let name = member.and_then(SpannedValue::as_text).unwrap_or_default();
                self.part.ends.push(MeaningPiece::Name(NameClass::Node, SmolStr::new(name)));
                continue;
            }
            match (member, field.default) {
                (Some(value), _) => self.field(shape, field, value),
                (None, Some(default)) => self.default(shape, field, default),
                (None, None) if keeps_null(field) && value.get(field.key).is_some() => {
                    self.within(text(field.key), |reader| {
                        reader.fact(vec![text("null")], FactForm::Value, value.at)
                    });
                }
                (None, None) => {}
            }
        }
        for member in members.iter().filter(|member| shape.field(&member.key).is_none()) {
            self.free(member);
        }
    }

    /// Reads a key that the table does not have.
    fn free(&mut self, member: &SpannedEntry<'_>) {
        self.within(text(member.key.as_ref()), |reader| reader.generic(&member.value, false));
    }

    fn default(&mut self, shape: &'static Shape, field: &'static Field, yaml: &str) {
        let tree = nodewise_syntax::parse(yaml);
        let Some(root) = tree.documents().next().and_then(|document| document.root()) else { return };
        let mut value = SpannedValue::from_node(root, SourceId::default());
        place(&mut value, self.part.at);
        self.field(shape, field, &value);
    }

    fn field(&mut self, shape: &'static Shape, field: &'static Field, value: &SpannedValue<'_>) {
        if self.is_top && self.names_part(field, value) {
            return;
        }
        if self.is_top && field.is_label {
            self.part.label = value.as_text().map(SmolStr::new);
        }
        let outer = self.topic;
        self.topic = field.topic.or_else(|| topic_of(&field.ty)).unwrap_or(outer);
        let was_top = std::mem::replace(&mut self.is_top, false);
        let decides =
            shape.fields.iter().any(|other| other.beside.is_some_and(|beside| beside.key == field.key));
        let is_word = matches!(field.ty, Type::Word(_));
        if was_top && is_word && (decides || self.part.word.is_none()) && self.part.role == PartRole::Node {
            self.part.word = value.as_text().map(SmolStr::new);
        }
        if field.ty.use_of_nodes() == Some(NameUse::Declares) && !field.is_unordered {
            self.part.has_node_order = true;
        }
        self.within(text(field.key), |reader| match (decides, value.as_text()) {
            (true, Some(word)) if is_word => reader.fact(vec![text(word)], FactForm::Choice, value.at),
            _ => reader.typed(field.ty, field, value),
        });
        self.topic = outer;
        self.is_top = was_top;
    }

    /// Whether the field is the name of the part or the word for its kind. If so, stores the name.
    fn names_part(&mut self, field: &'static Field, value: &SpannedValue<'_>) -> bool {
        let is_name = match (declared(&field.ty), self.part.role, &field.ty) {
            (_, _, Type::Kind) => return true,
            (_, _, Type::DeclaredName) => true,
            (_, PartRole::Edge, Type::EdgeId) => true,
            (Some(Symbol::Graph), PartRole::Graph, _)
            | (Some(Symbol::Node), PartRole::Node, _)
            | (Some(Symbol::Edge), PartRole::Edge, _)
            | (Some(Symbol::Agent), PartRole::Agent, _) => true,
            _ => false,
        };
        if is_name {
            self.part.name = match &value.data {
                Data::Text(name) => Some(SmolStr::new(name)),
                Data::Number(number) => Some(number_text(*number).into()),
                _ => None,
            };
        }
        is_name
    }

    fn within(&mut self, step: MeaningPiece, read: impl FnOnce(&mut Self)) {
        self.path.push(step);
        read(self);
        self.path.pop();
    }

    fn fact(&mut self, value: Vec<MeaningPiece>, form: FactForm, at: Origin) {
        let (path, topic) = (self.path.clone(), self.topic);
        self.part.facts.push(MeaningFact { path, topic, value, form, at });
    }

    fn typed(&mut self, ty: Type, field: &'static Field, value: &SpannedValue<'_>) {
        match ty {
            Type::List(item) | Type::OneOrMany(item) => self.list(*item, field, value),
            Type::TextOr(text, shape) => match value.data {
                Data::Map(_) => self.nested(shape, value),
                _ => self.typed(*text, field, value),
            },
            Type::Object(shape) | Type::Open(shape) => match value.data {
                Data::Map(_) => self.nested(shape, value),
                _ => self.generic(value, false),
            },
            Type::Sized(inner, _) | Type::Lenient(inner) => self.typed(*inner, field, value),
            Type::MapOf((key, of)) => match value.as_map() {
                Some(members) => {
                    for member in members {
                        let step = name_piece(*key, &member.key).unwrap_or_else(|| text(member.key.as_ref()));
                        self.within(step, |reader| reader.typed(*of, field, &member.value));
                    }
                }
                None => self.generic(value, false),
            },
            Type::Variant(variant) => self.variant(variant, value),
            Type::OneOf(forms) => {
                match (full_form(forms, value), forms.iter().find(|form| fits(form, value))) {
                    (Some((variant, full)), _) => self.variant(variant, &full),
                    (None, Some(form)) => self.typed(form.ty, field, value),
                    (None, None) => self.generic(value, false),
                }
            }
            Type::Bundle(_) => self.bundle(value),
            Type::Bundles(_) => self.bundles(value),
            Type::JsonSchema => self.generic(value, true),
            leaf => match leaf_pieces(leaf, value) {
                Some(pieces) => self.fact(pieces, FactForm::Value, value.at),
                None => self.generic(value, false),
            },
        }
    }

    /// Reads an inner mapping. If its shape is a part of its own, adds a new part.
    fn nested(&mut self, shape: &'static Shape, value: &SpannedValue<'_>) {
        if let Some((role, noun)) = role_of(shape) {
            self.part.parts.push(part(role, noun, shape, value));
            return;
        }
        self.fact(Vec::new(), FactForm::Presence, value.at);
        self.object(shape, value);
    }

    fn variant(&mut self, variant: &'static Variant, value: &SpannedValue<'_>) {
        let word = value.get(variant.key).and_then(|member| member.value.as_text());
        let Some(case) = word.and_then(|word| variant.case(word)) else { return self.generic(value, false) };
        self.fact(Vec::new(), FactForm::Presence, value.at);
        self.within(text(variant.key), |reader| {
            reader.fact(vec![text(case.word.text)], FactForm::Choice, value.at);
        });
        for field in case.shape.fields.iter().filter(|field| field.key != variant.key) {
            let member = value.get(field.key).map(|member| &member.value);
            match (member.filter(|value| !value.is_null() || keeps_null(field)), field.default) {
                (Some(value), _) => self.field(&case.shape, field, value),
                (None, Some(default)) => self.default(&case.shape, field, default),
                (None, None) => {}
            }
        }
        for member in value.as_map().unwrap_or_default() {
            if case.shape.field(&member.key).is_none() {
                self.free(member);
            }
        }
    }

    fn list(&mut self, item: Type, field: &'static Field, value: &SpannedValue<'_>) {
        let alone = std::slice::from_ref(value);
        let items = value.as_list().unwrap_or(alone);
        if let Type::TextOr(_, shape) = item
            && is_way(shape)
        {
            return items.iter().for_each(|value| self.way(item, shape, field, value));
        }
        let pieces: Option<Vec<Vec<MeaningPiece>>> =
            items.iter().map(|value| leaf_pieces(item, value)).collect();
        match pieces {
            // If the order of a list has no meaning, each item is a fact of its own.
            Some(pieces) if field.is_unordered => {
                for (pieces, value) in pieces.into_iter().zip(items) {
                    self.fact(pieces, FactForm::Item, value.at);
                }
            }
            Some(pieces) if value.as_list().is_some() || item_is_leaf(item) => {
                if !pieces.is_empty() {
                    self.fact(in_brackets(pieces), FactForm::Value, value.at);
                }
            }
            _ => self.mappings(item, field, items),
        }
    }

    /// Reads list items that are mappings or that have different forms.
    fn mappings(&mut self, item: Type, field: &'static Field, items: &[SpannedValue<'_>]) {
        let is_part = matches!(item, Type::Object(shape) if role_of(shape).is_some());
        let key = match item {
            Type::Object(shape) if !is_part => identity(shape),
            _ => None,
        };
        for (position, value) in items.iter().enumerate() {
            let name = key.and_then(|key| value.get(key.key)).and_then(|member| member.value.as_text());
            if name.is_none() && field.is_unordered && !is_part {
                let content = content(item, field, value);
                self.fact(vec![text(content)], FactForm::Item, value.at);
                continue;
            }
            let step = name.map_or_else(|| format_smolstr!("{}", position + 1), SmolStr::new);
            self.within(text(step), |reader| {
                reader.named_by = key.filter(|_| name.is_some());
                reader.typed(item, field, value);
            });
        }
    }

    /// Reads an edge that is declared inside its source.
    fn way(&mut self, item: Type, shape: &'static Shape, field: &'static Field, value: &SpannedValue<'_>) {
        let source = self.part.name.clone().unwrap_or_default();
        let mut edge = empty(PartRole::Edge, "edge", value.head());
        edge.ends.push(text(source));
        match &value.data {
            Data::Map(members) => {
                let fields =
                    members.iter().filter_map(|member| Some((shape.field(&member.key)?, &member.value)));
                for (field, value) in fields.clone().filter(|(field, _)| is_target(&field.ty)) {
                    let targets = value.as_list().unwrap_or(std::slice::from_ref(value));
                    edge.ends.extend(targets.iter().filter_map(|value| target(field.ty, value)));
                }
                let mut reader = Reader::new(&mut edge, ReviewTopic::Condition, true);
                for (field, value) in
                    fields.filter(|(field, value)| !is_target(&field.ty) && !value.is_null())
                {
                    reader.field(shape, field, value);
                }
                members
                    .iter()
                    .filter(|member| shape.field(&member.key).is_none())
                    .for_each(|one| reader.free(one));
            }
            Data::Text(_) => edge.ends.extend(target(item, value)),
            _ => return self.typed(item, field, value),
        }
        self.part.parts.push(edge);
    }

    fn bundle(&mut self, value: &SpannedValue<'_>) {
        let Some((bundle, _)) = bundle::normalise(value) else { return self.generic(value, false) };
        for (language, tree) in &bundle.languages {
            self.texts(language, tree);
        }
    }

    fn texts(&mut self, language: &str, tree: &TextTree<'_, '_>) {
        match tree {
            TextTree::Leaf(leaf) if language == FALLBACK_LANGUAGE => self.generic(&leaf.value, false),
            TextTree::Leaf(leaf) => self.within(text(language), |reader| reader.generic(&leaf.value, false)),
            TextTree::Branch(branch) => {
                for (key, tree) in branch.iter() {
                    self.within(text(key.as_ref()), |reader| reader.texts(language, tree));
                }
            }
        }
    }

    fn bundles(&mut self, value: &SpannedValue<'_>) {
        let Some(items) = value.as_list() else { return self.bundle(value) };
        for (position, value) in items.iter().enumerate() {
            self.within(text(format_smolstr!("{}", position + 1)), |reader| reader.bundle(value));
        }
    }

    /// Reads a value that the table does not describe. In a JSON Schema, the order of words has no meaning.
    fn generic(&mut self, value: &SpannedValue<'_>, is_schema: bool) {
        match &value.data {
            Data::Map(members) if members.is_empty() => {
                self.fact(vec![text("{}")], FactForm::Value, value.at)
            }
            Data::Map(members) => {
                for member in members {
                    self.within(text(member.key.as_ref()), |reader| reader.generic(&member.value, is_schema));
                }
            }
            Data::List(items) if is_schema && items.iter().all(is_scalar) => {
                for item in items {
                    // Words in a schema may be the ids of nodes between which a condition chooses, so they change when a
                    // node is renamed.
                    let piece = MeaningPiece::Name(NameClass::Node, shown(item).into());
                    self.fact(vec![piece], FactForm::Item, item.at);
                }
            }
            _ => self.fact(vec![text(shown(value))], FactForm::Value, value.at),
        }
    }
}

/// Whether a field of an edge holds its targets.
fn is_target(ty: &Type) -> bool {
    match ty {
        Type::OneOrMany(inner) => matches!(inner, Type::Reference(_)),
        ty => matches!(ty, Type::Qualified(..)),
    }
}

/// The name of a target, without its kind.
fn target(ty: Type, value: &SpannedValue<'_>) -> Option<MeaningPiece> {
    let ty = match ty {
        Type::OneOrMany(inner) | Type::TextOr(inner, _) => *inner,
        ty => ty,
    };
    leaf_pieces(ty, value)?.pop()
}

/// Whether a field has a meaning, given the word in another field.
fn applies(shape: &'static Shape, field: &'static Field, value: &SpannedValue<'_>) -> bool {
    let Some(beside) = field.beside else { return true };
    let written = value.get(beside.key).and_then(|member| member.value.as_text());
    let default = || shape.field(beside.key).and_then(|other| other.default);
    written.or_else(default).is_none_or(|word| beside.words.contains(&word))
}

/// Whether `null` is a real value of the field instead of a missing one.
fn keeps_null(field: &Field) -> bool {
    matches!(field.ty, Type::Any) && field.nullable
}

/// Whether a single value of the type has no inner fields.
fn item_is_leaf(item: Type) -> bool {
    !matches!(
        item,
        Type::Object(_)
            | Type::Open(_)
            | Type::Variant(_)
            | Type::OneOf(_)
            | Type::TextOr(..)
            | Type::Bundle(_)
    )
}

/// The topic of a change to values of this type, if the type alone decides it.
fn topic_of(ty: &Type) -> Option<ReviewTopic> {
    match ty {
        Type::Expression(_) | Type::Condition(_) => Some(ReviewTopic::Condition),
        Type::Symbol(Symbol::Model, _) => Some(ReviewTopic::Model),
        Type::Symbol(Symbol::Tool | Symbol::State | Symbol::Server | Symbol::Extension, _) => {
            Some(ReviewTopic::Grant)
        }
        Type::Symbol(Symbol::Guardrail, _) => Some(ReviewTopic::Policy),
        Type::Sized(inner, _) | Type::Lenient(inner) | Type::List(inner) | Type::OneOrMany(inner) => {
            topic_of(inner)
        }
        _ => None,
    }
}

/// An item of an unordered list without a name, as one line of text.
fn content(item: Type, field: &'static Field, value: &SpannedValue<'_>) -> String {
    let mut inner = empty(PartRole::Declaration, "item", value.at);
    Reader::new(&mut inner, ReviewTopic::Setting, false).typed(item, field, value);
    let mut members: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fact in inner.facts.iter().filter(|fact| fact.form != FactForm::Presence) {
        members.entry(fact.path_text()).or_default().push(joined(&fact.value));
    }
    let one_line = |mut values: Vec<String>| {
        values.sort_unstable();
        if let [only] = values.as_slice() { only.clone() } else { format!("[{}]", values.join(", ")) }
    };
    if let (1, Some(alone)) = (members.len(), members.get("")) {
        return one_line(alone.clone());
    }
    let members = members.into_iter().map(|(path, values)| format!("{path}: {}", one_line(values)));
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

/// Sets the place of a default and all its parts to the place of the part that has it.
fn place(value: &mut SpannedValue<'_>, at: Origin) {
    value.at = at;
    match &mut value.data {
        Data::List(items) => items.iter_mut().for_each(|item| place(item, at)),
        Data::Map(members) => {
            for member in members {
                member.key_at = at;
                place(&mut member.value, at);
            }
        }
        _ => {}
    }
}
