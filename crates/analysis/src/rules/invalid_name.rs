//! ## What it does
//!
//! Reports a name with characters that are not allowed at its place.
//!
//! In cycgraph, a name has at least one character, and each is a letter, a digit, `-` or `_`.
//!
//! In Liman, the name of a declaration is not empty, has no `/` and no `:`, and does not start or end with a
//! space.
//!
//! ## Why it matters
//!
//! In cycgraph, the loader rejects the document.
//!
//! In Liman, `Kind/name` and `Kind:name` cannot spell such a name. No reference or overlay reaches the
//! declaration, or only some of them do.
//!
//! ## Example
//!
//! In cycgraph:
//!
//! ```yaml expect=invalid-name
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, tools: [send mail], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! In Liman:
//!
//! ```yaml expect=invalid-name
//! kind: Node
//! name: desk/notify
//! func: desk.notify
//! ```
//!
//! ## Instead
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, tools: [send_mail], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! In Liman:
//!
//! ```yaml ok
//! kind: Node
//! name: desk_notify
//! func: desk.notify
//! ```

mod liman;

use nodewise_dialect::bind::IssueKind;

use super::place;
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};

pub(crate) static RULE: Rule = Rule {
    id: "invalid-name",
    former: &["bad-slug", "declaration-name"],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    spec: None,
    systems: &["cycgraph"],
    severity: Severity::Error,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[&liman::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.departures().and_then(|departures| departures.out_of_range);
    for issue in context.documents().flat_map(|document| &document.issues) {
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
        report.push(match place::part(context, issue.at, text).filter(|_| place::is_word(&repaired)) {
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
