//! What `unwritten-path` finds in AgentOS.

use nodewise_dialect::tables::agentos::{ARTIFACTS, SCRATCH};
use nodewise_expr::ast::Path;

use crate::diagnostic::{Finding, Severity};
use crate::graphs::State;
use crate::rule::{Context, Needs, Report, RulePart};
use crate::rules::agentos::routing::{Expressions, RoutingExpression};
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("agentos:I47"),
    severity: Severity::Warning,
    needs: Needs::Nodes,
    check,
    ..RulePart::DEFAULT
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::new(context);
    for (graph, facts) in context.whole_graphs() {
        let state = State::new(graph, facts);
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
