//! Names that several documents use and none declares, where one declaration that nobody uses has nearly the same name.
//!
//! Input: the index; output: a finding at that declaration. Invariant: its users get no finding then, because one name is
//! wrong and not many.

use nodewise_model::{Located, NameScope, Reference};
use smol_str::SmolStr;

use crate::deferred::declared_names;
use crate::diagnostic::Finding;
use crate::facts::Ownership;
use crate::rule::{Context, Report};
use crate::rules::graph_findings;
use crate::rules::scenario::scripted::document_of;
use crate::rules::wording::short;

/// Whether a declaration is reported instead of the reference.
pub(in crate::rules) fn is_reported_instead(context: &Context<'_>, reference: &Reference) -> bool {
    !context.file.settings.is_literal
        && context.index.misnamed_declaration(&reference.name).is_some()
        && !is_provided(context, reference)
        && first_of_several(context, &reference.name).is_some()
}

/// Reports the declarations of the file whose names are probably wrong. `is_of`: the scopes of the rule.
pub(in crate::rules) fn check(
    context: &Context<'_>,
    is_of: impl Fn(&'static NameScope) -> bool,
    report: &mut Report,
) {
    if context.file.settings.is_literal {
        return;
    }
    for document in context.documents().filter(|document| !context.index.is_used(document.id)) {
        let effective = context.index.effective(document);
        let declaration = effective.and_then(|effective| effective.declaration.as_ref());
        for (_, _, name) in declaration.into_iter().flat_map(declared_names) {
            let meant = context.index.meant_name(document.id, &name.value);
            let Some((used, scope)) = meant.filter(|(_, scope)| is_of(scope)) else { continue };
            let first = first_of_several(context, used).filter(|first| !is_provided(context, first));
            if let Some(first) = first {
                report.push(finding(context, name, used, scope).related(first.at, "named like this here"));
            }
        }
    }
}

/// Whether a program provides what the reference names, so that no declaration is missing.
fn is_provided(context: &Context<'_>, reference: &Reference) -> bool {
    let Ownership::Ours(dialect) = context.file.ownership else { return false };
    let settings = &context.file.settings;
    settings.is_outside(dialect, reference)
        || settings.is_generated_tool(&reference.name)
        || context.index.is_registered(reference)
}

/// The first reference to a name, if documents refer to it in several places. Scripts and overlays do not count.
fn first_of_several<'a>(context: &Context<'a>, name: &str) -> Option<&'a Reference> {
    let documents = context.index.users(name).filter_map(|user| document_of(context, user));
    let effective = documents.filter_map(|document| context.index.effective(document));
    let references = effective.flat_map(|effective| effective.references());
    let mut references =
        references.filter(|reference| reference.name == name && !reference.scope.is_secondary);
    let first = references.next()?;
    references.any(|reference| reference.at != first.at).then_some(first)
}

fn finding(context: &Context<'_>, name: &Located<SmolStr>, used: &str, scope: &NameScope) -> Finding {
    let message =
        format!("nothing uses `{}`, and no {} is named `{}`", short(&name.value), scope.noun, short(used));
    let finding = Finding::new(name.at, message);
    let finding = finding.label("others use another name").help(format!("write `{}`", short(used)));
    graph_findings::replace(context, finding, name, used)
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_fix, check_rule};

    #[test]
    fn a_declaration_that_others_name_differently_is_the_one_fault() {
        let users = "#- /a.yaml\nkind: LLMNode\nname: a\nprompts: {system: {en: Hi}}\ntools: [find_customer]\n---\nkind: LLMNode\nname: b\nprompts: {system: {en: Hi}}\ntools: [find_customer]\n#- /t.yaml\n";
        check_rule(
            "unknown-tool",
            &format!(
                "{users}{}",
                r"kind: ToolNode
name: find_custmer
#     ^^^^^^^^^^^^ error[unknown-tool]: nothing uses `find_custmer`, and no tool is named `find_customer`
description: Find
func: tools.find
"
            ),
        );
        let tool = |name: &str| {
            format!("{users}kind: ToolNode\nname: {name}\ndescription: Find\nfunc: tools.find\n")
        };
        check_fix("unknown-tool", &tool("find_custmer"), &tool("find_customer"));
    }

    #[test]
    fn one_use_is_wrong_rather_than_the_declaration() {
        check_rule(
            "unknown-tool",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: [find_customer]
#       ^^^^^^^^^^^^^ error[unknown-tool]: no tool is named `find_customer`
---
kind: ToolNode
name: find_custmer
description: Find
func: tools.find
",
        );
    }

    #[test]
    fn a_tool_that_is_generated_is_no_misspelling() {
        check_rule(
            "unknown-tool",
            r"
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: [OpenAPI__find]
#       ^^^^^^^^^^^^^ hint[unknown-tool]: `OpenAPI__find` is not declared here; it may be generated
---
kind: LLMNode
name: b
prompts: {system: {en: Hi}}
tools: [OpenAPI__find]
#       ^^^^^^^^^^^^^ hint[unknown-tool]: `OpenAPI__find` is not declared here; it may be generated
---
kind: ToolNode
name: OpenAPI_find
description: Find
func: tools.find
",
        );
    }

    #[test]
    fn a_script_and_an_overlay_do_not_show_how_a_declaration_should_be_named() {
        check_rule(
            "unknown-graph",
            r"
#- /a.script.yaml
script: Answers.
file: main.yaml
graphs: {history: {nodes: {look: x}}}
#- /history.yaml
id: histori
name: h
description: ''
nodes: [{id: look, type: agent, agent_id: a}]
edges: []
start_node: look
end_nodes: [look]
#- /main.yaml
id: main
name: m
description: ''
nodes: [{id: child, type: subgraph, subgraph_config: {subgraph_id: history}}]
#                                                                  ^^^^^^^ warning[unknown-graph]: no graph has the id `history`
edges: []
start_node: child
end_nodes: [child]
",
        );
        check_rule(
            "unknown-tool",
            r"
#- /a.yaml
kind: Overlay
to: ToolNode/find_customer
strategy: merge
description: {de: Sucht}
#- /b.yaml
kind: LLMNode
name: a
prompts: {system: {en: Hi}}
tools: [find_customer]
#       ^^^^^^^^^^^^^ error[unknown-tool]: no tool is named `find_customer`
#- /c.yaml
kind: ToolNode
name: find_custmer
description: Find
func: tools.find
",
        );
    }

    #[test]
    fn an_agent_that_graphs_name_differently_is_the_one_fault() {
        let graph = |id: &str| {
            format!(
                "#- /{id}.yaml\nid: {id}\nname: {id}\ndescription: ''\nnodes:\n  - {{id: write, type: agent, agent_id: clerk, write_keys: [text]}}\nedges: []\nstart_node: write\nend_nodes: [write]\n"
            )
        };
        check_rule(
            "unknown-agent",
            &format!(
                "{}{}{}",
                graph("one"),
                graph("two"),
                r"#- /agents.yaml
id: clrk
#   ^^^^ warning[unknown-agent]: nothing uses `clrk`, and no agent is named `clerk`
name: Clerk
model: m
provider: openai
system_prompt: Hi
"
            ),
        );
    }
}
