//! What `unguarded-effect` finds in Liman: in an LLMNode, and in LLMNodes that edges lead to one after the other. Functions
//! between may check what comes by, so the search ends there.

use std::collections::VecDeque;

use nodewise_model::{Body, Declaration, Located, Node, NodeKind, Origin, Reference};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

use crate::diagnostic::Severity;
use crate::index::Resolution;
use crate::rule::{Context, Report, RulePart};
use crate::rules::security::effects;
use crate::rules::wording::short;
use crate::settings::SecuritySettings;

pub(in crate::rules) static PART: RulePart =
    RulePart { severity: Severity::Hint, check, ..RulePart::DEFAULT };

/// The most nodes that a search visits.
const NODES_MAX: usize = 1_000;

/// A model node, with its name.
type ModelNode<'a> = (&'a Node, &'a Located<SmolStr>);

fn check(context: &Context<'_>, report: &mut Report) {
    for declaration in context.declarations() {
        let Some((node, name)) = model_node(declaration) else { continue };
        let Some(source) = tool_call(node, |tool| security(context).brings_in(tool)) else { continue };
        let Some((path, effect)) = path(context, (node, name)) else { continue };
        let Some(last) = path.last() else { continue };
        let shown = |name: &SmolStr| format!("`{}`", short(name));
        let mut steps: Vec<(Origin, String)> = path
            .iter()
            .map(|name| (name.at, format!("the run continues at {}", shown(&name.value))))
            .collect();
        if let Some(first) = steps.first_mut() {
            first.1 = format!("{} {}", shown(&name.value), source);
        }
        let (from, to) = (shown(&name.value), shown(&last.value));
        report.push(effects::finding(name.at, (&from, &source), (&to, &effect), steps));
    }
}

fn security<'a>(context: &Context<'a>) -> &'a SecuritySettings {
    &context.file.settings.security
}

fn model_node(declaration: &Declaration) -> Option<ModelNode<'_>> {
    let Body::Node(node) = &declaration.body else { return None };
    let name = declaration.name.as_ref()?;
    (node.kind == NodeKind::Model).then_some((node, name))
}

/// The action of the first tool of a node for which `says` holds.
fn tool_call(node: &Node, says: impl Fn(&str) -> bool) -> Option<String> {
    let tool = node.tools.iter().find(|tool| says(&tool.name))?;
    Some(format!("calls `{}`", short(&tool.name)))
}

/// The names on the shortest path to a node with a tool that acts, and the action of the tool.
fn path<'a>(context: &Context<'a>, start: ModelNode<'a>) -> Option<(Vec<&'a Located<SmolStr>>, String)> {
    let mut visited: Vec<(ModelNode<'a>, Option<usize>)> = vec![(start, None)];
    let mut seen: FxHashSet<&str> = std::iter::once(start.1.value.as_str()).collect();
    let mut waiting = VecDeque::from([0]);
    while let Some(position) = waiting.pop_front() {
        let ((node, _), _) = visited[position];
        if let Some(effect) = tool_call(node, |tool| security(context).acts(tool)) {
            let mut names = Vec::new();
            let mut at = Some(position);
            while let Some(position) = at {
                names.push(visited[position].0.1);
                at = visited[position].1;
            }
            names.reverse();
            return Some((names, effect));
        }
        for target in node.edges.iter().flat_map(|edge| &edge.targets) {
            if let Some(next) = declared(context, target)
                && visited.len() < NODES_MAX
                && seen.insert(next.1.value.as_str())
            {
                visited.push((next, Some(position)));
                waiting.push_back(visited.len() - 1);
            }
        }
    }
    None
}

/// The model node to which a reference leads.
fn declared<'a>(context: &Context<'a>, reference: &Reference) -> Option<ModelNode<'a>> {
    let Resolution::To(declared) = context.index.resolve(reference) else { return None };
    let file = context.source(declared.document.source)?;
    let document = file.documents.get(declared.document.position as usize)?;
    model_node(context.index.effective(document)?.declaration.as_ref()?)
}
