//! Describes a declaration in a few lines: its place, its purpose, what it calls, where it leads, what refers to it,
//! and its overlays. In: a declaration of the project. Out: a text. Long parts are cut.

use nodewise_analysis::facts::DocumentId;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::bundle::FALLBACK_LANGUAGE;
use nodewise_model::graph::AgentDefinition;
use nodewise_model::{
    Account, Argument, Body, Declaration, Edge, Localized, Located, Node, Origin, Reference,
};
use smol_str::SmolStr;

use super::{ITEMS_MAX, Line, Markup, counted, dialect_of, graphs, place_of};
use crate::names::{Entity, declared_name, document, entity_of_reference, shown_name};
use crate::uses::referrals;

/// A declaration with its overlays applied.
pub(super) fn describe(
    snapshot: &Snapshot,
    id: DocumentId,
    kind: &'static str,
    part: usize,
    entity: &Entity,
) -> Markup {
    let mut markup = Markup::new();
    let facts = document(snapshot, id);
    let effective = facts.and_then(|document| snapshot.index().effective(document));
    let (Some(name), Some(effective)) = (declared_name(snapshot, id, kind, part), effective) else {
        return markup;
    };
    let shown = shown_name(snapshot, id, kind, part).unwrap_or(&name.value);
    let title = Line::new().strong(kind).prose(" ").code(shown);
    let title = match shown == name.value {
        true => title.prose(" · "),
        false => title.prose(" · ").code(&name.value).prose(" · "),
    };
    markup.paragraph(&title.place(snapshot, name.at));
    if let Some(declaration) = &effective.declaration {
        match &declaration.body {
            Body::Node(node) => describe_node(&mut markup, NameContext { snapshot, id }, name, node),
            Body::Account(account) => describe_account(&mut markup, NameContext { snapshot, id }, account),
            Body::Provider(provider) => {
                let scheme = provider.scheme.iter().map(|word| word.value.as_str());
                markup.paragraph(&Line::labelled("Scheme", scheme));
                let function = provider.function.iter().map(|path| path.value.as_str());
                markup.paragraph(&Line::labelled("Calls", function));
            }
            _ => describe_part(&mut markup, declaration, kind, part),
        }
    }
    let mut items = patches(snapshot, id);
    items.extend(doubles(snapshot, id, name, kind));
    items.extend(referrers(snapshot, entity));
    if !items.is_empty() {
        markup.list(&items);
    }
    markup
}

/// An edge of a node that is a separate document.
pub(super) fn edge(snapshot: &Snapshot, id: DocumentId, name: &str) -> Option<Markup> {
    let declaration = document(snapshot, id)?.effective.as_ref()?.declaration.as_ref()?;
    let Body::Node(node) = &declaration.body else { return None };
    let is_named = |edge: &&Edge| edge.id.as_ref().is_some_and(|id| id.value == name);
    let edge = node.edges.iter().find(is_named)?;
    let mut markup = Markup::new();
    let line = Line::new().strong("edge").prose(" ").code(name).prose(" to ");
    markup.paragraph(&NameContext { snapshot, id }.way(line, edge));
    let depends: Vec<&str> = edge.depends.iter().map(|id| id.value.as_str()).collect();
    markup.paragraph(&Line::labelled("Waits for", depends));
    Some(markup)
}

/// A tool as a function of its arguments: `search(query: string, limit?: integer)`.
fn tool_signature(name: &str, arguments: &[Argument]) -> String {
    let written: Vec<String> = arguments.iter().filter_map(argument).collect();
    format!("{name}({})", written.join(", "))
}

fn argument(argument: &Argument) -> Option<String> {
    let name = argument.name.as_ref()?;
    let mark = if argument.optional { "?" } else { "" };
    let types: Vec<&str> = argument.types.iter().map(|word| word.value.as_str()).collect();
    Some(match types.is_empty() {
        true => format!("{}{mark}", name.value),
        false => format!("{}{mark}: {}", name.value, types.join(" | ")),
    })
}

fn describe_node(markup: &mut Markup, context: NameContext<'_>, name: &Located<SmolStr>, node: &Node) {
    if !node.arguments.is_empty() {
        markup.code("", &tool_signature(&name.value, &node.arguments));
    }
    let text = shown(&node.details.description).or_else(|| shown(&node.prompts));
    markup.quote(text.unwrap_or_default());
    let function = node.function.iter().map(|path| path.value.as_str());
    markup.paragraph(&Line::labelled("Calls", function));
    markup.paragraph(&context.listed("Tools", &node.tools));
    markup.paragraph(&context.listed("Runs as", node.details.account.as_deref()));
    if !node.edges.is_empty() {
        markup.paragraph(
            &Line::new().prose("Leads to ").parts(&node.edges, |line, edge| context.way(line, edge)),
        );
    }
}

/// The document that contains the described names.
#[derive(Clone, Copy)]
struct NameContext<'s> {
    snapshot: &'s Snapshot,
    id: DocumentId,
}

impl NameContext<'_> {
    /// The targets of an edge, and its condition.
    fn way(self, line: Line, edge: &Edge) -> Line {
        let line = line.parts(&edge.targets, |line, target| self.reference(line, target));
        match &edge.condition {
            Some(condition) => line.prose(" when ").code(&condition.text),
            None => line,
        }
    }

    /// A label and a list of references. Empty without references.
    fn listed<'r>(self, label: &str, references: impl IntoIterator<Item = &'r Reference>) -> Line {
        let mut references = references.into_iter().peekable();
        match references.peek() {
            Some(_) => {
                let line = Line::new().prose(label).prose(" ");
                line.parts(references, |line, reference| self.reference(line, reference))
            }
            None => Line::new(),
        }
    }

    /// A name that is looked up in all files, as a link to its declaration.
    fn reference(self, line: Line, reference: &Reference) -> Line {
        line.name(&reference.name, self.declared(reference))
    }

    /// The name of the declaration that a reference refers to.
    fn declared(self, reference: &Reference) -> Option<Origin> {
        let (snapshot, id) = (self.snapshot, self.id);
        let entity = entity_of_reference(
            snapshot,
            dialect_of(snapshot, id.source)?,
            document(snapshot, id)?,
            reference,
        );
        let Entity::Declaration { document, kind, part } = entity else { return None };
        declared_name(snapshot, document, kind, part).map(|name| name.at)
    }
}

fn describe_account(markup: &mut Markup, context: NameContext<'_>, account: &Account) {
    let injected = account.inject.iter().flat_map(|inject| &inject.value);
    let names: Vec<&str> = injected.map(|one| one.target.as_ref().unwrap_or(&one.path).as_str()).collect();
    markup.paragraph(&Line::labelled("Injects", names));
    let providers = account.provider.iter().chain(&account.providers);
    markup.paragraph(&context.listed("Credentials from", providers));
}

/// A graph or an agent of a document.
fn describe_part(markup: &mut Markup, declaration: &Declaration, kind: &str, part: usize) {
    let is_agent = match &declaration.body {
        Body::Agent(_) => true,
        Body::Bundle(bundle) => kind == bundle.agent_kind,
        _ => false,
    };
    if is_agent {
        if let Some(agent) = declaration.agents().nth(part) {
            describe_agent(markup, agent);
        }
    } else if let Some(graph) = declaration.graph(part) {
        graphs::summary(markup, graph);
    }
}

fn describe_agent(markup: &mut Markup, agent: &AgentDefinition) {
    markup.quote(agent.prompt.as_ref().map_or("", |prompt| &prompt.value));
    let model = Line::labelled("Model", agent.model.iter().map(|word| word.value.as_str()));
    markup.paragraph(&match &agent.provider {
        Some(provider) if !model.is_empty() => model.prose(" of ").code(&provider.value),
        Some(provider) => Line::labelled("Provider", [provider.value.as_str()]),
        None => model,
    });
    markup.paragraph(&Line::labelled("Tools", agent.tools.iter().map(graphs::tool_source)));
}

/// The text that represents a localized field: the first one in the fallback language, else the first one.
fn shown(localized: &Localized) -> Option<&str> {
    let mut fallback = localized.in_language(FALLBACK_LANGUAGE);
    let text = fallback.next().or_else(|| localized.texts.first())?;
    Some(&text.text)
}

/// The overlays that patch a declaration.
fn patches(snapshot: &Snapshot, id: DocumentId) -> Vec<Line> {
    let overlays = snapshot.index().patches(id).filter_map(|overlay| document(snapshot, overlay));
    overlays
        .take(ITEMS_MAX)
        .map(|overlay| Line::new().prose("Patched by ").place(snapshot, overlay.head))
        .collect()
}

/// The other declarations with the same name and kind. The first one is used.
fn doubles(snapshot: &Snapshot, id: DocumentId, name: &Located<SmolStr>, kind: &str) -> Vec<Line> {
    let all = snapshot.index().declared(&name.value).iter();
    all.filter(|other| other.kind == kind && other.document != id)
        .take(ITEMS_MAX)
        .map(|other| Line::new().prose("Also declared in ").place(snapshot, other.at))
        .collect()
}

/// What refers to a declaration: the number of references, and the declarations that contain them.
fn referrers(snapshot: &Snapshot, entity: &Entity) -> Option<Line> {
    let is_overlay = |id| document(snapshot, id).is_some_and(|document| document.overlay.is_some());
    let mut found = referrals(snapshot, entity);
    found.retain(|referral| !is_overlay(referral.document));
    let mut titles: Vec<(String, Origin)> = Vec::new();
    for referral in &found {
        // Other references are only counted.
        if titles.len() > ITEMS_MAX {
            break;
        }
        let own = document(snapshot, referral.document)?;
        let name = own.effective.as_ref().and_then(|effective| {
            let declaration = effective.declaration.as_ref()?;
            shown_name(snapshot, own.id, declaration.kind, 0).map(str::to_owned)
        });
        let title = name.unwrap_or_else(|| place_of(snapshot, own.head));
        if titles.iter().all(|(other, _)| *other != title) {
            titles.push((title, referral.at));
        }
    }
    let count = counted(found.len(), "reference");
    Some(match titles.is_empty() {
        true => Line::new().prose("No references"),
        false => {
            let line = Line::new().prose(&format!("{count}: "));
            line.parts(&titles, |line, (title, at)| line.name(title, Some(*at)))
        }
    })
}
