//! Secrets are found in whatever form they come back, and commands may fail in every way. Invariant: no test depends on the
//! environment.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::time::Duration;

use nodewise_engine::ask::{Answer, ModelReply, Reply, ToolCall};
use nodewise_engine::outcome::Failure;
use nodewise_expr::json::from_json;
use serde_json::json;

use super::*;

const PLANTED: &str = "sk-planted-\"4f+9\"/x";

fn secrets() -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add(PLANTED);
    secrets
}

fn check_text(text: &str, expected: &str) {
    assert_eq!(secrets().mask_text(text), expected);
}

fn check_parts(parts: &[&str], expected: &[&str]) {
    let secrets = secrets();
    let mut masked = secrets.parts();
    let mut shown: Vec<String> = parts.iter().map(|part| masked.push(part)).collect();
    shown.push(masked.end());
    assert_eq!(shown, expected);
}

fn check_command(script: &str, expected: Result<&str, &str>) {
    check_command_within(Duration::from_secs(60), script, expected);
}

fn check_command_within(time: Duration, script: &str, expected: Result<&str, &str>) {
    let command = ["sh", "-c", script].map(str::to_owned);
    let line = command::first_line(&command, time);
    assert_eq!(line, expected.map(str::to_owned).map_err(str::to_owned), "{script}");
}

#[test]
fn every_form_is_masked() {
    check_text("nothing", "nothing");
    check_text(&format!("a {PLANTED} b {PLANTED}"), "a *** b ***");
    check_text(r#"{"key": "sk-planted-\"4f+9\"/x"}"#, r#"{"key": "***"}"#);
    check_text("?key=sk-planted-%224f%2B9%22%2Fx&a=1", "?key=***&a=1");
}

/// What `base64` prints of the key behind nothing, `:`, `a:` and `user:`.
#[test]
fn base64_is_masked_wherever_it_begins() {
    check_text("c2stcGxhbnRlZC0iNGYrOSIveA==", "***A==");
    check_text("OnNrLXBsYW50ZWQtIjRmKzkiL3g=", "On***g=");
    check_text("YTpzay1wbGFudGVkLSI0Zis5Ii94", "YTp***");
    check_text("dXNlcjpzay1wbGFudGVkLSI0Zis5Ii94", "dXNlcjp***");
}

#[test]
fn parts_of_a_secret_are_secrets() {
    let mut secrets = Secrets::default();
    secrets.add("postgres://me:hunter22@db/x");
    secrets.add("-- BEGIN --\nMIIEvQIBADANBgkqhkiG\nw0\n");
    assert_eq!(secrets.mask_text("as hunter22 at w0"), "as *** at w0");
    assert_eq!(secrets.mask_text("a MIIEvQIBADANBgkqhkiG b"), "a *** b");
}

#[test]
fn short_values_are_no_secrets() {
    let mut secrets = Secrets::default();
    secrets.add("abc");
    secrets.add("");
    assert_eq!(secrets.mask_text("abcdef"), "abcdef");
}

#[test]
fn parts_do_not_reveal_a_secret_that_they_share() {
    check_parts(&["a sk-pla", "nted-\"4f+9", "\"/x b"], &["a ", "", "*** b", ""]);
    check_parts(&["a sk-pla", "in"], &["a ", "sk-plain", ""]);
    check_parts(&["sk-planted"], &["", "sk-planted"]);
    check_parts(&["é", "ü s", "k"], &["é", "ü ", "", "sk"]);
}

#[test]
fn values_are_masked_with_their_keys() {
    let mut json = json!({"a": [PLANTED, 1], PLANTED: {"b": format!("x{PLANTED}")}});
    let value = from_json(json.clone());
    secrets().mask_json(&mut json);
    assert_eq!(json, json!({"a": ["***", 1], "***": {"b": "x***"}}));
    assert_eq!(secrets().mask_value(&value), from_json(json));
}

#[test]
fn answers_are_masked() {
    let call =
        ToolCall { id: "1".into(), tool: "look".into(), arguments: from_json(json!({"key": PLANTED})) };
    let reply = ModelReply { text: PLANTED.into(), value: Some(Value::from(PLANTED)), calls: vec![call] };
    let mut answer = Answer::now(Reply::Model(reply));
    answer.aside = Some(Value::from(PLANTED));
    let failed = Answer::failed(Failure::new("Error", format!("no {PLANTED}")));
    for answer in [answer, failed, Answer::value(Value::from(PLANTED))] {
        let shown = format!("{:?}", secrets().mask_answer(answer));
        assert!(shown.contains("***") && !shown.contains("planted"), "{shown}");
    }
    assert!(!format!("{:?}", secrets()).contains("planted"));
}

#[cfg(unix)]
#[test]
fn commands_print_keys() {
    check_command("echo ' sk-1 '; echo more", Ok("sk-1"));
    check_command("printf sk-2", Ok("sk-2"));
    check_command("yes | head -c 300000", Ok("y"));
    check_command("true", Err("prints nothing"));
    check_command("echo sk-3; exit 3", Err("failed (exit status: 3)"));
    let short = Duration::from_millis(600);
    check_command_within(short, "echo sk-4; sleep 600", Err("did not end within 0.6 s"));
    check_command_within(short, "sleep 600 & exec sleep 600", Err("did not end within 0.6 s"));
    check_command("printf '\\377'", Err("prints a line that is not valid UTF-8"));
    let missing = command::first_line(&["nodewise-no-such-command".to_owned()], Duration::from_secs(5));
    assert!(missing.unwrap_err().starts_with("cannot be started ("));
}

#[test]
fn names_of_variables_reveal_secrets() {
    let secret = [
        "GITHUB_TOKEN",
        "api_key",
        "DB_PASSWORD",
        "KEY",
        "MY_PASSWORD",
        "PGPASSWORD",
        "DB_PASS",
        "GH_PAT",
        "PAT",
        "APIKEY",
        "AWS_ACCESS_KEY_ID",
        "SECRETS",
        "GOOGLE_CREDENTIALS",
        "my-token",
        "MONKEY_KEY",
        "MYSQL_PASSWD",
        "PASSPHRASE",
    ];
    let missed: Vec<_> = secret.iter().filter(|name| !names::says_secret(name)).collect();
    assert!(missed.is_empty(), "{missed:?}");
    let plain = [
        "PATH",
        "PATTERN",
        "PYTHONPATH",
        "XPAT",
        "MONKEY",
        "KEYBOARD_LAYOUT",
        "COMPASS",
        "SSH_ASKPASS",
        "TOKENIZERS_PARALLELISM",
        "",
    ];
    let taken: Vec<_> = plain.iter().filter(|name| names::says_secret(name)).collect();
    assert!(taken.is_empty(), "{taken:?}");
}

#[test]
fn values_of_telling_names_are_secrets_from_six_characters_on() {
    let folder = std::env::temp_dir();
    for (name, value, is_secret) in [
        ("DB_PASS", "hunter", true),
        ("DB_PASS", "hunte", false),
        ("DB_PASS", "  hunt ", false),
        ("DB_PASS", "123456", true),
        ("DB_PASS", "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}", false),
        ("MAX_TOKENS", "200000", false),
        ("API_TOKENS", "200000a", true),
        ("SSH_KEY_FILE", folder.to_str().unwrap(), false),
        ("SSH_KEY_FILE", "/no/such/file", true),
        ("PATH", "/usr/bin:/bin", false),
    ] {
        assert_eq!(names::is_secret(name, value), is_secret, "{name}={value}");
    }
}
