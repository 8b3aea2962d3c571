//! The runs of a durable engine, in a list.

use anyhow::Result;
use nodewise_durable::client::ListedRun;
use nodewise_durable::engine::Engine;
use nodewise_live::store::Moment;
use serde_json::{Value, json};

use super::{Format, ListOptions};
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::screen;

pub(super) fn run(engine: &Engine, options: &ListOptions, output: &mut Output) -> Result<Outcome> {
    anyhow::ensure!(
        options.tag.is_empty(),
        "an engine does not know the tags of runs\n  help: leave out `--tag`"
    );
    let mut runs = engine.list()?;
    runs.retain(|run| !options.waiting || !run.matters.is_empty());
    match options.format {
        Format::Json => {
            let runs: Vec<Value> = runs.iter().map(written).collect();
            output.line(&format!("{:#}", json!({"version": 1, "runs": runs})))?;
        }
        Format::Text if runs.is_empty() => remark(&format!("no runs found on `{}`", engine.name())),
        Format::Text => {
            for run in &runs {
                output.line(&screen::line(&line(run)))?;
            }
        }
    }
    Ok(Outcome::Clean)
}

fn line(run: &ListedRun) -> String {
    let name = run.name.iter().map(|name| format!("{name}: ")).collect::<String>();
    let node = |matter: &Value| matter.get("node").and_then(Value::as_str).map(|node| format!("`{node}`"));
    let nodes: Vec<String> = run.matters.iter().filter_map(node).collect();
    let at = if nodes.is_empty() { String::new() } else { format!(" at {}", nodes.join(", ")) };
    format!("{}  {:<10}  {name}{}{at}", run.id, run.status, run.title)
}

fn written(run: &ListedRun) -> Value {
    json!({
        "id": run.id.as_str(), "status": run.status, "begun": run.begun.map(Moment::iso), "title": run.title, "name": run.name,
        "question": run.matters,
    })
}
