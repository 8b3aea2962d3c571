//! Documents to the model. Never fails: what cannot be read is absent.

use nodewise_dialect::table::Kind;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::graph::{
    Access, EdgeCondition, EdgeGuard, Endpoint, EndpointRole, Graph, GraphEdge, GraphNode, Port,
};
use nodewise_model::work::AnyWork;
use nodewise_model::{Body, Condition, Declaration, Located};
use smol_str::SmolStr;

use crate::table::{ASK, CONVENTIONS, PICK};
use crate::work::Work;

/// The declaration that a document makes.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let graph = graph(value);
    Some(Declaration {
        kind: kind.name,
        name: graph.id.clone(),
        head: value.head(),
        body: Body::Graph(Box::new(graph)),
    })
}

fn graph(value: &SpannedValue<'_>) -> Graph {
    let at = |key: &str| Some(value.get(key).filter(|member| member.value.as_list().is_some())?.key_at);
    let given = texts(value, "keys").into_iter().map(|key| Port {
        key,
        required: false,
        schema: None,
        description: None,
    });
    Graph {
        id: text(value, "relay"),
        name: text(value, "relay"),
        nodes: items(value, "steps").map(step).collect(),
        nodes_at: at("steps"),
        edges: items(value, "links").map(link).collect(),
        edges_at: at("links"),
        start: text(value, "first"),
        ends: at("last").map(|at| Located::new(texts(value, "last"), at)),
        inputs: Some(given.collect()),
        ..Graph::new(value.head(), &CONVENTIONS)
    }
}

fn step(value: &SpannedValue<'_>) -> GraphNode {
    let type_word = text(value, "type");
    let work = match type_word.as_ref().map(|word| word.value.as_str()) {
        Some(ASK) => Work::Ask(text(value, "question").map(|question| question.value).unwrap_or_default()),
        Some(PICK) => Work::Pick,
        _ => Work::Unknown,
    };
    GraphNode {
        id: text(value, "step"),
        type_word,
        access: Access {
            reads: texts(value, "reads"),
            writes: text(value, "writes").into_iter().collect(),
            ..Access::default()
        },
        ..GraphNode::new(AnyWork::new(work), value.head(), value.at)
    }
}

fn link(value: &SpannedValue<'_>) -> GraphEdge {
    let end = |key: &str| Some(Endpoint { role: EndpointRole::Node, name: text(value, key)? });
    let condition = |text: Located<SmolStr>| Condition { text: text.value.as_str().into(), at: text.at };
    let guard = match value.get("when") {
        None => EdgeGuard::Always,
        Some(_) => EdgeGuard::When(Some(EdgeCondition::Expression(text(value, "when").map(condition)))),
    };
    GraphEdge {
        id: None,
        at: value.at,
        head: value.head(),
        source: end("from"),
        target: end("to"),
        guard,
        host: None,
        foreign_keys: Vec::new(),
    }
}

fn items<'v, 't>(value: &'v SpannedValue<'t>, key: &str) -> impl Iterator<Item = &'v SpannedValue<'t>> {
    let list = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    list.iter().filter(|item| item.as_map().is_some())
}

fn text(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    located(&value.get(key)?.value)
}

fn texts(value: &SpannedValue<'_>, key: &str) -> Vec<Located<SmolStr>> {
    let list = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    list.iter().filter_map(located).collect()
}

fn located(value: &SpannedValue<'_>) -> Option<Located<SmolStr>> {
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}
