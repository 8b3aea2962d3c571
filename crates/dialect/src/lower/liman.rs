//! Liman declarations as model (liman:2, liman:3, liman:7.5).

use nodewise_model::{
    Account, Argument, ArgumentDetails, Body, Condition, CredentialsProvider, Declaration, Edge, EdgeForm,
    EdgeId, EdgeList, Few, Injection, InlinedAccount, Localized, Located, NameScope, Node, NodeDetails,
    NodeKind, Origin, OutputField, Rare, Reference,
};
use smol_str::SmolStr;
use thin_vec::ThinVec;

use crate::bind::{self, qualified, reference};
use crate::bundle;
use crate::table::Strategy;
use crate::table::{Kind, KindRole};
use crate::tables::liman::{
    ANY_NODE, CREDENTIALS_PROVIDER, INLINED_ACCOUNT_TYPE, LLM_NODE, OUTPUT_FIELD, OVERLAY_TARGET,
    REPLACE_STRATEGY, SERVICE_ACCOUNT, TOOL,
};
use crate::tight::tight;
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};

/// Converts a document to a declaration; `None` for an overlay.
#[must_use]
pub fn declaration(kind: &'static Kind, value: &SpannedValue<'_>) -> Option<Declaration> {
    let name = text_at(value, "name");
    let body = match kind.role {
        KindRole::Node(node_kind) => Body::Node(Box::new(node(kind, node_kind, name.as_ref(), value))),
        KindRole::Account => Body::Account(Box::new(account(value))),
        KindRole::Provider => Body::Provider(Box::new(CredentialsProvider {
            scheme: text_at(value, "type"),
            function: text_at(value, "func"),
        })),
        _ => return None,
    };
    Some(Declaration { kind: kind.name, name, head: value.head(), body })
}

/// The target of an overlay, and how it is combined with it; `None` if `to` cannot be read.
#[must_use]
pub fn overlay(value: &SpannedValue<'_>) -> Option<(Reference, Strategy)> {
    let to = &value.get("to")?.value;
    let target = qualified(to.as_text()?, to, &OVERLAY_TARGET, ':')?;
    let strategy = value.get("strategy").and_then(|member| member.value.as_text());
    let strategy = if strategy == Some(REPLACE_STRATEGY) { Strategy::Replace } else { Strategy::Merge };
    Some((target, strategy))
}

/// The kind that an overlay's `to` names, whether or not such a declaration exists.
#[must_use]
pub fn overlay_kind<'v>(value: &'v SpannedValue<'_>) -> Option<&'v str> {
    Some(value.get("to")?.value.as_text()?.split_once(':')?.0)
}

/// The places of both keys if a node uses both ways of routing: `to`, and one of `nodes` and `llm_nodes` that is not empty
/// (liman:2.3: they exclude one another).
#[must_use]
pub fn mixed_routing(kind: &Kind, value: &SpannedValue<'_>) -> Option<(Origin, Origin)> {
    is_node(kind)?;
    let leads_somewhere =
        |member: &&SpannedEntry<'_>| member.value.as_list().is_some_and(|items| !items.is_empty());
    let to = value.get("to").filter(leads_somewhere)?;
    let mut others = ["nodes", "llm_nodes"].into_iter().filter_map(|key| value.get(key));
    let other = others.find(leads_somewhere)?;
    Some((to.key_at, other.key_at))
}

/// The places of both keys if a node has a structured answer and a list of tools that is not empty (liman:6.5: they exclude
/// one another).
#[must_use]
pub fn output_beside_tools(kind: &Kind, value: &SpannedValue<'_>) -> Option<(Origin, Origin)> {
    is_node(kind)?;
    let output = value.get("structured_output").filter(|member| member.value.as_map().is_some())?;
    let tools = value.get("tools")?;
    tools.value.as_list().filter(|items| !items.is_empty())?;
    Some((output.key_at, tools.key_at))
}

/// `Some` if the kind is a node.
fn is_node(kind: &Kind) -> Option<()> {
    matches!(kind.role, KindRole::Node(_)).then_some(())
}

fn node(
    kind: &'static Kind,
    node_kind: NodeKind,
    name: Option<&Located<SmolStr>>,
    value: &SpannedValue<'_>,
) -> Node {
    let (account, inlined) = match value.get("auth").and_then(|auth| auth.value.get("service_account")) {
        Some(member) => match &member.value.data {
            Data::Text(text) => (Some(Box::new(reference(text, &member.value, &SERVICE_ACCOUNT))), None),
            Data::Map(_) => (None, Some(Box::new(inlined_account(kind, name, &member.value)))),
            _ => (None, None),
        },
        None => (None, None),
    };
    let details = NodeDetails {
        description: localized(value, "description"),
        triggers: triggers(value),
        shown_as: localized(value, "tool_prompt_template"),
        account,
        inlined_account: inlined,
        output: value.get("structured_output").map(|member| output_fields(&member.value)).unwrap_or_default(),
    };
    Node {
        kind: node_kind,
        prompts: localized(value, "prompts"),
        tools: references(value, "tools", &TOOL),
        edges: edges(value),
        function: text_at(value, "func"),
        arguments: arguments(value, "arguments"),
        details: details.into(),
    }
}

/// The generated name follows the pattern `{Kind:name}__inlined__{position}_{Type}`; only one account
/// can be written in place, so its position is 0 (liman:2.7).
fn inlined_account(kind: &Kind, name: Option<&Located<SmolStr>>, value: &SpannedValue<'_>) -> InlinedAccount {
    let parent = name.map_or("", |name| name.value.as_str());
    let generated = format!("{}:{parent}__inlined__0_{INLINED_ACCOUNT_TYPE}", kind.name);
    InlinedAccount { name: SmolStr::new(generated), account: account(value) }
}

fn edges(value: &SpannedValue<'_>) -> ThinVec<Edge> {
    let mut edges = ThinVec::new();
    let lists = [
        ("to", &ANY_NODE, EdgeList::Qualified),
        ("nodes", &ANY_NODE, EdgeList::Nodes),
        ("llm_nodes", &LLM_NODE, EdgeList::Models),
    ];
    for (key, scope, list) in lists {
        let Some(items) = value.get(key).and_then(|member| member.value.as_list()) else { continue };
        edges.extend(items.iter().filter_map(|item| edge(item, scope, list)));
    }
    edges.shrink_to_fit();
    edges
}

fn edge(item: &SpannedValue<'_>, scope: &'static NameScope, list: EdgeList) -> Option<Edge> {
    let target = |value: &SpannedValue<'_>| {
        let text = value.as_text()?;
        match list {
            EdgeList::Qualified => qualified(text, value, scope, '/'),
            EdgeList::Nodes | EdgeList::Models => Some(reference(text, value, scope)),
        }
    };
    let plain = |targets| Edge {
        id: None,
        targets,
        condition: None,
        depends: ThinVec::new(),
        list,
        form: EdgeForm::Name,
        at: item.at,
    };
    if item.as_text().is_some() {
        return Some(plain(Few::One(target(item)?)));
    }
    item.as_map()?;
    let targets = match (item.get("target"), item.get("ref")) {
        (Some(member), _) => one_or_many(&member.value).iter().filter_map(target).collect(),
        (None, Some(member)) => member
            .value
            .as_text()
            // This form states the kind itself, so it may be in either list.
            .and_then(|text| qualified(text, &member.value, &ANY_NODE, '/'))
            .into_iter()
            .collect(),
        (None, None) => Few::default(),
    };
    let is_qualified = item.get("target").is_none() && item.get("ref").is_some();
    Some(Edge {
        form: if is_qualified { EdgeForm::Qualified } else { EdgeForm::Named },
        id: item.get("id").and_then(|member| edge_id(&member.value)),
        condition: text_at(item, "when")
            .filter(|text| !text.value.is_empty())
            .map(|text| Condition { text: text.value.as_str().into(), at: text.at }),
        depends: item
            .get("depends")
            .map(|member| tight(one_or_many(&member.value).iter().filter_map(edge_id)))
            .unwrap_or_default(),
        ..plain(targets)
    })
}

fn edge_id(value: &SpannedValue<'_>) -> Option<Located<EdgeId>> {
    match &value.data {
        Data::Text(text) => Some(Located::new(SmolStr::new(text), value.at)),
        Data::Number(number) => Some(Located::new(SmolStr::new(number_text(*number)), value.at)),
        _ => None,
    }
}

fn arguments(value: &SpannedValue<'_>, key: &str) -> ThinVec<Argument> {
    let Some(items) = value.get(key).and_then(|member| member.value.as_list()) else { return ThinVec::new() };
    let mappings = items.iter().filter(|item| item.as_map().is_some());
    let arguments = mappings.map(|item| Argument {
        name: text_at(item, "name"),
        types: item.get("type").map(|member| texts(one_or_many(&member.value))).unwrap_or_default(),
        optional: item.get("optional").is_some_and(|member| is_true(&member.value)),
        details: Rare::from(ArgumentDetails {
            properties: arguments(item, "properties"),
            properties_at: item.get("properties").map(|member| member.key_at),
            description: localized(item, "description"),
        }),
        at: item.at,
    });
    tight(arguments)
}

fn account(value: &SpannedValue<'_>) -> Account {
    let filled_at =
        |key| value.get(key).filter(|member| !is_empty(&member.value)).map(|member| member.key_at);
    let context = value.get("context").map(|member| &member.value);
    let inject = context.and_then(|context| context.get("inject"));
    Account {
        head: value.head(),
        strict: context.and_then(|context| context.get("strict")).is_none_or(|member| is_true(&member.value)),
        context_at: value.get("context").filter(|member| !member.value.is_null()).map(|member| member.key_at),
        inject: inject.and_then(|member| {
            let items = member.value.as_list()?;
            Some(Located::new(items.iter().filter_map(injection).collect(), member.value.at))
        }),
        provider: value.get("credentials_provider").and_then(|member| {
            Some(reference(member.value.as_text()?, &member.value, &CREDENTIALS_PROVIDER))
        }),
        provider_at: filled_at("credentials_provider"),
        providers: references(value, "credentials_providers", &CREDENTIALS_PROVIDER),
        providers_at: filled_at("credentials_providers"),
    }
}

/// Whether the packages treat the value as missing.
fn is_empty(value: &SpannedValue<'_>) -> bool {
    match &value.data {
        Data::Null => true,
        Data::Text(text) => text.is_empty(),
        Data::List(items) => items.is_empty(),
        _ => false,
    }
}

fn injection(value: &SpannedValue<'_>) -> Option<Injection> {
    let (target, path) = bind::injection_parts(value)?;
    Some(Injection { target: target.map(SmolStr::new), path: SmolStr::new(path), at: value.at })
}

fn output_fields(value: &SpannedValue<'_>) -> ThinVec<OutputField> {
    tight(value.as_map().unwrap_or_default().iter().map(output_field))
}

fn output_field(member: &SpannedEntry<'_>) -> OutputField {
    let (name, marked) = match member.key.strip_suffix('?') {
        Some(name) => (name, true),
        None => (member.key.as_ref(), false),
    };
    let extended = bind::output_extended_type(&OUTPUT_FIELD, &member.value);
    let optional =
        extended.and_then(|_| member.value.get("optional")).is_some_and(|optional| is_true(&optional.value));
    let mut element = extended.unwrap_or(&member.value);
    let mut lists = 0;
    while let Some([item]) = element.as_list() {
        element = item;
        lists += 1;
    }
    OutputField {
        name: SmolStr::new(name),
        type_name: element.as_text().map(|text| Located::new(SmolStr::new(text), element.at)),
        lists,
        description: extended.map(|_| localized(&member.value, "description")).unwrap_or_default(),
        optional: marked || optional,
        fields: output_fields(element),
    }
}

/// The triggers, each as a text of its own (liman:2.2). If they are written as a single bundle with lists, each list item
/// is a trigger.
fn triggers(value: &SpannedValue<'_>) -> ThinVec<Localized> {
    let Some(member) = value.get("triggers") else { return ThinVec::new() };
    tight(one_or_many(&member.value).iter().filter_map(bundle::localized))
}

fn localized(value: &SpannedValue<'_>, key: &str) -> Localized {
    value.get(key).and_then(|member| bundle::localized(&member.value)).unwrap_or_default()
}

fn references(value: &SpannedValue<'_>, key: &str, scope: &'static NameScope) -> ThinVec<Reference> {
    let items = value.get(key).and_then(|member| member.value.as_list()).unwrap_or_default();
    tight(items.iter().filter_map(|item| Some(reference(item.as_text()?, item, scope))))
}

fn text_at(value: &SpannedValue<'_>, key: &str) -> Option<Located<SmolStr>> {
    let value = &value.get(key)?.value;
    Some(Located::new(SmolStr::new(value.as_text()?), value.at))
}

fn texts(values: &[SpannedValue<'_>]) -> Few<Located<SmolStr>> {
    let text = |value: &SpannedValue<'_>| Some(Located::new(SmolStr::new(value.as_text()?), value.at));
    values.iter().filter_map(text).collect()
}

/// The items of a list, or a single value as the only item.
fn one_or_many<'v, 't>(value: &'v SpannedValue<'t>) -> &'v [SpannedValue<'t>] {
    value.as_list().unwrap_or(std::slice::from_ref(value))
}

/// Whether a value is true as the loaders convert it (liman:1).
fn is_true(value: &SpannedValue<'_>) -> bool {
    match &value.data {
        Data::Bool(value) => *value,
        Data::Number(number) => *number == 1.0,
        Data::Text(text) => {
            matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "on" | "t" | "y" | "1")
        }
        _ => false,
    }
}
