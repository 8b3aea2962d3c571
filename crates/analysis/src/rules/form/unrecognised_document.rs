//! ## What it does
//!
//! Reports a document in a file of a chosen system that is none of the system's.
//!
//! ## Why it matters
//!
//! You said whose file it is, in `nodewise.toml` or with `--dialect`. Nothing of the document is checked, since none of
//! the system's keys is in it.
//!
//! ## Example
//!
//! A file that `--dialect cycgraph` names:
//!
//! ```yaml dialect=cycgraph expect=unrecognised-document
//! title: something
//! steps: []
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: router}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, Ownership, Reason};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;
use crate::rules::wording::listed;

pub(crate) static RULE: Rule = Rule {
    id: "unrecognised-document",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[],
};

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Error, absence: true, about_form: true, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    let Ownership::Ours(dialect) = context.file.ownership else { return };
    if !matches!(context.file.reason, Reason::Chosen) {
        return;
    }
    let kinds = dialect.kinds.iter().map(|kind| kind.name);
    for document in context.documents().filter(|document| matches!(document.role, DocumentRole::Shapeless)) {
        let at = ranges::first_line(context, document.head);
        report.push(
            Finding::new(at, format!("this is not a document of {}", dialect.title))
                .label("no key says what it declares")
                .help(format!(
                    "write the keys of a graph at the top level, such as `nodes` and `edges`; known are {}",
                    listed(kinds.clone())
                )),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::settings::{Pin, Settings};
    use crate::testing::check_rule_with;

    #[test]
    fn where_the_system_is_chosen() {
        let settings = Settings { dialect: Pin::Dialect("cycgraph"), ..Settings::default() };
        check_rule_with(
            "unrecognised-document",
            &settings,
            r"
title: something
^^^^^ error[unrecognised-document]: this is not a document of cycgraph
steps: []
",
        );
    }
}
