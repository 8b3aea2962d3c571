//! Nodes ready to run: conditions parsed, names looked up, prompts put together.
//!
//! Invariant: nothing here fails; problems of a node are stored in it.

use nodewise_expr::ast::ExprKind;
use nodewise_expr::limance;
use nodewise_model::schema_example::schema_example;
use nodewise_model::{self as model, EdgeList, NodeKind, Reference, answer_schema};
use smol_str::{SmolStr, format_smolstr};

use super::loading::DeclaredNode;
use super::{
    AccountUse, Argument, CompiledCondition, Program, ProgramEdge, ProgramNode, TOOL_NODE, Target, Texts,
};
use crate::outcome::Failure;
use crate::systems::liman::host::{Host, LimanProfile};
use crate::systems::liman::python;
use crate::systems::liman::text::{self, ToolTexts};

/// The builtin by which conditions ask for errors.
const IS_ERROR: &str = "$is_error";

/// Prepares a node by itself. [`connect`] looks up the names that it uses.
pub(super) fn node(declared: &DeclaredNode<'_>, host: &Host) -> ProgramNode {
    let DeclaredNode { kind, name, head, node } = declared;
    let full_name = format_smolstr!("{kind}/{name}");
    let arguments = node.arguments.iter().filter_map(|argument| {
        Some(Argument {
            name: argument.name.as_ref()?.value.clone(),
            types: argument.types.iter().map(|word| word.value.clone()).collect(),
            is_optional: argument.optional,
        })
    });
    let function = node.function.as_ref().map(|function| function.value.clone());
    let is_structured = !node.details.output.is_empty() && host.profile != LimanProfile::Classic;
    ProgramNode {
        name: name.clone(),
        kind,
        head: *head,
        edges: Vec::new(),
        work: node.kind,
        texts: Texts {
            prompts: node.prompts.clone(),
            description: node.details.description.clone(),
            triggers: node.details.triggers.to_vec(),
            shown_as: node.details.shown_as.clone(),
        },
        tools: node.tools.iter().map(|tool| tool.name.clone()).collect(),
        instructions: Ok(SmolStr::default()),
        flaw: None,
        arguments: arguments.collect(),
        has_function: !host.missing_functions.contains(&full_name),
        function: function.unwrap_or_else(|| name.clone()),
        account: account(kind, node, host),
        answer_example: is_structured
            .then(|| schema_example(Some(&answer_schema::of_fields(&node.details.output)))),
        full_name,
    }
}

/// Looks up the names that nodes use, and composes the prompts.
pub(super) fn connect(program: &mut Program, declared: &[DeclaredNode<'_>]) {
    for (position, declared) in declared.iter().enumerate() {
        let edges = edges(program, declared.node);
        let flaw = flaw(program, position, declared.node);
        let instructions = instructions(program, position);
        if let Some(node) = program.nodes.get_mut(position) {
            node.edges = edges;
            node.flaw = flaw;
            node.instructions = instructions;
        }
    }
}

fn account(kind: &str, node: &model::Node, host: &Host) -> Option<AccountUse> {
    if host.profile.is_release() && kind == super::FUNCTION_NODE {
        return None;
    }
    if let Some(inlined) = &node.details.inlined_account {
        return Some(AccountUse { name: inlined.name.clone(), inlined: Some((&inlined.account).into()) });
    }
    node.details.account.as_ref().map(|account| AccountUse { name: account.name.clone(), inlined: None })
}

fn edges(program: &Program, node: &model::Node) -> Vec<ProgramEdge> {
    let has_way = node.edges.iter().any(|edge| edge.list == EdgeList::Qualified);
    let is_followed = |edge: &&model::Edge| match program.host.profile {
        // If the node has edges in the qualified list, only these are followed (liman:7.5, clause 6).
        LimanProfile::Spec => has_way == (edge.list == EdgeList::Qualified),
        LimanProfile::Release => node.kind == NodeKind::Tool && edge.list != EdgeList::Nodes,
        LimanProfile::Classic => node.kind == NodeKind::Tool && edge.list == EdgeList::Models,
    };
    let followed: Vec<&model::Edge> = node.edges.iter().filter(is_followed).collect();
    followed.iter().map(|edge| self::edge(program, edge, &followed)).collect()
}

fn edge(program: &Program, edge: &model::Edge, siblings: &[&model::Edge]) -> ProgramEdge {
    let targets: Vec<Target> = edge.targets.iter().map(|target| self::target(program, target)).collect();
    let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
    let condition = condition(program, edge);
    let mut depends = Vec::new();
    let mut unknown_dependency = None;
    if program.host.profile == LimanProfile::Spec {
        for dependency in &edge.depends {
            let has_id =
                |edge: &&model::Edge| edge.id.as_ref().is_some_and(|id| id.value == dependency.value);
            match siblings.iter().position(has_id) {
                Some(position) => depends.push(position),
                None => unknown_dependency = Some(dependency.value.clone()),
            }
        }
    }
    ProgramEdge {
        at: edge.at,
        id: edge.id.as_ref().map(|id| id.value.clone()),
        asks_for_errors: asks_for_errors(&condition),
        condition,
        target_text: names.join(", ").into(),
        targets,
        depends,
        unknown_dependency,
    }
}

fn target(program: &Program, reference: &Reference) -> Target {
    let written = match reference.kind() {
        Some(kind) => format_smolstr!("{kind}/{}", reference.name),
        None => reference.name.clone(),
    };
    let found = match (program.host.profile, reference.kind()) {
        // This release reads the whole text as a name.
        (LimanProfile::Classic, _) => by_key(program, super::MODEL_NODE, &written),
        (_, Some(kind)) => by_key(program, kind, &reference.name),
        (_, None) => {
            let mut kinds = reference.scope.kinds.iter();
            let found = kinds.find_map(|kind| program.find(kind, &reference.name));
            let kind = reference.scope.kinds.first().copied().unwrap_or_default();
            found.ok_or_else(|| super::key(kind, &reference.name))
        }
    };
    let name = found.as_ref().map_or(written, |index| program.node(*index).full_name.clone());
    Target { name, node: found }
}

fn by_key(program: &Program, kind: &str, name: &str) -> Result<super::NodeIndex, SmolStr> {
    program.find(kind, name).ok_or_else(|| super::key(kind, name))
}

fn condition(program: &Program, edge: &model::Edge) -> CompiledCondition {
    let Some(condition) = &edge.condition else { return CompiledCondition::Always };
    let profile = match program.host.profile {
        LimanProfile::Spec => limance::LimanceProfile::Spec,
        LimanProfile::Release | LimanProfile::Classic => limance::LimanceProfile::Release,
    };
    let parse = limance::parse(&condition.text, profile);
    match (&parse.problems.first(), parse.function_ref()) {
        (Some(problem), _) => CompiledCondition::Broken(problem.message.clone()),
        (None, Some(path)) => CompiledCondition::Function(path.dotted().into()),
        (None, None) => CompiledCondition::Holds(parse.expr),
    }
}

fn asks_for_errors(condition: &CompiledCondition) -> bool {
    let CompiledCondition::Holds(expr) = condition else { return false };
    let mut asks = false;
    expr.walk(&mut |part| asks |= matches!(&part.kind, ExprKind::Call(call) if call.name == IS_ERROR));
    asks
}

/// The reason why a release cannot make an actor for a node.
fn flaw(program: &Program, position: usize, declared: &model::Node) -> Option<Failure> {
    if !program.host.profile.is_release() {
        return None;
    }
    let node = program.nodes.get(position)?;
    let fail = |class: &str, message: String| {
        let failure = Failure::lasting("NodeActorError", format!("Failed to initialize actor: {message}"));
        Some(Failure { cause: Some(class.into()), ..failure })
    };
    match node.work {
        NodeKind::Model => {
            if node.answer_example.is_some() && !node.tools.is_empty() {
                return fail("InvalidSpecError", "a structured output excludes tools".to_owned());
            }
            if let Some(bare) = node.texts.prompts.texts.iter().find(|text| text.path.is_empty()) {
                let shown = python::clipped(&python::representation(&bare.text.as_ref().into()));
                let language = &bare.language;
                let message = format!(
                    "1 validation error for LLMPromptsBundle\n{language}\n  Input should be a valid dictionary or \
                     instance of LLMPrompts [type=model_type, input_value={shown}, input_type=str]\n    For \
                     further information visit https://errors.pydantic.dev/2.14/v/model_type"
                );
                return fail("ValidationError", message);
            }
            if let Some(tool) = node.tools.iter().find(|tool| program.tool(tool).is_none()) {
                return fail("ComponentNotFoundError", super::not_found(TOOL_NODE, tool));
            }
            None
        }
        NodeKind::Tool if declared.function.is_none() && !node.has_function => fail(
            "InvalidSpecError",
            format!("ToolNode '{}' must have a 'func' attribute defined.", node.name),
        ),
        NodeKind::Tool | NodeKind::Function => None,
    }
}

/// The first part of a prompt (liman:6.5): the author's text, and a block for each tool.
fn instructions(program: &Program, position: usize) -> Result<SmolStr, Failure> {
    let Some(node) = program.nodes.get(position).filter(|node| node.work == NodeKind::Model) else {
        return Ok(SmolStr::default());
    };
    let mut prompt = match text::system(&node.texts.prompts, &program.host) {
        Some(text) => text,
        // With tools, a missing system text is an empty one; without tools it is an error.
        None if !node.tools.is_empty() => String::new(),
        None => return Err(Failure::lasting("ValidationError", NO_SYSTEM_TEXT)),
    };
    for tool in node.tools.iter().filter_map(|tool| program.tool(tool)).map(|tool| program.node(tool)) {
        let texts = ToolTexts {
            name: &tool.name,
            description: &tool.texts.description,
            triggers: &tool.texts.triggers,
            shown_as: &tool.texts.shown_as,
        };
        let block = text::tool(&texts, &program.host);
        if !prompt.is_empty() || program.host.profile.is_release() {
            prompt.push('\n');
        }
        prompt.push_str(&block);
    }
    Ok(prompt.into())
}

/// The releases' error for a language that has no system text.
const NO_SYSTEM_TEXT: &str = "2 validation errors for SystemMessage\ncontent.str\n  Input should be a valid string [type=string_type, input_value=None, input_type=NoneType]\n    For further information visit https://errors.pydantic.dev/2.14/v/string_type\ncontent.list[union[str,dict[any,any]]]\n  Input should be a valid list [type=list_type, input_value=None, input_type=NoneType]\n    For further information visit https://errors.pydantic.dev/2.14/v/list_type";
