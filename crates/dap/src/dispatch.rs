//! A message becomes a request, and its answer a response.

use serde_json::Value;

use crate::requests;
use crate::session::DebugSession;

impl DebugSession<'_> {
    /// Handles a message of the client.
    pub fn handle(&mut self, message: &Value) {
        let word = |key: &str| message.get(key).and_then(Value::as_str);
        let command = word("command");
        if word("type") == Some("response") {
            let is_success = message.get("success").and_then(Value::as_bool).unwrap_or(false);
            if let Some(number) = message.get("request_seq").and_then(Value::as_u64) {
                self.child_answered(number, is_success);
            }
            return;
        }
        let is_request = word("type") == Some("request");
        let (Some(command), true) = (command, is_request) else {
            // Ignore what is not a message of the protocol.
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
