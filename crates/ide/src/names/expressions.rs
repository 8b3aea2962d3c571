//! The names inside expressions: keys of the state, variables, functions. In: an expression in its place; out:
//! occurrences with their places in the file, through quotes, escapes and folded lines.

use nodewise_analysis::conditions::ConditionFacts;
use nodewise_dialect::table::{Language, Use};
use nodewise_dialect::value::Value;
use nodewise_dialect::walk::Slot;
use nodewise_expr::ast::ExprKind;
use nodewise_expr::limance::{self, Profile};
use nodewise_expr::{agentos, names};
use nodewise_model::Origin;
use smol_str::{SmolStr, format_smolstr};

use super::collect::Collector;
use super::{Entity, Sort};

impl Collector<'_> {
    /// The names of an expression.
    pub(super) fn expression(&mut self, slot: Slot, value: &Value<'_>) {
        let conditions = &self.document.conditions;
        let Some(facts) = conditions.iter().find(|facts| facts.at == value.at) else { return };
        match facts.language {
            Language::LimanCe => self.condition(slot, facts),
            Language::AgentOsRouting => {
                for reference in agentos::references(&facts.text, &agentos::parse(&facts.text)) {
                    if let [part, key, ..] = reference.path.segments.as_slice() {
                        let name = format_smolstr!("{}.{}", part.name, key.name);
                        self.state(name, facts.place(self.tree, key.range), slot);
                    }
                }
            }
            Language::FiltrexEdge
            | Language::FiltrexVerifier
            | Language::JsonPathState
            | Language::JsonPathUpdates
            | Language::JsonPathValue => {
                for key in &facts.keys {
                    self.state(key.value.clone(), key.at, slot);
                }
            }
        }
    }

    /// A condition of Liman: variables, or the path of a function.
    fn condition(&mut self, slot: Slot, facts: &ConditionFacts) {
        let parse = limance::parse(&facts.text, Profile::Spec);
        if let ExprKind::Function(path) = &parse.expr.kind {
            let entity = Entity::Function { path: SmolStr::new(path.dotted()) };
            self.in_expression(entity, facts.place(self.tree, path.range()), slot);
            return;
        }
        for path in names::variables(&parse.expr) {
            if let Some(root) = path.segments.first() {
                self.state(root.name.clone(), facts.place(self.tree, root.range), slot);
            }
        }
    }

    fn state(&mut self, name: SmolStr, at: Origin, slot: Slot) {
        let entity = self.entity(Sort::State, name);
        self.in_expression(entity, at, slot);
    }

    fn in_expression(&mut self, entity: Entity, at: Origin, slot: Slot) {
        let usage = if matches!(entity, Entity::Function { .. }) { Use::Refers } else { Use::Reads };
        self.push(entity, usage, at, slot);
        if let Some(last) = self.found.last_mut() {
            last.in_expression = true;
        }
    }
}
