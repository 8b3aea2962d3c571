//! ## What it does
//!
//! Reports what is no JSON in a file whose name ends in `.json`: comments, single quotes, keys without quotes, a comma
//! behind the last member, YAML.
//!
//! ## Why it matters
//!
//! Programs read such a file with a JSON parser, which refuses it as a whole.
//!
//! ## Example
//!
//! ```yaml expect=invalid-json
//! #- /graph.json
//! {"name": "brief", "description": "Write a brief.", // soon more
//!  "nodes": [{"id": "a", "type": "router"}], "edges": [], "start_node": "a", "end_nodes": ["a"]}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /graph.json
//! {"name": "brief", "description": "Write a brief.",
//!  "nodes": [{"id": "a", "type": "router"}], "edges": [], "start_node": "a", "end_nodes": ["a"]}
//! ```

use nodewise_model::Origin;
use nodewise_syntax::json::JsonViolationKind;
use nodewise_syntax::{NodeValue, json};

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::facts::Ownership;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "invalid-json",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        severity: Severity::Error,
        about_syntax: true,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let file = context.file;
    let is_judged = matches!(file.ownership, Ownership::Ours(_)) || file.must_parse();
    if !file.path.ends_with(".json") || !is_judged {
        return;
    }
    let at = |range| Origin::new(file.source, range);
    let is_block = |node: nodewise_syntax::SyntaxNode<'_>| match node.value() {
        NodeValue::Mapping(mapping) => !mapping.is_flow(),
        NodeValue::Sequence(sequence) => !sequence.is_flow(),
        _ => false,
    };
    let violations = json::violations(&file.text);
    let Some(first) = violations.first() else { return };
    if let Some(root) =
        file.tree().documents().find_map(|document| document.root()).filter(|root| is_block(*root))
    {
        let finding = Finding::new(ranges::first_line(context, at(root.range())), "this is YAML, not JSON");
        report.push(finding.label("the file's name ends in `.json`").help("rename the file to `.yaml`"));
        return;
    }
    let edit = |violation: &json::JsonViolation| Edit {
        at: at(violation.edit.range),
        text: violation.edit.text.clone(),
    };
    let mut finding = Finding::new(at(first.range), first.kind.message())
        .label("a JSON parser refuses the file here")
        .help(first.kind.help());
    // An ellipsis stands for text that only the author knows.
    if violations.iter().all(|violation| violation.kind != JsonViolationKind::Ellipsis) {
        finding.fixes.push(Fix {
            title: "Make it JSON".to_owned(),
            safe: false,
            edits: violations.iter().map(edit).collect(),
        });
    }
    report.push(finding);
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn the_first_violation_is_shown() {
        check_rule(
            "invalid-json",
            r#"
#- /graph.json
{"name": "n", "description": "d", "nodes": [], "edges": [],
 start_node: "a", 'end_nodes': ["a"],}
#^^^^^^^^^^ error[invalid-json]: JSON wants quotes around this
#- /graph.yaml
{"name": "n", "description": "d", "nodes": [], "edges": [], start_node: "a", 'end_nodes': ["a"],}
"#,
        );
    }

    #[test]
    fn all_violations_are_fixed_at_once() {
        check_fix(
            "invalid-json",
            r#"
#- /graph.json
{"name": "n", "description": "d", "nodes": [], "edges": [], start_node: "a", 'end_nodes': ["a"],}
"#,
            r#"
#- /graph.json
{"name": "n", "description": "d", "nodes": [], "edges": [], "start_node": "a", "end_nodes": ["a"]}
"#,
        );
    }
}
