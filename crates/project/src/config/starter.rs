//! The first `nodewise.toml` of a folder.
//!
//! Input: what the folder holds. Output: the text of its configuration, with a comment at each key. Invariant: the text is
//! read without a problem, and each of its comments that shows a key is read without a problem too.

use std::fmt::Display;

use nodewise_format::options::FormatOptions;

use super::words::{Choice, EXTERNAL, FLOWS, QUOTES, SEQUENCES};
use crate::survey::{Survey, SystemSurvey};

const HEAD: &str = "\
# The configuration of nodewise for this folder. Every key is optional; lines that begin with `#` are examples.
# docs/configuration.md of nodewise explains all keys.

[files]
# exclude = [\"vendor/**\"]        # files to skip, in patterns as in .gitignore

[rules]
# unused-declaration = \"off\"     # \"off\", \"hint\", \"warning\" or \"error\"; `nodewise explain` lists the rules
";

const RELEASE: &str = "the release to follow instead of \"spec\"; the files use fields of this release";

/// Where comments begin.
const COMMENTS: usize = 32;

/// The configuration that fits what a folder holds.
pub fn text(survey: &Survey) -> String {
    let mut text = HEAD.to_owned();
    for system in &survey.systems {
        add_system(&mut text, system);
    }
    add_format(&mut text, survey);
    text
}

fn add_system(text: &mut String, system: &SystemSurvey) {
    let dialect = system.dialect;
    let is_choice = |release: &&str| dialect.profiles.iter().any(|(word, _)| word.text == *release);
    if let Some(release) = system.release.filter(is_choice) {
        text.push_str(&format!("\n[{}]\n", dialect.id));
        add_line(text, &format!("# profile = \"{release}\""), RELEASE);
    }
    // What only nodewise itself reads has nothing that others declare.
    if dialect.outside.is_empty() {
        return;
    }
    text.push('\n');
    add_line(
        text,
        &format!("[{}.{EXTERNAL}]", dialect.id),
        "names that your program provides and no file declares",
    );
    for outside in dialect.outside {
        add_line(text, &format!("# {} = [\"name\"]", outside.key), &sentence(outside.doc));
    }
}

/// A sentence as a comment has it: without its full stop, with a small letter.
fn sentence(doc: &str) -> String {
    let doc = doc.trim_end_matches('.');
    let mut letters = doc.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn add_format(text: &mut String, survey: &Survey) {
    let options = &survey.style.options;
    let usual = FormatOptions::default();
    text.push('\n');
    match (survey.measured, survey.style.changed) {
        (0, _) => text.push_str("[format]\n"),
        (files, changed) => {
            let noun = if files == 1 { "file" } else { "files" };
            let measured = format!("fits {files} {noun}, of which `nodewise fmt` changes {changed}");
            add_line(text, "[format]", &measured);
        }
    }
    let mut add =
        |key: &str, value: &dyn Display, comment: &str| add_line(text, &format!("{key} = {value}"), comment);
    add("indent", &options.indent, "columns per level");
    add(
        "sequences",
        &word(SEQUENCES, &options.sequences),
        "\"keep\"; \"indent\": to the right of their key; \"flush\": below it",
    );
    add("quotes", &word(QUOTES, &options.quotes), "\"double\", \"single\" or \"keep\"");
    add("line_width", &options.line_width, "longer lines split their brackets into blocks, but never texts");
    add("blank_lines", &options.blank_lines, "maximum of consecutive empty lines");
    add("flow", &word(FLOWS, &options.flow), "\"block\"; \"keep\": keep brackets that span several lines");
    match options.brace_spacing {
        Some(spacing) => add("brace_spacing", &spacing, "`{ a: 1 }` or `{a: 1}`"),
        None => add("# brace_spacing", &true, "`{ a: 1 }` everywhere, not only in JSON"),
    }
    let is_usual = options.key_order == usual.key_order;
    add(if is_usual { "# key_order" } else { "key_order" }, &"\"table\"", "sort keys as in docs/dialects");
}

/// The word of a choice, in quotes.
fn word<T: PartialEq>(choices: &[Choice<T>], chosen: &T) -> String {
    let found = choices.iter().find(|choice| choice.value == *chosen);
    format!("{:?}", found.map_or("", |choice| choice.word))
}

fn add_line(text: &mut String, line: &str, comment: &str) {
    // Two spaces at least, like the formatter.
    let width = COMMENTS.max(line.len() + 1);
    text.push_str(&format!("{line:width$} # {comment}\n"));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::text;
    use crate::config::Config;
    use crate::survey::Survey;

    /// What is written for these files: it is read without a problem, and so is every example in it.
    #[track_caller]
    fn check_starter(files: &[(&str, &str)], expected: &str) {
        let survey = Survey::of(files.iter().map(|(path, text)| (*path, Arc::from(*text))));
        let written = text(&survey);
        let shown = written.split_once("\n\n[rules]\n").and_then(|(_, rest)| rest.split_once("\n\n"));
        assert_eq!(shown.map(|(_, rest)| rest), Some(expected), "{written}");
        let config = Config::read(&written).map(|config| config.format);
        assert_eq!(config, Ok(survey.style.options.clone()), "{written}");
        let examples: String = written
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(example) if example.contains(" = ") => format!("{example}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        assert_eq!(Config::read(&examples).err(), None, "{examples}");
    }

    #[test]
    fn a_folder_without_declarations() {
        check_starter(
            &[("a.yaml", "just: text\n")],
            "\
[format]
indent = 2                       # columns per level
sequences = \"keep\"               # \"keep\"; \"indent\": to the right of their key; \"flush\": below it
quotes = \"double\"                # \"double\", \"single\" or \"keep\"
line_width = 120                 # longer lines split their brackets into blocks, but never texts
blank_lines = 1                  # maximum of consecutive empty lines
flow = \"block\"                   # \"block\"; \"keep\": keep brackets that span several lines
# brace_spacing = true           # `{ a: 1 }` everywhere, not only in JSON
# key_order = \"table\"            # sort keys as in docs/dialects
",
        );
    }

    #[test]
    fn each_system_has_its_sections() {
        check_starter(
            &[
                (
                    "desk.yaml",
                    "kind: LLMNode\nname: desk\nprompts:\n    system:\n        en: 'Hi.'\nto:\n- LLMNode/desk\n",
                ),
                ("a.scenario.yaml", "scenario: Runs.\nrun: desk\nexpect: {path: [desk]}\n"),
            ],
            "\
[liman]
# profile = \"0.1.1\"              # the release to follow instead of \"spec\"; the files use fields of this release

[liman.external]                 # names that your program provides and no file declares
# tools = [\"name\"]               # tools that the program registers in code
# nodes = [\"name\"]               # nodes that the program registers in code
# service_accounts = [\"name\"]    # service accounts that the program registers in code
# credentials_providers = [\"name\"]  # credentials providers that the program registers in code

[format]                         # fits 2 files, of which `nodewise fmt` changes 0
indent = 4                       # columns per level
sequences = \"flush\"              # \"keep\"; \"indent\": to the right of their key; \"flush\": below it
quotes = \"single\"                # \"double\", \"single\" or \"keep\"
line_width = 120                 # longer lines split their brackets into blocks, but never texts
blank_lines = 1                  # maximum of consecutive empty lines
flow = \"block\"                   # \"block\"; \"keep\": keep brackets that span several lines
# brace_spacing = true           # `{ a: 1 }` everywhere, not only in JSON
# key_order = \"table\"            # sort keys as in docs/dialects
",
        );
    }
}
