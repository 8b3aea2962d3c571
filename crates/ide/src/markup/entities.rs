//! Short descriptions of names, for hover and completion: where the thing is declared, what it does, what refers to it.
//! In: an entity. Out: a text. Invariant: if nothing declares a name, the text says so.

mod declared;
mod graphs;
mod state;

use nodewise_analysis::facts::{DocumentId, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::{TextRange, TextSize};

use super::{Line, Markup, MarkupLinkTarget, counted};
use crate::names::{Entity, NameKind, document, occurrences_everywhere};

/// The maximum number of items in a list.
const ITEMS_MAX: usize = 6;

/// Describes what a name refers to.
#[must_use]
pub fn describe_entity(snapshot: &Snapshot, entity: &Entity) -> Markup {
    match entity {
        Entity::Declaration { document, kind, part } => {
            declared::describe(snapshot, *document, kind, *part, entity)
        }
        Entity::Missing { kinds, name } => missing(snapshot, kinds, name),
        Entity::Local { document, graph, kind, name } => {
            local(snapshot, *document, *graph, *kind, name, entity)
        }
        Entity::Shared { dialect, kind, name } => shared(dialect, *kind, name),
        Entity::Function { path } => function(snapshot, path),
        Entity::File { path } => file(snapshot, path),
    }
}

/// Whether nothing declares what a name refers to.
pub(crate) fn is_undeclared(snapshot: &Snapshot, entity: &Entity) -> bool {
    match entity {
        Entity::Missing { .. } => true,
        Entity::Local { document: id, graph: Some(graph), kind: NameKind::Node, name } => {
            let effective = document(snapshot, *id).and_then(|document| document.effective.as_ref());
            let around = effective.and_then(|effective| effective.graph(*graph));
            around.is_some_and(|(_, facts)| facts.node(name).is_none())
        }
        _ => false,
    }
}

/// The place of something: `path:line`.
pub(crate) fn place_of(snapshot: &Snapshot, at: Origin) -> String {
    let Some(file) = snapshot.file(at.source) else { return String::new() };
    format!("{}:{}", file.path, file.line(at.range.start()))
}

/// The dialect of a file.
fn dialect_of(snapshot: &Snapshot, source: SourceId) -> Option<&'static Dialect> {
    match snapshot.file(source)?.ownership {
        Ownership::Ours(dialect) => Some(dialect),
        Ownership::Empty | Ownership::NotOurs => None,
    }
}

fn missing(snapshot: &Snapshot, kinds: &[&str], name: &str) -> Markup {
    let mut markup = Markup::new();
    let registered: Vec<Line> = snapshot
        .functions()
        .registering(kinds, name)
        .take(ITEMS_MAX)
        .map(|(module, one)| {
            let line = Line::new().prose(one.kind).prose(" ").code(name).prose(" is registered in ");
            line.code(&module.path).prose(&format!(", line {}", one.line + 1))
        })
        .collect();
    if !registered.is_empty() {
        markup.list(&registered);
        return markup;
    }
    let wanted = kinds.join(" or ");
    markup.paragraph(&Line::new().prose(&format!("No {wanted} is named ")).code(name).prose("."));
    let others = snapshot.index().declared(name);
    let items: Vec<Line> = others
        .iter()
        .take(ITEMS_MAX)
        .map(|other| {
            let line = Line::new().prose(other.kind).prose(" ").code(name).prose(" does not fit here: ");
            line.place(snapshot, other.at)
        })
        .collect();
    match items.is_empty() {
        false => markup.list(&items),
        true => {
            if let Some(near) = snapshot.index().nearest(name, kinds) {
                markup.paragraph(&Line::new().prose("Did you mean ").code(near).prose("?"));
            }
        }
    }
    markup
}

fn local(
    snapshot: &Snapshot,
    id: DocumentId,
    graph: Option<usize>,
    kind: NameKind,
    name: &str,
    entity: &Entity,
) -> Markup {
    let effective = document(snapshot, id).and_then(|document| document.effective.as_ref());
    let around = graph.and_then(|position| effective?.graph(position));
    let described = match (kind, around) {
        (NameKind::Node, Some((graph, facts))) => graphs::node(snapshot, id, graph, facts, name),
        (NameKind::Edge, Some((graph, facts))) => graphs::edge(snapshot, graph, facts, name),
        (NameKind::State, Some((graph, facts))) => Some(state::key(snapshot, entity, graph, facts, name)),
        (NameKind::Edge, None) => declared::edge(snapshot, id, name),
        (NameKind::Variable, _) => Some(variable(snapshot, name, entity)),
        _ => None,
    };
    described.unwrap_or_else(|| plain(kind, name, None))
}

/// A name of which only the kind is known.
fn plain(kind: NameKind, name: &str, doc: Option<&str>) -> Markup {
    let mut markup = Markup::new();
    markup.paragraph(&Line::new().strong(kind.noun()).prose(" ").code(name));
    markup.paragraph(&Line::new().prose(doc.unwrap_or_default()));
    markup
}

fn variable(snapshot: &Snapshot, name: &str, entity: &Entity) -> Markup {
    let uses = counted(occurrences_everywhere(snapshot, entity).len(), "place");
    plain(NameKind::Variable, name, Some(&format!("Replaced when the text is used. Used in {uses}.")))
}

fn shared(dialect: &str, kind: NameKind, name: &str) -> Markup {
    let dialect = DIALECTS.iter().find(|known| known.id == dialect).filter(|_| kind == NameKind::Tool);
    let builtin = dialect.and_then(|dialect| dialect.builtin_tools.iter().find(|word| word.text == name));
    let doc = match (builtin, kind) {
        (Some(word), _) => format!("Built into the engine: {}.", word.doc),
        (None, NameKind::Tag) => "A tag of facts in long-term memory.".to_owned(),
        (None, NameKind::State) => "A variable of the run's context.".to_owned(),
        (None, _) => "Provided by the host program.".to_owned(),
    };
    plain(kind, name, Some(&doc))
}

/// A file and its declarations.
fn file(snapshot: &Snapshot, path: &str) -> Markup {
    let mut markup = Markup::new();
    let Some(file) = snapshot.source(path).and_then(|source| snapshot.file(source)) else {
        markup.paragraph(&Line::new().prose("The project has no file ").code(path).prose("."));
        return markup;
    };
    let to = MarkupLinkTarget::File(Origin::new(file.source, TextRange::empty(TextSize::new(0))));
    markup.paragraph(&Line::new().strong("file").prose(" ").link(&Line::new().code(path), to));
    let declarations = file.documents.iter().filter_map(|document| {
        let declaration = document.effective.as_ref()?.declaration.as_ref()?;
        let line = Line::new().prose(declaration.kind);
        Some(match &declaration.name {
            Some(name) => line.prose(" ").code(&name.value),
            None => line,
        })
    });
    markup.list(&declarations.take(ITEMS_MAX).collect::<Vec<_>>());
    markup
}

/// A function of a program. If no file of the project defines it, only the path.
fn function(snapshot: &Snapshot, path: &str) -> Markup {
    let mut markup = Markup::new();
    let head = Line::new().strong("function").prose(" ").code(path);
    let Some((module, function)) = snapshot.functions().find(path) else {
        markup.paragraph(&head);
        markup.paragraph(&Line::new().prose("No Python file in the project defines it."));
        return markup;
    };
    let place = format!("{}:{}", module.path, function.line + 1);
    let to = MarkupLinkTarget::Program { path: module.path.clone(), line: function.line };
    markup.paragraph(&head.prose(" · ").link(&Line::new().text(&place), to));
    let word = if function.is_class { "class" } else { "def" };
    markup.code("python", &format!("{word} {}{}", function.name, function.signature));
    if let Some(doc) = &function.doc {
        markup.quote(doc);
    }
    markup
}
