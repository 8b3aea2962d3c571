//! Fixes carried out, round after round, until nothing is left to fix. In: a workspace, the files that may be changed,
//! which fixes of their findings are wanted; out: the workspace with the new texts. Invariant: the edits of a round do not touch one
//! another, a text that was YAML stays YAML, and the same input gives the same texts.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_model::SourceId;
use nodewise_syntax::edit::{TextEdit, apply_edits};
use nodewise_syntax::{TextRange, TextSize, json, parse};
use rustc_hash::FxHashSet;

use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::facts::FileFacts;
use crate::ownership::is_shared_ending;
use crate::workspace::{Change, Snapshot, Workspace};

/// A fix may reveal another finding that has a fix. More rounds than this mean that fixes keep undoing one another.
const ROUNDS: usize = 32;

#[derive(Debug, Default)]
pub struct Fixed {
    /// The number of findings that were fixed.
    pub fixed: usize,
    /// The files whose text changes, with the new text.
    pub texts: BTreeMap<SourceId, Arc<str>>,
}

/// Applies fixes to the findings in `sources`. `choose` selects the fixes among the findings of one file, at most one for
/// each finding. Fixes that would change other files are skipped.
pub fn apply_fixes(
    workspace: &mut Workspace,
    sources: &[SourceId],
    choose: impl Fn(&FileFacts, Vec<Diagnostic>) -> Vec<Fix>,
) -> Fixed {
    let allowed: FxHashSet<SourceId> = sources.iter().copied().collect();
    let mut fixed = Fixed::default();
    let mut seen: FxHashSet<Vec<(SourceId, Arc<str>)>> = FxHashSet::default();
    for _ in 0..ROUNDS {
        let snapshot = workspace.snapshot();
        let mut round = Round::choose(&snapshot, sources, &allowed, &choose);
        let texts = round.texts(&snapshot);
        if texts.is_empty() {
            break;
        }
        for (source, text) in &texts {
            let Some(file) = snapshot.file(*source) else { continue };
            let change = Change::Write {
                path: Arc::clone(&file.path),
                text: Arc::clone(text),
                settings: Arc::clone(&file.settings),
            };
            workspace.apply(vec![change]);
            fixed.texts.insert(*source, Arc::clone(text));
        }
        fixed.fixed += round.fixes.len();
        // Two fixes that undo each other would loop forever.
        if !seen.insert(fixed.texts.clone().into_iter().collect()) {
            break;
        }
    }
    fixed
}

/// The fixes that are applied together in one round.
#[derive(Default)]
struct Round {
    /// For each fix its edits.
    fixes: Vec<Vec<Edit>>,
}

impl Round {
    fn choose(
        snapshot: &Snapshot,
        sources: &[SourceId],
        allowed: &FxHashSet<SourceId>,
        choose: &impl Fn(&FileFacts, Vec<Diagnostic>) -> Vec<Fix>,
    ) -> Round {
        let mut round = Round::default();
        let mut taken: BTreeMap<SourceId, Taken> = BTreeMap::new();
        for source in sources {
            let Some(file) = snapshot.file(*source) else { continue };
            for fix in choose(file, snapshot.diagnostics(*source)) {
                let is_free = fix.edits.iter().all(|edit| {
                    let others = taken.get(&edit.at.source);
                    allowed.contains(&edit.at.source)
                        && !others.is_some_and(|others| others.touch(edit.at.range))
                });
                if is_free && !fix.edits.is_empty() {
                    for edit in &fix.edits {
                        taken.entry(edit.at.source).or_default().add(edit.at.range);
                    }
                    round.fixes.push(fix.edits);
                }
            }
        }
        round
    }

    /// The new texts. If a fix would make a text invalid, all its edits are dropped.
    fn texts(&mut self, snapshot: &Snapshot) -> Vec<(SourceId, Arc<str>)> {
        loop {
            let (texts, broken) = self.tried(snapshot);
            if broken.is_empty() {
                return texts;
            }
            self.fixes.retain(|edits| !edits.iter().any(|edit| broken.contains(&edit.at.source)));
        }
    }

    /// The texts after all edits, and the files that would no longer be valid YAML.
    fn tried(&self, snapshot: &Snapshot) -> (Vec<(SourceId, Arc<str>)>, FxHashSet<SourceId>) {
        let mut edits: BTreeMap<SourceId, Vec<TextEdit>> = BTreeMap::new();
        for edit in self.fixes.iter().flatten() {
            let text = TextEdit { range: edit.at.range, text: edit.text.clone() };
            edits.entry(edit.at.source).or_default().push(text);
        }
        let (mut texts, mut broken) = (Vec::new(), FxHashSet::default());
        for (source, mut edits) in edits {
            let Some(file) = snapshot.file(source) else { continue };
            match apply_edits(&file.text, &mut edits) {
                Ok(text) if is_sound(file, &text) => {
                    if *text != *file.text {
                        texts.push((source, Arc::from(text)));
                    }
                }
                Ok(_) | Err(_) => drop(broken.insert(source)),
            }
        }
        (texts, broken)
    }
}

/// Whether the new text of a file is no worse than the old one: it stays valid YAML, and a JSON file stays valid JSON, if
/// the old text was.
fn is_sound(file: &FileFacts, text: &str) -> bool {
    let is_yaml = parse(text).is_valid() || !file.tree().is_valid();
    let must_be_json = is_shared_ending(&file.path) && json::violations(&file.text).is_empty();
    is_yaml && (!must_be_json || json::violations(text).is_empty())
}

/// The ranges that edits already replace, as start and end. They do not touch one another.
#[derive(Default)]
struct Taken(BTreeMap<TextSize, TextSize>);

impl Taken {
    /// Whether the range overlaps or touches one of them.
    fn touch(&self, range: TextRange) -> bool {
        self.meeting(range).is_some()
    }

    /// Adds a range and merges it with those that it touches. The edits of one fix may touch.
    fn add(&mut self, range: TextRange) {
        let mut whole = range;
        while let Some(other) = self.meeting(whole) {
            self.0.remove(&other.start());
            whole = whole.cover(other);
        }
        self.0.insert(whole.start(), whole.end());
    }

    /// A range that overlaps or touches `range`. The ranges are disjoint, so it is enough to look at the last one that
    /// begins before its end.
    fn meeting(&self, range: TextRange) -> Option<TextRange> {
        let (start, end) = self.0.range(..=range.end()).next_back()?;
        (*end >= range.start()).then(|| TextRange::new(*start, *end))
    }
}
