//! Builders that plan: a goal, the settings of a planner and anchors become one chain of nodes. One row a style, one row an action.

use super::Builder;

/// How what methods keep becomes the nodes and edges of a graph.
#[derive(Debug)]
pub struct Planning {
    /// The method that takes the goal.
    pub goal: &'static str,
    /// The method that takes the settings of the planner.
    pub planner: &'static str,
    /// The method that takes what counts for all nodes.
    pub policy: &'static str,
    /// The method that takes a node with its place: its id, the node, the place.
    pub anchor: &'static str,
    /// Where the settings of the planner have a list of steps.
    pub steps: [&'static str; 2],
    /// The setting of the planner that names a style, which counts without a list of steps.
    pub style: &'static str,
    /// The styles. The first one with a fitting opening counts for a goal without a style.
    pub styles: &'static [PlanStyle],
    /// The style of a goal that ends with a question mark and has no more than so many units of UTF-16.
    pub question: (&'static str, usize),
    /// The style of every other goal.
    pub other_style: &'static str,
    /// The key of a step that says what it does.
    pub action: &'static str,
    /// What steps do. The first one is that of the steps of a style.
    pub actions: &'static [PlanAction],
    /// The key of a step, and of an anchor's place, that says when it runs.
    pub phase: &'static str,
    /// The phases, in order.
    pub phases: &'static [&'static str],
    /// The key of an anchor's place with the step before it.
    pub after: &'static str,
    /// The rounds that a step asks for, and the setting of the planner that limits them.
    pub rounds: [&'static str; 2],
    /// The instructions of a step.
    pub instructions: &'static str,
    /// Settings of the planner that count for every step.
    pub shared: &'static [&'static str],
    /// The guardrails of all nodes.
    pub guardrails: &'static str,
    /// The key of a node for its guardrails, and what stands there.
    pub guarded: (&'static str, Builder),
    /// Where the policy says how the memory is isolated, the key of the graph for that, and what it is otherwise.
    pub consistency: ([&'static str; 2], &'static str, &'static str),
    /// An edge from one node to the next.
    pub edge: Builder,
    /// The ids of the start and of the end.
    pub ends: [&'static str; 2],
}

/// A fixed plan.
#[derive(Debug)]
pub struct PlanStyle {
    pub name: &'static str,
    /// How goals begin for which it counts.
    pub openings: &'static [GoalOpening],
    /// Its steps: the id, the phase, the rounds.
    pub steps: &'static [(&'static str, &'static str, f64)],
}

/// How a goal begins.
#[derive(Debug)]
pub struct GoalOpening {
    /// The choices for each word, in small letters.
    pub words: &'static [&'static [&'static str]],
    /// Whether another word has to follow.
    pub goes_on: bool,
}

/// What a step does.
#[derive(Debug)]
pub struct PlanAction {
    pub word: &'static str,
    /// How the step becomes a node.
    pub node: Builder,
}

/// An opening with these choices for each word.
pub const fn opening(words: &'static [&'static [&'static str]]) -> GoalOpening {
    GoalOpening { words, goes_on: false }
}

impl GoalOpening {
    /// Another word has to follow.
    pub const fn goes_on(self) -> GoalOpening {
        GoalOpening { goes_on: true, ..self }
    }

    /// Whether a text in small letters begins so.
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
    /// The style of a goal.
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
