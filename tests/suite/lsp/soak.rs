//! Random edits: the server's text stays the client's, its diagnostics those of a fresh start.

use std::fmt::Write as _;

use serde_json::json;

use crate::lsp::client::{Folder, Server};

/// How many edits are made; continuous integration makes many more.
const EDITS: &str = "NODEWISE_SOAK_EDITS";
const EDITS_USUALLY: i64 = 1_500;

const SEEDS: [&str; 3] = [
    "kind: LLMNode\nname: planner\nprompts:\n  system:\n    en: |\n      You plan.\n    de: Du planst.\ntools:\n  - search\nnodes:\n  - target: search\n    when: \"a == 1 and 'b' != 'c'\"\n",
    "id: 11111111-1111-4111-8111-111111111111\nname: Claims\ndescription: x\nnodes:\n  - {id: a, type: tool, tool_id: x, read_keys: [\"*\"], write_keys: [b]}\nedges: []\nstart_node: a\nend_nodes: [a]\n",
    "{\n  \"kind\": \"ToolNode\",\n  \"name\": \"search\",\n  \"func\": \"a.b\"\n}\n",
];
const PIECES: [&str; 16] = [
    "a",
    " ",
    "\n",
    "\r\n",
    "\r",
    ": ",
    "- ",
    "\"",
    "'",
    "[",
    "}",
    "😀",
    "é漢",
    "\u{feff}",
    "  when: x\n",
    "|\n  ",
];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit.max(1)
    }
}

/// The position of an offset, in UTF-16.
pub(crate) fn position(text: &str, offset: usize) -> serde_json::Value {
    let before = &text[..offset];
    let mut line = 0;
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, byte) in before.bytes().enumerate() {
        let is_first_half = byte == b'\r' && bytes.get(at + 1) == Some(&b'\n');
        if matches!(byte, b'\n' | b'\r') && !is_first_half {
            (line, start) = (line + 1, at + 1);
        }
    }
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

/// A place between two characters, not inside a line break, which has no position of its own.
fn place(text: &str, dice: &mut Dice) -> usize {
    let mut at = dice.below(text.len() + 1);
    while !text.is_char_boundary(at) || (text[..at].ends_with('\r') && text[at..].starts_with('\n')) {
        at -= 1;
    }
    at
}

/// Typing, deleting, pasting halves of files.
fn edit(text: &str, dice: &mut Dice) -> (usize, usize, String) {
    let (one, other) = (place(text, dice), place(text, dice));
    let near = (one + 3).min(text.len());
    let near = (0..=near).rev().find(|at| text.is_char_boundary(*at) && *at <= near).unwrap().max(one);
    let near = if text[..near].ends_with('\r') && text[near..].starts_with('\n') { one } else { near };
    match dice.below(20) {
        0 => (one.min(other), one.max(other), String::new()),
        1 => {
            let seed = SEEDS[dice.below(SEEDS.len())];
            (one, one, seed[..seed.len() / 2].to_owned())
        }
        2 => (0, text.len(), SEEDS[dice.below(SEEDS.len())].to_owned()),
        3..=7 => (one, near, String::new()),
        _ => (one, one, PIECES[dice.below(PIECES.len())].to_owned()),
    }
}

#[test]
fn texts_stay_equal_and_diagnostics_those_of_a_fresh_start() {
    let count: i64 = std::env::var(EDITS).ok().and_then(|count| count.parse().ok()).unwrap_or(EDITS_USUALLY);
    let folder = Folder::new(&[("one.yaml", SEEDS[0]), ("two.yaml", SEEDS[1]), ("three.json", SEEDS[2])]);
    let uris = ["one.yaml", "two.yaml", "three.json"].map(|path| folder.uri(path));
    let mut server = Server::open_folder(&folder);
    server.wait_until_read();
    let mut texts = SEEDS.map(str::to_owned);
    for (uri, text) in uris.iter().zip(&texts) {
        server.open(uri, 0, text);
    }
    let mut dice = Dice(42);
    let mut memory = None;
    for version in 1..=count {
        let which = dice.below(texts.len());
        let text = &mut texts[which];
        let (start, end, new) = edit(text, &mut dice);
        let change =
            json!({"range": {"start": position(text, start), "end": position(text, end)}, "text": new});
        server.edit(&uris[which], version, json!([change]));
        text.replace_range(start..end, &new);
        if version % 250 == 0 {
            assert_eq!(server.text(&uris[which]), *text, "after {version} edits");
            server.drain("textDocument/publishDiagnostics");
        }
        if version == count / 4 {
            memory = server.memory();
        }
    }
    check_fresh(&mut server, &uris, &texts);
    if let (Some(before), Some(after)) = (memory, server.memory()) {
        assert!(after < before + before / 4 + 16 * 1024, "memory grew from {before} KiB to {after} KiB");
    }
}

/// Compares with a server that never saw anything but the last texts.
fn check_fresh(server: &mut Server, uris: &[String; 3], texts: &[String; 3]) {
    let folder = Folder::new(&[]);
    for (path, text) in ["one.yaml", "two.yaml", "three.json"].iter().zip(texts) {
        folder.write(path, text);
    }
    let mut fresh = Server::open_folder(&folder);
    fresh.wait_until_read();
    let (mut ours, mut theirs) = (String::new(), String::new());
    for ((uri, text), path) in uris.iter().zip(texts).zip(["one.yaml", "two.yaml", "three.json"]) {
        assert_eq!(server.text(uri), *text);
        server.replace(uri, 1_000_000, text);
        writeln!(ours, "{path}\n{}", server.diagnostics(uri, Some(1_000_000))).unwrap();
        fresh.open(&folder.uri(path), 1, text);
        writeln!(theirs, "{path}\n{}", fresh.diagnostics(&folder.uri(path), Some(1))).unwrap();
    }
    assert_eq!(ours, theirs);
}
