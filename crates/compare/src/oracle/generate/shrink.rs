//! Smaller questions, to find the smallest reproduction of a difference.
//!
//! Input is a question. Output is questions without a part of it. Invariant: the members that identify the question
//! stay.

use serde_json::Value;

use super::documents::asking;

/// Questions with a shorter text, or without a part of their other members.
pub(in crate::oracle) fn smaller_text(question: &Value, text: &str, others: &[&str]) -> Vec<Value> {
    let whole: Vec<char> = question[text].as_str().unwrap_or_default().chars().collect();
    let mut smaller = Vec::new();
    for length in [whole.len() / 2, whole.len() / 4, 8, 4, 2, 1] {
        if length == 0 || length >= whole.len() {
            continue;
        }
        for start in 0..=whole.len() - length {
            let rest: String = whole[..start].iter().chain(&whole[start + length..]).collect();
            let mut shorter = question.clone();
            shorter[text] = Value::String(rest);
            smaller.push(shorter);
        }
    }
    for other in others {
        for value in without_one_part(&question[*other]) {
            let mut shorter = question.clone();
            shorter[*other] = value;
            smaller.push(shorter);
        }
    }
    smaller
}

/// Questions without a part of their value. Everything else stays the same.
pub(in crate::oracle) fn smaller_value(question: &Value) -> Vec<Value> {
    smaller_part(question, "value")
}

/// Questions without a part of one member. Everything else stays the same.
pub(in crate::oracle) fn smaller_part(question: &Value, key: &str) -> Vec<Value> {
    let with = |value: Value| {
        let mut smaller = question.clone();
        smaller[key] = value;
        smaller
    };
    without_one_part(&question[key]).into_iter().map(with).collect()
}

/// Questions without a node, an edge, a step or another large part of their job.
pub(in crate::oracle) fn smaller_job(question: &Value) -> Vec<Value> {
    let job = &question["job"];
    let mut smaller = Vec::new();
    for holder in ["/graph/nodes", "/graph/edges", "/script", "/then", "/subgraphs", "/subgraphScript", ""] {
        let Some(held) = job.pointer(holder) else { continue };
        for rest in without_one_member(held) {
            let mut changed = question.clone();
            if let Some(place) = changed["job"].pointer_mut(holder) {
                *place = rest;
            }
            smaller.push(changed);
        }
    }
    smaller
}

/// The values without one of their direct members or items.
fn without_one_member(value: &Value) -> Vec<Value> {
    match value {
        Value::Object(members) => {
            let without = |key: &String| {
                let mut rest = members.clone();
                rest.shift_remove(key);
                Value::Object(rest)
            };
            members.keys().map(without).collect()
        }
        Value::Array(items) => {
            let without = |index: usize| {
                let mut rest = items.clone();
                rest.remove(index);
                Value::Array(rest)
            };
            (0..items.len()).map(without).collect()
        }
        _ => Vec::new(),
    }
}

/// Questions without a part of their document.
pub(in crate::oracle) fn smaller_document(question: &Value) -> Vec<Value> {
    let form = question["form"].as_str().unwrap_or_default();
    without_one_part(&question["value"]).into_iter().map(|value| asking(form, value)).collect()
}

/// The values without one member or item at any depth, outermost first.
fn without_one_part(value: &Value) -> Vec<Value> {
    let mut smaller = Vec::new();
    match value {
        Value::Object(members) => {
            for key in members.keys() {
                let mut rest = members.clone();
                rest.shift_remove(key);
                smaller.push(Value::Object(rest));
            }
            for (key, member) in members {
                for inner in without_one_part(member) {
                    let mut changed = members.clone();
                    changed.insert(key.clone(), inner);
                    smaller.push(Value::Object(changed));
                }
            }
        }
        Value::Array(items) => {
            for index in 0..items.len() {
                let mut rest = items.clone();
                rest.remove(index);
                smaller.push(Value::Array(rest));
            }
            for (index, item) in items.iter().enumerate() {
                for inner in without_one_part(item) {
                    let mut changed = items.clone();
                    changed[index] = inner;
                    smaller.push(Value::Array(changed));
                }
            }
        }
        _ => {}
    }
    smaller
}
