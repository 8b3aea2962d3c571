//! The events of a voice session, one after the other.
//!
//! Input: the events with their distances; output: the transcript, the turns, what the session tells, and why it ends.
//! Invariant: an event that follows at once the one that ends the session is still heard, and no other.

use std::sync::Arc;

use nodewise_expr::javascript;
use nodewise_expr::value::{Map, Value};
use smol_str::{SmolStr, format_smolstr};

use super::super::super::AgentOs;
use super::super::super::machine::MachineContext;
use super::super::super::native;
use super::Settings;
use crate::ask::SessionEvent;
use crate::kernel::{TaskContext, TimerId, TimerPlace};
use crate::time::Millis;

/// A session under way.
#[derive(Debug, Clone)]
pub(super) struct Session {
    settings: Arc<Settings>,
    node: SmolStr,
    events: Arc<[SessionEvent]>,
    position: usize,
    /// The timer of the next event, and when it is due. While nobody listens: how much time is left.
    next: Option<(TimerId, Millis)>,
    silence: Option<(TimerId, Millis)>,
    turns: f64,
    transcript: Vec<Value>,
    last_speaker: SmolStr,
}

/// What a wake resulted in.
#[derive(Debug)]
pub(super) enum Step {
    Goes,
    Ended(SmolStr),
}

/// How long nobody must speak until a session ends that waits for silence.
const SILENCE: Millis = Millis(30_000);

impl Session {
    pub(super) fn new(
        settings: Arc<Settings>,
        node: SmolStr,
        turns: f64,
        events: Vec<SessionEvent>,
    ) -> Session {
        Session {
            settings,
            node,
            events: events.into(),
            position: 0,
            next: None,
            silence: None,
            turns,
            transcript: Vec::new(),
            last_speaker: SmolStr::default(),
        }
    }

    pub(super) fn begin(&mut self, places: Option<[TimerPlace; 2]>, context: &mut TaskContext<'_, AgentOs>) {
        let first = self.events.first().map(|event| event.after);
        let silence = Some(SILENCE).filter(|_| self.settings.ends_in_silence);
        let Some([of_first, of_silence]) = places else { return };
        let mut set = |place, after: Option<Millis>| {
            after.map(|after| (context.set_timer_in_place(place, after), context.now() + after))
        };
        self.next = set(of_first, first);
        self.silence = set(of_silence, silence);
    }

    /// Continues as a task of its own, which needs new timers.
    pub(super) fn take_over(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        let now = context.now();
        let again = |(_, due): (TimerId, Millis), context: &mut TaskContext<'_, AgentOs>| {
            (context.set_timer(due - now), due)
        };
        self.next = self.next.map(|waited| again(waited, context));
        self.silence = self.silence.map(|waited| again(waited, context));
    }

    /// Continues after a timer.
    pub(super) fn go(&mut self, timer: TimerId, work: &mut MachineContext<'_, '_>) -> Step {
        if self.silence.is_some_and(|(silence, _)| silence == timer) {
            self.silence = None;
            return Step::Ended("silence-timeout".into());
        }
        if self.next.is_none_or(|(next, _)| next != timer) {
            return Step::Goes;
        }
        let Some(reason) = self.happen(work) else {
            self.wait(work.context);
            return Step::Goes;
        };
        // The runtime hears events that follow at once before it notices the end.
        if self.events.get(self.position).is_some_and(|event| event.after == Millis::ZERO) {
            self.happen(work);
        }
        self.wait(work.context);
        Step::Ended(reason)
    }

    /// Lets all events happen that are due at once: the listeners get them before the run continues.
    pub(super) fn catch_up(&mut self, work: &mut MachineContext<'_, '_>) {
        while self.events.get(self.position).is_some_and(|event| event.after == Millis::ZERO) {
            self.happen(work);
        }
        self.wait(work.context);
    }

    /// The output of the node.
    pub(super) fn output(&self, reason: &str) -> Map {
        let mut output = Map::new();
        output.insert("transcript", self.transcript.iter().cloned().collect());
        output.insert("turns", Value::Number(self.turns));
        output.insert("exitReason", Value::from(reason));
        output.insert("lastSpeaker", Value::Text(self.last_speaker.clone()));
        output
    }

    /// What the node writes to the scratch.
    pub(super) fn record(&self, reason: &str) -> Value {
        let mut record = Map::new();
        record.insert("turnIndex", Value::Number(self.turns));
        record.insert("transcript", self.transcript.iter().cloned().collect());
        record.insert("lastExitReason", Value::from(reason));
        record.insert("speakerMap", Map::new().into());
        record.insert("sessionConfig", self.settings.record.clone());
        record.into()
    }

    fn wait(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        let event = self.events.get(self.position);
        self.next = event.map(|event| (context.set_timer(event.after), context.now() + event.after));
    }

    fn watch(&mut self, context: &mut TaskContext<'_, AgentOs>) {
        if let Some((silence, _)) = self.silence.take() {
            context.cancel_timer(silence);
        }
        self.silence = Some((context.set_timer(SILENCE), context.now() + SILENCE));
    }

    /// Lets the next event happen; returns the reason if it ends the session.
    fn happen(&mut self, work: &mut MachineContext<'_, '_>) -> Option<SmolStr> {
        let event = self.events.get(self.position)?.clone();
        self.position += 1;
        let data = |key: &str| {
            javascript::member(&event.data, key).map_or(Value::Undefined, |part| part.into_owned())
        };
        match event.name.as_str() {
            "close" | "disconnected" => Some("hangup".into()),
            "interim_transcript" => {
                let speaker = data("speaker");
                self.emit_transcript(&data("text"), speaker, &data("confidence"), false, work);
                None
            }
            "final_transcript" => {
                self.hear(&data("text"), &data("speaker"), work.clock());
                let speaker = Value::Text(self.last_speaker.clone());
                self.emit_transcript(&data("text"), speaker, &data("confidence"), true, work);
                self.keyword(&data("text"))
            }
            "turn_complete" => {
                self.turns += 1.0;
                let details = [
                    ("transcript", or(data("transcript"), "")),
                    ("turnIndex", Value::Number(self.turns)),
                    ("endpointReason", or(data("reason"), "unknown")),
                ];
                emit_event(&self.node, "voice_turn_complete", details, work);
                let is_last = self.settings.max_turns > 0.0 && self.turns >= self.settings.max_turns;
                self.speak(work);
                is_last.then(|| "turns-exhausted".into())
            }
            "speech_start" => {
                self.speak(work);
                None
            }
            "barge_in" => {
                let details = [
                    ("interruptedText", or(data("interruptedText"), "")),
                    ("userSpeech", or(data("userSpeech"), "")),
                ];
                emit_event(&self.node, "voice_barge_in", details, work);
                None
            }
            _ => None,
        }
    }

    /// Someone speaks, so the time of silence starts again.
    fn speak(&mut self, work: &mut MachineContext<'_, '_>) {
        if self.settings.ends_in_silence {
            self.watch(work.context);
        }
    }

    fn hear(&mut self, text: &Value, speaker: &Value, at: Millis) {
        let speaker = or(speaker.clone(), "user");
        self.last_speaker = javascript::to_text(&speaker).into();
        let mut said = Map::new();
        said.insert("speaker", speaker);
        said.insert("text", or(text.clone(), ""));
        said.insert("timestamp", Value::Number(at.0 as f64));
        self.transcript.push(said.into());
    }

    fn keyword(&self, text: &Value) -> Option<SmolStr> {
        let Value::Text(text) = text else { return None };
        let text = text.to_lowercase();
        let found = self.settings.keywords.iter().find(|(_, lower)| text.contains(lower.as_str()));
        found.map(|(word, _)| format_smolstr!("keyword:{word}"))
    }

    fn emit_transcript(
        &self,
        text: &Value,
        speaker: Value,
        confidence: &Value,
        is_final: bool,
        work: &mut MachineContext<'_, '_>,
    ) {
        let confidence = match confidence {
            Value::Undefined | Value::Null => Value::Number(0.0),
            confidence => confidence.clone(),
        };
        let details = [
            ("text", or(text.clone(), "")),
            ("isFinal", Value::Bool(is_final)),
            ("speaker", speaker),
            ("confidence", confidence),
        ];
        emit_event(&self.node, "voice_transcript", details, work);
    }
}

/// Emits an event of the session.
pub(super) fn emit_event<const N: usize>(
    node: &SmolStr,
    name: &'static str,
    members: [(&'static str, Value); N],
    work: &mut MachineContext<'_, '_>,
) {
    let node = ("nodeId", Value::Text(node.clone()));
    let detail = native::detail(std::iter::once(node).chain(members));
    native::emit(name.into(), detail, work.context);
}

/// Emits the event that the session is over.
pub(super) fn emit_end(node: &SmolStr, reason: &str, work: &mut MachineContext<'_, '_>) {
    let members = [("action", Value::from("ended")), ("exitReason", Value::from(reason))];
    emit_event(node, "voice_session", members, work);
}

/// The value; if there is none, this text.
fn or(value: Value, otherwise: &'static str) -> Value {
    match value {
        Value::Undefined | Value::Null => Value::from(otherwise),
        value => value,
    }
}
