//! ## What it does
//!
//! Reports a path in a routing expression of AgentOS that the graph's `stateSchema` does not declare, where the
//! part of the state, or the mapping on the path, lists its keys. It is silent about keys that a node certainly
//! leaves there, and where a schema leaves the keys open (`additionalProperties`, `anyOf`, `$ref`).
//!
//! ## Why it matters
//!
//! What is not there is undefined: every comparison with it fails, and as a condition it is false. A misspelt key
//! thus decides every run in the same way. The runtime does not look at the schema.
//!
//! ## Example
//!
//! ```yaml expect=undeclared-path
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: extension
//!     executorConfig: {type: extension, extensionId: scorer, method: score}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: scratch.scroe > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {type: object, properties: {score: {type: number}}}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: extension
//!     executorConfig: {type: extension, extensionId: scorer, method: score}
//!     executionMode: single_turn
//!     effectClass: external
//!     checkpoint: none
//!   - id: keep
//!     type: tool
//!     executorConfig: {type: tool, toolName: keep}
//!     executionMode: single_turn
//!     effectClass: write
//!     checkpoint: none
//! edges:
//!   - {id: e1, source: __START__, target: rate, type: static}
//!   - id: e2
//!     source: rate
//!     target: keep
//!     type: conditional
//!     condition: {type: expression, expr: scratch.score > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {type: object, properties: {score: {type: number}}}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```

use nodewise_expr::ast::Path;
use nodewise_model::graph::Partition;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::State;
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::agentos::routing::{Expressions, RoutingExpression};
use crate::rules::wording::short;
use crate::schema::SchemaMember;
use crate::suggest::nearest;

pub(crate) static RULE: Rule = Rule {
    id: "undeclared-path",
    former: &[],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    own: &[&RulePart { spec: Some("agentos:I44"), severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs().filter(|(graph, _)| graph.state.is_some()) {
        let state = State::new(graph, facts);
        for (_, expression) in expressions.deciding(graph) {
            for path in expression.read_paths() {
                let found = state.undeclared(&path);
                if let Some(finding) = found.and_then(|found| finding(expression, &path, found)) {
                    report.push(finding);
                }
            }
        }
    }
}

fn finding(
    expression: &RoutingExpression<'_>,
    path: &Path,
    (part, member): (&Partition, SchemaMember<'_>),
) -> Option<Finding> {
    let (position, listed) = match member {
        SchemaMember::Undeclared(position, properties) => (position, Some(properties)),
        SchemaMember::InPlain(position, _) => (position, None),
        SchemaMember::Declared(_) | SchemaMember::Open => return None,
    };
    let dotted = path.dotted();
    // The first segment is the part of the state.
    let segment = path.segments.get(position + 1)?;
    let place = expression.place(path.range());
    let finding = match member {
        SchemaMember::InPlain(_, word) => {
            let parent = path.segments.iter().take(position + 1).map(|segment| segment.name.as_str());
            let parent = parent.collect::<Vec<_>>().join(".");
            Finding::new(place, format!("`{}` is a {word} by its schema, without members", short(&parent)))
                .help("read the value itself; a text has no `length` here")
        }
        _ => Finding::new(place, format!("`{}` is not declared", short(&dotted))),
    };
    let finding = finding
        .label("undefined, unless something else writes it")
        .related(part.name.at, format!("`{}` lists its keys", short(&part.name.value)));
    let near = listed.and_then(|listed| nearest(&segment.name, listed.iter().map(|(name, _)| name.as_str())));
    Some(match near {
        Some(near) => {
            let help = finding.help(format!("write `{}`", short(near)));
            expression.replace(help, (segment.range, near))
        }
        None if listed.is_some() => finding.help("declare it under `properties`, or name a declared key"),
        None => finding,
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    fn graph(expression: &str) -> String {
        format!(
            r#"
id: g
name: g
nodes:
  - {{id: rate, type: extension, executorConfig: {{type: extension, extensionId: x, method: m}}}}
  - {{id: call, type: voice, executorConfig: {{type: voice, voiceConfig: {{mode: conversation}}}}}}
stateSchema:
  input: {{type: object, properties: {{user: {{properties: {{name: {{type: string}}}}}}, tags: {{type: array, items: {{properties: {{id: {{}}}}}}}}}}}}
  scratch: {{properties: {{score: {{}}, more: {{properties: {{a: {{}}}}, additionalProperties: true}}, any: {{$ref: x}}}}}}
  artifacts: {{properties: {{report: {{}}}}}}
edges:
  - id: a
    source: rate
    target: call
    type: conditional
    condition:
      type: expression
      expr: {expression}
"#
        )
    }

    #[test]
    fn keys_that_no_schema_lists() {
        check_rule(
            "undeclared-path",
            &graph(
                r#"scratch.scor > 1 && input.user.nam == 'x' && input.user.name.length > 1 && input.tags.0.name == 1
#           ^^^^^^^^^^^^ warning[undeclared-path]: `scratch.scor` is not declared
#                               ^^^^^^^^^^^^^^ warning[undeclared-path]: `input.user.nam` is not declared
#                                                        ^^^^^^^^^^^^^^^^^^^^^^ warning[undeclared-path]: `input.user.name` is a string by its schema, without members
#                                                                                      ^^^^^^^^^^^^^^^^^ warning[undeclared-path]: `input.tags.0.name` is not declared"#,
            ),
        );
    }

    #[test]
    fn what_is_declared_open_or_left_by_a_node() {
        for expression in [
            "scratch.score > 1 && scratch.more.b && scratch.any.thing && input.tags.length > 1",
            "input.tags.0.id == scratch.score.deep",
            "artifacts.rate.x && scratch.call.turnIndex > 1",
            "memory.traces.0.content == diagnostics.checkpointsSaved",
            "scratch && input",
        ] {
            check_rule("undeclared-path", &graph(expression));
        }
    }

    #[test]
    fn the_nearest_key_is_offered() {
        check_fix("undeclared-path", &graph("'scratch.scroe > 1'"), &graph("'scratch.score > 1'"));
    }
}
