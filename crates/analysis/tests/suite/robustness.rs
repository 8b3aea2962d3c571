//! Whatever is typed: no text makes facts, index or rules panic, every place lies in its text, and no
//! message is longer than a line. The texts are the corpus files with a few random edits each.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nodewise_analysis::check;
use nodewise_analysis::diagnostic::{Diagnostic, Finding};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};
use nodewise_model::{Origin, SourceId};

const MUTANTS_OF_A_FILE: usize = 60;
const EDITS_MAX: usize = 3;
const MESSAGE_LENGTH_MAX: usize = 80;
/// What people type, and what trips parsers.
const SNIPPETS: &[&str] = &[
    "\n",
    "  ",
    "\t",
    "- ",
    ": ",
    ":",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "&a ",
    "*a",
    "!t ",
    "|\n",
    ">-\n",
    "#",
    "---\n",
    "é",
    "😀",
    "null",
    "{x}",
    "{{",
    "kind: Overlay\n",
    "to: LLMNode:desk\n",
    "when: ",
    "(",
    "$now()",
    " and ",
    "name: ",
    "en: ",
    "\r\n",
    "\u{1}",
    "<<: *a\n",
    "7",
    "true",
    "ref: Node/x",
    "nodes:\n",
    "~",
    ",",
];

#[test]
fn mutated_corpora_are_judged_without_a_panic() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let files = corpus_files();
    let texts: Vec<String> =
        files.iter().map(|path| std::fs::read_to_string(path).expect("a text")).collect();
    assert!(texts.len() > 40, "{}", texts.len());
    let mut findings = 0;
    for text in &texts {
        for _ in 0..MUTANTS_OF_A_FILE {
            let mutant = mutate(text, &mut random);
            // A second file, so that names, overlays and duplicates cross files.
            let other = &texts[random.below(texts.len())];
            findings += check_project(&[mutant.as_str(), other]);
        }
    }
    assert!(findings > 10_000, "the mutants are too tame: {findings} findings");
}

/// Judges the files as one project; gives back how much was found.
fn check_project(texts: &[&str]) -> usize {
    let settings = Arc::new(Settings::default().following(&LIMAN, RELEASE_0_1_1));
    let facts = |(number, text): (u32, &&str)| {
        let path = format!("{number}/de.yaml");
        FileFacts::new(SourceId(number), path.into(), Arc::from(*text), Arc::clone(&settings))
    };
    let files: Files = (0..).zip(texts).map(facts).collect();
    let diagnostics = check::check(&files);
    for diagnostic in &diagnostics {
        check_diagnostic(texts, diagnostic);
    }
    diagnostics.len()
}

fn check_diagnostic(texts: &[&str], diagnostic: &Diagnostic) {
    let Finding { at, message, related, fixes, .. } = &diagnostic.finding;
    let edits = fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.at);
    for at in std::iter::once(*at).chain(related.iter().map(|related| related.at)).chain(edits) {
        let Origin { source, range } = at;
        let text = texts[source.0 as usize];
        let place = text.get(range.start().into()..range.end().into());
        assert!(place.is_some(), "{range:?} in {text:?}: {diagnostic:?}");
    }
    let length = message.chars().count();
    assert!(length <= MESSAGE_LENGTH_MAX, "{length} characters: {message}");
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut mutant = text.to_owned();
    for _ in 0..=random.below(EDITS_MAX) {
        let mut at = random.below(mutant.len() + 1);
        while !mutant.is_char_boundary(at) {
            at -= 1;
        }
        if random.below(3) == 0 {
            let rest = &mutant[at..];
            let length = rest.char_indices().nth(random.below(12)).map_or(rest.len(), |(end, _)| end);
            mutant.replace_range(at..at + length, "");
        } else {
            mutant.insert_str(at, SNIPPETS[random.below(SNIPPETS.len())]);
        }
    }
    mutant
}

fn corpus_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pending = vec![root.join("tests/data/corpus/liman"), root.join("examples")];
    let mut files = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).expect("a folder");
            pending.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// A small generator with a fixed seed: the same mutants on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}
