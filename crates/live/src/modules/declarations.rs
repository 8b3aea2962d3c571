//! The graphs that a module built, as declarations.
//!
//! Input: what Node reported. Output: values and YAML, with the places in the module as comments. Invariant: ids that a package made up
//! do not appear: they are left out, or have a name if something refers to them. Equal answers give equal texts.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::{Result, anyhow};
use nodewise_dialect::defaults::without_defaults;
use nodewise_dialect::table::{Dialect, Kind, KindRole};
use nodewise_dialect::tables::DIALECTS;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::write::{NewValue, Writer};
use nodewise_syntax::{Tree, parse};
use serde_json::{Map, Value as Json, json};

use super::Loading;
use super::answer::{BuiltGraph, ModuleAnswer, ModulePlace};

/// A declaration that a module built.
#[derive(Debug, Clone)]
pub struct BuiltDeclaration {
    /// The dialect of the system whose package built it.
    pub dialect: &'static Dialect,
    pub kind: &'static Kind,
    /// The declaration, without keys that have their default value.
    pub value: Json,
    /// The function or method that built it.
    pub builder: String,
    /// The place in the module where it was built.
    pub place: Option<ModulePlace>,
    /// The places where its nodes were made, by the ids of the nodes.
    pub parts: BTreeMap<String, ModulePlace>,
    /// The names under which the modules of the project export it.
    pub exports: Vec<String>,
}

/// The npm packages whose builders are recorded.
pub fn packages() -> impl Iterator<Item = &'static str> {
    let releases = DIALECTS.iter().flat_map(|dialect| dialect.follows);
    releases.filter(|release| release.starts_with('@')).filter_map(|release| release.split(' ').next())
}

/// The built graphs in the order in which they were built, then their agents. Ids that packages made up are left out or replaced
/// by names.
#[must_use]
pub fn declarations(built: &ModuleAnswer) -> Vec<BuiltDeclaration> {
    renamed(built, &Names::of(built))
}

/// Like [`declarations`], but each id that a package made up becomes `#1`, `#2` and so on.
#[must_use]
pub fn numbered_declarations(built: &ModuleAnswer) -> Vec<BuiltDeclaration> {
    renamed(built, &Names::numbered(built))
}

fn renamed(built: &ModuleAnswer, names: &Names) -> Vec<BuiltDeclaration> {
    let mut found = Vec::new();
    for graph in &built.graphs {
        let Some((dialect, kind)) = kind_of(&graph.system, KindRole::Graph) else { continue };
        let mut value = graph.value.clone();
        names.apply(&mut value);
        without_defaults(kind, &mut value);
        let BuiltGraph { builder, place, parts, exports, .. } = graph.clone();
        found.push(BuiltDeclaration { dialect, kind, value, builder, place, parts, exports });
    }
    let mut known = BTreeSet::new();
    for graph in &built.graphs {
        let Some((dialect, kind)) = kind_of(&graph.system, KindRole::Agent) else { continue };
        for agent in graph.agents.iter().filter(|agent| known.insert(agent.to_string())) {
            let mut value = in_spelling_of(kind, agent);
            names.apply(&mut value);
            without_defaults(kind, &mut value);
            let (builder, parts) = ("agent".to_owned(), BTreeMap::new());
            let exports = Vec::new();
            found.push(BuiltDeclaration { dialect, kind, value, builder, place: None, parts, exports });
        }
    }
    found
}

/// The declarations as JSON, with their places.
#[must_use]
pub fn json(loading: &Loading, built: &ModuleAnswer) -> Json {
    let place = |place: &ModulePlace| json!(shown(loading, place));
    let declared = declarations(built).into_iter().map(|declaration| {
        let parts: Map<String, Json> =
            declaration.parts.iter().map(|(id, at)| (id.clone(), place(at))).collect();
        json!({
            "system": declaration.dialect.id,
            "kind": declaration.kind.name,
            "builder": declaration.builder,
            "place": declaration.place.as_ref().map(place),
            "exports": declaration.exports,
            "nodes": parts,
            "declaration": declaration.value,
        })
    });
    json!({"node": built.node, "declarations": declared.collect::<Vec<Json>>()})
}

/// The declarations as YAML documents, with the places as comments.
///
/// # Errors
/// Where a comment cannot be added to the text, which is an error in nodewise.
pub fn yaml(loading: &Loading, built: &ModuleAnswer) -> Result<String> {
    let mut text = format!(
        "# What {} builds, written by `nodewise import` with Node {}.\n",
        loading.shown(&loading.module),
        built.node
    );
    for (number, declaration) in declarations(built).iter().enumerate() {
        if number > 0 {
            text.push_str("---\n");
        }
        if let Some(place) = &declaration.place {
            let name = match declaration.exports.as_slice() {
                [] => String::new(),
                names => format!(", exported as {}", names.join(", ")),
            };
            text.push_str(&format!("# {}: {}{name}\n", shown(loading, place), declaration.builder));
        } else if let [name, ..] = declaration.exports.as_slice() {
            text.push_str(&format!("# exported as {name}\n"));
        }
        text.push_str(&document(loading, declaration)?);
    }
    Ok(text)
}

/// A place as `file:line`.
#[must_use]
pub fn shown(loading: &Loading, place: &ModulePlace) -> String {
    let file = loading.shown(Path::new(&place.file));
    match place.line {
        Some(line) => format!("{file}:{line}"),
        None => file,
    }
}

/// A declaration as a YAML document, with the places of its nodes as comments.
fn document(loading: &Loading, declaration: &BuiltDeclaration) -> Result<String> {
    let written = |text: &str, mut edits: Vec<TextEdit>| {
        apply_edits(text, &mut edits).map_err(|error| anyhow!("the text cannot be written: {error:?}"))
    };
    let text = written("", Writer::new(&parse(""), false).append_document(&new_value(&declaration.value)))?;
    let tree = parse(text.as_str());
    let comments = comments(&tree, &text, |id| declaration.parts.get(id).map(|place| shown(loading, place)));
    let mut text = written(&text, comments)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

/// Edits that add a comment above the first list item for each id that has one. The item must begin with its id.
fn comments(tree: &Tree, text: &str, of_part: impl Fn(&str) -> Option<String>) -> Vec<TextEdit> {
    let root = tree.documents().next().and_then(|document| document.root());
    let members = root.and_then(|root| root.as_mapping()).into_iter().flat_map(|root| root.entries());
    let lists = members.filter_map(|member| member.value()?.as_sequence());
    let mut edits = Vec::new();
    let mut known = BTreeSet::new();
    for item in lists.flat_map(|list| list.items()) {
        let first = item.node().and_then(|node| node.as_mapping()).and_then(|item| item.entries().next());
        let id = first.and_then(|entry| Some(entry.value()?.as_scalar()?.cooked().into_owned()));
        let new = id.filter(|id| known.insert(id.clone()));
        let Some(comment) = new.and_then(|id| of_part(&id)) else { continue };
        let start = item.range().start();
        let line =
            text.get(..usize::from(start)).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        let indentation = " ".repeat(usize::from(start).saturating_sub(line));
        let range = nodewise_syntax::TextRange::empty(start);
        edits.push(TextEdit { range, text: format!("# {comment}\n{indentation}") });
    }
    edits
}

fn new_value(value: &Json) -> NewValue {
    match value {
        Json::String(text) => NewValue::text(text.as_str()),
        Json::Array(items) if !items.is_empty() => NewValue::Sequence(items.iter().map(new_value).collect()),
        Json::Object(members) if !members.is_empty() => {
            NewValue::mapping(members.iter().map(|(key, value)| (key.as_str(), new_value(value))))
        }
        other => NewValue::Literal(other.to_string()),
    }
}

/// The first kind of a system that has this role.
fn kind_of(system: &str, role: KindRole) -> Option<(&'static Dialect, &'static Kind)> {
    let dialect = DIALECTS.iter().copied().find(|dialect| dialect.id == system)?;
    Some((dialect, dialect.kinds.iter().find(|kind| kind.role == role)?))
}

/// A value with the keys as the table of the dialect spells them. Keys whose value is `null` are left out.
fn in_spelling_of(kind: &Kind, value: &Json) -> Json {
    let members = value.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null());
    let spelled = members.map(|(key, value)| {
        let mut words = String::new();
        for letter in key.chars() {
            if letter.is_ascii_uppercase() {
                words.push('_');
            }
            words.push(letter.to_ascii_lowercase());
        }
        let is_known = kind.shape.field(key).is_none() && kind.shape.field(&words).is_some();
        (if is_known { words } else { key.clone() }, value.clone())
    });
    Json::Object(spelled.collect())
}

/// The replacements of ids that packages made up.
struct Names {
    /// The name for each id. `None` means that nothing refers to the id, so it is left out.
    names: BTreeMap<String, Option<String>>,
}

impl Names {
    fn of(built: &ModuleAnswer) -> Names {
        let mut names: BTreeMap<String, Option<String>> =
            built.minted.iter().map(|id| (id.clone(), None)).collect();
        let mut taken = BTreeSet::new();
        for graph in &built.graphs {
            let (id, name) = (text(&graph.value, "id"), text(&graph.value, "name"));
            let wanted = graph.exports.first().filter(|name| *name != "default").map_or(name, String::as_str);
            if names.contains_key(id) {
                let others = built.graphs.iter().filter(|other| text(&other.value, "id") != id);
                let is_used = others.flat_map(|other| texts(&other.value)).any(|text| text == id);
                let name = is_used.then(|| free_name(&slug(wanted), &mut taken));
                names.insert(id.to_owned(), name);
            } else if let Some(stable) = without_time(id) {
                names.insert(id.to_owned(), Some(free_name(stable, &mut taken)));
            }
            for agent in &graph.agents {
                let (id, name) = (text(agent, "id"), text(agent, "name"));
                if names.get(id).is_some_and(Option::is_none) {
                    let is_named = name != id && !name.is_empty();
                    let wanted = if is_named { slug(name) } else { name_of_user(&graph.value, id) };
                    names.insert(id.to_owned(), Some(free_name(&wanted, &mut taken)));
                }
            }
        }
        Names { names }
    }

    fn numbered(built: &ModuleAnswer) -> Names {
        let minted = (1..).zip(&built.minted).map(|(number, id)| (id.clone(), Some(format!("#{number}"))));
        let graphs = built.graphs.iter().map(|graph| text(&graph.value, "id"));
        let timed = graphs.filter_map(|id| Some((id.to_owned(), Some(format!("#{}", without_time(id)?)))));
        Names { names: minted.chain(timed).collect() }
    }

    /// Replaces the ids in a value. Members whose value is an id without a name are removed.
    fn apply(&self, value: &mut Json) {
        match value {
            Json::String(text) => {
                if let Some(Some(name)) = self.names.get(text.as_str()) {
                    text.clone_from(name);
                }
            }
            Json::Array(items) => items.iter_mut().for_each(|item| self.apply(item)),
            Json::Object(members) => {
                members.retain(|_, member| {
                    !matches!(member.as_str().map(|text| self.names.get(text)), Some(Some(None)))
                });
                members.values_mut().for_each(|member| self.apply(member));
            }
            _ => {}
        }
    }
}

fn text<'v>(value: &'v Json, key: &str) -> &'v str {
    value.get(key).and_then(Json::as_str).unwrap_or_default()
}

/// All texts in a value.
fn texts(value: &Json) -> Vec<&str> {
    match value {
        Json::String(text) => vec![text],
        Json::Array(items) => items.iter().flat_map(texts).collect(),
        Json::Object(members) => members.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

/// A name for an agent without one, after the first node that uses it.
fn name_of_user(graph: &Json, agent: &str) -> String {
    let lists = graph.as_object().into_iter().flat_map(Map::values).filter_map(Json::as_array);
    let user = lists.flatten().find(|item| texts(item).contains(&agent));
    user.map_or_else(|| "agent".to_owned(), |node| format!("{}-agent", text(node, "id")))
}

/// An id without the time in milliseconds at its end; `None` if it does not end with one.
fn without_time(id: &str) -> Option<&str> {
    let (before, time) = id.rsplit_once('-')?;
    (time.len() == 13 && time.bytes().all(|byte| byte.is_ascii_digit())).then_some(before)
}

/// A name in lower case, with `-` between its words. It is `graph` if the name has no words.
fn slug(name: &str) -> String {
    let words: Vec<String> = name
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    if words.is_empty() { "graph".to_owned() } else { words.join("-") }
}

fn free_name(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    let name = names.find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(name.clone());
    name
}

#[cfg(test)]
mod tests;
