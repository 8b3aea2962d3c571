//! What a module built, as the program in Node tells it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;

/// What loading a module showed.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ModuleAnswer {
    /// The version of Node.
    pub node: String,
    /// The graphs, in the order in which they were built.
    pub graphs: Vec<BuiltGraph>,
    /// Ids that the packages made up, in order.
    pub minted: Vec<String>,
    /// The project's own modules that were loaded, as absolute paths.
    pub files: Vec<String>,
    /// What the module threw.
    pub fault: Option<ModuleFault>,
    /// The first call that runs a graph: what comes behind it was not executed.
    pub stopped: Option<StartedRun>,
    /// The module ended the process itself.
    pub left: Option<EndedProcess>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct BuiltGraph {
    /// The id of its system.
    pub system: String,
    /// The function or method that built it; `export`, where it is an object that the module exports.
    pub builder: String,
    /// Where it was built.
    pub place: Option<ModulePlace>,
    /// Where its nodes were made, by their ids.
    pub parts: BTreeMap<String, ModulePlace>,
    /// The names under which modules export it.
    pub exports: Vec<String>,
    /// The graph as the package has it.
    pub value: Json,
    /// The agents that the graph brings, as the package registers them.
    pub agents: Vec<Json>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ModulePlace {
    /// The absolute path.
    pub file: String,
    /// The line, from 1 on; absent where only the file is known.
    pub line: Option<u32>,
    /// The column, from 1 on, in UTF-16.
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
    /// Where, if it was in the project.
    pub place: Option<ModulePlace>,
    /// The package or module that was not found.
    #[serde(default)]
    pub missing: Option<String>,
    /// Node is too old.
    #[serde(default)]
    pub too_old: bool,
}

/// A call that runs a graph.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StartedRun {
    /// The function or method.
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
