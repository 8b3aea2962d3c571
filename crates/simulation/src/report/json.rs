//! Reports for programs.

use nodewise_expr::json::{number_to_json, to_json_with_marks};
use serde_json::{Value as Json, json};

use super::{Counts, Suite};
use crate::chart::SourceLocation;
use crate::coverage;
use crate::testing::{Mismatch, Tested};

/// The version of the format. It grows with changes that readers must know of.
const VERSION: u32 = 1;

/// The report as text.
#[must_use]
pub fn json(suites: &[Suite]) -> String {
    let counts = Counts::of(suites.iter().flat_map(|suite| &suite.tests));
    let projects = suites.iter().map(|suite| {
        json!({
            "folder": suite.folder,
            "scenarios": suite.tests.iter().map(|tested| scenario(suite, tested)).collect::<Vec<_>>(),
            "coverage": coverage::json(&suite.coverage, &|path| suite.shown(path)),
        })
    });
    let report = json!({
        "version": VERSION,
        "passed": counts.passed,
        "failed": counts.failed,
        "broken": counts.broken,
        "projects": projects.collect::<Vec<_>>(),
    });
    format!("{report:#}\n")
}

fn scenario(suite: &Suite, tested: &Tested) -> Json {
    let run = tested.ended.as_ref().ok().map(|ended| {
        json!({
            "outcome": ended.outcome,
            "time": ended.time.0,
            "visits": ended.visits,
            "tokens": number_to_json(ended.spent.tokens()),
            "cost_usd": number_to_json(ended.spent.cost_usd),
        })
    });
    json!({
        "scenario": tested.title,
        "place": place(suite, Some(&tested.place)),
        "passed": tested.is_passed(),
        "run": run,
        "error": tested.ended.as_ref().err(),
        "mismatches": tested.mismatches.iter().map(|one| mismatch(suite, one)).collect::<Vec<_>>(),
    })
}

fn mismatch(suite: &Suite, mismatch: &Mismatch) -> Json {
    json!({
        "of": mismatch.subject.as_str(),
        "message": mismatch.message,
        "difference": mismatch.difference,
        "expected": to_json_with_marks(&mismatch.expected),
        "found": to_json_with_marks(&mismatch.found),
        "place": place(suite, mismatch.at.as_ref()),
        "node": place(suite, mismatch.node.as_ref()),
    })
}

fn place(suite: &Suite, place: Option<&SourceLocation>) -> Json {
    match place {
        Some(place) => json!({"file": suite.shown(&place.path), "line": place.line, "column": place.column}),
        None => Json::Null,
    }
}
