//! Localized texts: which of them a run uses, and what a model learns about a node (liman:6.2, liman:6.5).
//!
//! Input: texts in several languages, the run's language and its fallback; output: texts. Invariant: the specification
//! falls back path by path, the releases language by language.

use nodewise_model::{Localized, LocalizedText};

use super::host::{Host, LimanProfile};

/// The path of an LLM node's system message in its prompts.
const SYSTEM: &str = "system";

/// What a model learns about a tool.
pub(super) struct ToolTexts<'p> {
    pub(super) name: &'p str,
    pub(super) description: &'p Localized,
    pub(super) triggers: &'p [Localized],
    pub(super) shown_as: &'p Localized,
}

/// The author's instructions for the model; `None` if a release has the language, but not this text.
pub(super) fn system(prompts: &Localized, host: &Host) -> Option<String> {
    match host.profile {
        LimanProfile::Spec => {
            let found = texts_at(prompts, host, &[SYSTEM]).or_else(|| texts_at(prompts, host, &[]));
            Some(found.unwrap_or_default())
        }
        LimanProfile::Release | LimanProfile::Classic => {
            let language = whole_language(prompts, host)?;
            let mut texts = prompts.in_language(language).filter(|text| text.path == [SYSTEM]);
            texts.next().map(|text| text.text.to_string())
        }
    }
}

/// The lines about a tool in a model's prompt.
pub(super) fn tool(texts: &ToolTexts<'_>, host: &Host) -> String {
    let description = description(texts.description, host);
    let triggers: Vec<String> =
        texts.triggers.iter().filter_map(|trigger| texts_at(trigger, host, &[])).collect();
    let triggers: Vec<String> =
        triggers.iter().flat_map(|text| text.lines()).map(|line| format!("- {line}")).collect();
    let triggers = triggers.join("\n");
    let template = match host.profile {
        LimanProfile::Spec => texts_at(texts.shown_as, host, &[]),
        // The releases read this field, but never use it.
        LimanProfile::Release | LimanProfile::Classic => None,
    };
    match (template, description) {
        (Some(template), description) => {
            let filled = template.replace("{name}", texts.name);
            let filled = filled.replace("{description}", description.as_deref().unwrap_or_default());
            filled.replace("{triggers}", &triggers).trim_end().to_owned()
        }
        (None, Some(description)) if triggers.is_empty() => {
            format!("{} - {description}", texts.name).trim().to_owned()
        }
        (None, Some(description)) => format!("{} - {description}\n{triggers}", texts.name).trim().to_owned(),
        (None, None) if host.profile == LimanProfile::Spec => {
            format!("{}\n{triggers}", texts.name).trim().to_owned()
        }
        (None, None) => String::new(),
    }
}

/// The description of a tool. Several texts are shown with their paths.
#[must_use]
pub fn description(description: &Localized, host: &Host) -> Option<String> {
    let language = match host.profile {
        LimanProfile::Spec if description.in_language(&host.language).next().is_some() => {
            host.language.as_str()
        }
        LimanProfile::Spec => host.fallback.as_str(),
        LimanProfile::Release | LimanProfile::Classic => whole_language(description, host)?,
    };
    let texts: Vec<&LocalizedText> = description.in_language(language).collect();
    match texts.as_slice() {
        [] => None,
        [only] if only.path.is_empty() => Some(only.text.to_string()),
        several => {
            let lines = several.iter().map(|text| match text.path.is_empty() {
                true => text.text.to_string(),
                false => format!("{}: {}", text.path.join("."), text.text),
            });
            let lines: Vec<String> = match host.profile {
                LimanProfile::Spec => lines.collect(),
                // The releases visit the last text first.
                LimanProfile::Release | LimanProfile::Classic => lines.rev().collect(),
            };
            Some(lines.join("\n"))
        }
    }
}

/// The texts at a path, one per line: in the run's language, or else in the fallback language.
fn texts_at(localized: &Localized, host: &Host, path: &[&str]) -> Option<String> {
    let in_language = |language: &str| {
        let texts = localized.in_language(language).filter(|text| text.path == path);
        let texts: Vec<&str> = texts.map(|text| text.text.as_ref()).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    };
    in_language(&host.language).or_else(|| in_language(&host.fallback))
}

/// The language that a release uses for all texts: the run's, or else the fallback.
fn whole_language<'h>(localized: &Localized, host: &'h Host) -> Option<&'h str> {
    [host.language.as_str(), host.fallback.as_str()]
        .into_iter()
        .find(|language| localized.in_language(language).next().is_some())
}
