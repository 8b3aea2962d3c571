//! The commands of live runs: one branch for each.
//!
//! Input: a command's name and argument. Output: JSON. Invariant: a run starts only when the user has allowed
//! everything that it needs.

use std::sync::Arc;

use serde_json::Value;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types::ProgressToken;

use super::{announces, none, read, unreadable};
use crate::backend::Backend;
use crate::handlers::{commands, live, simulate};
use crate::request::Asked;
use crate::session::Event;

impl Backend {
    /// Starts, resumes or lists live runs.
    pub(super) async fn live(
        &self,
        command: &str,
        argument: Option<Value>,
        token: Option<ProgressToken>,
    ) -> Result<Value> {
        let argument = argument.unwrap_or_else(none);
        let (announces, follow) = (announces(&argument), argument.get("follow").cloned());
        match command {
            commands::RUN => {
                let work = live::Work::read(argument).map_err(unreadable)?;
                self.run_live("Live run", work, (announces, follow), token).await
            }
            commands::RESUME => {
                let work = live::Work::Resume(read(Some(argument))?);
                self.run_live("Resuming live run", work, (announces, follow), token).await
            }
            commands::REQUEST => {
                let subject: simulate::RunRequest = read(Some(argument))?;
                self.read_files(move |asked| live::request(asked, &subject)).await?
            }
            commands::PIN => {
                let wanted: live::PinRequest = read(Some(argument))?;
                let answer = self.read(move |asked| live::pin(asked, &wanted)).await??;
                self.editor.refresh_annotations();
                Ok(answer)
            }
            commands::UNPIN => {
                let wanted: live::PinRequest = read(Some(argument))?;
                let answer = self.read(move |asked| live::unpin(asked, &wanted)).await??;
                self.editor.refresh_annotations();
                Ok(answer)
            }
            _ => {
                let listing: live::Listing = read(Some(argument))?;
                let (listed, damage) = self.read(move |asked| live::runs(asked, &listing)).await??;
                if !damage.is_empty() {
                    self.editor.show(damage.join("\n"));
                }
                Ok(listed)
            }
        }
    }

    /// Runs with real models and tools, after the user has allowed everything that the run needs.
    async fn run_live(
        &self,
        title: &'static str,
        work: live::Work,
        (announces, follow): (bool, Option<Value>),
        token: Option<ProgressToken>,
    ) -> Result<Value> {
        let look = move |asked: &Asked<'_>| (live::needed(asked, &work), work);
        let (needed, work) = self.read_files(look).await?;
        if let Some(needed) = needed? {
            needed.ask(self.editor.as_ref()).await?;
        }
        let traces = Arc::clone(&self.traces);
        let queue = self.queue.clone();
        let logs = Arc::clone(&traces.growing);
        let client = live::Client { editor: Arc::clone(&self.editor), follow, logs };
        let work = move |asked: &Asked<'_>, progress: &mut simulate::Progress| {
            let (answer, ran) = live::run(asked, work, &traces, &client, progress)?;
            queue.send(Event::Ran(Box::new(ran)));
            Ok(answer)
        };
        let answer = self.run(title, token, work).await?;
        self.announce(&answer, announces);
        Ok(answer)
    }
}
