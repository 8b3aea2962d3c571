//! What a module exports, and which module a specifier means.

use crate::nodes::Node;
use crate::scope::Scopes;
use crate::source::{Source, parts};

/// What an exported name refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Exported<'t> {
    /// A name that the module declares.
    Local(&'t str),
    /// The value of an expression.
    Value(Node<'t>),
    /// An export of another module: by name, or the whole module for `None`.
    From(&'t str, Option<&'t str>),
}

/// What a module exports under a name. Adds modules that it re-exports completely to `rest`, for the caller to search.
pub(crate) fn exported<'t>(
    source: &'t Source,
    scopes: &Scopes<'t>,
    name: &str,
    rest: &mut Vec<&'t str>,
) -> Option<Exported<'t>> {
    scopes.exports.iter().find_map(|statement| of_statement(source, *statement, name, rest))
}

fn of_statement<'t>(
    source: &'t Source,
    statement: Node<'t>,
    name: &str,
    rest: &mut Vec<&'t str>,
) -> Option<Exported<'t>> {
    let module = statement.child("source");
    let module = module.map(|module| source.text_of(module).trim_matches(['"', '\'']));
    if let Some(value) = statement.child("value") {
        return (name == "default").then_some(Exported::Value(value));
    }
    if let Some(declaration) = statement.child("declaration") {
        let is_default = name == "default" && source.text_of(statement).starts_with("export default");
        let mut names = Vec::new();
        declared(declaration, &mut names);
        let mut names = names.into_iter().map(|name| source.text_of(name));
        return names.find(|declared| is_default || *declared == name).map(Exported::Local);
    }
    let mut has_clause = false;
    for part in parts(statement) {
        match part.kind() {
            "export_clause" => {
                has_clause = true;
                for specifier in parts(part) {
                    let Some(local) = specifier.child("name") else { continue };
                    let shown = specifier.child("alias").unwrap_or(local);
                    if source.text_of(shown).trim_matches(['"', '\'']) == name {
                        let local = source.text_of(local).trim_matches(['"', '\'']);
                        return Some(match module {
                            Some(module) => Exported::From(module, Some(local)),
                            None => Exported::Local(local),
                        });
                    }
                }
            }
            "namespace_export" => {
                has_clause = true;
                let is_it = parts(part).first().is_some_and(|shown| source.text_of(*shown) == name);
                if let (true, Some(module)) = (is_it, module) {
                    return Some(Exported::From(module, None));
                }
            }
            _ => {}
        }
    }
    if !has_clause && name != "default" {
        rest.extend(module);
    }
    None
}

/// Adds the names that a declaration declares.
fn declared<'t>(declaration: Node<'t>, names: &mut Vec<Node<'t>>) {
    if let Some(name) = declaration.child("name") {
        names.push(name);
        return;
    }
    for part in parts(declaration) {
        let Some(name) = part.child("name") else { continue };
        match name.kind() {
            "identifier" => names.push(name),
            _ => names.extend(parts(name)),
        }
    }
}

/// The paths where the file of an imported module may be, the most likely one first. Empty for a package.
pub(crate) fn candidates(from: &str, specifier: &str) -> Vec<String> {
    if !specifier.starts_with("./") && !specifier.starts_with("../") && specifier != "." && specifier != ".."
    {
        return Vec::new();
    }
    let mut segments: Vec<&str> = from.split('/').collect();
    segments.pop();
    for segment in specifier.split('/') {
        match segment {
            "." | "" => {}
            ".." => {
                if segments.pop().is_none() {
                    return Vec::new();
                }
            }
            segment => segments.push(segment),
        }
    }
    let path = segments.join("/");
    let written =
        [(".js", [".ts", ".tsx", ".js"]), (".mjs", [".mts", ".mjs", ""]), (".cjs", [".cts", ".cjs", ""])];
    for (ending, others) in written {
        if let Some(stem) = path.strip_suffix(ending) {
            return others
                .iter()
                .filter(|other| !other.is_empty())
                .map(|other| format!("{stem}{other}"))
                .collect();
        }
    }
    if crate::is_module(&path) {
        return vec![path];
    }
    let endings = [".ts", ".tsx", ".mts", ".js", ".mjs", "/index.ts", "/index.js"];
    endings.iter().map(|ending| format!("{path}{ending}")).collect()
}
