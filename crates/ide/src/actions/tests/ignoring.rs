//! Comments that silence a rule.

use super::{check_action, check_titles};

#[test]
fn at_the_end_of_the_line() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0\n",
        "Ignore `func-path` here",
        "kind: Node\nname: a\nfunc: x  # nodewise: ignore[func-path]\n",
    );
    check_action(
        "kind: Node\r\nname: a\r\nfunc: x$0\r\n",
        "Ignore `func-path` here",
        "kind: Node\r\nname: a\r\nfunc: x  # nodewise: ignore[func-path]\r\n",
    );
}

#[test]
fn above_where_the_line_has_no_room() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0 # why\n",
        "Ignore `func-path` here",
        "kind: Node\nname: a\n# nodewise: ignore-next[func-path]\nfunc: x # why\n",
    );
    check_action(
        "kind: Node\nname: a\nfunc: >-\n  x$0\n",
        "Ignore `func-path` here",
        "kind: Node\nname: a\nfunc: >-  # nodewise: ignore[func-path]\n  x\n",
    );
    check_titles(
        "kind: Node\nname: a\nfunc: a.b\nnodes:\n  - target: a\n    when: >-\n      a and\n      b ($0\n",
        "Ignore",
        &["Ignore `when-syntax` in this file"],
    );
}

#[test]
fn in_a_list_that_is_there() {
    check_action(
        "kind: Node\nname: a\nfunc: x$0 # nodewise: ignore[other] why\n",
        "Ignore `func-path` here",
        "kind: Node\nname: a\nfunc: x # nodewise: ignore[other, func-path] why\n",
    );
    check_action(
        "# nodewise: ignore-file[empty-file]\nkind: Node\nname: a\nfunc: x$0\n",
        "Ignore `func-path` in this file",
        "# nodewise: ignore-file[empty-file, func-path]\nkind: Node\nname: a\nfunc: x\n",
    );
}

#[test]
fn in_the_file() {
    check_action(
        "%YAML 1.2\n---\nkind: Node\nname: a\nfunc: x$0\n",
        "Ignore `func-path` in this file",
        "%YAML 1.2\n# nodewise: ignore-file[func-path]\n---\nkind: Node\nname: a\nfunc: x\n",
    );
    check_action(
        "\u{feff}kind: Node\nname: a\nfunc: x$0\n",
        "Ignore `func-path` in this file",
        "\u{feff}# nodewise: ignore-file[func-path]\nkind: Node\nname: a\nfunc: x\n",
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
