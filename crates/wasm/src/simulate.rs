//! A run without models, tools and people.
//!
//! Input: the files, what to run, perhaps a script. Output: the run as a trace, a timeline or a picture. Invariant: as `nodewise
//! simulate`: the same files, script and seed give the same bytes.

use nodewise_expr::json::from_json;
use nodewise_model::Located;
use nodewise_model::scenario::{RunLimits, Scenario};
use nodewise_simulation::dry_run::{DryRunSource, driven};
use nodewise_simulation::prepare;
use nodewise_simulation::render::{json, mermaid, svg, text};
use serde::Deserialize;
use serde_json::Value;
use smol_str::SmolStr;

use crate::error::JsError;
use crate::open_projects::{OpenProject, OpenProjects};

/// What to run, and how.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct JsSimulateOptions {
    file: Option<String>,
    graph: Option<String>,
    script: Option<String>,
    scenario: Option<usize>,
    start: Option<String>,
    input: Option<Value>,
    seed: Option<u64>,
    limits: JsLimits,
    /// The maximum number of events in the answer. `None` for all.
    events: Option<usize>,
    format: JsRunFormat,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct JsLimits {
    visits: Option<f64>,
    time_ms: Option<f64>,
    tokens: Option<f64>,
    cost_usd: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum JsRunFormat {
    #[default]
    Json,
    Text,
    Mermaid,
    Svg,
}

/// Simulates a graph, and returns the run in the wanted format.
pub(crate) fn simulate(open: &OpenProjects, options: &JsSimulateOptions) -> Result<String, JsError> {
    let (project, file) = match &options.file {
        Some(path) => named(open, path).map(|(project, inside)| (project, Some(inside)))?,
        None => (first(open)?, None),
    };
    let script = match &options.script {
        Some(path) => {
            let (home, inside) = named(open, path)?;
            if home.folder != project.folder {
                let message = format!("`{path}` belongs to another project than the file that runs");
                return Err(JsError::new(message, "move it to the folder of the file, or below it"));
            }
            Some(inside)
        }
        None => None,
    };
    let snapshot = project.snapshot();
    let source = DryRunSource {
        file: file.and_then(|path| snapshot.source(path)),
        script: script.and_then(|path| snapshot.source(path)),
        position: options.scenario,
    };
    let mut scenario = source.scenario(&snapshot)?;
    options.overrule(&mut scenario);
    let target = source.target(&snapshot, &scenario, options.graph.as_deref())?;
    let mut run = prepare(&snapshot, &target, &scenario)?;
    let mut recording = driven(&mut run, &snapshot, &scenario);
    if let Some(events) = options.events {
        recording.cut(events);
    }
    Ok(match options.format {
        JsRunFormat::Json => json::trace_text(&recording),
        JsRunFormat::Text => Value::from(text(&recording)).to_string(),
        JsRunFormat::Mermaid => Value::from(mermaid(&recording)).to_string(),
        JsRunFormat::Svg => Value::from(svg(&recording)).to_string(),
    })
}

/// The project that has a file, and the file's path in it.
fn named<'p>(open: &'p OpenProjects, path: &'p str) -> Result<(&'p OpenProject, &'p str), JsError> {
    let help = "name one of the files that declare graphs or scripts";
    open.find(path).ok_or_else(|| JsError::new(format!("there is no file `{path}` among the files"), help))
}

/// The first project with files.
fn first(open: &OpenProjects) -> Result<&OpenProject, JsError> {
    let found = open.projects().iter().find(|project| !project.is_empty());
    found.ok_or_else(|| {
        JsError::new("there is nothing to run".to_owned(), "add files that declare graphs or nodes")
    })
}

impl JsSimulateOptions {
    /// Replaces values of the script with those of the options.
    fn overrule(&self, scenario: &mut Scenario) {
        let at = scenario.head;
        if let Some(input) = &self.input {
            scenario.start.turns.clear();
            scenario.start.input = Some(Located::new(from_json(input.clone()), at));
        }
        if let Some(start) = &self.start {
            scenario.target.node = Some(Located::new(SmolStr::new(start), at));
            scenario.target.is_alone = false;
        }
        scenario.seed = self.seed.map(|seed| seed as f64).or(scenario.seed);
        let JsLimits { visits, time_ms, tokens, cost_usd } = self.limits;
        scenario.limits.replace_by(&RunLimits { visits, time_ms, tokens, cost_usd, ..RunLimits::default() });
    }
}
