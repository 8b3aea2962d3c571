//! `nodewise explain`: the rules, and each rule's page.
//!
//! Input: a rule's id, or nothing. Output: its page as plain text, or the list of rules. Invariant: pages come
//! from the rules' own source, there is no second text.

use anyhow::{Result, bail};
use clap::Args;
use nodewise_analysis::page;
use nodewise_analysis::rule::Rule;
use nodewise_analysis::rules::{RULES, rule};
use nodewise_project::config;

use crate::outcome::Outcome;
use crate::output::Output;
use crate::words;

const CODE_INDENT: &str = "    ";

/// Print a rule's page, or list the rules.
#[derive(Args)]
pub(crate) struct Options {
    /// The rule; without it, all rules are listed.
    #[arg(value_parser = words::rules(), hide_possible_values = true)]
    rule: Option<String>,
    /// List only the rules that judge files of this dialect.
    #[arg(long, value_name = "DIALECT", value_parser = words::dialects(), conflicts_with = "rule")]
    dialect: Option<String>,
}

/// Explains.
pub(crate) fn run(options: &Options, output: &mut Output) -> Result<Outcome> {
    match &options.rule {
        None => output.write(&list(options.dialect.as_deref()))?,
        Some(id) => match rule(id) {
            Some(rule) => output.write(&plain(&page::page(rule)))?,
            None => bail!("no rule is called `{id}`\n  help: {}", config::rule_suggestion(id)),
        },
    }
    Ok(Outcome::Clean)
}

/// One line a rule: id, severity, whose files it judges, summary.
fn list(dialect: Option<&str>) -> String {
    let judges = |rule: &&&Rule| dialect.is_none_or(|dialect| rule.systems.contains(&dialect));
    let rules: Vec<&Rule> = RULES.iter().filter(judges).copied().collect();
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let systems_width = rules.iter().map(|rule| page::systems(rule).len()).max().unwrap_or_default();
    let mut list = String::new();
    for rule in rules {
        let (id, severity, systems) = (rule.id, rule.severity.word(), page::systems(rule));
        list.push_str(&format!(
            "{id:width$}  {severity:7}  {systems:systems_width$}  {}\n",
            page::summary(rule)
        ));
    }
    list
}

/// Markdown as people read it on a terminal.
fn plain(markdown: &str) -> String {
    let mut text = String::new();
    let mut in_code = false;
    for line in markdown.lines() {
        if line.starts_with("```") {
            in_code = !in_code;
        } else if in_code && !line.is_empty() {
            text.push_str(&format!("{CODE_INDENT}{line}\n"));
        } else if let Some(title) = line.strip_prefix("# ").filter(|_| !in_code) {
            text.push_str(&format!("{title}\n{}\n", "=".repeat(title.chars().count())));
        } else if let Some(title) = line.strip_prefix("## ").filter(|_| !in_code) {
            text.push_str(&format!("{title}\n{}\n", "-".repeat(title.chars().count())));
        } else if let Some((before, (label, target, behind))) = link(line).filter(|_| !in_code) {
            text.push_str(&format!("{before}{label} ({}){behind}\n", target.replace("../", "docs/")));
        } else {
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

/// The first link of a line: what stands before it, its label and target, what stands behind it.
fn link(line: &str) -> Option<(&str, (&str, &str, &str))> {
    let (before, rest) = line.split_once("[`")?;
    let (label, rest) = rest.split_once("`](")?;
    let (target, behind) = rest.split_once(')')?;
    Some((before, (label, target, behind)))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn headings_are_underlined_and_code_is_indented() {
        let markdown = "# a-rule\n\nHint · [`x:I1`](../spec/x.md#I1)\n\nWhat.\n\n## Example\n\n```yaml expect=a-rule\n# one\nkind: x\n```\nEnd.\n";
        let expected = "a-rule\n======\n\nHint · x:I1 (docs/spec/x.md#I1)\n\nWhat.\n\nExample\n-------\n\n    # one\n    kind: x\nEnd.\n";
        assert_eq!(plain(markdown), expected);
    }
}
