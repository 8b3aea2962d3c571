//! ## What it does
//!
//! Reports a value of another YAML type than its key takes: a number where a text belongs, a text where a
//! list belongs.
//!
//! ## Why it matters
//!
//! The loader rejects the declaration. In YAML 1.2 `42`, `true` and `1.5` are no texts, and `yes` and
//! `off` are.
//!
//! ## Example
//!
//! ```yaml expect=wrong-type
//! kind: LLMNode
//! name: 42
//! prompts: {system: {en: Hi}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: "42"
//! prompts: {system: {en: Hi}}
//! ```

use nodewise_dialect::bind::{Issue, IssueKind};
use nodewise_dialect::table::Type;

use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentRole, Ownership};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::form::meant_number;
use crate::rules::form::mistaken_form;
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "wrong-type",
    former: &[],
    category: Category::Correctness,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart {
        violation: Some(|violations| violations.wrong_type),
        severity: Severity::Error,
        about_form: true,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let class = context.violations().and_then(|violations| violations.wrong_type);
    for document in context.documents() {
        if let DocumentRole::BadKind(bad) = &document.role
            && let (found, at) = bad.as_ref()
            && let Ownership::Ours(dialect) = context.file.ownership
            && let Some(key) = dialect.discriminator()
        {
            report.push(
                Finding::new(*at, format!("`{key}` takes a word, not {found}"))
                    .help("write the name of a kind"),
            );
        }
        for mistake in &document.faults.mistakes {
            if let Some(finding) = mistaken_form::finding(context, mistake) {
                report.push(
                    finding.spec(mistake.field.violation.map_or(class, |violation| Some(violation.class))),
                );
            }
        }
        for issue in &document.faults.issues {
            if let IssueKind::WrongType(expected, found) = &issue.kind {
                report.push_violation(issue, class, finding(context, issue, expected, found));
            }
        }
    }
}

fn finding(context: &Context<'_>, issue: &Issue, expected: &str, found: &str) -> Finding {
    let key = issue.field.map_or(issue.shape.name, |field| field.key);
    let finding = Finding::new(issue.at, mistaken_form::fault(key, expected, found))
        .label("the loader rejects the declaration");
    let source = ranges::source(context, issue.at);
    let takes_text = matches!(
        issue.field.map(|field| field.ty),
        Some(Type::Text | Type::DeclaredName | Type::Reference(_) | Type::Symbol(..))
    );
    let takes_list = matches!(
        issue.field.map(|field| field.ty),
        Some(Type::List(Type::Reference(_) | Type::TextOr(..) | Type::Injection | Type::Symbol(..)))
    );
    if let Some(number) =
        issue.field.filter(|field| field.ty.takes_number()).and_then(|_| meant_number::of(source))
    {
        let is_time = source.ends_with(|unit: char| unit.is_ascii_alphabetic());
        let help = if is_time {
            format!("write milliseconds as a number: `{number}`")
        } else {
            format!("write the number `{number}`")
        };
        return finding.help(help).fix(format!("Write `{number}`"), false, issue.at, number);
    }
    let is_number = source.parse::<f64>().is_ok() || source == "true" || source == "false";
    // Inside brackets, these characters would end the value.
    let is_item = !source.is_empty() && !source.contains([',', '[', ']', '{', '}', '\n', '#', '*', '&']);
    if takes_text && is_number {
        finding.help("put it in quotes").fix("Put it in quotes", true, issue.at, format!("\"{source}\""))
    } else if takes_list && found == "a text" && is_item {
        finding.help("write a list").fix("Write a list", false, issue.at, format!("[{source}]"))
    } else {
        finding.help(match issue.field.filter(|_| found == "a text").and_then(|field| field.ty.example()) {
            Some(example) => format!("write a mapping: `{example}`"),
            None => match issue.field.map(|field| field.ty) {
                Some(Type::Word(words)) => {
                    let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.text)).collect();
                    format!("write one of {}", words.join(", "))
                }
                _ => format!("write {expected}"),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn values_of_all_kinds() {
        check_rule(
            "wrong-type",
            r"
kind: LLMNode
name: 42
#     ^^ error[wrong-type]: `name` takes a text, not a number
prompts: {system: {en: Hi}}
tools: get_weather
#      ^^^^^^^^^^^ error[wrong-type]: `tools` takes a list, not a text
nodes: [7]
#       ^ error[wrong-type]: `nodes` takes a name or a mapping, not a number
---
kind: ToolNode
name: get_weather
description: W
arguments: {city: string}
#          ^^^^^^^^^^^^^^ error[wrong-type]: `arguments` takes a list, not a mapping
func: w.get
---
kind: [Node]
#     ^^^^^^ error[wrong-type]: `kind` takes a word, not a list
",
        );
    }

    #[test]
    fn items_below_a_list_whose_key_is_missing() {
        let graph = |key: &str, marks: &str| {
            format!(
                "name: n\ndescription: d\nnodes:\n  - {{id: a, type: router}}\n  - {{id: b, type: router}}\n{key}  - source: a\n{marks}    target: b\n  - {{id: c, source: b, target: b}}\nstart_node: a\nend_nodes: [b]\n"
            )
        };
        let marks =
            "#   ^^^^^^ error[wrong-type]: this item and 1 below it belong in `edges`, not in `nodes`\n";
        check_rule("wrong-type", &graph("", marks));
        check_rule("missing-field", &graph("", ""));
        check_rule("unreachable-node", &graph("", ""));
        check_fix("wrong-type", &graph("", ""), &graph("edges:\n", ""));
        check_fix(
            "wrong-type",
            "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\ntools:\n- a\n- target: b\n  when: c\n",
            "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\ntools:\n- a\nnodes:\n- target: b\n  when: c\n",
        );
    }

    #[test]
    fn an_empty_value_is_reported_on_its_key() {
        check_rule(
            "wrong-type",
            r"
kind: LLMNode
name: a
prompts:
^^^^^^^ error[wrong-type]
",
        );
    }

    #[test]
    fn a_number_becomes_a_text() {
        check_fix(
            "wrong-type",
            r"
kind: LLMNode
name: 42
prompts: {system: {en: Hi}}
",
            r#"
kind: LLMNode
name: "42"
prompts: {system: {en: Hi}}
"#,
        );
    }

    #[test]
    fn a_name_becomes_a_list() {
        check_fix(
            "wrong-type",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: 'find it'
",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: ['find it']
",
        );
    }

    #[test]
    fn names_stand_alone_in_a_list() {
        check_tools("tools:\n  - name: find", "tools:\n  - find");
        check_tools("tools:\n  find:", "tools:\n  - find");
        check_tools("tools:\n  find:\n  look:", "tools:\n  - find\n  - look");
        check_tools("tools: [{find: }]", "tools: [find]");
        check_tools("nodes:\n  - find:", "nodes:\n  - find");
    }

    fn check_tools(written: &str, fixed: &str) {
        let of = |names: &str| format!("kind: LLMNode\nname: a\nprompts: {{system: {{en: Hi}}}}\n{names}\n");
        check_fix("wrong-type", &of(written), &of(fixed));
    }

    #[test]
    fn the_dash_of_a_mapping_of_texts_is_removed() {
        check_fix(
            "wrong-type",
            r"
kind: LLMNode
name: a
prompts:
  - system: Hi
",
            r"
kind: LLMNode
name: a
prompts:
  system: Hi
",
        );
    }

    #[test]
    fn a_number_of_older_yaml_is_written_out() {
        check_fix(
            "wrong-type",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, budget: {max_tokens: 20_000}}
edges: []
start_node: a
end_nodes: [a]
",
            r"
name: brief
description: Write a brief.
nodes:
  - {id: a, type: agent, agent_id: writer, budget: {max_tokens: 20000}}
edges: []
start_node: a
end_nodes: [a]
",
        );
    }
}
