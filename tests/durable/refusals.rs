//! What workers and the engine refuse, and how runs end early.

use std::process::Command;
use std::time::Duration;

use crate::engine::{Engine, free_port, installed};
use crate::place::{Place, Worker, WorkerStart};

const LIMIT: Duration = Duration::from_secs(30);

/// An engine of one node, with a worker that is allowed these plans.
pub(crate) fn scene(plans: &[&str]) -> Option<(Engine, Place, Worker)> {
    let engine = Engine::start(&installed()?, 1, &[]);
    let place = Place::new();
    place.name(&engine, "");
    let port = free_port();
    let register = Some((engine.admin(), format!("http://127.0.0.1:{port}")));
    let worker = place.worker(&WorkerStart { port, register, plans, ..WorkerStart::default() });
    Some((engine, place, worker))
}

/// What a command says when it fails.
#[track_caller]
pub(crate) fn fails(place: &Place, arguments: &[&str], expected: &str) {
    let output = place.nodewise(arguments);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && printed.contains(expected), "{arguments:?}: {printed}");
}

#[test]
fn decisions_count_once_and_only_where_they_are_asked_for() {
    let Some((_engine, place, worker)) = scene(&["flow"]) else { return };
    let run = place.start("flow");
    place.wait(std::slice::from_ref(&run), "waiting", LIMIT);
    fails(
        &place,
        &["resume", &run, "--on", "test", "--approve", "elsewhere"],
        "is not waiting for a decision at `elsewhere`",
    );
    place.output_of(&["resume", &run, "--on", "test", "--approve", "--detach"]);
    let second = place.nodewise(&["resume", &run, "--on", "test", "--reject", "--detach"]);
    assert!(!second.status.success());
    place.wait(std::slice::from_ref(&run), "completed", LIMIT);
    fails(&place, &["resume", &run, "--on", "test", "--reject"], "is not waiting for a decision");
    fails(&place, &["runs", "show", "20261124-0000-zzzz", "--on", "test"], "has no run");
    // Nothing is under way, so that the worker ends at once.
    assert!(worker.terminate());
}

#[test]
fn a_run_is_followed_to_where_it_waits_and_to_its_end() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let output = place.nodewise(&["run", "flow.yaml", "--on", "test", "--trust"]);
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(printed.contains("waits for a decision at `ask`"), "{printed}");
    assert_eq!(output.status.code(), Some(1), "{printed}");
    let run = printed.lines().next().unwrap().trim_start_matches("run ").to_owned();
    let shown = place.output_of(&["resume", &run, "--on", "test", "--approve"]);
    assert!(shown.contains("completed after"), "{shown}");
    assert_eq!(place.effects().len(), 5);
    let scenario = place.output_of(&["runs", "export", &run, "--on", "test"]);
    assert!(scenario.contains("decision: approved"), "{scenario}");
}

#[test]
fn a_run_that_is_cancelled_ends() {
    let Some((_engine, place, _worker)) = scene(&["flow"]) else { return };
    let run = place.start("flow");
    place.wait(std::slice::from_ref(&run), "waiting", LIMIT);
    place.output_of(&["runs", "cancel", &run, "--on", "test"]);
    place.wait(std::slice::from_ref(&run), "cancelled", LIMIT);
    place.output_of(&["runs", "replay", &run, "--on", "test"]);
    fails(&place, &["runs", "cancel", &run, "--on", "test"], "is not under way");
}

/// The call runs to its end, and nothing is called after it.
#[test]
fn a_run_that_is_cancelled_in_a_call_ends_at_once() {
    let Some((_engine, place, worker)) = scene(&["flow"]) else { return };
    place.hold();
    let run = place.start("flow");
    place.until("a call begins", || place.effects().values().any(|(begun, _)| *begun > 0));
    place.output_of(&["runs", "cancel", &run, "--on", "test"]);
    place.wait(std::slice::from_ref(&run), "cancelled", LIMIT);
    assert_eq!(place.effects().values().copied().collect::<Vec<_>>(), [(1, 0)], "the run did not wait");
    place.release();
    place.until("the call is done", || place.effects().values().any(|(_, done)| *done > 0));
    place.output_of(&["runs", "replay", &run, "--on", "test"]);
    // The worker ends when nothing is under way.
    assert!(worker.terminate());
    assert_eq!(place.effects().values().copied().collect::<Vec<_>>(), [(1, 1)]);
}

#[test]
fn a_plan_that_is_not_allowed_ends_a_run_before_its_first_call() {
    let Some((_engine, place, worker)) = scene(&["large"]) else { return };
    fails(&place, &["run", "flow.yaml", "--on", "test", "--trust"], "effects.effect");
    assert!(place.effects().is_empty());
    assert_eq!(worker.figure("nodewise_calls_total"), 0);
    assert_eq!(worker.figure("nodewise_runs_refused_total"), 1);
}

#[test]
fn an_answer_of_40_mib_is_a_failure_of_its_call() {
    let Some((_engine, place, _worker)) = scene(&["large"]) else { return };
    let run = place.start("large");
    place.wait(std::slice::from_ref(&run), "failed", LIMIT);
    let shown = place.output_of(&["runs", "show", &run, "--on", "test"]);
    assert!(shown.contains("is larger than 16 MB"), "{shown}");
    assert_eq!(place.effects().len(), 1);
}

#[test]
fn requests_without_a_signature_are_refused() {
    let Some(installed) = installed() else { return };
    let place = Place::new();
    let key = place.path().join("engine.pem");
    let made = Command::new("openssl").args(["genpkey", "-algorithm", "ed25519", "-out"]).arg(&key).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: openssl is not there");
        return;
    }
    let name = "RESTATE_WORKER__INVOKER__REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE";
    let signed = Engine::start(&installed, 1, &[(name, key.display().to_string())]);
    let unsigned = Engine::start(&installed, 1, &[]);
    let public = public_key(&key);
    place.name(&signed, &format!("\n[serve]\nidentity = [\"{public}\"]\n"));
    let port = free_port();
    let reached_as = format!("http://127.0.0.1:{port}");
    let register = Some((signed.admin(), reached_as.clone()));
    let _worker = place.worker(&WorkerStart { port, register, plans: &["flow"], ..WorkerStart::default() });
    let run = place.start("flow");
    place.wait(std::slice::from_ref(&run), "waiting", LIMIT);
    // Another engine does not get in.
    let other = free_port().to_string();
    let listen = format!("127.0.0.1:{other}");
    fails(
        &place,
        &[
            "serve",
            "--listen",
            &listen,
            "--register",
            &unsigned.admin(),
            "--as",
            &reached_as,
            "--allow",
            "flow.plan.json",
        ],
        "the engine does not accept the worker",
    );
}

/// The public key of an engine, as workers know it: the last 32 bytes of the key's DER, in the digits of Bitcoin.
fn public_key(key: &std::path::Path) -> String {
    let der = Command::new("openssl")
        .args(["pkey", "-pubout", "-outform", "DER", "-in"])
        .arg(key)
        .output()
        .unwrap();
    let raw = &der.stdout[der.stdout.len() - 32..];
    const DIGITS: &[u8] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut number = raw.to_vec();
    let mut digits = Vec::new();
    while number.iter().any(|byte| *byte != 0) {
        let mut rest = 0u32;
        for byte in &mut number {
            let value = rest * 256 + u32::from(*byte);
            *byte = (value / 58) as u8;
            rest = value % 58;
        }
        digits.push(DIGITS[rest as usize]);
    }
    digits.extend(raw.iter().take_while(|byte| **byte == 0).map(|_| b'1'));
    digits.reverse();
    format!("publickeyv1_{}", String::from_utf8(digits).unwrap())
}
