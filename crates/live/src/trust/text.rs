//! A plan as people read it before they allow it.
//!
//! Input: a plan, whose names come from files that anyone may have written; output: lines. Invariant: a name is on one line, and
//! shows each character that could disguise it: nothing in a name can look like another line of the question.

use std::fmt::Write;

use super::{Part, Plan};

/// Whether long names and lists are cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Cut to what fits a question.
    Cut,
    /// Nothing is cut.
    Whole,
}

/// The most characters of a name in a question.
const LONGEST_NAME: usize = 200;
/// The most characters of a variable or header in a question. One part can have several of them.
const LONGEST_OF_ONE: usize = 60;
/// How much of a name that is cut is its beginning, in tenths of what is shown. The rest is its end.
const TENTHS_OF_BEGIN: usize = 7;
/// How many digits of a SHA-256 a question shows.
const SHOWN_OF_HASH: usize = 12;
/// The most lines of one sort in a question. Commands are always shown.
const MOST: usize = 30;
/// The most variables or headers of one part in a question. With more of them, the part itself would leave the screen.
const MOST_OF_ONE: usize = 4;

/// The text of a plan. Commands come last, because the end of a long question stays on the screen.
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
    // A single part needs no count.
    if total > 1 {
        let _ = writeln!(text, "in all: {}", counts.join(", "));
    }
    text
}

/// The sorts of parts, in the order in which a question shows them.
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

    /// The line above the parts of this sort.
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

/// The first variables or headers of one part, and how many more there are.
fn some_of(names: impl Iterator<Item = String>, length: Length) -> Vec<String> {
    let mut names: Vec<String> = names.collect();
    if length == Length::Cut && names.len() > MOST_OF_ONE {
        let more = format!("… and {} more", names.len() - MOST_OF_ONE);
        names.truncate(MOST_OF_ONE);
        names.push(more);
    }
    names
}

/// A text from outside, on one line and not cut. Characters that could disguise it are shown as escapes.
#[must_use]
pub fn one_line(text: &str) -> String {
    escaped(text).concat()
}

/// The characters of a text, each as it is shown.
fn escaped(text: &str) -> Vec<String> {
    let mut is_after_space = false;
    let escape = |one: char| {
        let shown = match one {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            // Many spaces could fill a line, so that the rest looks like another line.
            ' ' if is_after_space => "\\u{20}".to_owned(),
            one if is_hidden(one) => format!("\\u{{{:x}}}", u32::from(one)),
            one => one.to_string(),
        };
        is_after_space = one == ' ';
        shown
    };
    text.chars().map(escape).collect()
}

/// Whether a character is a control, an unusual space, invisible, or changes the direction of writing.
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

/// A name on one line. A long name keeps its beginning and its end, with the number of characters that are left out.
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

/// A command as you would type it in a shell.
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

/// An address in which `***` replaces the user name and password.
fn without_user(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(end);
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://***@{host}{path}"),
        None => url.to_owned(),
    }
}
