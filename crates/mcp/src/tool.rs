//! What a tool is: a name, schemas, the command that it asks, and how it reads what the command printed.
//!
//! Input: the arguments of an agent as JSON. Output: an invocation, then an answer. Invariant: tools do no I/O.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::answer::{Answer, Part};
use crate::error::ToolError;
use crate::program::{Finished, Invocation};
use crate::roots::Roots;

/// The largest text that an agent may pass, in bytes.
const TEXT_LIMIT: usize = 4 << 20;

pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// A description for the model that chooses a tool.
    pub(crate) description: &'static str,
    /// What the tool can change.
    pub(crate) effects: Effects,
    /// The JSON Schema of the arguments.
    pub(crate) input: fn() -> Value,
    /// The JSON Schema of the structured answer.
    pub(crate) output: fn() -> Value,
    /// Builds the call of the command.
    pub(crate) ask: fn(&Request<'_>) -> Result<Invocation, ToolError>,
    /// Builds the answer from what the command printed.
    pub(crate) answer: fn(&Request<'_>, Finished) -> Result<Answer, ToolError>,
}

/// What a tool can change.
#[derive(Clone, Copy)]
pub(crate) enum Effects {
    /// The tool changes nothing.
    None,
    /// The tool can change files of the workspace.
    Files,
    /// The tool can do whatever a live run starts and calls. `plan` builds the command that lists this, and the user is asked
    /// before each call.
    Outside { plan: fn(&Request<'_>) -> Result<Invocation, ToolError> },
}

/// A call of a tool.
pub(crate) struct Request<'r> {
    pub(crate) roots: &'r Roots,
    /// The part of the answer that the agent wants.
    pub(crate) part: Part,
    /// The arguments without those of `part`.
    arguments: Value,
}

impl<'r> Request<'r> {
    /// Reads the arguments of a call.
    pub(crate) fn new(roots: &'r Roots, mut arguments: Map<String, Value>) -> Result<Request<'r>, ToolError> {
        let mut number = |name: &str| match arguments.remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64().and_then(|number| usize::try_from(number).ok()) {
                Some(number) => Ok(Some(number)),
                None => Err(ToolError::new(format!("`{name}` takes a whole number, not {value}"))),
            },
        };
        let part = Part { budget: number("budget")?, offset: number("offset")?.unwrap_or(0) };
        Ok(Request { roots, part, arguments: Value::Object(arguments) })
    }

    /// The arguments in the tool's own type.
    pub(crate) fn arguments<A: DeserializeOwned>(&self) -> Result<A, ToolError> {
        serde_json::from_value(self.arguments.clone())
            .map_err(|error| ToolError::new(format!("the arguments do not fit: {error}")))
    }
}

/// A text that the agent has not saved, and the path that it will have.
pub(crate) fn unsaved(
    text: &Option<String>,
    roots: &Roots,
    path: Option<&str>,
) -> Result<Unsaved, ToolError> {
    let Some(text) = text else { return Ok(Unsaved::default()) };
    if text.len() > TEXT_LIMIT {
        let (size, limit) = (text.len() >> 20, TEXT_LIMIT >> 20);
        return Err(ToolError::new(format!("`text` has {size} MB; a text may have {limit} MB"))
            .help("save it, and name the file in `paths`"));
    }
    let path = path.map(|path| roots.file(path)).transpose()?;
    Ok(Unsaved { text: Some(text.clone()), path })
}

/// The result of [`unsaved`].
#[derive(Default)]
pub(crate) struct Unsaved {
    text: Option<String>,
    path: Option<String>,
}

impl Invocation {
    /// Adds the input of the command: the unsaved text if there is one, or else files and folders.
    pub(crate) fn reading(mut self, unsaved: Unsaved, paths: Vec<String>) -> Invocation {
        match unsaved.text {
            Some(text) => {
                self.stdin = Some(text);
                self.with_value("--stdin-filename", unsaved.path).with_paths(["-".to_owned()])
            }
            None => self.with_paths(paths),
        }
    }
}

/// A JSON Schema of an object with these members. `required` lists the members that must be present.
pub(crate) fn object(members: Value, required: &[&str]) -> Value {
    json!({"type": "object", "properties": members, "required": required, "additionalProperties": false})
}

/// Adds the members `budget` and `offset`, for tools whose answers have pages.
pub(crate) fn with_pages(mut members: Value) -> Value {
    if let Value::Object(members) = &mut members {
        let budget = crate::answer::DEFAULT_BUDGET;
        members.insert(
            "budget".to_owned(),
            json!({"type": "integer", "minimum": 100, "description":
                format!("The most tokens that the answer may have, by estimate; {budget} if absent.")}),
        );
        members.insert(
            "offset".to_owned(),
            json!({"type": "integer", "minimum": 0, "description":
                "Skip this many entries: `next` of the answer before."}),
        );
    }
    members
}

/// The schema of the paths that a tool reads.
pub(crate) fn paths_schema() -> Value {
    json!({"type": "array", "items": {"type": "string"}, "description":
        "Files and folders, absolute or relative to the workspace; all of it if absent."})
}

/// The schema of a text that is not saved.
pub(crate) fn text_schema() -> Value {
    json!({"type": "string", "description":
        "A text that is not saved, instead of `paths`. The other files of its project are read as they are on disk."})
}

/// The schema of the path that such a text will have.
pub(crate) fn path_of_text_schema() -> Value {
    json!({"type": "string", "description": "The file that `text` will be saved as."})
}
