//! Collects the names of a file, following the dialect's table. In: a file, and the wanted part of it. Out: occurrences
//! in reading order. Invariant: a name is reported once, at the place of its letters.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;

use nodewise_analysis::conditions::ConditionFacts;
use nodewise_analysis::facts::{DocumentFacts, DocumentId, DocumentRole, FileFacts, Ownership};
use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::index::{Declared, Resolution};
use nodewise_analysis::scenario_target::{ScenarioTarget, folder_of, joined, staged};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::bind;
use nodewise_dialect::bundle;
use nodewise_dialect::table::{Dialect, Kind, KindRole, NameUse, Shape, Symbol, Template, Type};
use nodewise_dialect::template::template;
use nodewise_dialect::value::{SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_expr::ast::Segment;
use nodewise_expr::language::StateAccess;
use nodewise_model::graph::{Graph, GraphNode};
use nodewise_model::state::{WILDCARD, top_level};
use nodewise_model::{Body, Declaration, Origin, Reference, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, Tree};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};

use super::written::{NamePlace, Written};
use super::{Entity, NameKind, Occurrence, declaration, document, touches};

/// JSON Schema's keyword for the members of a mapping.
const PROPERTIES: &str = "properties";
/// JSON Schema's keyword for the allowed values.
const ENUM: &str = "enum";

/// The names of a file, or of the part of it that touches `wanted`.
pub(super) fn of_file(snapshot: &Snapshot, source: SourceId, wanted: Option<TextRange>) -> Vec<Occurrence> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let Ownership::Ours(dialect) = file.ownership else { return Vec::new() };
    // In a module, the parts of a document can be anywhere.
    let (wanted, anywhere) = if file.is_module() { (None, wanted) } else { (wanted, None) };
    let mut found = Vec::new();
    let documents = file.documents.iter().zip(file.tree().documents());
    for (facts, document) in documents.take_while(|_| !snapshot.is_cancelled()) {
        if wanted.is_some_and(|wanted| !touches(facts.range.range, wanted)) {
            continue;
        }
        let (DocumentRole::Kind(kind), Some(root)) = (&facts.role, document.root()) else { continue };
        let value = SpannedValue::from_large_node(root, source);
        let mut collector = Collector::new(snapshot, file, dialect, facts, wanted);
        walk(kind, patched_kind(dialect, kind, &value), &value, &mut collector);
        found.append(&mut collector.found);
    }
    // An alias or a merge key can use the same letters again, for the same entity or another.
    found.arrange_by(|one, other| {
        let place = |one: &Occurrence| (one.at.range.start(), one.at.range.end());
        let is_use = |one: &Occurrence| one.usage != NameUse::Declares;
        let by_entity = || one.entity.cmp(&other.entity).then(is_use(one).cmp(&is_use(other)));
        place(one).cmp(&place(other)).then_with(by_entity)
    });
    if let Some(wanted) = anywhere {
        found.retain(|one: &Occurrence| touches(one.at.range, wanted));
    }
    found.dedup_by(|one, before| one.at == before.at && one.entity == before.entity);
    found
}

/// The kind whose fields an overlay contains in addition to its own.
pub(crate) fn patched_kind(
    dialect: &'static Dialect,
    kind: &Kind,
    value: &SpannedValue<'_>,
) -> Option<&'static Kind> {
    (kind.role == KindRole::Overlay).then(|| dialect.overlay_kind(value)).flatten()
}

/// Walks a document and collects names.
pub(super) struct Collector<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) file: &'a FileFacts,
    pub(super) tree: &'a Tree,
    pub(super) dialect: &'static Dialect,
    pub(super) document: &'a DocumentFacts,
    wanted: Option<TextRange>,
    /// The graphs around the current value, by their index in the document.
    graphs: Vec<Option<usize>>,
    /// For each mapping around, the graph that it names to run.
    children: Vec<Option<Declared>>,
    /// For each mapping around, the graphs that run the agent that it declares.
    hosts: Vec<Vec<Host>>,
    /// The graph or declaration that a scenario is about.
    staged: Option<ScenarioTarget>,
    /// The document that owns edges and variables: for an overlay, its target.
    home: DocumentId,
    /// The conditions of the document by their place. Computed for the first one that is needed.
    conditions: OnceCell<FxHashMap<Origin, &'a ConditionFacts>>,
    pub(super) found: Vec<Occurrence>,
}

impl<'a> Collector<'a> {
    fn new(
        snapshot: &'a Snapshot,
        file: &'a FileFacts,
        dialect: &'static Dialect,
        document: &'a DocumentFacts,
        wanted: Option<TextRange>,
    ) -> Collector<'a> {
        let (graphs, children, hosts) = (Vec::new(), Vec::new(), Vec::new());
        let (tree, found) = (file.tree(), Vec::new());
        let home = home(snapshot, document);
        let conditions = OnceCell::new();
        let staged = staged_by(snapshot, file, document);
        Collector {
            snapshot,
            file,
            tree,
            dialect,
            document,
            wanted,
            graphs,
            children,
            hosts,
            staged,
            home,
            conditions,
            found,
        }
    }

    /// The condition at a place.
    pub(super) fn condition_at(&self, at: Origin) -> Option<&'a ConditionFacts> {
        let document = self.document;
        let by_place = || document.conditions.iter().map(|facts| (facts.at, facts)).collect();
        self.conditions.get_or_init(by_place).get(&at).copied()
    }

    /// The current graph. Outside of a bundle's graphs, the main one.
    fn graph(&self) -> Option<usize> {
        let around = self.graphs.iter().rev().find_map(|graph| *graph);
        around.or_else(|| match &self.declaration()?.body {
            Body::Bundle(bundle) => bundle.graph.as_ref().map(|_| 0),
            _ => None,
        })
    }

    /// Whether the current graph has a node with that id.
    pub(super) fn has_node(&self, id: &str) -> bool {
        let effective = self.document.effective.as_ref();
        let graph = effective.zip(self.graph()).and_then(|(effective, graph)| effective.graph(graph));
        graph.is_some_and(|(_, facts)| facts.node(id).is_some())
    }

    fn declaration(&self) -> Option<&'a Declaration> {
        self.document.effective.as_ref()?.declaration.as_ref()
    }

    /// The index of the graph that a mapping is, among the document's graphs.
    fn graph_at(&self, value: &SpannedValue<'_>) -> Option<usize> {
        let mut graphs = self.declaration()?.graphs();
        graphs.position(|graph| graph.head == value.head())
    }

    /// The graph that a mapping names to run.
    fn child(&self, shape: &'static Shape, value: &SpannedValue<'_>) -> Option<Declared> {
        let (field, scope) = shape.fields.iter().find_map(|field| match field.ty {
            Type::Reference(scope)
                if self.dialect.graphs.is_some_and(|graphs| graphs.kinds == scope.kinds) =>
            {
                Some((field, scope))
            }
            _ => None,
        })?;
        let named = &value.get(field.key)?.value;
        let reference = bind::reference(named.as_text()?, named, scope);
        self.snapshot.index().meant(self.document.id, &reference)
    }

    /// The entity of a local or shared name.
    pub(super) fn entity(&self, kind: NameKind, name: SmolStr) -> Entity {
        if kind == NameKind::Variable || kind.is_local() && self.dialect.discriminator().is_none() {
            return Entity::Local { document: self.home, graph: self.graph(), kind, name };
        }
        if kind == NameKind::Edge {
            return Entity::Local { document: self.home, graph: None, kind, name };
        }
        Entity::Shared { dialect: self.dialect.id, kind, name }
    }

    /// Adds a part of a name.
    fn add(
        &mut self,
        entity: Entity,
        usage: NameUse,
        slot: Slot,
        (name, part): (&Written<'_>, Range<usize>),
    ) {
        let Some(place) = name.place(self.snapshot, self.tree, part.clone()) else { return };
        self.push(entity, usage, place, name.text.get(part).unwrap_or_default(), slot);
        if let Some(last) = self.found.last_mut() {
            last.is_alias = name.is_alias(self.tree);
        }
    }

    pub(super) fn push(&mut self, entity: Entity, usage: NameUse, place: NamePlace, part: &str, slot: Slot) {
        // In a module, a constant may be in the place of the name.
        let name = match self.tree.is_built() {
            true => part,
            false => self.file.text.get(Range::<usize>::from(place.at.range)).unwrap_or_default(),
        };
        let occurrence = Occurrence {
            entity,
            usage,
            at: place.at,
            letters: place.letters,
            name: SmolStr::new(name),
            slot: Some(slot),
            scope: None,
            in_expression: false,
            is_alias: false,
        };
        self.found.push(occurrence);
    }

    fn symbol(&mut self, symbol: Symbol, usage: NameUse, slot: Slot, name: &Written<'_>) {
        if self.document_kind_is_scenario() {
            return self.staged_symbol(symbol, usage, slot, name);
        }
        match symbol {
            Symbol::Graph | Symbol::Agent if usage == NameUse::Declares => self.declared(usage, slot, name),
            Symbol::Graph => self.graph_by_id(slot, name),
            Symbol::Agent => {}
            Symbol::Endpoint if self.dialect.conventions.is_reserved(name.text) => {}
            Symbol::State | Symbol::ForeignState | Symbol::Artifact => {
                let Some((key, range)) = self.state_key(symbol, usage, name.text) else { return };
                if let Some(hosts) = self.hosts.iter().rev().find(|hosts| !hosts.is_empty()) {
                    return self.ceiling(&hosts.clone(), usage, slot, (name, key, range));
                }
                let entity = match symbol {
                    Symbol::ForeignState => self.foreign(key),
                    // In systems whose state has no parts, artifacts are not named here.
                    Symbol::Artifact if !self.dialect.has_parts() => None,
                    _ => Some(self.entity(NameKind::State, key)),
                };
                if let Some(entity) = entity {
                    self.add(entity, usage, slot, (name, range));
                }
            }
            _ => {
                if let Some(kind) = NameKind::of(symbol) {
                    let entity = self.entity(kind, SmolStr::new(name.text));
                    self.add(entity, usage, slot, (name, 0..name.text.len()));
                }
            }
        }
    }

    /// A key in the list of keys that an agent may use, in each graph that runs the agent and knows the key.
    fn ceiling(
        &mut self,
        hosts: &[Host],
        usage: NameUse,
        slot: Slot,
        (name, key, range): (&Written<'_>, SmolStr, Range<usize>),
    ) {
        for host in hosts {
            let effective = document(self.snapshot, host.0).and_then(|document| document.effective.as_ref());
            let graph = effective.and_then(|effective| effective.graph(host.1));
            if graph.is_some_and(|(graph, facts)| knows(graph, facts, &key)) {
                let (document, graph) = (host.0, Some(host.1));
                let entity = Entity::Local { document, graph, kind: NameKind::State, name: key.clone() };
                self.add(entity, usage, slot, (name, range.clone()));
            }
        }
    }

    /// The graphs that run the agent that a mapping declares.
    fn hosts_of(&self, shape: &'static Shape, value: &SpannedValue<'_>) -> Vec<Host> {
        let is_id = |ty: Type| matches!(ty, Type::Sized(Type::Symbol(Symbol::Agent, NameUse::Declares), _));
        let Some(field) = shape.fields.iter().find(|field| is_id(field.ty)) else { return Vec::new() };
        let Some(id) = value.get(field.key).and_then(|member| member.value.as_text()) else {
            return Vec::new();
        };
        hosts(self.snapshot, id)
    }

    fn document_kind_is_scenario(&self) -> bool {
        matches!(self.document.role, DocumentRole::Kind(kind) if kind.role == KindRole::Scenario)
    }

    /// A name in a scenario. It refers to something in the graph that the scenario is about.
    fn staged_symbol(&mut self, symbol: Symbol, usage: NameUse, slot: Slot, name: &Written<'_>) {
        let Some(staged) = self.staged else { return };
        let index = self.snapshot.index();
        let first = |roles: fn(KindRole) -> bool, name: &str| {
            let kinds = staged.dialect.kinds.iter().filter(|kind| roles(kind.role));
            kinds.filter_map(|kind| index.first(kind.name, name)).map(entity_of).next()
        };
        let plain = name.text.rsplit(['/', ':']).next().unwrap_or_default();
        let start = name.text.len() - plain.len();
        let found = match (symbol, staged.graph) {
            (Symbol::Agent | Symbol::Node | Symbol::Tool, None) => {
                first(|role| matches!(role, KindRole::Node(_)), plain).map(|entity| (entity, start))
            }
            (Symbol::Agent, _) => first(|role| role == KindRole::Agent, name.text).map(|entity| (entity, 0)),
            (Symbol::State, None) => None,
            (symbol, graph) => NameKind::of(symbol).map(|kind| {
                let (document, name) = (staged.document, SmolStr::new(name.text));
                let entity = match kind.is_local() {
                    true => Entity::Local { document, graph, kind, name },
                    false => Entity::Shared { dialect: staged.dialect.id, kind, name },
                };
                (entity, 0)
            }),
        };
        if let Some((entity, start)) = found {
            self.add(entity, usage, slot, (name, start..name.text.len()));
        }
    }

    /// A graph that is named by its id only.
    fn graph_by_id(&mut self, slot: Slot, name: &Written<'_>) {
        let Some(scope) = self.dialect.graphs else { return };
        let reference = Reference::new(SmolStr::new(name.text), name.at, scope);
        self.reference(&reference, slot, name);
    }

    /// The keys that the schema of a part of the state declares.
    fn schema_keys(&mut self, slot: Slot) {
        let graph = self.declaration().zip(self.graph()).and_then(|(found, graph)| found.graph(graph));
        let parts = graph.and_then(|graph| graph.state.as_ref()).map(|state| &state.value);
        let part = parts.into_iter().flatten().find(|part| part.name.value == slot.field.key);
        for key in part.and_then(|part| part.keys.as_ref()).into_iter().flatten() {
            let entity =
                self.entity(NameKind::State, format_smolstr!("{}.{}", slot.field.key, top_level(&key.value)));
            let name = Written { text: &key.value, at: key.at, node: None };
            self.add(entity, NameUse::Declares, slot, (&name, 0..key.value.len()));
        }
    }

    /// The nodes among the values that a schema lists for a key, if expressions use the key as the id of a node.
    fn schema_routes(&mut self, slot: Slot, schema: &SpannedValue<'_>) {
        let keys = schema.get(PROPERTIES).and_then(|member| member.value.as_map()).unwrap_or_default();
        let routed = routed_keys(&self.document.conditions, slot.field.key);
        for key in keys.iter().filter(|key| routed.contains(key.key.as_ref())) {
            let listed = key.value.get(ENUM).and_then(|member| member.value.as_list());
            for name in listed.into_iter().flatten().filter_map(Written::of_value) {
                if self.has_node(name.text) {
                    let entity = self.entity(NameKind::Node, SmolStr::new(name.text));
                    self.add(entity, NameUse::Refers, slot, (&name, 0..name.text.len()));
                }
            }
        }
    }

    /// The id of an edge. If it is a number, its digits are the name.
    fn edge_id(&mut self, slot: Slot, value: &SpannedValue<'_>) {
        let text = match value.node.and_then(|node| self.tree.node(node)?.as_scalar()) {
            Some(scalar) => scalar.cooked(),
            None => match value.as_text() {
                Some(text) => text.into(),
                None => return,
            },
        };
        let usage = if slot.field.identity { NameUse::Declares } else { NameUse::Refers };
        let name = Written { text: &text, at: value.at, node: value.node };
        self.symbol(Symbol::Edge, usage, slot, &name);
    }

    /// A name that the document declares for all files.
    fn declared(&mut self, usage: NameUse, slot: Slot, name: &Written<'_>) {
        let own = self
            .snapshot
            .index()
            .declared(name.text)
            .iter()
            .find(|declared| declared.document == self.document.id && declared.at == name.at);
        if let Some(declared) = own {
            self.add(entity_of(*declared), usage, slot, (name, 0..name.text.len()));
        }
    }

    /// A state key of the graph that the mapping around names.
    fn foreign(&self, name: SmolStr) -> Option<Entity> {
        let child = self.children.iter().rev().find_map(|child| *child)?;
        Some(Entity::Local {
            document: child.document,
            graph: Some(child.part()),
            kind: NameKind::State,
            name,
        })
    }

    /// The name of a state key, and the part of the text that is the key's own.
    fn state_key(&self, symbol: Symbol, usage: NameUse, text: &str) -> Option<(SmolStr, Range<usize>)> {
        if text.is_empty() || text == WILDCARD {
            return None;
        }
        let Some(parts) = &self.dialect.conventions.parts else {
            let top = top_level(text);
            return Some((SmolStr::new(top), 0..top.len()));
        };
        let readable = self.dialect.condition_language().map(|language| language.syntax().state);
        let is_part =
            |part: &str| matches!(readable, Some(StateAccess::Parts(readable)) if readable.contains(&part));
        let known = text.split_once('.').filter(|(part, _)| is_part(part));
        let (part, rest) = match (symbol, known) {
            // A part of the state is not allowed there, so such a path is not a key.
            (Symbol::ForeignState, Some(_)) => return None,
            // A write to another graph is its input, and a read from it is one of its artifacts.
            (Symbol::ForeignState, _) if usage == NameUse::Writes => (parts.input, text),
            (Symbol::Artifact | Symbol::ForeignState, _) => (parts.artifacts, text),
            (_, Some((part, rest))) => (part, rest),
            (_, None) => (parts.scratch, text),
        };
        let key = top_level(rest);
        let start = text.len() - rest.len();
        (!key.is_empty()).then(|| (format_smolstr!("{part}.{key}"), start..start + key.len()))
    }

    fn reference(&mut self, reference: &Reference, slot: Slot, name: &Written<'_>) {
        let end = name.text.len();
        let start = end - reference.name.len().min(end);
        let entity = entity_of_reference(self.snapshot, self.dialect, self.document, reference);
        let before = self.found.len();
        self.add(entity, NameUse::Refers, slot, (name, start..end));
        if let Some(added) = self.found.get_mut(before) {
            added.scope = Some(reference.scope);
        }
    }

    fn templates(&mut self, known: Template, slot: Slot, value: &SpannedValue<'_>) {
        if matches!(known, Template::Closed(_)) {
            return;
        }
        let Some((bundle, _)) = bundle::normalise(value) else { return };
        bundle.each_leaf(|leaf| {
            for (text, at, node) in leaf.texts() {
                let Some(node) = node else { continue };
                let name = Written { text, at, node: Some(node) };
                for (variable, range) in template(name.text).variables {
                    let inner = range.start + 1..range.end.saturating_sub(1);
                    let entity = self.entity(NameKind::Variable, SmolStr::new(variable));
                    self.add(entity, NameUse::Reads, slot, (&name, inner));
                }
            }
        });
    }
}

impl<'v, 't> Visitor<'v, 't> for Collector<'_> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        !self.snapshot.is_cancelled() && self.wanted.is_none_or(|wanted| touches(value.at.range, wanted))
    }

    fn open(&mut self, shape: &'static Shape, value: &'v SpannedValue<'t>) {
        let declares_graph = shape
            .fields
            .iter()
            .any(|field| matches!(field.ty, Type::Symbol(Symbol::Graph, NameUse::Declares)));
        self.graphs.push(declares_graph.then(|| self.graph_at(value)).flatten());
        self.children.push(self.child(shape, value));
        self.hosts.push(self.hosts_of(shape, value));
    }

    fn close(&mut self, _shape: &'static Shape, _value: &'v SpannedValue<'t>) {
        self.graphs.pop();
        self.children.pop();
        self.hosts.pop();
    }

    fn free_key(&mut self, ty: Type, slot: Slot, member: &'v SpannedEntry<'t>) {
        let name = Written { text: &member.key, at: member.key_at, node: None };
        match ty {
            Type::Symbol(symbol, usage) => self.symbol(symbol, usage, slot, &name),
            Type::Reference(scope) => {
                let reference = Reference::new(SmolStr::new(&member.key), member.key_at, scope);
                self.reference(&reference, slot, &name);
            }
            _ => {}
        }
    }

    fn leaf(&mut self, ty: Type, slot: Slot, value: &'v SpannedValue<'t>) {
        if let Type::Bundle(known) | Type::Bundles(known) = ty {
            return self.templates(known, slot, value);
        }
        if matches!(ty, Type::EdgeId) {
            return self.edge_id(slot, value);
        }
        let is_of_state = |shape: &&Shape| slot.shape.is_same(shape);
        if matches!(ty, Type::JsonSchema) && self.dialect.state_schema.as_ref().is_some_and(is_of_state) {
            self.schema_keys(slot);
            return self.schema_routes(slot, value);
        }
        let Some(name) = Written::of_value(value) else { return };
        match ty {
            Type::Symbol(symbol, usage) => self.symbol(symbol, usage, slot, &name),
            Type::Slug(symbol) => self.symbol(symbol, NameUse::Refers, slot, &name),
            Type::DeclaredName => self.declared(NameUse::Declares, slot, &name),
            Type::Reference(scope) => {
                self.reference(&bind::reference(name.text, value, scope), slot, &name);
            }
            Type::Qualified(scope, separator) => {
                if let Some(reference) = bind::qualified(name.text, value, scope, separator) {
                    self.reference(&reference, slot, &name);
                }
            }
            Type::FunctionPath(_) => {
                let entity = Entity::Function { path: SmolStr::new(name.text) };
                self.add(entity, NameUse::Refers, slot, (&name, 0..name.text.len()));
            }
            Type::File(_) => {
                let path = joined(folder_of(&self.file.path), name.text).into();
                self.add(Entity::File { path }, NameUse::Refers, slot, (&name, 0..name.text.len()));
            }
            Type::Expression(_) | Type::Condition(_) => self.expression(slot, value),
            _ => {}
        }
    }
}

/// A graph, by its document and its index there.
pub(crate) type Host = (DocumentId, usize);

/// The graphs that run the agent with an id.
pub(crate) fn hosts(snapshot: &Snapshot, id: &str) -> Vec<Host> {
    let mut hosts = Vec::new();
    for user in snapshot.index().users(id) {
        let graphs = declaration(snapshot, user).into_iter().flat_map(Declaration::graphs).enumerate();
        hosts.extend(graphs.filter(|(_, graph)| runs(graph, id)).map(|(part, _)| (user, part)));
    }
    hosts
}

fn runs(graph: &Graph, id: &str) -> bool {
    graph.nodes.iter().any(|node| node.agent.as_ref().is_some_and(|agent| agent.name == id))
}

/// Whether a graph's state has a key.
fn knows(graph: &Graph, facts: &GraphFacts, key: &str) -> bool {
    let granted = |node: &GraphNode| {
        node.access.reads.iter().chain(&node.access.writes).any(|own| top_level(&own.value) == key)
    };
    facts.is_input(key) || graph.nodes.iter().any(granted)
}

/// The keys of a part of the state that can be the result of an expression.
fn routed_keys(conditions: &[ConditionFacts], part: &str) -> BTreeSet<SmolStr> {
    let paths = conditions.iter().flat_map(|facts| facts.language.result_paths(&facts.text));
    let key = |path: Vec<Segment>| match path.as_slice() {
        [root, key] if root.name == part => Some(key.name.clone()),
        _ => None,
    };
    paths.filter_map(key).collect()
}

/// The graph or declaration that a scenario is about.
fn staged_by(snapshot: &Snapshot, file: &FileFacts, document: &DocumentFacts) -> Option<ScenarioTarget> {
    match &document.effective.as_ref()?.declaration.as_ref()?.body {
        Body::Scenario(scenario) => staged(snapshot, &file.path, scenario),
        _ => None,
    }
}

/// The document that owns an overlay's edges and variables. For other documents, the document itself.
fn home(snapshot: &Snapshot, document: &DocumentFacts) -> DocumentId {
    let target = document.overlay.as_ref().and_then(|overlay| overlay.target.as_ref());
    let declared = target.and_then(|target| snapshot.index().first(target.kind()?, &target.name));
    declared.map_or(document.id, |declared| declared.document)
}

/// The entity that a reference refers to.
pub(crate) fn entity_of_reference(
    snapshot: &Snapshot,
    dialect: &Dialect,
    document: &DocumentFacts,
    reference: &Reference,
) -> Entity {
    let index = snapshot.index();
    let declared = match dialect.discriminator() {
        Some(_) => match index.resolve(reference) {
            Resolution::To(declared) => Some(declared),
            Resolution::Ambiguous(all) => all.first().copied(),
            Resolution::WrongKind(_) | Resolution::Nothing => None,
        },
        None => index.meant(document.id, reference),
    };
    match declared {
        Some(declared) => entity_of(declared),
        None => Entity::Missing { kinds: reference.scope.kinds, name: reference.name.clone() },
    }
}

/// A declaration as an entity.
pub(crate) fn entity_of(declared: Declared) -> Entity {
    Entity::Declaration { document: declared.document, kind: declared.kind, part: declared.part() }
}
