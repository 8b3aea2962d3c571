//! The steps of `cargo xtask test`, and their size in continuous integration and in nightly runs.
//!
//! Input is the parts of the checkout that exist, and the wanted steps. Output is the steps in the order in which they
//! run. Invariant: the first tier needs only Rust, and the second one contains it.

use std::path::Path;

use anyhow::{Result, bail};

use super::{
    Check, Options, Verdict, agents, browser, builds, dependencies, durable, editors, failures, mistakes,
    outputs, pictures, programs, test_command, vscode, wasm, workflows,
};
use crate::checkout::{self, Profile, cargo};
use crate::delivery::{self, Part};
use crate::programs::{self as other, COMPARE, GENERATE, UNAVAILABLE};

const EXAMPLES: &str = "examples";
const BROKEN_EXAMPLES: [&str; 3] =
    ["examples/liman-broken", "examples/cycgraph-broken", "examples/agentos-broken"];
const BROKEN_CHECKS: [[&str; 2]; 3] =
    [["check", BROKEN_EXAMPLES[0]], ["check", BROKEN_EXAMPLES[1]], ["check", BROKEN_EXAMPLES[2]]];
/// The exit code of `check` with findings.
const FINDINGS: i32 = 1;
/// The build without live runs: its lints, and the tests of its error messages. The packages besides the command and the server
/// ask for features of dependencies, so that those are compiled already. The build of the hooks does without these packages, and
/// fails if a feature is missing.
const LINTS_WITHOUT_LIVE: &[&str] = &[
    "clippy",
    "--package=nodewise",
    "--package=nodewise-server",
    "--package=nodewise-durable",
    "--package=nodewise-mcp",
    "--package=nodewise-syntax",
    "--package=nodewise-wire",
    "--no-default-features",
    "--features=nodewise-durable/worker",
    "--all-targets",
    "--",
    "-D",
    "warnings",
];
/// The same build has a rule that can be made to hang. The log must report the hang.
const TESTS_WITHOUT_LIVE: &[&str] = &[
    "test",
    "--package=nodewise",
    "--package=nodewise-durable",
    "--package=nodewise-mcp",
    "--package=nodewise-syntax",
    "--package=nodewise-wire",
    "--no-default-features",
    "--features=nodewise/lsp,nodewise/planted-hang,nodewise-durable/worker",
    "--test=suite",
    "--",
    "no_live::",
    "hang::",
];

/// The size of tests that could run without end.
#[derive(Debug)]
pub(super) struct Sizes {
    /// Random edits for the language server's texts and diagnostics.
    pub(super) soak_edits: &'static str,
    /// Points at which a live run is killed. About two of three are in its middle.
    pub(super) crashes: &'static str,
    /// Runs on the durable engine in each test, of five calls each.
    pub(super) durable_runs: &'static str,
    /// Runs of each command line with each number of threads.
    pub(super) repetitions: usize,
    /// Cases of each subject for the comparison with the published packages.
    pub(super) oracle_cases: &'static str,
    /// Texts for the formatter's fuzzer.
    pub(super) fuzz_cases: &'static str,
}

/// The size before a merge.
const MERGE: Sizes = Sizes {
    soak_edits: "20000",
    crashes: "60",
    durable_runs: "12",
    repetitions: 3,
    oracle_cases: "2000",
    fuzz_cases: "100000",
};
/// The size of nightly runs.
const NIGHT: Sizes = Sizes {
    soak_edits: "100000",
    crashes: "320",
    durable_runs: "50",
    repetitions: 20,
    oracle_cases: "10000",
    fuzz_cases: "2000000",
};

impl Options<'_> {
    /// The size of the tests.
    pub(super) fn sizes(self) -> &'static Sizes {
        if self.is_long { &NIGHT } else { &MERGE }
    }
}

/// The input of the plan.
#[derive(Clone, Default)]
pub(super) struct Surroundings {
    pub(super) is_all: bool,
    pub(super) is_long: bool,
    /// Whether the README links to the examples.
    pub(super) readme_names_examples: bool,
    pub(super) has_examples: bool,
    pub(super) has_broken_examples: bool,
}

/// The tier of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tier {
    /// Needs only Rust.
    Rust,
    /// Installs programs first.
    All,
    /// Takes too long for a merge.
    Long,
}

/// Steps that run one after another. Both jobs run at the same time, so one computes while the other waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// Compiles the tests, and runs them. Its steps wait for the same lock of cargo.
    Source,
    /// Makes the release build, and tests it as users get it.
    Product,
}

pub(super) struct Step {
    pub(super) name: &'static str,
    pub(super) tier: Tier,
    pub(super) job: Job,
    pub(super) work: Work,
}

pub(super) enum Work {
    /// A cargo command that must succeed.
    Cargo(&'static [&'static str]),
    /// The same, with the features of the tier.
    Workspace(&'static [&'static str]),
    /// The build of the tests, and the expected exit code.
    Debug { arguments: &'static [&'static str], exit_code: i32 },
    /// A separate check.
    Check(Check),
    /// Skipped, which is fine.
    Skip { reason: String },
    /// Skipped, which is a failure.
    Missing { reason: String },
}

impl Job {
    /// The job of a word on the command line.
    pub(super) fn read(word: &str) -> Result<Job> {
        match word {
            "source" => Ok(Job::Source),
            "product" => Ok(Job::Product),
            other => bail!("`{other}` is not a job: `source` and `product` are"),
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Job::Source => "source",
            Job::Product => "product",
        }
    }
}

impl Surroundings {
    pub(super) fn of(root: &Path, options: Options<'_>) -> Surroundings {
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
        Surroundings {
            is_all: options.is_all,
            is_long: options.is_long,
            readme_names_examples: readme.contains(EXAMPLES),
            has_examples: root.join(EXAMPLES).is_dir(),
            has_broken_examples: BROKEN_EXAMPLES.iter().all(|folder| root.join(folder).is_dir()),
        }
    }
}

/// The wanted steps.
pub(super) fn plan(surroundings: &Surroundings) -> Vec<Step> {
    let mut steps = rust(surroundings);
    steps.extend(installed(surroundings));
    steps.retain(|step| match step.tier {
        Tier::Rust => true,
        Tier::All => surroundings.is_all,
        Tier::Long => surroundings.is_long,
    });
    steps
}

/// The steps that need only Rust.
fn rust(surroundings: &Surroundings) -> Vec<Step> {
    let step = |name, work| Step { name, tier: Tier::Rust, job: Job::Source, work };
    let broken = |name, number: usize| {
        let has = surroundings.has_broken_examples;
        step(name, examples(surroundings, has, BROKEN_EXAMPLES[number], &BROKEN_CHECKS[number], FINDINGS))
    };
    let clean = examples(surroundings, surroundings.has_examples, EXAMPLES, &["check", EXAMPLES], 0);
    vec![
        step("formatting", Work::Cargo(&["fmt", "--all", "--check"])),
        step("lints", Work::Workspace(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])),
        step("tests", Work::Check(programs::test)),
        step("check of the examples", clean),
        broken("check of the broken Liman example", 0),
        broken("check of the broken cycgraph example", 1),
        broken("check of the broken AgentOS example", 2),
    ]
}

/// The steps that install something first, or need another build.
fn installed(surroundings: &Surroundings) -> Vec<Step> {
    let has_examples = surroundings.has_examples && surroundings.has_broken_examples;
    let all = |job, name, work| Step { name, tier: Tier::All, job, work };
    let source = |name, check| all(Job::Source, name, Work::Check(check));
    let product = |name, check| all(Job::Product, name, Work::Check(check));
    let at_night = |name, check| Step { name, tier: Tier::Long, job: Job::Product, work: Work::Check(check) };
    let drawn = |job, name, check| match has_examples {
        true => all(job, name, Work::Check(check)),
        false => all(job, name, Work::Skip { reason: format!("{EXAMPLES} is not there") }),
    };
    vec![
        all(Job::Source, "lints without live runs", Work::Cargo(LINTS_WITHOUT_LIVE)),
        source("tests without live runs, and with a rule that hangs", |root, options| {
            failures::test(&mut test_command(root, options), TESTS_WITHOUT_LIVE)
        }),
        source("fuzzing of the layout", fuzz),
        source("grammars for editors", compare_grammars),
        source("comparison with the published packages", compare_with_packages),
        source("runs on a durable engine", durable::test),
        drawn(Job::Source, "the same bytes of every build", builds::compare),
        product("release build", |root, _| checkout::build(root, Profile::Release).map(|_| Verdict::Passed)),
        drawn(Job::Product, "the same bytes on every run", outputs::compare),
        product("answers to the mistakes of beginners", mistakes::score),
        product("what each build links", |root, _| dependencies::links(root)),
        product("licences and sources of dependencies", |root, _| dependencies::check(root)),
        product("workflows of GitHub in their readers", |root, _| workflows::check(root)),
        drawn(Job::Product, "graph pictures in their real readers", pictures::read),
        product("hooks in real pre-commit", |root, options| deliver(root, options, Part::Hooks)),
        product("wheel and npm packages", |root, options| deliver(root, options, Part::Packages)),
        product("action and recipes for CI", |root, options| deliver(root, options, Part::Recipes)),
        product("Neovim 0.12", |root, _| editors::newest_neovim(root)),
        product("Neovim 0.10", |root, _| editors::oldest_neovim(root)),
        product("Helix", |root, _| editors::helix(root)),
        product("Emacs", |root, _| editors::emacs(root)),
        at_night("editors without a server", |root, _| editors::controls(root)),
        product("page for decisions in a browser", |root, _| browser::decide(root)),
        product("tools for coding agents in the official client and inspector", |root, _| agents::call(root)),
        // The module needs a part of the toolchain that is not on every machine, and another build of everything.
        at_night("module for JavaScript beside the command", |root, _| wasm::compare(root)),
        at_night("playground in a browser", |root, _| browser::play(root)),
        product("documentation as a site", |root, _| browser::read(root)),
        at_night("documentation with the playground", |root, _| browser::read_and_play(root)),
        product("VS Code extension: types and parts", |root, _| vscode::check_parts(root)),
        product("VS Code extension: package in the workbench", |root, _| vscode::check_workbench(root)),
        product("VS Code for the Web: package in the host of web extensions", vscode::check_web),
    ]
}

/// A check of examples with the build of the tests.
fn examples(
    surroundings: &Surroundings,
    exists: bool,
    folder: &str,
    arguments: &'static [&'static str],
    exit_code: i32,
) -> Work {
    match (exists, surroundings.readme_names_examples) {
        (true, _) => Work::Debug { arguments, exit_code },
        (false, true) => {
            Work::Missing { reason: format!("the README links to {EXAMPLES}, but {folder} is missing") }
        }
        (false, false) => Work::Skip { reason: format!("{folder} is not there") },
    }
}

/// The formatter's fuzzer in the build of the tests. For hours of fuzzing, use a release build.
fn fuzz(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let words = ["run", "--quiet", "--example", "fuzz", "--", "--cases", options.sizes().fuzz_cases];
    let mut fuzzer = cargo(root);
    fuzzer.args(options.with_features(&words));
    Ok(match fuzzer.status()?.success() {
        true => Verdict::Passed,
        false => Verdict::Failed("a text breaks a law of the formatter; it is printed above".to_owned()),
    })
}

fn deliver(root: &Path, options: Options<'_>, part: Part) -> Result<Verdict> {
    if let Err(error) = delivery::install(root) {
        return Ok(Verdict::Unavailable(format!("the programs cannot be installed: {error:#}")));
    }
    // Published packages need the long optimised build. Before a merge, the same packages contain a quicker build.
    let profile = if options.is_long { Profile::Dist } else { Profile::Release };
    if delivery::run(root, &[part], profile)? {
        return Ok(Verdict::Passed);
    }
    let word = part.word();
    Ok(Verdict::Failed(format!("see above; `cargo xtask delivery {word}` runs only these cases")))
}

fn compare_with_packages(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let cases = options.sizes().oracle_cases;
    let compare = || other::command_beside_tests(root, options.features(), COMPARE);
    let mut status = compare()?.args(["oracle", "--cases", cases]).status()?;
    if status.success() {
        status = compare()?.arg("modules").status()?;
    }
    Ok(match status.code() {
        Some(0) => Verdict::Passed,
        Some(UNAVAILABLE) => Verdict::Unavailable("the packages cannot be installed".to_owned()),
        _ => Verdict::Failed("our answers differ from the packages'".to_owned()),
    })
}

fn compare_grammars(root: &Path, options: Options<'_>) -> Result<Verdict> {
    let status = other::command_beside_tests(root, options.features(), GENERATE)?.arg("grammars").status()?;
    Ok(match status.code() {
        Some(0) => Verdict::Passed,
        Some(UNAVAILABLE) => Verdict::Unavailable("the programs for grammars cannot be installed".to_owned()),
        _ => Verdict::Failed("the grammars differ; `cargo xtask grammars` runs this step alone".to_owned()),
    })
}
