//! ## What it does
//!
//! Reports scripted answers that do not fit what is declared for them: the fields of a structured answer, the arguments of a
//! tool that a model calls, the schema of a node's output.
//!
//! ## Why it matters
//!
//! A model that keeps to its schema never gives such an answer, so the scenario shows a run that you will not see. In the release of
//! Liman, a node whose structured answer is no mapping fails.
//!
//! ## Example
//!
//! ```yaml expect=mismatched-answer
//! #- /invoices.yaml
//! kind: LLMNode
//! name: extract
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   seller: str
//!   total: float
//! #- /invoices.scenario.yaml
//! scenario: An invoice is read.
//! file: invoices.yaml
//! start: extract
//! nodes: {extract: Acme wants 12.50}
//! expect: {status: completed}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /invoices.yaml
//! kind: LLMNode
//! name: extract
//! prompts: {system: {en: Extract the fields.}}
//! structured_output:
//!   seller: str
//!   total: float
//! #- /invoices.scenario.yaml
//! scenario: An invoice is read.
//! file: invoices.yaml
//! start: extract
//! nodes: {extract: {value: {seller: Acme, total: 12.5}}}
//! expect: {status: completed}
//! ```

use nodewise_expr::json::parse_json;
use nodewise_expr::value::Value;
use nodewise_model::Origin;
use nodewise_model::answer_schema::of_fields;
use nodewise_model::scenario::{AnswerPart, Respondent, Scenario, ScriptedAnswer};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::scenario::answer_schema::{
    alternatives, example, has_structured_answers, node_of_project, of_output, of_tool,
};
use crate::rules::scenario::scripted::{Stage, scenarios};
use crate::rules::wording::short;
use crate::schema::violation::{in_words, violation};

pub(crate) static RULE: Rule = Rule {
    id: "mismatched-answer",
    former: &[],
    category: Category::Correctness,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (scenario, stage) in scenarios(context) {
        let Some(stage) = stage else { continue };
        let phases = scenario.phases.iter().flat_map(|phase| &phase.nodes);
        for part in scenario.answers.parts.iter().chain(phases) {
            for answer in part.answers.iter().flat_map(alternatives) {
                // If an answer has an error, only the error is given.
                if answer.error.is_some() {
                    continue;
                }
                match stage.is_agent {
                    true => structured(context, scenario, part, answer, report),
                    false => output(&stage, part, answer, report),
                }
                calls(context, &stage, answer, report);
            }
        }
    }
}

/// The value that is answered, and its place. A text that contains JSON counts as the JSON value.
fn answered(answer: &ScriptedAnswer) -> Option<(Value, Origin)> {
    if let Some(value) = &answer.value {
        return Some((value.value.clone(), value.at));
    }
    let said = |text: &str| parse_json(text).unwrap_or_else(|| Value::Text(text.into()));
    match (&answer.text, &answer.short) {
        (Some(text), _) => Some((said(&text.value), text.at)),
        (None, Some(Value::Text(text))) => Some((said(text), answer.at)),
        (None, Some(Value::Null)) | (None, None) => None,
        (None, Some(value)) => Some((value.clone(), answer.at)),
    }
}

/// Checks the answer of a model that must return fields.
fn structured(
    context: &Context<'_>,
    scenario: &Scenario,
    part: &AnswerPart,
    answer: &ScriptedAnswer,
    report: &mut Report,
) {
    let is_model = matches!(part.subject, Respondent::Node | Respondent::Agent);
    let Some(name) = part.name.as_ref().filter(|_| is_model && answer.calls.is_empty()) else { return };
    let Some((declaration, node)) = node_of_project(context, &name.value) else { return };
    if node.details.output.is_empty() || !has_structured_answers(context, scenario, declaration.kind) {
        return;
    }
    let Some((value, at)) = answered(answer) else { return };
    let schema = of_fields(&node.details.output);
    let name = short(&name.value);
    let place = "the fields of the answer are declared here";
    if !matches!(value, Value::Map(_)) {
        let finding = Finding::new(at, format!("`{name}` must answer with a mapping"))
            .label(format!("a model never answers so: {} has no fields", in_words(&value)))
            .related(declaration.head, place);
        let example = example(&schema).map(|example| format!("write `{{value: {example}}}`"));
        report.push(finding.help_if(example));
    } else if let Some(message) = violation(&schema, &value, "the answer") {
        let finding = Finding::new(at, message)
            .label(format!("a model never answers `{name}` so"))
            .related(declaration.head, place);
        report.push(finding.help_if(example(&schema).map(like)));
    }
}

/// Checks the result of a node whose output has a schema. Runs do not check this themselves.
fn output(stage: &Stage<'_>, part: &AnswerPart, answer: &ScriptedAnswer, report: &mut Report) {
    if !answer.calls.is_empty() || answer.result.is_some() || answer.patch.is_some() {
        return;
    }
    let Some((value, at)) = answered(answer) else { return };
    let schemas = of_output(stage, part);
    let fits = |schema: &Value| {
        // A text may be meant as it is or as the JSON in it, so either may fit.
        let as_text = answer.value.is_none().then(|| answer.text.as_ref().map(|text| text.value.clone()));
        let as_text = as_text.flatten().map(Value::Text).or_else(|| answer.short.clone());
        let found = violation(schema, &value, "the answer")?;
        match as_text {
            Some(text) => violation(schema, &text, "the answer").map(|_| found),
            None => Some(found),
        }
    };
    let found: Option<Vec<String>> = schemas.iter().map(|(_, schema)| fits(&schema.value)).collect();
    // With several nodes, the answer must fit only one of them.
    let (Some(found), Some((node, schema))) = (found, schemas.first()) else { return };
    let Some(message) = found.into_iter().next() else { return };
    let name = node.id.as_ref().map_or_else(|| "the node".to_owned(), |id| format!("`{}`", short(&id.value)));
    let finding = Finding::new(at, message)
        .label(format!("the schema of {name} does not allow this output"))
        .related(schema.at, "the schema is declared here");
    report.push(finding.help_if(example(&schema.value).map(like)));
}

/// Checks the arguments of tools that a model calls in the answer.
fn calls(context: &Context<'_>, stage: &Stage<'_>, answer: &ScriptedAnswer, report: &mut Report) {
    for call in &answer.calls {
        let Some((schema, declared_at)) = of_tool(context, stage, &call.tool.value) else { continue };
        let arguments = match &call.arguments {
            Value::Null | Value::Undefined => continue,
            arguments => arguments,
        };
        let Some(message) = violation(&schema, arguments, "the mapping of arguments") else { continue };
        let finding = Finding::new(call.tool.at, message)
            .label(format!("`{}` does not declare such arguments", short(&call.tool.value)))
            .related(declared_at, "the arguments are declared here");
        report.push(finding.help_if(example(&schema).map(like)));
    }
}

fn like(example: String) -> String {
    format!("write it like `{example}`")
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    const INVOICES: &str = "#- /invoices.yaml
kind: LLMNode
name: extract
prompts: {system: {en: Extract the fields.}}
structured_output:
  seller: str
  lines: [float]
  due?: int
  address: {city: str, zip: {type: str, optional: true}}
---
kind: LLMNode
name: chat
prompts: {system: {en: Chat.}}
tools: [pay]
---
kind: ToolNode
name: pay
description: {en: Pays.}
func: desk.pay
arguments:
  - {name: sum, type: number}
  - {name: note, type: string, optional: true}
";

    #[test]
    fn structured_answers() {
        check_rule(
            "mismatched-answer",
            &format!(
                "{INVOICES}{}",
                r#"#- /a.scenario.yaml
scenario: Answers of a model.
file: invoices.yaml
start: extract
nodes:
  extract:
    - Acme
#     ^^^^ warning[mismatched-answer]: `extract` must answer with a mapping
    - {value: [Acme]}
#             ^^^^^^ warning[mismatched-answer]: `extract` must answer with a mapping
    - {text: "12"}
#            ^^^^ warning[mismatched-answer]: `extract` must answer with a mapping
    - {value: {seller: Acme, lines: [1, 2.5], address: {city: Bonn}, more: 1}}
    - {value: {seller: Acme, lines: [], due: 3, address: {city: Bonn, zip: "1"}}}
    - '{"seller": "Acme", "lines": [], "address": {"city": "Bonn"}}'
    - {value: {lines: [], address: {city: Bonn}}}
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-answer]: `seller` is missing
    - {value: {seller: Acme, lines: [one], address: {city: Bonn}}}
#             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-answer]: `lines[0]` is a text, expected a number
    - {one_of: [{value: {seller: Acme, lines: [], due: 1.5, address: {city: Bonn}}, weight: 2}, {error: down}]}
#                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[mismatched-answer]: `due` is a number, expected an integer
    - {error: {class: Down, message: x}}
    - {after: 20}
  chat: Hello.
agents: {LLMNode/extract: {value: 3}}
#                                 ^ warning[mismatched-answer]: `LLMNode/extract` must answer with a mapping
---
scenario: The release without structured answers.
file: invoices.yaml
start: extract
host: {profile: 0.1.0}
nodes: {extract: Acme}
"#
            ),
        );
    }

    #[test]
    fn arguments_of_tools() {
        check_rule(
            "mismatched-answer",
            &format!(
                "{INVOICES}{}",
                r"#- /a.script.yaml
script: Calls of tools.
file: invoices.yaml
nodes:
  chat:
    - {calls: [{tool: pay, arguments: {sum: 3, note: x}}, {tool: other, arguments: {a: 1}}]}
    - {calls: [{tool: pay, arguments: {sum: three}}]}
#                     ^^^ warning[mismatched-answer]: `sum` is a text, expected a number
    - {calls: [{tool: pay, arguments: {sum: 3, note: x, amount: 2}}]}
#                     ^^^ warning[mismatched-answer]: `amount` is not declared
    - {calls: [{tool: pay, arguments: {note: x}}]}
#                     ^^^ warning[mismatched-answer]: `sum` is missing
"
            ),
        );
        check_rule(
            "mismatched-answer",
            r"
#- /b.yaml
manifest:
  name: b
  version: '1'
  requires:
    tools: [{name: look_up, input_schema: {type: object, properties: {id: {type: integer}}, required: [id]}}]
graph:
  id: g
  name: g
  description: ''
  nodes: [{id: a, type: agent, agent_id: clerk, tools: [look_up]}]
  edges: []
  start_node: a
  end_nodes: [a]
agents: []
graphs: []
#- /b.scenario.yaml
scenario: Calls of tools.
file: b.yaml
agents:
  clerk:
    - {calls: [{tool: look_up, arguments: {id: 3}}]}
    - {calls: [{tool: look_up, arguments: {id: P-3}}]}
#                     ^^^^^^^ warning[mismatched-answer]: `id` is a text, expected an integer
",
        );
    }

    #[test]
    fn outputs_of_nodes() {
        check_rule(
            "mismatched-answer",
            r#"
#- /r.yaml
id: r
name: r
nodes:
  - {id: score, type: tool, executorConfig: {type: tool, toolName: score, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none, outputSchema: {type: object, properties: {risk: {type: number, maximum: 1}}, required: [risk]}}
  - {id: again, type: tool, executorConfig: {type: tool, toolName: twice, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none, outputSchema: {type: string}}
  - {id: other, type: tool, executorConfig: {type: tool, toolName: twice, args: {}}, executionMode: single_turn, effectClass: read, checkpoint: none, outputSchema: {type: number}}
  - {id: judge, type: gmi, executorConfig: {type: gmi, instructions: Judge.}, executionMode: single_turn, effectClass: read, checkpoint: none, outputSchema: {type: object, properties: {ok: {type: boolean}}}}
edges: []
stateSchema: {input: {}, scratch: {}, artifacts: {}}
reducers: {}
checkpointPolicy: none
memoryConsistency: live
#- /r.scenario.yaml
scenario: Outputs.
file: r.yaml
nodes:
  score:
    - {value: {risk: 0.5}}
    - {value: {risk: 7}}
#             ^^^^^^^^^ warning[mismatched-answer]: `risk` is 7, expected at most 1
    - {result: {anything: 1}}
  judge: ['{"ok": true}', Fine.]
#                         ^^^^^ warning[mismatched-answer]: the answer is a text, expected a mapping
tools:
  score: {value: high}
#                ^^^^ warning[mismatched-answer]: the answer is a text, expected a mapping
  twice: [{value: a}, {value: 1}, {value: true}]
#                                         ^^^^ warning[mismatched-answer]: the answer is `true`, expected a text
"#,
        );
    }
}
