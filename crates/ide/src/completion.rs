//! Completion: what may be written at a cursor, best first, each with the edit that writes it. In: a snapshot and a
//! position, in whole or half-typed text; out: items with edits of the file. What may stand at a place comes from the
//! dialect's table, the names from the files. Invariant: accepting an item never breaks the text around it.

mod comments;
mod docs;
mod errors;
mod expressions;
mod files;
mod fragment;
mod functions;
mod graph;
mod keys;
mod languages;
mod names;
mod offer;
mod outline;
mod provided;
mod schema;
mod staged;
mod state;
mod symbols;
mod templates;
mod values;
mod variables;
mod writing;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::place::Expectation;
use nodewise_dialect::table::Type;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::Place;
use nodewise_syntax::{TextRange, TextSize};

use crate::position::FilePosition;
use crate::spot::Spot;
pub use docs::{Handle, resolve};
use offer::{Offer, Offers};
use writing::{KeyWriter, ValueWriter};

/// How many items an answer holds at most; further typing finds the others.
const ITEMS_MAX: usize = 100;

/// What the asking editor can do, and what made it ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether texts may hold places to fill in, in the notation `${1:value}`.
    pub snippets: bool,
    /// The character that was just typed, where that alone is the reason to ask.
    pub trigger: Option<char>,
}

/// What may be written at a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<Item>,
    /// Whether there are more, which further typing finds.
    pub incomplete: bool,
}

/// One thing that may be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What the list shows.
    pub label: String,
    /// What it is.
    pub kind: ItemKind,
    /// A few words beside it.
    pub detail: Option<String>,
    /// What the typed text is compared with; the label where that is nothing.
    pub filter: Option<String>,
    /// What is written.
    pub edit: ItemEdit,
    /// Edits elsewhere that go with it.
    pub additional: Vec<TextEdit>,
    /// Where its documentation is found.
    pub documentation: Option<Handle>,
    /// Whether it is better not written any more.
    pub is_deprecated: bool,
    /// Whether it is chosen at once.
    pub is_preselected: bool,
}

/// What an item writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemEdit {
    /// What is replaced by an editor that keeps what stands behind the cursor.
    pub insert: TextRange,
    /// What is replaced by one that does not.
    pub replace: TextRange,
    /// The text; its lines are indented as they shall stand in the file.
    pub text: String,
    /// Whether the text holds places to fill in.
    pub is_snippet: bool,
}

/// What an item is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemKind {
    /// A key of a mapping.
    Key,
    /// One of a few words that a value may be.
    Word,
    /// A kind of declaration.
    Kind,
    /// A number, boolean or other value.
    Value,
    /// Something that a document declares for all files.
    Declaration,
    /// A node of a graph.
    Node,
    /// An edge.
    Edge,
    /// A key of the run's state.
    State,
    /// A name that programs provide.
    Provided,
    /// A language code.
    Language,
    /// A variable of a text or a condition.
    Variable,
    /// A function.
    Function,
    /// An operator of an expression, or a word of its grammar.
    Operator,
    /// A rule.
    Rule,
    /// A file of the project.
    File,
    /// Several lines at once.
    Template,
}

/// How many places of a file are completed in a rehearsal.
const REHEARSED_PLACES: usize = 16;

/// Does beforehand what the first completion would wait for: it sorts tens of thousands of names, and asks at some
/// places of a file, so that what completion reads is in memory when somebody types.
pub fn rehearse(snapshot: &Snapshot) {
    snapshot.prepare();
    let Some(file) = snapshot.files().iter().find(|file| !file.documents.is_empty()) else {
        return;
    };
    let step = (file.text.len() / REHEARSED_PLACES).max(1);
    for offset in (0..file.text.len()).step_by(step) {
        let offset = TextSize::try_from(offset).unwrap_or_default();
        let _rehearsed = complete(snapshot, FilePosition::new(file.source, offset), Options::default());
    }
}

/// What may be written at a position.
#[must_use]
pub fn complete(snapshot: &Snapshot, position: FilePosition, options: Options) -> Completions {
    let Some(spot) = Spot::at(snapshot, position) else { return Completions::default() };
    if spot.file.settings.dialect == Pin::None || is_noise(&spot, options.trigger) {
        return Completions::default();
    }
    let mut answer = Answer { options, found: Vec::new(), incomplete: false };
    match &spot.location.place {
        Place::Comment { range } => comments::complete(&spot, *range, &mut answer),
        Place::Nothing => {}
        Place::Key(_) | Place::Value(_) | Place::Either { .. } => at_place(&spot, &mut answer),
    }
    answer.finish()
}

/// Items on the way, each with its rank.
struct Answer {
    options: Options,
    /// Each item with how well it fits, its tier, and its number.
    found: Vec<((u8, u8, usize), Item)>,
    incomplete: bool,
}

impl Answer {
    /// Writes what is offered at the place of a key.
    fn keys(&mut self, writer: &KeyWriter<'_>, offers: Offers) {
        let options = self.options;
        self.add(offers, |offer| writer.write(offer, options));
    }

    /// Writes what is offered at the place of a value.
    fn values(&mut self, writer: &ValueWriter<'_>, offers: Offers) {
        let options = self.options;
        self.add(offers, |offer| writer.write(offer, options));
    }

    /// Adds the items that a writer makes of offers, behind what is there where both are as good.
    fn add(&mut self, offers: Offers, write: impl Fn(Offer) -> Option<Item>) {
        self.incomplete |= offers.incomplete;
        let before = self.found.len();
        for ((fit, tier, number), offer) in offers.found {
            if let Some(item) = write(offer) {
                self.found.push(((fit, tier, before + number), item));
            }
        }
    }

    fn finish(mut self) -> Completions {
        self.found.sort_by_key(|(rank, _)| *rank);
        // A place that may hold several forms of a value offers the same name for each.
        let mut seen = BTreeSet::new();
        self.found.retain(|(_, item)| seen.insert((item.label.clone(), item.kind)));
        let incomplete = self.incomplete || self.found.len() > ITEMS_MAX;
        let mut items: Vec<Item> = self.found.into_iter().map(|(_, item)| item).collect();
        items.truncate(ITEMS_MAX);
        Completions { items, incomplete }
    }
}

/// Whether the typed character alone is no reason to offer anything: a blank of an indentation or inside a text, a dash
/// inside a name.
fn is_noise(spot: &Spot<'_>, trigger: Option<char>) -> bool {
    let line = spot.line_before();
    let is_expression = spot.expression.is_some();
    let is_comment = matches!(spot.location.place, Place::Comment { .. });
    match trigger {
        Some(' ') => !is_expression && !is_comment && !line.trim_end().ends_with([':', '-', ',', '[', '{']),
        Some('-') => !line.trim().chars().all(|letter| letter == '-'),
        Some('.') => {
            let is_path = |expected: &Expectation| matches!(expected.ty, Type::FunctionPath(_));
            !is_expression && !spot.expected.iter().any(is_path)
        }
        Some('$') => !is_expression,
        _ => false,
    }
}

/// Keys and values, where the document is one of ours or becomes one.
fn at_place(spot: &Spot<'_>, answer: &mut Answer) {
    if let Some(key) = spot.location.key() {
        let writer = KeyWriter::new(spot, key);
        let mut offers = Offers::new(writer.prefix());
        match spot.kind {
            Some(_) => keys::offer(spot, key, answer.options, &mut offers),
            None => templates::offer_first_key(spot, &mut offers),
        }
        answer.keys(&writer, offers);
    }
    if spot.location.value().is_some() {
        values::complete(spot, answer);
    }
    if may_begin_document(spot) {
        templates::complete(spot, answer);
    }
}

/// Whether a document may begin at the cursor: nothing stands in it yet, or one bare word.
fn may_begin_document(spot: &Spot<'_>) -> bool {
    let is_bare = spot.location.path.is_empty()
        && spot.location.key().is_some_and(|key| key.mapping.is_none() && key.siblings.is_empty());
    let is_alone = matches!(spot.file.ownership, Ownership::Ours(_) | Ownership::Empty)
        || spot.file.tree().documents().count() <= 1;
    is_bare && is_alone
}
