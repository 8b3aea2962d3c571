//! What can happen, as text for people and as JSON for programs.
//!
//! Input: an exploration, perhaps the folder that its scripts are written to; output: text, JSON. Invariant: equal
//! explorations give equal bytes, and both forms tell the same.

use nodewise_engine::explore::{End, ExplorationFinding, ExplorationFindingKind, Witness};
use serde_json::{Value as Json, json};

use super::text::shown as place_in_words;
use crate::exploration::{Exploration, ExploredScript};
use crate::words;

/// The version of the JSON.
const VERSION: u32 = 1;
/// The maximum number of nodes that are shown of a path.
const NODES_SHOWN: usize = 12;

/// What can happen, for people. `folder` is where the scripts are.
#[must_use]
pub fn exploration_text(exploration: &Exploration, folder: Option<&str>) -> String {
    let (subject, report) = (&exploration.subject, &exploration.report);
    let system = subject.system.dialect().title;
    let mut out = format!("{} of {system}, all possible runs\n", subject.title);
    for note in subject.notes.iter().chain(&report.notes) {
        out.push_str(&format!("note: {note}\n"));
    }
    let count = format!("{} states, {} transitions", report.states, report.transitions);
    match report.is_exhaustive {
        true => out.push_str(&format!("exhaustive: {count}\n")),
        false => out.push_str(&format!("not exhaustive: {count}\n")),
    }
    for gap in &report.gaps {
        out.push_str(&format!("  {gap}\n"));
    }
    out.push_str("\nruns end\n");
    for (end, shown) in report.ends.iter().zip(&exploration.ends) {
        out.push_str(&format!("  {}\n", end_in_words(end)));
        way(&end.witness, shown.as_ref(), folder, &mut out);
    }
    out.push_str("\nfindings\n");
    if report.findings.is_empty() {
        out.push_str("  none\n");
    }
    for (finding, shown) in report.findings.iter().zip(&exploration.findings) {
        let at = exploration.place(finding).map(|place| format!("{}  ", place_in_words(place)));
        let message = exploration.message(finding);
        out.push_str(&format!("  {}  {}{message}\n", finding.kind.name(), at.unwrap_or_default()));
        if let ExplorationFindingKind::DeadEnd { failure, .. } = &finding.kind {
            out.push_str(&format!("    {failure}\n"));
        }
        if let Some(witness) = &finding.witness {
            way(witness, shown.as_ref(), folder, &mut out);
        }
    }
    out.push_str(&format!("\nat most\n  {}\n", worst_in_words(exploration)));
    if let Some(witness) = &report.worst.witness {
        way(witness, exploration.worst.as_ref(), folder, &mut out);
    }
    if folder.is_none() && exploration.shown().next().is_some() {
        out.push_str("\n--save-scripts DIR saves scripts that reproduce these runs; `--script` runs one.\n");
    }
    out
}

/// What can happen, for programs.
#[must_use]
pub fn exploration_json(exploration: &Exploration, folder: Option<&str>) -> Json {
    let (subject, report) = (&exploration.subject, &exploration.report);
    let notes: Vec<&String> = subject.notes.iter().chain(&report.notes).collect();
    let ends = report.ends.iter().zip(&exploration.ends).map(|(end, shown)| {
        let mut json =
            json!({"status": end.status.word(), "node": end.node.as_str(), "needs_fault": end.needs_fault});
        if let Some(failure) = &end.failure {
            put(
                &mut json,
                "error",
                json!({"class": failure.class.as_str(), "message": failure.message.as_str()}),
            );
        }
        put_way(&mut json, &end.witness, shown.as_ref(), folder);
        json
    });
    let findings = report.findings.iter().zip(&exploration.findings);
    let findings =
        findings.map(|(finding, shown)| finding_json(exploration, finding, shown.as_ref(), folder));
    json!({
        "version": VERSION,
        "system": subject.system.dialect().id,
        "title": subject.title,
        "exhaustive": report.is_exhaustive,
        "gaps": report.gaps,
        "notes": notes,
        "states": report.states,
        "transitions": report.transitions,
        "ends": ends.collect::<Vec<Json>>(),
        "findings": findings.collect::<Vec<Json>>(),
        "worst": worst_json(exploration, folder),
    })
}

/// How a run can end: "failed NoMatchingEdgeError at `fetch`".
fn end_in_words(end: &End) -> String {
    let class = end.failure.as_ref().map(|failure| format!(" {}", failure.class)).unwrap_or_default();
    let fault = if end.needs_fault { ", only if a call fails" } else { "" };
    format!("{}{class} at `{}`{fault}", end.status.word(), end.node)
}

/// The nodes on the path, and the script that follows it.
fn way(witness: &Witness, shown: Option<&ExploredScript>, folder: Option<&str>, out: &mut String) {
    let names = |nodes: &[(smol_str::SmolStr, smol_str::SmolStr)]| {
        let names: Vec<&str> = nodes.iter().map(|(_, node)| node.as_str()).collect();
        names.join(" -> ")
    };
    let path = match witness.path.get(..NODES_SHOWN) {
        Some(first) if witness.path.len() > NODES_SHOWN => {
            format!("{} … {} more", names(first), witness.path.len() - NODES_SHOWN)
        }
        _ => names(&witness.path),
    };
    out.push_str(&format!("    path {path}\n"));
    if let (Some(shown), Some(folder)) = (shown, folder) {
        out.push_str(&format!("    script {}\n", file(folder, shown)));
    }
}

fn worst_in_words(exploration: &Exploration) -> String {
    let worst = &exploration.report.worst;
    if worst.is_unbounded {
        return match &worst.limit {
            Some(limit) => {
                format!(
                    "loops repeat up to {limit}; this limit alone bounds visits, model calls, tokens and cost"
                )
            }
            None => "loops have no limit".to_owned(),
        };
    }
    let count = |count: u64, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
    let mut text = format!("{}, {}", count(worst.visits, "visit"), count(worst.model_calls, "model call"));
    if let Some(usage) = words::usage(&worst.usage) {
        text.push_str(&format!(", {usage}"));
    }
    text
}

fn finding_json(
    exploration: &Exploration,
    finding: &ExplorationFinding,
    shown: Option<&ExploredScript>,
    folder: Option<&str>,
) -> Json {
    let mut json = json!({
        "kind": finding.kind.name(),
        "graph": finding.graph.as_str(),
        "message": exploration.message(finding),
        "certain": exploration.is_certain(finding),
    });
    let about = match &finding.kind {
        ExplorationFindingKind::UnreachedNode(node) | ExplorationFindingKind::NeverRuns(node) => {
            json!({"node": node.as_str()})
        }
        ExplorationFindingKind::UnreachedEdge { from, to, number, .. } => {
            json!({"from": from.as_str(), "to": to.as_str(), "edge": number})
        }
        ExplorationFindingKind::DeadEnd { node, failure } => {
            json!({"node": node.as_str(), "failure": failure.as_str()})
        }
        ExplorationFindingKind::EndlessLoop { nodes } => {
            json!({"nodes": nodes.iter().map(|node| node.as_str()).collect::<Vec<_>>()})
        }
        ExplorationFindingKind::ReadBeforeWrite { node, key, by_condition } => {
            json!({"node": node.as_str(), "key": key.as_str(), "by_condition": by_condition})
        }
        ExplorationFindingKind::ConflictingWrites { key, nodes } => {
            json!({"key": key.as_str(), "nodes": nodes.iter().map(|node| node.as_str()).collect::<Vec<_>>()})
        }
    };
    if let (Json::Object(json), Json::Object(about)) = (&mut json, about) {
        json.extend(about);
    }
    if let Some(place) = exploration.place(finding) {
        let place = json!({"file": place.path.as_str(), "line": place.line, "column": place.column});
        put(&mut json, "place", place);
    }
    if let Some(witness) = &finding.witness {
        put_way(&mut json, witness, shown, folder);
    }
    json
}

fn worst_json(exploration: &Exploration, folder: Option<&str>) -> Json {
    let worst = &exploration.report.worst;
    if worst.is_unbounded {
        return json!({"bounded": false, "limit": worst.limit});
    }
    let mut json = json!({
        "bounded": true,
        "visits": worst.visits,
        "model_calls": worst.model_calls,
        "input_tokens": worst.usage.input_tokens,
        "output_tokens": worst.usage.output_tokens,
        "cost_usd": worst.usage.cost_usd,
    });
    if let Some(witness) = &worst.witness {
        put_way(&mut json, witness, exploration.worst.as_ref(), folder);
    }
    json
}

/// The nodes on the path; the script's file, or else its text.
fn put_way(json: &mut Json, witness: &Witness, shown: Option<&ExploredScript>, folder: Option<&str>) {
    let nodes: Vec<&str> = witness.path.iter().map(|(_, node)| node.as_str()).collect();
    put(json, "path", json!(nodes));
    match (shown, folder) {
        (Some(shown), Some(folder)) => put(json, "script_file", file(folder, shown).into()),
        (Some(shown), None) => put(json, "script", shown.text.as_str().into()),
        (None, _) => {}
    }
}

fn file(folder: &str, shown: &ExploredScript) -> String {
    format!("{}/{}", folder.trim_end_matches(['/', '\\']), shown.name)
}

fn put(json: &mut Json, key: &str, value: Json) {
    if let Json::Object(json) = json {
        json.insert(key.to_owned(), value);
    }
}
