//! The kernel, with a system made for the test: its tasks ask, wait, begin others, are ended and pause.

use std::sync::Arc;

use nodewise_engine::ask::{Answer, Ask, Decision, ModelQuestion, ModelReply, Purpose, Question, Reply};
use nodewise_engine::event::{AskId, Event, EventKind, VisitId};
use nodewise_engine::kernel::{Flow, Kernel, Step, System, Task, TaskContext, TaskId, TimerId, Wake};
use nodewise_engine::limits::{Limit, Limits};
use nodewise_engine::outcome::{Outcome, Status};
use nodewise_engine::provider::{Provider, drive};
use nodewise_engine::replay::Recorded;
use nodewise_engine::time::Millis;
use nodewise_expr::value::{Map, Value};

/// What the workers do, by their name.
#[derive(Clone)]
struct Workshop;

impl System for Workshop {
    type Program = Vec<Worker>;
    type Output = String;
}

#[derive(Debug, Clone, Copy)]
enum Worker {
    /// Asks and is done with the answer.
    Asks(&'static str),
    /// Asks, but is done after a while at the latest.
    AsksAtMost(&'static str, u64),
    /// Begins itself again for ever.
    Spins,
}

#[derive(Clone)]
struct Work {
    worker: Worker,
    visit: VisitId,
    timer: Option<TimerId>,
}

/// Begins every worker at once, pauses when all are done, ends after the decision.
#[derive(Clone, Default)]
struct Foreman {
    waiting: Vec<TaskId>,
    heard: Vec<String>,
}

impl Task<Workshop> for Foreman {
    fn step(&mut self, wake: Wake<String>, context: &mut TaskContext<'_, Workshop>) -> Flow<String> {
        match wake {
            Wake::Start => {
                for worker in context.program().iter() {
                    let visit = context.new_visit();
                    self.waiting.push(context.begin(Box::new(Work { worker: *worker, visit, timer: None })));
                }
            }
            Wake::Child(task, said) => {
                self.waiting.retain(|waiting| *waiting != task);
                self.heard.push(format!("{}: {said}", context.now().0));
            }
            Wake::Resumed(decision) => {
                self.heard.push(decision.word.to_string());
                return Flow::End(Outcome::of(
                    Status::Completed,
                    Value::from(self.heard.join(", ").as_str()),
                ));
            }
            Wake::Cancelled => return Flow::End(Outcome::of(Status::Cancelled, Value::Null)),
            Wake::Answer(..) | Wake::Timer(_) | Wake::GivenUp => {}
        }
        match self.waiting.is_empty() {
            true => Flow::Pause(Outcome::of(Status::Waiting, Value::Null)),
            false => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Workshop>> {
        Box::new(self.clone())
    }
}

impl Task<Workshop> for Work {
    fn step(&mut self, wake: Wake<String>, context: &mut TaskContext<'_, Workshop>) -> Flow<String> {
        match (wake, self.worker) {
            (Wake::Start, Worker::Asks(agent)) => {
                context.ask(self.visit, question(agent));
                Flow::Wait
            }
            (Wake::Start, Worker::AsksAtMost(agent, most)) => {
                context.ask(self.visit, question(agent));
                self.timer = Some(context.set_timer(Millis(most)));
                Flow::Wait
            }
            (_, Worker::Spins) => {
                let again = Work { visit: context.new_visit(), ..self.clone() };
                context.begin(Box::new(again));
                Flow::Wait
            }
            (Wake::Answer(_, answer), _) => {
                if let Some(timer) = self.timer {
                    context.cancel_timer(timer);
                }
                match answer.result {
                    Ok(Reply::Model(reply)) => Flow::Done(reply.text.to_string()),
                    _ => Flow::Done("nothing".to_owned()),
                }
            }
            (Wake::Timer(_), _) => Flow::Done("too late".to_owned()),
            _ => Flow::Wait,
        }
    }

    fn copied(&self) -> Box<dyn Task<Workshop>> {
        Box::new(self.clone())
    }
}

fn question(agent: &str) -> Ask {
    let model = ModelQuestion {
        agent: agent.into(),
        purpose: Purpose::Work,
        prompt: Arc::from([]),
        tools: Arc::from([]),
        temperature: None,
        opening: None,
    };
    Ask { graph: "workshop".into(), node: agent.into(), attempt: 1, what: Question::Model(model) }
}

/// Answers `agent:after` after that time.
#[derive(Clone)]
struct Clockwork;

impl Provider for Clockwork {
    fn answer(&mut self, _id: AskId, ask: &Ask) -> Answer {
        let (name, after) = ask.node.split_once(':').unwrap_or((&ask.node, "0"));
        let reply = ModelReply { text: name.into(), ..ModelReply::default() };
        Answer { after: Millis(after.parse().unwrap()), ..Answer::now(Reply::Model(reply)) }
    }

    fn decide(&mut self, _question: &Value) -> Option<Decision> {
        Some(Decision { word: "go on".into(), data: None, updates: Map::new(), after: Millis::ZERO })
    }
}

fn kernel(workers: &[Worker], limits: Limits) -> Kernel<Workshop> {
    Kernel::new(Arc::new(workers.to_vec()), Box::new(Foreman::default()), limits, 1)
}

fn check_run(workers: &[Worker], expected: &str) -> Vec<Event> {
    let mut kernel = kernel(workers, Limits::default());
    let outcome = drive(&mut kernel, &mut Clockwork);
    assert_eq!(outcome, Outcome::of(Status::Completed, Value::from(expected)));
    kernel.take_log()
}

#[test]
fn wakes_come_by_time_and_then_in_the_order_in_which_they_were_asked_for() {
    check_run(
        &[Worker::Asks("slow:30"), Worker::Asks("quick:5"), Worker::Asks("other:5")],
        "5: quick, 5: other, 30: slow, go on",
    );
}

#[test]
fn a_timer_that_is_taken_back_does_not_hold_up_time() {
    let log = check_run(&[Worker::AsksAtMost("quick:5", 60_000)], "5: quick, go on");
    assert_eq!(log.last().unwrap().at, Millis(5));
    check_run(&[Worker::AsksAtMost("slow:70000", 60_000)], "60000: too late, go on");
}

#[test]
fn a_run_that_is_stopped_and_begun_anew_at_any_event_ends_alike() {
    let workers =
        [Worker::Asks("a:3"), Worker::AsksAtMost("b:9", 4), Worker::Asks("c:3"), Worker::Asks("d:0")];
    let whole = check_run(&workers, "0: d, 3: a, 3: c, 4: too late, go on");
    for cut in 0..=whole.len() {
        let mut again = kernel(&workers, Limits::default());
        drive(&mut again, &mut Recorded::new(&whole[..cut], Clockwork));
        assert_eq!(again.log(), whole, "after {cut} events");
    }
}

#[test]
fn a_copy_goes_on_as_the_original() {
    let workers = [Worker::Asks("a:3"), Worker::AsksAtMost("b:9", 4), Worker::Asks("c:3")];
    let whole = check_run(&workers, "3: a, 3: c, 4: too late, go on");
    let mut original = kernel(&workers, Limits::default());
    loop {
        let mut copy = original.clone();
        drive(&mut copy, &mut Clockwork);
        assert_eq!(copy.log(), whole);
        match original.step() {
            Step::Asked(id, ask) => {
                // The copy did not get the answer, and asked again for itself.
                original.answer(id, Clockwork.answer(id, &ask));
            }
            Step::Paused(_) => break,
            _ => {}
        }
    }
}

#[test]
fn work_without_end_reaches_a_limit() {
    let few = Limits { visits: 1000, ..Limits::default() };
    let outcome = drive(&mut kernel(&[Worker::Spins], few), &mut Clockwork);
    assert_eq!(outcome.status, Status::Stopped(Limit::Visits));
    let crowded = Limits { fan_out: 100, ..Limits::default() };
    let outcome = drive(&mut kernel(&[Worker::Spins], crowded), &mut Clockwork);
    assert_eq!(outcome.status, Status::Stopped(Limit::FanOut));
    let brief = Limits { time: Millis(10), ..Limits::default() };
    let outcome = drive(&mut kernel(&[Worker::Asks("slow:30")], brief), &mut Clockwork);
    assert_eq!(outcome.status, Status::Stopped(Limit::Time));
}

#[test]
fn a_run_can_be_ended_from_outside() {
    let mut kernel = kernel(&[Worker::Asks("slow:30")], Limits::default());
    assert!(matches!(kernel.step(), Step::Went));
    kernel.cancel();
    let outcome = drive(&mut kernel, &mut Clockwork);
    assert_eq!(outcome.status, Status::Cancelled);
    assert!(kernel.log().iter().any(|event| event.kind == EventKind::Cancelled));
}
