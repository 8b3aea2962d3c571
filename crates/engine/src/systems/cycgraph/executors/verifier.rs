//! An agent, an expression or an assertion evaluates a part of the state (cycgraph:6.16). In: the slice; out: the
//! verdict, under a key of its own, and as yes or no. Invariant: an expression that fails counts as passed, as in the
//! release.

use nodewise_expr::eval::Scope;
use nodewise_expr::filtrex;
use nodewise_expr::javascript::{json_text, number_to_text};
use nodewise_expr::jsonpath::{self, PathErrorKind};
use nodewise_expr::value::{Map, Value};
use nodewise_model::cycgraph::{Assertion, JsonPathCheck, Verification, VerifierWork, Work};
use smol_str::{SmolStr, format_smolstr};

use super::done;
use crate::kernel::{Flow, Task, TaskContext, Wake};
use crate::outcome::Failure;
use crate::systems::cycgraph::action::{Judgement, NodeAction, Output, Tokens};
use crate::systems::cycgraph::input::Input;
use crate::systems::cycgraph::judge::JudgeCall;
use crate::systems::cycgraph::program::NodeProgram;
use crate::systems::cycgraph::{Cycgraph, failures, moment};

/// An attempt of a verifier node.
#[derive(Debug, Clone)]
pub(super) struct Verifier {
    input: Input,
    call: Option<JudgeCall>,
}

/// The result of the verification.
struct Verdict {
    kind: &'static str,
    passed: bool,
    reasoning: SmolStr,
    /// Members that only this kind of verifier writes.
    details: Map,
}

impl Verifier {
    pub(super) fn new(input: Input) -> Verifier {
        Verifier { input, call: None }
    }

    /// Evaluates at once, or asks the agent that decides.
    fn begin(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<Option<NodeAction>, Failure> {
        let program = context.program().clone();
        let node = self.input.node(&program);
        let lacks = || failures::node_config("verifier", &node.id, "verifier_config");
        let settings = settings(&node.work).ok_or_else(lacks)?;
        let verdict = match settings.verification.as_ref().ok_or_else(lacks)? {
            Verification::Judge { target, evaluator, criteria, .. } => {
                let agent = evaluator.as_ref().map(|agent| agent.name.clone()).unwrap_or_default();
                let subject = self.target(target.as_ref().map(|key| &key.value));
                self.call =
                    Some(JudgeCall::begin(&agent, &subject, criteria.as_deref(), &self.input, context)?);
                return Ok(None);
            }
            Verification::Expression(condition) => {
                self.expressed(condition.as_ref().map_or("", |condition| &condition.text))?
            }
            Verification::JsonPath(check) => self.asserted(check, node)?,
        };
        action(node, settings, verdict, context).map(Some)
    }

    fn target(&self, key: Option<&SmolStr>) -> Value {
        key.and_then(|key| self.input.slice.memory.get(key)).cloned().unwrap_or(Value::Undefined)
    }

    fn expressed(&self, text: &str) -> Result<Verdict, Failure> {
        let mut view = Map::new();
        view.insert("memory", self.input.slice.value());
        view.insert("goal", Value::Text(self.input.state.goal.clone()));
        let variables = [&view];
        let scope = Scope { variables: &variables, ..Scope::default() };
        let passed = filtrex::verifier_verdict(text, &scope).map_err(|refused| {
            let message = refused.problem.map(|problem| problem.message).unwrap_or_default();
            Failure::new(failures::PLAIN, message)
        })?;
        let outcome = if passed { "truthy" } else { "falsy" };
        let reasoning = format_smolstr!("expression \"{text}\" evaluated {outcome}");
        Ok(Verdict { kind: "expression", passed, reasoning, details: Map::new() })
    }

    fn asserted(&self, check: &JsonPathCheck, node: &NodeProgram) -> Result<Verdict, Failure> {
        let lacks = || failures::node_config("verifier", &node.id, "verifier_config");
        let target = self.target(check.target.as_ref().map(|key| &key.value));
        let path = check.path.as_ref().map_or("", |path| &path.text);
        let assertion = check.assertion.as_ref().ok_or_else(lacks)?;
        let wanted = wanted(assertion);
        let verdict = jsonpath::verify(&jsonpath::parse(path).path, &target, &wanted);
        let verdict = verdict.map_err(|error| match error.kind {
            PathErrorKind::Thrown => Failure::new("TypeError", error.message),
            _ => failures::not_simulated(&node.id, &error.message),
        })?;
        let shown = described(&wanted);
        let reasoning = match verdict.passed {
            true => format_smolstr!("assertion {shown} at {path} passed"),
            false => format_smolstr!("assertion {shown} at {path} failed (value={})", json(&verdict.value)),
        };
        let mut details = Map::new();
        details.insert("extracted_value", verdict.value);
        Ok(Verdict { kind: "jsonpath", passed: verdict.passed, reasoning, details })
    }

    fn judged(
        &self,
        judgement: Judgement,
        context: &TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let node = self.input.node(context.program());
        let settings = settings(&node.work)?;
        let Some(Verification::Judge { threshold, .. }) = &settings.verification else { return None };
        let mut details = Map::new();
        details.insert("score", Value::Number(judgement.score));
        details.insert("threshold", Value::Number(threshold.value));
        let passed = judgement.score >= threshold.value;
        let verdict = Verdict { kind: "llm_judge", passed, reasoning: judgement.reasoning, details };
        let tokens = judgement.tokens;
        let usage = (tokens > 0.0).then(|| Tokens { total: tokens, ..Tokens::default() });
        Some(action(node, settings, verdict, context).map(|action| NodeAction { usage, ..action }))
    }

    fn goes_on(
        &mut self,
        wake: Wake<Output>,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Result<NodeAction, Failure>> {
        let Some(call) = &mut self.call else {
            return self.begin(context).transpose();
        };
        match call.wake(&wake, context)? {
            Ok(judgement) => self.judged(judgement, context),
            Err(failure) => Some(Err(failure)),
        }
    }
}

fn settings(work: &Work) -> Option<&VerifierWork> {
    match work {
        Work::Verifier(verifier) if verifier.settings_at.is_some() => Some(verifier),
        _ => None,
    }
}

fn action(
    node: &NodeProgram,
    settings: &VerifierWork,
    verdict: Verdict,
    context: &TaskContext<'_, Cycgraph>,
) -> Result<NodeAction, Failure> {
    if !verdict.passed && settings.throws.value {
        let text = format_smolstr!("Verification failed for node \"{}\": {}", node.id, verdict.reasoning);
        return Err(Failure::new("VerificationFailedError", text));
    }
    let key = match &settings.result_key {
        Some(key) => key.value.clone(),
        None => format_smolstr!("{}_verification", node.id),
    };
    let mut members = Map::new();
    members.insert("type", verdict.kind.into());
    members.insert("passed", Value::Bool(verdict.passed));
    members.insert("reasoning", Value::Text(verdict.reasoning));
    for (name, detail) in verdict.details.iter() {
        members.insert(name.clone(), detail.clone());
    }
    members.insert("evaluated_at", moment::text(context.now()));
    let mut updates = Map::new();
    updates.insert(key.clone(), members.into());
    updates.insert(format_smolstr!("{key}_passed"), Value::Bool(verdict.passed));
    Ok(NodeAction::update(updates))
}

/// The assertion in the form that the path language checks.
fn wanted(assertion: &Assertion) -> jsonpath::ValueAssertion {
    match assertion {
        Assertion::Exists => jsonpath::ValueAssertion::Exists,
        Assertion::Equals(value) => jsonpath::ValueAssertion::Equals(value.clone()),
        Assertion::Matches(pattern) => {
            let pattern = pattern.as_ref().map(|pattern| pattern.value.clone()).unwrap_or_default();
            jsonpath::ValueAssertion::Matches(pattern)
        }
        Assertion::Above(bound) => jsonpath::ValueAssertion::Greater(*bound),
        Assertion::AtLeast(bound) => jsonpath::ValueAssertion::GreaterOrEqual(*bound),
        Assertion::Below(bound) => jsonpath::ValueAssertion::Less(*bound),
        Assertion::AtMost(bound) => jsonpath::ValueAssertion::LessOrEqual(*bound),
    }
}

/// The assertion in the words of the release.
fn described(assertion: &jsonpath::ValueAssertion) -> SmolStr {
    let bounded = |sign: &str, bound: &f64| format_smolstr!("{sign} {}", number_to_text(*bound));
    match assertion {
        jsonpath::ValueAssertion::Exists => "exists".into(),
        jsonpath::ValueAssertion::Equals(value) => format_smolstr!("equals {}", json(value)),
        jsonpath::ValueAssertion::Matches(pattern) => format_smolstr!("matches /{pattern}/"),
        jsonpath::ValueAssertion::Greater(bound) => bounded(">", bound),
        jsonpath::ValueAssertion::GreaterOrEqual(bound) => bounded(">=", bound),
        jsonpath::ValueAssertion::Less(bound) => bounded("<", bound),
        jsonpath::ValueAssertion::LessOrEqual(bound) => bounded("<=", bound),
    }
}

fn json(value: &Value) -> String {
    json_text(value).unwrap_or_else(|| "undefined".to_owned())
}

impl Task<Cycgraph> for Verifier {
    fn step(&mut self, wake: Wake<Output>, context: &mut TaskContext<'_, Cycgraph>) -> Flow<Output> {
        self.goes_on(wake, context).map_or(Flow::Wait, done)
    }

    fn copied(&self) -> Box<dyn Task<Cycgraph>> {
        Box::new(self.clone())
    }
}
