//! Nodes of generated jobs, with their scripts.
//!
//! Input is random choices. Output is a node, and its scripted steps. Invariant: each service call has its own
//! duration.

use serde_json::{Map, Value, json};

use super::{INNER, Job, SCRATCH, name};
use crate::oracle::generate::{scalar, value};

const TYPES: &[&str] =
    &["tool", "tool", "extension", "extension", "gmi", "router", "guardrail", "human", "subgraph", "voice"];
const ERRORS: &[&str] = &["broken pipe", "rate limit", "Timeout after 70ms upstream", ""];

/// A node, and its script.
pub(super) fn node(job: &mut Job<'_>, number: usize, count: usize, is_inner: bool) -> (Value, Option<Value>) {
    let kind = match job.random.pick(TYPES) {
        "subgraph" if is_inner => "tool",
        kind => kind,
    };
    let mut node = json!({
        "id": name(number),
        "type": kind,
        "executorConfig": config(job, kind, count),
        "executionMode": "single_turn",
        "effectClass": job.random.pick(&["pure", "read", "write", "external", "human"]),
        "checkpoint": job.random.pick(&["none", "none", "none", "before", "after", "both"]),
    });
    if kind == "voice" && job.random.chance(60) {
        let (one, other) = (job.name_or_end(count), job.name_or_end(count));
        node["edges"] =
            json!({"hangup": one, "keyword:Stop": other, "completed": other, "turns-exhausted": one});
    }
    // A session that is not closed ends only with the time limit of the node.
    if job.random.chance(20) || kind == "voice" {
        node["timeout"] = json!(job.wait().max(10) * 2);
    }
    if job.random.chance(30) {
        node["retryPolicy"] = retry(job);
    }
    if job.random.chance(10) {
        node["metadata"] = json!({"outputAs": job.random.pick(&["shared", "n0", ""])});
    }
    let has_steps = job.random.chance(85) || kind == "voice";
    (node, has_steps.then(|| steps(job, kind)))
}

fn retry(job: &mut Job<'_>) -> Value {
    let mut policy = json!({
        "maxAttempts": job.random.pick(&[0, 1, 2, 3, 3, 4]),
        "backoff": job.random.pick(&["fixed", "linear", "exponential", "other"]),
        "backoffMs": job.random.pick(&[0, 7, 1000]),
    });
    if job.random.chance(30) {
        policy["retryOn"] = job.random.pick(&[&["timeout"][..], &["PIPE", "limit"], &[]]).into();
    }
    policy
}

fn config(job: &mut Job<'_>, kind: &str, count: usize) -> Value {
    let mut config = match kind {
        "tool" => json!({"toolName": "look", "args": {"deep": 1}}),
        "extension" => json!({"extensionId": "kit", "method": "run"}),
        "gmi" => json!({
            "instructions": "Work.",
            "maxInternalIterations": job.random.pick(&[1, 2, 3, 10]),
            "parallelTools": job.random.chance(50),
        }),
        "router" => json!({"condition": {"type": "expression", "expr": job.expression(count)}}),
        "guardrail" => json!({
            "guardrailIds": ["pii", "code"],
            "onViolation": job.random.pick(&["block", "reroute", "warn", "sanitize"]),
        }),
        "human" => human(job),
        "subgraph" => json!({"graphId": job.random.pick(&[INNER[0], INNER[1], "missing"])}),
        _ => json!({"voiceConfig": voice(job)}),
    };
    config["type"] = json!(kind);
    if kind == "guardrail" && job.random.chance(60) {
        config["rerouteTarget"] = json!(job.name_or_end(count));
    }
    if kind == "subgraph" {
        // In the release, copies are shared. A mapping that writes into a value that it has just copied changes the
        // original.
        let key = job.random.pick(&["total", "best", "plain"]);
        if job.random.chance(60) {
            config["inputMapping"] = json!({key: "given", format!("{key}.part"): "deep.part"});
        }
        if job.random.chance(60) {
            config["outputMapping"] = json!({"n0": key, "n1.text": "flag", "n0.approved": "deep.one"});
        }
    }
    config
}

fn human(job: &mut Job<'_>) -> Value {
    let mut config = json!({"prompt": "Continue?"});
    match job.random.below(5) {
        0 | 1 => config["autoAccept"] = json!(true),
        2 => {
            config["autoReject"] =
                job.random.pick(&[json!(true), json!("too early"), json!("")].each_ref()).clone()
        }
        _ => {}
    }
    if job.random.chance(40) {
        config["onTimeout"] = json!(job.random.pick(&["accept", "reject", "error"]));
    }
    if job.random.chance(25) {
        config["guardrailOverride"] = json!(false);
    }
    config
}

fn voice(job: &mut Job<'_>) -> Value {
    let mut voice =
        json!({"mode": job.random.pick(&["conversation", "conversation", "listen-only", "speak-only"])});
    if job.random.chance(50) {
        voice["maxTurns"] = json!(job.random.below(4));
    }
    if job.random.chance(60) {
        voice["exitOn"] = json!(job.random.pick(&["keyword", "silence-timeout", "hangup", "manual"]));
        voice["exitKeywords"] = json!(["Stop", "agent"]);
    }
    voice
}

/// The scripted steps of a node, one for each attempt.
fn steps(job: &mut Job<'_>, kind: &str) -> Value {
    let attempts = job.random.pick(&[1, 1, 1, 2, 3]);
    let steps: Vec<Value> = (0..attempts).map(|_| step(job, kind)).collect();
    match <[Value; 1]>::try_from(steps) {
        Ok([step]) => step,
        Err(steps) => Value::Array(steps),
    }
}

fn step(job: &mut Job<'_>, kind: &str) -> Value {
    if kind != "voice" && job.random.chance(6) {
        return replaced(job);
    }
    let mut step = match kind {
        "tool" => tool(job),
        "extension" => extension(job),
        "gmi" => model(job),
        "guardrail" | "human" => guardrails(job),
        "voice" => json!({"session": session(job)}),
        _ => json!({}),
    };
    if matches!(kind, "tool" | "extension" | "gmi" | "guardrail" | "human") {
        step["delayMs"] = json!(job.wait());
        if job.random.chance(3) {
            step["throw"] = json!("thrown");
        }
    }
    if job.random.chance(6) {
        step["patch"] = match job.random.below(4) {
            0 => json!({"scratchUpdate": members(job)}),
            1 => json!({"artifactsUpdate": {"shared": scalar(job.random)}}),
            2 => json!({"routeTarget": name(job.random.below(6))}),
            _ => json!({"events": [{"type": "custom", "nodeId": "x", "note": scalar(job.random)}]}),
        };
    }
    step
}

/// A result that replaces the node's own.
fn replaced(job: &mut Job<'_>) -> Value {
    let mut result = json!({"success": job.random.chance(70), "output": scalar(job.random)});
    if job.random.chance(40) {
        result["error"] = json!(job.random.pick(ERRORS));
    }
    if job.random.chance(15) {
        result["interrupt"] = json!(true);
    }
    if job.random.chance(40) {
        result["scratchUpdate"] = Value::Object(members(job));
    }
    json!({"result": result, "delayMs": job.wait()})
}

fn tool(job: &mut Job<'_>) -> Value {
    match job.random.below(8) {
        0 | 1 => json!({"error": job.random.pick(ERRORS)}),
        2 => json!({"isError": job.random.chance(50), "output": scalar(job.random)}),
        3 => json!({"success": false, "output": value(job.random, SCRATCH, 2)}),
        4 => json!({"output": "ok"}),
        _ => json!({"output": value(job.random, SCRATCH, 2)}),
    }
}

fn extension(job: &mut Job<'_>) -> Value {
    match job.random.below(8) {
        0 => json!({"error": job.random.pick(ERRORS)}),
        1 => json!({"error": job.random.pick(ERRORS), "output": members(job)}),
        2 => json!({"output": value(job.random, SCRATCH, 2)}),
        3 => json!({"output": {"_personaTraits": {"openness": scalar(job.random), "calm": 0.45}}}),
        _ => json!({"output": members(job)}),
    }
}

fn members(job: &mut Job<'_>) -> Map<String, Value> {
    let count = 1 + job.random.below(4);
    (0..count).map(|_| (job.random.pick(SCRATCH).to_owned(), value(job.random, SCRATCH, 2))).collect()
}

fn model(job: &mut Job<'_>) -> Value {
    match job.random.below(6) {
        0 => json!({"error": job.random.pick(ERRORS)}),
        1 => json!({"text": job.random.pick(&["", "ok", " ", "words"])}),
        2 => json!({}),
        _ => {
            let rounds = 1 + job.random.below(3);
            let rounds: Vec<Value> = (0..rounds).map(|_| round(job)).collect();
            json!({"rounds": rounds})
        }
    }
}

fn round(job: &mut Job<'_>) -> Value {
    let mut round = json!({});
    if job.random.chance(40) {
        round["text"] = json!(job.random.pick(&["", " ", "so ", "ok"]));
    }
    if job.random.chance(70) {
        let count = 1 + job.random.below(3);
        let tools = (0..count).map(|number| {
            let name = job.random.pick(&["look", "a`\n b", "", "write"]);
            match job.random.below(4) {
                0 => json!({"name": format!("{name}{number}"), "error": job.random.pick(ERRORS)}),
                1 => json!({"name": format!("{name}{number}")}),
                2 => json!({"name": format!("{name}{number}"), "output": "x".repeat(job.random.pick(&[3, 5000]))}),
                _ => json!({"name": format!("{name}{number}"), "output": value(job.random, SCRATCH, 2)}),
            }
        });
        round["tools"] = tools.collect();
    }
    round
}

fn guardrails(job: &mut Job<'_>) -> Value {
    let mut step = json!({"passed": job.random.chance(55)});
    if job.random.chance(40) {
        step["results"] = json!([{"guardrailId": "pii", "reason": job.random.pick(&["a name", "", "code"])}, {"reason": "two"}]);
    }
    step
}

fn session(job: &mut Job<'_>) -> Value {
    let count = job.random.below(6);
    (0..count)
        .map(|_| {
            let mut event = match job.random.below(8) {
                0 => json!({"event": "close"}),
                1 => json!({"event": "speech_start"}),
                2 => json!({"event": "barge_in", "interruptedText": "so"}),
                3 => json!({"event": "interim_transcript", "text": "I w", "confidence": 0.5}),
                4 | 5 => json!({"event": "turn_complete", "transcript": "done", "reason": "silence"}),
                _ => json!({
                    "event": "final_transcript",
                    "text": job.random.pick(&["hello", "please STOP", "an Agent"]),
                    "speaker": job.random.pick(&["user", "caller"]),
                }),
            };
            if job.random.chance(60) {
                event["afterMs"] = json!(job.wait());
            } else if job.random.chance(10) {
                event["afterMs"] = json!(31_000);
            }
            event
        })
        .collect()
}
