//! What the debug console shows of a run.

use nodewise_debugger::frames::FrameKind;
use nodewise_debugger::stops::StopKind;
use nodewise_debugger::stops::stop_at;
use nodewise_debugger::variables::{Contents, shown, shown_whole};
use nodewise_engine::event::EventKind;
use nodewise_expr::value::Value as Data;
use nodewise_model::Origin;
use nodewise_simulation::words;
use serde_json::{Value, json};

use super::DebugSession;
use crate::launch::TimelineOutput;

/// The maximum number of lines that the console shows for one move.
const LINES_MAX: usize = 500;

impl DebugSession<'_> {
    /// Writes to the debug console.
    pub(crate) fn output(&mut self, category: &str, text: &str, at: Option<Origin>) {
        let mut body = json!({"category": category, "output": text});
        if let (Value::Object(members), Some(run), Some(at)) = (&mut body, &self.run, at)
            && let Some(source) = run.files.source(at.source, self.counting, self.launcher)
            && let Some(((line, column), _)) = run.files.span(at, self.counting)
        {
            members.insert("source".to_owned(), source);
            members.insert("line".to_owned(), line.into());
            members.insert("column".to_owned(), column.into());
        }
        self.event("output", body);
    }

    /// Shows what the run did since the last call, up to the cursor. While a move is under way, up to the event
    /// before the last one.
    pub(super) fn show_timeline(&mut self) {
        let Some(run) = &mut self.run else { return };
        let debugger = &run.debugger;
        let log = debugger.timeline().log();
        let is_over = debugger.timeline().outcome().is_some();
        let until = match debugger.is_running() {
            true => log.len().saturating_sub(1),
            false => debugger.cursor().position + 1,
        };
        let until = until.min(log.len());
        let from = run.shown;
        run.shown = from.max(until);
        let wanted = self.arguments.timeline;
        if wanted == TimelineOutput::Off || from >= until {
            return;
        }
        let mut lines: Vec<(String, Option<Origin>)> = Vec::new();
        let mut left_out = 0;
        let stacks = debugger.stacks();
        for position in from..until {
            let Some(kind) = stop_at(log, position, is_over) else { continue };
            if wanted == TimelineOutput::Nodes && kind != StopKind::Node {
                continue;
            }
            if lines.len() == LINES_MAX {
                left_out += 1;
                continue;
            }
            let at = log.get(position).map(|event| event.at).unwrap_or_default();
            let frames = stacks.frames(position, 0, stacks.lane(position));
            let place = frames.first().and_then(|frame| frame.at);
            let indent = "  ".repeat(stacks.depth(position).min(16) as usize);
            lines.push((format!("{:>10}  {indent}{}\n", words::time(at), debugger.what(position)), place));
        }
        if left_out > 0 {
            lines.push((format!("… {left_out} more\n"), None));
        }
        for (text, at) in lines {
            self.output("console", &text, at);
        }
    }

    /// Shows what breakpoints log, from a position up to the cursor.
    pub(super) fn show_logged(&mut self, from: usize) {
        let Some(run) = &self.run else { return };
        let debugger = &run.debugger;
        let until = debugger.cursor().position + 1;
        let mut lines = Vec::new();
        for (position, breakpoint) in debugger.breakpoints.logged(from, until).into_iter().take(LINES_MAX) {
            let Some(message) = &breakpoint.spec.log else { continue };
            let stacks = debugger.stacks();
            let frames = stacks.frames(position, 0, stacks.lane(position));
            let Some(frame) = frames.first() else { continue };
            let contents = Contents::of(stacks, frame);
            let mut text = String::new();
            for (before, expression) in &message.parts {
                text.push_str(before);
                if let Some(expression) = expression {
                    text.push_str(&match contents.view().evaluate(expression).map(|found| found.value) {
                        Ok(Ok(Data::Text(value))) => value.to_string(),
                        Ok(Ok(value)) => shown(&value),
                        Ok(Err(failure)) => format!("<{}>", failure.message),
                        Err(message) => format!("<{message}>"),
                    });
                }
            }
            lines.push((text + "\n", frame.at));
        }
        for (text, at) in lines {
            self.output("console", &text, at);
        }
    }

    /// Reports each breakpoint whose condition had no value, once.
    pub(super) fn report_failures(&mut self) {
        let Some(run) = &mut self.run else { return };
        let mut lines = Vec::new();
        for breakpoint in run.debugger.breakpoints.iter() {
            if let Some(message) = &breakpoint.failure
                && !run.reported.contains(&breakpoint.id)
            {
                let condition = breakpoint.spec.condition.as_deref().unwrap_or_default();
                lines.push((
                    breakpoint.id,
                    format!("the condition `{condition}` of a breakpoint has no value: {message}\n"),
                ));
            }
        }
        run.reported.extend(lines.iter().map(|(id, _)| *id));
        for (_, text) in lines {
            self.output("important", &text, None);
        }
    }

    /// Explains the current event for the console: all of a question, or the parts of a condition.
    pub(crate) fn explained(&self) -> Option<String> {
        let run = self.run.as_ref()?;
        let debugger = &run.debugger;
        let position = debugger.cursor().position;
        let frames = debugger.frames(debugger.lane());
        let frame = frames.first()?;
        let mut text = format!("{}\n", debugger.what(position));
        if let Some(EventKind::EdgeJudged { reason, .. }) =
            debugger.timeline().log().get(position).map(|event| &event.kind)
        {
            text.extend(reason.as_ref().map(|reason| format!("  {reason}\n")));
            for part in debugger.stacks().parts(position) {
                let value = part.value.map_or_else(|message| message, |value| shown(&value));
                text.push_str(&format!("  {} = {value}\n", part.text));
            }
        }
        if frame.kind == FrameKind::Question
            && let Some(ask) = debugger.stacks().question(position)
        {
            let question = nodewise_simulation::render::json::question(&ask.what);
            text.push_str(&shown_whole(&nodewise_expr::json::from_json(question)));
            text.push('\n');
        }
        Some(text)
    }
}
