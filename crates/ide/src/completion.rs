//! Completion: what can be written at a cursor, best first, each with its edit. In: a snapshot and a position, in
//! complete or incomplete text. Out: items with edits of the file. The dialect's table says what is possible at a
//! place, and the files give the names. Invariant: accepting an item never breaks the text around it.

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
mod wanted;
mod writing;

#[cfg(test)]
mod tests;

use nodewise_analysis::facts::Ownership;
use nodewise_analysis::settings::Pin;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::place::Expectation;
use nodewise_dialect::table::Type;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::locate::Place;
use nodewise_syntax::{TextRange, TextSize};
use rustc_hash::FxHashSet;

use crate::cursor_context::CursorContext;
use crate::position::FilePosition;
pub use docs::{Handle, resolve};
use offer::{Offer, Offers};
use writing::{KeyWriter, ValueWriter};

/// The maximum number of items in an answer. More typed characters find the others.
const ITEMS_MAX: usize = 100;

/// What the editor supports, and what triggered the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CompletionSettings {
    /// Whether a text can have placeholders in the notation `${1:value}`.
    pub snippets: bool,
    /// The character that was just typed, if it triggered the request.
    pub trigger: Option<char>,
    /// The id of the system of the other open projects, for a document without a project.
    pub usual: Option<&'static str>,
}

/// The items at a cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// The items, best first.
    pub items: Vec<CompletionItem>,
    /// Whether there are more items, which more typed characters find.
    pub incomplete: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompletionItem {
    /// The text in the list.
    pub label: String,
    pub kind: ItemKind,
    /// A few words next to it.
    pub detail: Option<String>,
    /// The text to compare with the typed characters. `None` for the label.
    pub filter: Option<String>,
    pub edit: ItemEdit,
    /// Additional edits elsewhere.
    pub additional: Vec<TextEdit>,
    /// How to find its documentation.
    pub documentation: Option<Handle>,
    /// Whether it is deprecated.
    pub is_deprecated: bool,
    /// Whether it is preselected.
    pub is_preselected: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemEdit {
    /// The range to replace if the editor keeps the text after the cursor.
    pub insert: TextRange,
    /// The range to replace if it does not.
    pub replace: TextRange,
    /// The text, with the indentation that its lines have in the file.
    pub text: String,
    /// Whether the text has placeholders.
    pub is_snippet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// A key of a mapping.
    Key,
    /// One of a few possible words.
    Word,
    /// A kind of declaration.
    Kind,
    /// A number, boolean or other value.
    Value,
    /// Something that a document declares for all files.
    Declaration,
    /// A node of a graph.
    Node,
    Edge,
    /// A key of the run's state.
    State,
    /// A name that programs provide.
    Provided,
    /// A language code.
    Language,
    /// A variable of a text or a condition.
    Variable,
    Function,
    /// An operator of an expression, or a word of its grammar.
    Operator,
    Rule,
    /// A file of the project.
    File,
    /// A template of several lines.
    Template,
}

/// The maximum number of places of a file at which completion is tried in advance.
const REHEARSED_PLACES: usize = 16;

/// Does work in advance that the first completion would wait for. It sorts tens of thousands of names, and completes at
/// some places of a file to load the data into memory.
pub fn rehearse(snapshot: &Snapshot) {
    snapshot.prepare();
    let Some(file) = snapshot.files().iter().find(|file| !file.documents.is_empty()) else {
        return;
    };
    let step = (file.text.len() / REHEARSED_PLACES).max(1);
    for offset in (0..file.text.len()).step_by(step) {
        let offset = TextSize::try_from(offset).unwrap_or_default();
        let _rehearsed =
            complete(snapshot, FilePosition::new(file.source, offset), CompletionSettings::default());
    }
}

/// The items at a position.
#[must_use]
pub fn complete(snapshot: &Snapshot, position: FilePosition, options: CompletionSettings) -> Completions {
    let Some(spot) = CursorContext::at(snapshot, position) else { return Completions::default() };
    if spot.file.settings.dialect == Pin::None || is_noise(&spot, options.trigger) {
        return Completions::default();
    }
    let mut answer = Answer { options, found: Vec::new(), incomplete: false };
    match &spot.location.place {
        Place::Comment { range } => comments::complete(&spot, *range, &mut answer),
        Place::Nothing if spot.file.is_module() => return in_empty_text(&spot, options).unwrap_or_default(),
        Place::Nothing => {}
        Place::Value(_) if spot.file.is_module() => in_module(&spot, &mut answer),
        Place::Key(_) | Place::Value(_) | Place::Either { .. } => {
            at_place(&spot, &mut answer);
            in_unknown_document(&spot, &mut answer);
        }
    }
    answer.finish()
}

/// The items found so far, each with its rank.
struct Answer {
    options: CompletionSettings,
    /// Each item with its fit, its tier and its number.
    found: Vec<((u8, u8, usize), CompletionItem)>,
    incomplete: bool,
}

impl Answer {
    /// Adds the offers at the place of a key.
    fn keys(&mut self, writer: &KeyWriter<'_>, offers: Offers) {
        let options = self.options;
        self.add(offers, |offer| writer.write(offer, options));
    }

    /// Adds the offers at the place of a value.
    fn values(&mut self, writer: &ValueWriter<'_>, offers: Offers) {
        let options = self.options;
        self.add(offers, |offer| writer.write(offer, options));
    }

    /// Adds the items that `write` makes of offers. Equal ones come after the existing ones.
    fn add(&mut self, offers: Offers, write: impl Fn(Offer) -> Option<CompletionItem>) {
        self.incomplete |= offers.incomplete;
        let before = self.found.len();
        for ((fit, tier, number), offer) in offers.found {
            if let Some(item) = write(offer) {
                self.found.push(((fit, tier, before + number), item));
            }
        }
    }

    fn finish(mut self) -> Completions {
        self.found.arrange_by_key(|(rank, _)| *rank);
        // A place that accepts several forms of a value offers the same name for each.
        let mut seen = FxHashSet::default();
        let is_first: Vec<bool> =
            self.found.iter().map(|(_, item)| seen.insert((item.label.as_str(), item.kind))).collect();
        let mut is_first = is_first.into_iter();
        self.found.retain(|_| is_first.next() == Some(true));
        let incomplete = self.incomplete || self.found.len() > ITEMS_MAX;
        let mut items: Vec<CompletionItem> = self.found.into_iter().map(|(_, item)| item).collect();
        items.truncate(ITEMS_MAX);
        Completions { items, incomplete }
    }
}

/// Whether the typed character alone does not justify an answer: a space in an indentation or in a text, a dash in a
/// name.
fn is_noise(spot: &CursorContext<'_>, trigger: Option<char>) -> bool {
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

/// Completes in an empty text of a program, as if it had one letter: builders drop an empty condition.
fn in_empty_text(spot: &CursorContext<'_>, options: CompletionSettings) -> Option<Completions> {
    let offset = usize::from(spot.position.offset);
    let (before, behind) = spot.file.text.split_at_checked(offset)?;
    let quote = before.chars().next_back().filter(|letter| matches!(letter, '"' | '\'' | '`'))?;
    if !behind.starts_with(quote) || spot.file.documents.is_empty() {
        return None;
    }
    let filled = spot.snapshot.with_text(spot.file.source, format!("{before}x{behind}").into());
    let spot = CursorContext::at(&filled, spot.position)?;
    let mut answer = Answer { options, found: Vec::new(), incomplete: false };
    if matches!(spot.location.place, Place::Value(_)) {
        in_module(&spot, &mut answer);
    }
    let mut found = answer.finish();
    let here = TextRange::empty(spot.position.offset);
    for item in &mut found.items {
        (item.edit.insert, item.edit.replace) = (here, here);
    }
    Some(found)
}

/// Names and expressions in a text of a program. The program's own language offers everything else.
fn in_module(spot: &CursorContext<'_>, answer: &mut Answer) {
    values::complete(spot, answer);
    let is_expression = spot.expression.is_some();
    answer.found.retain(|(_, item)| is_expression || is_name(item.kind));
}

/// Whether an item is a name that the project knows.
fn is_name(kind: ItemKind) -> bool {
    match kind {
        ItemKind::Declaration
        | ItemKind::Node
        | ItemKind::Edge
        | ItemKind::State
        | ItemKind::Provided
        | ItemKind::File => true,
        ItemKind::Key
        | ItemKind::Word
        | ItemKind::Kind
        | ItemKind::Value
        | ItemKind::Language
        | ItemKind::Variable
        | ItemKind::Function
        | ItemKind::Operator
        | ItemKind::Rule
        | ItemKind::Template => false,
    }
}

/// Keys and values, if the document belongs to a dialect or may become one.
fn at_place(spot: &CursorContext<'_>, answer: &mut Answer) {
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

/// Keys and values in a document that nothing identifies yet, for each kind that it can become.
fn in_unknown_document(spot: &CursorContext<'_>, answer: &mut Answer) {
    let guesses = spot.possible_kinds();
    let is_certain = guesses.windows(2).all(|pair| pair[0].0.id == pair[1].0.id);
    for (dialect, kind) in guesses {
        let before = answer.found.len();
        let guess = spot.as_kind(dialect, kind);
        at_place(&guess, answer);
        for (_, item) in answer.found.iter_mut().skip(before).filter(|_| !is_certain) {
            let detail = item.detail.take().map(|detail| format!(": {detail}")).unwrap_or_default();
            item.detail = Some(format!("{}{detail}", dialect.title));
        }
    }
}

/// Whether a document can begin at the cursor: it is empty, or contains only one word.
fn may_begin_document(spot: &CursorContext<'_>) -> bool {
    let is_bare = spot.location.path.is_empty()
        && spot.location.key().is_some_and(|key| key.mapping.is_none() && key.siblings.is_empty());
    let is_alone = matches!(spot.file.ownership, Ownership::Ours(_) | Ownership::Empty)
        || spot.file.tree().documents().count() <= 1;
    is_bare && is_alone
}
