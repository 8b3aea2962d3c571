//! Writes names into files. In: places with their new texts. Out: the edits of each file. Invariant: each changed
//! scalar is read back as exactly the intended text, with any quotes, escapes and lines. Text that also has another
//! meaning, through an alias or a merge key, is not changed.

use std::collections::BTreeMap;
use std::ops::Range;

use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::table::{Field, KindRole, Type};
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::{Origin, SourceId};
use nodewise_platform::sorting::Sorting;
use nodewise_platform::threads::prelude::*;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::locate::{TreeStep, locate};
use nodewise_syntax::write::{
    MemberPosition, NewValue, ScalarPosition, Writer, fragment_text, scalar_like, scalar_text,
};
use nodewise_syntax::{
    CookedText, NodeValue as Syntax, Scalar, ScalarStyle, ScalarValue, SyntaxNode, TextRange, TextSize, parse,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::collect::Change;
use super::{FileEdits, RenameRefusal, expression};
use crate::names::{Entity, Occurrence, names};

/// The edits of all files. `comments` is a word and its replacement in comments.
pub(super) fn write(
    snapshot: &Snapshot,
    changes: Vec<Change>,
    comments: Option<(&str, &str)>,
) -> Result<Vec<FileEdits>, RenameRefusal> {
    let mut by_file: BTreeMap<SourceId, Vec<Change>> = BTreeMap::new();
    for change in changes {
        by_file.entry(change.name.at.source).or_default().push(change);
    }
    let files: Vec<(SourceId, Vec<Change>)> = by_file.into_iter().collect();
    let of_file = |(source, mut changes): (SourceId, Vec<Change>)| {
        let Some(file) = snapshot.file(source).filter(|_| !snapshot.is_cancelled()) else {
            return Ok(FileEdits { source, edits: Vec::new() });
        };
        changes.arrange_by_key(|change| (change.name.at.range.start(), change.name.at.range.end()));
        changes.dedup_by_key(|change| change.name.at);
        let mut edits = edit_file(snapshot, file, &changes)?;
        if let Some((old_name, new_name)) = comments {
            edits.extend(in_comments(file, old_name, new_name));
        }
        edits.arrange_by_key(|edit| (edit.range.start(), edit.range.end()));
        Ok(FileEdits { source, edits })
    };
    let edited: Vec<Result<FileEdits, RenameRefusal>> = files.into_par_iter().map(of_file).collect();
    edited.into_iter().collect()
}

fn edit_file(
    snapshot: &Snapshot,
    file: &FileFacts,
    changes: &[Change],
) -> Result<Vec<TextEdit>, RenameRefusal> {
    let scalars = Scalars::of(file);
    let mut groups: BTreeMap<usize, Vec<&Change>> = BTreeMap::new();
    let (shared, own): (Vec<&Change>, Vec<&Change>) = split_shared(snapshot, file, changes);
    for change in own.iter().copied().filter(|change| !change.name.is_alias) {
        let scalar = scalars.around(change.name.at.range);
        let scalar = scalar.ok_or_else(|| cannot_write(file, &change.name, &change.text))?;
        groups.entry(scalar).or_default().push(change);
    }
    if scalars.has_aliases {
        means_one_thing(snapshot, file, &scalars, &own, &groups)?;
    }
    let mut edits = Vec::new();
    for change in shared {
        edits.extend(beside(file, change).ok_or_else(|| cannot_write(file, &change.name, &change.text))?);
    }
    for (position, changes) in groups {
        let Some((_, node)) = scalars.all.get(position) else { continue };
        let found = node.as_scalar().and_then(|scalar| edit_scalar(file, scalar, &changes));
        let refusal = || match changes.first() {
            Some(first) => cannot_write(file, &first.name, &first.text),
            None => RenameRefusal::new("a name cannot be written"),
        };
        edits.extend(found.ok_or_else(refusal)?);
    }
    Ok(edits)
}

/// Separates the changes in lists of keys that an agent may use. There, the same text can also be a key of other
/// graphs.
fn split_shared<'c>(
    snapshot: &Snapshot,
    file: &FileFacts,
    changes: &'c [Change],
) -> (Vec<&'c Change>, Vec<&'c Change>) {
    if !changes.iter().any(|change| is_ceiling(&change.name)) {
        return (Vec::new(), changes.iter().collect());
    }
    let mut meanings: FxHashMap<Origin, usize> = FxHashMap::default();
    for name in names(snapshot, file.source) {
        *meanings.entry(name.at).or_default() += 1;
    }
    let is_shared = |change: &&Change| {
        is_ceiling(&change.name) && meanings.get(&change.name.at).is_some_and(|meanings| *meanings > 1)
    };
    changes.iter().partition(is_shared)
}

/// Whether a name is in the list of keys that an agent may use.
fn is_ceiling(name: &Occurrence) -> bool {
    let Some(slot) = name.slot else { return false };
    let agents =
        DIALECTS.iter().flat_map(|dialect| dialect.kinds).filter(|kind| kind.role == KindRole::Agent);
    let holds = |field: &Field| matches!(field.ty, Type::Object(shape) if shape.is_same(slot.shape));
    { agents }.any(|kind| kind.shape.fields.iter().any(holds))
}

/// The new name as an item after the old one, unless the list already has it.
fn beside(file: &FileFacts, change: &Change) -> Option<Vec<TextEdit>> {
    let tree = file.tree();
    let location = locate(tree, change.name.at.range.start());
    let Some(TreeStep::Item { index, sequence }) = location.path.last() else { return None };
    let sequence = tree.node(*sequence)?.as_sequence()?;
    let scalar = sequence.items().nth(*index)?.node()?.as_scalar()?;
    let old = scalar.cooked();
    let text = format!("{}{}", change.text, old.strip_prefix(change.name.name.as_str())?);
    let texts = sequence.items().filter_map(|item| Some(item.node()?.as_scalar()?.cooked()));
    if { texts }.any(|other| other == text) {
        return Some(Vec::new());
    }
    let writer = Writer::new(tree, file.path.ends_with(".json"));
    Some(writer.insert_item(sequence, MemberPosition::Behind(*index), &NewValue::text(text)))
}

/// The scalars of a file, in reading order.
struct Scalars<'t> {
    all: Vec<(TextRange, SyntaxNode<'t>)>,
    has_aliases: bool,
}

impl<'t> Scalars<'t> {
    fn of(file: &'t FileFacts) -> Scalars<'t> {
        let scalars = file.tree().nodes().filter(|node| node.as_scalar().is_some());
        let mut all: Vec<(TextRange, SyntaxNode<'t>)> = scalars.map(|node| (node.range(), node)).collect();
        // A node with an anchor or tag has the same range as its content, and precedes it.
        all.dedup_by_key(|(range, _)| *range);
        Scalars { all, has_aliases: memchr::memchr(b'*', file.text.as_bytes()).is_some() }
    }

    /// The index of the scalar that contains a range.
    fn around(&self, range: TextRange) -> Option<usize> {
        let behind = self.all.partition_point(|(scalar, _)| scalar.start() <= range.start());
        let position = behind.checked_sub(1)?;
        self.all.get(position)?.0.contains_range(range).then_some(position)
    }
}

/// Returns an error if the text also has another meaning.
fn means_one_thing(
    snapshot: &Snapshot,
    file: &FileFacts,
    scalars: &Scalars<'_>,
    changes: &[&Change],
    groups: &BTreeMap<usize, Vec<&Change>>,
) -> Result<(), RenameRefusal> {
    let mut targets: BTreeMap<u32, TextRange> = BTreeMap::new();
    for node in file.tree().nodes() {
        if let Syntax::Alias(alias) = node.value()
            && let Some(target) = alias.target()
        {
            targets.insert(alias.range().start().into(), target.range());
        }
    }
    let target =
        |at: Origin| targets.get(&u32::from(at.range.start())).and_then(|range| scalars.around(*range));
    let edited: FxHashSet<TextRange> = changes.iter().map(|change| change.name.at.range).collect();
    let meant: FxHashSet<(TextRange, &Entity)> =
        changes.iter().map(|change| (change.name.at.range, &change.name.entity)).collect();
    for one in names(snapshot, file.source) {
        let is_edited = match one.is_alias {
            true => target(one.at).is_some_and(|scalar| groups.contains_key(&scalar)),
            false => edited.contains(&one.at.range),
        };
        if is_edited != meant.contains(&(one.at.range, &one.entity)) {
            let reason =
                format!("an alias or merge key in {} makes `{}` mean two things", file.path, one.name);
            return Err(RenameRefusal::new(reason));
        }
    }
    Ok(())
}

fn edit_scalar(file: &FileFacts, scalar: Scalar<'_>, changes: &[&Change]) -> Option<Vec<TextEdit>> {
    let cooked = scalar.cooked_with_map();
    let place = |change: &&Change| {
        let range = change.name.at.range;
        cooked.cooked_offset(range.start())..cooked.cooked_offset(range.end())
    };
    let wanted: Vec<(Range<usize>, &str)> =
        changes.iter().map(|change| (place(change), change.text.as_str())).collect();
    let in_expression = changes.iter().any(|change| change.name.in_expression);
    let edits: Vec<(Range<usize>, String)> = match in_expression {
        true => {
            let document = file.document_at(changes.first()?.name.at)?;
            let is_here = |at: Origin| at.range == scalar.node().range();
            let facts = document.conditions.iter().find(|facts| is_here(facts.at))?;
            expression::rewrite(facts.language, &cooked.text, &wanted)?
        }
        false => wanted.into_iter().map(|(range, text)| (range, text.to_owned())).collect(),
    };
    in_place(scalar, &cooked, &edits).or_else(|| as_a_whole(file, scalar, &cooked, &edits))
}

/// One edit for each place, in the style of the scalar.
fn in_place(
    scalar: Scalar<'_>,
    cooked: &CookedText<'_>,
    edits: &[(Range<usize>, String)],
) -> Option<Vec<TextEdit>> {
    let mut written = Vec::new();
    for (range, text) in edits {
        let text = match scalar.style() {
            ScalarStyle::Plain => text.clone(),
            style => fragment_text(style, text)?,
        };
        written.push(TextEdit { range: cooked.map.source_range(range.clone()), text });
    }
    let start = scalar.node().range().start();
    let mut inside = Vec::new();
    for edit in &written {
        let range =
            TextRange::new(edit.range.start().checked_sub(start)?, edit.range.end().checked_sub(start)?);
        inside.push(TextEdit { range, text: edit.text.clone() });
    }
    let raw = apply_edits(scalar.raw(), &mut inside).ok()?;
    let wanted = applied(&cooked.text, edits)?;
    // The text must stay a text for every loader. For example, `yes` is a boolean in YAML 1.1.
    let is_safe = |text: &str| scalar_text(text, ScalarPosition::Block) == text;
    let stays_safe = scalar.style() != ScalarStyle::Plain || is_safe(&wanted) || !is_safe(&cooked.text);
    (stays_safe && reads_as(scalar, &raw, &wanted)).then_some(written)
}

/// The whole scalar written again, in quotes if it needs them.
fn as_a_whole(
    file: &FileFacts,
    scalar: Scalar<'_>,
    cooked: &CookedText<'_>,
    edits: &[(Range<usize>, String)],
) -> Option<Vec<TextEdit>> {
    if matches!(scalar.style(), ScalarStyle::Literal | ScalarStyle::Folded) {
        return None;
    }
    let wanted = applied(&cooked.text, edits)?;
    let setting = match file.path.ends_with(".json") {
        true => ScalarPosition::Json,
        false => ScalarPosition::Flow,
    };
    let text = scalar_like(scalar, &wanted, setting);
    let range = scalar.node().range();
    reads_as(scalar, &text, &wanted).then(|| vec![TextEdit { range, text }])
}

/// A text after edits.
fn applied(text: &str, edits: &[(Range<usize>, String)]) -> Option<String> {
    let mut result = text.to_owned();
    for (range, new) in edits.iter().rev() {
        result.get(range.clone())?;
        result.replace_range(range.clone(), new);
    }
    Some(result)
}

/// Whether a scalar with this source is read as the wanted text, in each context in which the old scalar keeps its own
/// value: as a key, as a value, in block and flow style.
fn reads_as(scalar: Scalar<'_>, written: &str, wanted: &str) -> bool {
    let old = scalar.cooked();
    let was_text = scalar.resolve() == ScalarValue::Text;
    let fits = |form: Form| {
        !reads_in(form, scalar.raw(), &old, was_text) || reads_in(form, written, wanted, was_text)
    };
    let somewhere = |form: &Form| reads_in(*form, written, wanted, was_text);
    Form::ALL.iter().any(somewhere) && Form::ALL.into_iter().all(fits)
}

/// A context in which a scalar can be.
#[derive(Clone, Copy)]
enum Form {
    Block,
    FlowValue,
    FlowKey,
}

impl Form {
    const ALL: [Form; 3] = [Form::Block, Form::FlowValue, Form::FlowKey];
}

/// Whether a scalar with this source is read as the wanted text in a context.
fn reads_in(form: Form, written: &str, wanted: &str, is_text: bool) -> bool {
    let text = match form {
        Form::Block => format!("key: {written}"),
        Form::FlowValue => format!("{{key: {written}\n}}"),
        Form::FlowKey if written.contains(['\n', '\r']) => return false,
        Form::FlowKey => format!("{{{written}: key}}"),
    };
    let tree = parse(text);
    let root = tree.documents().next().and_then(|document| document.root());
    let entry = root.and_then(SyntaxNode::as_mapping).and_then(|mapping| mapping.entries().next());
    let node = entry.and_then(|entry| match form {
        Form::FlowKey => entry.key(),
        Form::Block | Form::FlowValue => entry.value(),
    });
    let is_same =
        |found: Scalar<'_>| found.cooked() == wanted && (!is_text || found.resolve() == ScalarValue::Text);
    tree.problems().is_empty() && node.and_then(SyntaxNode::as_scalar).is_some_and(is_same)
}

/// The edits of a word in comments.
fn in_comments(file: &FileFacts, old_name: &str, new_name: &str) -> Vec<TextEdit> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let mut edits = Vec::new();
    for comment in file.tree().comments() {
        for (start, found) in comment.text.match_indices(old_name) {
            let before = comment.text.get(..start).and_then(|before| before.chars().next_back());
            let behind = comment.text.get(start + found.len()..).and_then(|behind| behind.chars().next());
            if before.is_none_or(|letter| !is_part(letter)) && behind.is_none_or(|letter| !is_part(letter)) {
                let start = comment.range.start() + TextSize::try_from(start).unwrap_or_default();
                let range = TextRange::at(start, TextSize::of(found));
                edits.push(TextEdit { range, text: new_name.to_owned() });
            }
        }
    }
    edits
}

fn cannot_write(file: &FileFacts, name: &Occurrence, text: &str) -> RenameRefusal {
    let what = if name.in_expression { "an expression" } else { "a text" };
    RenameRefusal::new(format!("{what} in {} cannot contain `{text}` instead of `{}`", file.path, name.name))
}
