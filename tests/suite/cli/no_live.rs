//! A build without the default features: a command that it leaves out says so, and how to get it.

use super::support::check_run;

/// What every command of live runs says here.
fn check_missing(words: &str) {
    check_run(
        "#- flow.yaml\nkind: LLMNode\nname: flow\nprompts: {system: {en: x}}\n",
        words,
        "! error: this build of nodewise does not include live runs; to add them, run `cargo install --path . --features live` in a checkout of nodewise\nexit 2\n",
    );
}

#[test]
fn a_live_run_is_refused_whatever_its_options() {
    check_missing("run flow.yaml --dry-run");
    check_missing("run");
    check_missing("resume last --trust");
    check_missing("runs list");
}

#[cfg(not(feature = "mcp"))]
#[test]
fn the_server_for_coding_agents_is_left_out() {
    check_run(
        "",
        "mcp --allow-runs",
        "! error: this build of nodewise does not include the server for coding agents; to add it, run `cargo install --path . --features mcp` in a checkout of nodewise\nexit 2\n",
    );
}

#[test]
fn manual_pages_are_left_out() {
    check_run(
        "",
        "man check",
        "! error: this build does not include manual pages\n!   help: run the command with `--help`, or build with the feature `man`\nexit 2\n",
    );
}
