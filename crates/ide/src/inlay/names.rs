//! Hints about names and expressions: the keys that the engine writes for a node, the constant value or type of a
//! condition, the kind of a name, the overlays of a declaration. In: a file. Out: hints after these things.

use nodewise_analysis::conditions::{ConditionFinding, ConditionFindingKind};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::graphs::GraphFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::NameUse;
use nodewise_expr::assist;
use nodewise_expr::constant::Constant;
use nodewise_model::Origin;
use nodewise_model::graph::GraphNode;
use nodewise_syntax::{TextRange, TextSize};
use smol_str::SmolStr;

use super::{Inlay, line_end};
use crate::markup::{Line, Markup, describe_entity, place_of, type_word};
use crate::names::{Entity, NameKind, declared_name, document, names_within, tight};

/// The keys that the engine writes for nodes without a grant.
pub(super) fn add_grants(snapshot: &Snapshot, file: &FileFacts, hints: &mut Vec<Inlay>) {
    if snapshot.conventions(file.source).parts.is_some() {
        return;
    }
    for document in &file.documents {
        let Some(effective) = &document.effective else { continue };
        for (graph, facts) in effective.graphs() {
            let nodes = graph.nodes.iter().enumerate();
            hints.extend(nodes.filter_map(|(position, node)| grant(file, facts, position, node)));
        }
    }
}

fn grant(file: &FileFacts, facts: &GraphFacts, position: usize, node: &GraphNode) -> Option<Inlay> {
    let written = |key: &&SmolStr| !node.access.writes.iter().any(|own| own.value == **key);
    let implied: Vec<&str> =
        facts.access.get(position)?.implied.iter().filter(written).map(SmolStr::as_str).collect();
    if implied.is_empty() {
        return None;
    }
    let (at, label) = match node.access.writes.last() {
        Some(last) => (last.at.range.end(), format!("+ {}", implied.join(", "))),
        None => (line_end(file, node.head.range.start()), format!("writes {}", implied.join(", "))),
    };
    let mut text = Markup::new();
    text.paragraph(
        &Line::new().prose("The engine writes ").codes(implied).prose(" for the node, without a grant."),
    );
    Some(Inlay { at, label, text, is_type: false, target: None })
}

/// The constant values or types of expressions.
pub(super) fn add_types(file: &FileFacts, range: TextRange, hints: &mut Vec<Inlay>) {
    let conditions = file.documents.iter().flat_map(|document| &document.conditions);
    for condition in conditions.filter(|condition| range.contains_inclusive(condition.at.range.end())) {
        let is_broken = |finding: &ConditionFinding| finding.kind == ConditionFindingKind::Syntax;
        if condition.findings.iter().any(is_broken) {
            continue;
        }
        let constant = assist::constant(condition.language, &condition.text);
        let ty = assist::type_of(condition.language, &condition.text).and_then(type_word);
        let (label, line) = match (&constant, ty) {
            (Some(Constant::Value(_)), _) => {
                let value = constant.iter().map(Constant::shown).collect::<String>();
                (format!("= {value}"), Line::new().prose("It is always ").code(&value).prose("."))
            }
            (Some(Constant::Fails(message)), _) => {
                ("= error".to_owned(), Line::new().prose("It always fails: ").text(message))
            }
            (None, Some(word)) => {
                (format!(": {word}"), Line::new().prose("The result is ").prose(word).prose("."))
            }
            (None, None) => continue,
        };
        let mut text = Markup::new();
        text.paragraph(&line);
        let at = text_end(file, condition.at);
        hints.push(Inlay { at, label, text, is_type: true, target: None });
    }
}

/// The end of a value. For a block scalar, the end of its last line with text.
fn text_end(file: &FileFacts, at: Origin) -> TextSize {
    let text = super::letters(file, at.range);
    at.range.start() + TextSize::of(text.trim_end())
}

/// The kind of each name that could refer to several kinds, and the type of work of a node.
pub(super) fn add_kinds(snapshot: &Snapshot, file: &FileFacts, range: TextRange, hints: &mut Vec<Inlay>) {
    for one in names_within(snapshot, file.source, range) {
        let refers = one.usage == NameUse::Refers && !one.in_expression;
        let kind = match &one.entity {
            _ if !refers => None,
            Entity::Declaration { kind, document, part } => {
                let is_open = one.scope.is_some_and(|scope| scope.kinds.len() > 1);
                let name = declared_name(snapshot, *document, kind, *part);
                is_open.then_some(SmolStr::new_static(kind)).zip(Some(name.map(|name| name.at)))
            }
            Entity::Local { document: id, graph: Some(graph), kind: NameKind::Node, name } => {
                let effective = document(snapshot, *id).and_then(|document| document.effective.as_ref());
                let node = effective.and_then(|effective| {
                    let (graph, facts) = effective.graph(*graph)?;
                    graph.nodes.get(facts.node(name)?)
                });
                node.and_then(|node| {
                    let word = node.work_word.as_ref().or(node.type_word.as_ref())?;
                    Some((word.value.clone(), node.id.as_ref().map(|id| id.at)))
                })
            }
            _ => None,
        };
        let Some((kind, declared)) = kind else { continue };
        let text = describe_entity(snapshot, &one.entity);
        let target = declared.map(|at| tight(snapshot, at));
        let label = format!(": {kind}");
        let at = behind_quote(file, one.at.range);
        hints.push(Inlay { at, label, text, is_type: true, target });
    }
}

/// The end of a name, after its closing quote if it has one.
fn behind_quote(file: &FileFacts, range: TextRange) -> TextSize {
    let text = file.text.as_bytes();
    let quote = usize::from(range.start()).checked_sub(1).and_then(|before| text.get(before));
    let is_quote = quote.is_some_and(|quote| matches!(quote, b'"' | b'\''));
    let is_closed = is_quote && text.get(usize::from(range.end())) == quote;
    range.end() + TextSize::new(u32::from(is_closed))
}

/// The overlays that patch a declaration.
pub(super) fn add_overlays(snapshot: &Snapshot, file: &FileFacts, hints: &mut Vec<Inlay>) {
    for facts in &file.documents {
        let mut overlays: Vec<Origin> = Vec::new();
        let patches = snapshot.index().patches(facts.id);
        overlays
            .extend(patches.filter_map(|overlay| document(snapshot, overlay)).map(|overlay| overlay.head));
        let declared = facts.effective.as_ref().and_then(|effective| effective.declaration.as_ref());
        let name = declared.and_then(|declaration| declaration.name.as_ref());
        let (Some(first), Some(name)) = (overlays.first(), name) else { continue };
        let place = place_of(snapshot, *first);
        let label = match overlays.len() {
            1 => format!("patched by {place}"),
            count => format!("patched by {place} and {} more", count - 1),
        };
        let mut text = Markup::new();
        let items: Vec<Line> = overlays
            .iter()
            .map(|overlay| Line::new().prose("Patched by ").place(snapshot, *overlay))
            .collect();
        text.list(&items);
        hints.push(Inlay { at: name.at.range.end(), label, text, is_type: false, target: Some(*first) });
    }
}
