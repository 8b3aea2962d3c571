//! LanguageBundle: localized text in any of its spellings, normalised to one tree of texts a
//! language. Never fails: conflicts are problems, and the first value stays.

use std::borrow::Cow;

use nodewise_model::{Localized, LocalizedText, Origin, SourceId};
use nodewise_syntax::{SyntaxNodeId, TextRange};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use thin_vec::ThinVec;

use crate::tight::tight;
use crate::value::{Data, SpannedEntry, SpannedValue, number_text};

/// The supported language codes.
pub const LANGUAGES: &[&str] = &["en", "ru", "zh", "fr", "de", "es", "it", "pt", "ja", "ko"];

/// The language of texts without a code. Other languages use its texts where they have none.
pub const FALLBACK_LANGUAGE: &str = "en";

/// A localized text in normal form: a tree of texts for each language, in order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct TextBundle<'v, 't> {
    pub languages: Vec<(&'static str, TextTree<'v, 't>)>,
}

/// Texts of one language at some path.
#[derive(Debug, Clone)]
pub enum TextTree<'v, 't> {
    /// A text.
    Leaf(Leaf<'v, 't>),
    /// Texts by key.
    Branch(Branch<'v, 't>),
}

/// Texts by key, in order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct Branch<'v, 't> {
    /// Each child tree, with the mapping entry whose key leads to it.
    entries: Vec<(&'v SpannedEntry<'t>, TextTree<'v, 't>)>,
    /// The position of each key. Only filled if the branch has many keys.
    positions: FxHashMap<&'v str, usize>,
}

/// A branch with more keys than this uses `positions` instead of a linear search.
const LOOK_THROUGH_MAX: usize = 16;

/// A text of the bundle.
#[derive(Debug, Clone)]
pub struct Leaf<'v, 't> {
    /// The value: a text, a list of texts, a number or a boolean.
    pub value: Cow<'v, SpannedValue<'t>>,
    /// Whether the text is under a language code.
    pub coded: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleProblem {
    pub kind: BundleProblemKind,
    pub at: Origin,
    /// The text or mapping that it conflicts with.
    pub other: Option<Origin>,
}

/// The kinds of problems in a localized text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BundleProblemKind {
    /// Two texts for the same language and path: the language and the path.
    DuplicateText(&'static str, String),
    /// A text and a mapping for the same language and path: the language and the path.
    TextAndMapping(&'static str, String),
    /// A key looks like a language code but is not a supported one.
    UnknownLanguage(String),
    /// A value is not a text: a description of the value.
    NonText(&'static str),
    /// There are texts in other languages, but none in the fallback language.
    NoFallback,
    /// A text where the fallback language has a mapping, or the reverse: the language and the path.
    Shape(&'static str, String),
}

impl BundleProblemKind {
    /// The class of the specification.
    #[must_use]
    pub fn class(&self) -> &'static str {
        match self {
            BundleProblemKind::DuplicateText(..) => "bundle-duplicate-text",
            BundleProblemKind::TextAndMapping(..) => "bundle-text-and-mapping",
            BundleProblemKind::UnknownLanguage(_) => "bundle-unknown-language",
            BundleProblemKind::NonText(_) => "bundle-non-text",
            BundleProblemKind::NoFallback => "bundle-no-fallback",
            BundleProblemKind::Shape(..) => "bundle-shape",
        }
    }
}

/// Converts a value to normal form: steps 1 to 6 of the algorithm in the specification. `None` if the value cannot be a
/// bundle.
#[must_use]
pub fn normalise<'v, 't>(value: &'v SpannedValue<'t>) -> Option<(TextBundle<'v, 't>, Vec<BundleProblem>)> {
    let mut walk = Walk { bundle: TextBundle::default(), problems: Vec::new(), path: Vec::new() };
    match &value.data {
        Data::Text(_) | Data::List(_) => walk.value(value, None),
        Data::Map(members) if members.is_empty() => {
            let empty = SpannedValue { data: Data::Text(Cow::Borrowed("")), ..value.clone() };
            walk.store(None, Cow::Owned(empty));
        }
        Data::Map(_) => walk.value(value, None),
        _ => return None,
    }
    Some((walk.bundle, walk.problems))
}

/// The texts of a value in the model. Empty if the value is not a bundle.
#[must_use]
pub fn localized(value: &SpannedValue<'_>) -> Option<Localized> {
    // Most bundles are a single text.
    if let Data::Text(text) = &value.data {
        let text = LocalizedText {
            language: FALLBACK_LANGUAGE,
            path: ThinVec::new(),
            text: text.as_ref().into(),
            at: value.at,
        };
        return Some(Localized { texts: tight(std::iter::once(text)) });
    }
    normalise(value).map(|(bundle, _)| bundle.localized())
}

/// Problems that prevent the fallback language's texts from being copied into other languages (step 7).
#[must_use]
pub fn shortcomings(bundle: &TextBundle<'_, '_>, at: Origin) -> Vec<BundleProblem> {
    let mut problems = Vec::new();
    match bundle.language(FALLBACK_LANGUAGE) {
        None if bundle.languages.is_empty() => {}
        None => problems.push(BundleProblem { kind: BundleProblemKind::NoFallback, at, other: None }),
        Some(fallback) => {
            for (language, tree) in bundle.languages.iter().filter(|(code, _)| *code != FALLBACK_LANGUAGE) {
                compare_shapes(fallback, tree, language, &mut Vec::new(), &mut problems);
            }
        }
    }
    problems
}

/// Copies the fallback language's texts into every other language that lacks them (step 7).
#[must_use]
pub fn fill<'v, 't>(bundle: &TextBundle<'v, 't>) -> TextBundle<'v, 't> {
    let Some(fallback) = bundle.language(FALLBACK_LANGUAGE) else { return bundle.clone() };
    let filled = bundle.languages.iter().map(|(language, tree)| {
        let is_fallback = *language == FALLBACK_LANGUAGE;
        (*language, if is_fallback { tree.clone() } else { fill_tree(fallback, tree) })
    });
    TextBundle { languages: filled.collect() }
}

impl<'v, 't> Branch<'v, 't> {
    /// The child trees, each with its key.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&'v Cow<'t, str>, &TextTree<'v, 't>)> {
        self.entries.iter().map(|(entry, tree)| (&entry.key, tree))
    }

    /// The child tree of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&TextTree<'v, 't>> {
        self.position(key).and_then(|position| self.entries.get(position)).map(|(_, tree)| tree)
    }

    fn get_mut(&mut self, key: &str) -> Option<&mut TextTree<'v, 't>> {
        let position = self.position(key)?;
        self.entries.get_mut(position).map(|(_, tree)| tree)
    }

    fn position(&self, key: &str) -> Option<usize> {
        if self.entries.len() <= LOOK_THROUGH_MAX {
            return self.entries.iter().position(|(entry, _)| entry.key == key);
        }
        self.positions.get(key).copied()
    }

    /// Adds an entry. The key must not exist yet.
    fn push(&mut self, entry: &'v SpannedEntry<'t>, tree: TextTree<'v, 't>) {
        self.entries.push((entry, tree));
        let known = self.positions.len();
        if self.entries.len() > LOOK_THROUGH_MAX {
            let new = self.entries.iter().enumerate().skip(known);
            self.positions.extend(new.map(|(position, (entry, _))| (&*entry.key, position)));
        }
    }
}

impl<'v, 't> TextBundle<'v, 't> {
    /// The texts of one language.
    #[must_use]
    pub fn language(&self, code: &str) -> Option<&TextTree<'v, 't>> {
        self.languages.iter().find(|(language, _)| *language == code).map(|(_, tree)| tree)
    }

    /// All texts with their language and path, as the model stores them.
    #[must_use]
    pub fn localized(&self) -> Localized {
        let mut localized = Localized::default();
        for (language, tree) in &self.languages {
            collect(tree, language, &mut ThinVec::new(), &mut localized.texts);
        }
        // Thousands of files are in memory at once.
        localized.texts.shrink_to_fit();
        localized
    }

    /// Visits every text, in order.
    pub fn each_leaf(&self, mut visit: impl FnMut(&Leaf<'v, 't>)) {
        self.languages.iter().for_each(|(_, tree)| tree.each_leaf(&mut visit));
    }

    /// The bundle as a value: a mapping from languages to their texts. Overlays are merged in this form, so that they
    /// replace single texts.
    #[must_use]
    pub fn to_value(&self, at: Origin) -> SpannedValue<'t> {
        let members = self.languages.iter().map(|(language, tree)| {
            let value = tree.to_value(at);
            SpannedEntry { key: Cow::Borrowed(*language), key_at: value.at, value }
        });
        SpannedValue { data: Data::Map(members.collect()), at, node: None }
    }
}

impl<'v, 't> TextTree<'v, 't> {
    fn each_leaf(&self, visit: &mut dyn FnMut(&Leaf<'v, 't>)) {
        match self {
            TextTree::Leaf(leaf) => visit(leaf),
            TextTree::Branch(branch) => branch.iter().for_each(|(_, tree)| tree.each_leaf(visit)),
        }
    }

    fn to_value(&self, at: Origin) -> SpannedValue<'t> {
        match self {
            TextTree::Leaf(leaf) => leaf.value.clone().into_owned(),
            TextTree::Branch(branch) => {
                let members: Vec<SpannedEntry<'t>> = branch
                    .iter()
                    .map(|(key, tree)| {
                        let value = tree.to_value(at);
                        SpannedEntry { key: Cow::clone(key), key_at: value.at, value }
                    })
                    .collect();
                let at = members.first().map_or(at, |first| first.key_at);
                SpannedValue { data: Data::Map(members), at, node: None }
            }
        }
    }

    /// The place of the first text.
    #[must_use]
    pub fn at(&self) -> Origin {
        match self {
            TextTree::Leaf(leaf) => leaf.value.at,
            TextTree::Branch(branch) => branch
                .iter()
                .next()
                .map_or(Origin::new(SourceId::default(), TextRange::default()), |(_, tree)| tree.at()),
        }
    }
}

impl Leaf<'_, '_> {
    /// The texts of the leaf, each with its place and syntax node: one text, or the items of a list.
    pub fn texts(&self) -> impl Iterator<Item = (&str, Origin, Option<SyntaxNodeId>)> {
        let elements = match &self.value.data {
            Data::List(items) => items.as_slice(),
            _ => std::slice::from_ref(&*self.value),
        };
        elements.iter().filter_map(|value| Some((value.as_text()?, value.at, value.node)))
    }
}

struct Walk<'v, 't> {
    bundle: TextBundle<'v, 't>,
    problems: Vec<BundleProblem>,
    path: Vec<&'v SpannedEntry<'t>>,
}

impl<'v, 't> Walk<'v, 't> {
    fn value(&mut self, value: &'v SpannedValue<'t>, language: Option<&'static str>) {
        match &value.data {
            Data::Map(members) => self.members(members, language),
            Data::Text(_) => self.store(language, Cow::Borrowed(value)),
            Data::List(items) => {
                if let Some(odd) = items.iter().find(|item| item.as_text().is_none()) {
                    self.problem(BundleProblemKind::NonText(odd.describe()), odd.at, None);
                }
                self.store(language, Cow::Borrowed(value));
            }
            Data::Number(_) | Data::Bool(_) => {
                self.problem(BundleProblemKind::NonText(value.describe()), value.at, None);
                self.store(language, Cow::Borrowed(value));
            }
            Data::Null | Data::Tagged(_) => {
                self.problem(BundleProblemKind::NonText(value.describe()), value.at, None);
            }
            Data::Unknown => {}
        }
    }

    fn members(&mut self, members: &'v [SpannedEntry<'t>], language: Option<&'static str>) {
        let has_known_code = members.iter().any(|member| known_language(&member.key).is_some());
        for member in members {
            if let Some(code) = known_language(&member.key) {
                self.value(&member.value, Some(code));
            } else if has_known_code && looks_like_language(&member.key) {
                let kind = BundleProblemKind::UnknownLanguage(member.key.to_string());
                self.problem(kind, member.key_at, None);
            } else {
                self.path.push(member);
                self.value(&member.value, language);
                self.path.pop();
            }
        }
    }

    fn store(&mut self, language: Option<&'static str>, value: Cow<'v, SpannedValue<'t>>) {
        let at = value.at;
        let leaf = TextTree::Leaf(Leaf { value, coded: language.is_some() });
        let language = language.unwrap_or(FALLBACK_LANGUAGE);
        let Some((_, tree)) = self.bundle.languages.iter_mut().find(|(code, _)| *code == language) else {
            self.bundle.languages.push((language, grow(&self.path, leaf)));
            return;
        };
        if let Err(other) = insert(tree, &self.path, leaf) {
            let path = self.path.iter().map(|entry| &*entry.key).collect::<Vec<&str>>().join(".");
            let kind = match other {
                Collision::Text(_) => BundleProblemKind::DuplicateText(language, path),
                Collision::Shape(_) => BundleProblemKind::TextAndMapping(language, path),
            };
            let (Collision::Text(other) | Collision::Shape(other)) = other;
            self.problem(kind, at, Some(other));
        }
    }

    fn problem(&mut self, kind: BundleProblemKind, at: Origin, other: Option<Origin>) {
        self.problems.push(BundleProblem { kind, at, other });
    }
}

/// Why a text cannot be added at a path.
enum Collision {
    /// Another text is already at this path.
    Text(Origin),
    /// A mapping is already at this path, or a text is above it.
    Shape(Origin),
}

fn insert<'v, 't>(
    tree: &mut TextTree<'v, 't>,
    path: &[&'v SpannedEntry<'t>],
    leaf: TextTree<'v, 't>,
) -> Result<(), Collision> {
    match (path, tree) {
        ([], TextTree::Leaf(present)) => Err(Collision::Text(present.value.at)),
        ([], branch @ TextTree::Branch(_)) => Err(Collision::Shape(branch.at())),
        (_, TextTree::Leaf(present)) => Err(Collision::Shape(present.value.at)),
        ([entry, rest @ ..], TextTree::Branch(branch)) => match branch.get_mut(&entry.key) {
            Some(below) => insert(below, rest, leaf),
            None => {
                branch.push(entry, grow(rest, leaf));
                Ok(())
            }
        },
    }
}

/// Builds the branches along `path` that lead to `leaf`.
fn grow<'v, 't>(path: &[&'v SpannedEntry<'t>], leaf: TextTree<'v, 't>) -> TextTree<'v, 't> {
    path.iter().rev().fold(leaf, |tree, entry| {
        let mut branch = Branch::default();
        branch.push(entry, tree);
        TextTree::Branch(branch)
    })
}

/// Reports where a language has a text and the fallback language a mapping, or the reverse.
fn compare_shapes<'a>(
    fallback: &'a TextTree<'_, '_>,
    own: &TextTree<'_, '_>,
    language: &'static str,
    path: &mut Vec<&'a str>,
    problems: &mut Vec<BundleProblem>,
) {
    match (fallback, own) {
        (TextTree::Leaf(_), TextTree::Leaf(_)) => {}
        (TextTree::Branch(theirs), TextTree::Branch(ours)) => {
            for (key, tree) in theirs.iter() {
                if let Some(below) = ours.get(key) {
                    path.push(key);
                    compare_shapes(tree, below, language, path, problems);
                    path.pop();
                }
            }
        }
        (TextTree::Branch(_), TextTree::Leaf(_)) | (TextTree::Leaf(_), TextTree::Branch(_)) => {
            let kind = BundleProblemKind::Shape(language, path.join("."));
            problems.push(BundleProblem { kind, at: own.at(), other: Some(fallback.at()) });
        }
    }
}

/// The language's own tree with the missing texts of the fallback language. Keys are in the fallback's order; keys that
/// only the language has follow.
fn fill_tree<'v, 't>(fallback: &TextTree<'v, 't>, own: &TextTree<'v, 't>) -> TextTree<'v, 't> {
    let (TextTree::Branch(theirs), TextTree::Branch(ours)) = (fallback, own) else { return own.clone() };
    let mut filled = Branch::default();
    for (entry, tree) in &theirs.entries {
        let tree = ours.get(&entry.key).map_or_else(|| tree.clone(), |below| fill_tree(tree, below));
        filled.push(entry, tree);
    }
    for (entry, tree) in ours.entries.iter().filter(|(entry, _)| theirs.get(&entry.key).is_none()) {
        filled.push(entry, tree.clone());
    }
    TextTree::Branch(filled)
}

fn collect(
    tree: &TextTree<'_, '_>,
    language: &'static str,
    path: &mut ThinVec<SmolStr>,
    texts: &mut ThinVec<LocalizedText>,
) {
    match tree {
        TextTree::Leaf(leaf) => {
            let mut store = |text: &str, at| {
                texts.push(LocalizedText {
                    language,
                    path: tight(path.iter().cloned()),
                    text: text.into(),
                    at,
                });
            };
            leaf.texts().for_each(|(text, at, _)| store(text, at));
            match leaf.value.data {
                Data::Number(number) => store(&number_text(number), leaf.value.at),
                Data::Bool(value) => store(if value { "true" } else { "false" }, leaf.value.at),
                _ => {}
            }
        }
        TextTree::Branch(branch) => {
            for (key, tree) in branch.iter() {
                path.push(SmolStr::new(key));
                collect(tree, language, path, texts);
                path.pop();
            }
        }
    }
}

fn known_language(key: &str) -> Option<&'static str> {
    LANGUAGES.iter().copied().find(|code| *code == key)
}

/// Whether a key looks like a language code: two letters, optionally `-` or `_` and two to four more characters (step 3).
fn looks_like_language(key: &str) -> bool {
    let (code, region) = match key.split_once(['-', '_']) {
        Some((code, region)) => (code, Some(region)),
        None => (key, None),
    };
    let letters = |word: &str| word.bytes().all(|letter| letter.is_ascii_alphabetic());
    code.len() == 2
        && letters(code)
        && region.is_none_or(|region| {
            (2..=4).contains(&region.len()) && region.bytes().all(|b| b.is_ascii_alphanumeric())
        })
}
