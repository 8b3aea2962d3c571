//! Results as one JSON document for programs.

use serde_json::{Value as Json, json};

use super::{EvalReport, complaints};
use crate::eval::runner::{RunResult, Stop};

#[must_use]
pub fn json(reports: &[EvalReport]) -> String {
    let evals: Vec<Json> = reports.iter().map(one).collect();
    format!("{:#}\n", json!({"version": 1, "evals": evals}))
}

fn one(report: &EvalReport) -> Json {
    let (_, judges) = report.usage();
    let stopped = report.ran.stop.map(|stop| match stop {
        Stop::User => "user",
        Stop::Cost => "cost",
    });
    let places = report.sums.places.iter().map(|sum| {
        let mut place = json!(sum);
        place["is_passed"] = sum.is_enough(report.table.pass_rate).into();
        place
    });
    let accepted = report.accepted.as_ref().map(|before| {
        let changes = report.changes();
        let changes = changes
            .iter()
            .map(|change| json!({"before": change.before, "now": change.now, "is_worse": change.is_worse()}));
        json!({
            "accepted": before.moment.iso(),
            "file": before.file,
            "changes": changes.collect::<Vec<_>>(),
        })
    });
    json!({
        "file": report.file,
        "line": report.table.line,
        "title": report.table.title,
        "is_passed": report.is_passed(),
        "stopped": stopped,
        "pass_rate": report.table.pass_rate,
        "cost_usd": report.cost_usd(),
        "judges_usd": judges.cost_usd,
        "places": places.collect::<Vec<_>>(),
        "compared": accepted,
        "runs": report.ran.results.iter().map(|result| run(report, result)).collect::<Vec<_>>(),
    })
}

fn run(report: &EvalReport, result: &RunResult) -> Json {
    let [case, prompt, model] = report.names(result);
    let failures = complaints(result).into_iter();
    let failures = failures.map(|(of, message)| json!({"of": of, "message": message}));
    let judges = result.verdicts.iter().map(|verdict| {
        json!({
            "judge": verdict.judge, "is_passed": verdict.is_passed, "score": verdict.score, "reason": verdict.reason,
        })
    });
    json!({
        "case": case,
        "prompt": prompt,
        "model": model,
        "repetition": result.cell.repetition + 1,
        "run": result.run.as_ref().map(|run| run.as_str()),
        "is_passed": result.is_passed(),
        "outcome": result.outcome.as_ref().ok(),
        "failures": failures.collect::<Vec<_>>(),
        "judges": judges.collect::<Vec<_>>(),
        "cost_usd": result.usage.cost_usd,
        "judges_usd": result.judging.cost_usd,
        "tokens": result.usage.tokens(),
        "time_ms": result.time.as_millis() as u64,
    })
}
