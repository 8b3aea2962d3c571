//! Decisions on the command line.

use anyhow::{Context, Result, bail};
use clap::Args;
use nodewise_engine::ask::Decision;
use nodewise_engine::time::Millis;
use nodewise_expr::json::from_json;
use nodewise_expr::value::Map;
use nodewise_live::driver::{ANSWER, Taken};
use smol_str::SmolStr;

/// The words for the decisions that every system supports.
pub(super) const APPROVED: &str = "approved";
pub(super) const REJECTED: &str = "rejected";

/// The decisions on the command line.
#[derive(Args)]
#[group(skip)]
pub(super) struct Decisions {
    /// Approve what waits at this node, or at the only waiting node.
    #[arg(long, value_name = "NODE", num_args = 0..=1, default_missing_value = "")]
    approve: Vec<String>,
    /// Reject what waits at this node, or at the only waiting node.
    #[arg(long, value_name = "NODE", num_args = 0..=1, default_missing_value = "")]
    reject: Vec<String>,
    /// Decide with a word of your own.
    #[arg(long, value_name = "WORD")]
    decide: Option<String>,
    /// Give the result of a call that is not recorded: `NODE=JSON`.
    #[arg(long, value_name = "NODE=JSON")]
    answer: Vec<String>,
    /// Add this to the decision: JSON, or plain text.
    #[arg(long, value_name = "JSON")]
    data: Option<String>,
    /// Set a key of the state: `KEY=JSON`; can be repeated.
    #[arg(long, value_name = "KEY=JSON")]
    set: Vec<String>,
}

impl Decisions {
    /// The decisions.
    pub(super) fn taken(&self) -> Result<Vec<Taken>> {
        let mut taken = Vec::new();
        for node in &self.approve {
            taken.push(self.one(node, APPROVED)?);
        }
        for node in &self.reject {
            taken.push(self.one(node, REJECTED)?);
        }
        if let Some(word) = &self.decide {
            taken.push(self.one("", word)?);
        }
        let is_decided = !taken.is_empty();
        for answer in &self.answer {
            taken.push(given(answer)?);
        }
        if !is_decided && (self.data.is_some() || !self.set.is_empty()) {
            bail!(
                "`--data` and `--set` belong to a decision\n  help: add `--approve`, `--reject` or `--decide WORD`"
            );
        }
        Ok(taken)
    }

    fn one(&self, node: &str, word: &str) -> Result<Taken> {
        let updates = state_changes(&self.set);
        let data = self.data.as_ref().map(|data| from_json(json_or_text(data)));
        let decision = Decision { word: word.into(), data, updates: updates?, after: Millis::ZERO };
        Ok(Taken { node: (!node.is_empty()).then(|| node.into()), ask: None, decision })
    }
}

/// The result of a call.
fn given(answer: &str) -> Result<Taken> {
    let (node, value) = answer
        .split_once('=')
        .with_context(|| format!("`--answer {answer}` has no `=`\n  help: write `--answer node=value`"))?;
    let data = Some(from_json(json_or_text(value)));
    let decision = Decision { word: ANSWER.into(), data, updates: Map::new(), after: Millis::ZERO };
    Ok(Taken { node: Some(node.into()), ask: None, decision })
}

/// Keys of the state with their values.
pub(super) fn state_changes(set: &[String]) -> Result<Map> {
    set.iter().map(|set| update(set)).collect()
}

fn update(set: &str) -> Result<(SmolStr, nodewise_expr::value::Value)> {
    let (key, value) = set
        .split_once('=')
        .with_context(|| format!("`--set {set}` has no `=`\n  help: write `--set key=value`"))?;
    Ok((key.into(), from_json(json_or_text(value))))
}

/// JSON, or a plain text if it is not valid JSON.
pub(super) fn json_or_text(written: &str) -> serde_json::Value {
    serde_json::from_str(written).unwrap_or_else(|_| written.into())
}
