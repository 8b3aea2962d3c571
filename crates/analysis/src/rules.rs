//! The registry: every rule, sorted by id, with the systems whose files it searches.
//!
//! A rule of several systems is in the folder of its theme; a rule of one system is in the folder of that system, by theme.
//! A system can also add a *part* to a shared rule: how it finds that rule's pattern in its own files. Invariant: a rule
//! is its file and its two lines in its theme; nothing else names it.

mod agentos;
mod comments;
mod cycgraph;
mod edges;
mod expressions;
mod first_places;
mod form;
mod graph_findings;
mod liman;
mod list_fixes;
mod named;
mod names;
mod project_rule;
mod ranges;
mod scenario;
mod security;
mod state;
mod wording;

use std::sync::LazyLock;

use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::{self, DIALECTS};
use nodewise_model::for_each_system;
use nodewise_model::registry::Registry;
use nodewise_platform::sorting::Sorting;

use crate::diagnostic::Severity;
use crate::facts::{FileFacts, Ownership};
use crate::rule::{RegisteredPart, Rule, RulePart};
pub use comments::outdated_rule_id::ID as OUTDATED_RULE_ID;
pub(crate) use comments::unused_suppression::{ENTRY as UNUSED_SUPPRESSION, finding as unused_comment};
pub use named::{RuleSelector, current, renamed, renamed_note};

/// A group of rules about one topic.
#[derive(Debug)]
pub struct Theme {
    /// The rules. Each includes its checks for the systems of the theme.
    pub rules: &'static [&'static Rule],
    /// Checks that are added to shared rules.
    pub parts: &'static [(&'static Rule, &'static RulePart)],
}

#[derive(Debug)]
pub struct SystemRules {
    /// The dialect of its files.
    pub dialect: &'static Dialect,
    /// The rules for this system, by theme.
    pub themes: &'static [&'static Theme],
    /// The pages of the rules, by rule id. Only for systems that are not part of the product: the build collects the other
    /// pages from the rules' files.
    pub pages: &'static [(&'static str, &'static str)],
}

/// The shared rules to which a system outside this crate can add a check.
pub mod shared {
    pub use super::edges::unreachable_node::RULE as UNREACHABLE_NODE;
    pub use super::expressions::invalid_expression::RULE as INVALID_EXPRESSION;
    pub use super::names::duplicate_node_id::RULE as DUPLICATE_NODE_ID;
    pub use super::names::unknown_node::RULE as UNKNOWN_NODE;
}

/// The rules that every system shares.
const SHARED: &[&Theme] = &[
    &form::THEME,
    &comments::THEME,
    &names::THEME,
    &edges::THEME,
    &expressions::THEME,
    &security::THEME,
    &state::THEME,
];

macro_rules! rules {
    ($($system:ident $dialect:ident),*) => { &[$(&$system::RULES,)* &scenario::RULES, &project_rule::RULES] };
}

/// The rules of each system.
pub static SYSTEMS: Registry<SystemRules> = Registry::new(for_each_system!(rules));

/// Every rule, sorted by id.
pub static RULES: LazyLock<Vec<&'static Rule>> = LazyLock::new(|| {
    let of_systems = SYSTEMS.iter().flat_map(|system| system.themes);
    let mut rules: Vec<_> = SHARED.iter().chain(of_systems).flat_map(|theme| theme.rules).copied().collect();
    rules.sort_unstable_by_key(|rule| rule.id);
    rules
});

/// Every check of every rule, sorted by rule id.
pub(crate) static ENTRIES: LazyLock<Vec<RegisteredPart>> = LazyLock::new(|| {
    let shared = SHARED.iter().flat_map(|theme| entries(theme, None));
    let of_systems = SYSTEMS.iter().flat_map(|system| {
        let dialect = Some(system.dialect.id);
        system.themes.iter().flat_map(move |theme| entries(theme, dialect))
    });
    let mut all: Vec<RegisteredPart> = shared.chain(of_systems).collect();
    all.arrange_by_key(|entry| entry.rule.id);
    all
});

/// The checks that apply to a file, in the same order. For a file that belongs to no system, only the checks for broken
/// text.
pub(crate) fn concerning(file: &FileFacts) -> &'static [&'static RegisteredPart] {
    static ALL: LazyLock<Vec<&RegisteredPart>> = LazyLock::new(|| ENTRIES.iter().collect());
    static ABOUT_SYNTAX: LazyLock<Vec<&RegisteredPart>> =
        LazyLock::new(|| ENTRIES.iter().filter(|entry| entry.part.about_syntax).collect());
    static BY_DIALECT: LazyLock<Vec<Vec<&RegisteredPart>>> = LazyLock::new(|| {
        let of = |dialect: &Dialect| ENTRIES.iter().filter(|entry| entry.judges(dialect.id)).collect();
        DIALECTS.iter().map(|dialect| of(dialect)).collect()
    });
    match file.ownership {
        Ownership::Ours(dialect) => {
            let position = tables::position(dialect);
            position.and_then(|position| BY_DIALECT.get(position)).map(Vec::as_slice).unwrap_or_default()
        }
        Ownership::Empty => &ALL,
        Ownership::NotOurs => &ABOUT_SYNTAX,
    }
}

fn entries(theme: &'static Theme, dialect: Option<&'static str>) -> impl Iterator<Item = RegisteredPart> {
    let own = theme.rules.iter().flat_map(|rule| rule.own.iter().map(|part| (*rule, *part)));
    own.chain(theme.parts.iter().copied()).map(move |(rule, part)| RegisteredPart { rule, part, dialect })
}

impl Rule {
    /// All checks of the rule, for all systems.
    pub fn parts(&self) -> impl Iterator<Item = &'static RegisteredPart> + use<> {
        let start = ENTRIES.partition_point(|entry| entry.rule.id < self.id);
        let id = self.id;
        ENTRIES.iter().skip(start).take_while(move |entry| entry.rule.id == id)
    }

    /// The highest severity of the rule in any system.
    #[must_use]
    pub fn severest(&self) -> Severity {
        self.parts().map(|entry| entry.part.severity).min().unwrap_or(Severity::Hint)
    }

    /// Whether the rule checks files of the dialect.
    #[must_use]
    pub fn judges(&self, dialect: &str) -> bool {
        self.parts().any(|entry| entry.judges(dialect))
    }

    /// The ids of the dialects whose files the rule checks.
    pub fn dialects(&self) -> impl Iterator<Item = &'static str> {
        DIALECTS.iter().map(|dialect| dialect.id).filter(|id| self.judges(id))
    }
}

/// Whether a comment can silence the rule. The rule about unused suppressions cannot be silenced, because it runs after all
/// comments have been evaluated.
#[must_use]
pub fn can_be_silenced(rule: &str) -> bool {
    rule != UNUSED_SUPPRESSION.rule.id
}

/// Former rules that no longer exist. A configuration may still name them, without effect.
pub const REMOVED: &[&str] = &["explicit-checkpoints", "graph-id-not-uuid", "single-attempt"];

/// The rule with an id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    let position = RULES.binary_search_by_key(&id, |rule| rule.id).ok()?;
    RULES.get(position).copied()
}

#[cfg(test)]
mod tests {
    use crate::check;
    use crate::diagnostic::Severity;
    use crate::page::{self, HEADINGS};
    use crate::settings::Settings;
    use crate::testing::project;
    use nodewise_syntax::edit::{TextEdit, apply_edits};
    use nodewise_test_support::Fixture;

    use super::RULES;

    #[test]
    fn every_page_has_the_headings_in_order() {
        for rule in RULES.iter() {
            let page = page::page(rule);
            let found: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            let without_options: Vec<&str> =
                HEADINGS.iter().copied().filter(|heading| *heading != "Options").collect();
            assert!(found == HEADINGS || found == without_options, "{}: {found:?}", rule.id);
        }
    }

    #[test]
    fn the_examples_of_every_page_are_true() {
        for rule in RULES.iter() {
            let examples = page::examples(rule);
            assert!(examples.len() >= 2, "{}: an example and its counterpart are missing", rule.id);
            for example in examples {
                let settings = example.settings();
                let files = project(&Fixture::parse(&example.text), &settings);
                let diagnostics = check::check(&files);
                match &example.expects {
                    Some(id) => assert!(
                        diagnostics.iter().any(|one| one.rule == id),
                        "{}: the example does not show {id}: {diagnostics:#?}",
                        rule.id
                    ),
                    None => assert!(
                        diagnostics.iter().all(|one| one.severity == Severity::Hint && one.rule != rule.id),
                        "{}: the counterpart is not clean: {diagnostics:#?}",
                        rule.id
                    ),
                }
            }
        }
    }

    #[test]
    fn project_rules_have_names_of_their_own() {
        let prefix = nodewise_dialect::tables::rule::PREFIX;
        assert!(RULES.iter().all(|rule| !rule.id.starts_with(prefix)));
    }

    /// The number of findings of a rule in a text, and the text after the first fix of one of them.
    fn findings_and_fixed(rule: &str, text: &str, settings: &Settings) -> (usize, Option<String>) {
        let files = project(&Fixture::parse(text), settings);
        let diagnostics = check::check(&files);
        let found: Vec<_> = diagnostics.iter().filter(|one| one.rule == rule).collect();
        let fix = found.iter().find_map(|one| one.finding.fixes.first());
        let fixed = fix.map(|fix| {
            let edits =
                fix.edits.iter().map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() });
            let source = &files.get(fix.edits[0].at.source).unwrap().text;
            apply_edits(source, &mut edits.collect::<Vec<_>>()).unwrap()
        });
        (found.len(), fixed)
    }

    #[test]
    fn the_fixes_of_every_example_work() {
        for rule in RULES.iter() {
            let examples = page::examples(rule);
            let one_file = examples.iter().filter(|one| one.expects.is_some() && !one.text.contains("#- "));
            for example in one_file {
                let settings = example.settings();
                let (before, fixed) = findings_and_fixed(rule.id, &example.text, &settings);
                let Some(fixed) = fixed else { continue };
                let (after, _) = findings_and_fixed(rule.id, &fixed, &settings);
                assert!(after < before, "{}: still found in {fixed}", rule.id);
                let (broken, _) = findings_and_fixed("invalid-yaml", &fixed, &settings);
                assert_eq!(broken, 0, "{}: not YAML: {fixed}", rule.id);
            }
        }
    }
}
