//! Tests of the planned steps.

use super::Options;
use super::plan::{Job, Surroundings, Work, plan};

/// The parts of the plan that depend on the checkout: everything except cargo commands and checks that find out
/// themselves what is available.
fn check_plan(surroundings: &Surroundings, expected: &str) {
    let mut description = String::new();
    for step in plan(surroundings) {
        let work = match step.work {
            Work::Debug { exit_code, .. } => format!("run, exit code {exit_code}"),
            Work::Check(_) | Work::Cargo(_) | Work::Workspace(_) => continue,
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
        &Surroundings { is_all: true, ..Surroundings::default() },
        "check of the examples: skip: examples is not there\n\
         check of the broken Liman example: skip: examples/liman-broken is not there\n\
         check of the broken cycgraph example: skip: examples/cycgraph-broken is not there\n\
         check of the broken AgentOS example: skip: examples/agentos-broken is not there\n\
         the same bytes of every build: skip: examples is not there\n\
         the same bytes on every run: skip: examples is not there\n\
         graph pictures in their real readers: skip: examples is not there\n",
    );
}

#[test]
fn what_exists_is_run() {
    check_plan(
        &Surroundings { has_examples: true, has_broken_examples: true, ..Surroundings::default() },
        "check of the examples: run, exit code 0\n\
         check of the broken Liman example: run, exit code 1\n\
         check of the broken cycgraph example: run, exit code 1\n\
         check of the broken AgentOS example: run, exit code 1\n",
    );
}

#[test]
fn what_is_promised_must_be_there() {
    check_plan(
        &Surroundings { readme_names_examples: true, ..Surroundings::default() },
        "check of the examples: fail: the README links to examples, but examples is missing\n\
         check of the broken Liman example: fail: the README links to examples, but examples/liman-broken is missing\n\
         check of the broken cycgraph example: fail: the README links to examples, but examples/cycgraph-broken is missing\n\
         check of the broken AgentOS example: fail: the README links to examples, but examples/agentos-broken is missing\n",
    );
}

/// Compares the options of a command line.
fn check_options(words: &[&str], expected: &str) {
    let said = match Options::read(words) {
        Ok(options) => {
            let Options { is_all, is_long, only, writes_times, .. } = options;
            let job = options.job.map_or("any", Job::word);
            format!("all {is_all}, long {is_long}, only `{only}`, job {job}, times {writes_times}")
        }
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(said, expected);
}

#[test]
fn the_command_line_says_which_steps_run() {
    check_options(&[], "all false, long false, only ``, job any, times false");
    check_options(&["--all", "--write-times"], "all true, long false, only ``, job any, times true");
    check_options(&["--long"], "all true, long true, only ``, job any, times false");
    check_options(&["--only", "Helix"], "all true, long false, only `Helix`, job any, times false");
    check_options(&["--job", "product"], "all true, long false, only ``, job product, times false");
    check_options(&["--job", "all"], "error: `all` is not a job: `source` and `product` are");
    check_options(&["--only"], "error: `--only` needs words in the names of steps");
    check_options(&["--fast"], "error: `--fast` is not an option of `test`");
}

#[test]
fn a_job_gets_the_same_options() {
    let given = ["--all", "--long", "--ci", "--only", "VS Code"];
    assert_eq!(Options::read(&given).expect("the options are right").words(), given);
}

#[test]
fn the_first_tier_is_one_job() {
    let surroundings = Surroundings::default();
    assert!(plan(&surroundings).iter().all(|step| step.job == Job::Source));
}

#[test]
fn each_tier_contains_the_one_before_it() {
    let count = |is_all, is_long| plan(&Surroundings { is_all, is_long, ..Surroundings::default() }).len();
    assert!(count(false, false) < count(true, false) && count(true, false) <= count(true, true));
}
