//! ## What it does
//!
//! Reports a condition that is not a text to YAML: a boolean, a number, a list, a mapping, or a value
//! with a tag, which is what `!ready` without quotes is.
//!
//! ## Why it matters
//!
//! The packages reject the whole declaration.
//!
//! ## Example
//!
//! ```yaml expect=non-text-condition
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: router, when: true}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: router
//! func: r.route
//! nodes:
//!   - {target: done, when: "true"}
//! ---
//! kind: Node
//! name: done
//! func: r.done
//! ```

use std::ops::Range;

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_model::Origin;
use nodewise_syntax::{TextRange, TextSize};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "non-text-condition",
    former: &["when-type"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:when-type"),
        severity: Severity::Error,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::ConditionType(found) = issue.kind else { continue };
        let finding = Finding::new(issue.at, format!("the condition is {found}, not a text"))
            .label("the packages reject the declaration");
        report.push(if is_true(context, issue.at) {
            finding.help("write `\"true\"`").fix("Put it in quotes", true, issue.at, "\"true\"")
        } else if let Some((at, meant)) = meant(context, issue) {
            let help = match meant.starts_with('!') {
                true => format!("write `\"{meant}\"` in quotes: YAML reads `!` as a tag"),
                false => format!("write `\"{meant}\"`"),
            };
            finding.help(help).fix("Write the condition in quotes", false, at, format!("\"{meant}\""))
        } else {
            let source = ranges::source(context, issue.at);
            let finding = finding.help(match source.starts_with('!') {
                true => "put the condition in quotes: YAML reads `!` as a tag",
                false => "write the condition in quotes",
            });
            match source.starts_with('!') && !source.contains(['"', '\\', '\n']) {
                true => finding.fix("Put it in quotes", false, issue.at, format!("\"{source}\"")),
                false => finding,
            }
        });
    }
}

/// The condition for which a tag, double braces or a mapping with one entry stand, and the place to replace.
fn meant(context: &Context<'_>, issue: &Issue) -> Option<(Origin, String)> {
    let language = context.dialect()?.conventions.conditions?;
    let is_meant = |text: &str| !text.contains(['"', '\\', '\n']) && language.accepts(text);
    if let Some(text) = equality(ranges::source(context, issue.at)).filter(|text| is_meant(text)) {
        return Some((issue.at, text));
    }
    let at = rest_of_line(context, issue)?;
    let written = ranges::source(context, at);
    let inner = written.strip_prefix("{{").and_then(|inner| inner.strip_suffix("}}")).map(str::trim);
    let text = inner.or_else(|| written.starts_with('!').then_some(written))?;
    is_meant(text).then(|| (at, text.to_owned()))
}

/// Longer conditions are skipped, because a line may be very long and contain many conditions.
const LONGEST: usize = 500;

/// The rest of the line after the key.
fn rest_of_line(context: &Context<'_>, issue: &Issue) -> Option<Origin> {
    let text = &*context.source(issue.at.source)?.text;
    let at = usize::from(issue.at.range.start());
    let key = format!("{}:", issue.field?.key);
    let around = |offset: usize| (0..=offset).rev().find(|offset| text.is_char_boundary(*offset));
    let first = around(at.saturating_sub(LONGEST))?;
    let start = first + text.get(first..at)?.rfind(&key)? + key.len();
    let value = text.get(start..around(text.len().min(start + LONGEST))?)?.lines().next()?;
    let start = start + (value.len() - value.trim_start().len());
    let range = TextRange::at(u32::try_from(start).ok()?.into(), TextSize::of(value.trim()));
    (!range.is_empty()).then(|| Origin::new(issue.at.source, range))
}

/// Converts `status: ok` to a comparison.
fn equality(source: &str) -> Option<String> {
    let inner = source.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).unwrap_or(source);
    let (name, value) = inner.trim().split_once(": ")?;
    let value = value.trim();
    let is_literal = value.parse::<f64>().is_ok()
        || ["true", "false", "null"].contains(&value)
        || value.len() > 1 && value.starts_with('\'') && value.ends_with('\'');
    let value = if is_literal { value.to_owned() } else { format!("'{value}'") };
    ranges::is_word(name).then(|| format!("{name} == {value}"))
}

/// Whether the text at a place is `true` in one of YAML's spellings.
fn is_true(context: &Context<'_>, at: Origin) -> bool {
    let range = Range::<usize>::from(at.range);
    context.file.text.get(range).is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn booleans_numbers_collections_and_tags() {
        check_rule(
            "non-text-condition",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: true}
#                          ^^^^ error[non-text-condition]: the condition is a boolean, not a text
  - {target: router, when: 1}
#                          ^ error[non-text-condition]: the condition is a number, not a text
  - {target: router, when: [a]}
#                          ^^^ error[non-text-condition]: the condition is a list, not a text
  - {target: router, when: {a: b}}
#                          ^^^^^^ error[non-text-condition]: the condition is a mapping, not a text
  - target: router
    when: !ready && done
#                   ^^^^ error[non-text-condition]: the condition is a tagged value, not a text
  - {target: router, when: yes}
",
        );
    }

    #[test]
    fn what_was_meant_is_written_in_quotes() {
        check("when: {{ status == 'ok' }}", "when: \"status == 'ok'\"");
        check("when: !(status == 'ok')", "when: \"!(status == 'ok')\"");
        check("when:\n      status: ok", "when:\n      \"status == 'ok'\"");
        check("when: {count: 3}", "when: \"count == 3\"");
    }

    fn check(written: &str, fixed: &str) {
        let of = |condition: &str| {
            format!("kind: Node\nname: router\nfunc: r.route\nnodes:\n  - target: router\n    {condition}\n")
        };
        check_fix("non-text-condition", &of(written), &of(fixed));
    }
}
