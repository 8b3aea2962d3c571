//! ## What it does
//!
//! Reports a path in a condition that no node of the graph writes.
//!
//! In AgentOS, this is a `scratch` path in a routing expression. The rule is silent if the graph has an extension
//! node, whose keys no document shows.
//!
//! In cycgraph, this is a key of the memory that no input declares either. The rule is silent if the graph has a
//! node that may write every key.
//!
//! ## Why it matters
//!
//! In AgentOS, only extension nodes, `outputMapping` of subgraph nodes and voice nodes (under their id) write
//! `scratch`. Outputs of tools, models, people and guardrails are in `artifacts`, under the node's `outputAs` or
//! id. A path that no node writes is undefined, so the expression has the same result in every run.
//!
//! In cycgraph, the path finds nothing unless a run starts with the key. Comparisons then end in an error, or are
//! true for the wrong reason.
//!
//! ## Example
//!
//! In AgentOS:
//!
//! ```yaml expect=unwritten-path
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
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
//!     condition: {type: expression, expr: scratch.rate > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! In cycgraph:
//!
//! ```yaml expect=unwritten-path
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.don}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Instead
//!
//! In AgentOS:
//!
//! ```yaml ok
//! id: triage
//! name: triage
//! nodes:
//!   - id: rate
//!     type: tool
//!     executorConfig: {type: tool, toolName: rate}
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
//!     condition: {type: expression, expr: artifacts.rate > 0.5}
//!   - {id: e3, source: keep, target: __END__, type: static}
//! stateSchema:
//!   input: {}
//!   scratch: {}
//!   artifacts: {}
//! reducers: {}
//! checkpointPolicy: none
//! memoryConsistency: snapshot
//! ```
//!
//! In cycgraph:
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [done]}
//!   - {id: b, type: router}
//! edges:
//!   - {source: a, target: b, condition: {type: conditional, condition: memory.done}}
//!   - {source: a, target: b}
//! start_node: a
//! end_nodes: [b]
//! ```
//!
//! ## Options
//!
//! `[cycgraph.external] keys` in `nodewise.toml` lists keys that the program seeds runs with.

mod cycgraph;

use nodewise_dialect::tables::agentos::{ARTIFACTS, SCRATCH};
use nodewise_expr::ast::Path;

use super::routing::{Expressions, RoutingExpression};
use super::wording::short;
use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Needs, Report, Rule};
use crate::state::State;

pub(crate) static RULE: Rule = Rule {
    id: "unwritten-path",
    former: &["unwritten-condition-key"],
    category: Category::Dataflow,
    is_fixable: true,
    since: "0.1.0",
    spec: Some("agentos:I47"),
    systems: &["agentos"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nodes,
    also: &[&cycgraph::PART],
    check,
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, _) in context.flows() {
        let state = State::new(graph);
        for (_, expression) in expressions.deciding(graph) {
            for path in expression.read_paths() {
                let Some((part, names)) = path.segments.split_first() else { continue };
                if part.name == SCRATCH && !state.may_write_scratch(names) {
                    report.push(finding(expression, &path, &state));
                }
            }
        }
    }
}

fn finding(expression: &RoutingExpression<'_>, path: &Path, state: &State<'_>) -> Finding {
    let place = expression.place(path.range());
    let dotted = path.dotted();
    let finding =
        Finding::new(place, format!("no node writes `{}`", short(&dotted))).label("always undefined");
    let [part, key, ..] = path.segments.as_slice() else { return finding };
    if state.producers(&key.name).is_empty() {
        return finding.help("read `artifacts` for outputs of tools, models, people and guardrails");
    }
    let finding = finding.help(format!("outputs are artifacts: write `artifacts.{}`", short(&key.name)));
    expression.replace(finding, (part.range, ARTIFACTS))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    fn graph(node: &str, expression: &str) -> String {
        format!(
            r#"
id: g
name: g
nodes:
  - {{id: rate, type: tool, executorConfig: {{type: tool, toolName: t}}}}
{node}
stateSchema: {{input: {{}}, scratch: {{}}, artifacts: {{}}}}
edges:
  - id: a
    source: rate
    target: other
    type: conditional
    condition:
      type: expression
      expr: {expression}
"#
        )
    }

    const INNER: &str = "  - {id: other, type: subgraph, executorConfig: {type: subgraph, graphId: h, outputMapping: {text: note.text}}}";

    #[test]
    fn keys_that_no_node_writes() {
        check_rule(
            "unwritten-path",
            &graph(
                INNER,
                r#"scratch.note.text && scratch.n > 3 && artifacts.rate && scratch.rate.score > input.least
#                                ^^^^^^^^^ warning[unwritten-path]: no node writes `scratch.n`
#                                                                   ^^^^^^^^^^^^^^^^^^ warning[unwritten-path]: no node writes `scratch.rate.score`"#,
            ),
        );
    }

    #[test]
    fn extensions_voices_and_unfinished_nodes_may_write() {
        for node in [
            "  - {id: other, type: extension, executorConfig: {type: extension, extensionId: x, method: m}}",
            "  - {id: n, type: voice, executorConfig: {type: voice, voiceConfig: {mode: conversation}}}",
            "  - {id: other, type: ext}",
            "  - {id: other, type: subgraph, executorConfig: {type: subgraph, graphId: h, outputMapping: {text: }}}",
        ] {
            check_rule("unwritten-path", &graph(node, "scratch.n > 3 && scratch"));
        }
        check_rule("unwritten-path", &graph(INNER, "scratch._personaTraits.openness > 0.5"));
    }

    #[test]
    fn the_artifact_is_offered() {
        check_fix(
            "unwritten-path",
            &graph(INNER, "\"scratch.rate.score > 3 ? 'a' : 'b'\""),
            &graph(INNER, "\"artifacts.rate.score > 3 ? 'a' : 'b'\""),
        );
    }
}
