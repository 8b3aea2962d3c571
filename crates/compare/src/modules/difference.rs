//! Declarations of the packages and of our reading, field by field.
//!
//! Input: both lists, as JSON. Output: how many fields are equal, unknown and wrong, and which. A field is a text, a number, a
//! truth, or an empty list or mapping. Invariant: ids that a package made up (`#1`) are equal to ids that our reading made up, if
//! each stands for one other.

use std::collections::BTreeMap;

use nodewise_dialect::tables::DIALECTS;
use serde_json::{Value, json};

/// The key that marks a value that our reading does not know. Its value is the reason.
pub(super) const UNKNOWN: &str = "$unknown";
/// The start of a line about a wrong field.
const WRONG: &str = "wrong";
/// The character that every generated id contains.
const MADE_UP: char = '#';

/// The result of a comparison.
#[derive(Debug, Default)]
pub(super) struct Tally {
    equal: usize,
    unknown: Vec<(String, usize)>,
    wrong: Vec<(String, usize)>,
}

impl Tally {
    pub(super) fn add(&mut self, other: Tally) {
        self.equal += other.equal;
        self.unknown.extend(other.unknown);
        self.wrong.extend(other.wrong);
    }

    fn count(list: &[(String, usize)]) -> usize {
        list.iter().map(|(_, count)| count).sum()
    }

    /// Whether nothing is wrong.
    pub(super) fn is_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// Whether at least this percentage of the fields is known.
    pub(super) fn is_known(&self, known: usize) -> bool {
        let unknown = Tally::count(&self.unknown);
        self.equal * 100 >= known * (self.equal + unknown)
    }

    pub(super) fn summary(&self) -> String {
        let (unknown, wrong) = (Tally::count(&self.unknown), Tally::count(&self.wrong));
        let all = self.equal + unknown + wrong;
        let known = if all == 0 { 100.0 } else { 100.0 * (all - unknown) as f64 / all as f64 };
        format!("{all} fields, {} equal, {unknown} unknown, {wrong} wrong; {known:.1} % known", self.equal)
    }

    /// One line for each field that differs, the wrong ones first.
    pub(super) fn lines(&self) -> impl Iterator<Item = String> {
        let wrong = self.wrong.iter().map(|(line, _)| format!("{WRONG}    {line}"));
        wrong.chain(self.unknown.iter().map(|(line, count)| format!("unknown  {line} ({count})")))
    }
}

/// Whether a line is about a wrong field.
pub(super) fn is_wrong(line: &str) -> bool {
    line.starts_with(WRONG)
}

/// Compares what a module builds with our reading of it. `module` is the start of each line.
pub(super) fn compare(module: &str, theirs: &Value, ours: &[Value]) -> Tally {
    let mut comparison = Comparison::default();
    let mut left: Vec<&Value> = ours.iter().collect();
    let is_here = |declaration: &&Value| declaration["is_elsewhere"] != true;
    for their in theirs.as_array().into_iter().flatten().filter(is_here) {
        let kind = their["kind"].as_str().unwrap_or_default();
        let name = format!("{module}: {kind} {}", title(&their["value"]));
        match comparison.same(their, &left) {
            Some(at) => {
                let our = left.remove(at);
                let (mut their, mut our) = (their["value"].clone(), our["value"].clone());
                long_forms(&mut their);
                long_forms(&mut our);
                comparison.values(&name, &their, &our);
            }
            // An agent that another module makes is in the reading of that module.
            None if their["line"].is_null() && their["builder"] == "agent" => {}
            None => comparison.tally.unknown.push((format!("{name}: not found"), leaves(&their["value"]))),
        }
    }
    comparison.tally
}

/// Replaces short forms of tool sources with long ones, because documents accept both.
fn long_forms(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(long_forms),
        Value::Object(members) => {
            for (key, member) in members.iter_mut() {
                if key == "tools" {
                    member.as_array_mut().into_iter().flatten().for_each(long_source);
                }
                long_forms(member);
            }
        }
        _ => {}
    }
}

fn long_source(source: &mut Value) {
    if let Some(name) = source.as_str() {
        let is_builtin =
            DIALECTS.iter().flat_map(|dialect| dialect.builtin_tools).any(|tool| tool.text == name);
        *source = json!({"type": if is_builtin { "builtin" } else { "custom" }, "name": name});
    } else if let Some(server) = source.get("mcp").cloned() {
        let names = source.get("tools").or(source.get("toolNames")).cloned();
        *source = json!({"type": "mcp", "server_id": server});
        if let Some(names) = names {
            source["tool_names"] = names;
        }
    }
}

fn title(value: &Value) -> &str {
    value["name"].as_str().or(value["id"].as_str()).unwrap_or_default()
}

#[derive(Default)]
struct Comparison {
    tally: Tally,
    /// For each id that the package generated, the one that we generated.
    ids: BTreeMap<String, String>,
}

impl Comparison {
    /// The index of our declaration that corresponds to theirs: the one at the same line, or else the one with the
    /// same name or id.
    fn same(&self, their: &Value, ours: &[&Value]) -> Option<usize> {
        let fits = |our: &Value| our["system"] == their["system"] && our["kind"] == their["kind"];
        let line = their["line"].as_u64();
        let around = |our: &Value| {
            let (first, last) = (our["line"].as_u64()?, our["last_line"].as_u64()?);
            let is_around = line.is_some_and(|line| first <= line && line <= last);
            is_around.then_some(last - first)
        };
        let at_line = ours.iter().enumerate().filter(|(_, our)| fits(our));
        let at_line = at_line.filter_map(|(at, our)| Some((around(our)?, at))).min().map(|(_, at)| at);
        let is_exported = |our: &Value| {
            let exports = their["exports"].as_array().into_iter().flatten();
            our["name"].is_string() && exports.into_iter().any(|name| *name == our["name"])
        };
        let by_name = || ours.iter().position(|our| fits(our) && is_exported(our));
        let by_id = || {
            let id = their["value"]["id"].as_str()?;
            let id = self.ids.get(id).map_or(id, String::as_str);
            ours.iter().position(|our| fits(our) && our["value"]["id"] == id)
        };
        if line.is_some() { at_line } else { by_name().or_else(by_id) }
    }

    fn values(&mut self, path: &str, theirs: &Value, ours: &Value) {
        if let Some(reason) = ours.get(UNKNOWN) {
            let reason = reason.as_str().unwrap_or_default();
            self.tally.unknown.push((format!("{path}: {reason}"), leaves(theirs)));
            return;
        }
        match (theirs, ours) {
            (Value::Object(their), Value::Object(our)) if !their.is_empty() || !our.is_empty() => {
                for (key, theirs) in their {
                    let path = format!("{path}.{key}");
                    match our.get(key) {
                        Some(ours) => self.values(&path, theirs, ours),
                        // A value that the package generates may be missing in our reading.
                        None if is_made_up(theirs, true) => {}
                        None => {
                            self.tally.wrong.push((format!("{path}: absent, not {theirs}"), leaves(theirs)))
                        }
                    }
                }
                for (key, ours) in our.iter().filter(|(key, _)| !their.contains_key(*key)) {
                    match unknown_alone(ours) {
                        Some(reason) => self.tally.unknown.push((format!("{path}.{key}: {reason}"), 1)),
                        None => self.tally.wrong.push((format!("{path}.{key}: {ours}, not absent"), 1)),
                    }
                }
            }
            (Value::Array(_), Value::Array(our)) if our.iter().any(|item| item.get(UNKNOWN).is_some()) => {
                let reason = our.iter().find_map(|item| item.get(UNKNOWN)?.as_str()).unwrap_or_default();
                self.tally.unknown.push((format!("{path}: {reason}"), leaves(theirs)));
            }
            (Value::Array(their), Value::Array(our)) if their.len() == our.len() && !their.is_empty() => {
                for (number, (their, our)) in their.iter().zip(our).enumerate() {
                    self.values(&format!("{path}[{number}]"), their, our);
                }
            }
            _ if self.is_same(theirs, ours) => self.tally.equal += 1,
            _ => self.tally.wrong.push((format!("{path}: {ours}, not {theirs}"), leaves(theirs))),
        }
    }

    fn is_same(&mut self, theirs: &Value, ours: &Value) -> bool {
        if let (Value::String(their), Value::String(our)) = (theirs, ours)
            && is_made_up(theirs, true)
        {
            let known = self.ids.entry(their.clone()).or_insert_with(|| our.clone());
            return *known == *our && is_made_up(ours, false);
        }
        match (theirs.as_f64(), ours.as_f64()) {
            (Some(their), Some(our)) => their == our,
            _ => theirs == ours,
        }
    }
}

/// The reason why a value is unknown, if it or a part of it is. Its known parts may be enough to have an effect.
fn unknown_alone(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) if !members.contains_key(UNKNOWN) => {
            let reasons: Option<Vec<&str>> = members.values().map(unknown_alone).collect();
            reasons?.first().copied()
        }
        _ => value.get(UNKNOWN)?.as_str(),
    }
}

/// Whether a value is a generated id: by a package (`#1`), or by our reading (`module.ts#name`).
fn is_made_up(value: &Value, by_package: bool) -> bool {
    let text = value.as_str().unwrap_or_default();
    if by_package { text.starts_with(MADE_UP) } else { text.contains(MADE_UP) }
}

/// The number of fields of a value.
fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) if !items.is_empty() => items.iter().map(leaves).sum(),
        Value::Object(members) if !members.is_empty() => members.values().map(leaves).sum(),
        _ => 1,
    }
}
