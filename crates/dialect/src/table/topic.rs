//! What changes of declarations are about, for people who review them.

/// The topic of a change, for reviewers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReviewTopic {
    /// When something is followed or passes.
    Condition,
    /// What may be used, read or written.
    Grant,
    /// A text for a model or a person.
    Prompt,
    /// Which model answers, and how.
    Model,
    /// What something may cost, and how often it may repeat.
    Budget,
    /// What happens around the work: failures, memory, guardrails.
    Policy,
    /// Anything else.
    Setting,
}

impl ReviewTopic {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ReviewTopic::Condition => "condition",
            ReviewTopic::Grant => "grant",
            ReviewTopic::Prompt => "prompt",
            ReviewTopic::Model => "model",
            ReviewTopic::Budget => "budget",
            ReviewTopic::Policy => "policy",
            ReviewTopic::Setting => "setting",
        }
    }
}
