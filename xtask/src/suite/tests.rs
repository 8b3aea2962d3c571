//! Which steps are planned in which surroundings.

use super::{Surroundings, Work, plan};
use crate::repository::checkout_root;

/// What depends on the surroundings in the plan: everything behind the four steps that always run, without those that find out
/// themselves whether their parts can be had.
fn check_plan(surroundings: &Surroundings, expected: &str) {
    let mut description = String::new();
    for step in plan(surroundings).into_iter().skip(4) {
        let work = match step.work {
            Work::Cargo { exit_code, .. } => format!("run, exit code {exit_code}"),
            Work::Check(_) => continue,
            Work::Skip { reason } => format!("skip: {reason}"),
            Work::Missing { reason } => format!("fail: {reason}"),
        };
        description.push_str(&format!("{}: {work}\n", step.name));
    }
    assert_eq!(description, expected);
}

#[test]
fn what_does_not_exist_yet_is_skipped() {
    check_plan(
        &Surroundings::default(),
        "check of the examples: skip: examples is not there\n\
         check of the broken Liman example: skip: examples/liman-broken is not there\n\
         check of the broken cycgraph example: skip: examples/cycgraph-broken is not there\n\
         check of the broken AgentOS example: skip: examples/agentos-broken is not there\n\
         the same bytes of debug and release builds: skip: examples is not there\n\
         the same bytes on every run: skip: examples is not there\n\
         graph pictures in their real readers: skip: examples is not there\n\
         fuzzing of the layout: run, exit code 0\n\
         YAML conformance: skip: data/yaml-test-suite.json is not in the folder that NODEWISE_SHARED names\n",
    );
}

#[test]
fn what_exists_is_run() {
    let surroundings = Surroundings {
        has_examples: true,
        has_broken_examples: true,
        has_yaml_test_suite: true,
        ..Surroundings::default()
    };
    check_plan(
        &surroundings,
        "check of the examples: run, exit code 0\n\
         check of the broken Liman example: run, exit code 1\n\
         check of the broken cycgraph example: run, exit code 1\n\
         check of the broken AgentOS example: run, exit code 1\n\
         fuzzing of the layout: run, exit code 0\n\
         YAML conformance: run, exit code 0\n",
    );
}

#[test]
fn what_is_promised_must_be_there() {
    let surroundings = Surroundings { is_ci: true, readme_names_examples: true, ..Surroundings::default() };
    check_plan(
        &surroundings,
        "check of the examples: fail: the README sends its reader to examples, but examples is not there\n\
         check of the broken Liman example: fail: the README sends its reader to examples, but examples/liman-broken is not there\n\
         check of the broken cycgraph example: fail: the README sends its reader to examples, but examples/cycgraph-broken is not there\n\
         check of the broken AgentOS example: fail: the README sends its reader to examples, but examples/agentos-broken is not there\n\
         the same bytes of debug and release builds: skip: examples is not there\n\
         the same bytes on every run: skip: examples is not there\n\
         graph pictures in their real readers: skip: examples is not there\n\
         fuzzing of the layout: run, exit code 0\n\
         YAML conformance: fail: data/yaml-test-suite.json is not in the folder that NODEWISE_SHARED names\n",
    );
}

#[test]
fn the_conformance_step_names_tests_that_exist() {
    let module = checkout_root().join("crates/syntax/tests/suite/yaml_test_suite.rs");
    let source = std::fs::read_to_string(module).expect("the module that the step's filter names");
    assert!(source.contains("#[test]"));
}
