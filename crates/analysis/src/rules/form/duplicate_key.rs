//! ## What it does
//!
//! Reports a key that its mapping holds twice.
//!
//! ## Why it matters
//!
//! YAML forbids it: the loader reads none of the file's documents. Parsers that are less strict keep one
//! of the two values, not always the same one.
//!
//! ## Example
//!
//! ```yaml expect=duplicate-key
//! kind: Node
//! name: notify
//! name: notify_all
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify_all
//! func: desk.notify
//! ```

use nodewise_model::Origin;
use nodewise_syntax::locate::locate;
use nodewise_syntax::{Problem, ProblemKind, TextRange};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::yaml_fix;

pub(crate) static RULE: Rule = Rule {
    id: "duplicate-key",
    former: &["yaml-duplicate-key"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.repeated_key),
        severity: Severity::Error,
        about_syntax: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let file = context.file;
    // Many programs use the last one.
    if file.must_parse() {
        return;
    }
    let at = |range| Origin::new(file.source, range);
    let mut covered: Option<TextRange> = None;
    let mut looked_at = 0;
    for problem in file.problems.iter().filter(|problem| problem.kind == ProblemKind::DuplicateKey) {
        // Later keys of the same repeated mapping belong to this mistake.
        if covered.is_some_and(|covered| covered.contains_range(problem.range)) {
            continue;
        }
        // The key may belong to another mapping if the text is correct.
        if file.damage.is_broken(problem.range) {
            continue;
        }
        let mut finding = Finding::new(at(problem.range), problem.message())
            .label("no document of this file can be loaded");
        if let Some(first) = problem.related {
            finding = finding.related(at(first), "the key stands here first");
        }
        looked_at += 1;
        let restart = (looked_at <= LOOKED_AT_MAX).then(|| restart(context, problem)).flatten();
        if let Some(Restart::Document(rest)) = restart
            && is_behind_separator(context, problem)
        {
            covered = Some(rest);
            continue;
        }
        report.push(match restart {
            Some(Restart::Document(rest)) => {
                covered = Some(rest);
                let here = TextRange::empty(problem.range.start());
                finding.help("write `---` above it, if another document begins here").fix(
                    "Begin another document",
                    false,
                    at(here),
                    "---\n",
                )
            }
            Some(Restart::Item(rest)) => {
                covered = Some(rest);
                finding.help("write `- ` in front of it, if another item begins here")
            }
            None => finding.help_if(problem.help()),
        });
    }
}

/// Whether the line above was meant to separate documents. Then only that line is reported.
fn is_behind_separator(context: &Context<'_>, problem: &Problem) -> bool {
    let file = context.file;
    let is_above = |other: &&Problem| {
        let between = file.text.get(usize::from(other.range.end())..usize::from(problem.range.start()));
        between.is_some_and(|between| between.trim().is_empty())
    };
    file.problems.iter().filter(is_above).any(|other| yaml_fix::is_separator(file, other))
}

/// If a file has more repeated keys than this, what they seem to begin is not examined.
const LOOKED_AT_MAX: usize = 20;

/// What a repeated key seems to begin, and the range of that.
enum Restart {
    /// Another document whose `---` is missing.
    Document(TextRange),
    /// Another list item whose dash is missing.
    Item(TextRange),
}

/// What seems to begin at the key: if it repeats the first key of its mapping, the whole mapping seems to begin again.
fn restart(context: &Context<'_>, problem: &Problem) -> Option<Restart> {
    let tree = context.file.tree();
    let first = problem.related?;
    let location = locate(tree, problem.range.start());
    let mapping = tree.node(location.key()?.mapping?)?.as_mapping().filter(|mapping| !mapping.is_flow())?;
    let keys: Vec<TextRange> = mapping.entries().filter_map(|entry| Some(entry.key()?.range())).collect();
    let begins = keys.first() == Some(&first);
    let repeated = |key: &&TextRange| key.start() >= problem.range.start();
    if !begins && keys.iter().filter(repeated).count() < 2 {
        return None;
    }
    let rest = TextRange::new(problem.range.start(), mapping.range().end());
    let is_root = location.path.len() <= 1;
    match is_root {
        true if begins => Some(Restart::Document(rest)),
        true => None,
        false => Some(Restart::Item(rest)),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn behind_a_line_that_was_meant_to_separate_documents_nothing_is_reported() {
        check_rule(
            "duplicate-key",
            r"
kind: Node
name: a
func: f.a
--
kind: Node
name: b
func: f.b
",
        );
    }

    #[test]
    fn the_second_key_is_reported() {
        check_rule(
            "duplicate-key",
            r"
kind: LLMNode
name: a
name: b
^^^^ error[duplicate-key]
prompts:
  system: {en: Hi, de: Hallo, en: Hello}
#                             ^^ error[duplicate-key]
",
        );
    }
}
