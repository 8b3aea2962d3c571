//! A message becomes a request, and its answer a response.

use serde_json::Value;

use crate::requests;
use crate::session::DebugSession;

impl DebugSession<'_> {
    /// Handles a message.
    pub fn handle(&mut self, message: &Value) {
        let command = message.get("command").and_then(Value::as_str);
        let is_request = message.get("type").and_then(Value::as_str) == Some("request");
        let (Some(command), true) = (command, is_request) else {
            // Responses to requests of the adapter, which sends none, and what is no message.
            return;
        };
        let request = message.get("seq").and_then(Value::as_i64).unwrap_or(0);
        let arguments = message.get("arguments").unwrap_or(&Value::Null);
        match requests::answer(self, command, arguments) {
            Ok(answer) => {
                self.respond(request, command, Ok(answer.body));
                if let Some(then) = answer.then {
                    then(self);
                }
            }
            Err(refusal) => self.respond(request, command, Err(refusal)),
        }
    }
}
