//! What a module built, as the program in Node tells it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// The result of loading a module.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ModuleAnswer {
    /// The version of Node.
    pub node: String,
    /// The graphs, in the order in which they were built.
    pub graphs: Vec<BuiltGraph>,
    /// Ids that packages made up, in the order in which they did.
    pub minted: Vec<String>,
    /// The project's own modules that were loaded, as absolute paths.
    pub files: Vec<String>,
    /// The error that the module threw, if it threw one.
    pub fault: Option<ModuleFault>,
    /// The first call that would run a graph. Nothing after it was executed.
    pub stopped: Option<StartedRun>,
    /// How the module ended the process itself, if it did.
    pub left: Option<EndedProcess>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BuiltGraph {
    /// The id of its system.
    pub system: String,
    /// The function or method that built it. It is `export` if the module exports the graph as an object.
    pub builder: String,
    /// The place in the module where it was built.
    pub place: Option<ModulePlace>,
    /// The places where its nodes were made, by the ids of the nodes.
    pub parts: BTreeMap<String, ModulePlace>,
    /// The names under which the modules of the project export it.
    pub exports: Vec<String>,
    /// The graph as the package has it.
    pub value: Json,
    /// The agents that belong to the graph, as the package registers them.
    pub agents: Vec<Json>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ModulePlace {
    /// The absolute path.
    pub file: String,
    /// The line, from 1; `None` if only the file is known.
    pub line: Option<u32>,
    /// The column, from 1, in UTF-16 units.
    #[serde(default)]
    pub column: Option<u32>,
}

/// What a module threw.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModuleFault {
    /// The class of the error.
    pub name: String,
    /// The first line of its message.
    pub message: String,
    /// The place in the project where it was thrown, if it was thrown there.
    pub place: Option<ModulePlace>,
    /// The package or module that could not be found, if that is the error.
    #[serde(default)]
    pub missing: Option<String>,
    /// Whether the error is that Node is too old.
    #[serde(default)]
    pub too_old: bool,
}

/// A call that runs a graph.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StartedRun {
    /// The name of the function or method.
    pub what: String,
    /// Where it was called.
    pub place: Option<ModulePlace>,
}

/// The end of a process by its module.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EndedProcess {
    /// The exit code.
    pub code: Json,
    /// Where the module ended it.
    pub place: Option<ModulePlace>,
}
