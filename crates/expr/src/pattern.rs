//! JavaScript's regular expressions.
//!
//! Input: a pattern and its flags; output: what matches. Invariant: a pattern that is refused is refused by
//! JavaScript too, or is nested deeper than anybody writes it.

use crate::ast::Pattern;

/// A regular expression that can be matched.
#[derive(Debug, Clone)]
pub(crate) struct Regex {
    compiled: regress::Regex,
}

impl Regex {
    /// The regular expression of a pattern, or why there is none.
    pub(crate) fn new(pattern: &Pattern) -> Result<Regex, String> {
        check_flags(&pattern.flags)?;
        let compiled = regress::Regex::with_flags(&pattern.source, pattern.flags.as_str());
        compiled.map(|compiled| Regex { compiled }).map_err(|error| error.text)
    }

    /// The first match: each group's text, the whole match first.
    pub(crate) fn groups<'t>(&self, text: &'t str) -> Option<Vec<Option<&'t str>>> {
        let found = self.compiled.find(text)?;
        Some(found.groups().map(|range| range.and_then(|range| text.get(range))).collect())
    }

    /// Every match.
    pub(crate) fn ranges(&self, text: &str) -> Vec<std::ops::Range<usize>> {
        self.compiled.find_iter(text).map(|found| found.range()).collect()
    }

    /// Whether it matches anywhere.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.compiled.find(text).is_some()
    }
}

/// Whether a pattern repeats a group that ends in a repetition, `(a+)+`: it may take forever on a short text.
pub(crate) fn repeats_repetition(source: &str) -> bool {
    let characters: Vec<char> = source.chars().collect();
    let blank = |at: usize| characters.get(at).is_some_and(|found| crate::javascript::is_blank(*found));
    (0..characters.len()).filter(|at| characters.get(*at) == Some(&')')).any(|closing| {
        let mut before = closing;
        while before > 0 && blank(before - 1) {
            before -= 1;
        }
        let repeats = before > 0 && matches!(characters.get(before - 1), Some('+' | '*' | '}'));
        let mut after = closing + 1;
        while blank(after) {
            after += 1;
        }
        repeats && begins_repetition(characters.get(after..).unwrap_or_default())
    })
}

fn begins_repetition(characters: &[char]) -> bool {
    match characters.split_first() {
        Some(('+' | '*', _)) => true,
        Some(('{', rest)) => {
            let digits = |rest: &[char]| rest.iter().take_while(|found| found.is_ascii_digit()).count();
            let first = digits(rest);
            let comma = usize::from(rest.get(first) == Some(&','));
            let second = digits(rest.get(first + comma..).unwrap_or_default());
            rest.get(first + comma + second) == Some(&'}')
        }
        _ => false,
    }
}

fn check_flags(flags: &str) -> Result<(), String> {
    let known = |flag: char| "dgimsuvy".contains(flag);
    let is_double =
        flags.char_indices().any(|(at, flag)| flags.get(..at).is_some_and(|seen| seen.contains(flag)));
    if flags.chars().all(known) && !is_double && !(flags.contains('u') && flags.contains('v')) {
        Ok(())
    } else {
        Err(format!("Invalid flags supplied to RegExp constructor '{flags}'"))
    }
}
