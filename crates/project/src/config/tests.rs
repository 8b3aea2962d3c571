//! What configuration files mean, and what is said about bad ones.

use nodewise_analysis::diagnostic::Severity;
use nodewise_analysis::settings::Level;
use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_0};

use super::Config;

/// The problem of a configuration as one line; empty for a good one.
fn check_problem(text: &str, expected: &str) {
    let found = match Config::read(text) {
        Ok(_) => String::new(),
        Err(problem) => {
            format!("{}:{}: {}; {}", problem.at.line, problem.at.column, problem.reason, problem.help)
        }
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn every_key_is_accepted() {
    check_problem(
        r#"
[files]
include = ["agents/**"]
exclude = ["legacy"]
max_size_mib = 1

[check]
baseline = "nodewise-baseline.json"

[dialect]
"other/**" = "none"
"ours/**" = "liman"

[rules]
unused-suppression = "off"

[[rules.override]]
files = ["tests/**"]
levels = { invalid-expression = "warning" }

[shared_rules.company]
git = "https://git.example/rules.git"
commit = "5f1d7e84b1c2a3948576a1b2c3d4e5f601234567"
folder = "rules"

[shared_rules.team]
path = "../team"

[security]
trusted = ["orders", "read_*"]
untrusted = ["notes"]
effects = ["close_*"]
harmless = ["send_log"]

[liman]
profile = "0.1.1"
tool_prefixes = ["Api"]
extra_fields = ["owner"]

[liman.external]
tools = ["search"]
nodes = ["human"]
service_accounts = ["robot"]
credentials_providers = ["vault"]

[cycgraph]
extra_fields = ["owner"]

[cycgraph.external]
agents = ["reviewer"]
graphs = ["archive"]
tools = ["fetch"]
servers = ["web"]
keys = ["request"]

[format]
"#,
        "",
    );
}

#[test]
fn unknown_keys_and_words_name_their_place_and_what_was_meant() {
    check_problem("[files]\nexlude = []\n", "2:1: unknown key `exlude`; did you mean `exclude`?");
    check_problem("[file]\n", "1:2: unknown key `file`; did you mean `files`?");
    check_problem("[liman]\nprofile = \"0.1.2\"\n", "2:11: `0.1.2` is not a profile; did you mean `0.1.1`?");
    check_problem(
        "[rules]\nwhen-sintax = \"off\"\n",
        "2:1: no rule is called `when-sintax`; did you mean `invalid-expression`?",
    );
    check_problem(
        "[rules]\ninvalid-expression = \"loud\"\n",
        "2:22: `loud` is not a level; use one of `off`, `hint`, `warning`, `error`",
    );
    check_problem("[dialect]\n\"a\" = \"limann\"\n", "2:7: `limann` is not a dialect; did you mean `liman`?");
    check_problem(
        "[files]\nexclude = [\"a\", \"[\"]\n",
        "2:17: not a path pattern: unclosed character class; missing ']'; \
         write patterns as in `.gitignore`: `legacy/**`, `*.draft.yaml`",
    );
    check_problem(
        "[cycgraph.external]\nagent = []\n",
        "2:1: `agent` is not a list of names; did you mean `agents`?",
    );
    check_problem(
        "[format]\nwidth = 3\n",
        "2:1: unknown key `width`; use one of `indent`, `sequences`, `quotes`, `flow`, `line_width`, `blank_lines`, `brace_spacing`, `key_order`",
    );
}

#[test]
fn shared_rules_are_pinned_and_have_one_source() {
    check_problem(
        "[shared_rules.a]\ngit = \"https://git.example/r.git\"\ncommit = \"main\"\n",
        "3:10: `main` is not the full hash of a commit; `git rev-parse` prints it; a branch or tag can move",
    );
    check_problem(
        "[shared_rules.a]\ngit = \"https://git.example/r.git\"\n",
        "1:15: `a` does not say where its rules are; set `git` and `commit`, or `path`",
    );
    check_problem(
        "[shared_rules.\"../a\"]\npath = \"b\"\n",
        "1:15: `../a` cannot be the name of shared rules; write lower-case letters, digits and `-`",
    );
}

#[test]
fn a_tool_is_in_one_list_only() {
    check_problem(
        "[security]\ntrusted = [\"a\", \"b\"]\nuntrusted = [\"b\"]\n",
        "3:14: `b` is in `trusted` and in `untrusted`; remove it from one of them",
    );
    check_problem(
        "[security]\nharmless = [\"x_*\"]\neffects = [\"x_*\", \"x_y\"]\n",
        "2:13: `x_*` is in `effects` and in `harmless`; remove it from one of them",
    );
}

#[test]
fn a_table_of_a_system_has_the_keys_of_its_dialect() {
    check_problem("[limann]\n", "1:2: unknown key `limann`; did you mean `liman`?");
    check_problem("[liman]\nprofil = \"spec\"\n", "2:1: unknown key `profil`; did you mean `profile`?");
    check_problem(
        "[cycgraph]\nprofile = \"spec\"\n",
        "2:1: unknown key `profile`; use one of `extra_fields`, `external`, `outside`",
    );
    check_problem(
        "[agentos]\ntool_prefixes = []\n",
        "2:1: unknown key `tool_prefixes`; use one of `extra_fields`, `external`, `outside`",
    );
    check_problem(
        "[scenario]\nextra_fields = []\n",
        "1:2: unknown key `scenario`; use one of `files`, `check`, `dialect`, `rules`, `shared_rules`, `security`, `liman`, `cycgraph`, `agentos`, `format`, `live`, `serve`",
    );
    check_problem(
        "cycgraph = 3\n",
        "1:12: invalid type: integer `3`, expected a table of settings for cycgraph; \
         see docs/configuration.md of nodewise for every key",
    );
}

/// The notes of a configuration, a line each, and the external tools of Liman that count.
fn check_notes(text: &str, expected: &str) {
    let (config, problems) = Config::judge(text);
    assert_eq!(problems, Vec::new(), "{text}");
    let tools = config.settings.systems.get("liman").and_then(|liman| liman.outside.get("tools"));
    let mut list = String::new();
    for one in &config.notes {
        list += &format!("{}:{} {}; {}\n", one.at.line, one.at.column, one.reason, one.help);
    }
    list += &format!("{:?}", tools.map(|tools| tools.join(" ")));
    assert_eq!(list, expected, "{text}");
}

#[test]
fn a_former_name_still_works_and_is_noted() {
    check_notes("[liman.external]\ntools = [\"a\", \"b\"]\n", "Some(\"a b\")");
    check_notes(
        "[liman.outside]\ntools = [\"a\"]\n",
        "1:8 `[liman.outside]` is now called `[liman.external]`; rename it; the former name still works\nSome(\"a\")",
    );
    check_notes(
        "[liman]\noutside.tools = [\"a\"]\n",
        "2:1 `[liman.outside]` is now called `[liman.external]`; rename it; the former name still works\nSome(\"a\")",
    );
    check_notes(
        "liman = { outside = { tools = [\"a\"] } }\n",
        "1:11 `[liman.outside]` is now called `[liman.external]`; rename it; the former name still works\nSome(\"a\")",
    );
}

#[test]
fn a_former_name_beside_the_new_one_is_a_problem() {
    check_judged(
        "[liman.outside]\ntools = [\"a\"]\n[liman.external]\nnodes = [\"b\"]\n",
        "1:8-1:15 `[liman.outside]` and `[liman.external]` are the same table, and both are set\nSpecification {}\n",
    );
    check_problem(
        "[cycgraph.outside]\nagent = []\n",
        "2:1: `agent` is not a list of names; did you mean `agents`?",
    );
}

#[test]
fn the_guide_shows_what_is_accepted() {
    let guide = include_str!("../../../../docs/configuration.md");
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    check_problem(example.expect("the guide has an example"), "");
}

/// All problems of a configuration, a line each, and the profile and levels that count all the same.
fn check_judged(text: &str, expected: &str) {
    let (config, problems) = Config::judge(text);
    let mut list = String::new();
    for one in problems {
        list += &format!(
            "{}:{}-{}:{} {}\n",
            one.at.line, one.at.column, one.end.line, one.end.column, one.reason
        );
    }
    list += &format!("{:?} {:?}\n", config.settings.profile(&LIMAN), config.settings.levels);
    assert_eq!(list, expected.strip_prefix('\n').unwrap_or(expected), "{text}");
}

#[test]
fn every_problem_is_reported_and_the_rest_counts() {
    check_judged(
        "[rulez]\nx = 1\n[files]\nexclude = [\"a\", 3, \"[\"]\nmax = 1\n[rules]\nwhen-sintax = \"off\"\ninvalid-expression = \"loud\"\ninvalid-reference = \"off\"\n[liman]\nprofile = \"0.1.0\"\n",
        "
1:2-1:7 unknown key `rulez`
4:17-4:18 invalid type: integer `3`, expected a string
4:20-4:23 not a path pattern: unclosed character class; missing ']'
5:1-5:4 unknown key `max`
7:1-7:12 no rule is called `when-sintax`
8:22-8:28 `loud` is not a level
Release(\"0.1.0\") {\"invalid-reference\": Off}
"
        .replace("\\\"", "\"")
        .as_str(),
    );
}

#[test]
fn a_broken_line_leaves_the_others() {
    let texts = [
        "[liman]\nprofile = \"0.1.0\"\n[files\n",
        "[liman]\nprofile = \"0.1.0\"\n[rules]\ninvalid-reference = \n",
    ];
    for text in texts {
        let (config, problems) = Config::judge(text);
        assert_eq!(config.settings.profile(&LIMAN), RELEASE_0_1_0, "{text}");
        assert_eq!(problems.len(), 1, "{problems:?}");
    }
    // Whatever is cut off, the reader ends.
    let whole = include_str!("../../../../docs/configuration.md");
    let whole = whole.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap_or_default();
    for (end, _) in whole.char_indices().step_by(7) {
        let _ = Config::judge(&whole[..end]);
    }
}

#[test]
fn former_ids_of_rules_count_and_are_noted() {
    let (config, problems) = Config::judge("[rules]\nedge-duplicate-id = \"off\"\nstyle = \"hint\"\n");
    assert_eq!(problems, []);
    assert_eq!(config.settings.levels.get("duplicate-edge-id"), Some(&Level::Off));
    assert_eq!(config.settings.levels.get("style"), Some(&Level::At(Severity::Hint)));
    let notes: Vec<&str> = config.notes.iter().map(|note| note.reason.as_str()).collect();
    assert_eq!(notes, ["`edge-duplicate-id` is now called `duplicate-edge-id`"]);
    assert_eq!(config.notes[0].at.line, 2);
}
