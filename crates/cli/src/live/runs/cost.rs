//! `nodewise runs cost`: what runs cost, by run, model or node.

use std::collections::BTreeMap;

use anyhow::Result;
use clap::{Args, ValueEnum};
use nodewise_engine::usage::Usage;
use nodewise_live::costs::{CostItem, costs};
use nodewise_live::store::{RunId, Store};
use nodewise_simulation::render::{json::usage, money};
use serde_json::{Value, json};

use super::{StoreOptions, backup};
use crate::outcome::Outcome;
use crate::output::Output;
use crate::screen;

/// Show what runs cost: tokens and US dollars by run, model and node.
///
/// Answers of failed and repeated steps count, because they were paid for. Tokens of a model without a known price cost
/// nothing here and are marked; write its price under `[live.models]` in `nodewise.toml`.
#[derive(Args)]
#[group(skip)]
pub(super) struct CostOptions {
    /// The runs; by default, all runs of the project.
    #[arg(value_name = "RUN")]
    runs: Vec<String>,
    /// What a line is about.
    #[arg(long, value_enum, default_value_t = By::Model)]
    by: By,
    /// Count only runs with this tag; repeat it for runs with all of them.
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    place: StoreOptions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum By {
    /// One run.
    Run,
    /// One model of a provider, in all runs.
    Model,
    /// One node, in all runs.
    Node,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A line for each, the most expensive first, and the sum.
    Text,
    /// One JSON document, with a version: by run, by model and by node.
    Json,
}

/// What something cost.
#[derive(Debug, Clone, Default)]
struct Cost {
    answers: u64,
    usage: Usage,
    is_unpriced: bool,
}

/// What stands for the model of tools and services.
const NO_MODEL: &str = "tools and services";

/// Shows the costs.
pub(super) fn run(options: &CostOptions, output: &mut Output) -> Result<Outcome> {
    let (store, _) = options.place.store()?;
    let list = store.list()?;
    let named = options.runs.iter().map(|name| store.find(name)).collect::<Result<Vec<RunId>>>()?;
    let is_meant = |id: &RunId| named.is_empty() || named.contains(id);
    let runs = list.runs.iter().filter(|run| options.tag.iter().all(|tag| run.tags.contains(tag)));
    let ids: Vec<&RunId> = runs.map(|run| &run.id).filter(|id| is_meant(id)).collect();
    let mut damage = list.damage;
    let mut items = Vec::new();
    for id in ids {
        match of_run(&store, id) {
            Ok(found) => items.push((id, found)),
            Err(error) if named.is_empty() => damage.push(error.to_string()),
            Err(error) => return Err(error),
        }
    }
    match options.format {
        Format::Text => {
            for line in lines(&grouped(&items, options.by)) {
                output.line(&screen::line(&line))?;
            }
        }
        Format::Json => output.line(&format!("{:#}", written(&items)))?,
    }
    output.finish()?;
    Ok(backup::report_damage(&damage))
}

type Items<'i> = [(&'i RunId, Vec<CostItem>)];

fn of_run(store: &Store, id: &RunId) -> Result<Vec<CostItem>> {
    Ok(costs(&store.read(id)?, &store.every_event(id)?))
}

/// The costs of each run, model or node, the highest first.
fn grouped(items: &Items<'_>, by: By) -> Vec<(String, Cost)> {
    let mut costs: BTreeMap<String, Cost> = BTreeMap::new();
    for (run, items) in items {
        for item in items {
            let name = match by {
                By::Run => run.as_str(),
                By::Model => item.model.as_deref().unwrap_or(NO_MODEL),
                By::Node => &item.node,
            };
            let cost = costs.entry(name.to_owned()).or_default();
            cost.answers += item.answers;
            cost.usage += item.usage;
            cost.is_unpriced |= item.is_unpriced;
        }
    }
    let mut costs: Vec<(String, Cost)> = costs.into_iter().collect();
    let size = |cost: &Cost| (cost.usage.cost_usd, cost.usage.tokens());
    costs.sort_by(|(_, one), (_, other)| {
        let ((one_usd, one_tokens), (other_usd, other_tokens)) = (size(one), size(other));
        other_usd.total_cmp(&one_usd).then(other_tokens.total_cmp(&one_tokens))
    });
    costs
}

fn total(costs: &[(String, Cost)]) -> Cost {
    costs.iter().fold(Cost::default(), |mut total, (_, cost)| {
        total.answers += cost.answers;
        total.usage += cost.usage;
        total.is_unpriced |= cost.is_unpriced;
        total
    })
}

/// How many of the tokens that were read came from a cache.
fn cached(usage: &Usage) -> String {
    if usage.cached_tokens > 0.0 { format!(" ({} cached)", usage.cached_tokens) } else { String::new() }
}

/// The lines, in columns: the name, answers, tokens read and written, dollars.
fn lines(costs: &[(String, Cost)]) -> Vec<String> {
    let rows = costs.iter().cloned().chain([("total".to_owned(), total(costs))]);
    let cells: Vec<[String; 5]> = rows
        .map(|(name, cost)| {
            let unpriced = if cost.is_unpriced { " (a price is unknown)" } else { "" };
            [
                name,
                format!("{} {}", cost.answers, if cost.answers == 1 { "answer" } else { "answers" }),
                format!("{} in{}", cost.usage.input_tokens, cached(&cost.usage)),
                format!("{} out", cost.usage.output_tokens),
                format!("${}{unpriced}", money(cost.usage.cost_usd)),
            ]
        })
        .collect();
    let width = |column: usize| {
        let cells = cells.iter().filter_map(|cells| cells.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
    };
    let widths = [width(0), width(1), width(2), width(3)];
    let line = |[name, answers, input, output, money]: &[String; 5]| {
        let [names, all_answers, inputs, outputs] = widths;
        format!("{name:<names$}  {answers:>all_answers$}  {input:>inputs$}  {output:>outputs$}  {money}")
    };
    cells.iter().map(line).collect()
}

fn written(items: &Items<'_>) -> Value {
    let list = |by: By, key: &str| {
        let costs = grouped(items, by).into_iter().map(|(name, cost)| {
            let mut written = one(&cost);
            if let Value::Object(members) = &mut written {
                members.insert(key.to_owned(), name.into());
            }
            written
        });
        Value::Array(costs.collect())
    };
    json!({
        "version": 1,
        "total": one(&total(&grouped(items, By::Run))),
        "runs": list(By::Run, "run"),
        "models": list(By::Model, "model"),
        "nodes": list(By::Node, "node"),
    })
}

fn one(cost: &Cost) -> Value {
    json!({"answers": cost.answers, "spent": usage(&cost.usage), "has_unknown_price": cost.is_unpriced})
}
