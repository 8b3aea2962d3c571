//! The keys of a mapping.

use super::{check_action, check_titles};

#[test]
fn in_the_order_of_the_table() {
    check_action(
        "# about\nprompts:\n  # the message\n  system: {en: Hi}\n# the name\nname: a # beside\n\nkind: LLMNode$0\n",
        "NameKind keys",
        "# about\nkind: LLMNode\n# the name\nname: a # beside\nprompts:\n  # the message\n  system: {en: Hi}\n",
    );
    check_action(
        "kind: ToolNode\nname: a\ndescription: {en: A}\nfunc: a.b\narguments:\n  - type: string\n    # x\n    name: x$0\n  - {type: string, name: y}\n",
        "NameKind keys",
        "kind: ToolNode\nname: a\ndescription: {en: A}\nfunc: a.b\narguments:\n  - # x\n    name: x\n    type: string\n  - {type: string, name: y}\n",
    );
    check_titles("kind: Node\nname: a$0\nfunc: a.b\n", "NameKind", &[]);
}

#[test]
fn those_that_must_be_there() {
    check_action(
        "kind: ToolNode\nname: a$0\n",
        "Add `description`, `func`",
        "kind: ToolNode\nname: a\ndescription:\n  en: a\nfunc: app.a\n",
    );
    check_action(
        "kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a$0\n    id: 1 # first\n",
        "Add `when`",
        "kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a\n    when: \"true\"\n    id: 1 # first\n",
    );
    check_titles("kind: Overlay\nto: Node:a$0\nstrategy: merge\n", "Add", &[]);
}

#[test]
fn those_that_nobody_reads() {
    check_action(
        "kind: Node\nname: a\ncolour$0: red\nfunc: a.b\n",
        "Remove `colour`",
        "kind: Node\nname: a\nfunc: a.b\n",
    );
    // The comment would be removed too.
    check_titles("kind: Node\nname: a\ncolour$0: red # why\nfunc: a.b\n", "Remove", &[]);
}
