//! A person decides, or what the document names instead of a person.
//!
//! Input: a judge's verdict, guardrails that may veto an approval, the node's time limit; as documented, the person's
//! answer. Output: an approval or a rejection, or a run that waits. Invariant: in the release nothing feeds a
//! person's answer back; the run ends with the question.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_expr::{javascript, json};
use nodewise_model::work::HumanWork;
use smol_str::{SmolStr, format_smolstr};

use super::super::Output;
use super::super::machine::{Machine, MachineContext, Progress};
use super::super::result::NodeResult;
use super::super::turns;
use crate::ask::{
    Answer, Decision, GuardrailQuestion, HumanQuestion, Message, ModelQuestion, ModelReply, Purpose,
    Question, Reply, Role, Verdict,
};
use crate::event::AskId;
use crate::kernel::Wake;

/// A decision of a person.
#[derive(Debug, Clone)]
pub(super) struct Human {
    settings: Arc<Settings>,
    asked: Option<(AskId, Asked)>,
}

#[derive(Debug)]
struct Settings {
    prompt: Option<SmolStr>,
    accepts: bool,
    rejects: Option<SmolStr>,
    judge: Option<Judge>,
    on_timeout: SmolStr,
    may_veto: bool,
}

#[derive(Debug)]
struct Judge {
    criteria: SmolStr,
    threshold: f64,
    /// Whether the release can tell which model is meant.
    has_model: bool,
    provider: SmolStr,
}

#[derive(Debug, Clone)]
enum Asked {
    Judge,
    /// Waits for guardrails, which may veto this approval.
    Veto(Value),
    Person,
}

/// The confidence that a judge needs if the document does not say.
const THRESHOLD: f64 = 0.7;
/// The criteria of a judge if the document does not give any.
const CRITERIA: &str = "Is the action safe, relevant and appropriate?";
/// The guardrails that may veto, whatever the document says.
const VETO: [&str; 2] = ["pii-redaction", "code-safety"];
const APPROVED: &str = "approved";

impl Human {
    pub(super) fn new(work: &HumanWork) -> Human {
        let automation = work.automation.clone().unwrap_or_default();
        let judge = automation.judge.map(|judge| {
            let is_named = judge.model.as_ref().is_some_and(|model| !model.value.trim().is_empty());
            let provider = judge.provider.map(|provider| provider.value).unwrap_or_default();
            let name = provider.trim().to_lowercase();
            Judge {
                criteria: judge.criteria.map_or(CRITERIA.into(), |criteria| criteria.value),
                threshold: judge.threshold.map_or(THRESHOLD, |threshold| threshold.value),
                has_model: is_named || matches!(name.as_str(), "" | "openai"),
                provider: name.into(),
            }
        });
        let settings = Settings {
            prompt: work.prompt.as_ref().map(|prompt| prompt.value.clone()),
            accepts: automation.auto_accept.is_some_and(|accepts| accepts.value),
            rejects: automation.auto_reject.map(|reason| match reason.value.as_str() {
                "" => "Auto-rejected".into(),
                _ => reason.value,
            }),
            judge,
            on_timeout: automation.on_timeout.map(|word| word.value).unwrap_or_default(),
            may_veto: automation.guardrails_may_veto,
        };
        Human { settings: Arc::new(settings), asked: None }
    }

    fn begin(&mut self, work: &mut MachineContext<'_, '_>) -> Progress {
        let settings = self.settings.clone();
        if settings.accepts {
            return self.approve(verdict(true, None, "auto-accept"), work);
        }
        if let Some(reason) = &settings.rejects {
            return Progress::done(NodeResult::done(verdict(false, Some(reason), "auto-reject")));
        }
        match &settings.judge {
            None => self.ask_person(work),
            Some(judge) if !judge.has_model => Progress::Thrown(format_smolstr!(
                "the judge of node `{}` names the provider `{}`, but no model",
                work.node().name,
                judge.provider
            )),
            Some(judge) => {
                let messages = [
                    Message::new(Role::System, Value::Text(judge.criteria.clone())),
                    Message::new(Role::Human, prompt_of(&settings)),
                ];
                self.asked = Some((
                    work.ask(Question::Model(judge_question(&work.node().name, messages))),
                    Asked::Judge,
                ));
                Progress::Wait
            }
        }
    }

    /// Approves without a person; guardrails may veto it.
    fn approve(&mut self, approval: Value, work: &mut MachineContext<'_, '_>) -> Progress {
        if !self.settings.may_veto || !work.host().guardrails {
            work.turns.take(turns::FUNCTION);
            return Progress::done(NodeResult::done(approval));
        }
        let mut content = Map::new();
        content.insert("prompt", prompt_of(&self.settings));
        content.insert("approval", approval.clone());
        let guardrails = VETO.iter().map(|name| SmolStr::new_static(name)).collect();
        let question = GuardrailQuestion { guardrails, content: content.into() };
        self.asked = Some((work.ask(Question::Guardrail(question)), Asked::Veto(approval)));
        Progress::Wait
    }

    /// Asks a person. As documented the person answers; in the release the run waits.
    fn ask_person(&mut self, work: &mut MachineContext<'_, '_>) -> Progress {
        if !work.is_documented() {
            return Progress::done(self.interrupt());
        }
        let prompt = self.settings.prompt.clone().unwrap_or_default();
        let question = HumanQuestion { prompt, review: work.state().shown() };
        self.asked = Some((work.ask(Question::Human(question)), Asked::Person));
        Progress::Wait
    }

    fn interrupt(&self) -> NodeResult {
        let mut output = Map::new();
        if let Some(prompt) = &self.settings.prompt {
            output.insert("prompt", Value::Text(prompt.clone()));
        }
        NodeResult {
            success: false,
            interrupt: true,
            error: Some("Awaiting human input".into()),
            ..NodeResult::done(output.into())
        }
    }

    fn answered(&mut self, asked: Asked, answer: Answer, work: &mut MachineContext<'_, '_>) -> Progress {
        if let Asked::Veto(_) = &asked {
            work.turns.take(turns::VETO);
        }
        match (asked, answer.result) {
            (Asked::Judge, Ok(Reply::Model(reply))) => self.judged(&reply, work),
            (Asked::Judge, _) => self.ask_person(work),
            (Asked::Veto(approval), Ok(Reply::Verdict(verdict))) if verdict.passed => {
                Progress::done(NodeResult::done(approval))
            }
            (Asked::Veto(_), Ok(Reply::Verdict(verdict))) => {
                Progress::done(vetoed(&verdict, &work.node().name))
            }
            (Asked::Veto(_), Ok(_)) => Progress::Thrown("the guardrails gave no verdict".into()),
            (Asked::Veto(_), Err(failure)) => Progress::Thrown(failure.message),
            (Asked::Person, Ok(Reply::Decision(decision))) => Progress::done(decided(&decision)),
            (Asked::Person, Ok(Reply::Value(Value::Map(output)))) => {
                Progress::done(NodeResult::done(Value::Map(output)))
            }
            (Asked::Person, _) => Progress::done(self.interrupt()),
        }
    }

    /// Follows the judge if it is sure enough; otherwise asks the person.
    fn judged(&mut self, reply: &ModelReply, work: &mut MachineContext<'_, '_>) -> Progress {
        let threshold = self.settings.judge.as_ref().map_or(THRESHOLD, |judge| judge.threshold);
        let found = reply.value.clone().or_else(|| object_in(&reply.text));
        let Some(Value::Map(found)) = found else { return self.ask_person(work) };
        let is_sure =
            matches!(found.get("confidence"), Some(Value::Number(confidence)) if *confidence >= threshold);
        let Some(Value::Bool(approves)) = found.get(APPROVED).filter(|_| is_sure) else {
            return self.ask_person(work);
        };
        let approves = *approves;
        let mut output = (*found).clone();
        output.insert("decidedBy", Value::from("llm-judge"));
        match approves {
            true => self.approve(output.into(), work),
            false => Progress::done(NodeResult::done(output.into())),
        }
    }
}

impl Machine for Human {
    fn go(&mut self, wake: Wake<Output>, work: &mut MachineContext<'_, '_>) -> Progress {
        match wake {
            Wake::Start => self.begin(work),
            Wake::Answer(id, answer) => match self.asked.take() {
                Some((asked, what)) if asked == id => self.answered(what, answer, work),
                // The question was asked before the time limit was over.
                other => {
                    self.asked = other;
                    Progress::Wait
                }
            },
            _ => Progress::Wait,
        }
    }

    fn timed_out(&mut self, error: SmolStr, work: &mut MachineContext<'_, '_>) -> Progress {
        match self.settings.on_timeout.as_str() {
            "accept" => self.approve(verdict(true, None, "timeout-accept"), work),
            "reject" => Progress::done(NodeResult::done(verdict(false, Some("Timed out"), "timeout-reject"))),
            _ => Progress::done(NodeResult::failed(error)),
        }
    }

    fn copied(&self) -> Box<dyn Machine> {
        Box::new(self.clone())
    }
}

/// The node's result for a person's decision, as documented.
pub(in super::super) fn decided(decision: &Decision) -> NodeResult {
    let mut output = Map::new();
    output.insert(APPROVED, Value::Bool(decision.word == APPROVED));
    output.insert("decision", Value::Text(decision.word.clone()));
    if let Some(data) = &decision.data {
        output.insert("data", data.clone());
    }
    output.insert("decidedBy", Value::from("human"));
    let updates = Some(&decision.updates).filter(|updates| !updates.is_empty());
    NodeResult { scratch: updates.map(|updates| updates.clone().into()), ..NodeResult::done(output.into()) }
}

fn verdict(approved: bool, reason: Option<&str>, by: &'static str) -> Value {
    let mut verdict = Map::new();
    verdict.insert(APPROVED, Value::Bool(approved));
    if let Some(reason) = reason {
        verdict.insert("reason", Value::from(reason));
    }
    verdict.insert("decidedBy", Value::from(by));
    verdict.into()
}

fn prompt_of(settings: &Settings) -> Value {
    settings.prompt.clone().map_or(Value::Undefined, Value::Text)
}

fn judge_question(node: &SmolStr, messages: [Message; 2]) -> ModelQuestion {
    ModelQuestion {
        agent: node.clone(),
        purpose: Purpose::Judge,
        prompt: messages.into(),
        tools: [].into(),
        temperature: None,
        opening: None,
    }
}

/// The node's result if guardrails veto an approval.
fn vetoed(verdict: &Verdict, node: &SmolStr) -> NodeResult {
    let results = match &verdict.results {
        Value::List(results) => results.iter(),
        _ => [].iter(),
    };
    let reason_of = |result: &Value| javascript::member(result, "reason").map(|reason| reason.into_owned());
    let reasons = results.filter_map(reason_of).filter(javascript::is_truthy);
    let reasons: Vec<String> = reasons.map(|reason| javascript::to_text(&reason)).collect();
    let reason = match reasons.is_empty() {
        true => "Blocked by post-approval guardrail".to_owned(),
        false => reasons.join("; "),
    };
    let mut event = Map::new();
    event.insert("type", Value::from("guardrail:hitl-override"));
    event.insert("nodeId", Value::Text(node.clone()));
    event.insert("guardrailId", Value::from(VETO.join(",").as_str()));
    event.insert("reason", Value::from(reason.as_str()));
    let reason = format!("Guardrail override: {reason}");
    let output = self::verdict(false, Some(&reason), "guardrail-override");
    NodeResult { events: vec![event.into()], ..NodeResult::done(output) }
}

/// The JSON object in a text, from its first brace to its last one.
fn object_in(text: &str) -> Option<Value> {
    let object = text.get(text.find('{')?..=text.rfind('}')?)?;
    serde_json::from_str(object).ok().map(json::from_json)
}
