//! Tests of tokens: each line of a fixture with its tokens.
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use nodewise_syntax::{LineIndex, TextRange, TextSize};

use super::{Modifiers, SemanticToken, tokens, tokens_within};
use crate::testing::project;

fn shown(text: &str, token: &SemanticToken) -> String {
    let mut shown = format!("{}={}", &text[token.range], format!("{:?}", token.kind).to_lowercase());
    let names = ["declares", "deprecated", "reads", "writes"];
    for (modifier, name) in Modifiers::ALL.into_iter().zip(names) {
        if token.modifiers.contains(modifier) {
            write!(shown, "+{name}").unwrap();
        }
    }
    shown
}

/// Lists the tokens of each line of a fixture's first file, and checks that they are in order, do not overlap, and do
/// not cross lines.
fn check_tokens(fixture: &str, expected: &str) {
    let (snapshot, _) = project(fixture);
    let file = snapshot.files().iter().next().unwrap();
    let lines = LineIndex::new(&file.text);
    let mut list = String::new();
    let all = tokens(&snapshot, file.source);
    let mut end = TextSize::new(0);
    let mut line = None;
    for token in &all {
        let at = lines.line_col(token.range.start()).line;
        assert!(token.range.start() >= end && !token.range.is_empty(), "{token:?}");
        assert_eq!(at, lines.line_col(token.range.end()).line, "{token:?}");
        end = token.range.end();
        let separator = match line.replace(at) {
            Some(before) if before == at => " ",
            Some(_) => "\n",
            None => "",
        };
        write!(list, "{separator}{}", shown(&file.text, token)).unwrap();
    }
    assert_eq!(list, expected.trim());
    check_parts(&file.text, &all, |range| tokens_within(&snapshot, file.source, range));
}

/// The tokens of any part are the tokens of the whole file that touch it.
fn check_parts(text: &str, all: &[SemanticToken], within: impl Fn(TextRange) -> Vec<SemanticToken>) {
    let size = TextSize::of(text);
    for (index, token) in all.iter().enumerate() {
        let end = all.get(index + 2).map_or(size, |later| later.range.end());
        let range = TextRange::new(token.range.start(), end);
        let touching =
            |token: &&SemanticToken| token.range.end() >= range.start() && token.range.start() <= range.end();
        let wanted: Vec<SemanticToken> = all.iter().filter(touching).copied().collect();
        assert_eq!(within(range), wanted, "{range:?}");
    }
}

#[test]
fn liman() {
    check_tokens(
        "
#- /planner.yaml
kind: LLMNode
name: \"planner\"
prompts:
  system:
    en: |
      Hello {user}
tools: [search]
nodes:
  - target: writer
    when: >-
      status == 'ok'
      and not $is_error(Late)
  - target: writer
    when: checks.is_ready  # nodewise: ignore[edge-order] on purpose
#- /search.yaml
kind: ToolNode
name: search
",
        "
kind=key LLMNode=kind
name=key planner=node+declares
prompts=key
user=variable+reads
tools=key search=tool
nodes=key
target=key writer=node
when=key
status=state+reads ===operator 'ok'=text
and=keyword not=keyword $is_error=builtin Late=word
target=key writer=node
when=key checks.is_ready=function # nodewise: ignore[edge-order] on purpose=comment
",
    );
}

#[test]
fn cycgraph() {
    check_tokens(
        "
id: g
name: G
description: ''
start_node: a
nodes:
  - id: a
    type: agent
    subgraph_id: other
    agent_id: writer
    read_keys: [goal]
    write_keys: ['draft']
  - id: b
    type: map
    map_reduce_config: {worker_node_id: a, items_path: \"$.memory.rows[*]\", max_concurrency: 3}
edges:
  - source: a
    target: b
    condition: {type: conditional, condition: \"memory.draft != '' and length(memory.draft) > 3\"}
",
        "
id=key g=graph+declares
name=key
description=key
start_node=key a=node
nodes=key
id=key a=node+declares
type=key agent=word
subgraph_id=key+deprecated other=graph
agent_id=key writer=agent
read_keys=key goal=state+reads
write_keys=key draft=state+writes
id=key b=node+declares
type=key map=word
map_reduce_config=key worker_node_id=key a=node items_path=key $=builtin memory=state rows=state+reads *=operator max_concurrency=key 3=number
edges=key
source=key a=node
target=key b=node
condition=key type=key conditional=word condition=key memory=state draft=state+reads !==operator ''=text and=keyword length=function memory=state draft=state+reads >=operator 3=number
",
    );
}

#[test]
fn agentos() {
    check_tokens(
        "
id: g
nodes:
  - id: a
    type: router
    executorConfig:
      type: router
      condition: {type: expression, expr: \"scratch.n > 3 ? b : c\"}
edges:
  - {id: e, source: __START__, target: a, type: static}
",
        "
id=key g=graph+declares
nodes=key
id=key a=node+declares
type=key router=word
executorConfig=key
type=key router=word
condition=key type=key expression=word expr=key scratch=state n=state+reads >=operator 3=number ?=operator b=word :=operator c=word
edges=key
id=key e=edge+declares source=key __START__=word target=key a=node type=key static=word
",
    );
}

#[test]
fn broken_text_keeps_its_tokens() {
    check_tokens(
        "kind: LLMNode\nname: a\nnodes:\n  - target: b\n    when: 'status == \n",
        "kind=key LLMNode=kind\nname=key a=node+declares\nnodes=key\ntarget=key b=node\nwhen=key status=state+reads ===operator",
    );
    check_tokens("apiVersion: v1\nkind: Pod\n", "");
}
