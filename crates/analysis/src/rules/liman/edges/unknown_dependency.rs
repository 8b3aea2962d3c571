//! What `unknown-dependency` finds here. Reports an entry of `depends` that is the id of no edge of the same
//! node.

use std::cell::LazyCell;

use nodewise_model::{EdgeId, Located};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::names::misnamed_node::{count_names, is_misnamed};
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
        let depends = || node.edges.iter().flat_map(|edge| &edge.depends);
        if depends().next().is_none() {
            continue;
        }
        let mut ids: Vec<&str> =
            node.edges.iter().filter_map(|edge| Some(edge.id.as_ref()?.value.as_str())).collect();
        ids.sort_unstable();
        let counts = LazyCell::new(|| count_names(depends().map(|id| id.value.as_str())));
        for id in depends().filter(|id| ids.binary_search(&id.value.as_str()).is_err()) {
            let near = nearest(&id.value, ids.iter().copied());
            let misnamed = near.filter(|_| !context.file.settings.is_literal).and_then(|near| {
                let is_misnamed = is_misnamed(&counts, &id.value, near) && is_plain(&id.value);
                let mut own = node.edges.iter().filter_map(|edge| edge.id.as_ref());
                own.find(|own| is_misnamed && own.value == near)
            });
            // The edge's id must be fixed, so it is reported only once.
            report.push(match misnamed {
                Some(own) => misnamed_edge(own, id),
                None => unknown(id, near),
            });
        }
    }
}

fn misnamed_edge(own: &Located<EdgeId>, used: &Located<EdgeId>) -> Finding {
    let message = format!(
        "no edge waits for `{}`, and no edge of this node has the id `{}`",
        short(&own.value),
        short(&used.value)
    );
    Finding::new(own.at, message)
        .label("edges wait for another id")
        .help(format!("write `{}`", used.value))
        .related(used.at, "named like this here")
        .fix(format!("Replace it with `{}`", used.value), false, own.at, used.value.as_str())
}

fn unknown(id: &Located<EdgeId>, near: Option<&str>) -> Finding {
    let finding = Finding::new(id.at, format!("no edge of this node has the id `{}`", short(&id.value)))
        .label("the edge would wait for nothing");
    match near.filter(|near| is_plain(near)) {
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
    use crate::testing::{check_fix, check_rule};

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

    #[test]
    fn an_edge_that_others_name_differently_is_the_one_fault() {
        let node = |id: &str, marks: &str| {
            format!(
                "kind: Node\nname: first\nfunc: f.first\nnodes:\n  - {{target: first, when: a, id: {id}}}\n{marks}  - {{target: first, when: b, depends: close}}\n  - {{target: first, when: c, depends: close}}\n"
            )
        };
        let marks = "#                                ^^^^ error[unknown-dependency]: no edge waits for `clos`, and no edge of this node has the id `close`\n";
        check_rule("unknown-dependency", &node("clos", marks));
        check_fix("unknown-dependency", &node("clos", ""), &node("close", ""));
    }
}
