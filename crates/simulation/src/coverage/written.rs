//! Coverage as text for people, as LCOV for tools that colour lines, as JSON for programs.
//!
//! Input: a coverage, and the folder of its project as it is shown; output: text. Invariant: the order is that of files
//! and of the text in them.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::{Conditions, Coverage, EdgeCoverage, PartCoverage, Share, Totals};
use crate::chart::SourceLocation;
use crate::words;

/// The maximum number of characters that are shown of a condition.
const CONDITION_MAX: usize = 100;

/// The shares of each graph, and what is missing with its place. `shown` gives the path of a file as people see it.
#[must_use]
pub fn text(coverage: &Coverage, shown: &dyn Fn(&str) -> String) -> String {
    let mut out = String::new();
    for graph in coverage.graphs() {
        out.push_str(&format!("coverage of {}\n", graph.title));
        shares(&graph.totals(), &mut out);
        let mut missing = |what: &str, item: &str, place: Option<&SourceLocation>| {
            let place =
                place.map(|place| format!("  {}:{}", shown(&place.path), place.line)).unwrap_or_default();
            out.push_str(&format!("  {what:<14}{item}{place}\n"));
        };
        for node in graph.nodes() {
            if node.visits == 0 {
                missing("not visited", &node.label, node.place.as_ref());
            }
            for item in undecided(node.condition.as_ref()) {
                missing("not decided", &item, node.place.as_ref());
            }
        }
        for edge in graph.edges() {
            if edge.followed == 0 {
                missing("not followed", &edge_in_words(edge), edge.place.as_ref());
            }
            for item in undecided(edge.condition.as_ref()) {
                missing("not decided", &item, edge.place.as_ref());
            }
        }
    }
    out
}

/// The parts of a condition that were not shown to decide, each with what is missing.
fn undecided(condition: Option<&Conditions>) -> Vec<String> {
    let parts = condition.into_iter().flat_map(Conditions::parts);
    let missing = |part: PartCoverage| {
        let gap = part.missing()?;
        Some(format!("`{}` {gap}", words::shortened(&part.text, CONDITION_MAX)))
    };
    parts.filter_map(missing).collect()
}

/// Totals as lines: "nodes  8/10  80 %".
fn shares(totals: &Totals, out: &mut String) {
    for (name, share) in totals.named() {
        let counts = format!("{}/{}", share.covered, share.all);
        out.push_str(&format!("  {name:<14}{counts:>7}  {:>5} %\n", rounded(share)));
    }
}

fn edge_in_words(edge: &EdgeCoverage) -> String {
    match &edge.condition {
        Some(condition) => {
            format!("{} when {}", edge.title(), words::shortened(&condition.text, CONDITION_MAX))
        }
        None => edge.title(),
    }
}

#[derive(Debug, Default)]
struct LcovFile {
    /// How often each line with a node or an edge was reached.
    lines: BTreeMap<u32, u64>,
    /// For each line: how often an edge was followed and not followed, and how often a part of its condition was true and
    /// false.
    branches: BTreeMap<u32, Vec<[u64; 2]>>,
}

/// Writes coverages in the LCOV format: a line for each line with nodes or edges, and branches for edges with conditions
/// and for the parts of these. `shown` gives the path of a file as people see it.
#[must_use]
pub fn lcov<'c>(coverages: impl IntoIterator<Item = (&'c Coverage, &'c dyn Fn(&str) -> String)>) -> String {
    let mut files: BTreeMap<String, LcovFile> = BTreeMap::new();
    for (coverage, shown) in coverages {
        for graph in coverage.graphs() {
            for node in graph.nodes() {
                if let Some(place) = &node.place {
                    let file = files.entry(shown(&place.path)).or_default();
                    file.line(place.line, node.visits);
                    file.parts(
                        place.line,
                        node.condition.as_ref().map(Conditions::parts).unwrap_or_default(),
                    );
                }
            }
            for edge in graph.edges() {
                if let Some(place) = &edge.place {
                    files.entry(shown(&place.path)).or_default().edge(place.line, edge);
                }
            }
        }
    }
    let mut out = String::new();
    for (path, file) in &files {
        out.push_str(&format!("TN:\nSF:{path}\n"));
        file.write(&mut out);
        out.push_str("end_of_record\n");
    }
    out
}

impl LcovFile {
    fn line(&mut self, line: u32, count: u64) {
        *self.lines.entry(line).or_default() += count;
    }

    fn edge(&mut self, line: u32, edge: &EdgeCoverage) {
        self.line(line, edge.followed);
        let Some(condition) = &edge.condition else { return };
        self.branches.entry(line).or_default().push([edge.followed, edge.passed_over]);
        let parts = condition.parts();
        // A single part has the same numbers as its edge.
        if parts.len() > 1 {
            self.parts(line, parts);
        }
    }

    fn parts(&mut self, line: u32, parts: Vec<PartCoverage>) {
        if !parts.is_empty() {
            let ways = parts.iter().map(|part| [part.held, part.failed]);
            self.branches.entry(line).or_default().extend(ways);
        }
    }

    fn write(&self, out: &mut String) {
        let (mut found, mut hit) = (0, 0);
        for (line, blocks) in &self.branches {
            for (block, ways) in blocks.iter().enumerate() {
                let is_reached = ways.iter().any(|count| *count > 0);
                for (way, count) in ways.iter().enumerate() {
                    let taken = if is_reached { count.to_string() } else { "-".to_owned() };
                    out.push_str(&format!("BRDA:{line},{block},{way},{taken}\n"));
                    found += 1;
                    hit += usize::from(*count > 0);
                }
            }
        }
        out.push_str(&format!("BRF:{found}\nBRH:{hit}\n"));
        for (line, count) in &self.lines {
            out.push_str(&format!("DA:{line},{count}\n"));
        }
        let hit = self.lines.values().filter(|count| **count > 0).count();
        out.push_str(&format!("LF:{}\nLH:{hit}\n", self.lines.len()));
    }
}

/// Coverage for programs. `shown` gives the path of a file as people see it.
#[must_use]
pub fn json(coverage: &Coverage, shown: &dyn Fn(&str) -> String) -> Json {
    let place = |place: &Option<SourceLocation>| match place {
        Some(place) => json!({"file": shown(&place.path), "line": place.line, "column": place.column}),
        None => Json::Null,
    };
    let condition = |condition: &Conditions| {
        let parts = condition.parts().into_iter().map(|part| {
            json!({
                "text": part.text.as_str(), "true": part.held, "false": part.failed, "decides": part.decides,
            })
        });
        json!({"text": &*condition.text, "parts": parts.collect::<Vec<_>>()})
    };
    let graphs = coverage.graphs().map(|graph| {
        let nodes = graph.nodes().map(|node| {
            json!({
                "node": node.label.as_str(),
                "visits": node.visits,
                "condition": node.condition.as_ref().map(condition),
                "place": place(&node.place),
            })
        });
        let edges = graph.edges().map(|edge| {
            json!({
                "from": edge.from.as_deref(),
                "to": edge.to.iter().map(|to| to.as_str()).collect::<Vec<_>>(),
                "followed": edge.followed,
                "passed_over": edge.passed_over,
                "condition": edge.condition.as_ref().map(condition),
                "place": place(&edge.place),
            })
        });
        json!({
            "title": graph.title,
            "totals": totals(&graph.totals()),
            "nodes": nodes.collect::<Vec<_>>(),
            "edges": edges.collect::<Vec<_>>(),
        })
    });
    json!({"totals": totals(&coverage.totals()), "graphs": graphs.collect::<Vec<_>>()})
}

fn totals(totals: &Totals) -> Json {
    let named = totals.named().into_iter();
    let share = |share: Share| json!({"covered": share.covered, "all": share.all, "percent": rounded(share)});
    Json::Object(named.map(|(name, one)| (name.to_owned(), share(one))).collect())
}

/// In percent with one decimal, rounded down, so that only full coverage is 100.
fn rounded(share: Share) -> f64 {
    (share.percent() * 10.0).floor() / 10.0
}
