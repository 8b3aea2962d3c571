//! The providers of a run: each question goes to who can answer it.
//!
//! Input: questions; output: answers of models, tools, functions and services. Invariant: an answer holds no secret, and a
//! question that nothing is there for is a failure that says what to configure.

use std::sync::Arc;

use futures::future::BoxFuture;
use nodewise_engine::ask::{Answer, Ask, Question};
use nodewise_engine::outcome::Failure;
use nodewise_project::config::live::{Again, Service};
use nodewise_simulation::render::json::question;

use crate::answering::{Answering, Asked};
use crate::models::Models;
use crate::secrets::Secrets;
use crate::tools::Tools;

/// Passes each question of a live run to the model, tool, function or service that answers it.
pub(crate) struct Providers {
    parts: Arc<Parts>,
}

struct Parts {
    models: Models,
    tools: Tools,
    secrets: Arc<Secrets>,
}

impl Providers {
    /// Creates the answerer from models and started tools.
    #[must_use]
    pub(crate) fn new(models: Models, tools: Tools, secrets: Arc<Secrets>) -> Providers {
        Providers { parts: Arc::new(Parts { models, tools, secrets }) }
    }
}

impl Answering for Providers {
    fn answer(&self, asked: Asked) -> BoxFuture<'static, Answer> {
        let parts = Arc::clone(&self.parts);
        Box::pin(async move {
            let answer = parts.answer(&asked).await;
            parts.secrets.mask_answer(answer)
        })
    }

    fn again(&self, ask: &Ask) -> Again {
        match &ask.what {
            Question::Tool(tool) => self.parts.tools.again(&tool.tool),
            _ => Again::Repeat,
        }
    }
}

impl Parts {
    async fn answer(&self, asked: &Asked) -> Answer {
        let service = match &asked.ask.what {
            Question::Model(model) => return self.models.answer(asked, model).await,
            Question::Tool(tool) => return self.tools.call(tool, &asked.key).await,
            Question::Function(function) => return self.tools.function(function, &asked.key).await,
            Question::Human(_) => {
                return Answer::failed(Failure::lasting("InternalError", "people are not asked here"));
            }
            Question::Extension(_) => Service::Extension,
            Question::Guardrail(_) => Service::Guardrail,
            Question::Discovery(_) => Service::Discovery,
            Question::Recall(_) => Service::Recall,
            Question::Remember(_) => Service::Remember,
            Question::Remote(_) => Service::Remote,
            Question::Fitness(_) => Service::Fitness,
            Question::Session(_) => Service::Session,
        };
        self.tools.service(service, question(&asked.ask.what), &asked.key).await
    }
}
