//! The documents that the loaders of the releases reject because of their form. A run does not have them.
//!
//! Input is a file of an agent. Output is the rejected documents, each with the lines of releases that reject it.
//! Invariant: names and conditions are not checked, because the loaders do not check them.

use std::sync::Arc;

use nodewise_analysis::check::check;
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::settings::Settings;
use nodewise_dialect::value::{Data, SpannedValue as Located};
use nodewise_engine::systems::liman::LimanProfile;
use nodewise_model::SourceId;
use nodewise_syntax::TextRange;

/// The rules about form, which the loaders check.
const ABOUT_FORM: &[&str] =
    &["missing-field", "wrong-type", "invalid-value", "non-text-condition", "invalid-edge-id"];
/// The fields that can be missing or empty in the releases.
const OPTIONAL: &[&str] = &["description", "func", "service_account"];
/// The fields that the older line does not know and does not check.
const YOUNGER: &[&str] = &["to", "structured_output"];
/// The fields that are checked when a node is compiled, and not by the loaders.
const AT_COMPILATION: &[&str] = &["prompts", "system"];

/// A rejected document.
#[derive(Debug)]
pub(super) struct Refused {
    pub(super) document: TextRange,
    /// Whether the older line rejects it too.
    by_both: bool,
}

impl Refused {
    /// Whether the loader of this line rejects it.
    pub(super) fn by(&self, profile: LimanProfile) -> bool {
        match profile {
            LimanProfile::Spec => false,
            LimanProfile::Release => true,
            LimanProfile::Classic => self.by_both,
        }
    }
}

/// The documents of a file that are rejected.
pub(super) fn refused(path: &str, text: &str, settings: &Arc<Settings>) -> Vec<Refused> {
    let file = FileFacts::new(SourceId::default(), path.into(), text.into(), Arc::clone(settings));
    let files = Files::from_iter([file]);
    let tree = nodewise_syntax::parse(text);
    let errors = check(&files);
    let is_counted =
        |error: &&Diagnostic| error.severity == Severity::Error && ABOUT_FORM.contains(&error.rule);
    let mut found: Vec<Refused> = Vec::new();
    for error in errors.iter().filter(is_counted) {
        let place = error.finding.at.range;
        let documents = files.iter().flat_map(|file| &file.documents);
        let Some(document) =
            documents.map(|document| document.range.range).find(|range| range.contains_range(place))
        else {
            continue;
        };
        let roots = tree.documents().filter_map(|document| document.root());
        let values = roots.map(|root| Located::from_node(root, SourceId::default()));
        let keys: Vec<String> =
            values.map(|value| keys(&value, place)).find(|keys| !keys.is_empty()).unwrap_or_default();
        // A missing key is at the end of the message. An empty one is the last of the path.
        let missing = match error.rule {
            "missing-field" => error.finding.message.rsplit('`').nth(1),
            _ => keys.last().map(String::as_str).filter(|_| error.finding.message.ends_with("not nothing")),
        };
        if missing.is_some_and(|key| OPTIONAL.contains(&key)) {
            continue;
        }
        if keys.iter().map(String::as_str).eq(AT_COMPILATION.iter().copied()) {
            continue;
        }
        let by_both = !keys.first().is_some_and(|key| YOUNGER.contains(&key.as_str()));
        match found.iter_mut().find(|refused| refused.document == document) {
            Some(refused) => refused.by_both |= by_both,
            None => found.push(Refused { document, by_both }),
        }
    }
    found
}

/// The keys on the path to a place.
fn keys(value: &Located<'_>, place: TextRange) -> Vec<String> {
    match &value.data {
        Data::Map(members) => {
            let holds = |range: TextRange| range.contains_range(place);
            let member =
                members.iter().find(|member| holds(member.key_at.range) || holds(member.value.at.range));
            member.map_or_else(Vec::new, |member| {
                let inner = keys(&member.value, place);
                std::iter::once(member.key.to_string()).chain(inner).collect()
            })
        }
        Data::List(items) => items
            .iter()
            .find(|item| item.at.range.contains_range(place))
            .map_or_else(Vec::new, |item| keys(item, place)),
        _ => Vec::new(),
    }
}
