//! JavaScript's regular expressions.
//!
//! Input: a pattern and its flags; output: matches. Invariant: JavaScript also refuses every pattern that is refused
//! here, except patterns that are nested deeper than anyone writes.

use std::ops::Range;

use regress::{Flags, Match};

use crate::ast::Pattern;

/// A regular expression that can be matched.
#[derive(Debug, Clone)]
pub(crate) struct Regex {
    compiled: regress::Regex,
    /// Whether it matches characters. Without the flags `u` and `v` it matches UTF-16 units, so half of a surrogate
    /// pair counts.
    sees_characters: bool,
}

impl Regex {
    /// Compiles a pattern. The error says why it is not a regular expression.
    pub(crate) fn new(pattern: &Pattern) -> Result<Regex, String> {
        check_flags(&pattern.flags)?;
        if repeats_boundary(&pattern.source) {
            return Err("Nothing to repeat".to_owned());
        }
        let sees_characters = pattern.flags.contains(['u', 'v']);
        let flags = Flags::from(pattern.flags.as_str());
        let compiled = if sees_characters {
            regress::Regex::from_unicode(pattern.source.chars().map(u32::from), flags)
        } else {
            regress::Regex::from_unicode(pattern.source.encode_utf16().map(u32::from), flags)
        };
        compiled.map(|compiled| Regex { compiled, sees_characters }).map_err(|error| error.text)
    }

    /// Whether it matches anywhere.
    pub(crate) fn matches(&self, text: &str) -> bool {
        if self.sees_characters {
            return self.compiled.find(text).is_some();
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        self.compiled.find_from_ucs2(&units, 0).next().is_some()
    }

    /// The ranges of the first match: the whole match first, then each group.
    pub(crate) fn groups(&self, text: &str) -> Option<Vec<Option<Range<usize>>>> {
        let of_match = |found: Match| found.groups().collect::<Vec<_>>();
        if self.sees_characters {
            return self.compiled.find(text).map(of_match);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let groups = self.compiled.find_from_ucs2(&units, 0).next().map(of_match)?;
        let offsets = offsets(text);
        Some(groups.into_iter().map(|group| group.map(|range| in_bytes(&range, &offsets))).collect())
    }

    /// The ranges of all matches.
    pub(crate) fn ranges(&self, text: &str) -> Vec<Range<usize>> {
        if self.sees_characters {
            return self.compiled.find_iter(text).map(|found| found.range()).collect();
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let offsets = offsets(text);
        let found = self.compiled.find_from_ucs2(&units, 0);
        found.map(|found| in_bytes(&found.range(), &offsets)).collect()
    }
}

/// Whether a pattern repeats a group that ends in a repetition, `(a+)+`. Such a pattern may take forever on a short text.
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

/// For each UTF-16 unit and for the end: the offset where its character begins.
fn offsets(text: &str) -> Vec<usize> {
    let mut offsets = Vec::with_capacity(text.len() + 1);
    for (at, character) in text.char_indices() {
        offsets.extend(std::iter::repeat_n(at, character.len_utf16()));
    }
    offsets.push(text.len());
    offsets
}

fn in_bytes(units: &Range<usize>, offsets: &[usize]) -> Range<usize> {
    let at = |unit: usize| offsets.get(unit).or(offsets.last()).copied().unwrap_or_default();
    at(units.start)..at(units.end)
}

/// Whether a pattern repeats `\b` or `\B`, which JavaScript refuses but the library accepts.
fn repeats_boundary(pattern: &str) -> bool {
    let mut is_class = false;
    let mut characters = pattern.char_indices();
    while let Some((_, character)) = characters.next() {
        match character {
            '[' => is_class = true,
            ']' => is_class = false,
            '\\' => {
                if let Some((at, 'b' | 'B')) = characters.next()
                    && !is_class
                    && pattern.get(at + 1..).is_some_and(begins_with_quantifier)
                {
                    return true;
                }
            }
            _ => {}
        }
    }
    false
}

fn begins_with_quantifier(rest: &str) -> bool {
    let Some(bounds) = rest.strip_prefix('{') else { return rest.starts_with(['*', '+', '?']) };
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let lower = digits(bounds);
    let behind = bounds.get(lower..).unwrap_or_default();
    let upper =
        behind.strip_prefix(',').map_or(behind, |upper| upper.get(digits(upper)..).unwrap_or_default());
    lower > 0 && upper.starts_with('}')
}
