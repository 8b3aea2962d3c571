//! Folding ranges. In: a file of a snapshot. Out: byte ranges in reading order, for files of any system.

use nodewise_analysis::workspace::Snapshot;
use nodewise_model::SourceId;
pub use nodewise_syntax::folding::{Fold, FoldKind};

/// The folds of a file.
#[must_use]
pub fn folds(snapshot: &Snapshot, source: SourceId) -> Vec<Fold> {
    snapshot.file(source).map(|file| nodewise_syntax::folding::folds(file.tree())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::folds;
    use crate::testing::project;

    /// Lists the first line of each fold of a fixture's files, and how many lines it hides.
    fn check_folds(fixture: &str, expected: &[&str]) {
        let (snapshot, _) = project(fixture);
        let mut found = Vec::new();
        for file in snapshot.files() {
            for fold in folds(&snapshot, file.source) {
                let folded = &file.text[fold.range];
                let hidden = folded.matches('\n').count();
                found.push(format!("{} +{hidden}", folded.lines().next().unwrap_or_default()));
            }
        }
        assert_eq!(found, expected);
    }

    #[test]
    fn files_of_every_system_fold() {
        check_folds(
            "kind: LLMNode\nname: a\nprompts:\n  system:\n    en: |\n      Plan\n      well\n",
            &["prompts: +4", "system: +3", "en: | +2"],
        );
        check_folds(
            "id: g\nname: G\ndescription: ''\nnodes:\n  - id: a\n    type: agent\n",
            &["nodes: +2", "- id: a +1"],
        );
        check_folds(
            "#- /a.json\n{\n  \"id\": \"g\",\n  \"nodes\": [\n    1\n  ]\n}\n",
            &["{ +4", "\"nodes\": [ +1"],
        );
        check_folds("kind: Pod\nspec:\n  a: 1\n", &["spec: +1"]);
    }
}
