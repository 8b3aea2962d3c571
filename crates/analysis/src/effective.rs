//! What a document amounts to by itself, or with the overlays that patch it.
//!
//! Input: a value, overlays applied, and its table; output: the declaration, the names that it looks up, what it lacks.
//! Invariant: mistakes are corrected, and [`Effective::written`] is what a run reads.

use std::sync::OnceLock;

use nodewise_dialect::bind::{self, Bound, Issue, IssueKind};
use nodewise_dialect::recovery::recover;
use nodewise_dialect::suggest;
use nodewise_dialect::table::{Dialect, Exclusive, Kind, Required, Type};
use nodewise_dialect::tight::tight;
use nodewise_dialect::value::{Data, SpannedEntry, SpannedValue};
use nodewise_model::graph::Graph;
use nodewise_model::{Declaration, Node, Rare, Reference};
use thin_vec::ThinVec;

use crate::faults::{EffectiveFaults, MissingPrompt};
use crate::graphs::GraphFacts;
use crate::settings::Settings;
use crate::texts;

/// A declaration, or the readable rest of one, with its overlays applied.
#[derive(Debug, Default)]
pub struct Effective {
    /// The declaration in the model, with its mistakes corrected; `None` if the document declares nothing.
    pub declaration: Option<Declaration>,
    /// The names that the declaration looks up. `None` in the usual case: the declaration is a node that lists them all in
    /// the order of the text.
    listed: Option<ThinVec<Reference>>,
    /// Required parts that are missing, and parts that exclude one another.
    pub faults: Rare<EffectiveFaults>,
    /// The facts about its graphs, computed when a rule first asks. `None` if it has no graphs, like most documents.
    pub(crate) graphs: Option<Box<OnceLock<ThinVec<GraphFacts>>>>,
}

impl Effective {
    /// The result for a document that declares nothing: only the names that it looks up.
    pub(crate) fn of_references(references: Vec<Reference>) -> Effective {
        Effective { listed: Some(references.into()), ..Effective::default() }
    }

    /// The names that the document looks up, in the order of its text.
    pub fn references(&self) -> impl Iterator<Item = &Reference> + Clone {
        let node = self.declaration.as_ref().filter(|_| self.listed.is_none()).and_then(Declaration::node);
        self.listed.iter().flatten().chain(node.into_iter().flat_map(Node::references))
    }

    /// The graphs that the document declares, each with its facts.
    pub fn graphs(&self) -> impl Iterator<Item = (&Graph, &GraphFacts)> {
        self.declaration.iter().flat_map(Declaration::graphs).zip(self.graph_facts())
    }

    /// The graph at a position in the document, with its facts.
    #[must_use]
    pub fn graph(&self, position: usize) -> Option<(&Graph, &GraphFacts)> {
        let facts = self.graph_facts().get(position)?;
        Some((self.declaration.as_ref()?.graph(position)?, facts))
    }

    fn graph_facts(&self) -> &[GraphFacts] {
        let facts = self.graphs.as_ref();
        facts.map_or(&[], |facts| facts.get_or_init(|| graph_facts(self.declaration.as_ref())))
    }

    /// The facts of its graphs, if they are already computed.
    pub(crate) fn known_graphs(&self) -> Option<&[GraphFacts]> {
        self.graphs.as_ref()?.get().map(ThinVec::as_slice)
    }

    /// The effective declaration for `value`, in which overlays are already applied.
    #[must_use]
    pub fn of_declaration(
        dialect: &'static Dialect,
        kind: &'static Kind,
        value: &SpannedValue<'_>,
        settings: &Settings,
    ) -> Effective {
        let (bound, declaration) = (bind::bind(kind, value), (dialect.lower)(kind, value));
        let is_extra = |key: &str| settings.is_extra_field(dialect, key);
        let recovered = match !settings.is_literal && bound.issues.iter().any(may_be_mistake) {
            true => recover(dialect, kind, value, &is_extra),
            false => None,
        };
        match recovered {
            Some((meant, _)) => {
                let fixed = (dialect.lower)(kind, &meant);
                Effective::new(dialect, kind, &meant, bind::bind(kind, &meant), fixed)
                    .with_written(declaration)
            }
            None => Effective::new(dialect, kind, value, bound, declaration),
        }
    }

    /// The declaration with its mistakes as written. A run reads this one.
    #[must_use]
    pub fn written(&self) -> Option<&Declaration> {
        self.faults.written.as_ref().unwrap_or(&self.declaration).as_ref()
    }

    /// Sets the declaration that a run would read, for a document with mistakes.
    pub(crate) fn with_written(mut self, declaration: Option<Declaration>) -> Effective {
        self.faults.change(|faults| faults.written = Some(declaration));
        self
    }

    pub(crate) fn new(
        dialect: &'static Dialect,
        kind: &'static Kind,
        value: &SpannedValue<'_>,
        bound: Bound<'_, '_>,
        declaration: Option<Declaration>,
    ) -> Effective {
        let node = declaration.as_ref().and_then(Declaration::node);
        let is_held = node.into_iter().flat_map(Node::references).eq(&bound.references);
        let has_graphs = declaration.iter().flat_map(Declaration::graphs).next().is_some();
        let both = |pair: &Exclusive| Some((pair.id, (pair.find)(kind, value)?));
        Effective {
            listed: (!is_held).then(|| tight(bound.references.into_iter())),
            faults: Rare::from(EffectiveFaults {
                unknown: tight(bound.unknown.into_iter()),
                absences: tight(bound.issues.into_iter().filter(is_absence)),
                texts: tight(bound.bundles.iter().filter_map(texts::judge)),
                without_system_prompt: without_usual(kind, value),
                exclusive: tight(dialect.exclusive.iter().filter_map(both)),
                written: None,
            }),
            graphs: has_graphs.then(Box::default),
            declaration,
        }
    }
}

pub(crate) fn graph_facts(declaration: Option<&Declaration>) -> ThinVec<GraphFacts> {
    tight(declaration.into_iter().flat_map(Declaration::graphs).map(GraphFacts::new))
}

/// Where the text for the model is missing that every model gets: the value of a required field has none of its usual keys,
/// not even under a language code.
fn without_usual(kind: &Kind, value: &SpannedValue<'_>) -> Option<MissingPrompt> {
    let fields = kind.shape.fields.iter().filter(|field| field.required == Required::Yes);
    fields.filter_map(|field| Some((field.usual?, value.get(field.key)?))).find_map(|(usual, member)| {
        let is_usual = |member: &SpannedEntry<'_>| usual.field(&member.key).is_some();
        match &member.value.data {
            Data::Text(text) => (!text.is_empty()).then_some(MissingPrompt::In(member.value.at)),
            Data::Map(members) => {
                let below = members.iter().flat_map(|member| member.value.as_map().unwrap_or_default());
                let is_open = members.iter().any(|member| matches!(member.value.data, Data::Unknown));
                let has_usual = is_open || members.iter().chain(below).any(is_usual);
                // A key that contains the expected name, for instance `system_prompt`.
                let near = usual.fields.iter().find_map(|field| {
                    members.iter().find(|member| suggest::meant(field.key, &[&member.key]).is_some())
                });
                (!members.is_empty() && !has_usual).then(|| match near {
                    Some(near) => MissingPrompt::Misspelt(near.key_at, near.key.to_string()),
                    None => MissingPrompt::In(member.key_at),
                })
            }
            _ => None,
        }
    })
}

/// Whether the issue is that something is missing. An overlay may add it.
pub(crate) fn is_absence(issue: &Issue) -> bool {
    matches!(issue.kind, IssueKind::MissingField | IssueKind::MissingVariant(_) | IssueKind::MissingCondition)
}

/// Whether the issue is about something that the system ignores instead of refusing it.
pub(crate) fn is_ignored_key(issue: &Issue) -> bool {
    matches!(
        issue.kind,
        IssueKind::UnknownField(_)
            | IssueKind::Superseded(_)
            | IssueKind::Unheeded
            | IssueKind::Pattern(_)
            | IssueKind::Schema(_)
    )
}

/// Whether the issue may be a mistake whose meaning is clear, such as a misspelt key.
pub(crate) fn may_be_mistake(issue: &Issue) -> bool {
    let is_word = || issue.field.is_some_and(|field| matches!(field.ty, Type::Word(_)));
    matches!(issue.kind, IssueKind::MissingField) && is_word()
        || matches!(
            issue.kind,
            IssueKind::UnknownField(_)
                | IssueKind::BadWord(..)
                | IssueKind::BadVariant(..)
                | IssueKind::MissingVariant(_)
                | IssueKind::WrongType(..)
        )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_model::SourceId;

    use super::Effective;
    use crate::facts::FileFacts;
    use crate::settings::Settings;

    /// The names that a document looks up in the order of its text, and whether its node holds them in that order.
    #[track_caller]
    fn check_references(text: &str, expected: &str, is_held: bool) {
        let settings = Arc::new(Settings::default());
        let file = FileFacts::new(SourceId(0), "a.yaml".into(), text.into(), settings);
        let effective = file.documents.first().and_then(|document| document.effective.as_ref()).unwrap();
        let names: Vec<&str> = effective.references().map(|reference| reference.name.as_str()).collect();
        assert_eq!((&*names.join(" "), effective.listed.is_none()), (expected, is_held));
        assert_eq!(
            Effective::of_references(effective.references().cloned().collect()).references().count(),
            names.len()
        );
    }

    #[test]
    fn references_stand_in_the_order_of_the_text() {
        let head = "kind: LLMNode\nname: a\nprompts: {system: {en: You.}}\n";
        let tools = "tools: [b, c]\n";
        let nodes = "nodes: [{target: d, id: x}, {target: [e, f], id: y}]\n";
        check_references(&format!("{head}{tools}{nodes}"), "b c d e f", true);
        check_references(&format!("{head}{nodes}{tools}"), "d e f b c", false);
        check_references(head, "", true);
        let provider = "kind: ServiceAccount\nname: a\ncredentials_providers: [b, c]\n";
        check_references(provider, "b c", false);
    }
}
