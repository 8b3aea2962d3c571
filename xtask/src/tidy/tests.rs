//! Runs each check on a small repository, and all checks on this repository.

use nodewise_test_support::Fixture;

use super::{CHECKS, problems, voice};
use crate::checkout::checkout_root;
use crate::repository::{Repository, TextFile};

/// Runs one check on the files of a fixture. `expected` is its report, with one line for each problem.
fn check_tidy(check_name: &str, fixture: &str, expected: &str) {
    let (name, check) = CHECKS.iter().find(|(name, _)| *name == check_name).expect("a check of that name");
    let mut reports: Vec<String> = check(&repository(fixture))
        .into_iter()
        .map(|report| format!("{}:{}: {}\n", report.path, report.line, report.message))
        .collect();
    reports.sort();
    assert_eq!(reports.concat(), expected, "[{name}]");
}

fn repository(fixture: &str) -> Repository {
    let files = Fixture::parse(fixture).files.into_iter();
    Repository::from_files(
        files
            .map(|file| TextFile { path: file.path.trim_start_matches('/').to_owned(), text: file.text })
            .collect(),
    )
}

#[test]
fn this_repository_is_tidy() {
    let repository = Repository::read(&checkout_root()).expect("the checkout can be read");
    let problems: Vec<String> = problems(&repository).iter().map(ToString::to_string).collect();
    assert!(problems.is_empty(), "{} to fix:\n{}", problems.len(), problems.join("\n"));
}

const TABLE: &str = "\
#- /ARCHITECTURE.md
| crate | purpose | may depend on | never |
|---|---|---|---|
| `syntax` | trees | — | files |
| `model` | graph | — | trees |
| `dialect` | tables | `syntax`, `model` | files |
| `analysis` | rules | `dialect` and below | files |
| `live` | (planned) providers | `engine` | |
| `cli` | commands | all | logic |
| `test-support` | (dev) fixtures | — | |
#- /crates/syntax/Cargo.toml
package.name = 'nodewise-syntax'
#- /crates/model/Cargo.toml
package.name = 'nodewise-model'
#- /crates/test-support/Cargo.toml
package.name = 'nodewise-test-support'
";

#[test]
fn an_edge_that_the_table_does_not_grant_is_reported() {
    check_tidy(
        "layers",
        &format!(
            "{TABLE}#- /crates/dialect/Cargo.toml
package.name = 'nodewise-dialect'
dependencies = {{ nodewise-syntax.workspace = true, nodewise-analysis.workspace = true }}
#- /crates/analysis/Cargo.toml
package.name = 'nodewise-analysis'
dependencies.nodewise-syntax.workspace = true
dev-dependencies.nodewise-test-support.workspace = true
target.'cfg(unix)'.dependencies.nodewise-cli.workspace = true
#- /Cargo.toml
package.name = 'nodewise'
dependencies = {{ nodewise-model.workspace = true, nodewise-test-support.workspace = true }}
"
        ),
        "\
ARCHITECTURE.md:7: `live` may depend on `engine`, which has no row in the table
Cargo.toml:0: `cli` may not depend on `test-support` (ARCHITECTURE.md, line 8)
crates/analysis/Cargo.toml:0: `analysis` may not depend on `cli` (ARCHITECTURE.md, line 6)
crates/dialect/Cargo.toml:0: `dialect` may not depend on `analysis` (ARCHITECTURE.md, line 5)
",
    );
}

#[test]
fn table_and_members_name_the_same_crates() {
    check_tidy(
        "layers",
        &format!(
            "{TABLE}#- /crates/live/Cargo.toml
package.name = 'nodewise-live'
#- /crates/extra/Cargo.toml
package.name = 'nodewise-extra'
#- /xtask/Cargo.toml
not toml
"
        ),
        "\
ARCHITECTURE.md:5: no member of the workspace is the crate `dialect`
ARCHITECTURE.md:6: no member of the workspace is the crate `analysis`
ARCHITECTURE.md:7: `live` exists: remove `(planned)` from its purpose
ARCHITECTURE.md:7: `live` may depend on `engine`, which has no row in the table
ARCHITECTURE.md:8: no member of the workspace is the crate `cli`
crates/extra/Cargo.toml:0: the crate `extra` has no row in the table of ARCHITECTURE.md
xtask/Cargo.toml:0: not TOML: key with no value, expected `=`
",
    );
    check_tidy("layers", "#- /a.md\n", "ARCHITECTURE.md:0: missing: it contains the crate table\n");
    check_tidy(
        "layers",
        "#- /ARCHITECTURE.md\n# Crates\n",
        "ARCHITECTURE.md:0: no crate table: expected a row `| crate | purpose | may depend on | never |`\n",
    );
}

#[test]
fn an_outside_crate_has_a_reason_and_one_version() {
    check_tidy(
        "dependencies",
        "
#- /ARCHITECTURE.md
| crates | why |
|---|---|
| `anyhow`, `toml` | errors and configuration |
| `clap` | |
#- /Cargo.toml
[workspace.dependencies]
anyhow = '1'
clap = '4'
insta = '1'
nodewise-syntax.path = 'crates/syntax'
#- /xtask/Cargo.toml
[dependencies]
anyhow.workspace = true
[dev-dependencies]
toml = '0.9'
",
        "\
Cargo.toml:0: `clap` has no row with a reason in ARCHITECTURE.md
Cargo.toml:0: `insta` has no row with a reason in ARCHITECTURE.md
xtask/Cargo.toml:0: `toml` has its own version: write `toml.workspace = true`
",
    );
}

#[test]
fn a_library_crate_does_not_name_the_outside_world() {
    check_tidy(
        "boundaries",
        "
#- /crates/model/src/lib.rs
use std::{collections::BTreeMap, fs::{self, File}, time::{Duration, Instant}};
use std::time::Duration; // std::env
fn read() { std::process::exit(\"std::net\") }
#[cfg(test)]
mod tests { use std::fs; }
#- /crates/model/tests/all.rs
use std::fs;
#- /crates/model/examples/speed.rs
use std::time::Instant;
#- /crates/cli/src/main.rs
use std::fs;
",
        "\
crates/model/src/lib.rs:1: `std::fs` in the library crate `model`: pass the value in
crates/model/src/lib.rs:1: `std::fs` in the library crate `model`: pass the value in
crates/model/src/lib.rs:1: `std::time::Instant` in the library crate `model`: pass the value in
crates/model/src/lib.rs:3: `std::process` in the library crate `model`: pass the value in
",
    );
}

#[test]
fn lsp_types_and_anyhow_stay_where_they_belong() {
    check_tidy(
        "boundaries",
        "
#- /crates/ide/src/hover.rs
use lsp_types::Hover;
#- /crates/server/src/hover.rs
use lsp_types::Hover;
use anyhow::Result;
#- /crates/test-support/src/lib.rs
fn f() -> anyhow::Result<()> { g() }
",
        "\
crates/ide/src/hover.rs:1: `lsp_types`: only `server` may use LSP types
crates/test-support/src/lib.rs:1: `anyhow` outside cli, compare, durable, generate, live, server, xtask: return a type of your own
",
    );
}

#[test]
fn every_file_is_compiled() {
    check_tidy(
        "modules",
        "
#- /Cargo.toml
workspace.members = ['crates/a']
#- /crates/a/Cargo.toml
#- /crates/b/Cargo.toml
#- /crates/a/src/lib.rs
mod parse; // mod orphan;
mod orphanage;
#- /crates/a/src/parse.rs
pub(crate) mod line;
#- /crates/a/src/parse/line.rs
#- /crates/a/src/parse/orphan.rs
#- /crates/a/src/orphan.rs
#- /crates/a/src/orphanage.rs
#- /crates/a/tests/suite.rs
mod cases;
#- /crates/a/tests/suite/cases.rs
",
        "\
crates/a/src/orphan.rs:0: no file declares this module: it is never compiled
crates/a/src/parse/orphan.rs:0: no file declares this module: it is never compiled
crates/b/Cargo.toml:0: `crates/b` is not a member of the workspace
",
    );
}

#[test]
fn a_file_has_a_head_a_name_and_a_limit() {
    let long_rule = "fn f() {}\n".repeat(200);
    let tests = "fn t() {}\n".repeat(600);
    check_tidy(
        "shape",
        &format!(
            "
#- /crates/a/src/lib.rs
use b;
#- /crates/a/src/b/mod.rs
//! A module.
#- /crates/analysis/src/rules/short.rs
//! A rule whose tests are long.
#[cfg(test)]
mod tests {{
{tests}}}
#- /crates/analysis/src/rules/long.rs
//! A rule.
{long_rule}#- /crates/analysis/src/rules/long/tests.rs
//! Its tests.
{tests}
"
        ),
        "\
crates/a/src/b/mod.rs:0: `mod.rs`: name the file like its module
crates/a/src/lib.rs:1: begin the file with a `//!` head: what it is, input and output, its one invariant
crates/analysis/src/rules/long.rs:0: 201 lines without tests, 200 at most: split it by meaning
",
    );
}

#[test]
fn a_panic_needs_its_reason() {
    check_tidy(
        "panics",
        "
#- /crates/a/src/lib.rs
fn f() {
    g().unwrap();
    // INVARIANT: g() was checked above.
    g().unwrap();
    // INVARIANT: one reason
    // over two lines.
    g().expect(\"text\");
    self.expect(Token::Colon)?;
    // INVARIANT: stands above its chain.
    g()
        .h()
        .expect(\"text\");
    g()
        .expect(\"text\");
    unreachable!() // .unwrap()
}
#[test]
fn t() { g().unwrap(); }
#[cfg(test)]
pub(crate) mod testing;
#- /crates/a/src/testing.rs
fn check() { g().unwrap(); }
#- /crates/a/src/testing/door.rs
fn check() { g().unwrap(); }
#- /crates/a/src/b/tests.rs
fn t() { panic!(); }
",
        "\
crates/a/src/lib.rs:14: `.expect(…)` without a line `// INVARIANT: why` above it
crates/a/src/lib.rs:15: `unreachable!` without a line `// INVARIANT: why` above it
crates/a/src/lib.rs:2: `.unwrap()` without a line `// INVARIANT: why` above it
",
    );
}

#[test]
fn a_key_stands_in_its_table() {
    check_tidy(
        "keys",
        "
#- /crates/dialect/src/tables/liman.rs
const NAME: Field = field(\"name\", \"llm_nodes\");
const PROMPTS: Field = field(
    \"prompts\", // field(\"comment\"
);
const X: Field = subfield(\"func\").required_unless(\"also\");
const ALSO: Field = crate::table::field(\"also\", Type::Text);
#- /crates/dialect/src/lower/liman.rs
fn lower() { get(\"prompts\") }
#- /crates/analysis/src/rules/a.rs
fn rule() { get(\"prompts\"); get(\"name\"); get(\"func\"); say(\"no prompts\") }
#[test]
fn t() { get(\"prompts\") }
#- /crates/format/src/order.rs
const ORDER: &[&str] = &[\"name\", \"also\"];
",
        "\
crates/analysis/src/rules/a.rs:1: \"prompts\" is a key of a dialect: read it from the table
crates/format/src/order.rs:1: \"also\" is a key of a dialect: read it from the table
",
    );
}

#[test]
fn a_rule_is_known_to_its_theme_alone() {
    check_tidy(
        "registry",
        "
#- /crates/analysis/src/rules.rs
pub use edges::dead_end::ID;
#- /crates/analysis/src/rules/edges.rs
mod dead_end;
mod unlisted;
static THEME: Theme = Theme { rules: &[&dead_end::RULE], parts: &[] };
#- /crates/analysis/src/rules/edges/dead_end.rs
static RULE: Rule = Rule {};
#- /crates/analysis/src/rules/edges/unlisted.rs
use crate::rules::edges::dead_end::helper;
use crate::rules::edges::shared::helper;
static RULE: Rule = Rule {};
#- /crates/analysis/src/rules/edges/undeclared.rs
pub(crate) static RULE: Rule = Rule {};
#- /crates/analysis/src/rules/edges/shared.rs
pub(super) fn helper() {}
#- /crates/analysis/src/rules/liman.rs
use crate::rules::Theme;
static SHARED: Theme = Theme { rules: &[], parts: &[(&crate::rules::edges::dead_end::RULE, &PART)] };
#- /crates/analysis/src/report.rs
use crate::rules::{RULES, edges::dead_end};
",
        "\
crates/analysis/src/report.rs:1: the rule `dead_end` may only be used by its theme
crates/analysis/src/rules/edges/undeclared.rs:0: its theme crates/analysis/src/rules/edges.rs does not list the rule `undeclared`
crates/analysis/src/rules/edges/unlisted.rs:0: its theme crates/analysis/src/rules/edges.rs does not list the rule `unlisted`
crates/analysis/src/rules/edges/unlisted.rs:1: the rule `dead_end` may only be used by its theme
",
    );
}

#[test]
fn text_is_true_on_every_machine_and_finished() {
    let fixture = "
#- /docs/a.md
see /WORKSPACE/main, docs/WORKSPACE/x and file:///WORKSPACE/
from HOST, LATER
#- /crates/a/src/lib.rs
fn f() {} // LATER: more, but LATERAL is a word
#[IGNORED]
#- /tests/data/a.yaml
LATER: any text
#- /Cargo.lock
source = \"registry+https://github.com/rust-lang/index\"
source = \"registry+https://mirror.example/index\"
";
    let fixture = fixture
        .replace("WORKSPACE", concat!("wo", "rk"))
        .replace("HOST", concat!("static.", "crates.io"))
        .replace("LATER", concat!("FIX", "ME"))
        .replace("IGNORED", concat!("ign", "ore"));
    let expected = "\
Cargo.lock:2: `https://mirror.example/index` is not a public registry: write the lock file without a mirror
crates/a/src/lib.rs:1: `LATER`: finish it, or write it down as an issue
crates/a/src/lib.rs:2: an ignored test: fix it or delete it
docs/a.md:1: `/WORKSPACE/` is a folder of one machine
docs/a.md:2: `LATER`: finish it, or write it down as an issue
docs/a.md:2: `HOST` is a registry's host: leave it to the package manager
"
    .replace("WORKSPACE", concat!("wo", "rk"))
    .replace("HOST", concat!("static.", "crates.io"))
    .replace("LATER", concat!("FIX", "ME"));
    check_tidy("wording", &fixture, &expected);
}

#[test]
fn problems_are_sorted_by_place() {
    let untidy =
        repository("#- /xtask/src/main.rs\nfn main() { f().unwrap() }\n#- /crates/a/src/mod.rs\n//! Head.\n");
    let mut reports: Vec<String> = problems(&untidy).iter().map(ToString::to_string).collect();
    // The generated files are missing in this repository too, but another test checks that.
    reports.retain(|report| !report.contains("[generated]"));
    assert_eq!(
        reports,
        [
            "ARCHITECTURE.md: [layers] missing: it contains the crate table",
            "crates/a/src/mod.rs: [modules] no file declares this module: it is never compiled",
            "crates/a/src/mod.rs: [shape] `mod.rs`: name the file like its module",
            "xtask/src/main.rs:1: [panics] `.unwrap()` without a line `// INVARIANT: why` above it",
            "xtask/src/main.rs:1: [shape] begin the file with a `//!` head: what it is, input and output, its one invariant",
        ]
    );
}

#[test]
fn the_owner_and_the_version_are_the_same_everywhere() {
    check_tidy(
        "release",
        "\
#- /Cargo.toml
[workspace.package]
version = \"0.2.0\"
repository = \"https://github.com/acme/nodewise\"
#- /docs/ci.md
Here `OWNER` stands for somebody.
- repo: https://github.com/OWNER/nodewise
  rev: v0.1.0
- repo: https://github.com/acme/nodewise
  rev: v0.2.0
",
        "docs/ci.md:1: the owner is `acme` now: remove the text about `OWNER`\n\
         docs/ci.md:2: `OWNER`, but Cargo.toml says `acme`: `cargo xtask version` writes it\n\
         docs/ci.md:3: `0.1.0`, but Cargo.toml says `0.2.0`: `cargo xtask version` writes it\n",
    );
}

#[test]
fn words_of_the_style_page_do_not_come_back() {
    check_tidy(
        "voice",
        "\
#- /docs/style.md
| do not write | write instead |
|---|---|
| `told` | reported |
| `goes on` | continues |
| `hold … against` | compare with |
#- /docs/a.md
A fault is told. Stolen, retold and `told` are not the word, and [this](told.md) is an address.
The run goes
on. It goes. On Monday we hold one text against another.

```
told in code
```
#- /README.md
Nothing here.
#- /crates/a/src/lib.rs
//! A folder that is not listed: told.
",
        "\
docs/a.md:1: `told`: write reported (docs/style.md)
docs/a.md:2: `goes on`: write continues (docs/style.md)
docs/a.md:3: `hold … against`: write compare with (docs/style.md)
",
    );
}

#[test]
fn comments_and_texts_of_rust_are_prose() {
    let source = "//! It is told.\nfn told() { say(\"told\", told) }\n#[cfg(test)]\nmod tests { fn f() { \"told\" } }\n";
    let style = "| do not write | write instead |\n|---|---|\n| `told` | said |\n";
    assert_eq!(voice::lines_in_rust(style, source), [1, 2]);
}

#[test]
fn a_citation_without_an_anchor_is_reported() {
    check_tidy(
        "citations",
        "\
#- /docs/spec/agentos.md
<a id=\"I42\"></a>
**I42.** <a id=\"5.5\"></a>
#- /docs/spec/README.md
`agentos:I42` is there.
#- /docs/rules/a.md
It stands for `agentos:I42` and `agentos:I99`.
#- /crates/a/src/lib.rs
//! A head (agentos:5.5, agentos:5.6). See agentos:I42.
/// As in \u{a7}5.5.
fn of() -> &'static str { agentos::run(); \"agentos:I1\" }
/* agentos:I2 */
#[cfg(test)]
mod tests {
    // agentos:I3
    const KIND: &str = \"agentos:Graph\";
}
#- /crates/a/tests/suite.rs
//! A head (agentos:I4).
const KIND: &str = \"agentos:Graph\";
",
        "\
crates/a/src/lib.rs:1: `agentos:5.6` has no anchor in docs/spec/agentos.md
crates/a/src/lib.rs:2: cite the section with its system: `liman:2.9`
crates/a/src/lib.rs:3: `agentos:I1` has no anchor in docs/spec/agentos.md
crates/a/src/lib.rs:4: `agentos:I2` has no anchor in docs/spec/agentos.md
crates/a/src/lib.rs:7: `agentos:I3` has no anchor in docs/spec/agentos.md
crates/a/tests/suite.rs:1: `agentos:I4` has no anchor in docs/spec/agentos.md
docs/rules/a.md:1: `agentos:I99` has no anchor in docs/spec/agentos.md
",
    );
}

#[test]
fn a_link_that_leads_nowhere_is_reported() {
    check_tidy(
        "links",
        "\
#- /README.md
[a](docs/a.md) [b](docs/b.md#two-words-and-code) [c](docs/none.md) [d](https://a.example/x) [e](docs)
#- /docs/a.md
# Title
[`b`](b.md) and [one](b.md#one), [two](b.md#one-1), [three](b.md#one-2), [up](../README.md), [out](../none/x.md)

```text
[in code](none.md)
```
Also `[in code](none.md)`, [here](#title), [not here](#other), ![picture](rules/).
#- /docs/b.md
## Two words, and `code`
## One
## [One](a.md)
<a id=\"I1\"></a> [x](#I1) [y](b.md#I2)
#- /docs/rules/x.md
[up](../a.md#title)
#- /crates/a/notes.md
[no page of the documentation](none.md)
",
        "\
README.md:1: `docs/none.md`: there is no docs/none.md
docs/a.md:2: `../none/x.md`: there is no none/x.md
docs/a.md:2: `b.md#one-2`: docs/b.md has no anchor `one-2`
docs/a.md:7: `#other`: docs/a.md has no anchor `other`
docs/b.md:4: `b.md#I2`: docs/b.md has no anchor `I2`
",
    );
}

#[test]
fn a_circle_of_imports_is_reported() {
    check_tidy(
        "circles",
        "\
#- /crates/a/src/lib.rs
mod first;
mod second;
mod third;
use crate::first::First;
#- /crates/a/src/first.rs
use crate::{second::{Second, other}, third::Third};
#- /crates/a/src/first/below.rs
use super::First;
#- /crates/a/src/second.rs
fn f() { super::third::g(); }
#[cfg(test)]
mod tests { use crate::first::First; }
#- /crates/a/src/third.rs
use super::second::Second;
// use crate::first::First;
",
        "\
crates/a/src/second.rs:0: the largest circle of imports in `a` has 2 modules, not 0: second, third
",
    );
}

#[test]
fn two_types_of_one_name_are_reported() {
    check_tidy(
        "type names",
        "\
#- /crates/a/src/lib.rs
pub struct Step;
pub(crate) enum Inner {}
struct Private;
#- /crates/a/src/other.rs
pub(crate) type Inner = u8;
struct Private;
#- /crates/a/src/liman/program.rs
pub struct Program<'p>(&'p str);
#- /crates/a/src/agentos/program.rs
pub struct Program;
#- /crates/b/src/lib.rs
pub(crate) struct Inner;
pub trait Step {}
#[cfg(test)]
mod tests { pub struct Step; }
#- /crates/cli/src/left_out.rs
pub(crate) struct RunOptions;
#- /crates/cli/src/run.rs
pub(crate) struct RunOptions;
",
        "\
crates/a/src/other.rs:1: `Inner` is also a type of crates/a/src/lib.rs:2: a name that says which one it is finds each alone
crates/b/src/lib.rs:2: `Step` is also a type of crates/a/src/lib.rs:1: a name that says which one it is finds each alone
",
    );
}

#[test]
fn names_of_systems_are_counted_outside_of_their_places() {
    check_tidy(
        "systems",
        "\
#- /crates/a/src/lib.rs
//! Knows Liman.
pub mod liman;
fn f() { \"cycgraph\"; }
#[cfg(test)]
mod tests { const SYSTEM: &str = \"agentos\"; }
#- /crates/model/src/registry.rs
const SYSTEMS: [&str; 3] = [\"liman\", \"cycgraph\", \"agentos\"];
#- /crates/a/src/liman/all.rs
//! Liman is at home here.
#- /crates/a/src/limance/lexer.rs
//! The tokens of Liman's language.
#- /crates/a/src/rules/dead_end.rs
//! In cycgraph, a run that comes here fails.
pub(crate) static RULE: Rule = Rule {};
/// As in cycgraph.
#- /crates/dialect/src/tables/scenario/host.rs
//! Liman alone has this key.
#- /crates/a/tests/suite.rs
//! Knows Liman.
#- /crates/compare/src/main.rs
//! Knows Liman.
",
        "\
crates/a/src/lib.rs:1: this line names `liman`: move what it does to that system's place
crates/a/src/lib.rs:3: this line names `cycgraph`: move what it does to that system's place
crates/a/src/rules/dead_end.rs:3: this line names `cycgraph`: move what it does to that system's place
",
    );
}

#[test]
fn a_doc_comment_says_more_than_the_name() {
    check_tidy(
        "labels",
        "
#- /crates/model/src/lib.rs
/// A change of the key.
pub struct KeyChange {
    /// The key.
    pub key: Key,
    /// Where it stands.
    #[serde(skip)]
    pub(super) at: Range,
    /// In seconds.
    pub time: u64,
    /// The key,
    /// and all of it.
    pub whole: Key,
}
/// `==`
const EQUAL: &str = \"==\";
/// The sum of the sums.
fn sum() {}
#[cfg(test)]
mod tests {
    /// The text.
    const TEXT: &str = \"\";
}
#- /crates/cli/src/check.rs
#[derive(Debug, Args)]
struct CheckOptions {
    /// The files.
    files: Vec<PathBuf>,
}
",
        "\
crates/model/src/lib.rs:16: `The sum of the sums.` only repeats the name `sum`: delete it, or say what it means
crates/model/src/lib.rs:1: `A change of the key.` only repeats the name `KeyChange`: delete it, or say what it means
crates/model/src/lib.rs:3: `The key.` only repeats the name `key`: delete it, or say what it means
crates/model/src/lib.rs:5: `Where it stands.` only repeats the name `at`: delete it, or say what it means
",
    );
}
