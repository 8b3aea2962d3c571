//! What `nodewise import` says of a module that it may not load, and of one that Node cannot load.
//!
//! Tests that load a module need Node 22.15 or newer, and are skipped without it. What the packages build is compared by
//! `cargo xtask modules`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::place::Place;

const CLAIMS: &str = "#- claims/flow.ts
import { KEYS } from './keys.js';
export const keys = KEYS;
#- claims/keys.ts
export enum Step { Read = 'read' }
export const KEYS = { read: Step.Read } as const;
#- package.json
{\"type\": \"module\"}
";

/// A Node that is new enough: that of the machine, else the one that the other tests have installed.
fn node() -> Option<PathBuf> {
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/node/node_modules");
    let packages = std::fs::read_dir(installed).into_iter().flatten().flatten();
    let installed = packages.map(|package| package.path().join("bin/node")).filter(|node| node.is_file());
    let is_new = |node: &PathBuf| {
        let output = Command::new(node).arg("--version").output().ok()?;
        let version = String::from_utf8(output.stdout).ok()?;
        let mut numbers = version.trim().trim_start_matches('v').split('.').map(str::parse::<u32>);
        let (major, minor) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        (major, minor).ge(&(22, 15)).then_some(())
    };
    std::iter::once(PathBuf::from("node")).chain(installed).find(|node| is_new(node).is_some())
}

/// What the command says about a module, without the name of the folder.
fn said(files: &str, module: &str, options: &[&str]) -> Option<(i32, String)> {
    let Some(node) = node() else {
        println!("skipped: Node 22.15 or newer is not available");
        return None;
    };
    let place = Place::new(files);
    let node = node.to_string_lossy().into_owned();
    let words = [&["import", module, "--trust", "--node", &node], options].concat();
    let run = place.run(&words);
    Some((run.code.unwrap_or(-1), format!("{}{}", run.out, run.err)))
}

fn check(files: &str, module: &str, options: &[&str], expected: &str) {
    if let Some((code, said)) = said(files, module, options) {
        assert_eq!((code, said.as_str()), (2, expected));
    }
}

#[test]
fn nothing_is_loaded_without_permission() {
    let place = Place::new(CLAIMS);
    let run = place.run(&["import", "claims/flow.ts"]);
    assert!(
        run.code == Some(2)
            && run.err.contains("error: you have not allowed yet")
            && run.err.contains("Node loads the module: node claims/flow.ts")
            && run.err.contains("  claims/keys.ts: "),
        "{run:?}"
    );
    let planned =
        place.run(&["import", "claims/flow.ts", "--dry-run", "--env", "MODEL", "--call", "build"]).well();
    assert!(planned.out.contains("node claims/flow.ts 'build()'  with MODEL\n"), "{planned:?}");
}

#[test]
fn what_is_no_module_is_refused() {
    let place = Place::new("#- flow.yaml\na: b\n");
    let run = place.run(&["import", "flow.yaml", "--trust"]);
    assert!(
        run.err.contains("error: `flow.yaml` is no module of TypeScript or JavaScript\n  help: "),
        "{run:?}"
    );
    let run = place.run(&["import", "gone.ts", "--trust"]);
    assert!(run.code == Some(2) && run.err.contains("error: `gone.ts` cannot be read"), "{run:?}");
}

#[test]
fn without_node_nothing_is_loaded() {
    let place = Place::new(CLAIMS);
    let run = place.run(&["import", "claims/flow.ts", "--trust", "--node", "no-such-node"]);
    assert!(
        run.code == Some(2)
            && run
                .err
                .contains("error: `no-such-node` cannot be started\n  help: install Node 22.15 or newer"),
        "{run:?}"
    );
}

#[test]
fn a_module_without_graphs_says_so() {
    check(
        CLAIMS,
        "claims/flow.ts",
        &[],
        "error: `claims/flow.ts` builds no graph of `@cycgraph/orchestrator` or `@framers/agentos`
  help: if an exported function builds it, add `--call FUNCTION`
",
    );
}

#[test]
fn what_a_module_throws_is_shown_with_its_line() {
    check(
        "#- a.ts\nimport './b.js';\n#- b.ts\n\nconst one: number = 1;\nthrow new TypeError(`not ${one}`);\n#- package.json\n{}\n",
        "a.ts",
        &[],
        "error: b.ts:3: the module throws TypeError: not 1\n",
    );
}

#[test]
fn a_package_that_is_not_installed_is_named() {
    check(
        "#- a.mjs\nimport { graph } from '@cycgraph/orchestrator';\n",
        "a.mjs",
        &[],
        "error: a.mjs: Node does not find `@cycgraph/orchestrator`, which the module imports
  help: install the packages of the project, for example with `npm install`
",
    );
}

#[test]
fn a_module_that_opens_a_connection_is_refused() {
    check(
        "#- a.mjs\nimport net from 'node:net';\nnet.connect(1, '127.0.0.1');\n",
        "a.mjs",
        &[],
        "error: a.mjs:2: the module throws Error: the module opens a connection while it is loaded, which `nodewise import` does not allow\n",
    );
}

#[test]
fn a_module_that_ends_its_process_says_so_and_sees_no_variable() {
    check(
        "#- a.mjs\nconsole.log('key', process.env.CARGO_MANIFEST_DIR);\nprocess.exit(3);\n",
        "a.mjs",
        &[],
        "a.mjs: key undefined
note: a.mjs:2: the module ended its process here, with exit code 3
error: `a.mjs` ended its process before it built a graph
  help: give it the variables that it needs with `--env NAME`
",
    );
}

#[test]
fn a_module_that_does_not_end_is_stopped() {
    check(
        "#- a.mjs\nfor (;;) {}\n",
        "a.mjs",
        &["--timeout", "1"],
        "error: `a.mjs` is still running after 1 s, and was stopped
  help: move what does not end out of the top level of the module, or raise `--timeout`
",
    );
}
