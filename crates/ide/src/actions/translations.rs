//! Missing translations, and plain texts to localize. In: the localized texts of the document at the cursor. Out:
//! actions that copy the fallback text, with its variables, to the place of the missing one.

use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::DocumentFacts;
use nodewise_dialect::bind::{self, BundleUse};
use nodewise_dialect::bundle::{FALLBACK_LANGUAGE, LANGUAGES};
use nodewise_dialect::value::{Data, SpannedValue};
use nodewise_model::{Body, Declaration};
use nodewise_syntax::SyntaxNodeId;
use nodewise_syntax::edit::TextEdit;
use nodewise_syntax::write::{MemberPosition, NewValue};

use super::chain;
use super::{Action, ActionContext, ActionKind};
use crate::cursor_context::CursorContext;

/// The maximum depth of texts in a localized text.
const DEPTH_MAX: usize = 32;

/// A text in a localized text: its keys as written, and its value.
struct Leaf<'v, 't> {
    keys: Vec<&'v str>,
    value: &'v SpannedValue<'t>,
}

/// A text to add.
struct Missing<'v> {
    language: &'static str,
    keys: Vec<&'v str>,
    value: NewValue,
}

/// Offers translations for the text at the cursor and for the document.
pub(super) fn offer(context: &ActionContext<'_>, spot: &CursorContext<'_>, found: &mut Vec<Action>) {
    let (Some(kind), Some(root)) = (spot.kind, &spot.root) else { return };
    let bound = match spot.patched {
        Some(patched) => bind::bind_overlay(kind, Some(patched), root),
        None => bind::bind(kind, root),
    };
    let bundles: Vec<&BundleUse<'_, '_>> =
        bound.bundles.iter().filter(|bundle| bundle.conflicts.is_empty()).collect();
    let links = chain::links(spot);
    let is_here = |bundle: &&&BundleUse<'_, '_>| links.iter().any(|link| link.value.at == bundle.value.at);
    let here = bundles.iter().find(is_here);
    if let Some(bundle) = here {
        of_bundle(context, spot, bundle, found);
    }
    let all: Vec<Missing<'_>> = bundles.iter().flat_map(|bundle| lacking(bundle)).collect();
    let own = here.map_or(0, |bundle| lacking(bundle).len());
    if all.len() > own {
        let edits =
            bundles.iter().flat_map(|bundle| insertions(context, bundle.value, lacking(bundle))).collect();
        let title = "Add all missing translations in the document";
        found.extend(context.sound(title, ActionKind::Rewrite, edits));
    }
}

/// The languages that lack the text at the cursor, or parts of it.
fn of_bundle(
    context: &ActionContext<'_>,
    spot: &CursorContext<'_>,
    bundle: &BundleUse<'_, '_>,
    found: &mut Vec<Action>,
) {
    if let Some(text) = bundle.value.as_text() {
        let localized = NewValue::mapping([(FALLBACK_LANGUAGE, NewValue::text(text))]);
        let edits = replaced(context, spot, bundle.value, &localized);
        found.extend(context.sound(
            "Convert to a localized text",
            ActionKind::Rewrite,
            edits.unwrap_or_default(),
        ));
        return;
    }
    for language in LANGUAGES.iter().copied() {
        let missing: Vec<Missing<'_>> =
            lacking(bundle).into_iter().filter(|missing| missing.language == language).collect();
        let is_known = bundle.bundle.language(language).is_some();
        let (title, missing, kind) = if !missing.is_empty() {
            (format!("Add the missing `{language}` texts"), missing, ActionKind::QuickFix)
        } else if !is_known && is_spoken(context, language) {
            (format!("Translate into `{language}`"), in_language(bundle, language), ActionKind::Rewrite)
        } else {
            continue;
        };
        let edits = insertions(context, bundle.value, missing);
        let action = context.sound(title, kind, edits);
        found.extend(action.map(|action| match spot.document {
            Some(document) if kind == ActionKind::QuickFix => {
                let fixed = reported(context, document, bundle, language);
                fixed.into_iter().fold(action, Action::fixing)
            }
            _ => action,
        }));
    }
}

/// The findings about missing translations.
fn reported<'s>(
    context: &ActionContext<'s>,
    document: &DocumentFacts,
    bundle: &BundleUse<'_, '_>,
    language: &str,
) -> Vec<&'s Diagnostic> {
    let Some(effective) = context.snapshot.index().effective(document) else { return Vec::new() };
    let missing = effective.faults.texts.iter().flat_map(|text| &text.missing);
    let places: Vec<_> = missing.filter(|one| one.language == language).map(|one| one.at).collect();
    let whole = bundle.value.at.range;
    let word = format!("`{language}`");
    let about = |finding: &&Diagnostic| {
        let at = finding.finding.at;
        whole.contains_range(at.range) && places.contains(&at) && finding.finding.message.starts_with(&word)
    };
    context.diagnostics.iter().filter(about).collect()
}

/// The texts of a localized text that some languages have and others lack.
fn lacking<'v>(bundle: &'v BundleUse<'_, '_>) -> Vec<Missing<'v>> {
    let languages = bundle.bundle.languages.iter().map(|(language, _)| *language);
    languages.flat_map(|language| in_language(bundle, language)).collect()
}

/// The texts that a language lacks.
fn in_language<'v>(bundle: &'v BundleUse<'_, '_>, language: &'static str) -> Vec<Missing<'v>> {
    let mut leaves = Vec::new();
    collect(bundle.value, &mut Vec::new(), &mut leaves);
    let mut missing: Vec<Missing<'v>> = Vec::new();
    let has = |path: &[&str]| leaves.iter().any(|leaf| leaf.language() == language && leaf.path() == path);
    for leaf in &leaves {
        let path = leaf.path();
        let model = leaves.iter().find(|other| other.language() == FALLBACK_LANGUAGE && other.path() == path);
        let Some(value) = model.unwrap_or(leaf).copy().filter(|_| !has(&path)) else { continue };
        let keys = model.unwrap_or(leaf).keys_in(language);
        if !missing.iter().any(|known| known.keys == keys) {
            missing.push(Missing { language, keys, value });
        }
    }
    missing
}

fn collect<'v, 't>(value: &'v SpannedValue<'t>, keys: &mut Vec<&'v str>, leaves: &mut Vec<Leaf<'v, 't>>) {
    match value.as_map() {
        Some(members) if keys.len() < DEPTH_MAX => {
            for member in members {
                keys.push(&member.key);
                collect(&member.value, keys, leaves);
                keys.pop();
            }
        }
        Some(_) => {}
        None => leaves.push(Leaf { keys: keys.clone(), value }),
    }
}

impl<'v> Leaf<'v, '_> {
    fn code(&self) -> Option<usize> {
        self.keys.iter().rposition(|key| LANGUAGES.contains(key))
    }

    fn language(&self) -> &'v str {
        self.code().and_then(|code| self.keys.get(code)).copied().unwrap_or(FALLBACK_LANGUAGE)
    }

    /// The keys without language codes.
    fn path(&self) -> Vec<&'v str> {
        self.keys.iter().copied().filter(|key| !LANGUAGES.contains(key)).collect()
    }

    /// The place for the same text in another language.
    fn keys_in(&self, language: &'static str) -> Vec<&'v str> {
        match self.code() {
            Some(code) => {
                let keys = self.keys.iter().enumerate();
                keys.map(|(position, key)| if position == code { language } else { key }).collect()
            }
            None => std::iter::once(language).chain(self.keys.iter().copied()).collect(),
        }
    }

    /// The text, to write again.
    fn copy(&self) -> Option<NewValue> {
        match &self.value.data {
            Data::Text(text) => Some(NewValue::text(&**text)),
            Data::List(items) => {
                let texts = items.iter().map(|item| item.as_text().map(NewValue::text));
                Some(NewValue::Sequence(texts.collect::<Option<Vec<_>>>()?))
            }
            _ => None,
        }
    }
}

/// The edits that add texts. Texts under a mapping that does not exist yet are added together with it.
fn insertions(
    context: &ActionContext<'_>,
    value: &SpannedValue<'_>,
    missing: Vec<Missing<'_>>,
) -> Vec<TextEdit> {
    let mut places: Vec<(SyntaxNodeId, Vec<(String, NewValue)>)> = Vec::new();
    for Missing { keys, value: text, .. } in missing {
        let (mut parent, mut rest) = (value, keys.as_slice());
        while let [key, below @ ..] = rest
            && let Some(member) = parent.get(key)
            && member.value.as_map().is_some()
        {
            (parent, rest) = (&member.value, below);
        }
        let (Some(node), [key, below @ ..]) = (parent.node, rest) else { return Vec::new() };
        if parent.as_map().is_none() || parent.get(key).is_some() {
            return Vec::new();
        }
        if !places.iter().any(|(known, _)| *known == node) {
            places.push((node, Vec::new()));
        }
        for (_, entries) in places.iter_mut().filter(|(known, _)| *known == node) {
            graft(entries, key, below, text.clone());
        }
    }
    let mut edits = Vec::new();
    for (node, entries) in places {
        let Some(mapping) = context.tree().node(node).and_then(|node| node.as_mapping()) else {
            return Vec::new();
        };
        for (key, value) in entries {
            edits.extend(context.writer().insert_entry(mapping, MemberPosition::Last, &key, &value));
        }
    }
    edits
}

/// Adds a text under keys, next to existing ones.
fn graft(entries: &mut Vec<(String, NewValue)>, key: &str, below: &[&str], text: NewValue) {
    let Some((next, rest)) = below.split_first() else {
        entries.push((key.to_owned(), text));
        return;
    };
    if !entries.iter().any(|(known, _)| known == key) {
        entries.push((key.to_owned(), NewValue::Mapping(Vec::new())));
    }
    for (_, value) in entries.iter_mut().filter(|(known, _)| known == key) {
        if let NewValue::Mapping(inner) = value {
            graft(inner, next, rest, text.clone());
        }
    }
}

/// The edits that replace a value.
fn replaced(
    context: &ActionContext<'_>,
    spot: &CursorContext<'_>,
    value: &SpannedValue<'_>,
    by: &NewValue,
) -> Option<Vec<TextEdit>> {
    let links = chain::links(spot);
    let depth = links.iter().position(|link| link.value.at == value.at)?;
    let (link, parent) = (links.get(depth)?, links.get(depth.checked_sub(1)?)?);
    match link.step? {
        nodewise_dialect::place::PathStep::Key(key) => {
            let mapping = parent.mapping(context.tree())?;
            Some(context.writer().set_value(mapping, mapping.get(key)?, by))
        }
        nodewise_dialect::place::PathStep::Item(position) => {
            let sequence = parent.sequence(context.tree())?;
            Some(context.writer().set_item(sequence, sequence.items().nth(position)?, by))
        }
    }
}

/// Whether the project has texts in a language.
fn is_spoken(context: &ActionContext<'_>, language: &str) -> bool {
    let declarations = context.snapshot.files().iter().flat_map(|file| &file.documents);
    let mut declarations =
        declarations.filter_map(|document| document.effective.as_ref()?.declaration.as_ref());
    declarations.any(|declaration: &Declaration| match &declaration.body {
        Body::Node(node) => {
            let mut texts = node.prompts.texts.iter().chain(&node.details.description.texts);
            texts.any(|text| text.language == language)
        }
        _ => false,
    })
}
