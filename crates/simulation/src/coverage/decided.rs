//! Which parts of a condition were shown to decide it by themselves (MC/DC).
//!
//! Input: for each time that the condition was evaluated, what its parts came to and what was decided: that an edge is
//! followed, or where a router leads.
//! Output: the parts that decide. Invariant: two evaluations show a part when it is true in one and false in the other,
//! the result is another one, and every other part that both evaluated is the same in both.

use std::collections::BTreeMap;
use std::sync::Arc;

use smol_str::SmolStr;

/// The maximum number of different evaluations of a condition that are kept.
const ROWS_MAX: usize = 1024;

/// A condition, and how it was evaluated.
#[derive(Debug, Clone)]
pub struct Conditions {
    pub text: Arc<str>,
    parts: Arc<[SmolStr]>,
    rows: BTreeMap<Row, u64>,
}

/// One evaluation of a condition: the values of its parts (`None` if a part was not evaluated), and what was decided.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Row {
    pub(crate) values: Vec<Option<bool>>,
    pub(crate) result: SmolStr,
}

/// A part of a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartCoverage {
    pub text: SmolStr,
    /// How often it was true.
    pub held: u64,
    /// How often it was false.
    pub failed: u64,
    /// Whether it was shown to decide the condition by itself.
    pub decides: bool,
}

impl Conditions {
    pub(super) fn new(text: Arc<str>, parts: Arc<[SmolStr]>) -> Conditions {
        Conditions { text, parts, rows: BTreeMap::new() }
    }

    /// Counts an evaluation.
    pub(super) fn count(&mut self, values: Vec<Option<bool>>, result: SmolStr) {
        self.count_row(Row { values, result }, 1);
    }

    pub(super) fn add(&mut self, other: &Conditions) {
        for (row, count) in &other.rows {
            self.count_row(row.clone(), *count);
        }
    }

    pub(crate) fn part_texts(&self) -> &[SmolStr] {
        &self.parts
    }

    /// The parts, in the order of the text.
    #[must_use]
    pub fn parts(&self) -> Vec<PartCoverage> {
        let part = |(position, text): (usize, &SmolStr)| {
            let times = |wanted: bool| -> u64 {
                let with = self.rows.iter().filter(|(row, _)| row.value(position) == Some(wanted));
                with.map(|(_, count)| count).sum()
            };
            PartCoverage {
                text: text.clone(),
                held: times(true),
                failed: times(false),
                decides: self.decides(position),
            }
        };
        self.parts.iter().enumerate().map(part).collect()
    }

    fn count_row(&mut self, row: Row, count: u64) {
        if let Some(known) = self.rows.get_mut(&row) {
            *known += count;
        } else if self.rows.len() < ROWS_MAX {
            self.rows.insert(row, count);
        }
    }

    fn decides(&self, position: usize) -> bool {
        let with = |wanted: bool| self.rows.keys().filter(move |row| row.value(position) == Some(wanted));
        with(true).any(|held| with(false).any(|failed| held.shows(failed, position)))
    }
}

impl Row {
    fn value(&self, position: usize) -> Option<bool> {
        self.values.get(position).copied().flatten()
    }

    /// Whether two evaluations show that a part decides the result by itself.
    pub(crate) fn shows(&self, other: &Row, position: usize) -> bool {
        let both = (self.value(position), other.value(position));
        matches!(both, (Some(one), Some(another)) if one != another) && self.differs_by(other, position)
    }

    /// Whether the results differ, and of the parts that both evaluations evaluated, only this one differs.
    fn differs_by(&self, other: &Row, position: usize) -> bool {
        let is_same = |(place, (own, other)): (usize, (&Option<bool>, &Option<bool>))| {
            place == position || own.is_none() || other.is_none() || own == other
        };
        self.result != other.result && self.values.iter().zip(&other.values).enumerate().all(is_same)
    }
}

impl PartCoverage {
    /// What is missing, in words. `None` if the part decides.
    #[must_use]
    pub fn missing(&self) -> Option<&'static str> {
        match (self.decides, self.held, self.failed) {
            (true, ..) => None,
            (_, 0, 0) => Some("was never evaluated"),
            (_, 0, _) => Some("was never true"),
            (_, _, 0) => Some("was never false"),
            _ => Some("never decided the result alone"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Evaluations as `values result`, a letter a part: `T`, `F`, `-` for skipped; the parts that decide.
    fn check_decided(rows: &[&str], expected: &str) {
        let letter = |letter: char| match letter {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        let count = rows.first().map_or(0, |row| row.find(' ').unwrap());
        let names: Vec<SmolStr> = ('a'..).take(count).map(|name| name.to_string().into()).collect();
        let mut conditions = Conditions::new("".into(), names.into());
        for row in rows {
            let (values, result) = row.split_once(' ').unwrap();
            conditions.count(values.chars().map(letter).collect(), result.into());
        }
        let decided: String =
            conditions.parts().iter().filter(|part| part.decides).map(|part| part.text.as_str()).collect();
        assert_eq!(decided, expected);
    }

    #[test]
    fn a_part_decides_when_nothing_else_changes() {
        check_decided(&["T T"], "");
        check_decided(&["T T", "F F"], "a");
        check_decided(&["TT T", "F- F"], "a");
        check_decided(&["TT T", "F- F", "TF F"], "ab");
        check_decided(&["FT T", "FF F", "T- T"], "ab");
        check_decided(&["FT T", "TF T"], "");
        // (a and b) or c: in the second case a and c change, so that neither is shown.
        check_decided(&["TT- T", "F-F F", "TFF F"], "ab");
        check_decided(&["TFT T", "F-F F"], "");
        check_decided(&["TFT T", "TFF F"], "c");
    }

    #[test]
    fn what_is_missing() {
        let part = |held, failed| PartCoverage { text: "a".into(), held, failed, decides: false };
        assert_eq!(part(0, 0).missing(), Some("was never evaluated"));
        assert_eq!(part(0, 1).missing(), Some("was never true"));
        assert_eq!(part(2, 0).missing(), Some("was never false"));
        assert_eq!(part(2, 1).missing(), Some("never decided the result alone"));
        assert_eq!(PartCoverage { decides: true, ..part(1, 1) }.missing(), None);
    }
}
