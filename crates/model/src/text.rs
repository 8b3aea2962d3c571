//! Localized texts after normalisation: one entry for each language and path.
//! Source of the behaviour: liman:6.

use smol_str::SmolStr;
use thin_vec::ThinVec;

use crate::origin::Origin;

/// The texts of one field in every language, in order of first appearance.
#[derive(Debug, Clone, Default)]
pub struct Localized {
    /// The texts that the author wrote. Fallback texts are not copied.
    pub texts: ThinVec<LocalizedText>,
}

/// One text in one language.
#[derive(Debug, Clone)]
pub struct LocalizedText {
    /// The language code, for instance `en`.
    pub language: &'static str,
    /// The keys that lead to the text, language codes left out; empty when the language's value is
    /// the text itself.
    pub path: ThinVec<SmolStr>,
    /// The text. A list of texts has one entry for each element, all with the same path.
    pub text: Box<str>,
    /// Where it was written.
    pub at: Origin,
}

impl Localized {
    /// The languages, in order of first appearance.
    #[must_use]
    pub fn languages(&self) -> Vec<&'static str> {
        let mut languages: Vec<&'static str> = Vec::new();
        for text in &self.texts {
            if !languages.contains(&text.language) {
                languages.push(text.language);
            }
        }
        languages
    }

    /// The texts of one language.
    pub fn in_language<'a>(&'a self, language: &'a str) -> impl Iterator<Item = &'a LocalizedText> {
        self.texts.iter().filter(move |text| text.language == language)
    }
}
