//! Rules about texts in several languages and their placeholders.

mod dropped_language;
mod duplicate_translation;
mod invalid_template;
mod mismatched_template;
mod mismatched_translation;
mod misread_line;
mod missing_fallback_text;
mod missing_system_prompt;
mod missing_translation;
mod mixed_translation;
mod non_text_translation;
mod unknown_language;
mod untagged_translation;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &dropped_language::RULE,
        &duplicate_translation::RULE,
        &invalid_template::RULE,
        &mismatched_template::RULE,
        &mismatched_translation::RULE,
        &misread_line::RULE,
        &missing_fallback_text::RULE,
        &missing_system_prompt::RULE,
        &missing_translation::RULE,
        &mixed_translation::RULE,
        &non_text_translation::RULE,
        &unknown_language::RULE,
        &untagged_translation::RULE,
    ],
    parts: &[],
};
