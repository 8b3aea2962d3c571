//! Names of tools on the wire. In: names as declarations have them; out: names that the protocols take, and back. Invariant:
//! different tools have different names on the wire.

use std::collections::BTreeMap;

use smol_str::SmolStr;

/// The longest name that both protocols accept, in bytes.
const LONGEST: usize = 64;

/// The names of tools in the run and on the wire.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in super::super) struct Names {
    on_wire: BTreeMap<SmolStr, String>,
    in_run: BTreeMap<String, SmolStr>,
}

impl Names {
    /// Chooses names on the wire for these tools. No tool gets the name `reserved`.
    pub(super) fn of<'n>(tools: impl Iterator<Item = &'n SmolStr>, reserved: Option<&str>) -> Names {
        let mut names = Names::default();
        names.in_run.extend(reserved.map(|name| (name.to_owned(), name.into())));
        for tool in tools {
            if names.on_wire.contains_key(tool) {
                continue;
            }
            let plain = plain(tool);
            let mut name = plain.clone();
            let mut number = 1;
            while names.in_run.contains_key(&name) {
                number += 1;
                let ending = format!("_{number}");
                name = format!("{}{ending}", plain.get(..LONGEST - ending.len()).unwrap_or(&plain));
            }
            names.in_run.insert(name.clone(), tool.clone());
            names.on_wire.insert(tool.clone(), name);
        }
        names
    }

    /// A tool's name on the wire.
    pub(in super::super) fn on_wire(&self, tool: &str) -> String {
        self.on_wire.get(tool).cloned().unwrap_or_else(|| plain(tool))
    }

    /// The tool that a model means by a name on the wire.
    pub(super) fn in_run(&self, name: &str) -> SmolStr {
        self.in_run.get(name).cloned().unwrap_or_else(|| name.into())
    }
}

fn plain(tool: &str) -> String {
    let is_taken = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let plain: String = tool
        .chars()
        .take(LONGEST)
        .map(|character| if is_taken(character) { character } else { '_' })
        .collect();
    if plain.is_empty() { "tool".to_owned() } else { plain }
}
