//! Links in a file: rule ids in comments link to their pages, and file paths to their files. In: a file of a snapshot.
//! Out: ranges with their targets, in reading order. Invariant: the target of each link exists.

use nodewise_analysis::facts::{FileFacts, Ownership};
use nodewise_analysis::page;
use nodewise_analysis::rule::Rule;
use nodewise_analysis::rules::rule;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::KindRole;
use nodewise_model::SourceId;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{TextRange, TextSize};

use crate::names::{Entity, Occurrence, names};

#[derive(Debug, Clone)]
pub struct Link {
    /// The range of the link.
    pub range: TextRange,
    pub target: LinkTarget,
    /// A sentence about the target.
    pub tooltip: String,
}

#[derive(Debug, Clone, Copy)]
pub enum LinkTarget {
    /// The page of a rule.
    Rule(&'static Rule),
    /// A file of the project.
    File(SourceId),
}

/// The links of a file.
#[must_use]
pub fn links(snapshot: &Snapshot, source: SourceId) -> Vec<Link> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let comments = file.suppressions.comments.iter();
    let mut links: Vec<Link> = comments.flat_map(|comment| rule_links(&file.text, comment.range)).collect();
    if has_paths(file) {
        links.extend(names(snapshot, source).iter().filter_map(|one| file_link(snapshot, one)));
        links.arrange_by_key(|link| link.range.start());
    }
    links
}

/// Whether documents of the file refer to other files.
fn has_paths(file: &FileFacts) -> bool {
    matches!(file.ownership, Ownership::Ours(dialect) if dialect.kinds.iter().any(|kind| kind.role == KindRole::Scenario))
}

fn file_link(snapshot: &Snapshot, one: &Occurrence) -> Option<Link> {
    let Entity::File { path } = &one.entity else { return None };
    let target = LinkTarget::File(snapshot.source(path)?);
    Some(Link { range: one.at.range, target, tooltip: format!("The file {path}.") })
}

/// The rules in the brackets of a comment.
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
                let target = match link.target {
                    LinkTarget::Rule(rule) => rule.id,
                    LinkTarget::File(source) => &snapshot.file(source).unwrap().path,
                };
                assert!(link.tooltip.ends_with('.') && link.tooltip.len() > 10, "{}", link.tooltip);
                found.push(format!("{} -> {}", &file.text[link.range], target));
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn silenced_rules_lead_to_their_pages() {
        check_links(
            "kind: LLMNode # nodewise: ignore[ invalid-reference,dead-end-node, no-such-rule ] because é\nname: a\n",
            &["invalid-reference -> invalid-reference", "dead-end-node -> dead-end-node"],
        );
        check_links(
            "# nodewise: ignore-file[invalid-reference]\nid: g\nname: G\ndescription: ''\nnodes: []\n",
            &["invalid-reference -> invalid-reference"],
        );
        check_links(
            "kind: LLMNode\n# nodewise: ignore\n# nodewise: ignore[invalid-reference\nname: 'a[b]'\n",
            &[],
        );
    }

    #[test]
    fn paths_lead_to_files_that_are_there() {
        check_links(
            "
#- /t/a.scenario.yaml
# nodewise: ignore-file[invalid-reference]
scenario: A
uses: ['b.script.yaml', ../gone.script.yaml]
file: /flow.yaml
expect: {}
#- /t/b.script.yaml
script: B
file: ../flow.yaml
agents: {}
#- /flow.yaml
id: flow
nodes: [{id: ask, executorConfig: {type: tool, toolName: x}}]
edges: []
",
            &[
                "invalid-reference -> invalid-reference",
                "b.script.yaml -> t/b.script.yaml",
                "/flow.yaml -> flow.yaml",
                "../flow.yaml -> flow.yaml",
            ],
        );
    }
}
