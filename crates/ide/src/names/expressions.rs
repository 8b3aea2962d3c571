//! The names inside expressions: state keys, variables, functions, nodes. In: an expression and its place. Out:
//! occurrences with their places in the file, also through quotes, escapes and folded lines.

use std::ops::Range;

use nodewise_dialect::table::NameUse;
use nodewise_dialect::value::SpannedValue;
use nodewise_dialect::walk::Slot;
use nodewise_expr::language::NamedRole;
use nodewise_syntax::TextRange;

use super::collect::Collector;
use super::written::{NamePlace, Written};
use super::{Entity, NameKind};

impl Collector<'_> {
    /// The names of an expression.
    pub(super) fn expression(&mut self, slot: Slot, value: &SpannedValue<'_>) {
        let Some(facts) = self.condition_at(value.at) else { return };
        let written = Written::of_value(value);
        let is_alias = written.as_ref().is_some_and(|written| written.is_alias(self.tree));
        let in_file = facts.places(self.tree);
        let place = |range: TextRange| match written.as_ref().filter(|_| self.tree.is_built()) {
            Some(written) => written.place(self.snapshot, self.tree, range.into()),
            None => Some(NamePlace::of_letters(in_file(range))),
        };
        for named in facts.language.names(&facts.text) {
            let (entity, usage) = match named.role {
                NamedRole::State => (self.entity(NameKind::State, named.name), NameUse::Reads),
                NamedRole::Function => (Entity::Function { path: named.name }, NameUse::Refers),
                NamedRole::Route
                    if self.dialect.conventions.is_reserved(&named.name) || !self.has_node(&named.name) =>
                {
                    continue;
                }
                NamedRole::Route => (self.entity(NameKind::Node, named.name), NameUse::Refers),
            };
            let Some(at) = place(named.range) else { continue };
            let part = facts.text.get(Range::<usize>::from(named.range)).unwrap_or_default();
            self.push(entity, usage, at, part, slot);
            if let Some(last) = self.found.last_mut() {
                (last.in_expression, last.is_alias) = (true, is_alias);
            }
        }
    }
}
