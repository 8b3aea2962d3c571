//! Hostile input: deep nests, huge scalars, many lines. A tree comes back, and it covers the text.

use nodewise_syntax::{NodeValue, Tree, parse};

const LEVELS: usize = 100_000;
const SCALAR: usize = 50 * 1024 * 1024;

fn check_covered(text: String) -> Tree {
    let length = text.len();
    let tree = parse(text);
    assert_eq!(tree.token_texts().map(str::len).sum::<usize>(), length);
    tree
}

#[test]
fn deep_nests_of_one_line() {
    for piece in
        ["[", "{a: ", "- ", "? ", "{? ", "[[a]: ", "&a ", "!t ", "\"a\": ", "'x", "a: [", "- {b: ", ": "]
    {
        let tree = check_covered(piece.repeat(LEVELS));
        assert!(!tree.problems().is_empty(), "{piece}");
        assert!(tree.problems().len() < LEVELS * 2, "{piece}");
    }
}

#[test]
fn deep_nests_that_are_closed() {
    for (open, close) in [("[", "]"), ("{a: ", "}"), ("[a, ", ", b]"), ("[[", "]: x]")] {
        let tree = check_covered(format!(
            "before: 1\ndeep: {}{}\nbehind: 2\n",
            open.repeat(LEVELS),
            close.repeat(LEVELS)
        ));
        let root = tree.documents().next().unwrap().root().unwrap().as_mapping().unwrap();
        assert!(root.get("before").is_some() && root.get("behind").is_some(), "{open}");
    }
}

#[test]
fn deep_block_mappings() {
    let levels = 3_000;
    let lines = (0..levels).map(|level| format!("{}k{level}:\n", " ".repeat(level)));
    check_covered(lines.collect());
    let back = (0..levels).rev().map(|level| format!("{}k{level}: v\n", " ".repeat(level)));
    check_covered(back.collect());
    let sequences = (0..levels).map(|level| format!("{}-\n", " ".repeat(level)));
    check_covered(sequences.collect());
    let flat = (0..LEVELS).map(|level| ["a:\n", "- b:\n"][level % 2]);
    check_covered(flat.collect());
}

#[test]
fn properties_on_a_line_each() {
    check_covered("&a\n".repeat(LEVELS));
    check_covered("!t\n".repeat(LEVELS));
    check_covered("? &a\n".repeat(LEVELS));
}

#[test]
fn a_nest_of_aliases_is_not_expanded() {
    let mut text = String::from("a0: &a0 [x]\n");
    for level in 1..=10 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    let tree = check_covered(text);
    assert!(tree.is_valid(), "{:?}", tree.problems());
    let root = tree.documents().next().unwrap().root().unwrap().as_mapping().unwrap();
    let last = root.get("a10").unwrap().value().unwrap().as_sequence().unwrap();
    let NodeValue::Alias(alias) = last.items().next().unwrap().node().unwrap().value() else {
        panic!("no alias")
    };
    assert_eq!(alias.target().unwrap().anchor().unwrap().name, "a9");
}

#[test]
fn huge_scalars_of_each_style() {
    let words = "word ".repeat(SCALAR / 5);
    let lines = "  a line of text\n".repeat(SCALAR / 17);
    let texts = [
        format!("k: {words}\nz: 1\n"),
        format!("k: '{words}'\nz: 1\n"),
        format!("k: \"{words}\"\nz: 1\n"),
        format!("k: |\n{lines}z: 1\n"),
        format!("k: >\n{lines}z: 1\n"),
        format!("k:\n{lines}z: 1\n"),
    ];
    for text in texts {
        let tree = check_covered(text);
        assert!(tree.is_valid());
        let root = tree.documents().next().unwrap().root().unwrap().as_mapping().unwrap();
        let scalar = root.get("k").unwrap().value().unwrap().as_scalar().unwrap();
        assert!(scalar.cooked().len() > SCALAR / 2);
        assert!(root.get("z").is_some());
    }
}

#[test]
fn huge_scalars_that_are_not_closed() {
    let words = "word: x ' \\\" [ ".repeat(SCALAR / 50);
    for quote in ["'", "\"", "[", "{", ""] {
        check_covered(format!("k: {quote}{words}\nz: 1\n"));
    }
}

#[test]
fn many_lines() {
    let lines = 200_000;
    let texts = [
        (0..lines).map(|line| format!("k{line}: v\n")).collect::<String>(),
        "- a\n".repeat(lines),
        "\n".repeat(lines),
        "# c\n".repeat(lines),
        "word\n".repeat(lines),
        "k: v\n".repeat(lines),
        "a: b: c\n".repeat(lines),
        "a: 'x\n".repeat(lines),
        "a: [\n".repeat(lines),
        "\"\n".repeat(lines),
        "'\n\"\n".repeat(lines),
        "---\n".repeat(lines),
        "--- a: b\n".repeat(lines),
        "<<<<<<< a\n".repeat(lines),
        "  a:\n b\n".repeat(lines),
        "a:\n  b\nc\n".repeat(lines),
        "*a\n&b\n".repeat(lines),
        "- *a\n- &a b\n".repeat(lines),
        "\t- a\n".repeat(lines),
        "%TAG ! !\n".repeat(lines),
        format!("k: \"{}", "a\r".repeat(lines)),
        format!("k: [{}", "'a' \"b\" ".repeat(lines)),
        format!("k: [{}", "&x \"b\"? ".repeat(lines)),
        format!("k:\n  b: 1\nw\n{}", "# c\nw\n".repeat(lines)),
        format!("[\n{}", "a: b\n".repeat(lines)),
    ];
    for text in texts {
        check_covered(text);
    }
}
