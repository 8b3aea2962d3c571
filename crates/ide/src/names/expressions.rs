//! The names inside expressions: state keys, variables, functions, nodes. In: an expression and its place. Out:
//! occurrences with their places in the file, also through quotes, escapes and folded lines.

use nodewise_dialect::table::NameUse;
use nodewise_dialect::value::SpannedValue;
use nodewise_dialect::walk::Slot;
use nodewise_expr::language::NamedRole;

use super::collect::Collector;
use super::written::Written;
use super::{Entity, NameKind};

impl Collector<'_> {
    /// The names of an expression.
    pub(super) fn expression(&mut self, slot: Slot, value: &SpannedValue<'_>) {
        let Some(facts) = self.condition_at(value.at) else { return };
        let is_alias = Written::of_value(value).is_some_and(|written| written.is_alias(self.tree));
        let place = facts.places(self.tree);
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
            self.push(entity, usage, place(named.range), slot);
            if let Some(last) = self.found.last_mut() {
                (last.in_expression, last.is_alias) = (true, is_alias);
            }
        }
    }
}
