//! ## What it does
//!
//! Reports a key beside language codes that looks like one and is none that counts. The codes are `en ru
//! zh fr de es it pt ja ko`, in lower case and without a region.
//!
//! ## Why it matters
//!
//! Its text is left out, or the packages reject the declaration.
//!
//! ## Example
//!
//! ```yaml expect=unknown-language
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system:
//!     en: Colour
//!     en-GB: Colour
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: chat
//! prompts:
//!   system:
//!     en: Colour
//! ```

use nodewise_dialect::bundle::BundleProblemKind;
use nodewise_dialect::tables::liman::LANGUAGES;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

pub(crate) static RULE: Rule = Rule {
    id: "unknown-language",
    former: &["bundle-unknown-language"],
    category: Category::Suspicious,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart {
        spec: Some("liman:bundle-unknown-language"),
        severity: Severity::Warning,
        check,
        ..RulePart::DEFAULT
    }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for problem in context.documents().flat_map(|document| &document.faults.bundle_problems) {
        let BundleProblemKind::UnknownLanguage(key) = &problem.kind else { continue };
        report.push(
            Finding::new(problem.at, format!("`{key}` is not a supported language code"))
                .label("its text is ignored")
                .help(match known_part(key) {
                    Some(code) => format!("write `{code}`, or leave the text out"),
                    None => format!("the codes are {}", LANGUAGES.join(", ")),
                }),
        );
    }
}

/// The supported language code that was meant by a code in upper case or with a region.
fn known_part(key: &str) -> Option<&'static str> {
    let language = key.split(['-', '_']).next()?;
    LANGUAGES.iter().copied().find(|code| code.eq_ignore_ascii_case(language))
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn beside_codes_only() {
        check_rule(
            "unknown-language",
            r"
kind: LLMNode
name: chat
prompts:
  system:
    en: Hello
    uk: Привіт
#   ^^ warning[unknown-language]: `uk` is not a supported language code
    en-US: Hi
#   ^^^^^ warning[unknown-language]: `en-US` is not a supported language code
  notes:
    uk: a key like any other
",
        );
    }
}
