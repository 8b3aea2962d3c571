//! The arguments of requests. Clients leave them out, send `null`, or an empty object: all three are the same.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::refusal::{Refusal, RefusalKind};

/// Reads the arguments of a request.
pub(crate) fn read<A: DeserializeOwned>(arguments: &Value) -> Result<A, Refusal> {
    let empty = Value::Object(Map::new());
    let arguments = if arguments.is_null() { &empty } else { arguments };
    A::deserialize(arguments).map_err(|error| {
        Refusal::new(RefusalKind::BadArguments, format!("the arguments cannot be read: {error}"))
    })
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Initialize {
    #[serde(rename = "clientID")]
    pub(crate) client_id: Option<String>,
    pub(crate) lines_start_at1: Option<bool>,
    pub(crate) columns_start_at1: Option<bool>,
    pub(crate) path_format: Option<String>,
    pub(crate) supports_progress_reporting: bool,
    pub(crate) supports_start_debugging_request: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SourceName {
    pub(crate) path: Option<String>,
    pub(crate) source_reference: Option<u64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SetBreakpoints {
    pub(crate) source: SourceName,
    pub(crate) breakpoints: Vec<SourceBreakpoint>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SourceBreakpoint {
    pub(crate) line: i64,
    #[serde(default)]
    pub(crate) column: Option<i64>,
    #[serde(flatten)]
    pub(crate) when: BreakpointConditions,
}

#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct BreakpointConditions {
    pub(crate) condition: Option<String>,
    pub(crate) hit_condition: Option<String>,
    pub(crate) log_message: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetFunctionBreakpoints {
    pub(crate) breakpoints: Vec<FunctionBreakpoint>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct FunctionBreakpoint {
    pub(crate) name: String,
    #[serde(flatten)]
    pub(crate) when: BreakpointConditions,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SetExceptionBreakpoints {
    pub(crate) filters: Vec<String>,
    pub(crate) filter_options: Vec<FilterOption>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FilterOption {
    pub(crate) filter_id: String,
    #[serde(default)]
    pub(crate) condition: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct SetDataBreakpoints {
    pub(crate) breakpoints: Vec<DataBreakpoint>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpoint {
    pub(crate) data_id: String,
    #[serde(default)]
    pub(crate) access_type: Option<String>,
    #[serde(flatten)]
    pub(crate) when: BreakpointConditions,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DataBreakpointInfo {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) variables_reference: Option<i64>,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Lines {
    pub(crate) source: SourceName,
    pub(crate) line: i64,
    pub(crate) end_line: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Step {
    pub(crate) granularity: Option<String>,
    /// What to step into: the id of a target that `stepInTargets` returned.
    pub(crate) target_id: Option<usize>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Cancel {
    pub(crate) progress_id: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct StackTrace {
    pub(crate) thread_id: i64,
    #[serde(default)]
    pub(crate) start_frame: Option<usize>,
    #[serde(default)]
    pub(crate) levels: Option<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct OfFrame {
    pub(crate) frame_id: i64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Goto {
    pub(crate) target_id: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Variables {
    pub(crate) variables_reference: i64,
    #[serde(default)]
    pub(crate) filter: Option<String>,
    #[serde(default)]
    pub(crate) start: Option<usize>,
    #[serde(default)]
    pub(crate) count: Option<usize>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetVariable {
    pub(crate) variables_reference: i64,
    pub(crate) name: String,
    pub(crate) value: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SetExpression {
    pub(crate) expression: String,
    pub(crate) value: String,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Evaluate {
    pub(crate) expression: String,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
    #[serde(default)]
    pub(crate) context: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Completions {
    pub(crate) text: String,
    pub(crate) column: i64,
    #[serde(default)]
    pub(crate) frame_id: Option<i64>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SourceText {
    pub(crate) source: SourceName,
    pub(crate) source_reference: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LocationOf {
    pub(crate) location_reference: usize,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Restart {
    pub(crate) arguments: Option<Value>,
}
