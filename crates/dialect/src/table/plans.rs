//! Builders that plan: a goal, the settings of a planner and anchors become one chain of nodes. One row a style, one row an action.

use super::Builder;

/// How the collected calls of methods become the nodes and edges of a planned graph.
#[derive(Debug)]
pub struct Planning {
    /// The method that sets the goal.
    pub goal: &'static str,
    /// The method that sets the planner's settings.
    pub planner: &'static str,
    /// The method that sets the settings for all nodes.
    pub policy: &'static str,
    /// The method that adds an anchor: a node with its position in the plan. The arguments are its id, the node, and the
    /// position.
    pub anchor: &'static str,
    /// The two nested keys under which the planner's settings have an explicit list of steps.
    pub steps: [&'static str; 2],
    /// The planner's setting for the style of the plan. Only used without an explicit list of steps.
    pub style: &'static str,
    /// The styles. Without a style, the first one with an opening that fits the goal is taken.
    pub styles: &'static [PlanStyle],
    /// The style for a goal that ends with a question mark, and the maximum length of such a goal in UTF-16 units.
    pub question: (&'static str, usize),
    /// The style for all other goals.
    pub other_style: &'static str,
    /// The key of a step for its action.
    pub action: &'static str,
    /// The actions of steps. Steps of a style have the first one.
    pub actions: &'static [PlanAction],
    /// The key of a step, or of an anchor's position, for the phase in which it runs.
    pub phase: &'static str,
    /// The phases, in the order in which they run.
    pub phases: &'static [&'static str],
    /// The key of an anchor's position for the step after which it runs.
    pub after: &'static str,
    /// The key of a step for its number of rounds, and the planner's setting that limits it.
    pub rounds: [&'static str; 2],
    /// The key of a step for its instructions.
    pub instructions: &'static str,
    /// The planner's settings that apply to every step.
    pub shared: &'static [&'static str],
    /// The key of the guardrails for all nodes.
    pub guardrails: &'static str,
    /// The key of a node for its guardrails, and how they are converted.
    pub guarded: (&'static str, Builder),
    /// The path of the setting for the isolation of the memory, the key of the graph for it, and its default.
    pub consistency: ([&'static str; 2], &'static str, &'static str),
    /// The edge from one node to the next.
    pub edge: Builder,
    /// The ids of the start and the end.
    pub ends: [&'static str; 2],
}

/// A built-in plan.
#[derive(Debug)]
pub struct PlanStyle {
    pub name: &'static str,
    /// The beginnings of goals for which the style is chosen.
    pub openings: &'static [GoalOpening],
    /// The steps: id, phase, and number of rounds.
    pub steps: &'static [(&'static str, &'static str, f64)],
}

/// A beginning of a goal.
#[derive(Debug)]
pub struct GoalOpening {
    /// For each word of the beginning, the possible words in lower case.
    pub words: &'static [&'static [&'static str]],
    /// Whether another word must follow.
    pub goes_on: bool,
}

/// The action of a step.
#[derive(Debug)]
pub struct PlanAction {
    pub word: &'static str,
    /// How the step is converted to a node.
    pub node: Builder,
}

/// An opening with these possible words.
pub const fn opening(words: &'static [&'static [&'static str]]) -> GoalOpening {
    GoalOpening { words, goes_on: false }
}

impl GoalOpening {
    /// Requires that another word follows.
    pub const fn goes_on(self) -> GoalOpening {
        GoalOpening { goes_on: true, ..self }
    }

    /// Whether a text in lower case has this beginning.
    #[must_use]
    pub fn begins(&self, text: &str) -> bool {
        let is_blank = |letter: char| letter.is_whitespace() || letter == '\u{feff}';
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let mut rest = text;
        for (position, choices) in self.words.iter().enumerate() {
            if position > 0 {
                let behind = rest.trim_start_matches(is_blank);
                if behind.len() == rest.len() {
                    return false;
                }
                rest = behind;
            }
            let word = rest.split(|letter| !is_part(letter)).next().unwrap_or_default();
            if !choices.contains(&word) {
                return false;
            }
            rest = rest.get(word.len()..).unwrap_or_default();
        }
        let behind = rest.trim_start_matches(is_blank);
        !self.goes_on || behind.len() < rest.len() && behind.starts_with(is_part)
    }
}

impl Planning {
    /// The style that is chosen for a goal.
    #[must_use]
    pub fn style_of(&self, goal: &str) -> &'static str {
        let goal = goal.trim_matches(|letter: char| letter.is_whitespace() || letter == '\u{feff}');
        let goal = goal.to_lowercase();
        let fits = |style: &&PlanStyle| style.openings.iter().any(|opening| opening.begins(&goal));
        let (style, longest) = self.question;
        match self.styles.iter().find(fits) {
            Some(style) => style.name,
            None if goal.ends_with('?') && goal.encode_utf16().count() <= longest => style,
            None => self.other_style,
        }
    }
}
