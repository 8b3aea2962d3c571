//! A build without the language server: the command says so, and how to get it.

use super::support::check_run;

#[test]
fn the_language_server_is_refused_with_the_way_to_it() {
    let expected = "! error: this build of nodewise does not include the language server; to add it, run `cargo install --path . --features lsp` in a checkout of nodewise\nexit 2\n";
    check_run("", "lsp", expected);
    check_run("", "lsp --stdio", expected);
}
