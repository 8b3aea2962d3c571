//! Localized texts of a document: conflicts and lone braces where they stand, and what the texts lack
//! once overlays are applied.

use nodewise_dialect::bind::BundleUse;
use nodewise_dialect::bundle::FALLBACK_LANGUAGE;
use nodewise_dialect::bundle::{self, BundleProblem, BundleProblemKind, TextBundle, TextTree};
use nodewise_dialect::table::Template;
use nodewise_dialect::template::template;
use nodewise_dialect::value::SpannedValue;
use nodewise_model::{Localized, LocalizedText, Origin};
use nodewise_syntax::{NodeValue as Syntax, Tree};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use thin_vec::ThinVec;

/// The faults of one localized text.
#[derive(Debug)]
pub struct TextFacts {
    /// Languages without a fallback, and languages whose structure differs from the fallback's.
    pub problems: Vec<BundleProblem>,
    /// Paths that exist in other languages but not in this one.
    pub missing: Vec<MissingTranslation>,
    /// Texts whose variables differ from those expected.
    pub mismatches: Vec<VariableMismatch>,
}

/// A text that one language lacks and others have.
#[derive(Debug)]
pub struct MissingTranslation {
    pub language: &'static str,
    /// The path of the text within the language.
    pub path: String,
    /// The place of the text in another language.
    pub at: Origin,
}

/// A text with other variables than expected.
#[derive(Debug)]
pub struct VariableMismatch {
    /// The place of the text.
    pub at: Origin,
    /// Variables that the text lacks.
    pub missing: Vec<String>,
    /// Variables that the text should not have.
    pub extra: Vec<String>,
    /// What the variables are compared with.
    pub expected: ExpectedVariables,
}

/// What the variables of a text are compared with.
#[derive(Debug)]
pub enum ExpectedVariables {
    /// The same text in another language: the language, and the place of the text.
    Language(&'static str, Origin),
    /// A fixed list of variables.
    Known(&'static [&'static str]),
}

/// Finds keys that look like another line of the text above: they have several words, and begin with a capital letter or
/// have more than two words.
pub(crate) fn lines_as_keys(value: &SpannedValue<'_>, found: &mut ThinVec<(Origin, String)>) {
    let Some(members) = value.as_map() else { return };
    for member in members {
        lines_as_keys(&member.value, found);
    }
    let is_line = |key: &str| {
        let words = key.split_whitespace().count();
        words > 2 || words == 2 && key.starts_with(char::is_uppercase)
    };
    for pair in members.windows(2) {
        let [above, member] = pair else { continue };
        if above.value.as_text().is_some_and(|text| !text.contains('\n')) && is_line(&member.key) {
            found.push((member.key_at, above.key.to_string()));
        }
    }
}

/// Finds braces without a partner in a localized text.
pub(crate) fn lone_braces(tree: &Tree, bundle: &TextBundle<'_, '_>, braces: &mut ThinVec<Origin>) {
    bundle.each_leaf(|leaf| {
        for (text, at, node) in leaf.texts() {
            for offset in template(text).lone_braces {
                let range = node.and_then(|node| tree.node(node)).and_then(|node| match node.value() {
                    Syntax::Scalar(scalar) => {
                        Some(scalar.cooked_with_map().map.source_range(offset..offset + 1))
                    }
                    _ => None,
                });
                braces.push(range.map_or(at, |range| Origin::new(at.source, range)));
            }
        }
    });
}

/// The first text that is not empty and is not under a language code.
pub(crate) fn first_uncoded(bundle: &TextBundle<'_, '_>) -> Option<Origin> {
    let mut first = None;
    bundle.each_leaf(|leaf| {
        if first.is_none() && !leaf.coded {
            first = leaf.texts().find(|(text, ..)| !text.is_empty()).map(|(_, at, _)| at);
        }
    });
    first
}

/// Finds the faults of a localized text; `None` if there are none.
pub(crate) fn judge(bundle_use: &BundleUse<'_, '_>) -> Option<TextFacts> {
    let BundleUse { bundle, conflicts, .. } = bundle_use;
    if bundle_use.template == Template::Open && conflicts.is_empty() && is_even(bundle) {
        return None;
    }
    // A text that was rejected for another reason may be the one that seems to be missing.
    let is_whole =
        conflicts.iter().all(|problem| matches!(problem.kind, BundleProblemKind::UnknownLanguage(_)));
    let problems = if is_whole { bundle::shortcomings(bundle, bundle_use.value.head()) } else { Vec::new() };
    let localized = bundle.localized();
    let paths = by_path(&localized);
    let missing =
        if problems.is_empty() && conflicts.is_empty() { missing(&localized, &paths) } else { Vec::new() };
    let mismatches: Vec<VariableMismatch> = match bundle_use.template {
        Template::Closed(known) => {
            localized.texts.iter().filter_map(|text| unknown_variables(text, known)).collect()
        }
        Template::Open => paths.iter().flat_map(|(_, texts)| compare_languages(texts)).collect(),
    };
    let found = !(problems.is_empty() && missing.is_empty() && mismatches.is_empty());
    found.then_some(TextFacts { problems, missing, mismatches })
}

/// Whether every language has the same texts as the fallback language, in the same order and with the same variables. A
/// quick test that is enough for most bundles.
fn is_even(bundle: &TextBundle<'_, '_>) -> bool {
    let Some(fallback) = bundle.language(FALLBACK_LANGUAGE) else { return false };
    bundle.languages.iter().all(|(language, tree)| *language == FALLBACK_LANGUAGE || is_like(tree, fallback))
}

fn is_like(tree: &TextTree<'_, '_>, fallback: &TextTree<'_, '_>) -> bool {
    match (tree, fallback) {
        (TextTree::Leaf(own), TextTree::Leaf(other)) => {
            let texts = own.value.as_text().zip(other.value.as_text());
            texts.is_some_and(|(own, other)| has_same_variables(own, other))
        }
        (TextTree::Branch(own), TextTree::Branch(other)) => {
            let mut pairs = own.iter().zip(other.iter());
            own.iter().len() == other.iter().len()
                && pairs.all(|((key, tree), (other_key, other))| key == other_key && is_like(tree, other))
        }
        _ => false,
    }
}

/// Whether two texts have the same variables in the same order. `false` if one has a lone brace, which may be a damaged
/// variable.
fn has_same_variables(one: &str, other: &str) -> bool {
    let (one, other) = (template(one), template(other));
    let names = one.variables.iter().map(|(name, _)| name);
    one.lone_braces.is_empty()
        && other.lone_braces.is_empty()
        && names.eq(other.variables.iter().map(|(name, _)| name))
}

/// A path, and its texts in all languages.
type TextsOfPath<'a> = (&'a [SmolStr], Vec<&'a LocalizedText>);

/// Groups the texts by path, in order of first appearance.
fn by_path(localized: &Localized) -> Vec<TextsOfPath<'_>> {
    let mut positions: FxHashMap<&[SmolStr], usize> = FxHashMap::default();
    let mut paths: Vec<TextsOfPath<'_>> = Vec::new();
    for text in &localized.texts {
        let position = *positions.entry(&text.path).or_insert_with(|| {
            paths.push((&text.path, Vec::new()));
            paths.len() - 1
        });
        paths[position].1.push(text);
    }
    paths
}

fn missing(localized: &Localized, paths: &[TextsOfPath<'_>]) -> Vec<MissingTranslation> {
    let languages = localized.languages();
    let mut missing = Vec::new();
    for (path, texts) in paths {
        let Some(first) = texts.first() else { continue };
        for language in
            languages.iter().copied().filter(|code| !texts.iter().any(|text| text.language == *code))
        {
            missing.push(MissingTranslation { language, path: path.join("."), at: first.at });
        }
    }
    missing
}

fn unknown_variables(text: &LocalizedText, known: &'static [&'static str]) -> Option<VariableMismatch> {
    let extra: Vec<String> = distinct(template(&text.text).variables.iter().map(|(name, _)| *name))
        .into_iter()
        .filter(|name| !known.contains(&name.as_str()))
        .collect();
    let expected = ExpectedVariables::Known(known);
    (!extra.is_empty()).then_some(VariableMismatch { at: text.at, missing: Vec::new(), extra, expected })
}

/// Compares the text of each language at a path with the fallback language's text, or with the first one.
fn compare_languages(texts: &[&LocalizedText]) -> Vec<VariableMismatch> {
    let mut mismatches = Vec::new();
    let mut sets: Vec<VariableSet> = Vec::new();
    for text in texts {
        let found = template(&text.text);
        let names = found.variables.iter().map(|(name, _)| (*name).to_owned());
        match sets.iter_mut().find(|set| set.language == text.language) {
            Some(set) => {
                set.names.extend(names);
                set.broken |= !found.lone_braces.is_empty();
            }
            None => sets.push(VariableSet {
                language: text.language,
                at: text.at,
                names: names.collect(),
                broken: !found.lone_braces.is_empty(),
            }),
        }
    }
    // A text with a lone brace is not compared, because a variable may be damaged. The brace is reported by itself.
    sets.retain(|set| !set.broken);
    let reference = sets.iter().position(|set| set.language == FALLBACK_LANGUAGE).unwrap_or(0);
    let Some(expected) = sets.get(reference) else { return mismatches };
    for (position, set) in sets.iter().enumerate() {
        let missing =
            distinct(expected.names.iter().filter(|name| !set.names.contains(name)).map(String::as_str));
        let extra =
            distinct(set.names.iter().filter(|name| !expected.names.contains(name)).map(String::as_str));
        if position != reference && !(missing.is_empty() && extra.is_empty()) {
            let expected = ExpectedVariables::Language(expected.language, expected.at);
            mismatches.push(VariableMismatch { at: set.at, missing, extra, expected });
        }
    }
    mismatches
}

struct VariableSet {
    language: &'static str,
    at: Origin,
    names: Vec<String>,
    broken: bool,
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut distinct: Vec<String> = Vec::new();
    for name in names {
        if !distinct.iter().any(|known| known == name) {
            distinct.push(name.to_owned());
        }
    }
    distinct
}
