//! What an engine has: its runs, those that are stuck, and the end of runs that are cancelled. All of it is asked of its
//! administration.
//!
//! Input: the address of the administration. Output: runs in a list, and what is wrong with some of them in words.

use std::time::Duration;

use anyhow::{Result, bail};
use nodewise_live::store::{Moment, RunId};
use reqwest::{Method, Url};
use serde_json::{Value as Json, json};

use super::{ASKS, EngineClient, RUNS, message};

/// How often a query is repeated while the engine moves its partitions, and the wait between.
const QUERY_TRIES: u32 = 25;
const QUERY_WAIT: Duration = Duration::from_millis(200);

#[derive(Debug, Clone, PartialEq)]
pub struct ListedRun {
    pub id: RunId,
    /// The outcome of a run that has ended, else its status, as one word.
    pub status: String,
    pub begun: Option<Moment>,
    /// A description of what runs.
    pub title: String,
    /// The name that the user gave the run.
    pub name: Option<String>,
    /// The open questions that it waits for, as JSON.
    pub matters: Vec<Json>,
}

/// A run or a call that does not continue by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StuckItem {
    /// The run or the call, in words.
    pub subject: String,
    /// What is wrong, in words.
    pub reason: String,
    pub help: String,
}

impl EngineClient {
    /// The runs of an engine, the newest first.
    ///
    /// # Errors
    /// Where the administration does not answer, or its address is not set.
    pub async fn list(&self) -> Result<Vec<ListedRun>> {
        let query = format!(
            "SELECT service_key, key, value_utf8 FROM state WHERE service_name = '{RUNS}' AND key IN ('standing', 'title')"
        );
        let mut runs: Vec<ListedRun> = Vec::new();
        let mut rows = self.query(&query).await?;
        let key = |row: &Json| row.get("service_key").and_then(Json::as_str).unwrap_or_default().to_owned();
        rows.sort_by_key(key);
        for row in &rows {
            let Some(id) = RunId::of_text(&key(row)) else { continue };
            if runs.last().is_none_or(|run| run.id != id) {
                runs.push(ListedRun {
                    id,
                    status: "running".to_owned(),
                    begun: None,
                    title: String::new(),
                    name: None,
                    matters: Vec::new(),
                });
            }
            let value = row.get("value_utf8").and_then(Json::as_str).unwrap_or_default();
            let value: Json = serde_json::from_str(value).unwrap_or_default();
            let text = |key: &str| value.get(key).and_then(Json::as_str).map(str::to_owned);
            let Some(run) = runs.last_mut() else { continue };
            match row.get("key").and_then(Json::as_str) {
                Some("standing") => {
                    run.status = text("outcome").or_else(|| text("status")).unwrap_or_default();
                    run.matters = value.get("matters").and_then(Json::as_array).cloned().unwrap_or_default();
                }
                _ => {
                    run.title = text("title").unwrap_or_default();
                    run.name = text("name");
                    run.begun = value.get("began").and_then(Json::as_i64).map(Moment);
                }
            }
        }
        // Ids begin with the time at which the run began, so the newest run comes first.
        runs.reverse();
        Ok(runs)
    }

    /// Cancels a run. Returns `false` if the run is not under way.
    ///
    /// # Errors
    /// Where the administration does not answer, or its address is not set.
    pub async fn cancel(&self, id: &RunId) -> Result<bool> {
        let query = format!(
            "SELECT id FROM sys_invocation WHERE target = '{RUNS}/{id}/run' AND status != 'completed'"
        );
        let rows = self.query(&query).await?;
        let Some(invocation) = rows.first().and_then(|row| row.get("id")).and_then(Json::as_str) else {
            return Ok(false);
        };
        let admin = self.admin()?;
        let path = format!("invocations/{invocation}/cancel");
        let (status, answer) = self.call(Method::PATCH, admin, &path, None).await?;
        self.check(status, &answer)?;
        Ok(true)
    }

    /// Runs and calls that do not continue by themselves, with what is wrong and what helps.
    ///
    /// # Errors
    /// Where the administration does not answer, or its address is not set.
    pub async fn stuck_items(&self) -> Result<Vec<StuckItem>> {
        let query = format!(
            "SELECT id, target, status, retry_count, last_failure FROM sys_invocation WHERE (target_service_name = '{RUNS}' OR \
             target_service_name = '{ASKS}') AND status != 'completed' AND (retry_count > 1 OR status = 'paused')"
        );
        let rows = self.query(&query).await?;
        Ok(rows.iter().map(stuck_item).collect())
    }

    /// Registers a worker by its address. `is_forced` replaces an earlier registration of the address.
    ///
    /// # Errors
    /// Where the engine does not answer, or does not reach the worker.
    pub async fn register(&self, worker: &str, is_forced: bool) -> Result<()> {
        let body = json!({"uri": worker, "force": is_forced});
        let (status, answer) = self.call(Method::POST, self.admin()?, "deployments", Some(&body)).await?;
        if !status.is_success() {
            bail!(
                "the engine does not accept the worker at {worker}: {}\n  help: `--as` is the address at which the engine \
                 reaches this worker",
                message(&answer)
            );
        }
        Ok(())
    }

    async fn query(&self, query: &str) -> Result<Vec<Json>> {
        let mut tries = QUERY_TRIES;
        let (status, answer) = loop {
            let body = json!({"query": query});
            let (status, answer) = self.call(Method::POST, self.admin()?, "query", Some(&body)).await?;
            tries -= 1;
            // While an engine starts, or moves its partitions to other nodes, it answers with such an error. A later try
            // succeeds.
            if tries == 0 || !status.is_server_error() || !message(&answer).contains("partition") {
                break (status, answer);
            }
            tokio::time::sleep(QUERY_WAIT).await;
        };
        self.check(status, &answer)?;
        Ok(answer.get("rows").and_then(Json::as_array).cloned().unwrap_or_default())
    }

    fn admin(&self) -> Result<&Url> {
        match &self.admin {
            Some(admin) => Ok(admin),
            None => bail!(
                "the engine `{}` has no address for its administration, which lists and cancels runs\n  help: set `admin` under \
                 [live.engines.{}] in nodewise.toml, for example \"http://localhost:9070\"",
                self.name,
                self.name
            ),
        }
    }
}

/// Describes a stuck invocation, by the text of its last failure.
fn stuck_item(row: &Json) -> StuckItem {
    let text = |key: &str| row.get(key).and_then(Json::as_str).unwrap_or_default();
    let target = text("target");
    let subject = match target.strip_prefix(RUNS).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => format!("the run {}", rest.split('/').next().unwrap_or(rest)),
        None => format!("the call {}", text("id")),
    };
    let failure = text("last_failure");
    let (reason, help) = if failure.contains("570") || failure.contains("mismatch") {
        (
            "a worker of another version took it up".to_owned(),
            "register each version of nodewise at an address of its own".to_owned(),
        )
    } else if failure.contains("message size limit") {
        (
            "a value is larger than the engine takes".to_owned(),
            "raise the message limit of the engine, or make prompts and answers smaller".to_owned(),
        )
    } else if failure.contains("connect") || failure.contains("refused") || failure.contains("unreachable") {
        ("its worker does not answer".to_owned(), "start the worker again, at the same address".to_owned())
    } else {
        let first = failure.lines().next().unwrap_or("no reason is known");
        (first.to_owned(), "the log of the worker may say more".to_owned())
    };
    let help = match text("status") {
        "paused" => {
            format!("{help}; then continue it: PATCH /invocations/{}/resume of the engine", text("id"))
        }
        _ => help,
    };
    StuckItem { subject, reason, help }
}
