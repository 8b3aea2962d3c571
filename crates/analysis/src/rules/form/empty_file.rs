//! ## What it does
//!
//! Reports a file without any document: nothing in it, or comments only. Where every other file belongs to
//! another system, an empty file is taken for one of theirs.
//!
//! ## Why it matters
//!
//! The loader reports such a file as an error, and continues without it.
//!
//! ## Example
//!
//! ```yaml expect=empty-file
//! # to be written
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! name: notify
//! func: desk.notify
//! ```

use nodewise_model::Origin;
use nodewise_syntax::{TextRange, TextSize};

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, FileFacts, Ownership};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "empty-file",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.empty_file),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let is_of_ours = || {
        let holds = context.index.holds();
        holds.ours || !holds.others
    };
    if is_empty(context.file) && is_of_ours() {
        let whole = TextRange::up_to(TextSize::of(&*context.file.text));
        let first_line = ranges::first_line(context, Origin::new(context.file.source, whole));
        report.push(
            Finding::new(first_line, "the file holds no document")
                .label("the loader expects a declaration")
                .help("declare something, or remove the file"),
        );
    }
}

fn is_empty(file: &FileFacts) -> bool {
    match file.ownership {
        Ownership::Empty => true,
        Ownership::Ours(_) => {
            file.documents.iter().all(|document| matches!(document.role, DocumentRole::Empty))
        }
        Ownership::NotOurs => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn beside_declarations() {
        check_rule(
            "empty-file",
            r"
#- /a.yaml
# to be written
^^^^^^^^^^^^^^^ warning[empty-file]: the file holds no document
#- /b.yaml
kind: Node
name: n
func: f.n
",
        );
    }

    #[test]
    fn beside_files_of_other_systems() {
        check_rule(
            "empty-file",
            r"
#- /a.yaml
# to be written
#- /b.yaml
apiVersion: v1
",
        );
    }
}
