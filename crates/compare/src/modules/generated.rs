//! Generated graphs as modules: the findings are those of the same graph in YAML, at the same places.
//!
//! Input: random choices. Output: how many graphs agree, and the first ones that do not. Invariant: a place is the path of a value
//! in the declaration, and the part of its text, so it does not depend on how the declaration is written.

use std::collections::BTreeSet;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::{DocumentRole, FileFacts, Ownership};
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_dialect::table::KindRole;
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_model::SourceId;
use nodewise_syntax::{TextRange, TextSize, Tree};
use serde_json::Value;

use super::printer;
use crate::oracle::generate::{documents, yaml};
use crate::oracle::random::Random;

const SEED: u64 = 25;
/// How many differing graphs are printed.
const PRINTED: usize = 5;
const YAML: &str = "flow.yaml";
const MODULE: &str = "flow.ts";

/// A finding: its rule with its severity, and its places.
type Found = (String, BTreeSet<String>);

/// A graph whose findings differ.
pub(super) struct Difference {
    pub(super) module: String,
    pub(super) text: String,
    pub(super) missing: Vec<String>,
    pub(super) added: Vec<String>,
}

/// Compares this many generated graphs. Returns `false` if one differs.
pub(super) fn run(cases: u64) -> bool {
    let (mut agreed, mut differ, mut findings) = (0, 0, 0);
    for case in 0..cases {
        let graph = graph(&mut Random::for_case(SEED, case));
        let Some((system, graph)) = graph else { continue };
        match compare(system, &graph, &mut Random::for_case(SEED + 1, case)) {
            Ok(count) => {
                agreed += 1;
                findings += count;
            }
            Err(difference) => {
                differ += 1;
                if differ <= PRINTED {
                    println!("case {case}\n{}\n{}", difference.text, difference.module);
                    difference.missing.iter().for_each(|line| println!("  only in YAML:   {line}"));
                    difference.added.iter().for_each(|line| println!("  only in module: {line}"));
                }
            }
        }
    }
    println!("generated modules: {agreed} agree with {findings} findings, {differ} differ");
    differ == 0
}

/// The graph of a case, with its system; `None` if the case is not a graph, or has keys that the builders rename.
pub(super) fn graph(random: &mut Random) -> Option<(&'static str, Value)> {
    let (system, question) = match random.below(2) {
        0 => ("cycgraph", documents::cycgraph_question(random)),
        _ => ("agentos", documents::agentos_question(random)),
    };
    let graph = question["value"].clone();
    // Modules of a system are read only if a table describes its builders.
    let is_read = DIALECTS.iter().any(|dialect| dialect.id == system && dialect.builders.is_some());
    let is_graph = graph.is_object() && graph["nodes"].is_array() && graph["edges"].is_array();
    let is_spelt_back = system != "cycgraph" || !has_capitals(&graph);
    if !is_read || !is_graph || !is_spelt_back {
        return None;
    }
    let methods = if system != "cycgraph" && random.chance(50) { printer::as_methods(&graph) } else { None };
    Some((system, methods.unwrap_or(graph)))
}

fn has_capitals(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().any(has_capitals),
        Value::Object(members) => members
            .iter()
            .any(|(key, value)| key.chars().any(|letter| letter.is_ascii_uppercase()) || has_capitals(value)),
        _ => false,
    }
}

/// Compares the findings of a graph in YAML and in a module. Returns the number of findings if they are the same.
pub(super) fn compare(system: &str, graph: &Value, random: &mut Random) -> Result<usize, Box<Difference>> {
    compare_texts(system, yaml::block_text(graph, yaml::Quotes::Kept), printer::module(system, graph, random))
}

/// Compares the findings of two texts that declare the same graph.
pub(super) fn compare_texts(system: &str, text: String, module: String) -> Result<usize, Box<Difference>> {
    let Some(expected) = findings(YAML, &text, system) else { return Ok(0) };
    let mut left = findings(MODULE, &module, system).unwrap_or_default();
    let count = expected.len();
    let mut missing = Vec::new();
    for (rule, places) in expected {
        let is_same = |other: &Found| other.0 == rule && !other.1.is_disjoint(&places);
        match left.iter().position(is_same) {
            Some(at) => drop(left.swap_remove(at)),
            None => missing.push(shown(&(rule, places))),
        }
    }
    let added: Vec<String> = left.iter().map(shown).collect();
    if missing.is_empty() && added.is_empty() {
        return Ok(count);
    }
    Err(Box::new(Difference { module, text, missing, added }))
}

fn shown((rule, places): &Found) -> String {
    format!("{rule} at {}", places.iter().cloned().collect::<Vec<_>>().join(" or "))
}

/// The findings of a file; `None` if it is not a graph of the system.
fn findings(path: &str, text: &str, system: &str) -> Option<Vec<Found>> {
    let settings = Settings { is_literal: true, ..Settings::default() };
    let facts = FileFacts::new(SourceId::default(), path.into(), text.into(), settings.into());
    let is_of_system = matches!(facts.ownership, Ownership::Ours(dialect) if dialect.id == system);
    let is_kind =
        |role: &DocumentRole| matches!(role, DocumentRole::Kind(kind) if kind.role == KindRole::Graph);
    let is_graph = facts.documents.iter().any(|document| is_kind(&document.role));
    if !is_of_system || !is_graph {
        return None;
    }
    let files = Files::from_iter([facts]);
    let diagnostics = check(&files);
    let facts = files.iter().next()?;
    let places = Places::of(facts.tree());
    Some(
        diagnostics
            .iter()
            .map(|diagnostic| (rule(diagnostic), places.of_finding(text, diagnostic)))
            .collect(),
    )
}

fn rule(diagnostic: &Diagnostic) -> String {
    format!("{}[{}]", diagnostic.severity.word(), diagnostic.rule)
}

/// The parts of a declaration, with the places where they are written.
#[derive(Default)]
struct Places {
    /// Ranges of keys and values, each with the path.
    parts: Vec<(TextRange, String)>,
}

impl Places {
    fn of(tree: &Tree) -> Places {
        let mut places = Places::default();
        if let Some(root) = tree.documents().next().and_then(|document| document.root()) {
            places.add(tree, &SpannedValue::from_node(root, SourceId::default()), "");
        }
        places
    }

    fn add(&mut self, tree: &Tree, value: &SpannedValue<'_>, path: &str) {
        self.parts.push((value.at.range, path.to_owned()));
        // The letters of a constant are at its declaration, not at the use of its name.
        if let Some(scalar) = value.node.and_then(|node| tree.node(node)?.as_scalar()) {
            let cooked = scalar.cooked_with_map();
            let letters = cooked.map.source_range(0..cooked.text.len());
            if !value.at.range.contains_range(letters) {
                let quote = TextSize::from(1);
                let start = letters.start().checked_sub(quote).unwrap_or_default();
                self.parts.push((TextRange::new(start, letters.end() + quote), path.to_owned()));
            }
        }
        match &value.data {
            Data::List(items) => {
                for (number, item) in items.iter().enumerate() {
                    self.add(tree, item, &format!("{path}/{number}"));
                }
            }
            Data::Map(members) => {
                for member in members {
                    let path = format!("{path}/{}", member.key);
                    self.parts.push((member.key_at.range, format!("{path} (key)")));
                    self.add(tree, &member.value, &path);
                }
            }
            _ => {}
        }
    }

    /// The paths of the smallest parts around a finding. If it is about a part of a text, with that part.
    fn of_finding(&self, text: &str, diagnostic: &Diagnostic) -> BTreeSet<String> {
        let range = diagnostic.finding.at.range;
        let around = || self.parts.iter().filter(|(part, _)| part.contains_range(range));
        let least = around().map(|(part, _)| part.len()).min().unwrap_or_default();
        let inner = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default();
        // The notations escape different characters, so ignore backslashes.
        let inner = inner.replace('\\', "");
        let is_whole = |part: &TextRange| {
            let rest = usize::from(part.len()).saturating_sub(usize::from(range.len()));
            rest <= 2
        };
        let smallest = around().filter(|(part, _)| part.len() == least);
        smallest
            .map(|(part, path)| if is_whole(part) { path.clone() } else { format!("{path} `{inner}`") })
            .collect()
    }
}
