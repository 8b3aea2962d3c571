//! The phases of a scenario on a run that waits: it resumes with the answers of each phase.
//!
//! Input: a run and a scenario; output: the recording of the run, and one for each phase. Invariant: a phase that the system
//! does not have is a fault that says so.

use nodewise_engine::outcome::Status;
use nodewise_model::scenario::{AnswerPart, Answers, Phase, Respondent, Scenario};

use crate::recording::Recording;
use crate::run::Run;
use crate::script::scripting;
use crate::target::TargetError;

/// The word of a phase that resumes the run where it stopped.
pub(crate) const RUN: &str = "run";

/// Runs the phases of a run that waits for people.
pub(crate) fn resume_waiting(
    mut run: Run,
    scenario: &Scenario,
    look: &mut dyn FnMut(&Run) -> bool,
) -> Result<Vec<Recording>, TargetError> {
    let mut recordings = Vec::new();
    for phase in &scenario.phases {
        let outcome = run.drive(&mut *look);
        let is_plain = phase.fork.is_none() && phase.resume.as_ref().is_none_or(|resume| resume.value == RUN);
        if !is_plain {
            return Err(TargetError::new(format!(
                "runs of {} save no checkpoints; write `resume: {RUN}` to resume the run",
                run.facts().system.dialect().title
            )));
        }
        if outcome.status != Status::Waiting {
            return Err(TargetError::new(format!(
                "the run is {} and cannot be resumed",
                outcome.status.word()
            )));
        }
        recordings.push(run.clone().recording(outcome));
        let answers = Answers { parts: phase.nodes.clone(), ..Answers::default() };
        let charts = run.facts().charts.clone();
        run.take_answers(scripting(&answers, &charts));
    }
    let outcome = run.drive(&mut *look);
    recordings.push(run.recording(outcome));
    Ok(recordings)
}

/// Replaces the script's answers for nodes by those of a phase.
pub(crate) fn put_over(answers: &mut Answers, phase: &Phase) {
    let name = |part: &AnswerPart| {
        (
            part.name.as_ref().map(|name| name.value.clone()),
            part.graph.as_ref().map(|graph| graph.value.clone()),
        )
    };
    let is_replaced = |part: &AnswerPart| {
        part.subject == Respondent::Node && phase.nodes.iter().any(|own| name(own) == name(part))
    };
    answers.parts.retain(|part| !is_replaced(part));
    answers.parts.extend(phase.nodes.iter().cloned());
}
