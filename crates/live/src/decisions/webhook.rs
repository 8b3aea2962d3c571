//! A message to an address when a run begins to wait.
//!
//! Input: a run and its questions; output: one request with JSON that chat services take, with links to the page. Invariant: the
//! message has neither secrets nor what the person is shown of the state, and goes to the address that the user allowed.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use nodewise_project::config::live::Live;
use reqwest::Url;
use reqwest::redirect::Policy;
use serde_json::json;

use super::links::{Links, key_file};
use crate::environment::Environment;
use crate::people::Topic;
use crate::secrets::{NeededKeys, Secrets};
use crate::store::{OpenQuestion, RunId};

/// An address that gets a message when a run begins to wait.
pub struct Webhook {
    address: Url,
    /// Creates the links in messages; `None` if the configuration has no address of the page.
    links: Option<Links>,
    /// Options of `nodewise resume RUN`, for messages without links.
    options: &'static str,
    secrets: Arc<Secrets>,
}

/// How long the request may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How many characters of a question a message shows.
const QUESTION_SHOWN: usize = 300;

impl Webhook {
    /// The webhook for runs on an engine; `None` if the project configures none.
    ///
    /// # Errors
    /// Where its address or the key of links cannot be read.
    pub fn for_engine(live: &Live, folder: &Path) -> Result<Option<Webhook>> {
        let needed = NeededKeys { webhook: live.decisions.webhook.clone(), ..NeededKeys::default() };
        let secrets = Arc::new(Secrets::resolve_in(&needed, Environment::of_folder(folder)?));
        // A worker can only sign links if it was given the key of the page.
        let has_key = key_file(folder).is_file();
        Webhook::with_links(live, folder, &secrets, " --on ENGINE", has_key)
    }

    /// The webhook for local runs; `None` if the project configures none.
    pub(crate) fn of(live: &Live, folder: &Path, secrets: &Arc<Secrets>) -> Result<Option<Webhook>> {
        Webhook::with_links(live, folder, secrets, "", true)
    }

    fn with_links(
        live: &Live,
        folder: &Path,
        secrets: &Arc<Secrets>,
        options: &'static str,
        has_links: bool,
    ) -> Result<Option<Webhook>> {
        let Some(address) = secrets.webhook()? else { return Ok(None) };
        // The address may contain a key, so no message shows it.
        let address = Url::parse(address.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let Some(address) = address else {
            bail!(
                "the webhook is not an address\n  help: let `webhook` of [live.decisions] in nodewise.toml be an address such as \
                 `https://chat.example/hooks/…`"
            )
        };
        let config = &live.decisions;
        let url = config.url.as_deref().filter(|_| has_links);
        let links = url.map(|url| Links::of_folder(folder, config, url)).transpose()?;
        Ok(Some(Webhook { address, links, options, secrets: Arc::clone(secrets) }))
    }

    /// Sends the message that a run waits.
    ///
    /// # Errors
    /// Where the address does not answer, or refuses the message.
    pub async fn notify(&self, run: &RunId, title: &str, questions: &[OpenQuestion]) -> Result<()> {
        // An error means that the same provider was installed before.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = reqwest::Client::builder()
            .timeout(TIMEOUT)
            .redirect(Policy::none())
            .user_agent(concat!("nodewise/", env!("CARGO_PKG_VERSION")))
            .build()
            .context("the webhook cannot be called")?;
        let text = self.text(run, title, questions);
        let sent = client.post(self.address.clone()).json(&json!({"text": text})).send().await;
        let status = match sent {
            Ok(answer) => answer.status(),
            // The error itself is not shown, because it contains the address.
            Err(error) => bail!("{}", if error.is_timeout() { "no answer in time" } else { "no connection" }),
        };
        if !status.is_success() {
            bail!("the answer was HTTP {status}");
        }
        Ok(())
    }

    /// The text of the message.
    fn text(&self, run: &RunId, title: &str, questions: &[OpenQuestion]) -> String {
        let mut text = format!("The run {} ({run}) waits for a decision.", escaped(title));
        for question in questions.iter().filter(|question| question.decided.is_none()) {
            text.push_str(&format!("\n• {}: {}", escaped(&question.node), asked(question)));
            match &self.links {
                Some(links) => {
                    text.push_str(&format!(" <{}|Decide>", links.to_question(run.as_str(), &question.key)));
                }
                None => {
                    let options = self.options;
                    text.push_str(&format!(" `nodewise resume {run}{options} --approve` or `--reject`"));
                }
            }
        }
        self.secrets.mask_text(&text)
    }
}

/// The beginning of a question, for the message.
fn asked(question: &OpenQuestion) -> String {
    let words = match (&question.question, question.topic) {
        (serde_json::Value::String(words), _) => words.clone(),
        (other, _) => other.to_string(),
    };
    let cut: String = words.chars().take(QUESTION_SHOWN).collect();
    let more = if cut.len() < words.len() { "…" } else { "" };
    let again = if question.topic == Topic::Again { " (a call after a crash)" } else { "" };
    format!("{}{more}{again}", escaped(&cut))
}

/// Escapes the marks by which chat services recognise links and mentions.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
