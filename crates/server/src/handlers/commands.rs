//! Commands.
//!
//! Input: nothing. Output: their names, each with its purpose. Invariant: every command that is announced is answered.

/// The commands, each with its purpose.
pub(crate) const COMMANDS: &[(&str, &str)] = &[
    (EXPLAIN, "the documentation of a rule"),
    (REFRESH, "checks all files and reloads those that changed"),
    (
        STATUS,
        "the state of the server: folders, projects, files, open documents; what it does with a document",
    ),
    (GRAPH, "a graph as data: nodes and edges with their locations"),
    (MARK_GRAPH, "a graph with marks: changes since a commit, the path of a finding, the lineage of a key"),
    (EDIT_GRAPH, "changes a graph: adds, moves, renames or deletes nodes and edges"),
    (NODE_KINDS, "the kinds of nodes that can be added to a graph"),
    (
        EDIT_CONDITION,
        "helps to write the condition of an edge: completions, problems, its value in the last run",
    ),
    (LAYOUT, "the layout of a drawing: positions of nodes and edges"),
    (EVALUATE, "evaluates an expression with a given state"),
    (SIMULATE, "simulates a graph: trace and timeline"),
    (SCRIPTS, "lists the scripts that can answer in simulations of a file"),
    (INPUT_SCHEMA, "the JSON Schema of the input of a run"),
    (RUN, "runs a graph with real models, tools and people, and records it"),
    (REQUEST, "shows what a node would send to its models in a live run, without sending it"),
    (RESUME, "resumes a live run"),
    (PIN, "pins the output of a node of a live run for later live runs"),
    (UNPIN, "lets nodes ask again in live runs"),
    (RUNS, "lists the live runs of the projects"),
    (HISTORY, "lists the runs of this session and the live runs of the projects"),
    (SHOW_RUN, "shows a run of the history again"),
    (COMPARE, "compares two runs: path, prompts, answers, state, cost"),
    (TEST, "runs scenarios: results and coverage"),
    (STATE_AT, "the state of a run after one of its events"),
    (SCENARIO, "converts a run to a scenario"),
    (CLEAR_RUN, "removes the results of the last runs"),
];

/// The names of the commands that this build announces.
pub(crate) fn announced() -> impl Iterator<Item = &'static str> {
    let is_live = |name: &str| matches!(name, RUN | REQUEST | RESUME | PIN | UNPIN | RUNS);
    COMMANDS.iter().map(|(name, _)| *name).filter(move |name| crate::HAS_LIVE || !is_live(name))
}

/// Explains a rule.
pub(crate) const EXPLAIN: &str = "nodewise.explain";
/// Checks all files again and reloads changed ones.
pub(crate) const REFRESH: &str = "nodewise.refresh";
/// Returns the state of the server.
pub(crate) const STATUS: &str = "nodewise.status";

/// Returns a graph as data.
pub(crate) const GRAPH: &str = "nodewise.graph";
/// Returns a graph with marks.
pub(crate) const MARK_GRAPH: &str = "nodewise.markGraph";
/// Changes a graph.
pub(crate) const EDIT_GRAPH: &str = "nodewise.editGraph";
/// Lists the kinds of nodes that can be added to a graph.
pub(crate) const NODE_KINDS: &str = "nodewise.nodeKinds";
/// Helps to write the condition of an edge.
pub(crate) const EDIT_CONDITION: &str = "nodewise.editCondition";
/// Computes the layout of a drawing.
pub(crate) const LAYOUT: &str = "nodewise.layout";
/// Evaluates an expression.
pub(crate) const EVALUATE: &str = "nodewise.evaluate";
/// Simulates a graph.
pub(crate) const SIMULATE: &str = "nodewise.simulate";

/// Lists the scripts for a file.
pub(crate) const SCRIPTS: &str = "nodewise.scripts";

/// Returns the JSON Schema of the input of a run.
pub(crate) const INPUT_SCHEMA: &str = "nodewise.inputSchema";

/// Runs a graph with real models, tools and people.
pub(crate) const RUN: &str = "nodewise.run";
/// Shows what a node would send to its models.
pub(crate) const REQUEST: &str = "nodewise.request";
/// Resumes a live run.
pub(crate) const RESUME: &str = "nodewise.resume";
/// Pins the output of a node for later live runs.
pub(crate) const PIN: &str = "nodewise.pin";
/// Removes pins.
pub(crate) const UNPIN: &str = "nodewise.unpin";
/// Lists live runs.
pub(crate) const RUNS: &str = "nodewise.runs";

/// Lists dry and live runs.
pub(crate) const HISTORY: &str = "nodewise.history";
/// Shows a run again.
pub(crate) const SHOW_RUN: &str = "nodewise.showRun";
/// Compares two runs.
pub(crate) const COMPARE: &str = "nodewise.compare";

/// Runs scenarios.
pub(crate) const TEST: &str = "nodewise.test";
/// Returns the state of a run after one of its events.
pub(crate) const STATE_AT: &str = "nodewise.stateAt";
/// Converts a kept run to a scenario.
pub(crate) const SCENARIO: &str = "nodewise.scenario";
/// Removes the results of runs from texts.
pub(crate) const CLEAR_RUN: &str = "nodewise.clearRun";
