//! Smaller questions, for the smallest reproduction of a difference.
//!
//! Input is a question; output is questions that lack a part of it. Invariant: what says which question it is stays.

use serde_json::Value;

use super::documents::asking;

/// Questions whose text lacks some characters, or whose other members lack a part.
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

/// Questions whose value lacks a part, all else being equal.
pub(in crate::oracle) fn smaller_value(question: &Value) -> Vec<Value> {
    smaller_part(question, "value")
}

/// Questions of which one member lacks a part, all else being equal.
pub(in crate::oracle) fn smaller_part(question: &Value, key: &str) -> Vec<Value> {
    let with = |value: Value| {
        let mut smaller = question.clone();
        smaller[key] = value;
        smaller
    };
    without_one_part(&question[key]).into_iter().map(with).collect()
}

/// Questions whose job lacks a node, an edge, a step or another large part.
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

/// The values that lack one member or item of their own.
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

/// Questions whose document lacks a part.
pub(in crate::oracle) fn smaller_document(question: &Value) -> Vec<Value> {
    let form = question["form"].as_str().unwrap_or_default();
    without_one_part(&question["value"]).into_iter().map(|value| asking(form, value)).collect()
}

/// The values that lack one member or item, from the outermost to the innermost.
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
