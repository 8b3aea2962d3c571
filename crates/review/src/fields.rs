//! What is said about a part in one version and not in the other.
//!
//! Input: the facts of both versions, and the renames. Output: the changed fields, in the order of their paths. Invariant: a
//! mapping that came or went is one change, and so is a condition that replaces the word "always".

use std::collections::{BTreeMap, BTreeSet};

use nodewise_dialect::meaning::{FactForm, MeaningFact};
use nodewise_dialect::table::ReviewTopic;
use nodewise_model::Origin;
use smol_str::SmolStr;

use crate::change::{ChangedPlace, FieldChange};
use crate::renames::Renames;

/// The keys that lead to a field.
type FieldPath = Vec<SmolStr>;

/// What one version says at a path.
#[derive(Debug, Default, Clone)]
struct Said {
    is_present: bool,
    value: Option<String>,
    is_choice: bool,
    items: Vec<String>,
    topic: Option<ReviewTopic>,
    at: Option<Origin>,
}

/// All that one version says about a part.
type Facts = BTreeMap<FieldPath, Said>;

/// A changed field, before changes that belong together are merged.
struct RawChange {
    path: FieldPath,
    change: FieldChange,
    is_choice: bool,
    /// Whether a whole mapping was added or removed.
    is_whole: bool,
}

/// Finds where a fact of one version was written.
pub(crate) type PlaceOf<'p> = &'p dyn Fn(Origin) -> Option<ChangedPlace>;

/// Compares the fields of a part. `renames` are applied to the old version first, so that a rename alone is no change.
pub(crate) fn changed_fields(
    base: &[MeaningFact],
    head: &[MeaningFact],
    renames: &Renames,
    places: (PlaceOf<'_>, PlaceOf<'_>),
) -> Vec<FieldChange> {
    let (base, head) = (facts(base, renames), facts(head, &Renames::default()));
    let paths: BTreeSet<&FieldPath> = base.keys().chain(head.keys()).collect();
    let mut changes = Vec::new();
    let mut within: Option<&FieldPath> = None;
    for path in paths {
        if within.is_some_and(|whole| path.starts_with(whole)) {
            continue;
        }
        let nothing = Said::default();
        let (before, after) = (base.get(path).unwrap_or(&nothing), head.get(path).unwrap_or(&nothing));
        if before.is_present != after.is_present {
            within = Some(path);
        }
        let said = if after.topic.is_some() { after } else { before };
        let at = match after.at {
            Some(at) => (places.1)(at),
            None => before.at.and_then(places.0),
        };
        let change = |before: Vec<String>, after: Vec<String>, is_items: bool| {
            let topic = said.topic.unwrap_or(ReviewTopic::Setting);
            FieldChange { topic, path: path.join("."), before, after, is_items, at: at.clone() }
        };
        let is_whole = within == Some(path);
        let (old, new) = (before.whole(&base, path, is_whole), after.whole(&head, path, is_whole));
        if old != new {
            let is_choice = before.is_choice && after.is_choice;
            let change = change(old.into_iter().collect(), new.into_iter().collect(), false);
            changes.push(RawChange { path: path.clone(), change, is_choice, is_whole });
        } else if before.items != after.items {
            let (gone, come) = (without(&before.items, &after.items), without(&after.items, &before.items));
            let change = change(gone, come, true);
            changes.push(RawChange { path: path.clone(), change, is_choice: false, is_whole });
        }
    }
    merge_renamed(&mut changes, &base, &head);
    merge_choices(changes)
}

fn facts(facts: &[MeaningFact], renames: &Renames) -> Facts {
    let mut found = Facts::new();
    for fact in facts {
        let said = found.entry(renames.path(fact)).or_default();
        said.topic = Some(fact.topic);
        said.at.get_or_insert(fact.at);
        let value = renames.joined(&fact.value);
        match fact.form {
            FactForm::Presence => said.is_present = true,
            FactForm::Value => said.value = Some(value),
            FactForm::Choice => (said.value, said.is_choice) = (Some(value), true),
            FactForm::Item => said.items.push(value),
        }
    }
    for said in found.values_mut() {
        said.items.sort_unstable();
        said.items.dedup();
    }
    found
}

fn without(items: &[String], others: &[String]) -> Vec<String> {
    items.iter().filter(|item| !others.contains(item)).cloned().collect()
}

impl Said {
    /// The value. For a mapping that only one version has, its content.
    fn whole(&self, facts: &Facts, path: &FieldPath, is_whole: bool) -> Option<String> {
        match (&self.value, self.is_present && is_whole) {
            (Some(value), _) => Some(value.clone()),
            (None, true) => Some(content(facts, path)),
            (None, false) => None,
        }
    }

    /// The value or the items as one text; `None` for a mapping.
    fn shown(&self) -> Option<String> {
        let items = || (!self.items.is_empty()).then(|| format!("[{}]", self.items.join(", ")));
        self.value.clone().or_else(items)
    }
}

/// The content of a mapping in one line. A mapping with one member is shown as the value of that member.
fn content(facts: &Facts, path: &FieldPath) -> String {
    let inside = facts.iter().filter(|(inner, said)| {
        inner.len() > path.len() && inner.starts_with(path) && !(said.is_choice && said.value.is_some())
    });
    let members: Vec<(String, String)> = inside
        .filter_map(|(inner, said)| Some((inner.get(path.len()..)?.join("."), said.shown()?)))
        .collect();
    match members.as_slice() {
        [(_, only)] => only.clone(),
        members => {
            let members = members.iter().map(|(key, value)| format!("{key}: {value}"));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Merges a removed mapping and an added one with the same parent and the same content into one change of its name.
fn merge_renamed(changes: &mut Vec<RawChange>, base: &Facts, head: &Facts) {
    let inside = |facts: &Facts, path: &FieldPath| -> Vec<(FieldPath, Option<String>)> {
        let inner = facts.iter().filter(|(inner, _)| inner.starts_with(path));
        inner.filter_map(|(inner, said)| Some((inner.get(path.len()..)?.to_vec(), said.shown()))).collect()
    };
    let mut position = 0;
    while let Some(gone) = changes.get(position) {
        let is_gone = gone.is_whole && gone.change.after.is_empty() && gone.path.len() > 1;
        let parent = gone.path.get(..gone.path.len().saturating_sub(1)).unwrap_or_default();
        let is_it = |come: &RawChange| {
            come.is_whole
                && come.change.before.is_empty()
                && come.path.len() == gone.path.len()
                && come.path.starts_with(parent)
                && inside(base, &gone.path) == inside(head, &come.path)
        };
        let Some(other) = changes.iter().position(is_it).filter(|_| is_gone) else {
            position += 1;
            continue;
        };
        let names = [&gone.path, changes.get(other).map_or(&gone.path, |come| &come.path)];
        let [was, is] = names.map(|path| path.last().map(SmolStr::to_string).into_iter().collect::<Vec<_>>());
        let path = parent.to_vec();
        if let Some(come) = changes.get_mut(other) {
            (come.change.before, come.change.after, come.change.is_items) = (was, is, true);
            come.change.path = path.join(".");
            (come.path, come.is_whole) = (path, false);
        }
        changes.remove(position);
    }
}

/// Merges the change of a condition with that of the word that decides whether there is one.
fn merge_choices(mut changes: Vec<RawChange>) -> Vec<FieldChange> {
    let mut position = 0;
    while let Some(choice) = changes.get(position) {
        let parent = choice.path.split_last().map(|(_, parent)| parent.to_vec()).unwrap_or_default();
        let is_partner = |other: &RawChange| {
            other.path.len() == parent.len() + 1
                && other.path.starts_with(&parent)
                && other.change.topic == ReviewTopic::Condition
                && (other.change.before.is_empty() || other.change.after.is_empty())
                && !other.is_choice
        };
        let partners: Vec<usize> = if choice.is_choice {
            (0..changes.len()).filter(|other| changes.get(*other).is_some_and(is_partner)).collect()
        } else {
            Vec::new()
        };
        let [partner] = partners.as_slice() else {
            position += 1;
            continue;
        };
        let (words, partner) = (choice.change.clone(), *partner);
        if let Some(found) = changes.get_mut(partner) {
            if found.change.before.is_empty() {
                found.change.before = words.before;
            } else {
                found.change.after = words.after;
            }
            if !parent.is_empty() {
                found.change.path = parent.join(".");
            }
        }
        changes.remove(position);
    }
    changes.into_iter().map(|raw| raw.change).collect()
}
