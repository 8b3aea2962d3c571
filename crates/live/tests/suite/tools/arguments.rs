//! Arguments before the call: which one is wrong, what was expected, what came.

use nodewise_live::wiring::{Tool, Wiring};
use serde_json::{Value as Json, json};

use crate::tools::support::{Folder, has_python, nothing, start};

/// What a call of a function with this declaration answers.
async fn check_arguments(parameters: Json, rows: &[(Json, &str)]) {
    if !has_python() {
        return;
    }
    let folder = Folder::new("#- work.py\ndef run(**given): return 'called'\n");
    let tool = Tool { function: Some("work.run".into()), parameters: Some(parameters), ..Tool::default() };
    let wiring = Wiring { tools: [("run".into(), tool)].into_iter().collect(), ..nothing() };
    let running = start(&folder, "", &wiring).await.unwrap();
    for (arguments, expected) in rows {
        let answer = running.call("run", arguments.clone()).await;
        let message = answer
            .strip_prefix("InvalidArguments: the call of `run` does not match its declaration: ")
            .map_or(answer.as_str(), |message| message.strip_suffix(" lasts").unwrap());
        assert_eq!(message, *expected, "{arguments}");
    }
}

#[tokio::test]
async fn a_wrong_call_names_the_argument() {
    let parameters = json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "most": {"type": ["integer", "null"], "minimum": 1},
            "order": {"enum": ["new", "old"]},
            "inside": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}, "required": ["tags"]},
        },
        "required": ["query"],
        "additionalProperties": false,
    });
    check_arguments(
        parameters,
        &[
            (json!({"query": "a", "most": 2, "order": "new", "inside": {"tags": ["b"]}}), r#""called""#),
            (json!({}), "`query` is missing"),
            (json!(null), "`query` is missing"),
            (json!({"query": 1}), "`query` must be of type string, but is 1"),
            (json!({"query": "a", "most": "3"}), "`most` must be of type null or integer, but is \"3\""),
            (json!({"query": "a", "most": 0}), "`most` is 0, but it is less than the minimum of 1"),
            (json!({"query": "a", "order": "up"}), r#"`order` must be one of ["new","old"], but is "up""#),
            (json!({"query": "a", "inside": {}}), "`inside.tags` is missing"),
            (
                json!({"query": "a", "inside": {"tags": [1]}}),
                "`inside.tags.0` must be of type string, but is 1",
            ),
            (json!({"query": "a", "quary": 1}), "`quary` is not declared"),
        ],
    )
    .await;
}

#[tokio::test]
async fn much_that_is_wrong_is_reported_in_part() {
    let parameters = json!({"type": "object", "additionalProperties": {"type": "string"}});
    let long = "1".repeat(15);
    let number: Json = serde_json::from_str(&long).unwrap();
    let arguments =
        json!({"a": 1, "b": [number, number, number, number, number, number], "c": 3, "d": 4, "e": 5});
    let expected = "`a` must be of type string, but is 1; `b` must be of type string, but is \
                    [111111111111111,111111111111111,111111111111111,111111111111111,1111111111111111…; `c` must be of type string, but is 3; and 2 more";
    check_arguments(parameters, &[(arguments, &expected.replace("1111111111111111…", "111111111111111…"))])
        .await;
}

#[tokio::test]
async fn a_configured_schema_that_is_none_is_reported_before_anything_runs() {
    let folder = Folder::new("#- work.py\ndef run(): return 1\n");
    let configuration = "[live.tools.run]\nfunction = \"work.run\"\nparameters = {type = \"objekt\"}\n";
    let error =
        start(&folder, configuration, &crate::tools::support::tools_named(&["run"])).await.err().unwrap();
    let message = format!("{error:#}");
    assert!(
        message
            .starts_with("`parameters` of `[live.tools.run]` in nodewise.toml is not a valid JSON Schema: "),
        "{message}"
    );
}
