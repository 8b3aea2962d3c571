//! What a finding is called across edits: a name that stays as long as the finding does. In: the text of a file and what
//! was found in it; out: a fingerprint each. Invariant: lines that come, go or change elsewhere in the file change no
//! fingerprint, and no two findings of a file share one.

use std::collections::BTreeMap;
use std::fmt;

use crate::diagnostic::Diagnostic;
use crate::rules;

/// The number of hex digits of a written fingerprint.
const DIGITS: usize = 16;

/// Identifies a finding within its file, independent of edits elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u64);

/// The fingerprints of findings that stand in one file, in their order, which is that of output.
///
/// A finding is known by its rule, its message and the text that it points at. The path is not part of it: a file can be
/// moved, and what keeps fingerprints names the file beside them.
pub fn fingerprints<'d>(text: &str, found: impl IntoIterator<Item = &'d Diagnostic>) -> Vec<Fingerprint> {
    named_by(text, found, |diagnostic| diagnostic.rule)
}

/// For each finding, the fingerprints that it would have under the former ids of its rule. Files with saved fingerprints
/// may still contain those.
pub fn former_fingerprints(text: &str, found: &[&Diagnostic]) -> Vec<Vec<Fingerprint>> {
    let former = |one: &&Diagnostic| rules::rule(one.rule).map_or(&[][..], |rule| rule.former);
    let most = found.iter().map(|one| former(one).len()).max().unwrap_or_default();
    let mut names = vec![Vec::new(); found.len()];
    for number in 0..most {
        let id = |one: &Diagnostic| former(&one).get(number).copied().unwrap_or(one.rule);
        let renamed = named_by(text, found.iter().copied(), id);
        for ((names, name), one) in names.iter_mut().zip(renamed).zip(found) {
            if number < former(one).len() {
                names.push(name);
            }
        }
    }
    names
}

/// The fingerprints that the findings have if `id` gives the id of each rule.
fn named_by<'d>(
    text: &str,
    found: impl IntoIterator<Item = &'d Diagnostic>,
    id: impl Fn(&Diagnostic) -> &'static str,
) -> Vec<Fingerprint> {
    let mut seen: BTreeMap<u64, u64> = BTreeMap::new();
    let of_one = |diagnostic: &Diagnostic| {
        let range = diagnostic.finding.at.range;
        let pointed = text.get(usize::from(range.start())..usize::from(range.end())).unwrap_or_default();
        let basis = hash([id(diagnostic), &diagnostic.finding.message, &bare(pointed)]);
        // Findings with the same rule, message and text are numbered by their order.
        let number = seen.entry(basis).or_default();
        *number += 1;
        Fingerprint(hash([basis.to_string().as_str(), &number.to_string()]))
    };
    found.into_iter().map(of_one).collect()
}

impl Fingerprint {
    /// The fingerprint of some texts. Equal texts have the same fingerprint on every machine and in every release.
    pub fn of_texts<'t>(texts: impl IntoIterator<Item = &'t str>) -> Fingerprint {
        Fingerprint(hash(texts))
    }

    /// The fingerprint of the finding among those of all files.
    #[must_use]
    pub fn at(self, path: &str) -> Fingerprint {
        Fingerprint(hash([path, &self.to_string()]))
    }

    /// Parses a written fingerprint; `None` if the text is not one.
    #[must_use]
    pub fn read(text: &str) -> Option<Fingerprint> {
        let is_written =
            text.len() == DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_written.then(|| u64::from_str_radix(text, 16).ok().map(Fingerprint)).flatten()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:0DIGITS$x}", self.0)
    }
}

/// The first line of a text without spaces and quotes, which a formatter may change.
fn bare(text: &str) -> String {
    let is_layout = |letter: &char| letter.is_whitespace() || matches!(letter, '"' | '\'');
    text.lines().next().unwrap_or_default().chars().filter(|letter| !is_layout(letter)).collect()
}

/// FNV-1a: the same in every release and on every machine, which the standard hasher does not promise.
fn hash<'t>(parts: impl IntoIterator<Item = &'t str>) -> u64 {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = parts.into_iter().flat_map(|part| part.bytes().chain([0]));
    bytes.fold(BASIS, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

#[cfg(test)]
mod tests {
    use nodewise_model::{Origin, SourceId};
    use nodewise_syntax::{TextRange, TextSize};

    use super::{Fingerprint, fingerprints};
    use crate::diagnostic::{Diagnostic, Finding, Severity};
    use crate::rule::Basis;

    /// Findings of one message at every `word` of a text, and their fingerprints.
    fn named(text: &str, word: &str) -> Vec<Fingerprint> {
        let found: Vec<Diagnostic> = text
            .match_indices(word)
            .map(|(start, word)| {
                let range = TextRange::at(TextSize::try_from(start).unwrap(), TextSize::of(word));
                let finding = Finding::new(Origin { source: SourceId(0), range }, "the fact");
                Diagnostic {
                    rule: "rule",
                    spec: None,
                    severity: Severity::Error,
                    basis: Basis::default(),
                    finding,
                }
            })
            .collect();
        fingerprints(text, &found)
    }

    #[test]
    fn a_finding_keeps_its_name_where_it_moves() {
        let before = named("a: serach\n", "serach");
        assert_eq!(named("# new\nb: 1\n\n\n  - {a: serach, c: 2}\n", "serach"), before);
        assert_eq!(named("a: 'serach'\n", "'serach'"), before);
        assert_ne!(named("a: saerch\n", "saerch"), before);
    }

    #[test]
    fn equal_findings_have_names_of_their_own() {
        let names = named("x x x", "x");
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), 3);
        assert_eq!(named("x y x", "x"), names[..2]);
    }

    #[test]
    fn written_names_are_read_again() {
        for name in named("x x", "x").iter().flat_map(|name| [*name, name.at("a.yaml")]) {
            assert_eq!(Fingerprint::read(&name.to_string()), Some(name));
        }
        for text in ["", "0", "00000000000000000", "000000000000000G", "000000000000000A", "+00000000000000a"]
        {
            assert_eq!(Fingerprint::read(text), None, "{text}");
        }
    }

    #[test]
    fn places_outside_of_the_text_are_no_trouble() {
        let range = TextRange::new(5.into(), 9.into());
        let finding = Finding::new(Origin { source: SourceId(0), range }, "the fact");
        let found = Diagnostic {
            rule: "rule",
            spec: None,
            severity: Severity::Error,
            basis: Basis::default(),
            finding,
        };
        assert_eq!(fingerprints("é", [&found]).len(), 1);
    }
}
