//! ## What it does
//!
//! Reports text that YAML 1.2 does not allow: unclosed quotes and brackets, bad indentation, tabs,
//! unknown escapes, aliases without an anchor.
//!
//! ## Why it matters
//!
//! The loader reads none of the file's documents, also those before the fault.
//!
//! ## Example
//!
//! ```yaml expect=invalid-yaml
//! kind: ToolNode
//! name: find
//! description: "Find a customer
//! func: tools.find
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: ToolNode
//! name: find
//! description: "Find a customer"
//! func: tools.find
//! ```

use nodewise_model::Origin;
use nodewise_syntax::{Problem, ProblemKind, TextSize};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Finding, Severity};
use crate::facts::FileFacts;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::indentation::{Lines, Move};
use crate::rules::form::yaml_fix;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-yaml",
    former: &["yaml-syntax"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.broken_text),
        severity: Severity::Error,
        about_syntax: true,
        check,
        ..RulePart::DEFAULT
    }],
};

/// Only this many problems of a file get a fix.
const FIXES_MAX: usize = 20;
/// Only this many wrong indentations of a file are examined, because each needs several parses of the text.
const MOVES_MAX: usize = 4;

fn check(context: &Context<'_>, report: &mut Report) {
    let file = context.file;
    let mut reported: Vec<&Problem> = Vec::new();
    let mut consequences = Consequences::new(file);
    for problem in file.problems.iter().filter(|problem| problem.kind != ProblemKind::DuplicateKey) {
        // A second fault on the same line usually results from the first. An editor that indents with tabs does so on every
        // line, so one report is enough.
        let is_reported = |other: &&Problem| {
            let between = file.text.get(usize::from(other.range.start())..usize::from(problem.range.start()));
            other.kind == ProblemKind::TabIndentation && problem.kind == ProblemKind::TabIndentation
                || between.is_some_and(|between| !between.contains('\n'))
        };
        if consequences.contains(problem) || reported.iter().rev().take(FIXES_MAX).any(is_reported) {
            continue;
        }
        reported.push(problem);
        let mut finding = finding(file, problem, &mut consequences);
        // Each fix is verified by parsing the whole text.
        if reported.len() <= FIXES_MAX && finding.fixes.is_empty() {
            finding.fixes.extend(yaml_fix::fix(file, problem));
        }
        report.push(finding);
    }
}

fn finding<'f>(file: &'f FileFacts, problem: &'f Problem, consequences: &mut Consequences<'f>) -> Finding {
    let at = |range| Origin::new(file.source, range);
    let mut finding = Finding::new(at(problem.range), problem.message())
        .label("no document of this file can be loaded")
        .help_if(problem.help());
    if yaml_fix::is_separator(file, problem) {
        finding.message = "this line does not begin another document".to_owned();
        finding.help = Some("write `---`, three dashes".to_owned());
    }
    if let Some(lines) = yaml_fix::flat_block(&file.text, problem) {
        consequences.flat_until = lines.end();
        finding.help = Some("indent the text further than the key of its `|` or `>`".to_owned());
    }
    if let Some(found) = consequences.add(problem) {
        finding.at = at(found.at);
        finding.message = found.message().to_owned();
        finding.help = Some(found.help());
        finding.fixes.push(yaml_fix::verified(file, "Correct the indentation", found.edits));
    }
    if let Some(related) = problem.related {
        finding = finding.related(at(related), "it belongs to this");
    }
    finding
}

/// The problems that only follow from others.
struct Consequences<'f> {
    file: &'f FileFacts,
    lines: Option<Lines<'f>>,
    /// How many wrong indentations were examined.
    moves: usize,
    /// The end of the last block text that is not indented.
    flat_until: TextSize,
    /// Where those begin that are gone when the lines of a reported one are moved, or that continue it.
    begins: FxHashSet<TextSize>,
    /// The aliases without an anchor that are reported.
    aliases: FxHashSet<&'f str>,
}

impl<'f> Consequences<'f> {
    fn new(file: &'f FileFacts) -> Consequences<'f> {
        Consequences {
            file,
            lines: None,
            moves: 0,
            flat_until: TextSize::default(),
            begins: FxHashSet::default(),
            aliases: FxHashSet::default(),
        }
    }

    fn contains(&mut self, problem: &Problem) -> bool {
        let at = problem.range.start();
        at < self.flat_until
            || self.begins.contains(&at)
            || problem.kind == ProblemKind::UndefinedAlias && self.is_known_alias(problem)
    }

    /// Whether an alias is reported already, or its anchor is above, where the text is broken.
    fn is_known_alias(&mut self, problem: &Problem) -> bool {
        let text = self.file.text.shared();
        let (start, end) = (usize::from(problem.range.start()), usize::from(problem.range.end()));
        let Some(name) = text.get(start..end).map(|alias| alias.trim_start_matches('*')) else {
            return false;
        };
        // Each search may read the whole text.
        let may_be_broken =
            self.aliases.len() < FIXES_MAX && self.file.problems.iter().any(Problem::is_syntax);
        let anchor = format!("&{name}");
        let is_there = may_be_broken && text.get(..start).is_some_and(|before| before.contains(&anchor));
        is_there || !self.aliases.insert(name)
    }

    /// Adds what follows from a wrong indentation. Returns the lines to move, if that is certain.
    fn add(&mut self, problem: &Problem) -> Option<Move> {
        if problem.kind != ProblemKind::BadIndentation {
            return None;
        }
        let file = self.file;
        let lines = self.lines.get_or_insert_with(|| Lines::of(file.text.shared(), &file.problems));
        self.moves += 1;
        let found = if self.moves <= MOVES_MAX { lines.best_move(problem) } else { None };
        match &found {
            Some(found) => self.begins.extend(&found.fixed),
            None => self.begins.extend(lines.chain(problem)),
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn an_unclosed_bracket_is_reported_once_and_the_rest_is_judged() {
        check_rule(
            "invalid-yaml",
            r"
kind: ToolNode
name: find
description: Find
func: tools.find
arguments: [a
#          ^ error[invalid-yaml]
",
        );
    }

    #[test]
    fn a_quote_that_takes_the_closing_brackets_is_the_one_fault() {
        check_rule(
            "invalid-yaml",
            r#"
kind: LLMNode
name: chat
prompts: {system: {en: "Hi}}
#                      ^^^^^ error[invalid-yaml]: the quoted text has no closing quote
tools: []
"#,
        );
    }

    #[test]
    fn a_first_entry_that_is_indented_too_far_is_the_one_fault() {
        check_rule(
            "invalid-yaml",
            r"
 kind: ToolNode
#^^^^^^^^^^^^^^ error[invalid-yaml]: this line is indented too far
name: find
description: Find
func: tools.find
",
        );
    }

    #[test]
    fn an_item_that_is_indented_too_far_is_the_one_fault() {
        check_rule(
            "invalid-yaml",
            r"
kind: ToolNode
name: find
description: Find
func: tools.find
arguments:
   - name: id
#  ^^^^^^^^^^ error[invalid-yaml]: this line is indented too far
    type: string
    description: The id
  - name: other
    type: string
    description: Another id
",
        );
    }

    #[test]
    fn a_key_between_two_columns_belongs_to_its_siblings() {
        check_fix(
            "invalid-yaml",
            "kind: LLMNode\nname: chat\nprompts:\n  system: Hi\n tools:\n  - get_weather\nnodes: []\n",
            "kind: LLMNode\nname: chat\nprompts:\n  system: Hi\ntools:\n  - get_weather\nnodes: []\n",
        );
    }

    #[test]
    fn entries_without_their_key_are_one_fault() {
        check_rule(
            "invalid-yaml",
            r"
kind: LLMNode
name: chat
  system: {en: Hi}
# ^^^^^^^^^^^^^^^^ error[invalid-yaml]: these lines are indented too far
  user: {en: Hi}
tools: []
",
        );
    }

    #[test]
    fn an_alias_of_a_broken_anchor_is_no_fault_and_others_are_one() {
        check_rule(
            "invalid-yaml",
            r"
kind: LLMNode
name: chat
prompts: {system: {en: &hi Hi}
#        ^ error[invalid-yaml]: `{` is not closed
llm: *hi
tools: *tools
#      ^^^^^^ error[invalid-yaml]: no anchor `tools` stands before this alias
nodes: *tools
",
        );
    }

    #[test]
    fn the_indentation_is_corrected() {
        check_fix(
            "invalid-yaml",
            "kind: ToolNode\nname: find\n description: Find\nfunc: tools.find\n",
            "kind: ToolNode\nname: find\ndescription: Find\nfunc: tools.find\n",
        );
        check_fix(
            "invalid-yaml",
            "kind: ToolNode\nname: find\ndescription: Find\nfunc: tools.find\narguments:\n  - name: id\n   type: string\n    description: The id\n",
            "kind: ToolNode\nname: find\ndescription: Find\nfunc: tools.find\narguments:\n  - name: id\n    type: string\n    description: The id\n",
        );
    }
}
