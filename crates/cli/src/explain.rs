//! `nodewise explain`: the list of rules, and the page of each rule.
//!
//! Input: a rule's id, or nothing. Output: its page as plain text, or the list of rules. Invariant: pages come from the
//! source of the rules.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use nodewise_analysis::project_rules::{self, GROUP};
use nodewise_analysis::rule::Rule;
use nodewise_analysis::rules::{RULES, RuleSelector, renamed_note};
use nodewise_analysis::{citation, page};
use nodewise_project::{config, discovery};

use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::{input, notices, words, workspace};

const CODE_INDENT: &str = "    ";

/// Print a rule's page, or list the rules.
#[derive(Args)]
pub(crate) struct ExplainOptions {
    /// The rule; without it, all rules are listed.
    #[arg(value_parser = words::rules(), hide_possible_values = true)]
    rule: Option<String>,
    /// List only the rules for files of this dialect.
    #[arg(long, value_name = "DIALECT", value_parser = words::dialects(), conflicts_with = "rule")]
    dialect: Option<String>,
}

/// Prints a page or the list.
pub(crate) fn run(options: &ExplainOptions, output: &mut Output) -> Result<Outcome> {
    match &options.rule {
        None => {
            let dialect = options.dialect.as_deref();
            output.write(&list(|rule| dialect.is_none_or(|dialect| rule.judges(dialect))))?;
        }
        Some(id) => match RuleSelector::of(id) {
            Some(RuleSelector::Rule(rule)) => output.write(&explanation(rule))?,
            Some(RuleSelector::Former(rule)) => {
                remark(&format!("note: {}", renamed_note(id, rule)));
                output.write(&explanation(rule))?;
            }
            Some(RuleSelector::Category(category)) => {
                output.write(&list(|rule| rule.category == category))?
            }
            Some(RuleSelector::Project(id)) => output.write(&of_project(id)?)?,
            None => bail!("no rule is called `{id}`\n  help: {}", config::rule_suggestion(id)),
        },
    }
    Ok(Outcome::Clean)
}

/// One line for each rule: id, severity, category, whether it has fixes, its systems, summary.
fn list(is_wanted: impl Fn(&Rule) -> bool) -> String {
    let rules: Vec<&Rule> = RULES.iter().copied().filter(|rule| is_wanted(rule)).collect();
    let width = rules.iter().map(|rule| rule.id.len()).max().unwrap_or_default();
    let systems_width = rules.iter().map(|rule| page::systems(rule).len()).max().unwrap_or_default();
    let mut list = String::new();
    for rule in rules {
        let (id, severity, systems) = (rule.id, rule.severest().word(), page::systems(rule));
        let (category, fixable) = (rule.category.word(), if rule.is_fixable { "fixable" } else { "" });
        list.push_str(&format!(
            "{id:width$}  {severity:7}  {category:11}  {fixable:7}  {systems:systems_width$}  {}\n",
            page::summary(rule)
        ));
    }
    list
}

/// The page of a rule that the project of the current folder declares, or the list of them.
fn of_project(id: &str) -> Result<String> {
    let request = input::request(&[PathBuf::from(".")], None)?;
    let found = discovery::find(&request, None)?;
    let mut notices = found.notices;
    let mut list = String::new();
    for project in &found.projects {
        let asked = workspace::asked(project, None, None, &mut notices);
        for rule in asked.snapshot.index().project_rules() {
            let path = asked.snapshot.file(rule.document.source).map_or("", |file| &*file.path);
            let message = rule.rule.message.as_ref().map_or("", |message| message.value.as_str());
            if rule.id == id {
                return Ok(plain(&project_rules::page(&rule.rule, id, path)));
            }
            list.push_str(&format!("{}  {}  {path}  {message}\n", rule.id, rule.severity.word()));
        }
    }
    notices::print_all(notices);
    if id != GROUP {
        bail!("the project has no rule `{id}`\n  help: `nodewise explain {GROUP}` lists its rules");
    }
    Ok(list)
}

/// The page of a rule, with links to the classes of the specification.
fn explanation(rule: &Rule) -> String {
    let mut text = plain(&page::page(rule));
    let links: Vec<String> = page::classes(rule).into_iter().filter_map(citation::web_link).collect();
    if !links.is_empty() {
        text.push_str("\nSpecification\n-------------\n\n");
    }
    for link in links {
        text.push_str(&format!("{link}\n"));
    }
    text
}

/// Markdown as plain text for a terminal.
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
        } else {
            text.push_str(&format!("{line}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn headings_are_underlined_and_code_is_indented() {
        let markdown =
            "# a-rule\n\nWhat.\n\n## Example\n\n```yaml expect=a-rule\n# one\nkind: x\n```\nEnd.\n";
        let expected = "a-rule\n======\n\nWhat.\n\nExample\n-------\n\n    # one\n    kind: x\nEnd.\n";
        assert_eq!(plain(markdown), expected);
    }
}
