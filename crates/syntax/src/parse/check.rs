//! Checks over finished events: forbidden characters, aliases, duplicate keys.
//!
//! Input: the arena and the text. Output: problems, and which node each alias means. Invariant: linear in the
//! arena, but for the sorting of a mapping's keys.

use std::borrow::Cow;
use std::collections::BTreeMap;

use nodewise_platform::sorting::Sorting;

use super::Parser;
use super::cursor::range;
use crate::cook;
use crate::event::{Event, SyntaxKind};
use crate::problem::{Problem, ProblemKind};
use crate::resolve;

/// A scalar key of a mapping.
pub(super) struct Key<'t> {
    text: Cow<'t, str>,
    is_plain: bool,
    start: u32,
    end: u32,
}

impl<'t> Parser<'t> {
    /// Reports the characters that YAML does not allow.
    pub(super) fn check_characters(&mut self) {
        // One pass over the bytes without branches: almost every text contains none of these.
        let suspicious = self.bytes.iter().fold(0_u8, |found, &byte| {
            let is_control = (byte < b' ') & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
            found | u8::from(is_control | (byte == 0x7f) | (byte == 0xc2) | (byte == 0xef))
        });
        if suspicious == 0 {
            return;
        }
        let mut found = Vec::new();
        for (start, character) in self.text.char_indices() {
            if !is_printable(character) {
                found.push((start, character));
            }
        }
        if found.is_empty() {
            return;
        }
        let tokens: Vec<_> = self.events.iter().filter(|event| !event.kind.is_construct()).copied().collect();
        for (start, character) in found {
            let index = tokens.partition_point(|token| token.end as usize <= start);
            let kind = tokens.get(index).map(|token| token.kind);
            // Inside quotes, all JSON characters are allowed (YAML 1.2.2 production 2).
            let is_allowed = match kind {
                Some(SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted) => character >= ' ',
                Some(SyntaxKind::ByteOrderMark) => character == '\u{feff}',
                _ => false,
            };
            if !is_allowed {
                self.named_problem(ProblemKind::ControlCharacter, start, start + character.len_utf8());
            }
        }
    }

    /// Finds the node that each alias refers to.
    pub(super) fn check_aliases(&mut self) -> Vec<(u32, u32)> {
        if self.has_aliases { self.resolve_aliases() } else { Vec::new() }
    }

    fn resolve_aliases(&mut self) -> Vec<(u32, u32)> {
        let mut targets = Vec::new();
        let mut anchors: BTreeMap<&'t str, u32> = BTreeMap::new();
        let mut owner = 0;
        for (index, event) in (0_u32..).zip(&self.events) {
            let name = || self.text.get(event.start as usize + 1..event.end as usize).unwrap_or_default();
            match event.kind {
                SyntaxKind::Document => anchors.clear(),
                // An anchor follows the wrapper of its node, so the last wrapper is its own.
                SyntaxKind::Properties => owner = index,
                SyntaxKind::Anchor => {
                    anchors.insert(name(), owner);
                }
                SyntaxKind::Alias => match anchors.get(name()) {
                    Some(&target) => targets.push((index, target)),
                    None if name().is_empty() => {}
                    None => {
                        let at = range(event.start as usize, event.end as usize);
                        self.problems.push(Problem::new(ProblemKind::UndefinedAlias, at).named(name()));
                    }
                },
                _ => {}
            }
        }
        targets
    }

    /// Reports the duplicate keys of a mapping that was just closed.
    pub(super) fn check_keys(&mut self, map: usize) {
        let mut keys = std::mem::take(&mut self.keys);
        self.collect_keys(map, &mut keys);
        find_duplicates(&mut keys, &mut self.problems);
        keys.clear();
        self.keys = keys;
    }

    fn collect_keys(&self, map: usize, keys: &mut Vec<Key<'t>>) {
        let is_flow = self.events.get(map).is_some_and(|map| map.kind == SyntaxKind::FlowMap);
        let mut index = map + 1;
        while let Some(event) = self.events.get(index) {
            if event.kind == SyntaxKind::Entry {
                keys.extend(self.entry_key(index, is_flow));
            }
            index = if event.kind.is_construct() { (event.end as usize).max(index + 1) } else { index + 1 };
        }
    }

    fn entry_key(&self, entry: usize, may_span_lines: bool) -> Option<Key<'t>> {
        let inside = self.events.get(entry + 1..)?;
        let is_before_key = |event: &&Event| {
            matches!(event.kind, SyntaxKind::Properties | SyntaxKind::Anchor | SyntaxKind::Tag)
                || event.kind.is_trivia()
        };
        let key = match inside.first() {
            Some(first) if first.kind == SyntaxKind::Plain => first,
            _ => inside.iter().find(|event| !is_before_key(event))?,
        };
        let text: &'t str = self.text;
        let raw = text.get(key.start as usize..key.end as usize)?;
        let text = match key.kind {
            SyntaxKind::Plain if !may_span_lines => Cow::Borrowed(raw),
            SyntaxKind::Plain | SyntaxKind::SingleQuoted | SyntaxKind::DoubleQuoted => {
                cook::cook(key.kind, raw, 0)
            }
            _ => return None,
        };
        Some(Key { text, is_plain: key.kind == SyntaxKind::Plain, start: key.start, end: key.end })
    }
}

fn find_duplicates(keys: &mut [Key<'_>], found: &mut Vec<Problem>) {
    const FEW: usize = 12;
    if keys.len() > FEW {
        keys.arrange_by(|first, second| first.text.cmp(&second.text).then(first.start.cmp(&second.start)));
        for pair in keys.windows(2) {
            if let [first, second] = pair
                && is_same(first, second)
            {
                found.push(duplicate(first, second));
            }
        }
        return;
    }
    // Few keys have the same length and first letter, so most are distinguished without comparing them.
    let outline = |key: &Key<'_>| (key.text.len(), key.text.as_bytes().first().copied());
    for (index, key) in keys.iter().enumerate() {
        let own = outline(key);
        let mut earlier = keys.iter().take(index).rev();
        if let Some(first) = earlier.find(|earlier| outline(earlier) == own && is_same(earlier, key)) {
            found.push(duplicate(first, key));
        }
    }
}

/// Keys with the same text are equal unless one is quoted and the other is not a text for the schema (`1` and `"1"`).
fn is_same(first: &Key<'_>, second: &Key<'_>) -> bool {
    first.text == second.text && (first.is_plain == second.is_plain || resolve::is_text(&first.text))
}

fn duplicate(first: &Key<'_>, second: &Key<'_>) -> Problem {
    let at = |key: &Key<'_>| range(key.start as usize, key.end as usize);
    Problem::new(ProblemKind::DuplicateKey, at(second)).named(&second.text).related_to(at(first))
}

/// YAML 1.2.2, productions 1 and 27: a byte order mark is not content.
fn is_printable(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' => true,
        '\0'..='\u{9f}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' => false,
        _ => true,
    }
}
