//! ## What it does
//!
//! Reports a document that is a list or a single value instead of a mapping.
//!
//! ## Why it matters
//!
//! A declaration is a mapping with `kind`; the loader rejects every other document.
//!
//! ## Example
//!
//! ```yaml expect=non-mapping-document
//! - kind: Node
//!   name: notify
//!   func: desk.notify
//! ---
//! kind: Node
//! name: close
//! func: desk.close
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! ---
//! kind: Node
//! name: close
//! func: desk.close
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::facts::DocumentRole;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "non-mapping-document",
    former: &["not-a-mapping"],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.not_a_mapping),
        severity: Severity::Error,
        absence: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for document in context.documents() {
        if let DocumentRole::NotAMapping(found) = &document.role {
            report.push(
                Finding::new(
                    ranges::first_line(context, document.head),
                    format!("the document is {found}, not a mapping"),
                )
                .label("no declaration begins here")
                .help("write one declaration a document, with `---` between them"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn lists_and_texts() {
        check_rule(
            "non-mapping-document",
            r"
- kind: LLMNode
^^^^^^^^^^^^^^^ error[non-mapping-document]: the document is a list, not a mapping
  name: a
---
just a text
^^^^^^^^^^^ error[non-mapping-document]: the document is a text, not a mapping
---
---
kind: Node
name: n
func: f.n
",
        );
    }
}
