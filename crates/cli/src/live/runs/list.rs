//! `nodewise runs`: one line for each run, the most recent first.

mod remote;

use anyhow::Result;
use clap::{Args, ValueEnum};
use nodewise_engine::time::Millis;
use nodewise_live::store::{RunList, RunStatus, Summary};
use nodewise_simulation::render::{json::usage, money, time};
use serde_json::{Value, json};

use super::{NO_RUNS, StoreOptions, backup};
use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::screen;

#[derive(Args)]
#[group(skip)]
pub(super) struct ListOptions {
    /// Output format of the list.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// List only runs with this tag; repeat it for runs with all of them.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// List only runs that wait for a decision.
    #[arg(long)]
    waiting: bool,
    #[command(flatten)]
    place: StoreOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each run: its id with the start in UTC, status, run time, tokens, cost and title.
    Text,
    /// One JSON document, with a version.
    Json,
}

/// Lists the runs.
pub(super) fn run(options: &ListOptions, output: &mut Output) -> Result<Outcome> {
    if let Some(engine) = options.place.wanted_engine()? {
        return remote::run(&engine, options, output);
    }
    let RunList { mut runs, damage } = match options.place.found()? {
        Some((store, _)) => store.list()?,
        None => RunList::default(),
    };
    runs.retain(|run| !options.waiting || matches!(run.status, RunStatus::Waiting(_)));
    runs.retain(|run| options.tag.iter().all(|tag| run.tags.contains(tag)));
    match options.format {
        Format::Text if runs.is_empty() && damage.is_empty() && !options.tag.is_empty() => {
            let tags: Vec<String> = options.tag.iter().map(|tag| format!("`{tag}`")).collect();
            remark(&format!("no run has the tag {}", tags.join(" and ")));
        }
        Format::Json => {
            let runs: Vec<Value> = runs.iter().map(written).collect();
            output.line(&format!("{:#}", json!({"version": 1, "runs": runs})))?;
        }
        Format::Text if runs.is_empty() && damage.is_empty() => {
            remark(&format!("no runs found here\n  help: {NO_RUNS}"))
        }
        Format::Text => {
            for line in lines(&runs) {
                output.line(&screen::line(&line))?;
            }
        }
    }
    output.finish()?;
    Ok(backup::report_damage(&damage))
}

/// The lines, in columns.
fn lines(runs: &[Summary]) -> impl Iterator<Item = String> {
    let cells: Vec<[String; 6]> = runs.iter().map(cells).collect();
    let width = |column: usize| {
        let cells = cells.iter().filter_map(|cells| cells.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3), width(4), 0];
    cells.into_iter().map(move |cells| {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let padding = " ".repeat(width.saturating_sub(cell.chars().count()));
            // Numbers are aligned to the right.
            let is_number = (2..=4).contains(&column);
            let (before, behind) =
                if is_number { (padding, String::new()) } else { (String::new(), padding) };
            line.push_str(&format!("{before}{cell}{behind}  "));
        }
        line.trim_end().to_owned()
    })
}

fn cells(run: &Summary) -> [String; 6] {
    let tokens = run.usage.tokens();
    let shown = |is_there: bool, text: String| if is_there { text } else { String::new() };
    [
        run.id.to_string(),
        run.status.word().to_owned(),
        time(Millis(run.time_ms)),
        shown(tokens > 0.0, format!("{tokens} tokens")),
        shown(run.usage.cost_usd > 0.0, format!("${}", money(run.usage.cost_usd))),
        titled(run),
    ]
}

/// What runs, with the name and the tags of the run.
fn titled(run: &Summary) -> String {
    let name = run.name.iter().map(|name| format!("{name}: "));
    let tags = run.tags.iter().map(|tag| format!(" #{tag}"));
    name.chain([run.title.clone()]).chain(tags).collect()
}

fn written(run: &Summary) -> Value {
    let mut written = json!({
        "id": run.id.as_str(),
        "system": run.system,
        "title": run.title,
        "begun": run.begun.iso(),
        "status": run.status.word(),
        "time": run.time_ms,
        "spent": usage(&run.usage),
        "events": run.events,
    });
    if let Value::Object(members) = &mut written {
        if let Some(name) = &run.name {
            members.insert("name".to_owned(), name.as_str().into());
        }
        if !run.tags.is_empty() {
            members.insert("tags".to_owned(), json!(run.tags));
        }
        match &run.status {
            RunStatus::Ended { at, summary, .. } => {
                members.insert("ended".to_owned(), at.iso().into());
                members.insert("summary".to_owned(), summary.as_str().into());
            }
            RunStatus::Waiting(question) => drop(members.insert("question".to_owned(), question.clone())),
            RunStatus::Running | RunStatus::Interrupted => {}
        }
    }
    written
}
