//! `workspace/executeCommand`: one branch for each command.
//!
//! Input: a command's name and argument. Output: JSON. Invariant: long work runs on a separate thread, so edits and
//! other requests do not wait for it.

#[cfg(feature = "live")]
mod live;
#[cfg(not(feature = "live"))]
mod no_live;

use std::sync::Arc;

use nodewise_analysis::cancel::Cancel;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::{ExecuteCommandParams, ProgressToken, TextDocumentPositionParams, Uri};

use super::{Backend, RequestThread};
use crate::handlers::{
    board, commands, evaluate, graph, history, hover, layout, marks, request_failed, simulate, status,
};
use crate::request::Asked;
use crate::session::Event;

/// The maximum number of runs that are active at a time.
const RUNS_MAX: usize = 4;

impl Backend {
    pub(super) async fn execute(&self, parameters: ExecuteCommandParams) -> Result<Option<Value>> {
        let token = parameters.work_done_progress_params.work_done_token;
        let argument = parameters.arguments.into_iter().next();
        match parameters.command.as_str() {
            commands::REFRESH => {
                self.queue.send(Event::Refresh);
                Ok(None)
            }
            commands::EXPLAIN => {
                let rule = hover::explained(argument.as_ref())?;
                if !self.untyped().shows_pages {
                    self.editor.show(nodewise_analysis::page::page(rule));
                }
                Ok(Some(hover::explanation(rule)))
            }
            commands::STATUS => {
                let argument = argument.filter(|argument| !argument.is_null()).unwrap_or_else(none);
                let about: status::StatusParams = read(Some(argument))?;
                self.read(move |asked| Some(status::status(asked, &about))).await
            }
            commands::GRAPH
            | commands::MARK_GRAPH
            | commands::EDIT_GRAPH
            | commands::NODE_KINDS
            | commands::EDIT_CONDITION
            | commands::LAYOUT => self.graphs(&parameters.command, argument).await,
            commands::EVALUATE => {
                let subject: evaluate::EvaluateParams = read(argument)?;
                let found = self.read(|asked| evaluate::evaluate(asked, subject)).await?;
                found.map(Some).ok_or_else(|| Error::invalid_params("unknown expression language"))
            }
            commands::SIMULATE => self.simulate(argument.unwrap_or_default(), token).await.map(Some),
            commands::SCRIPTS => {
                let subject: simulate::ScriptsParams = read(argument)?;
                self.read_files(move |asked| simulate::scripts(asked, &subject)).await?.map(Some)
            }
            commands::INPUT_SCHEMA => {
                let subject: simulate::InputSchemaParams = read(argument)?;
                self.read_files(move |asked| simulate::input_schema_of(asked, &subject)).await?.map(Some)
            }
            commands::RUN
            | commands::REQUEST
            | commands::RESUME
            | commands::PIN
            | commands::UNPIN
            | commands::RUNS => self.live(&parameters.command, argument, token).await.map(Some),
            commands::HISTORY
            | commands::SHOW_RUN
            | commands::COMPARE
            | commands::STATE_AT
            | commands::SCENARIO => self.kept_runs(&parameters.command, argument).await.map(Some),
            commands::TEST => self.test(read(Some(argument.unwrap_or_else(none)))?, token).await.map(Some),
            commands::CLEAR_RUN => {
                let about: About = read(Some(argument.unwrap_or_else(none)))?;
                self.queue.send(Event::ClearRuns(about.uri.map(|uri| uri.as_str().to_owned())));
                Ok(None)
            }
            other => Err(Error::invalid_params(format!("unknown command `{other}`"))),
        }
    }

    /// The commands about graphs and their drawings.
    async fn graphs(&self, command: &str, argument: Option<Value>) -> Result<Option<Value>> {
        match command {
            commands::GRAPH => {
                let subject: graph::GraphParams = read(argument)?;
                self.read_files(move |asked| Some(graph::graph(asked, &subject))).await
            }
            commands::MARK_GRAPH => {
                let wanted: marks::MarkParams = read(argument)?;
                // Reading a commit takes long if it has many files.
                let work = move |asked: &Asked<'_>| marks::marked(asked, &wanted);
                self.read_until(RequestThread::OwnThread, Cancel::default(), work).await?.map(Some)
            }
            commands::EDIT_GRAPH => {
                let wanted: board::EditParams = read(argument)?;
                self.read_files(move |asked| board::edit(asked, wanted)).await?.map(Some)
            }
            commands::NODE_KINDS => {
                let place: TextDocumentPositionParams = read(argument)?;
                self.read(move |asked| Some(board::node_kinds(asked, &place))).await
            }
            commands::EDIT_CONDITION => {
                let wanted: board::ConditionParams = read(argument)?;
                let traces = Arc::clone(&self.traces);
                self.read(move |asked| Some(board::condition(asked, wanted, &traces))).await
            }
            _ => {
                let subject: layout::LayoutParams = read(argument)?;
                self.read(move |_| Some(layout::layout(&subject))).await
            }
        }
    }

    async fn simulate(&self, argument: Value, token: Option<ProgressToken>) -> Result<Value> {
        let announces = announces(&argument);
        let wanted = simulate::SimulationRequest::read(argument).map_err(unreadable)?;
        let (traces, queue) = (Arc::clone(&self.traces), self.queue.clone());
        let work = move |asked: &Asked<'_>, progress: &mut simulate::Progress| {
            let (answer, ran) = simulate::simulate(asked, wanted, &traces, progress)?;
            queue.send(Event::Ran(Box::new(ran)));
            Ok(answer)
        };
        let answer = self.run("Simulating", token, work).await?;
        self.announce(&answer, announces);
        Ok(answer)
    }

    /// Reads runs that have ended: their list, their states, comparisons of them.
    async fn kept_runs(&self, command: &str, argument: Option<Value>) -> Result<Value> {
        let traces = Arc::clone(&self.traces);
        match command {
            commands::HISTORY => self.history(argument).await,
            commands::SHOW_RUN => {
                let reference: history::RunReference = read(argument)?;
                let show = move |asked: &Asked<'_>| history::show(asked, &reference, &traces);
                let (answer, ran) = self.read(show).await??;
                self.queue.send(Event::Ran(Box::new(ran)));
                Ok(answer)
            }
            commands::COMPARE => {
                let params: history::ComparisonParams = read(argument)?;
                self.read(move |asked| history::compared(asked, &params, &traces)).await?
            }
            commands::STATE_AT => {
                let point: simulate::Point = read(argument)?;
                self.read(move |asked| simulate::state_at(asked, &point, &traces)).await?
            }
            _ => {
                let wanted: simulate::ScenarioExportRequest = read(argument)?;
                self.read(move |asked| simulate::scenario(asked, &wanted, &traces)).await?
            }
        }
    }

    /// The runs, and a message about those that cannot be read.
    async fn history(&self, argument: Option<Value>) -> Result<Value> {
        let params: history::HistoryParams = read(Some(argument.unwrap_or_else(none)))?;
        let traces = Arc::clone(&self.traces);
        let (listed, damage) = self.read(move |asked| history::history(asked, &params, &traces)).await??;
        if !damage.is_empty() {
            self.editor.show(damage.join("\n"));
        }
        Ok(listed)
    }

    /// Shows the summary of a run as a message, if the client asked for it.
    fn announce(&self, answer: &Value, is_wanted: bool) {
        if let Some(summary) = answer["summary"].as_str().filter(|_| is_wanted) {
            self.editor.show(summary.to_owned());
        }
    }

    async fn test(&self, suite: simulate::Suite, token: Option<ProgressToken>) -> Result<Value> {
        let queue = self.queue.clone();
        let work = move |asked: &Asked<'_>, progress: &mut simulate::Progress| {
            let (answer, shown) = simulate::test(asked, &suite, progress)?;
            for ran in shown {
                queue.send(Event::Ran(Box::new(ran)));
            }
            Ok(answer)
        };
        self.run("Running scenarios", token, work).await
    }

    /// Runs something that reports its progress. The client can stop it by cancelling the request, or with its
    /// progress token.
    async fn run(
        &self,
        title: &'static str,
        token: Option<ProgressToken>,
        work: impl FnOnce(&Asked<'_>, &mut simulate::Progress) -> Result<Value> + Send + 'static,
    ) -> Result<Value> {
        // Each run holds a clone until it ends, and the clones are counted.
        let held = Arc::clone(&self.running);
        if Arc::strong_count(&held) > RUNS_MAX + 1 {
            return Err(request_failed(format!(
                "{RUNS_MAX} runs are already active; stop one of them first"
            )));
        }
        let cancel = Cancel::default();
        let mut progress = self.runs.begin(title, token, &cancel, &self.outbox, &self.editor);
        let work = move |asked: &Asked<'_>| {
            let result = work(asked, &mut progress);
            drop(held);
            result
        };
        self.read_until(RequestThread::OwnThread, cancel, work).await?
    }
}

/// The document that a command is about. Without it, all documents.
#[derive(Debug, serde::Deserialize)]
struct About {
    uri: Option<Uri>,
}

/// Whether the client wants the summary of the run as a message to the user.
fn announces(argument: &Value) -> bool {
    argument.get("announce") == Some(&Value::Bool(true))
}

/// An empty argument.
fn none() -> Value {
    Value::Object(serde_json::Map::new())
}

fn read<T: DeserializeOwned>(argument: Option<Value>) -> Result<T> {
    serde_json::from_value(argument.unwrap_or_default()).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> Error {
    Error::invalid_params(error.to_string())
}
