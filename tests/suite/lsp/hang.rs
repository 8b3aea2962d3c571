//! A rule that hangs: the log names the request, the file and the rule while it does. Only with the feature `planted-hang`.

use serde_json::json;

use crate::lsp::log::Logged;

/// Rules read the comment: the one that it names does not come back.
const HANGING: &str = "# planted-hang: unknown-tool\nkind: LLMNode\nname: a\ntools: [search]\n";

#[test]
fn a_request_that_hangs_is_reported_with_its_file_and_rule() {
    let mut logged = Logged::start(HANGING, "warn");
    logged.initialize();
    let uri = logged.folder.uri("a.yaml");
    logged.server.open(&uri, 1, HANGING);
    logged.server.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
    logged.check_line(&[
        " WARN still running after ",
        ": request{method=textDocument/diagnostic id=",
        &format!("file={uri}"),
        "}, now in judge{file=a.yaml} > rule{rule=unknown-tool} for ",
    ]);
}

#[test]
fn a_file_that_hangs_when_nobody_asked_is_reported_too() {
    let mut logged = Logged::start("kind: LLMNode\nname: a\n", "warn");
    logged.initialize();
    let uri = logged.folder.uri("a.yaml");
    logged.server.open(&uri, 1, HANGING);
    logged.check_line(&[
        " WARN still running after ",
        ": judge{file=a.yaml}, now in rule{rule=unknown-tool} for ",
    ]);
}
