//! Names that programs provide: tools, servers, models and others. In: the names that the project's documents require
//! and use, and those in its configuration. Out: offers, those of this document first. The search in a large project
//! stops after a number of declarations.

use nodewise_dialect::table::Symbol;
use nodewise_model::graph::{Bundle, Graph, GraphNode, ToolSource, ToolSourceKind};
use nodewise_model::work::ProvidedKind;
use nodewise_model::{Body, Declaration, Injection, Located};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use super::ItemKind;
use super::offer::{Offer, Offers};
use super::symbols::{self, SymbolTarget};
use super::wanted::Wanted;
use crate::cursor_context::CursorContext;

/// The maximum number of declarations to search.
const DECLARATIONS_MAX: usize = 5000;

/// Offers the names of one kind that programs provide.
pub(super) fn offer(wanted: &Wanted<'_>, symbol: Symbol, offers: &mut Offers) {
    for name in symbols::of_graph(wanted.spot) {
        let is_such = matches!(name.what, SymbolTarget::Symbol(found, _) if found == symbol);
        let is_here = name.at.range.contains_inclusive(wanted.spot.position.offset);
        if is_such && !is_here {
            add(wanted, name.text, "in this document", 0, offers);
        }
    }
    let builtin = wanted.spot.dialect.filter(|_| symbol == Symbol::Tool);
    for word in builtin.map_or(&[][..], |dialect| dialect.builtin_tools) {
        add(wanted, word.text, word.doc, 2, offers);
    }
    if symbol == Symbol::Trait {
        for name in wanted.spot.dialect.map_or(&[][..], |dialect| dialect.traits) {
            add(wanted, name, "", 1, offers);
        }
    }
    for_each_declaration(wanted.spot, |declaration, path, tier| {
        for name in names(declaration, symbol) {
            add(wanted, &name.value, &format!("in {path}"), tier, offers);
        }
    });
    offer_outside(wanted, symbol, offers);
}

/// Offers the exits of a voice session, for its keywords.
pub(super) fn offer_exits(wanted: &Wanted<'_>, offers: &mut Offers) {
    let Some((_, node)) = wanted.spot.node() else { return };
    for keyword in node.work.exit_keywords() {
        let Some(prefix) = wanted.spot.dialect.and_then(|dialect| dialect.keyword_exit) else { continue };
        let exit = format!("{prefix}{}", keyword.value);
        add(wanted, &exit, "a keyword was heard", 0, offers);
    }
}

/// Offers the variables that the project's accounts inject.
pub(super) fn offer_injections(wanted: &Wanted<'_>, offers: &mut Offers) {
    let offset = wanted.spot.position.offset;
    let source = wanted.spot.file.source;
    for_each_declaration(wanted.spot, |declaration, path, tier| {
        let (account, inlined) = match &declaration.body {
            Body::Account(account) => (Some(account.as_ref()), None),
            Body::Node(node) => (None, node.details.inlined_account.as_ref().map(|inlined| &inlined.account)),
            _ => (None, None),
        };
        let lists = account.or(inlined).and_then(|account| account.inject.as_ref());
        for injection in lists.into_iter().flat_map(|list| &list.value) {
            let is_here = injection.at.source == source && injection.at.range.contains_inclusive(offset);
            if !is_here {
                add(wanted, &written(injection), &format!("in {path}"), tier, offers);
            }
        }
    });
}

/// Calls `visit` with the declaration of this document and those of the project, with the file and a tier for the names
/// in it.
pub(super) fn for_each_declaration(spot: &CursorContext<'_>, mut visit: impl FnMut(&Declaration, &str, u8)) {
    let own = spot.file.documents.iter().filter_map(|document| document.effective.as_ref());
    for declaration in own.filter_map(|effective| effective.declaration.as_ref()) {
        visit(declaration, &spot.file.path, 1);
    }
    let mut left = DECLARATIONS_MAX;
    for file in spot.snapshot.files().iter().filter(|file| file.source != spot.file.source) {
        for document in &file.documents {
            let effective = document.effective.as_ref();
            if let Some(declaration) = effective.and_then(|effective| effective.declaration.as_ref()) {
                visit(declaration, &file.path, 3);
            }
        }
        left = left.saturating_sub(file.documents.len());
        if left == 0 {
            return;
        }
    }
}

fn add(wanted: &Wanted<'_>, name: &str, detail: &str, tier: u8, offers: &mut Offers) {
    if !name.is_empty() && !wanted.is_taken(name) && !offers.has(name) {
        offers.add(Offer::text(name, ItemKind::Provided, tier).with_detail(detail));
    }
}

fn offer_outside(wanted: &Wanted<'_>, symbol: Symbol, offers: &mut Offers) {
    let Some(dialect) = wanted.spot.dialect else { return };
    // The lists in the configuration are named after their contents.
    let noun = symbol.one().rsplit(' ').next().unwrap_or_default();
    let lists = dialect.outside.iter().filter(|list| list.key.strip_suffix('s') == Some(noun));
    for list in lists {
        for name in wanted.spot.file.settings.outside(dialect, list.key).unwrap_or_default() {
            add(wanted, name, "provided by the program", 1, offers);
        }
    }
}

fn written(injection: &Injection) -> String {
    match &injection.target {
        Some(target) => format!("{target}: {}", injection.path),
        None => injection.path.to_string(),
    }
}

/// The names of one kind in a declaration.
fn names(declaration: &Declaration, symbol: Symbol) -> Vec<&Located<SmolStr>> {
    let mut names = Vec::new();
    if let Body::Bundle(bundle) = &declaration.body {
        names.extend(required(bundle, symbol));
    }
    for agent in declaration.agents() {
        names.extend(agent.model.as_ref().filter(|_| symbol == Symbol::Model));
        names.extend(agent.tools.iter().flat_map(|source| of_source(source, symbol)));
    }
    let lone = match &declaration.body {
        Body::GraphNode(node) => Some(node.as_ref()),
        _ => None,
    };
    let nodes = declaration.graphs().flat_map(|graph: &Graph| &graph.nodes).chain(lone);
    for node in nodes {
        names.extend(of_node(node, symbol));
    }
    let mut seen = FxHashSet::default();
    names.retain(|name| seen.insert(&name.value));
    names
}

fn required(bundle: &Bundle, symbol: Symbol) -> &[Located<SmolStr>] {
    match symbol {
        Symbol::Tool => &bundle.requires.tools,
        Symbol::Server => &bundle.requires.servers,
        Symbol::Model => &bundle.requires.models,
        _ => &[],
    }
}

fn of_source(source: &ToolSource, symbol: Symbol) -> Vec<&Located<SmolStr>> {
    match (&source.kind, symbol) {
        (ToolSourceKind::Custom(name), Symbol::Tool) => vec![name],
        (ToolSourceKind::Server(name, _), Symbol::Server) => vec![name],
        (ToolSourceKind::Server(_, Some(tools)), Symbol::Tool) => tools.iter().collect(),
        _ => Vec::new(),
    }
}

fn of_node(node: &GraphNode, symbol: Symbol) -> Vec<&Located<SmolStr>> {
    let mut names = Vec::new();
    let sources = node.tools.iter().flat_map(|tools| &tools.value);
    names.extend(sources.flat_map(|source| of_source(source, symbol)));
    let is_such = |kind: ProvidedKind| match kind {
        ProvidedKind::Tool => symbol == Symbol::Tool,
        ProvidedKind::Extension => symbol == Symbol::Extension,
        ProvidedKind::Guardrail => symbol == Symbol::Guardrail,
        ProvidedKind::Server => symbol == Symbol::Server,
        ProvidedKind::Tag => symbol == Symbol::Tag,
    };
    let provided = node.work.provided().into_iter().filter(|(kind, _)| is_such(*kind));
    names.extend(provided.map(|(_, name)| name));
    if let (Some(host), Symbol::Guardrail) = (&node.host, symbol) {
        names.extend(host.guardrails.iter().flat_map(|policy| policy.input.iter().chain(&policy.output)));
    }
    names
}
