//! The packages whose builders modules import, for the Neovim plugin: it starts the server for no other module.
//!
//! Input: the builders of the tables. Output: a Lua file with the names of their packages.

use std::fmt::Write as _;

use nodewise_dialect::tables::DIALECTS;

use super::GeneratedFile;

const PATH: &str = "editors/nvim/lua/nodewise/packages.lua";

pub(super) fn files() -> Vec<GeneratedFile> {
    let mut text = "--- The packages whose functions build graphs in modules. `cargo xtask generate` writes this file.\n\n---@type string[]\nreturn {\n".to_owned();
    let packages =
        DIALECTS.iter().filter_map(|dialect| dialect.builders).flat_map(|builders| builders.packages);
    for package in packages {
        let _ = writeln!(text, "  '{package}',");
    }
    text.push_str("}\n");
    vec![GeneratedFile { path: PATH.to_owned(), text }]
}
