//! Resources: pages of rules, schemas, graphs of the workspace.
//!
//! Input: an address. Output: the command that prints its text. Invariant: each listed address can be read.

use nodewise_wire::uri;

use crate::program::Invocation;

pub(crate) struct ResourceKind {
    /// The part of an address before the name.
    pub(crate) prefix: &'static str,
    /// The template of the addresses.
    pub(crate) template: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    pub(crate) mime_type: &'static str,
    invocation: fn(&str) -> Invocation,
}

/// The graphs of the workspace. They are listed, because their names are not known otherwise.
pub(crate) const GRAPHS: &ResourceKind = &ResourceKind {
    prefix: "nodewise://graphs/",
    template: "nodewise://graphs/{name}",
    title: "A graph of the workspace",
    description: "Nodes with what they read and write, edges with conditions.",
    mime_type: "text/plain",
    invocation: |name| Invocation::new("graph").with_value("--graph", Some(name)).with("--format=text"),
};

/// The JSON Schemas.
pub(crate) const SCHEMAS: &ResourceKind = &ResourceKind {
    prefix: "nodewise://schemas/",
    template: "nodewise://schemas/{name}",
    title: "A JSON Schema",
    description: "The fields of declarations, scenarios and settings: one of {schemas}.",
    mime_type: "application/schema+json",
    invocation: |name| Invocation::new("schema").with_paths([name.to_owned()]),
};

/// The pages of the rules.
const RULES: &ResourceKind = &ResourceKind {
    prefix: "nodewise://rules/",
    template: "nodewise://rules/{id}",
    title: "The page of a rule",
    description: "What the rule reports, why, and an example with its correction.",
    mime_type: "text/plain",
    invocation: |id| Invocation::new("explain").with_paths([id.to_owned()]),
};

pub(crate) const KINDS: &[&ResourceKind] = &[GRAPHS, SCHEMAS, RULES];

/// The command that prints the resource at an address, and its media type; `None` if the address is unknown.
pub(crate) fn read(address: &str) -> Option<(Invocation, &'static str)> {
    let (kind, name) = KINDS.iter().find_map(|kind| Some((kind, address.strip_prefix(kind.prefix)?)))?;
    Some(((kind.invocation)(&uri::decoded(name)), kind.mime_type))
}

/// The address of a resource.
pub(crate) fn address(kind: &ResourceKind, name: &str) -> String {
    let mut address = kind.prefix.to_owned();
    for byte in name.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                address.push(char::from(byte))
            }
            _ => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}
