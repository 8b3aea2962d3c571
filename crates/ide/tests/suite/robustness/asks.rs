//! Each feature, asked at one place or of one file. In: a snapshot and a place; out: what does not fit, added to a list.

use nodewise_analysis::workspace::Snapshot;
use nodewise_ide::actions::{self, ActionRequest};
use nodewise_ide::calls::{CallItem, incoming_calls, outgoing_calls, prepare_calls};
use nodewise_ide::completion::{self, complete};
use nodewise_ide::cursor_context::CursorContext;
use nodewise_ide::folding::folds;
use nodewise_ide::goto;
use nodewise_ide::graph::graph_at;
use nodewise_ide::highlight::highlights;
use nodewise_ide::hover::hover;
use nodewise_ide::inlay::{self, inlays};
use nodewise_ide::lenses::{self, LensSettings, Runnable, lenses};
use nodewise_ide::linked::linked_ranges;
use nodewise_ide::links::links;
use nodewise_ide::names::{name_at, names, names_within};
use nodewise_ide::on_type::on_new_line;
use nodewise_ide::position::FilePosition;
use nodewise_ide::references::references;
use nodewise_ide::rename::{RenameOptions, prepare_rename, rename};
use nodewise_ide::selection::selection;
use nodewise_ide::signature::signature;
use nodewise_ide::symbols::{OutlineSymbol, outline, search};
use nodewise_ide::tokens::{tokens, tokens_within};
use nodewise_model::{Origin, SourceId};
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{TextRange, TextSize};
use std::collections::{BTreeMap, BTreeSet};

use crate::robustness::size;

/// How many references of a name are asked for theirs.
const SAMPLE: usize = 8;

/// What is asked at one offset; what is wrong with the answer goes into the list.
pub(crate) type AtOffset = fn(&Snapshot, FilePosition, &mut Vec<String>);
/// What is asked of a whole file.
pub(crate) type OfFile = fn(&Snapshot, SourceId, &mut Vec<String>);

pub(crate) const AT_OFFSET: &[(&str, AtOffset)] = &[
    ("spot", ask_spot),
    ("name", ask_name),
    ("goto", ask_goto),
    ("references", ask_references),
    ("highlight", ask_highlight),
    ("linked", ask_linked),
    ("rename", ask_rename),
    ("hover", ask_hover),
    ("completion", ask_completion),
    ("selection", ask_selection),
    ("on type", ask_on_type),
    ("actions", ask_actions),
    ("signature", ask_signature),
    ("calls", ask_calls),
];

pub(crate) const OF_FILE: &[(&str, OfFile)] = &[
    ("names", ask_names),
    ("folding", ask_folds),
    ("symbols", ask_symbols),
    ("links", ask_links),
    ("tokens", ask_tokens),
    ("inlay", ask_inlays),
    ("lenses", ask_lenses),
    ("diagnostics", ask_diagnostics),
];

fn ask_spot(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let Some(spot) = CursorContext::at(snapshot, position) else { return };
    let _ = (spot.path(), spot.value(), spot.leaf_around(), spot.graph(), spot.node(), spot.around());
    let _ = spot.line_before();
    if let Some(expression) = &spot.expression {
        within(snapshot, Origin::new(position.source, expression.range), "expression", faults);
        if !expression.text.is_char_boundary(expression.offset) {
            faults.push(format!("the expression's offset {} splits a character", expression.offset));
        }
    }
}

fn ask_name(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let Some(name) = name_at(snapshot, position) else { return };
    within(snapshot, name.at, "name", faults);
    if !name.at.range.contains_inclusive(cursor(snapshot, position)) {
        faults.push(format!("the name at {:?} does not touch the cursor", name.at.range));
    }
}

fn ask_goto(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    for find in [goto::definition, goto::declaration, goto::type_definition, goto::implementation] {
        let Some(link) = find(snapshot, position) else { continue };
        within(snapshot, link.origin, "link", faults);
        if link.targets.is_empty() {
            faults.push("a link leads nowhere".to_owned());
        }
        for target in &link.targets {
            within(snapshot, target.at, "target", faults);
            within(snapshot, target.whole, "whole target", faults);
            let holds =
                target.whole.source == target.at.source && target.whole.range.contains_range(target.at.range);
            if !holds {
                faults.push(format!("{:?} is outside of {:?}", target.at.range, target.whole.range));
            }
        }
    }
}

fn ask_references(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let Some(all) = references(snapshot, position, true) else { return };
    all.iter().for_each(|at| within(snapshot, *at, "reference", faults));
    let distinct: BTreeSet<_> = all.iter().map(|at| (at.source, at.range.start(), at.range.end())).collect();
    if distinct.len() != all.len() {
        faults.push("a reference comes twice".to_owned());
    }
    let without = references(snapshot, position, false).unwrap_or_default();
    if !without.iter().all(|at| all.contains(at)) {
        faults.push("fewer references with the declaration than without".to_owned());
    }
    // The sign of an anchor or alias counts as the name.
    let touches = |at: &Origin| {
        let behind_sign = cursor(snapshot, position) + TextSize::of('*');
        let touched = TextRange::new(cursor(snapshot, position), behind_sign);
        at.source == position.source && at.range.intersect(touched).is_some()
    };
    let targets = goto::definition(snapshot, position).map(|link| link.targets).unwrap_or_default();
    for at in all.iter().take(SAMPLE) {
        let there = FilePosition::new(at.source, at.range.start());
        let same = references(snapshot, there, true).unwrap_or_default();
        let leads = goto::definition(snapshot, there).map(|link| link.targets).unwrap_or_default();
        if same != all {
            faults.push(format!("{:?} is among the references, and has others itself", at.range));
        }
        if targets.first().map(|target| target.at) != leads.first().map(|target| target.at) {
            faults.push(format!("{:?} is among the references, and leads elsewhere", at.range));
        }
    }
    if !all.iter().any(touches) {
        faults.push(format!("the references {all:?} leave out the one at the cursor"));
    }
}

fn ask_highlight(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let found = highlights(snapshot, position);
    found.iter().for_each(|one| range_within(snapshot, position, one.range, "highlight", faults));
    let mut here: Vec<TextRange> = found.iter().map(|one| one.range).collect();
    let all = references(snapshot, position, true).unwrap_or_default();
    let mut expected: Vec<TextRange> =
        all.iter().filter(|at| at.source == position.source).map(|at| at.range).collect();
    for ranges in [&mut here, &mut expected] {
        ranges.sort_by_key(|range| (range.start(), range.end()));
    }
    if here != expected {
        faults.push(format!("highlights {here:?}, references {expected:?}"));
    }
}

fn ask_linked(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let found = linked_ranges(snapshot, position);
    found.iter().for_each(|range| range_within(snapshot, position, *range, "linked range", faults));
    let text = &snapshot.file(position.source).unwrap().text;
    let letters: BTreeSet<_> =
        found.iter().map(|range| text.get(std::ops::Range::<usize>::from(*range))).collect();
    if letters.len() > 1 || found.windows(2).any(|pair| matches!(pair, [a, b] if a.end() > b.start())) {
        faults.push(format!("{found:?} cannot be typed over together: {letters:?}"));
    }
}

fn ask_rename(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let prepared = prepare_rename(snapshot, position);
    if let Ok(prepared) = &prepared {
        within(snapshot, prepared.at, "renamable", faults);
    }
    for (new_name, comments) in [("renamed", false), ("ünï 😀: #", true), ("", false)] {
        let Ok(files) = rename(snapshot, position, new_name, RenameOptions { comments }) else { continue };
        if prepared.is_err() {
            faults.push("what must not be renamed was renamed".to_owned());
        }
        for file in files {
            fits(snapshot, file.source, file.edits, "rename", faults);
        }
    }
}

fn ask_hover(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let Some(hover) = hover(snapshot, position) else { return };
    range_within(snapshot, position, hover.range, "hover", faults);
    if !hover.range.contains_inclusive(cursor(snapshot, position)) {
        faults.push(format!("hover at {:?} does not touch the cursor", hover.range));
    }
    if hover.text.markdown().trim().is_empty() || hover.text.plain().trim().is_empty() {
        faults.push("hover says nothing".to_owned());
    }
}

fn ask_completion(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    for snippets in [true, false] {
        let found = complete(
            snapshot,
            position,
            completion::CompletionSettings { snippets, trigger: None, usual: None },
        );
        let mut seen = BTreeSet::new();
        for item in &found.items {
            let label = &item.label;
            if label.is_empty() || label.contains('\n') {
                faults.push(format!("`{label}` is no label"));
            }
            if !seen.insert((label, item.kind)) {
                faults.push(format!("`{label}` is offered twice as {:?}", item.kind));
            }
            let edit = &item.edit;
            range_within(snapshot, position, edit.replace, "replacement", faults);
            range_within(snapshot, position, edit.insert, "insertion", faults);
            let text = &snapshot.file(position.source).unwrap().text;
            let replaced = text.get(std::ops::Range::<usize>::from(edit.replace)).unwrap_or_default();
            if !edit.replace.contains_range(edit.insert)
                || !edit.insert.contains_inclusive(cursor(snapshot, position))
                || replaced.contains('\n')
            {
                faults.push(format!("`{label}` replaces {:?} and {:?}", edit.insert, edit.replace));
            }
            if edit.is_snippet && !snippets {
                faults.push(format!("`{label}` has places to fill in"));
            }
            let own = TextEdit { range: edit.replace, text: edit.text.clone() };
            let all = std::iter::once(own).chain(item.additional.iter().cloned()).collect();
            fits(snapshot, position.source, all, label, faults);
            let documentation = item.documentation.as_ref().filter(|_| snippets);
            let says = |handle| {
                completion::resolve(snapshot, handle).is_some_and(|text| !text.markdown().is_empty())
            };
            if !documentation.is_none_or(says) {
                faults.push(format!("`{label}` has no documentation behind its handle"));
            }
        }
    }
}

fn ask_selection(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let found = selection(snapshot, position);
    found.iter().for_each(|range| range_within(snapshot, position, *range, "selection", faults));
    let grows = |pair: &[TextRange]| matches!(pair, [a, b] if b.contains_range(*a) && a != b);
    if !found.windows(2).all(grows)
        || found.iter().any(|range| !range.contains_inclusive(cursor(snapshot, position)))
    {
        faults.push(format!("the selection does not grow around the cursor: {found:?}"));
    }
}

fn ask_on_type(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    fits(snapshot, position.source, on_new_line(snapshot, position, 2), "on type", faults);
}

fn ask_actions(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let range = TextRange::empty(position.offset);
    let request = ActionRequest { source: position.source, range, only: &[], can_create_files: true };
    for action in actions::actions(snapshot, request) {
        let Some(change) = actions::resolve(snapshot, position.source, &action.change) else { continue };
        let mut edits: BTreeMap<SourceId, Vec<TextEdit>> = BTreeMap::new();
        for edit in change.edits {
            let own = edits.entry(edit.at.source).or_default();
            own.push(TextEdit { range: edit.at.range, text: edit.text });
        }
        for (source, edits) in edits {
            fits(snapshot, source, edits, &action.title, faults);
        }
    }
}

fn ask_signature(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let Some(signature) = signature(snapshot, position) else { return };
    let parameters = &signature.parameters;
    let is_part = |range: &TextRange| signature.label.get(std::ops::Range::<usize>::from(*range)).is_some();
    if !parameters.iter().all(is_part) || signature.active.is_some_and(|active| active >= parameters.len()) {
        faults.push(format!("{signature:?}"));
    }
}

fn ask_inlays(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    let text = &snapshot.file(source).unwrap().text;
    let options =
        inlay::InlayHintSettings { defaults: true, grants: true, types: true, kinds: true, overlays: true };
    let all = inlays(snapshot, source, TextRange::up_to(TextSize::of(&**text)), options);
    for hint in &all {
        within(snapshot, Origin::new(source, TextRange::empty(hint.at)), "hint", faults);
        hint.target.iter().for_each(|at| within(snapshot, *at, "hint's target", faults));
        if hint.label.trim().is_empty() || hint.label.contains('\n') {
            faults.push(format!("`{}` is no hint", hint.label));
        }
    }
    if all.windows(2).any(|pair| matches!(pair, [a, b] if a.at > b.at)) {
        faults.push("hints are out of order".to_owned());
    }
    let part = inlays(snapshot, source, TextRange::up_to(size(text.len() / 2)), options);
    if let Some(odd) = part.iter().find(|one| !all.contains(one)) {
        faults.push(format!("{odd:?} is in a part, but not in the whole"));
    }
}

fn ask_lenses(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    for lens in lenses(snapshot, source, LensSettings::ALL) {
        within(snapshot, Origin::new(source, lens.range), "lens", faults);
        if let Some(run) = &lens.run {
            let Runnable { graph, node, scenario, .. } = &run.runnable;
            if graph.is_none() && node.is_none() && scenario.is_none() {
                faults.push(format!("the lens at {:?} runs nothing", lens.range));
            }
            continue;
        }
        let position = FilePosition::new(source, lens.name.start());
        let Some(mut shown) = lenses::references(snapshot, position) else {
            faults.push(format!("the lens at {:?} is gone", lens.range));
            continue;
        };
        let mut expected = references(snapshot, position, false).unwrap_or_default();
        for places in [&mut shown.places, &mut expected] {
            places.sort_by_key(|at| (at.source, at.range.start(), at.range.end()));
        }
        // What is shown may have a kind in front and quotes around it.
        let holds = |(shown, at): (&Origin, &Origin)| {
            shown.source == at.source && shown.range.contains_range(at.range)
        };
        if shown.places.len() != expected.len() || !shown.places.iter().zip(&expected).all(holds) {
            faults.push(format!(
                "the lens at {:?} shows {:?}, references {expected:?}",
                lens.range, shown.places
            ));
        }
    }
}

fn ask_calls(snapshot: &Snapshot, position: FilePosition, faults: &mut Vec<String>) {
    let fitting = |item: &CallItem, faults: &mut Vec<String>| {
        within(snapshot, item.at, "called name", faults);
        within(snapshot, item.whole, "called thing", faults);
        if item.whole.source != item.at.source || !item.whole.range.contains_range(item.at.range) {
            faults.push(format!("{} at {:?} is outside of {:?}", item.title, item.at, item.whole));
        }
    };
    let prepared = prepare_calls(snapshot, position);
    prepared.iter().for_each(|item| fitting(item, faults));
    for call in incoming_calls(snapshot, position).into_iter().chain(outgoing_calls(snapshot, position)) {
        fitting(&call.item, faults);
        call.ranges.iter().for_each(|at| within(snapshot, *at, "call", faults));
        if call.ranges.is_empty() {
            faults.push(format!("nothing says that it leads to {}", call.item.title));
        }
    }
    // Not every place is in a graph.
    let _ = graph_at(snapshot, position);
}

fn ask_names(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    let all = names(snapshot, source);
    all.iter().for_each(|one| within(snapshot, one.at, "name", faults));
    if all.iter().any(|one| one.at.source != source) {
        faults.push("a name is in another file".to_owned());
    }
    let length = TextSize::of(&*snapshot.file(source).unwrap().text);
    if names_within(snapshot, source, TextRange::up_to(length)).len() != all.len() {
        faults.push("the names of the whole text are not those of the file".to_owned());
    }
}

fn ask_folds(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    let text = &snapshot.file(source).unwrap().text;
    for fold in folds(snapshot, source) {
        within(snapshot, Origin::new(source, fold.range), "fold", faults);
        let folded = text.get(std::ops::Range::<usize>::from(fold.range)).unwrap_or_default();
        if !folded.contains(['\n', '\r']) || folded.ends_with(['\n', '\r']) {
            faults.push(format!("the fold {:?} hides no line, or half of one", fold.range));
        }
    }
}

fn ask_symbols(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    let mut open: Vec<(OutlineSymbol, Option<TextRange>)> =
        outline(snapshot, source).into_iter().map(|one| (one, None)).collect();
    while let Some((symbol, parent)) = open.pop() {
        within(snapshot, Origin::new(source, symbol.range), "symbol", faults);
        within(snapshot, Origin::new(source, symbol.selection), "symbol's name", faults);
        if symbol.name.is_empty() {
            faults.push(format!("the symbol at {:?} has no name", symbol.range));
        }
        if !symbol.range.contains_range(symbol.selection) {
            faults.push(format!("`{}` at {:?} is named outside of itself", symbol.name, symbol.range));
        }
        if parent.is_some_and(|parent| !parent.contains_range(symbol.range)) {
            faults.push(format!("`{}` at {:?} is outside of its parent", symbol.name, symbol.range));
        }
        let range = symbol.range;
        open.extend(symbol.children.into_iter().map(|child| (child, Some(range))));
    }
    for query in ["", "a", "é😀"] {
        search(snapshot, query).iter().for_each(|found| within(snapshot, found.at, "found symbol", faults));
    }
}

fn ask_links(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    links(snapshot, source)
        .iter()
        .for_each(|one| within(snapshot, Origin::new(source, one.range), "link", faults));
}

fn ask_tokens(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    let all = tokens(snapshot, source);
    let text = &snapshot.file(source).unwrap().text;
    for token in &all {
        within(snapshot, Origin::new(source, token.range), "token", faults);
        let letters = text.get(std::ops::Range::<usize>::from(token.range)).unwrap_or_default();
        if letters.is_empty() || letters.contains(['\n', '\r']) {
            faults.push(format!("the token {:?} is `{letters}`", token.range));
        }
    }
    if let Some(pair) = all.windows(2).find(|pair| matches!(pair, [a, b] if a.range.end() > b.range.start()))
    {
        faults.push(format!("tokens overlap: {pair:?}"));
    }
    let (third, half) = (size(text.len() / 3), size(text.len() / 2));
    let range = TextRange::new(third, half);
    let part = tokens_within(snapshot, source, range);
    let expected: Vec<_> = all
        .into_iter()
        .filter(|one| one.range.intersect(range).is_some_and(|both| !both.is_empty()))
        .collect();
    if !expected.iter().all(|one| part.contains(one)) {
        faults.push(format!("the tokens of {range:?} are others than in the whole"));
    }
}

fn ask_diagnostics(snapshot: &Snapshot, source: SourceId, faults: &mut Vec<String>) {
    for diagnostic in snapshot.diagnostics(source) {
        within(snapshot, diagnostic.finding.at, diagnostic.rule, faults);
    }
}

/// The end of the text instead of what is behind it, the begin of a character instead of what is inside of it.
fn cursor(snapshot: &Snapshot, position: FilePosition) -> TextSize {
    let text = &snapshot.file(position.source).unwrap().text;
    let offset = usize::from(position.offset).min(text.len());
    size((0..=offset).rfind(|offset| text.is_char_boundary(*offset)).unwrap_or_default())
}

/// A place lies in its text and splits no character.
fn within(snapshot: &Snapshot, at: Origin, what: &str, faults: &mut Vec<String>) {
    let text = snapshot.file(at.source).map(|file| &*file.text);
    if text.and_then(|text| text.get(std::ops::Range::<usize>::from(at.range))).is_none() {
        faults.push(format!("{what} at {:?}", at.range));
    }
}

fn range_within(
    snapshot: &Snapshot,
    position: FilePosition,
    range: TextRange,
    what: &str,
    faults: &mut Vec<String>,
) {
    within(snapshot, Origin::new(position.source, range), what, faults);
}

/// Edits that can be applied.
fn fits(
    snapshot: &Snapshot,
    source: SourceId,
    mut edits: Vec<TextEdit>,
    what: &str,
    faults: &mut Vec<String>,
) {
    edits.iter().for_each(|edit| within(snapshot, Origin::new(source, edit.range), what, faults));
    let text = &snapshot.file(source).unwrap().text;
    if apply_edits(text, &mut edits).is_err() {
        faults.push(format!("the edits of `{what}` do not fit: {edits:?}"));
    }
}
