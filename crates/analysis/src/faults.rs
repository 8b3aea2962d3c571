//! What is wrong with a document. Most documents have nothing of it.

use std::sync::LazyLock;

use nodewise_dialect::bind::Issue;
use nodewise_dialect::bundle::BundleProblem;
use nodewise_dialect::recovery::Mistake;
use nodewise_dialect::table::{Field, Shape};
use nodewise_model::{Declaration, MostlyEmpty, Origin};
use thin_vec::ThinVec;

use crate::texts::TextFacts;

/// What is wrong with a document whatever overlays do to it.
#[derive(Debug, Default)]
pub struct DocumentFaults {
    /// Violations of the table; what mistakes hide is not among them.
    pub issues: ThinVec<Issue>,
    /// What is plainly misspelt or misplaced. The rest is known of the document as it was meant.
    pub mistakes: ThinVec<Mistake>,
    /// Conflicts inside its localized texts.
    pub bundle_problems: ThinVec<BundleProblem>,
    /// Braces without a partner in its texts.
    pub lone_braces: ThinVec<Origin>,
    /// Keys among its texts that look like lines of the text above, each with the key of that.
    pub lines_as_keys: ThinVec<(Origin, String)>,
    /// The first text without a language code of each of an overlay's localized fields.
    pub uncoded_texts: ThinVec<Origin>,
}

/// What a document lacks or has too much of, overlays applied.
#[derive(Debug, Default)]
pub struct EffectiveFaults {
    /// The fields that hold something unknown, each with its shape.
    pub(crate) unknown: ThinVec<(&'static Shape, &'static Field)>,
    /// Required keys that are not there.
    pub absences: ThinVec<Issue>,
    /// What its localized texts lack.
    pub texts: ThinVec<TextFacts>,
    /// The mapping of texts for the model that lacks the one that every model gets, or the text in its place.
    pub without_system_prompt: Option<MissingPrompt>,
    /// Where it has both of two keys that exclude one another, by what the pair is called.
    pub exclusive: ThinVec<(&'static str, (Origin, Origin))>,
    /// The declaration with its mistakes, if it has some: what a run would read.
    pub(crate) written: Option<Option<Declaration>>,
}

/// Where the text is missing that every model gets.
#[derive(Debug, Clone)]
pub enum MissingPrompt {
    /// In the mapping of texts under this key, or in the place of this text.
    In(Origin),
    /// Its key is another one: where that stands, and what it is.
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
