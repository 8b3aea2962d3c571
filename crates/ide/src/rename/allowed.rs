//! Which names can change, and to what. In: the entity of a name, and the new name. Out: the reason if it cannot
//! change.

use nodewise_analysis::facts::{DocumentId, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::bind::name_fault;
use nodewise_dialect::table::{LengthBounds, NameUse, Type};
use nodewise_dialect::template::template;
use nodewise_model::state::{WILDCARD, is_hidden};
use smol_str::SmolStr;

use super::{RenameRefusal, own_key};
use crate::goto::{graph_of, implied_by};
use crate::names::{Entity, NameKind, Occurrence, names, occurrences_everywhere, title};
use crate::position::FilePosition;

/// The reason why nothing at a position can be renamed.
pub(super) fn no_name(snapshot: &Snapshot, position: FilePosition) -> RenameRefusal {
    let file = position.file(snapshot);
    let word = file.map(|file| word_at(&file.text, usize::from(position.offset)));
    let is_reserved =
        |word: &str| file.is_some_and(|file| snapshot.conventions(file.source).is_reserved(word));
    match word {
        Some(word) if is_reserved(word) => {
            RenameRefusal::new(format!("`{word}` is a word of the language, not a name"))
        }
        _ => RenameRefusal::new("there is no name here that can be renamed"),
    }
}

/// Whether the files of the project decide the name of an entity.
pub(super) fn may_change(snapshot: &Snapshot, entity: &Entity) -> Result<(), RenameRefusal> {
    match entity {
        Entity::Declaration { .. } => Ok(()),
        Entity::Missing { name, .. } => Err(RenameRefusal::new(format!("no file declares `{name}`"))),
        Entity::Function { path } => Err(RenameRefusal::new(format!(
            "`{path}` is a function in a program: rename the function there, then change its path here"
        ))),
        Entity::File { path } => Err(RenameRefusal::new(format!(
            "`{path}` is a file: rename it in the editor's file explorer, which updates all paths"
        ))),
        Entity::Shared { kind: NameKind::Tag | NameKind::Server, .. } if is_written(snapshot, entity) => {
            Ok(())
        }
        Entity::Shared { kind, name, .. } => Err(RenameRefusal::new(format!(
            "a program provides the {} `{name}`, so you cannot rename it here",
            kind.noun()
        ))),
        Entity::Local { kind: NameKind::State, name, .. } => may_change_key(snapshot, entity, name),
        Entity::Local { document, kind: NameKind::Node, name, .. }
            if snapshot.conventions(document.source).is_reserved(name) =>
        {
            Err(RenameRefusal::new(format!(
                "`{name}` is a reserved name of the runtime, so its edges are ambiguous"
            )))
        }
        Entity::Local { .. } => Ok(()),
    }
}

/// Whether a file of the project declares a shared name or writes its value.
fn is_written(snapshot: &Snapshot, entity: &Entity) -> bool {
    let all = occurrences_everywhere(snapshot, entity);
    all.iter().any(|one| matches!(one.usage, NameUse::Declares | NameUse::Writes))
}

/// Whether a character has no width, or changes the writing direction. A name with such a character looks like another
/// name.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

/// Whether the new name is valid and not used.
pub(super) fn is_fit(snapshot: &Snapshot, name: &Occurrence, new_name: &str) -> Result<(), RenameRefusal> {
    let refuse = |fault: &str| Err(RenameRefusal::new(format!("`{new_name}` cannot be the name: {fault}")));
    if let Some(fault) = name_fault(new_name).filter(|_| is_by_kind(snapshot, &name.entity)) {
        return refuse(fault);
    }
    if new_name.trim().is_empty() {
        return refuse("it is empty");
    }
    if new_name.trim() != new_name {
        return refuse("it starts or ends with a space");
    }
    if new_name.contains(char::is_control) {
        return refuse("it contains a control character");
    }
    if new_name.contains(is_invisible) {
        return refuse("it contains an invisible character");
    }
    if let Some(size) = bounds(name).filter(|size| !(size.min..=size.max).contains(&new_name.chars().count()))
    {
        return refuse(&format!("it must have {}", size.in_words("character")));
    }
    match &name.entity {
        Entity::Declaration { document, kind, .. } => is_free(snapshot, name, *document, kind, new_name),
        Entity::Local { document, graph, kind, name: old } => {
            let local =
                |name: SmolStr| Entity::Local { document: *document, graph: *graph, kind: *kind, name };
            match kind {
                NameKind::Node if snapshot.conventions(document.source).is_reserved(new_name) => {
                    return refuse("it is a reserved name for the start or the end of a run");
                }
                NameKind::State if new_name.contains('.') => {
                    return refuse("it contains a `.`, which separates the parts of a key");
                }
                NameKind::State if new_name == WILDCARD => return refuse("it stands for all keys"),
                NameKind::State if is_hidden(new_name) && !old.contains('.') => {
                    return refuse("nodes cannot read keys that start with `_`");
                }
                NameKind::Variable if !is_variable(new_name) => {
                    return refuse("it is not a valid variable name");
                }
                _ => {}
            }
            let new_entity = local(with_part(old, new_name, *kind));
            match occupied(snapshot, &new_entity) {
                true => Err(RenameRefusal::new(format!("{} already exists", title(snapshot, &new_entity)))),
                false => Ok(()),
            }
        }
        Entity::Missing { .. } | Entity::Shared { .. } | Entity::Function { .. } | Entity::File { .. } => {
            Ok(())
        }
    }
}

/// Whether a name is already used inside a graph or document, even without a declaration.
pub(super) fn occupied(snapshot: &Snapshot, entity: &Entity) -> bool {
    if let Some((graph, facts, key)) = graph_of(snapshot, entity) {
        let is_known = match entity {
            Entity::Local { kind: NameKind::Node, .. } => facts.node(key).is_some(),
            Entity::Local { kind: NameKind::State, .. } => {
                facts.is_ambient(key) || !implied_by(graph, facts, key).is_empty()
            }
            _ => false,
        };
        if is_known {
            return true;
        }
    }
    match entity {
        // If an edge or node does not exist, uses of its name would refer to the renamed one. That is fine.
        Entity::Local { document, kind: NameKind::Node | NameKind::Edge, .. } => {
            names(snapshot, document.source)
                .iter()
                .any(|one| one.entity == *entity && one.usage == nodewise_dialect::table::NameUse::Declares)
        }
        _ => !occurrences_everywhere(snapshot, entity).is_empty(),
    }
}

/// The new name of a key, with the part of the state that the old one has.
pub(super) fn with_part(old: &SmolStr, new_name: &str, kind: NameKind) -> SmolStr {
    match old.split_once('.').filter(|_| kind == NameKind::State) {
        Some((part, _)) => smol_str::format_smolstr!("{part}.{new_name}"),
        None => SmolStr::new(new_name),
    }
}

fn may_change_key(snapshot: &Snapshot, entity: &Entity, name: &SmolStr) -> Result<(), RenameRefusal> {
    let key = own_key(name);
    let Some((graph, facts, name)) = graph_of(snapshot, entity) else { return Ok(()) };
    if let Some(parts) = &graph.conventions.parts {
        if let Some((part, _)) = name.split_once('.').filter(|(part, _)| !parts.declared.contains(part)) {
            return Err(RenameRefusal::new(format!("the runtime defines `{part}`, so you cannot rename it")));
        }
        if parts.host_keys.contains(&key.as_str()) {
            return Err(RenameRefusal::new(format!("the host writes `{key}`, so you cannot rename it")));
        }
    }
    if facts.is_ambient(name) || facts.is_reserved_key(name) {
        return Err(RenameRefusal::new(format!("the engine defines `{name}`, so you cannot rename it")));
    }
    match implied_by(graph, facts, name).first().and_then(|node| node.id.as_ref()) {
        Some(id) => {
            let id = &id.value;
            Err(RenameRefusal::new(format!(
                "the key `{key}` gets its name from node `{id}`: rename the node"
            )))
        }
        None => Ok(()),
    }
}

/// Whether names in the entity's language have the kind of their declaration before them.
fn is_by_kind(snapshot: &Snapshot, entity: &Entity) -> bool {
    let Entity::Declaration { document, .. } = entity else { return false };
    match snapshot.file(document.source).map(|file| file.ownership) {
        Some(Ownership::Ours(dialect)) => dialect.discriminator().is_some(),
        _ => false,
    }
}

/// Whether no declaration that a use of the name could refer to has the new name.
fn is_free(
    snapshot: &Snapshot,
    name: &Occurrence,
    document: DocumentId,
    kind: &str,
    new_name: &str,
) -> Result<(), RenameRefusal> {
    let scopes: Vec<_> =
        occurrences_everywhere(snapshot, &name.entity).iter().filter_map(|one| one.scope).collect();
    let competes = |other: &str| {
        other == kind
            || scopes.iter().any(|scope| scope.kinds.contains(&other) && scope.kinds.contains(&kind))
    };
    let own = snapshot.file(document.source).map(|file| &file.ownership);
    let is_of_system = |source| match (own, snapshot.file(source).map(|file| &file.ownership)) {
        (Some(Ownership::Ours(own)), Some(Ownership::Ours(other))) => own.id == other.id,
        _ => false,
    };
    let taken = snapshot
        .index()
        .declared(new_name)
        .iter()
        .find(|declared| competes(declared.kind) && is_of_system(declared.document.source));
    match taken {
        Some(declared) => {
            let path = snapshot.file(declared.document.source).map_or("", |file| &*file.path);
            Err(RenameRefusal::new(format!("{} `{new_name}` is already declared in {path}", declared.kind)))
        }
        None => Ok(()),
    }
}

/// The length that the table requires for the name.
fn bounds(name: &Occurrence) -> Option<LengthBounds> {
    match name.slot?.field.ty {
        Type::Sized(Type::Symbol(..), size) => Some(size),
        _ => None,
    }
}

fn is_variable(name: &str) -> bool {
    let braced = format!("{{{name}}}");
    template(&braced).variables.first().is_some_and(|(found, _)| *found == name)
}

fn word_at(text: &str, offset: usize) -> &str {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = text.as_bytes();
    let offset = offset.min(bytes.len());
    let before = bytes[..offset].iter().rev().take_while(|byte| is_word(byte)).count();
    let behind = bytes[offset..].iter().take_while(|byte| is_word(byte)).count();
    text.get(offset - before..offset + behind).unwrap_or_default()
}
