//! Renames in modules of programs. In: the places that change. Out: edits of literals, in the modules that have them.
//! Invariant: the edited modules are read again, and every name in them means what it meant before; else nothing
//! changes. So a name that the program computes follows, or is the reason of a refusal.

use std::collections::BTreeMap;
use std::ops::Range;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{Language, NameUse, Type};
use nodewise_model::{Origin, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{TextRange, TextSize};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::collect::Change;
use super::{FileEdits, RenameRefusal, allowed, expression};
use crate::names::{Entity, Occurrence, names};
use crate::program_text::{is_plain, is_property};

/// The edits of the literals that have the names.
pub(super) fn edits(snapshot: &Snapshot, changes: &[Change]) -> Result<Vec<FileEdits>, RenameRefusal> {
    let mut by_file: BTreeMap<SourceId, Vec<TextEdit>> = BTreeMap::new();
    let mut in_expressions: Vec<(Origin, Origin, &Change)> = Vec::new();
    for change in changes {
        // A computed name has no letters. It changes together with what it is computed from.
        let Some(letters) = change.name.letters else { continue };
        let file = snapshot.file(letters.source).ok_or_else(|| cannot_write(snapshot, change))?;
        if change.name.in_expression {
            let whole = expression_at(snapshot, change).ok_or_else(|| cannot_write(snapshot, change))?;
            in_expressions.push((whole, letters, change));
            continue;
        }
        let text = written(file, letters.range, &change.text);
        let text = text.ok_or_else(|| cannot_write(snapshot, change))?;
        by_file.entry(letters.source).or_default().push(TextEdit { range: letters.range, text });
    }
    in_expressions.arrange_by_key(|(whole, letters, _)| {
        (whole.source, whole.range.start(), whole.range.end(), letters.range.start())
    });
    for of_one in in_expressions.chunk_by(|one, other| one.0 == other.0) {
        let Some((whole, _, first)) = of_one.first() else { continue };
        let names: Vec<(Origin, &Change)> =
            of_one.iter().map(|(_, letters, change)| (*letters, *change)).collect();
        let edits = edit_expression(snapshot, *whole, names);
        by_file.entry(whole.source).or_default().extend(edits.ok_or_else(|| cannot_write(snapshot, first))?);
    }
    let of_file = |(source, mut edits): (SourceId, Vec<TextEdit>)| {
        edits.arrange_by_key(|edit| (edit.range.start(), edit.range.end()));
        edits.dedup();
        FileEdits { source, edits }
    };
    Ok(by_file.into_iter().map(of_file).collect())
}

/// What to write in place of letters: a property without quotes if the new name can be one.
fn written(file: &FileFacts, letters: TextRange, text: &str) -> Option<String> {
    let behind = file.text.get(usize::from(letters.end())..)?.trim_start();
    let before = file.text.get(..usize::from(letters.start()))?.trim_end();
    let is_key = before.ends_with(['{', ',']) && behind.starts_with(':');
    match (is_plain(text), is_key && !is_property(text)) {
        (true, true) => Some(format!("'{text}'")),
        (true, false) => Some(text.to_owned()),
        (false, _) => None,
    }
}

/// The whole literal of the expression with a name.
fn expression_at(snapshot: &Snapshot, change: &Change) -> Option<Origin> {
    let letters = change.name.letters?;
    let file = snapshot.file(change.name.at.source)?;
    file.tree().nodes().filter_map(|node| node.as_scalar()).find_map(|scalar| {
        let whole = match scalar.elsewhere() {
            Some(elsewhere) => Origin::new(snapshot.source(&elsewhere.path)?, elsewhere.range),
            None => {
                let cooked = scalar.cooked_with_map();
                Origin::new(file.source, cooked.map.letters(0..cooked.text.len())?)
            }
        };
        (whole.source == letters.source && whole.range.contains_range(letters.range)).then_some(whole)
    })
}

/// The edits of an expression whose text is a literal as it is. The changes are in reading order.
fn edit_expression(
    snapshot: &Snapshot,
    whole: Origin,
    mut changes: Vec<(Origin, &Change)>,
) -> Option<Vec<TextEdit>> {
    let text = snapshot.file(whole.source)?.text.get(Range::<usize>::from(whole.range))?;
    let language = language(&changes.first()?.1.name)?;
    changes.dedup_by_key(|(letters, _)| *letters);
    let start = whole.range.start();
    let inside = |letters: &Origin| {
        Some(letters.range.start().checked_sub(start)?.into()..letters.range.end().checked_sub(start)?.into())
    };
    let wanted: Option<Vec<(Range<usize>, &str)>> =
        changes.iter().map(|(letters, change)| Some((inside(letters)?, change.text.as_str()))).collect();
    let edit = |(range, text): (Range<usize>, String)| {
        let offset = |offset: usize| Some(start + TextSize::try_from(offset).ok()?);
        let range = TextRange::new(offset(range.start)?, offset(range.end)?);
        is_plain(&text).then_some(TextEdit { range, text })
    };
    expression::rewrite(language, text, &wanted?)?.into_iter().map(edit).collect()
}

fn language(name: &Occurrence) -> Option<Language> {
    match name.slot?.field.ty {
        Type::Expression(language) | Type::Condition(language) => Some(language),
        _ => None,
    }
}

/// Whether the modules name the same things after the edits, under the new names.
pub(super) fn is_complete(
    snapshot: &Snapshot,
    changes: &[Change],
    edits: &[FileEdits],
) -> Result<(), RenameRefusal> {
    let edited = |one: &FileEdits| {
        let text = apply_edits(&snapshot.file(one.source)?.text, &mut one.edits.clone()).ok()?;
        Some((one.source, text.into()))
    };
    let after = snapshot.with_texts(edits.iter().filter_map(edited));
    let renamed: FxHashMap<&Entity, Entity> =
        changes.iter().map(|change| (&change.name.entity, after_rename(change))).collect();
    let paths: Vec<&str> = edits.iter().filter_map(|one| Some(&*snapshot.file(one.source)?.path)).collect();
    let is_concerned = |file: &FileFacts| {
        file.is_module()
            && (paths.contains(&&*file.path) || file.imports().iter().any(|path| paths.contains(&&**path)))
    };
    let used = changes.iter().map(|change| change.name.at.source);
    let concerned = snapshot.files().iter().filter(|file| is_concerned(file)).map(|file| file.source);
    let mut sources: Vec<SourceId> = used.chain(concerned).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let wanted = meanings(snapshot, source, |entity| renamed.get(&entity).cloned().unwrap_or(entity));
        if wanted != meanings(&after, source, |entity| entity) {
            let path = snapshot.file(source).map_or("", |file| &*file.path);
            return Err(RenameRefusal::new(format!(
                "the program in `{path}` computes a name from this one, or uses it for something else"
            )));
        }
    }
    Ok(())
}

/// What the names of a module refer to, in reading order.
fn meanings(
    snapshot: &Snapshot,
    source: SourceId,
    renamed: impl Fn(Entity) -> Entity,
) -> Vec<(Entity, NameUse)> {
    let mut all: Vec<(Origin, Entity, NameUse)> =
        names(snapshot, source).into_iter().map(|one| (one.at, renamed(one.entity), one.usage)).collect();
    // At one place, names are in the order of what they refer to.
    all.arrange_by(|one, other| {
        let place = |at: Origin| (at.range.start(), at.range.end());
        place(one.0).cmp(&place(other.0)).then_with(|| one.1.cmp(&other.1))
    });
    all.into_iter().map(|(_, entity, usage)| (entity, usage)).collect()
}

/// What an entity is called after the rename.
fn after_rename(change: &Change) -> Entity {
    match change.name.entity.clone() {
        Entity::Local { document, graph, kind, name } => {
            let name = allowed::with_part(&name, &change.text, kind);
            Entity::Local { document, graph, kind, name }
        }
        Entity::Shared { dialect, kind, .. } => {
            Entity::Shared { dialect, kind, name: SmolStr::clone(&change.text) }
        }
        entity => entity,
    }
}

fn cannot_write(snapshot: &Snapshot, change: &Change) -> RenameRefusal {
    let at = change.name.letters.unwrap_or(change.name.at);
    let path = snapshot.file(at.source).map_or("", |file| &*file.path);
    RenameRefusal::new(format!(
        "a text in {path} cannot contain `{}` instead of `{}`",
        change.text, change.name.name
    ))
}
