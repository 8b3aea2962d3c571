//! A doc comment that only repeats the name of its item is deleted: `/// The key.` above `key`.
//!
//! Input is the code outside of tests. Output is doc comments of one line without a word that the name does not have. Invariant: the
//! help texts of the command line, which are doc comments too, may repeat a name.

use super::Report;
use crate::repository::{Repository, RustFile};

const DOC: &str = "/// ";
/// Marks code in a comment. A comment with code always adds something: `==` for `Equal`.
const CODE: char = '`';
/// A comment with more words always adds something, even if all of them are in [`WITHOUT_MEANING`].
const LONGEST_WITHOUT_MEANING: usize = 4;
/// In files with one of these derives, doc comments are the help texts of `clap`.
const HELP_TEXTS: [&str; 4] = ["Args", "Parser", "Subcommand", "ValueEnum"];
/// A short comment with only these words adds nothing: `/// Where it stands.`
const WITHOUT_MEANING: &[&str] = &[
    "a", "all", "an", "and", "any", "are", "as", "both", "by", "did", "do", "does", "each", "for", "had",
    "has", "have", "here", "how", "in", "is", "it", "its", "of", "one", "or", "some", "stand", "stands",
    "that", "the", "their", "them", "there", "these", "they", "this", "those", "to", "was", "were", "what",
    "when", "where", "which", "who", "whose", "why",
];
const BEFORE_A_NAME: &[&str] =
    &["async", "const", "enum", "fn", "mod", "pub", "static", "struct", "trait", "type", "unsafe"];
/// Endings that are ignored when words are compared. The longest are first.
const ENDINGS: &[&str] = &["ies", "ing", "es", "ed", "s", "d"];

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    repository.rust_files.iter().filter(|file| !has_help_texts(file)).flat_map(check_file).collect()
}

fn has_help_texts(file: &RustFile) -> bool {
    let derives = file.source.text.lines().filter(|line| line.trim_start().starts_with("#[derive("));
    derives.flat_map(|line| line.split(['(', ')', ',', ' '])).any(|name| HELP_TEXTS.contains(&name))
}

fn check_file(file: &RustFile) -> Vec<Report> {
    let lines: Vec<&str> = file.source.text.lines().map(str::trim_start).collect();
    let is_doc =
        |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.starts_with(DOC));
    let one_line = |at: &usize| is_doc(Some(*at)) && !is_doc(at.checked_sub(1)) && !is_doc(Some(at + 1));
    let places = (0..lines.len()).filter(one_line).filter(|at| !file.source.is_test(at + 1));
    places
        .filter_map(|at| {
            let (_, after) = lines.split_at_checked(at + 1)?;
            let name = name(after.iter().find(|line| !line.starts_with("#["))?)?;
            let comment = lines.get(at)?.trim_start_matches(DOC);
            repeats(comment, name).then(|| {
                let message =
                    format!("`{comment}` only repeats the name `{name}`: delete it, or say what it means");
                Report::new(&file.path, at + 1, message)
            })
        })
        .collect()
}

/// The name of the item in a line of code.
fn name(line: &str) -> Option<&str> {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let line =
        line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")).map_or(line, |(_, rest)| rest);
    let mut words = line.split(|character| !is_part(character)).filter(|word| !word.is_empty());
    words.find(|word| !BEFORE_A_NAME.contains(word))
}

/// Whether each word of a comment with a meaning is in the name.
fn repeats(comment: &str, name: &str) -> bool {
    if comment.contains(CODE) {
        return false;
    }
    let (named, written) = (words(name), words(comment));
    let with_meaning: Vec<&String> =
        written.iter().filter(|word| !WITHOUT_MEANING.contains(&word.as_str())).collect();
    if with_meaning.is_empty() {
        return written.len() <= LONGEST_WITHOUT_MEANING;
    }
    with_meaning.iter().all(|word| named.iter().any(|named| stem(named) == stem(word)))
}

/// The words of a sentence or a name, in lower case.
fn words(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    let mut was_small = false;
    for character in text.chars() {
        if !character.is_alphanumeric() || was_small && character.is_uppercase() {
            spaced.push(' ');
        }
        if character.is_alphanumeric() {
            spaced.extend(character.to_lowercase());
        }
        was_small = character.is_lowercase();
    }
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// A word without its ending, so that `edges` is `edge`.
fn stem(word: &str) -> &str {
    ENDINGS.iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word)
}
