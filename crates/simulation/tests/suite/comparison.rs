//! Two runs side by side: what differs between them, in words, and the texts that a view of differences shows.

use nodewise_simulation::comparison::compare;

use crate::runs::recorded;

const DESK: &str = r#"
#- /desk.yaml
id: desk
name: Desk
description: A message is read, and answered.
nodes:
  - {id: read, type: agent, agent_id: clerk, write_keys: [topic]}
  - {id: refund, type: agent, agent_id: clerk, read_keys: [topic], write_keys: [note]}
  - {id: thank, type: agent, agent_id: clerk, read_keys: [topic], write_keys: [note]}
edges:
  - source: read
    target: refund
    condition: {type: conditional, condition: 'memory.topic == "refund"'}
  - {source: read, target: thank}
start_node: read
end_nodes: [refund, thank]
---
id: clerk
name: Clerk
model: small
provider: near
system_prompt: Read.
#- /desk.scenario.yaml
scenario: Someone writes.
file: desk.yaml
nodes:
  read: [{text: TOPIC, tokens: {input: 10, output: TOKENS}}]
  refund: [NOTE]
  thank: [NOTE]
"#;

/// Compares two runs, each with a topic, the tokens of its first answer and a note; the differences, one a line.
fn check_differences(first: [&str; 3], second: [&str; 3], expected: &str) {
    let run = |[topic, tokens, note]: [&str; 3]| {
        recorded(&DESK.replace("TOPIC", topic).replace("TOKENS", tokens).replace("NOTE", note))
    };
    let compared = compare(&run(first), &run(second));
    let lines: String =
        compared.differences.iter().map(|one| format!("{}: {}\n", one.part.as_str(), one.text)).collect();
    assert_eq!(lines, expected, "{}\n\n{}", compared.first, compared.second);
}

#[test]
fn a_run_does_not_differ_from_itself() {
    check_differences(["refund", "5", "Sent."], ["refund", "5", "Sent."], "");
}

#[test]
fn another_answer_changes_the_path_the_state_and_the_output() {
    check_differences(
        ["refund", "5", "Sent."],
        ["praise", "7", "Sent."],
        "\
outcome: the outputs differ
path: step 2 is `refund`, then `thank`
answers: answered differently at `read`
state: other values of `topic`
cost: 15 tokens, then 17
",
    );
}

#[test]
fn a_run_without_a_cost_costs_zero() {
    let run = |cost: &str| {
        let answer = format!("output: 5}}{cost}");
        recorded(
            &DESK.replace("TOPIC", "refund").replace("output: TOKENS}", &answer).replace("NOTE", "Sent."),
        )
    };
    let (costly, free) = (run(", cost: 0.002"), run(""));
    assert!(free.spent.cost_usd.is_sign_positive(), "{}", free.spent.cost_usd);
    for (first, second, expected) in
        [(&costly, &free, "$0.002, then $0"), (&free, &costly, "$0, then $0.002")]
    {
        let differences = compare(first, second).differences;
        let cost = differences.iter().find(|one| one.part.as_str() == "cost").unwrap();
        assert_eq!(cost.text, expected);
    }
}

#[test]
fn the_text_of_a_run_has_its_steps_with_what_was_asked_and_answered() {
    let run = recorded(&DESK.replace("TOPIC", "refund").replace("TOKENS", "5").replace("NOTE", "Sent."));
    let text = compare(&run, &run).first;
    for part in [
        "Outcome\n  completed\n",
        "Cost\n  15 tokens\n",
        "Path\n  read\n  refund\n",
        "  asks the model of clerk:\n    system:\n      Read.\n",
        "  answer (15 tokens):\n    refund\n",
        "  writes topic: refund\n  goes to refund\n",
        "State at the end\n  topic: refund\n  note: Sent.\n",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}
