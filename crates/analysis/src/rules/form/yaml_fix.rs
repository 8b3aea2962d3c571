//! Fixes of broken YAML. In: a file and what its parser found; out: edits, or nothing if no fix makes the text valid.
//!
//! Invariant: an edited text has fewer faults than before, and none that it did not have.

use nodewise_model::Origin;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{Problem, ProblemKind, TextRange, TextSize, parse};

use crate::diagnostic::{Edit, Fix};
use crate::facts::FileFacts;

/// Longer texts get no fixes, because each fix needs another parse of the whole text.
const LONGEST: usize = 200_000;
/// The spaces that replace a tab.
const TAB: &str = "  ";

/// The fix of a syntax problem, if there is a clear one.
pub(in crate::rules) fn fix(file: &FileFacts, problem: &Problem) -> Option<Fix> {
    if file.text.len() > LONGEST {
        return None;
    }
    let (title, edits) = match problem.kind {
        ProblemKind::TabIndentation => ("Indent with spaces", tabs(file, problem)?),
        ProblemKind::MissingSpace => {
            let at =
                problem.range.start() + TextSize::try_from(colon(file, problem)?).ok()? + TextSize::new(1);
            (
                "Put a space after the colon",
                vec![TextEdit { range: TextRange::empty(at), text: " ".to_owned() }],
            )
        }
        ProblemKind::MissingFlowColon => {
            let before = file.text.get(..usize::from(problem.range.start()))?.trim_end().len();
            let at = TextSize::try_from(before).ok()?;
            (
                "Put a colon after the key",
                vec![TextEdit { range: TextRange::empty(at), text: ":".to_owned() }],
            )
        }
        ProblemKind::MissingColon if is_separator(file, problem) => {
            ("Write `---`", vec![TextEdit { range: problem.range, text: "---".to_owned() }])
        }
        ProblemKind::MissingColon => {
            let lines = flat_block(&file.text, problem)?;
            ("Indent the text", indented(&file.text, lines))
        }
        // YAML reads this text as more than a plain text, so quotes are needed.
        ProblemKind::UnexpectedText
        | ProblemKind::MappingNotAllowed
        | ProblemKind::SequenceNotAllowed
        | ProblemKind::ReservedCharacter
        | ProblemKind::UndefinedAlias
        | ProblemKind::MissingName
        | ProblemKind::BadTag => ("Put the value in quotes", vec![quoted_value(file, problem)?]),
        _ => return None,
    };
    let fixed = apply_edits(&file.text, &mut edits.clone()).ok()?;
    let faults = |text: &str| parse(text).problems().iter().filter(|problem| problem.is_syntax()).count();
    let before = file
        .problems
        .iter()
        .filter(|problem| problem.is_syntax() || problem.kind == ProblemKind::UndefinedAlias);
    let after = parse(fixed.as_str());
    let undefined =
        after.problems().iter().filter(|problem| problem.kind == ProblemKind::UndefinedAlias).count();
    (faults(&fixed) + undefined < before.count()).then(|| verified(file, title, edits))
}

/// A fix of edits that are known to make the text better.
pub(in crate::rules) fn verified(file: &FileFacts, title: &str, edits: Vec<TextEdit>) -> Fix {
    let edits =
        edits.into_iter().map(|edit| Edit { at: Origin::new(file.source, edit.range), text: edit.text });
    Fix { title: title.to_owned(), safe: false, edits: edits.collect() }
}

/// Whether the line was meant to separate two documents: it consists only of dashes or of equals signs.
pub(in crate::rules) fn is_separator(file: &FileFacts, problem: &Problem) -> bool {
    let range = problem.range;
    let written =
        file.text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default().trim();
    let is_of = |sign: char| written.chars().all(|letter| letter == sign);
    let begins_line = file.text.get(..usize::from(range.start())).is_none_or(|before| before.ends_with('\n'));
    problem.kind == ProblemKind::MissingColon
        && begins_line
        && written.len() > 1
        && (is_of('-') || is_of('='))
}

/// The lines of a block text after `|` or `>` that are not indented more than their key. `None` unless the problem is on
/// the first of these lines.
pub(in crate::rules) fn flat_block(text: &str, problem: &Problem) -> Option<TextRange> {
    let start = usize::from(problem.range.start());
    let start = text.get(..start)?.rfind('\n')? + 1;
    let before = text.get(..start)?.trim_end().lines().next_back()?;
    let column = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let head = before.trim_end_matches(['-', '+']);
    let opens = head.ends_with(": |") || head.ends_with(": >");
    let depth = column(before);
    if problem.kind != ProblemKind::MissingColon || !opens || column(text.get(start..)?) != depth {
        return None;
    }
    let is_text = |line: &&str| {
        let is_key = value_of(line).is_some() || line.trim_end().ends_with(':');
        line.trim().is_empty() || column(line) >= depth && !is_key && !line.starts_with("---")
    };
    let length: usize = text.get(start..)?.split_inclusive('\n').take_while(is_text).map(str::len).sum();
    let size = |length: usize| TextSize::try_from(length).ok();
    Some(TextRange::at(size(start)?, size(length)?))
}

/// Edits that indent each line by two more spaces.
fn indented(text: &str, lines: TextRange) -> Vec<TextEdit> {
    let inside = text.get(usize::from(lines.start())..usize::from(lines.end())).unwrap_or_default();
    let mut start = lines.start();
    let mut edits = Vec::new();
    for line in inside.split_inclusive('\n') {
        if !line.trim().is_empty() {
            edits.push(TextEdit { range: TextRange::empty(start), text: TAB.to_owned() });
        }
        start += TextSize::of(line);
    }
    edits
}

/// The position of the first colon in the problem's text.
fn colon(file: &FileFacts, problem: &Problem) -> Option<usize> {
    let range = problem.range;
    file.text.get(usize::from(range.start())..)?.find(':')
}

/// Edits that replace all indenting tabs by the number of spaces that makes the text valid.
fn tabs(file: &FileFacts, problem: &Problem) -> Option<Vec<TextEdit>> {
    let text = &*file.text;
    let line = text.get(..usize::from(problem.range.start()))?.rfind('\n').map_or(0, |end| end + 1);
    let above = text.get(..line)?.trim_end().lines().next_back().unwrap_or_default();
    // The column where the text of the line above begins, after its dash.
    let content = above.len() - above.trim_start_matches([' ', '-']).len();
    let is_sound = |edits: &[TextEdit]| {
        let fixed = apply_edits(text, &mut edits.to_vec());
        fixed.is_ok_and(|fixed| !parse(fixed.as_str()).problems().iter().any(Problem::is_syntax))
    };
    let tried =
        [TAB.len(), content, 2 * TAB.len(), 4 * TAB.len()].map(|width| spaces(text, &" ".repeat(width)));
    let sound = tried.iter().position(|edits| is_sound(edits)).unwrap_or(0);
    tried.into_iter().nth(sound)
}

/// Edits that replace each indenting tab by these spaces.
fn spaces(text: &str, blanks: &str) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        let head = line.get(..indent).unwrap_or_default();
        if head.contains('\t') && !line.trim().is_empty() {
            let size = |length: usize| TextSize::try_from(length).unwrap_or_default();
            let range = TextRange::at(size(start), size(indent));
            edits.push(TextEdit { range, text: head.replace('\t', blanks) });
        }
        start += line.len();
    }
    edits
}

/// An edit that puts the rest of the line, after the key or the dash, in quotes.
fn quoted_value(file: &FileFacts, problem: &Problem) -> Option<TextEdit> {
    let text = &*file.text;
    let at = usize::from(problem.range.start());
    let start = text.get(..at)?.rfind('\n').map_or(0, |line| line + 1);
    let line = text.get(start..)?.lines().next()?;
    let value = value_of(line)?;
    let written = line.get(value..)?.trim_end();
    if written.is_empty() || written.starts_with('"') && written.ends_with('"') && written.len() > 1 {
        return None;
    }
    let quoted = match written.contains(['"', '\\']) {
        true => format!("'{}'", written.replace('\'', "''")),
        false => format!("\"{written}\""),
    };
    let size = |length: usize| TextSize::try_from(length).ok();
    Some(TextEdit { range: TextRange::at(size(start + value)?, size(written.len())?), text: quoted })
}

/// The offset of the value in a line of block style: after the first colon with a space, or after the dash.
fn value_of(line: &str) -> Option<usize> {
    let mut head = line.len() - line.trim_start().len();
    while line.get(head..)?.starts_with("- ") {
        head += 2;
    }
    let rest = line.get(head..)?;
    let key_length =
        rest.find(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '-' | '.' | ' '))?;
    match rest.get(key_length..)?.strip_prefix(": ") {
        Some(value) => Some(line.len() - value.trim_start().len()),
        None => (head > 0 && line.trim_start().starts_with("- ")).then_some(head),
    }
}
