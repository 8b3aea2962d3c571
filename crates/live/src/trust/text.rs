//! A plan as people read it before they allow it.
//!
//! Input: a plan, whose names come from files that anyone may have written; output: lines. Invariant: a name is on one line, and
//! shows each character that could disguise it: nothing in a name can look like another line of the question.

use std::fmt::Write;

use super::{Part, Plan};

/// How much of names and lists is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// What fits a question.
    Cut,
    /// Everything.
    Whole,
}

/// The most characters of a name in a question, as it is shown.
const LONGEST_NAME: usize = 200;
/// The same for a variable or header, of which a thing can have several.
const LONGEST_OF_ONE: usize = 60;
/// How many of ten shown characters are of the beginning of a name that is cut.
const TENTHS_OF_BEGIN: usize = 7;
/// How many digits of a hash a question shows.
const SHOWN_OF_HASH: usize = 12;
/// The most things of a sort in a question, other than commands.
const MOST: usize = 30;
/// The most variables or headers of one thing in a question: behind more of them, the thing itself would leave the screen.
const MOST_OF_ONE: usize = 4;

/// The plan: what is started comes last, since the end of a long question is what stays on the screen.
pub(super) fn plan(plan: &Plan, length: Length) -> String {
    let mut text = String::new();
    if plan.is_outdated {
        text.push_str(
            "your earlier permission did not cover settings and files, so nodewise asks once more\n",
        );
    }
    let mut counts: Vec<String> = Vec::new();
    let mut total = 0;
    for sort in Sort::ALL {
        let lines: Vec<String> =
            plan.parts().filter(|part| Sort::of(part) == sort).map(|part| line(plan, part, length)).collect();
        if lines.is_empty() {
            continue;
        }
        let most = if length == Length::Cut && sort != Sort::Command { MOST } else { usize::MAX };
        text.push_str(sort.head());
        text.push('\n');
        for line in lines.iter().take(most) {
            // Writing to a text does not fail.
            let _ = writeln!(text, "  {line}");
        }
        if lines.len() > most {
            let _ = writeln!(
                text,
                "  … and {} more; `nodewise run` with `--dry-run` lists all",
                lines.len() - most
            );
        }
        counts.push(sort.count(lines.len()));
        total += lines.len();
    }
    // One thing is counted at a glance.
    if total > 1 {
        let _ = writeln!(text, "in all: {}", counts.join(", "));
    }
    text
}

/// The sorts of things, in the order of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sort {
    File,
    Function,
    Setting,
    Address,
    Command,
}

impl Sort {
    const ALL: [Sort; 5] = [Sort::File, Sort::Function, Sort::Setting, Sort::Address, Sort::Command];

    fn of(part: &Part) -> Sort {
        match part {
            Part::Command { .. } => Sort::Command,
            Part::Address { .. } => Sort::Address,
            Part::Function(_) => Sort::Function,
            Part::Setting { .. } => Sort::Setting,
            Part::File { .. } => Sort::File,
        }
    }

    /// The line above things of this sort.
    fn head(self) -> &'static str {
        match self {
            Sort::File => "uses these files as they are now (SHA-256)",
            Sort::Function => "runs the functions",
            Sort::Setting => "with the settings",
            Sort::Address => "calls",
            Sort::Command => "starts",
        }
    }

    fn count(self, number: usize) -> String {
        let (one, many) = match self {
            Sort::File => ("file", "files"),
            Sort::Function => ("function", "functions"),
            Sort::Setting => ("setting", "settings"),
            Sort::Address => ("address", "addresses"),
            Sort::Command => ("command", "commands"),
        };
        format!("{number} {}", if number == 1 { one } else { many })
    }
}

fn line(plan: &Plan, part: &Part, length: Length) -> String {
    let name = |name: &str| shown(name, length, LONGEST_NAME);
    let short = |name: &str| shown(name, length, LONGEST_OF_ONE);
    let former = part.named().and_then(|(name, _)| plan.former.get(name));
    match part {
        Part::Command { what, command, variables } => {
            let variables = some_of(variables.iter().map(|variable| short(variable)), length);
            let with =
                if variables.is_empty() { String::new() } else { format!("  with {}", variables.join(", ")) };
            format!("{}: {}{with}", name(what), name(&shown_command(command)))
        }
        Part::Address { what, url, key, headers } => {
            let key = key.as_ref().map(|key| format!("  with the key in {}", name(key))).unwrap_or_default();
            let header = |(header, source): (&String, &String)| {
                format!("with the header `{}` from {}", short(header), short(source))
            };
            let headers = some_of(headers.iter().map(header), length).into_iter();
            let headers: String = headers.map(|header| format!("  {header}")).collect();
            format!("{}: {}{key}{headers}", name(what), name(&without_user(url)))
        }
        Part::Function(path) => name(path),
        Part::Setting { name: setting, value } => {
            let shown = |value: &str| if value.is_empty() { "nothing".to_owned() } else { name(value) };
            let before = former.map(|former| format!("  (before: {})", shown(former))).unwrap_or_default();
            format!("{}: {}{before}", name(setting), shown(value))
        }
        Part::File { path, sha256 } => {
            let hash = |hash: &str| match length {
                Length::Cut => hash.chars().take(SHOWN_OF_HASH).collect::<String>(),
                Length::Whole => hash.to_owned(),
            };
            let before = former.map(|former| format!("  (before: {})", hash(former))).unwrap_or_default();
            format!("{}: {}{before}", name(path), hash(sha256))
        }
    }
}

/// The first variables or headers of one thing, and how many more there are.
fn some_of(names: impl Iterator<Item = String>, length: Length) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    if length == Length::Cut && names.len() > MOST_OF_ONE {
        let more = format!("… and {} more", names.len() - MOST_OF_ONE);
        names.truncate(MOST_OF_ONE);
        names.push(more);
    }
    names
}

/// A text from outside on one line, whole: what could disguise it is shown as escapes.
#[must_use]
pub fn one_line(text: &str) -> String {
    escaped(text).concat()
}

/// Each character as it is shown.
fn escaped(text: &str) -> Vec<String> {
    let mut is_after_space = false;
    let escape = |one: char| {
        let shown = match one {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            // A run of spaces could fill a line and begin another one.
            ' ' if is_after_space => "\\u{20}".to_owned(),
            one if is_hidden(one) => format!("\\u{{{:x}}}", u32::from(one)),
            one => one.to_string(),
        };
        is_after_space = one == ' ';
        shown
    };
    text.chars().map(escape).collect()
}

/// Controls, spaces other than the usual one, and characters that are not seen or turn the direction of writing.
fn is_hidden(one: char) -> bool {
    one.is_control()
        || (one.is_whitespace() && one != ' ')
        || matches!(
            one,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A name on one line. A long one keeps its beginning and its end, and says how many characters are left out.
fn shown(name: &str, length: Length, longest: usize) -> String {
    let shown = escaped(name);
    let width = |shown: &String| shown.chars().count();
    if length == Length::Whole || shown.iter().map(width).sum::<usize>() <= longest {
        return shown.concat();
    }
    let fitting = |shown: &mut dyn Iterator<Item = &String>, room: usize| {
        let mut taken = 0;
        shown
            .take_while(|shown| {
                taken += width(shown);
                taken <= room
            })
            .count()
    };
    let of_begin = longest * TENTHS_OF_BEGIN / 10;
    let begin = fitting(&mut shown.iter(), of_begin);
    let end = fitting(&mut shown.iter().rev(), longest - of_begin);
    let (begin, left_out, end) = (&shown[..begin], shown.len() - begin - end, &shown[shown.len() - end..]);
    format!("{}…({left_out} characters left out)…{}", begin.concat(), end.concat())
}

/// A command as one would type it.
fn shown_command(command: &[String]) -> String {
    let is_plain = |word: &str| {
        !word.is_empty() && word.chars().all(|one| one.is_ascii_alphanumeric() || "_-./:=@,+%".contains(one))
    };
    let words = command.iter().map(|word| match is_plain(word) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    });
    words.collect::<Vec<String>>().join(" ")
}

/// An address without the name and password that may stand in it.
fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{path}"),
        None => url.to_owned(),
    }
}
