//! What people call a part, and what is said about it where it came or went.

use nodewise_dialect::meaning::{FactForm, MeaningPart, MeaningPiece, PartRole, joined};
use nodewise_dialect::table::ReviewTopic;
use nodewise_model::is_uuid;
use smol_str::SmolStr;

/// What is shown of an added or removed part besides its name: the type of a node, or the condition of an edge.
pub(crate) fn word(part: &MeaningPart) -> Option<String> {
    let condition = || {
        let mut conditions = part
            .facts
            .iter()
            .filter(|fact| fact.topic == ReviewTopic::Condition && fact.form == FactForm::Value);
        let found = conditions.next().filter(|_| part.role == PartRole::Edge)?;
        Some(joined(&found.value))
    };
    part.word.as_ref().map(SmolStr::to_string).or_else(condition)
}

/// The name of a part as people read it: for an edge, `source -> target`.
pub(crate) fn title(part: &MeaningPart) -> String {
    match (part.role, part.ends.as_slice()) {
        (PartRole::Edge, [source, targets @ ..]) => {
            let targets: Vec<&str> = targets.iter().map(MeaningPiece::text).collect();
            format!("{} -> {}", source.text(), targets.join(", "))
        }
        _ => part.name.as_ref().map(|name| shown_name(part, name).to_string()).unwrap_or_default(),
    }
}

/// The name of a declaration, or its label if the name is a UUID.
pub(crate) fn shown_name<'p>(part: &'p MeaningPart, name: &'p SmolStr) -> &'p SmolStr {
    match &part.label {
        Some(label) if is_uuid(name) && !label.is_empty() => label,
        _ => name,
    }
}
