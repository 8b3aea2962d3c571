//! ## What it does
//!
//! Reports text without a language code in an overlay whose file is named after a language other than
//! English: `langs/ja.yaml`, `agent.ja.yaml`.
//!
//! ## Why it matters
//!
//! No language is taken from a file name. Text without a code is English, so the overlay replaces the
//! English text instead of adding a translation, and of several such files the last one wins.
//!
//! ## Example
//!
//! ```yaml expect=untagged-translation
//! #- /langs/ja.yaml
//! kind: Overlay
//! to: LLMNode:greeter
//! prompts:
//!   system: あなたは挨拶をします。
//! #- /main.yaml
//! kind: LLMNode
//! name: greeter
//! prompts: {system: {en: You greet people.}}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! #- /langs/ja.yaml
//! kind: Overlay
//! to: LLMNode:greeter
//! prompts:
//!   ja:
//!     system: あなたは挨拶をします。
//! #- /main.yaml
//! kind: LLMNode
//! name: greeter
//! prompts: {system: {en: You greet people.}}
//! ```

use nodewise_dialect::tables::liman::{FALLBACK_LANGUAGE, LANGUAGES};

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};
use crate::rules::ranges;

pub(crate) static RULE: Rule = Rule {
    id: "untagged-translation",
    former: &["overlay-uncoded-text"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    let Some(language) = language_of(&context.file.path) else { return };
    for at in context.documents().flat_map(|document| &document.faults.uncoded_texts) {
        report.push(
            Finding::new(
                ranges::first_line(context, *at),
                format!("this text counts as `{FALLBACK_LANGUAGE}`, not as `{language}`"),
            )
            .label("no language is taken from a file name")
            .help(format!("put it under the key `{language}`")),
        );
    }
}

/// The language code in a file's name, unless it is the language of texts without a code.
fn language_of(path: &str) -> Option<&'static str> {
    let file_name = path.rsplit('/').next()?;
    let (stem, _) = file_name.rsplit_once('.')?;
    let word = stem.rsplit('.').next()?;
    LANGUAGES.iter().copied().find(|code| *code == word && *code != FALLBACK_LANGUAGE)
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn the_first_text_of_each_field() {
        check_rule(
            "untagged-translation",
            r"
#- /langs/de.yaml
kind: Overlay
to: ToolNode:find
description: Sucht
#            ^^^^^ warning[untagged-translation]: this text counts as `en`, not as `de`
triggers:
  - de: suche {name}
#- /langs/en.yaml
kind: Overlay
to: ToolNode:find
description: Finds
#- /main.yaml
kind: ToolNode
name: find
description: Find
func: d.find
",
        );
    }
}
