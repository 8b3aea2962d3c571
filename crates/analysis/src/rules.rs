//! The registry: every rule, in the order of the reference. A new rule is its file and its two lines
//! here; nothing else names it.

mod missing_field;
mod unresolved_tool;
pub(crate) mod unused_suppression;
mod when_syntax;
mod yaml_syntax;

mod unresolved;

use crate::rule::Rule;

/// Every rule.
pub static RULES: &[&Rule] = &[
    &yaml_syntax::RULE,
    &missing_field::RULE,
    &unresolved_tool::RULE,
    &when_syntax::RULE,
    &unused_suppression::RULE,
];

/// The rule of that id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}

#[cfg(test)]
mod tests {
    use crate::check;
    use crate::diagnostic::Severity;
    use crate::page::{self, HEADINGS};
    use crate::settings::Settings;
    use crate::testing::project;
    use nodewise_test_support::Fixture;

    use super::RULES;

    #[test]
    fn every_page_has_the_headings_in_order() {
        for rule in RULES {
            let page = page::page(rule);
            let found: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            let without_options: Vec<&str> =
                HEADINGS.iter().copied().filter(|heading| *heading != "Options").collect();
            assert!(found == HEADINGS || found == without_options, "{}: {found:?}", rule.id);
        }
    }

    #[test]
    fn the_examples_of_every_page_are_true() {
        for rule in RULES {
            let examples = page::examples(rule);
            assert!(examples.len() >= 2, "{}: an example and its counterpart are missing", rule.id);
            for example in examples {
                let files = project(&Fixture::parse(&example.text), &Settings::default());
                let diagnostics = check::check(&files);
                match &example.expects {
                    Some(id) => assert!(
                        diagnostics.iter().any(|one| one.rule == id),
                        "{}: the example does not show {id}: {diagnostics:#?}",
                        rule.id
                    ),
                    None => assert!(
                        diagnostics.iter().all(|one| one.severity == Severity::Hint),
                        "{}: the counterpart is not clean: {diagnostics:#?}",
                        rule.id
                    ),
                }
            }
        }
    }
}
