//! The tools of a node or an agent. In: where tools come from, and what the host registers; out: names. Invariant: if
//! the host has no tools at all, sources that it would have to register give no tools, and no error.

use std::sync::Arc;

use smol_str::{SmolStr, format_smolstr};

use super::failures;
use super::host::{Host, Source};
use crate::outcome::Failure;

/// The tool that writes to memory.
pub(crate) const SAVE: &str = "save_to_memory";

/// The tools of a node or an agent.
#[derive(Debug, Clone, Default)]
pub(crate) struct ToolSet {
    /// Their names, in order.
    pub(crate) names: Arc<[SmolStr]>,
    /// The tools whose results are tainted, each with where it comes from.
    tainting: Arc<[(SmolStr, Origin)]>,
    /// Whether every other name is a tool too, one that returns its arguments.
    pub(crate) echoes: bool,
    /// The servers whose tools are all available, whatever their names.
    open_servers: Arc<[SmolStr]>,
}

/// Where a tool with tainted results comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The host registers it.
    Custom,
    Server(SmolStr),
}

impl ToolSet {
    /// The tools from these sources.
    pub(crate) fn resolve(sources: &[Source], host: &Host) -> Result<ToolSet, Failure> {
        if sources.is_empty() {
            return Ok(ToolSet { echoes: host.tools.is_none(), ..ToolSet::default() });
        }
        let mut names: Vec<SmolStr> = Vec::new();
        let mut tainting = Vec::new();
        let mut open_servers = Vec::new();
        let builtins =
            sources.iter().filter(|source| matches!(source, Source::Builtin(name) if name == SAVE));
        names.extend(builtins.take(1).map(|_| SmolStr::new_static(SAVE)));
        if let Some(tools) = &host.tools {
            for source in sources {
                let Source::Custom(name) = source else { continue };
                let taints = tools.defined.get(name).ok_or_else(|| failures::tool_not_registered(name))?;
                push_new(&mut names, name.clone());
                if *taints {
                    tainting.push((name.clone(), Origin::Custom));
                }
            }
            for source in sources {
                let Source::Server(server, wanted) = source else { continue };
                let known = tools.servers.as_ref().and_then(|servers| servers.get(server));
                let listed = wanted.as_ref().or(known);
                if listed.is_none() {
                    open_servers.push(server.clone());
                }
                for name in listed.into_iter().flatten() {
                    let name = match names.contains(name) {
                        true => format_smolstr!("mcp__{name}"),
                        false => name.clone(),
                    };
                    tainting.push((name.clone(), Origin::Server(server.clone())));
                    push_new(&mut names, name);
                }
            }
        }
        Ok(ToolSet {
            names: names.into(),
            tainting: tainting.into(),
            echoes: host.tools.is_none(),
            open_servers: open_servers.into(),
        })
    }

    /// Whether the set has a tool of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name) || !self.open_servers.is_empty()
    }

    /// Where a tool comes from, if its results are tainted.
    pub(crate) fn taints(&self, name: &str) -> Option<Origin> {
        let listed = self.tainting.iter().find(|(known, _)| known == name).map(|(_, origin)| origin.clone());
        let is_listed = self.names.iter().any(|known| known == name);
        let open = || self.open_servers.first().filter(|_| !is_listed).cloned().map(Origin::Server);
        listed.or_else(open)
    }
}

impl Origin {
    /// The word for the source, in taint entries.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Origin::Custom => "custom_tool",
            Origin::Server(_) => "mcp_tool",
        }
    }
}

fn push_new(names: &mut Vec<SmolStr>, name: SmolStr) {
    if !names.contains(&name) {
        names.push(name);
    }
}
