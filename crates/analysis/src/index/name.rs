//! What a project knows of one name: who declares it, who refers to it, and what follows from both. Everything that
//! the index knows of names as a whole is a sum over these, so that an edit changes what its names add to it.

use nodewise_dialect::tables::{MODEL_KINDS, TOOL_KINDS};
use nodewise_model::{Few, NameScope, Reference};

use super::{Declared, Resolution};
use crate::facts::DocumentId;
use crate::suggest::KindSet;

#[derive(Debug, Clone, Default)]
pub(super) struct Name {
    /// The declarations, in load order.
    pub(super) declared: Few<Declared>,
    /// The references, in load order. A document is listed once for each way in which it refers to the name.
    pub(super) users: Few<User>,
}

/// A reference from a document to a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct User {
    pub(super) document: DocumentId,
    pub(super) want: Want,
}

/// Which kinds of declarations a reference accepts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Want {
    scope: &'static NameScope,
    /// For `Kind/name`, the position of the kind in the scope, counted from 1; 0 without a kind. A single byte, because
    /// there are many of these.
    kind: u8,
}

/// What one name contributes to the counts over all names.
#[derive(Debug, Default)]
pub(super) struct Summary {
    /// The documents with a declaration to which something refers.
    pub(super) used: Vec<DocumentId>,
    /// The kinds of declarations to which other documents refer.
    pub(super) crossed: Vec<&'static str>,
    /// Whether some reference finds no declaration of a fitting kind.
    pub(super) is_missed: bool,
    /// Whether such a reference is in a place for tools.
    pub(super) is_outside_tool: bool,
    /// How many LLM nodes have this name and are not referred to.
    pub(super) idle_models: usize,
}

impl Name {
    /// Whether it is neither declared nor referred to.
    pub(super) fn is_empty(&self) -> bool {
        self.declared.is_empty() && self.users.is_empty()
    }

    /// The kinds under which it is declared; `None` if it is not declared.
    pub(super) fn kinds(&self) -> Option<KindSet> {
        let kinds = self.declared.iter().map(|declared| declared.kind);
        (!self.declared.is_empty()).then(|| KindSet::of(kinds))
    }

    /// Adds a declaration after those of the same document.
    pub(super) fn declare(&mut self, declared: Declared) {
        let is_before = |other: &Declared| other.document <= declared.document;
        insert(&mut self.declared, declared, is_before);
    }

    /// Adds a reference, unless it is already listed.
    pub(super) fn refer(&mut self, user: User) {
        if self.users.binary_search(&user).is_err() {
            insert(&mut self.users, user, |other| *other < user);
        }
    }

    /// Whether both have the same declarations, whatever their positions in the text.
    pub(super) fn is_declared_like(&self, other: &Name) -> bool {
        let way = |declared: &Declared| (declared.document, declared.kind, declared.part);
        self.declared.iter().map(way).eq(other.declared.iter().map(way))
    }

    /// What this name contributes to the counts over all names.
    pub(super) fn summary(&self) -> Summary {
        let mut summary = Summary::default();
        // Usually all references accept the same kinds, so resolve the first one only once.
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

    pub(super) fn scope(self) -> &'static NameScope {
        self.scope
    }

    /// The kind written in front of the name.
    fn kind(self) -> Option<&'static str> {
        self.scope.kinds.get(usize::from(self.kind).checked_sub(1)?).copied()
    }

    /// Whether the reference accepts a declaration of this kind.
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

    /// Scopes are statics, so their addresses identify them.
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

/// Inserts an item after all items for which `is_before` holds.
fn insert<T>(list: &mut Few<T>, item: T, is_before: impl Fn(&T) -> bool) {
    let position = match list.last().is_none_or(&is_before) {
        true => list.len(),
        false => list.partition_point(is_before),
    };
    list.insert(position, item);
}

/// Adds an item to a short list, unless it is already there.
fn add<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}
