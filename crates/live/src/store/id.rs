//! The ids of runs: short, in the order of time, and good to type.
//!
//! Input: a moment and randomness; output: words like `20261122-1304-k7f2`. Invariant: an id holds nothing but small letters,
//! digits and hyphens, so that it is a name for a file too.

use std::fmt;

use super::clock::{Date, Moment};

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

/// Digits and letters in the order of their codes, without those that look like others.
const SIGNS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// How many random signs an id has that must be unique without a store to ask.
const LONG: usize = 8;
/// How many ids are tried for one moment.
const TRIES: u64 = 64;

impl RunId {
    /// The id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads an id that a person wrote; `None` if the text cannot be an id.
    #[must_use]
    pub fn of_text(text: &str) -> Option<RunId> {
        Some(RunId(text.to_owned())).filter(RunId::is_sound)
    }

    /// Creates an id for a run that begins now, where no store knows the other ids. Its random part is so long that no other run
    /// has it.
    #[must_use]
    pub fn unique(now: Moment, randomness: &[u8; 16]) -> RunId {
        let (short, long) = randomness.split_at(8);
        let Ok(RunId(id)) = unused(now, short, |_| Ok::<bool, std::convert::Infallible>(false));
        let chance = hash(&[long]);
        let signs = (0..LONG).map(|place| sign(chance >> (5 * place)));
        RunId(format!("{id}-{}", signs.collect::<String>()))
    }

    /// Whether it has the length of ids from [`RunId::unique`].
    #[must_use]
    pub fn is_unique(&self) -> bool {
        self.0.len() == "20261122-1304-k7f2-".len() + LONG
    }

    /// An id from the store, which is not checked.
    pub(crate) fn stored(text: String) -> RunId {
        RunId(text)
    }

    /// Whether it can be the name of a file. A store from another source may contain anything.
    pub(super) fn is_sound(&self) -> bool {
        let is_plain = |one: u8| one.is_ascii_lowercase() || one.is_ascii_digit() || one == b'-';
        !self.0.is_empty() && self.0.len() <= 64 && self.0.bytes().all(is_plain)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

fn sign(number: u64) -> char {
    SIGNS.get(number as usize % SIGNS.len()).copied().map_or('0', char::from)
}

/// Creates an id that no run of the store has yet. Its last part begins with the second, so that ids of one minute are in order
/// too.
pub(super) fn unused<E>(
    now: Moment,
    randomness: &[u8],
    mut is_known: impl FnMut(&RunId) -> Result<bool, E>,
) -> Result<RunId, E> {
    let Date { year, month, day, hour, minute, second } = now.date();
    let mut tries = 0;
    loop {
        let chance = hash(&[randomness, &u64::to_le_bytes(tries)]);
        let signs = [second.unsigned_abs() / 2, chance, chance >> 5, chance >> 10].map(sign);
        let signs: String = signs.iter().collect();
        let id = RunId(format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}-{signs}"));
        tries += 1;
        if tries >= TRIES || !is_known(&id)? {
            return Ok(id);
        }
    }
}

/// A hash that is the same in every version: FNV-1a, whose high bits are mixed into the low ones.
pub(crate) fn hash(parts: &[&[u8]]) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(PRIME);
    let hash = parts.iter().copied().flatten().fold(OFFSET, fold);
    let mixed = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    mixed ^ (mixed >> 33)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Moment, RunId, unused};

    fn made(ms: i64, randomness: &[u8], known: &BTreeSet<RunId>) -> RunId {
        unused::<()>(Moment(ms), randomness, |id| Ok(known.contains(id))).unwrap()
    }

    #[test]
    fn ids_follow_time_and_differ() {
        let noon = 1_795_352_640_000;
        let first = made(noon, b"a", &BTreeSet::new());
        assert!(first.as_str().starts_with("20261122-1304-0"), "{first}");
        assert!(first.is_sound());
        let mut known = BTreeSet::from([first]);
        for second in 0..60 {
            let id = made(noon + second * 1000, b"a", &known);
            assert!(known.iter().all(|earlier| *earlier != id));
            known.insert(id);
        }
        let later = made(noon + 58_000, b"b", &known);
        assert!(made(noon + 2_000, b"z", &known) < later);
        assert!(later < made(noon + 60_000, b"a", &known));
    }

    #[test]
    fn ids_without_a_store_differ_and_are_ids() {
        let noon = Moment(1_795_352_640_000);
        let ids: BTreeSet<RunId> = (0..=255).map(|byte| RunId::unique(noon, &[byte; 16])).collect();
        assert_eq!(ids.len(), 256);
        assert!(ids.iter().all(|id| id.is_sound() && id.is_unique()), "{:?}", ids.first());
    }

    #[test]
    fn what_leads_elsewhere_is_no_id() {
        for text in ["", "../x", "a/b", "A", "a.lock", &"a".repeat(65)] {
            assert!(!RunId::stored(text.to_owned()).is_sound(), "{text}");
        }
    }
}
