//! What is wrong with a rule of a project, beside what departs from the table.
//!
//! Input: the rule. Output: problems, each with its place and what to write. Invariant: a rule with a problem is not applied.

use nodewise_dialect::tables::rule::{PATTERN_MAX, PROPERTIES, keys};
use nodewise_model::Origin;
use nodewise_model::project_rule::{PartPattern, PathEnd, ProjectRule, RuleSubject};

use super::names::is_rule_name;
use super::wording::{Piece, known, pieces};
use crate::suggest::nearest;

/// A name in a message is cut after this many characters.
const NAME_SHOWN_MAX: usize = 30;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleProblem {
    pub at: Origin,
    /// The message of the finding.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

/// The reasons why a rule cannot be applied; none if it can.
pub fn problems(rule: &ProjectRule) -> impl Iterator<Item = RuleProblem> {
    let name = rule.id.as_ref().filter(|id| !is_rule_name(&id.value)).map(|id| {
        let message = format!(
            "`{}` cannot be the name of a rule",
            id.value.chars().take(NAME_SHOWN_MAX).collect::<String>()
        );
        let help = "write small letters, digits and `-`, for example `approval-before-payment`";
        RuleProblem { at: id.at, message, help: help.to_owned() }
    });
    name.into_iter().chain(subjects(rule)).chain(size(rule)).chain(placeholders(rule))
}

fn subjects(rule: &ProjectRule) -> Vec<RuleProblem> {
    let Some(first) = rule.subjects.first() else {
        let message = "the rule looks at nothing".to_owned();
        let help = "add `node`, `agent`, `graph` or `path`".to_owned();
        let at = rule.id.as_ref().map_or(rule.head, |id| id.at);
        return vec![RuleProblem { at, message, help }];
    };
    let mut found = Vec::new();
    if let Some(second) = rule.subjects.get(1) {
        let message = "a rule looks at one thing, and this is another one".to_owned();
        found.push(RuleProblem { at: second.at, message, help: "write a second rule for it".to_owned() });
    }
    if let (RuleSubject::Paths(_), Some(must)) = (&first.value, &rule.must) {
        let message = "`must` means nothing beside `path`".to_owned();
        let help = "write in `without` which nodes make the path allowed".to_owned();
        found.push(RuleProblem { at: must.at, message, help });
    }
    found
}

fn size(rule: &ProjectRule) -> Option<RuleProblem> {
    let of_end = |end: &PathEnd| match end {
        PathEnd::Node(pattern) => pattern.size(),
        PathEnd::Start | PathEnd::End => 0,
    };
    let of_subject = |subject: &RuleSubject| match subject {
        RuleSubject::Parts(_, pattern) => pattern.size(),
        RuleSubject::Paths(path) => {
            let ends = path.from.iter().chain(&path.to).map(|end| of_end(&end.value));
            ends.sum::<usize>() + path.without.as_ref().map_or(0, PartPattern::size)
        }
    };
    let subjects: usize = rule.subjects.iter().map(|subject| of_subject(&subject.value)).sum();
    let size = subjects + rule.must.as_ref().map_or(0, |must| must.value.size());
    (size > PATTERN_MAX).then(|| RuleProblem {
        at: rule.id.as_ref().map_or(rule.head, |id| id.at),
        message: format!("the rule has {size} patterns and tests, more than {PATTERN_MAX}"),
        help: "write several rules".to_owned(),
    })
}

fn placeholders(rule: &ProjectRule) -> Vec<RuleProblem> {
    let Some(subject) = rule.subjects.first() else { return Vec::new() };
    let own = known(&subject.value);
    let has_properties = matches!(subject.value, RuleSubject::Parts(..));
    let properties = || PROPERTIES.iter().map(|(key, _)| *key).filter(|_| has_properties);
    let texts = rule.message.iter().chain(&rule.help);
    let names = texts.flat_map(|text| pieces(&text.value).map(|piece| (piece, text.at)));
    let unknown = names.filter_map(|(piece, at)| match piece {
        Piece::Name(name) if !own.contains(&name) && !properties().any(|known| known == name) => {
            Some((name, at))
        }
        Piece::Name(_) | Piece::Text(_) => None,
    });
    let problem = |(name, at)| {
        let near = nearest(name, own.iter().copied().chain(properties()));
        let all: Vec<String> = own.iter().map(|known| format!("`{{{known}}}`")).collect();
        let help = match near {
            Some(near) => format!("write `{{{near}}}`"),
            None if has_properties => format!("write {}, or a property in braces", all.join(", ")),
            None => format!("write {}", all.join(", ")),
        };
        let is_elsewhere = keys::PLACEHOLDERS.contains(&name);
        let message = match is_elsewhere {
            true => format!("`{{{name}}}` stands for nothing in a rule about this"),
            false => format!("`{{{name}}}` stands for nothing"),
        };
        RuleProblem { at, message, help }
    };
    unknown.map(problem).collect()
}
