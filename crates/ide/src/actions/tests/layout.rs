//! Collections in brackets and on separate lines, and the styles of scalars.

use super::{check_action, check_titles};

const LINES: &str = "Split onto separate lines";
const ONE_LINE: &str = "Join onto one line";

fn tool(rest: &str) -> String {
    format!("kind: ToolNode\nname: a\ndescription: {{en: A}}\n{rest}func: a.b\n")
}

#[test]
fn brackets_to_lines() {
    check_action(
        &tool("arguments: [{name: x$0, type: string}, {name: y, type: [string, number]}] # all\n"),
        LINES,
        &tool("arguments:\n  - {name: x, type: string}\n  - {name: y, type: [string, number]} # all\n"),
    );
    check_action(
        &tool("arguments:\n  - {name: x$0, \"type\": string, optional: true}\n"),
        LINES,
        &tool("arguments:\n  - name: x\n    \"type\": string\n    optional: true\n"),
    );
}

#[test]
fn comments_stay_beside_their_member() {
    check_action(
        &tool(
            "arguments: [\n  # first\n  {name: x$0, type: string}, # beside\n  {name: y, type: number}\n  # last\n  ]\n",
        ),
        LINES,
        &tool(
            "arguments:\n  # first\n  - {name: x, type: string}  # beside\n  - {name: y, type: number}\n  # last\n",
        ),
    );
}

#[test]
fn lines_to_brackets() {
    check_action(
        &tool("arguments:\n  - name$0: x\n    type: string\n"),
        ONE_LINE,
        &tool("arguments:\n  - {name: x, type: string}\n"),
    );
    check_titles(&tool("arguments:\n  - name$0: x # why\n    type: string\n"), ONE_LINE, &[]);
    check_titles(&tool("arguments:\n  - name$0: |\n      x\n    type: string\n"), ONE_LINE, &[]);
}

#[test]
fn quotes() {
    let single = tool("tool_prompt_template: {en: 'say $0\"{name}\"'}\n");
    check_titles(&single, "Use ", &["Use double quotes"]);
    check_action(&single, "Use double quotes", &tool("tool_prompt_template: {en: \"say \\\"{name}\\\"\"}\n"));
    check_action(
        &tool("tool_prompt_template: {en: \"na$0me\"}\n"),
        "Write without quotes",
        &tool("tool_prompt_template: {en: name}\n"),
    );
    check_titles(&tool("tool_prompt_template: {en: \"tru$0e\"}\n"), "Write without quotes", &[]);
}

#[test]
fn long_texts_over_lines() {
    let long = "order.total > 100 and order.country == 'de' and not customer.is_blocked or customer.is_known";
    let node = |when: &str| {
        format!("kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a\n    when: {when}\n    id: 1\n")
    };
    check_action(
        &node(&long.replacen("total", "to$0tal", 1)),
        "Use a folded block",
        &node(
            ">-\n      order.total > 100 and order.country == 'de' and not customer.is_blocked or\n      customer.is_known",
        ),
    );
    check_action(
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: \"a\\n$0  b\\nc\"\n",
        "Use a literal block",
        "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: |-\n      a\n        b\n      c\n",
    );
}
