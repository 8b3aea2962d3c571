//! What is wrong with a document. Most documents have nothing of it.

use std::sync::LazyLock;

use nodewise_dialect::bind::Issue;
use nodewise_dialect::bundle::BundleProblem;
use nodewise_dialect::recovery::Mistake;
use nodewise_dialect::table::{Field, Shape};
use nodewise_model::{Declaration, MostlyEmpty, Origin};
use thin_vec::ThinVec;

use crate::texts::TextFacts;

/// Faults of a document that overlays cannot change.
#[derive(Debug, Default)]
pub struct DocumentFaults {
    /// Violations of the dialect's table. Violations that only result from `mistakes` are left out.
    pub issues: ThinVec<Issue>,
    /// Misspelt or misplaced parts whose meaning is clear. All other facts describe the document with these corrected.
    pub mistakes: ThinVec<Mistake>,
    /// Conflicts inside its localized texts.
    pub bundle_problems: ThinVec<BundleProblem>,
    /// Braces without a partner in its texts.
    pub lone_braces: ThinVec<Origin>,
    /// Keys of text mappings that look like another line of the text above, each with the key of that text.
    pub lines_as_keys: ThinVec<(Origin, String)>,
    /// For each localized field of an overlay, the first text without a language code.
    pub uncoded_texts: ThinVec<Origin>,
}

/// What a document lacks, or has too much of, after overlays are applied.
#[derive(Debug, Default)]
pub struct EffectiveFaults {
    /// The fields whose value is known only at run time, each with its shape.
    pub(crate) unknown: ThinVec<(&'static Shape, &'static Field)>,
    /// Required keys that are missing.
    pub absences: ThinVec<Issue>,
    /// Missing and differing texts of its localized fields.
    pub texts: ThinVec<TextFacts>,
    /// Set if the text is missing that every model gets.
    pub without_system_prompt: Option<MissingPrompt>,
    /// Pairs of keys that exclude one another and are both present: the id of the pair, and both places.
    pub exclusive: ThinVec<(&'static str, (Origin, Origin))>,
    /// Only for a document with mistakes: the declaration with them, as a run reads it.
    pub(crate) written: Option<Option<Declaration>>,
}

/// Where the text that every model gets is missing.
#[derive(Debug, Clone)]
pub enum MissingPrompt {
    /// In the mapping of texts under this key; or at this text, if there is a text instead of the mapping.
    In(Origin),
    /// Under a misspelt key: its place, and the key that is meant.
    Misspelt(Origin, String),
}

impl MostlyEmpty for DocumentFaults {
    fn empty() -> &'static DocumentFaults {
        static EMPTY: LazyLock<DocumentFaults> = LazyLock::new(DocumentFaults::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        let DocumentFaults { issues, mistakes, bundle_problems, lone_braces, lines_as_keys, uncoded_texts } =
            self;
        issues.is_empty()
            && mistakes.is_empty()
            && bundle_problems.is_empty()
            && lone_braces.is_empty()
            && lines_as_keys.is_empty()
            && uncoded_texts.is_empty()
    }
}

impl MostlyEmpty for EffectiveFaults {
    fn empty() -> &'static EffectiveFaults {
        static EMPTY: LazyLock<EffectiveFaults> = LazyLock::new(EffectiveFaults::default);
        &EMPTY
    }

    fn is_empty(&self) -> bool {
        let EffectiveFaults { unknown, absences, texts, without_system_prompt, exclusive, written } = self;
        unknown.is_empty()
            && absences.is_empty()
            && texts.is_empty()
            && without_system_prompt.is_none()
            && exclusive.is_empty()
            && written.is_none()
    }
}
