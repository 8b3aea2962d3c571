//! What a project knows of one name: who declares it, who refers to it, and what follows from both. Everything that
//! the index knows of names as a whole is a sum over these, so that an edit changes what its names add to it.

use nodewise_dialect::tables::{MODEL_KINDS, TOOL_KINDS};
use nodewise_model::{Few, NameScope, Reference};

use super::{Declared, Resolution};
use crate::facts::DocumentId;
use crate::suggest::KindSet;

#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    /// Who declares it, in load order.
    pub(super) declared: Few<Declared>,
    /// Who refers to it, in load order, in each way once.
    pub(super) users: Few<User>,
}

/// A document that refers to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct User {
    pub(super) document: DocumentId,
    pub(super) want: Want,
}

/// What a reference looks for under its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    scope: &'static NameScope,
    /// The position of the kind in front of the name among those of the scope, counted from 1; 0 without one. There are
    /// many users.
    kind: u8,
}

/// What a name adds to what is known of all.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// The declarations that something refers to.
    pub(super) used: Vec<DocumentId>,
    /// The kinds of those that other documents refer to.
    pub(super) crossed: Vec<&'static str>,
    /// Whether some reference does not reach a declaration of a kind that fits.
    pub(super) is_missed: bool,
    /// Whether such a one stands where tools do.
    pub(super) is_outside_tool: bool,
    /// How many LLM nodes that nothing refers to have the name.
    pub(super) idle_models: usize,
}

impl Name {
    /// Whether nothing is known of it.
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty() && self.users.is_empty()
    }

    /// The kinds under which it is declared, if it is.
    pub(super) fn kinds(&self) -> Option<KindSet> {
        let kinds = self.declared.iter().map(|declared| declared.kind);
        (!self.declared.is_empty()).then(|| KindSet::of(kinds))
    }

    /// Adds a declaration behind those of the same document.
    pub(super) fn declare(&mut self, declared: Declared) {
        let is_before = |other: &Declared| other.document <= declared.document;
        insert(&mut self.declared, declared, is_before);
    }

    /// Adds a user, unless it is there.
    pub(super) fn refer(&mut self, user: User) {
        if self.users.binary_search(&user).is_err() {
            insert(&mut self.users, user, |other| *other < user);
        }
    }

    /// Whether both are declared by the same documents in the same way, wherever in their texts.
    pub(super) fn is_declared_like(&self, other: &Name) -> bool {
        let way = |declared: &Declared| (declared.document, declared.kind, declared.part);
        self.declared.iter().map(way).eq(other.declared.iter().map(way))
    }

    /// What it adds to what is known of all names.
    pub(super) fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        // Mostly all want the same.
        let first = self.users.first().map(|user| (user.want, user.want.resolve(&self.declared)));
        let mut others: Vec<(Want, Resolution<'_>)> = Vec::new();
        for user in &self.users {
            let is_known = |(want, _): &&(Want, Resolution<'_>)| *want == user.want;
            if first.iter().chain(&others).find(is_known).is_none() {
                others.push((user.want, user.want.resolve(&self.declared)));
            }
            match first.iter().chain(&others).find(is_known).map(|(_, resolution)| resolution) {
                Some(Resolution::To(declared)) if declared.document != user.document => {
                    add(&mut summary.used, declared.document);
                    add(&mut summary.crossed, declared.kind);
                }
                Some(Resolution::Ambiguous(all)) => {
                    all.iter().take(1).for_each(|first| add(&mut summary.used, first.document));
                }
                Some(Resolution::WrongKind(_) | Resolution::Nothing) => {
                    summary.is_missed = true;
                    summary.is_outside_tool |= user.want.takes_tools();
                }
                Some(Resolution::To(_)) | None => {}
            }
        }
        let is_idle = |declared: &&Declared| {
            MODEL_KINDS.contains(&declared.kind) && !summary.used.contains(&declared.document)
        };
        summary.idle_models = self.declared.iter().filter(is_idle).count();
        summary
    }
}

impl Want {
    /// What a reference looks for.
    pub(super) fn of(reference: &Reference) -> Want {
        let position = |kind: &str| reference.scope.kinds.iter().position(|known| *known == kind);
        let kind = reference.kind().and_then(position).and_then(|position| u8::try_from(position + 1).ok());
        Want { scope: reference.scope, kind: kind.unwrap_or_default() }
    }

    /// The kind in front of the name.
    fn kind(self) -> Option<&'static str> {
        self.scope.kinds.get(usize::from(self.kind).checked_sub(1)?).copied()
    }

    /// Whether a declaration of a kind is what the reference looks for.
    pub(super) fn accepts(self, kind: &str) -> bool {
        self.kind().map_or_else(|| self.scope.kinds.contains(&kind), |written| written == kind)
    }

    fn resolve(self, candidates: &[Declared]) -> Resolution<'_> {
        Resolution::of(candidates, self.scope, |kind| self.kind().is_none_or(|written| written == kind))
    }

    fn takes_tools(self) -> bool {
        match self.kind() {
            Some(written) => TOOL_KINDS.contains(&written),
            None => TOOL_KINDS.iter().any(|kind| self.scope.kinds.contains(kind)),
        }
    }

    /// Scopes are few and stand at fixed places, so the place tells them apart.
    fn key(self) -> (usize, u8) {
        (std::ptr::from_ref(self.scope).addr(), self.kind)
    }
}

impl PartialEq for Want {
    fn eq(&self, other: &Want) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Want {}

impl PartialOrd for Want {
    fn partial_cmp(&self, other: &Want) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Want {
    fn cmp(&self, other: &Want) -> std::cmp::Ordering {
        self.key().cmp(&other.key())
    }
}

/// Adds an item behind all that are before it.
fn insert<T>(list: &mut Few<T>, item: T, is_before: impl Fn(&T) -> bool) {
    let position = match list.last().is_none_or(&is_before) {
        true => list.len(),
        false => list.partition_point(is_before),
    };
    list.insert(position, item);
}

/// Adds to a short list what is not in it.
fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
