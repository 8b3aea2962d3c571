//! What `unknown-dependency` finds here. Reports an entry of `depends` that is the id of no edge of the same
//! node.

use nodewise_model::{EdgeId, Located};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::wording::short;
use crate::suggest::nearest;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:edge-unknown-depends"),
    severity: Severity::Error,
    absence: true,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.nodes() {
        let mut depends = node.edges.iter().flat_map(|edge| &edge.depends).peekable();
        if depends.peek().is_none() {
            continue;
        }
        let mut ids: Vec<&str> =
            node.edges.iter().filter_map(|edge| Some(edge.id.as_ref()?.value.as_str())).collect();
        ids.sort_unstable();
        for id in depends.filter(|id| ids.binary_search(&id.value.as_str()).is_err()) {
            report.push(unknown(id, &ids));
        }
    }
}

fn unknown(id: &Located<EdgeId>, ids: &[&str]) -> Finding {
    let finding = Finding::new(id.at, format!("no edge of this node has the id `{}`", short(&id.value)))
        .label("the edge would wait for nothing");
    match nearest(&id.value, ids.iter().copied()).filter(|near| is_plain(near)) {
        Some(near) => finding.help(format!("write `{near}`")).fix(
            format!("Replace it with `{near}`"),
            false,
            id.at,
            near,
        ),
        None => finding.help("write the `id` of another edge of this node, or give one that `id`"),
    }
}

/// Whether the id can be written in YAML without quotes.
fn is_plain(id: &str) -> bool {
    id.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'_')
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn ids_of_other_nodes_do_not_count() {
        check_rule(
            "unknown-dependency",
            r#"
kind: Node
name: first
func: f.first
nodes:
  - {target: first, when: a, id: 2, depends: paid}
#                                            ^^^^ error[unknown-dependency]: no edge of this node has the id `paid`
  - {target: first, when: a, id: y, depends: ["2", y, 3]}
#                                                     ^ error[unknown-dependency]: no edge of this node has the id `3`
llm_nodes:
  - {target: talk, when: a, depends: [2, y]}
---
kind: Node
name: second
func: f.second
nodes:
  - {target: first, when: a, id: paid}
"#,
        );
    }
}
