//! The words by which users name rules: ids, ids that rules had before, categories.
//!
//! Input: a word. Output: what it names, or nothing. Invariant: a word names one thing.

use super::{RULES, rule};
use crate::project_rules::{GROUP, finding_id, is_project_rule, name_of};
use crate::rule::{Category, Rule};

/// What a word in the configuration or on the command line selects.
#[derive(Debug, Clone, Copy)]
pub enum RuleSelector {
    /// The rule with this id.
    Rule(&'static Rule),
    /// The rule that formerly had this id.
    Former(&'static Rule),
    /// All rules of a category.
    Category(Category),
    /// A project rule by the id of its findings, or all project rules by [`GROUP`]. Whether the rule exists depends on the
    /// project.
    Project(&'static str),
}

impl RuleSelector {
    /// Interprets a word; `None` if it selects nothing.
    #[must_use]
    pub fn of(word: &str) -> Option<RuleSelector> {
        let category = || Category::ALL.iter().find(|category| category.word() == word);
        let now = rule(word).map(RuleSelector::Rule);
        now.or_else(|| renamed(word).map(RuleSelector::Former))
            .or_else(|| category().copied().map(RuleSelector::Category))
            .or_else(|| (word == GROUP).then_some(RuleSelector::Project(GROUP)))
            .or_else(|| finding_id(name_of(word)?).map(RuleSelector::Project))
    }

    /// The current word for the selection.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            RuleSelector::Rule(rule) | RuleSelector::Former(rule) => rule.id,
            RuleSelector::Category(category) => category.word(),
            RuleSelector::Project(word) => word,
        }
    }

    /// Whether the selection includes the rule with an id.
    #[must_use]
    pub fn covers(self, id: &str) -> bool {
        match self {
            RuleSelector::Rule(rule) | RuleSelector::Former(rule) => rule.id == id,
            RuleSelector::Category(category) => rule(id).is_some_and(|rule| rule.category == category),
            RuleSelector::Project(word) => word == id || word == GROUP && is_project_rule(id),
        }
    }
}

/// The rule that formerly had an id.
#[must_use]
pub fn renamed(former: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.former.contains(&former)).copied()
}

/// The current id of a rule, given its current or a former id.
#[must_use]
pub fn current(id: &str) -> &str {
    renamed(id).map_or(id, |rule| rule.id)
}

/// The note for a user who writes a former id.
#[must_use]
pub fn renamed_note(former: &str, rule: &Rule) -> String {
    format!("`{former}` is now called `{}`", rule.id)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Category, RULES, RuleSelector};
    use crate::rules::REMOVED;

    #[test]
    fn a_word_names_one_thing() {
        let mut words = BTreeSet::new();
        let ids = RULES.iter().flat_map(|rule| std::iter::once(rule.id).chain(rule.former.iter().copied()));
        let categories = Category::ALL.iter().map(|category| category.word());
        for word in ids.chain(categories).chain([crate::project_rules::GROUP]).chain(REMOVED.iter().copied())
        {
            assert!(words.insert(word), "`{word}` names two things");
        }
    }

    #[test]
    fn former_ids_and_categories_name_rules() {
        let of = |word: &str| RuleSelector::of(word).map(RuleSelector::word);
        assert_eq!(of("duplicate-edge-id"), Some("duplicate-edge-id"));
        assert_eq!(of("edge-duplicate-id"), Some("duplicate-edge-id"));
        assert_eq!(of("style"), Some("style"));
        assert_eq!(of("no-such-rule"), None);
        assert!(RuleSelector::of("style").is_some_and(|named| named.covers("unused-suppression")));
        assert!(!RuleSelector::of("style").is_some_and(|named| named.covers("duplicate-edge-id")));
    }
}
