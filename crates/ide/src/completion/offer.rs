//! What is offered at a place, before it is written: a label, its kind, and how well it fits the typed letters. In:
//! offers of all sources, and the typed letters. Out: those that fit, each with its rank.

use nodewise_platform::sorting::Sorting;
use rustc_hash::FxHashSet;

use super::docs::Handle;
use super::outline::Outline;
use super::{ITEMS_MAX, ItemKind};

/// The position of an offer in the list: how well the letters fit, its tier, then its number.
pub(super) type Rank = (u8, u8, usize);

#[derive(Debug, Clone)]
pub(super) struct Offer {
    /// The text in the list.
    pub(super) label: String,
    pub(super) kind: ItemKind,
    /// Lower tiers come first.
    pub(super) tier: u8,
    /// A few words next to it.
    pub(super) detail: Option<String>,
    /// The text to write.
    pub(super) body: Body,
    /// How to find its documentation.
    pub(super) documentation: Option<Handle>,
    /// The text to compare with the typed characters. `None` for the label.
    pub(super) filter: Option<String>,
    /// Whether it is deprecated.
    pub(super) is_deprecated: bool,
}

/// What an offer writes.
#[derive(Debug, Clone)]
pub(super) enum Body {
    /// A text, in quotes if the place needs them.
    Text(String),
    /// A scalar that is not a text, as YAML and JSON write it.
    Plain(String),
    /// A value with parts or placeholders.
    Outline(Outline),
    /// A key, and the value that follows.
    Key(String, Outline),
}

/// The offers for some typed letters.
#[derive(Debug, Default)]
pub(super) struct Offers {
    prefix: String,
    /// The labels of the offers.
    labels: FxHashSet<String>,
    /// The offers with their ranks.
    pub(super) found: Vec<(Rank, Offer)>,
    /// Whether some were left out.
    pub(super) incomplete: bool,
}

impl Offer {
    pub(super) fn text(label: impl Into<String>, kind: ItemKind, tier: u8) -> Offer {
        let label = label.into();
        Offer {
            body: Body::Text(label.clone()),
            label,
            kind,
            tier,
            detail: None,
            documentation: None,
            filter: None,
            is_deprecated: false,
        }
    }

    /// A number or boolean.
    pub(super) fn plain(label: impl Into<String>, tier: u8) -> Offer {
        let label = label.into();
        Offer { body: Body::Plain(label.clone()), ..Offer::text(label, ItemKind::Value, tier) }
    }

    /// Several lines, or a value with placeholders.
    pub(super) fn outline(label: impl Into<String>, outline: Outline, tier: u8) -> Offer {
        Offer { body: Body::Outline(outline), ..Offer::text(label, ItemKind::Template, tier) }
    }

    pub(super) fn key(key: impl Into<String>, outline: Outline, tier: u8) -> Offer {
        let key = key.into();
        Offer { body: Body::Key(key.clone(), outline), ..Offer::text(key, ItemKind::Key, tier) }
    }

    /// A key whose value can be anything, or any text.
    pub(super) fn open_key(key: impl Into<String>, is_text: bool, tier: u8) -> Offer {
        Offer::key(key, Outline::Open { is_text }, tier)
    }

    pub(super) fn with_detail(self, detail: impl Into<String>) -> Offer {
        Offer { detail: Some(detail.into()).filter(|detail| !detail.is_empty()), ..self }
    }

    pub(super) fn with_filter(self, filter: String) -> Offer {
        Offer { filter: Some(filter), ..self }
    }

    pub(super) fn with_documentation(self, handle: impl Into<Option<Handle>>) -> Offer {
        Offer { documentation: handle.into(), ..self }
    }
}

impl Offers {
    /// No offers yet, for these letters.
    pub(super) fn new(prefix: &str) -> Offers {
        Offers { prefix: prefix.to_owned(), ..Offers::default() }
    }

    /// The letters.
    pub(super) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Adds an offer if it fits the letters.
    pub(super) fn add(&mut self, offer: Offer) {
        if let Some(fit) = fit(&offer.label, &self.prefix) {
            self.push((fit, offer.tier, self.found.len()), offer);
        }
    }

    /// Adds an offer that already has a rank.
    pub(super) fn push(&mut self, rank: Rank, offer: Offer) {
        self.labels.insert(offer.label.clone());
        self.found.push((rank, offer));
    }

    /// Adds offers for the best of many things, without those that are already offered. The best ones are those that
    /// fit the letters, by rank and name, up to a limit.
    pub(super) fn add_best<T>(
        &mut self,
        things: impl Iterator<Item = T>,
        rank: impl Fn(&T) -> u8,
        name: impl Fn(&T) -> &str,
        offer: impl Fn(T) -> Offer,
    ) {
        let mut best: Vec<(u8, u8, T)> = things
            .filter(|thing| !self.has(name(thing)))
            .filter_map(|thing| Some((fit(name(&thing), &self.prefix)?, rank(&thing), thing)))
            .collect();
        let order = |one: &(u8, u8, T), other: &(u8, u8, T)| {
            let by_rank = (one.0, one.1).cmp(&(other.0, other.1));
            by_rank.then_with(|| name(&one.2).cmp(name(&other.2)))
        };
        if best.len() > ITEMS_MAX {
            best.select_nth_unstable_by(ITEMS_MAX, order);
            best.truncate(ITEMS_MAX);
            self.incomplete = true;
        }
        best.arrange_by(order);
        for (fit, _, thing) in best {
            let offer = offer(thing);
            self.push((fit, offer.tier, self.found.len()), offer);
        }
    }

    /// Keeps the best offer of each label.
    pub(super) fn drop_repeated(&mut self) {
        self.found.arrange_by_key(|(rank, _)| *rank);
        let mut seen = FxHashSet::default();
        self.found.retain(|(_, offer)| seen.insert(offer.label.clone()));
    }

    /// Whether there is an offer with that label.
    pub(super) fn has(&self, label: &str) -> bool {
        self.labels.contains(label)
    }
}

/// The number of results of [`fit`].
pub(super) const FITS: usize = 3;

/// How well typed letters fit a label. 0 is best: the label begins with them. Then: a word in it does, or it contains
/// them in order.
pub(super) fn fit(label: &str, letters: &str) -> Option<u8> {
    if letters.is_empty() {
        return Some(0);
    }
    if !holds(label, letters) {
        return None;
    }
    if starts(label, letters) {
        return Some(0);
    }
    let mut before = None;
    let behind = label.chars().skip(1).map(Some).chain([None]);
    for ((at, letter), behind) in label.char_indices().zip(behind) {
        let begins_word = before.is_some_and(|before: char| {
            let is_hump = before.is_lowercase() || behind.is_some_and(char::is_lowercase);
            letter.is_alphanumeric() && !before.is_alphanumeric() || letter.is_uppercase() && is_hump
        });
        if begins_word && label.get(at..).is_some_and(|rest| starts(rest, letters)) {
            return Some(1);
        }
        before = Some(letter);
    }
    Some(2)
}

/// Whether a label begins with letters, ignoring case.
fn starts(label: &str, letters: &str) -> bool {
    let mut characters = label.chars().flat_map(char::to_lowercase);
    letters.chars().flat_map(char::to_lowercase).all(|letter| characters.next() == Some(letter))
}

/// Whether a label contains letters in order, ignoring case.
fn holds(label: &str, letters: &str) -> bool {
    if label.is_ascii() && letters.is_ascii() {
        let mut bytes = label.bytes();
        return letters.bytes().all(|letter| bytes.any(|found| found.eq_ignore_ascii_case(&letter)));
    }
    let mut characters = label.chars().flat_map(char::to_lowercase);
    letters.chars().flat_map(char::to_lowercase).all(|letter| characters.any(|found| found == letter))
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn letters_and_labels() {
        let check_fit = |label: &str, letters: &str, expected: Option<u8>| {
            assert_eq!(fit(label, letters), expected, "{letters:?} in {label:?}");
        };
        check_fit("planner", "", Some(0));
        check_fit("planner", "pl", Some(0));
        check_fit("Planner", "pl", Some(0));
        check_fit("trip_planner", "pl", Some(1));
        check_fit("LLMNode/planner", "pl", Some(1));
        check_fit("executorConfig", "con", Some(1));
        check_fit("LLMNode", "no", Some(1));
        check_fit("planner", "pnr", Some(2));
        check_fit("planner", "rp", None);
        check_fit("pl", "planner", None);
        check_fit("über", "ÜB", Some(0));
    }
}
