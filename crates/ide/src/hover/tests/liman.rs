//! Hovers in files of Liman.

use super::check_hover;

const PLANNER: &str = "
#- /planner.yaml
kind: LLMNode
name: planner
prompts:
  system: {en: \"Plan *all* of <it>\", de: Plane alles}
tools: [search, gone]
nodes:
  - target: writer
    when: ready and score > 2
  - planner
#- /search.yaml
kind: ToolNode
name: search
description: {en: Finds pages, de: Findet Seiten}
func: app.search
arguments:
  - {name: query, type: string, description: What}
  - {name: limit, type: integer, optional: true, description: How many}
---
kind: Node
name: writer
func: app.write
#- /overlays/search.yaml
kind: Overlay
to: ToolNode:search
description: Finds
";

/// The files of a small Liman project, with the cursor behind `before` in its first line that has it.
pub(super) fn in_planner(before: &str) -> String {
    PLANNER.replacen(before, &format!("{before}$0"), 1)
}

#[test]
fn liman_keys_and_words() {
    check_hover(
        &in_planner("too"),
        r#"
tools => `LLMNode.tools`: a list; each item the name of a tool

Default `[]`

The ToolNodes that may be called."#,
    );
    check_hover(
        &in_planner("kind: LLM"),
        r#"
LLMNode => `LLMNode`: A call of a language model with a system prompt and tools.

Needs `kind`, `name`, `prompts`."#,
    );
    check_hover(
        &in_planner("kin"),
        r#"
kind => `LLMNode.kind`: the kind

Required

What the document declares."#,
    );
    check_hover(&in_planner("type: stri"), "string => `string`: a text");
    check_hover(&in_planner("optional: tr"), "");
}

#[test]
fn names_that_programs_register() {
    check_hover(
        "
#- /a.yaml
kind: LLMNode
name: a
prompts: {system: x}
tools: [sea$0rch]
#- /app.py
from liman_core.nodes.tool_node import ToolNode
ToolNode.from_dict({'name': 'search'}, registry)
",
        "search => - ToolNode `search` is registered in `app.py`, line 2",
    );
}

#[test]
fn liman_names() {
    check_hover(
        &in_planner("tools: [sea"),
        r#"
search => **ToolNode** `search` · search.yaml:2

```
search(query: string, limit?: integer)
```

> Finds

Calls `app.search`

- Patched by overlays/search.yaml:1
- 1 reference: `planner`"#,
    );
    // A finding already says that no tool has this name.
    check_hover(&in_planner("tools: [search, go"), "");
    check_hover(
        &in_planner("name: planner"),
        r#"
planner => **LLMNode** `planner` · planner.yaml:2

> Plan \*all\* of \<it\>

Tools `search`, `gone`

Leads to `writer` when `ready and score > 2`, `planner`

- 1 reference: `planner`"#,
    );
    check_hover(
        &in_planner("target: wri"),
        r#"
writer => **Node** `writer` · search.yaml:10

Calls `app.write`

- 1 reference: `planner`"#,
    );
    check_hover(
        &in_planner("func: app.se"),
        "app.search => **function** `app.search`

No Python file in the project defines it.",
    );
    check_hover(
        "
#- /a.yaml
kind: ToolNode
name: search
func: desk.to$0ols.search
#- /desk/tools.py
def search(query: str, limit: int = 3) -> str:
    \"\"\"Looks in the *ledger*.\"\"\"
",
        "
desk.tools.search => **function** `desk.tools.search` · desk/tools.py:1

```python
def search(query: str, limit: int = 3) -> str
```

> Looks in the \\*ledger\\*.",
    );
    check_hover(
        &in_planner("to: ToolNode:se"),
        r#"
search => **ToolNode** `search` · search.yaml:2

```
search(query: string, limit?: integer)
```

> Finds

Calls `app.search`

- Patched by overlays/search.yaml:1
- 1 reference: `planner`"#,
    );
}

#[test]
fn liman_texts() {
    check_hover(
        &in_planner("prom"),
        r#"
prompts => `LLMNode.prompts`: a localized text

Required

Texts for the model, localized; `system` is the system message, other keys are free.

| key | language | text |
|---|---|---|
| `system` | `en` | Plan \*all\* of \<it\> |
| `system` | `de` | Plane alles |"#,
    );
    check_hover(
        &in_planner("{en"),
        r#"
en => | key | language | text |
|---|---|---|
| `system` | `en` | Plan \*all\* of \<it\> |
| `system` | `de` | Plane alles |"#,
    );
    check_hover(
        &in_planner("  sys"),
        r#"
system => | key | language | text |
|---|---|---|
| `system` | `en` | Plan \*all\* of \<it\> |
| `system` | `de` | Plane alles |"#,
    );
    check_hover(&in_planner("Plan"), "");
}

#[test]
fn liman_expressions() {
    check_hover(
        &in_planner("when: rea"),
        r#"
ready => **state key** `ready`

A variable of the run's context."#,
    );
    check_hover(
        &in_planner("ready an"),
        r#"
and => `and`: True when both sides are. The right side is read only if the left one is true. It binds tighter than `or`.

`ready and score > 2`: true or false"#,
    );
    check_hover(
        &in_planner("score >"),
        r#"
> => `>`: Greater. Numbers, texts and lists compare with their like; anything else is an error, and the edge is not followed.

`score > 2`: true or false"#,
    );
    check_hover(&in_planner("score > 2"), "");
}
