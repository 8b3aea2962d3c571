//! A panic outside of tests needs a reason, in a comment above it: `// INVARIANT: why`.
//!
//! Input is the code outside of tests. Output is panicking calls without that comment. Invariant: the comment is
//! directly above the call, or above the first line of its call chain.

use super::Report;
use crate::repository::{Repository, RustFile};
use crate::rust_source::find_words;

const PANICKING_MACROS: &[&str] = &["panic!", "todo!", "unimplemented!", "unreachable!"];
const REASON: &str = "// INVARIANT:";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    repository.rust_files.iter().flat_map(check_file).collect()
}

fn check_file(file: &RustFile) -> Vec<Report> {
    let lines: Vec<&str> = file.source.text.lines().collect();
    file.code_lines()
        .filter_map(|(line, code)| Some((line, panicking_call(code)?)))
        .filter(|(line, _)| !has_reason(&lines, *line))
        .map(|(line, call)| {
            Report::new(&file.path, line, format!("`{call}` without a line `{REASON} why` above it"))
        })
        .collect()
}

fn panicking_call(code: &str) -> Option<&'static str> {
    if code.contains(".unwrap()") {
        return Some(".unwrap()");
    }
    if has_expect_with_text(code) {
        return Some(".expect(…)");
    }
    PANICKING_MACROS.iter().copied().find(|name| {
        let word = name.trim_end_matches('!');
        find_words(code, word)
            .any(|offset| code.get(offset + word.len()..).is_some_and(|rest| rest.starts_with('!')))
    })
}

/// A parser's own `expect(token)` does not panic. That of the standard library has a text.
fn has_expect_with_text(code: &str) -> bool {
    const EXPECT: &str = ".expect(";
    code.match_indices(EXPECT).any(|(offset, _)| {
        let argument = code.get(offset + EXPECT.len()..).unwrap_or_default();
        argument.is_empty() || argument.starts_with(['"', 'r', '&']) && argument.contains(['"', '!'])
    })
}

fn has_reason(lines: &[&str], line: usize) -> bool {
    let above = lines.get(..line.saturating_sub(1)).unwrap_or_default();
    let this_line = lines.get(line.saturating_sub(1)).copied().unwrap_or_default();
    if comment_above_has_reason(above) {
        return true;
    }
    let continues_chain = |text: &&str| text.trim_start().starts_with('.');
    let chain_length = above.iter().rev().take_while(|text| continues_chain(text)).count();
    let first_of_chain = above.len().saturating_sub(chain_length + 1);
    continues_chain(&this_line) && comment_above_has_reason(above.get(..first_of_chain).unwrap_or_default())
}

fn comment_above_has_reason(above: &[&str]) -> bool {
    let is_comment = |text: &&&str| text.trim_start().starts_with("//");
    above.iter().rev().take_while(is_comment).any(|text| text.trim_start().starts_with(REASON))
}
