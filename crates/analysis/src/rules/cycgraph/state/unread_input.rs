//! ## What it does
//!
//! Reports an input of a graph that nothing in it reads: no node, no condition.
//!
//! ## Why it matters
//!
//! The caller of the graph must provide the key for nothing, or its reader misspells it.
//!
//! ## Example
//!
//! ```yaml expect=unread-input
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! name: brief
//! description: Write a brief.
//! inputs: {topic: {schema: {type: string}}}
//! nodes:
//!   - {id: a, type: agent, agent_id: writer, read_keys: [topic], write_keys: [brief]}
//! edges: []
//! start_node: a
//! end_nodes: [a]
//! ```

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::cycgraph::state::keys::{self, Expressions};
use crate::rules::wording::short;

pub(crate) static RULE: Rule = Rule {
    id: "unread-input",
    former: &[],
    category: Category::Dataflow,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let expressions = Expressions::of_file(context);
    for (graph, facts) in context.graphs_with_facts() {
        let Some(read) = keys::read_somewhere(graph, facts, &expressions) else { continue };
        for input in graph.inputs.iter().flatten().filter(|input| !read.contains(input.key.value.as_str())) {
            report.push(
                Finding::new(input.key.at, format!("nothing reads the input `{}`", short(&input.key.value)))
                    .label("providing it has no effect")
                    .help("add it to what some node reads, or remove it"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn conditions_read_too() {
        check_rule(
            "unread-input",
            r"
name: brief
description: Write a brief.
inputs: {topic: {schema: {}}, depth: {schema: {}}, lang: {schema: {}}}
#                                                  ^^^^ hint[unread-input]: nothing reads the input `lang`
nodes:
  - {id: a, type: agent, agent_id: writer, read_keys: [topic.name], write_keys: [x]}
edges:
  - {source: a, target: a, condition: {type: conditional, condition: depth of memory == 2}}
start_node: a
end_nodes: [b]
",
        );
    }
}
