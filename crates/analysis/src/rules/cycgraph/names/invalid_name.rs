//! What `invalid-name` finds in cycgraph.

use nodewise_dialect::bind::IssueKind;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::ranges;
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.violations().and_then(|violations| violations.out_of_range);
    for issue in context.documents().flat_map(|document| &document.faults.issues) {
        let IssueKind::NotASlug(text) = &issue.kind else { continue };
        let message = match text.is_empty() {
            true => "a name has at least one character".to_owned(),
            false => format!("`{}` is no name: it has other characters", short(text)),
        };
        let finding = Finding::new(issue.at, message)
            .spec(class)
            .label("the loader rejects the document")
            .help("write letters, digits, `-` and `_` only");
        let repaired: String =
            text.chars().map(|letter| if is_allowed(letter) { letter } else { '_' }).collect();
        report.push(match ranges::part(context, issue.at, text).filter(|_| ranges::is_word(&repaired)) {
            Some(at) => finding.fix(format!("Write `{}`", short(&repaired)), false, at, repaired),
            None => finding,
        });
    }
}

fn is_allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-' || letter == '_'
}

#[cfg(test)]
mod tests {
    use crate::testing::check_fix;

    #[test]
    fn other_characters_become_underscores() {
        check_fix(
            "invalid-name",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: tool, tool_id: x, tools: ['two words']}
edges: []
start_node: a
end_nodes: [b]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: tool, tool_id: x, tools: ['two_words']}
edges: []
start_node: a
end_nodes: [b]
",
        );
    }
}
