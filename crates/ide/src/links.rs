//! Links in a file: the rules that a comment silences lead to their pages. In: a file of a snapshot; out: ranges with what
//! they lead to, in reading order. Invariant: each link leads to something that exists.

use nodewise_analysis::page;
use nodewise_analysis::rule::Rule;
use nodewise_analysis::rules::rule;
use nodewise_analysis::workspace::Snapshot;
use nodewise_model::SourceId;
use nodewise_syntax::{TextRange, TextSize};

/// A link.
#[derive(Debug, Clone)]
pub struct Link {
    /// The text that is the link.
    pub range: TextRange,
    /// What it leads to.
    pub target: LinkTarget,
    /// What the target is, in a sentence.
    pub tooltip: String,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy)]
pub enum LinkTarget {
    /// The page of a rule.
    Rule(&'static Rule),
}

/// The links of a file.
#[must_use]
pub fn links(snapshot: &Snapshot, source: SourceId) -> Vec<Link> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let comments = file.suppressions.comments.iter();
    comments.flat_map(|comment| rule_links(&file.text, comment.range)).collect()
}

/// The rules between the brackets of a comment.
fn rule_links(text: &str, comment: TextRange) -> Vec<Link> {
    let written = text.get(std::ops::Range::from(comment)).unwrap_or_default();
    let Some((before, behind)) = written.split_once('[') else { return Vec::new() };
    let Some((names, _)) = behind.split_once(']') else { return Vec::new() };
    let mut start = before.len() + 1;
    let mut links = Vec::new();
    for part in names.split(',') {
        let name = part.trim();
        if let Some(rule) = rule(name) {
            let lead = part.len() - part.trim_start().len();
            let at = comment.start() + TextSize::try_from(start + lead).unwrap_or_default();
            let range = TextRange::at(at, TextSize::of(name));
            links.push(Link { range, target: LinkTarget::Rule(rule), tooltip: page::summary(rule) });
        }
        start += part.len() + 1;
    }
    links
}

#[cfg(test)]
mod tests {
    use super::{LinkTarget, links};
    use crate::testing::project;

    /// Lists the links of a fixture: text, target, tooltip.
    fn check_links(fixture: &str, expected: &[&str]) {
        let (snapshot, _) = project(fixture);
        let mut found = Vec::new();
        for file in snapshot.files() {
            for link in links(&snapshot, file.source) {
                let LinkTarget::Rule(rule) = link.target;
                assert!(link.tooltip.ends_with('.') && link.tooltip.len() > 20, "{}", link.tooltip);
                found.push(format!("{} -> {}", &file.text[link.range], rule.id));
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn silenced_rules_lead_to_their_pages() {
        check_links(
            "kind: LLMNode # nodewise: ignore[ bad-ref,dead-end-node, no-such-rule ] because é\nname: a\n",
            &["bad-ref -> bad-ref", "dead-end-node -> dead-end-node"],
        );
        check_links(
            "# nodewise: ignore-file[bad-ref]\nid: g\nname: G\ndescription: ''\nnodes: []\n",
            &["bad-ref -> bad-ref"],
        );
        check_links("kind: LLMNode\n# nodewise: ignore\n# nodewise: ignore[bad-ref\nname: 'a[b]'\n", &[]);
    }
}
