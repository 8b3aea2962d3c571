//! Comments that ignore a rule.

use super::{check_action, check_titles};

#[test]
fn at_the_end_of_the_line() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0\n",
        "Ignore `invalid-function-path` here",
        "kind: Node\nname: a\nfunc: x  # nodewise: ignore[invalid-function-path]\n",
    );
    check_action(
        "kind: Node\r\nname: a\r\nfunc: x$0\r\n",
        "Ignore `invalid-function-path` here",
        "kind: Node\r\nname: a\r\nfunc: x  # nodewise: ignore[invalid-function-path]\r\n",
    );
}

#[test]
fn above_where_the_line_has_no_room() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0 # why\n",
        "Ignore `invalid-function-path` here",
        "kind: Node\nname: a\n# nodewise: ignore-next[invalid-function-path]\nfunc: x # why\n",
    );
    check_action(
        "kind: Node\nname: a\nfunc: >-\n  x$0\n",
        "Ignore `invalid-function-path` here",
        "kind: Node\nname: a\nfunc: >-  # nodewise: ignore[invalid-function-path]\n  x\n",
    );
    check_titles(
        "kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a\n    when: >-\n      a and\n      b ($0\n",
        "Ignore",
        &["Ignore `invalid-expression` in this file"],
    );
}

#[test]
fn in_a_list_that_is_there() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0 # nodewise: ignore[other] why\n",
        "Ignore `invalid-function-path` here",
        "kind: Node\nname: a\nfunc: x # nodewise: ignore[other, invalid-function-path] why\n",
    );
    check_action(
        "# nodewise: ignore-file[empty-file]\nkind: Node\nname: a\nfunc: x$0\n",
        "Ignore `invalid-function-path` in this file",
        "# nodewise: ignore-file[empty-file, invalid-function-path]\nkind: Node\nname: a\nfunc: x\n",
    );
}

#[test]
fn in_the_file() {
    check_action(
        "%YAML 1.2\n---\nkind: Node\nname: a\nfunc: x$0\n",
        "Ignore `invalid-function-path` in this file",
        "%YAML 1.2\n# nodewise: ignore-file[invalid-function-path]\n---\nkind: Node\nname: a\nfunc: x\n",
    );
    check_action(
        "\u{feff}kind: Node\nname: a\nfunc: x$0\n",
        "Ignore `invalid-function-path` in this file",
        "\u{feff}# nodewise: ignore-file[invalid-function-path]\nkind: Node\nname: a\nfunc: x\n",
    );
}

#[test]
fn not_in_json() {
    check_titles(
        "#- /a.json\n{\"id\": \"g\", \"name\": \"g\", \"description\": \"\", \"start_node\": \"x$0\", \"end_nodes\": [], \"edges\": [], \"nodes\": []}\n",
        "Ignore",
        &[],
    );
}
