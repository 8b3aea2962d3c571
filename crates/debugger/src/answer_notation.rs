//! Answers as users write them.
//!
//! Input: the text of a user, or an answer of a run; output: the answer in the notation of traces, or a text for the user. Invariant:
//! the text that is shown for an answer means this answer.

use nodewise_engine::ask::{Purpose, Question};
use serde_json::{Value as Json, json};

/// Converts what a user wrote to a decision in the notation of traces.
pub(crate) fn written_decision(text: &str) -> Json {
    match serde_json::from_str(text) {
        Ok(Json::Object(decision)) if decision.contains_key("word") => Json::Object(decision),
        Ok(Json::String(word)) => json!({ "word": word }),
        _ => json!({ "word": text }),
    }
}

/// Converts what a user wrote to an answer in the notation of traces. `instead` is the reply that the answer
/// replaces, if there is one.
///
/// A text that is in this notation already does not change. For a model that works, the text is what the model says,
/// also if it is a number, unless the replaced reply has a value. All other answers are values if they are JSON.
pub(crate) fn written(asked: Option<&Question>, instead: Option<&Json>, text: &str) -> Json {
    let value: Option<Json> = serde_json::from_str(text).ok();
    let is_notation = |json: &Json| json.get("reply").is_some() || json.get("failure").is_some();
    if let Some(whole) = value.as_ref().filter(|json| is_notation(json)) {
        return whole.clone();
    }
    if let Some(reply) = value.as_ref().filter(|json| json.get("of").is_some_and(Json::is_string)) {
        return json!({ "reply": reply });
    }
    match (asked, value) {
        (Some(Question::Model(model)), Some(value))
            if model.purpose != Purpose::Work
                || instead.is_some_and(|reply| reply.get("value").is_some()) =>
        {
            json!({ "reply": { "of": "model", "text": "", "value": value, "calls": [] } })
        }
        (Some(Question::Model(_)), value) => {
            let said = value.as_ref().and_then(Json::as_str).unwrap_or(text);
            json!({ "reply": { "of": "model", "text": said, "calls": [] } })
        }
        (Some(Question::Human(_)), value) => {
            let word = value.as_ref().and_then(Json::as_str).unwrap_or(text);
            json!({ "reply": { "of": "decision", "decision": { "word": word } } })
        }
        (_, Some(value)) => json!({ "reply": { "of": "value", "value": value } }),
        (_, None) => json!({ "reply": { "of": "value", "value": text } }),
    }
}

/// Converts a reply to what a user would write for it: only the value or the text if [`written`] makes the same reply
/// of it, else the reply in the notation of traces.
pub(crate) fn plain(asked: Option<&Question>, reply: &Json) -> Json {
    let alone = [reply.get("value"), reply.get("text"), reply.pointer("/decision/word")];
    let is_enough = |one: &&Json| written(asked, Some(reply), &one.to_string()).get("reply") == Some(reply);
    alone.into_iter().flatten().find(is_enough).unwrap_or(reply).clone()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_engine::ask::{ModelQuestion, Purpose, Question};
    use serde_json::{Value as Json, json};

    use super::{plain, written};

    fn model(purpose: Purpose) -> Question {
        Question::Model(ModelQuestion {
            agent: "clerk".into(),
            purpose,
            prompt: Arc::default(),
            tools: Arc::default(),
            temperature: None,
            opening: None,
        })
    }

    /// Checks what a text means as an answer, and that the same text is shown for the answer.
    #[track_caller]
    fn check_answer(asked: Option<&Question>, text: &str, reply: &Json) {
        assert_eq!(written(asked, Some(reply), text)["reply"], *reply, "{text}");
        let shown = plain(asked, reply).to_string();
        assert_eq!(written(asked, Some(reply), &shown)["reply"], *reply, "{shown}");
    }

    #[test]
    fn a_model_that_works_says_what_is_written() {
        let says = |text: &str| json!({"of": "model", "text": text, "calls": []});
        let work = model(Purpose::Work);
        for text in ["700", "true", "null", "{\"a\": 1}", "We pay.", ""] {
            check_answer(Some(&work), text, &says(text));
        }
        check_answer(Some(&work), "\"quoted\"", &says("quoted"));
        assert_eq!(plain(Some(&work), &says("700")), json!("700"));
        assert_eq!(written(Some(&work), None, "700")["reply"], says("700"));
        // Where a value is wanted, it replied with one.
        let value = json!({"of": "model", "text": "", "value": {"a": 1}, "calls": []});
        check_answer(Some(&work), "{\"a\": 1}", &value);
        let calls = json!({"of": "model", "text": "", "calls": [{"id": "1", "tool": "t", "arguments": {}}]});
        check_answer(Some(&work), &calls.to_string(), &calls);
        assert_eq!(plain(Some(&work), &calls), calls);
    }

    #[test]
    fn other_answers_are_values() {
        let route = model(Purpose::Route);
        let value = json!({"of": "model", "text": "", "value": {"next": "a"}, "calls": []});
        check_answer(Some(&route), "{\"next\": \"a\"}", &value);
        assert_eq!(plain(Some(&route), &value), json!({"next": "a"}));
        for (text, value) in [("9", json!(9)), ("nine", json!("nine")), ("[1]", json!([1]))] {
            check_answer(None, text, &json!({"of": "value", "value": value}));
        }
        // A value that looks like the notation is written in the notation.
        let odd = json!({"of": "value", "value": {"of": "model"}});
        check_answer(None, &odd.to_string(), &odd);
        assert_eq!(plain(None, &odd), odd);
    }
}
