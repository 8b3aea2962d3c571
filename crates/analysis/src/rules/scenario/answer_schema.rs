//! The schemas that declarations give for answers: the fields of a model's answer, the arguments of a tool, the output of a node.
//! In: a scenario's stage and the name of who answers; out: JSON Schemas as plain values, with their places.

use nodewise_dialect::table::{FieldOrigin, Profile, Type};
use nodewise_dialect::tables::DIALECTS;
use nodewise_expr::json::to_json;
use nodewise_expr::value::{Map, Value};
use nodewise_model::answer_schema::{object, of_type};
use nodewise_model::graph::GraphNode;
use nodewise_model::scenario::{AnswerPart, Respondent, Scenario, ScriptedAnswer};
use nodewise_model::schema_example::schema_example;
use nodewise_model::work::{ProvidedKind, QuestionKind};
use nodewise_model::{Argument, Body, Declaration, Located, Node, Origin};
use smol_str::SmolStr;

use crate::rule::Context;
use crate::rules::scenario::scripted::{Stage, document_of, node_kinds};

/// Examples that are longer are not shown.
const EXAMPLE_MAX: usize = 100;

/// A node that is a document of its own, and its declaration.
pub(super) fn node_of_project<'a>(context: &Context<'a>, name: &str) -> Option<(&'a Declaration, &'a Node)> {
    let plain = name.rsplit(['/', ':']).next().unwrap_or_default();
    let declared = node_kinds().into_iter().find_map(|kind| context.index.first(kind, plain))?;
    let declaration =
        context.index.effective(document_of(context, declared.document)?)?.declaration.as_ref()?;
    match &declaration.body {
        Body::Node(node) => Some((declaration, node.as_ref())),
        _ => None,
    }
}

/// Whether the version of the system that the project follows supports structured answers of nodes of this kind.
pub(super) fn has_structured_answers(context: &Context<'_>, scenario: &Scenario, kind: &str) -> bool {
    let kinds = DIALECTS.iter().flat_map(|dialect| dialect.kinds.iter().map(move |kind| (*dialect, kind)));
    let Some((dialect, kind)) = kinds.into_iter().find(|(_, one)| one.name == kind) else { return false };
    let field = kind.shape.fields.iter().find(|field| matches!(field.ty, Type::OutputFields(..)));
    let Some(FieldOrigin::Release(since)) = field.map(|field| field.origin) else { return field.is_some() };
    let said = scenario.host.profile.as_ref().and_then(|said| {
        let mut profiles = dialect.profiles.iter();
        profiles.find(|(word, _)| said.value == word.text).map(|(_, profile)| *profile)
    });
    let followed = said.unwrap_or_else(|| context.file.settings.profile(dialect));
    // The profiles are listed from the newest release to the oldest.
    let place = |profile: Profile| dialect.profiles.iter().position(|(_, one)| *one == profile);
    place(followed) <= place(Profile::Release(since))
}

/// The JSON Schema for the arguments of a tool. It allows only declared arguments.
pub(super) fn of_arguments(arguments: &[Argument]) -> Value {
    let named = || arguments.iter().filter_map(|argument| Some((argument, argument.name.as_ref()?)));
    let properties = named().map(|(argument, name)| (name.value.clone(), of_argument(argument)));
    let required = named().filter(|(argument, _)| !argument.optional).map(|(_, name)| &name.value);
    let Value::Map(schema) = object(properties.collect(), required) else { return Value::Null };
    let mut schema = Map::clone(&schema);
    schema.insert("additionalProperties", Value::Bool(false));
    schema.into()
}

fn of_argument(argument: &Argument) -> Value {
    match &*argument.types {
        // For an object, the inner arguments are a list of their own, and releases drop some of them.
        [only] => of_type(&only.value),
        _ => Map::new().into(),
    }
}

/// The output schemas of the nodes for which a part of a script gives answers.
pub(super) fn of_output<'a>(
    stage: &Stage<'a>,
    part: &AnswerPart,
) -> Vec<(&'a GraphNode, &'a Located<Value>)> {
    let Some(name) = &part.name else { return Vec::new() };
    let is_meant = |node: &GraphNode| match part.subject {
        Respondent::Node => node.id.as_ref().is_some_and(|id| id.value == name.value),
        Respondent::Tool => {
            let mut provided = node.work.provided().into_iter();
            provided.any(|(kind, tool)| kind == ProvidedKind::Tool && tool.value == name.value)
        }
        _ => false,
    };
    let in_graph = |id: &Option<Located<SmolStr>>| match &part.graph {
        Some(graph) => id.as_ref().is_some_and(|id| id.value == graph.value),
        None => true,
    };
    let graphs = stage.graphs.iter().filter(|graph| in_graph(&graph.id));
    let nodes = graphs.flat_map(|graph| &graph.nodes).filter(|node| is_meant(node));
    nodes
        .filter(|node| {
            matches!(node.work.asks(), QuestionKind::Model | QuestionKind::Tool | QuestionKind::Extension)
        })
        .filter_map(|node| Some((node, node.host.as_ref()?.output_schema.as_ref()?)))
        .collect()
}

/// The JSON Schema for the arguments of a tool that a model calls, and the place where it is declared.
pub(super) fn of_tool(context: &Context<'_>, stage: &Stage<'_>, tool: &str) -> Option<(Value, Origin)> {
    if stage.is_agent {
        let (declaration, node) = node_of_project(context, tool)?;
        return (!node.arguments.is_empty()).then(|| (of_arguments(&node.arguments), declaration.head));
    }
    let (_, schema) = stage.tool_schemas.iter().find(|(name, _)| *name == tool)?;
    Some((schema.value.clone(), schema.at))
}

/// The alternatives of an answer, of which one is given.
pub(super) fn alternatives(answer: &ScriptedAnswer) -> impl Iterator<Item = &ScriptedAnswer> {
    let own = answer.one_of.is_empty().then_some(answer);
    own.into_iter().chain(&answer.one_of)
}

/// A value that fits the schema, as YAML on one line; `None` if it would be too long.
pub(super) fn example(schema: &Value) -> Option<String> {
    let example = to_json(&schema_example(Some(schema))).to_string();
    (example.chars().count() <= EXAMPLE_MAX).then_some(example)
}
