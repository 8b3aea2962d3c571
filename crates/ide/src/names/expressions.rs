//! The names inside expressions: state keys, variables, functions, nodes. In: an expression and its place. Out:
//! occurrences with their places in the file, also through quotes, escapes and folded lines.

use std::collections::BTreeSet;

use nodewise_analysis::conditions::ConditionFacts;
use nodewise_dialect::table::{Language, Use};
use nodewise_dialect::tables::agentos::is_sentinel;
use nodewise_dialect::value::Value;
use nodewise_dialect::walk::Slot;
use nodewise_expr::ast::{Expr, ExprKind, Path};
use nodewise_expr::limance::{self, Profile};
use nodewise_expr::{agentos, filtrex, jsonpath, names};
use nodewise_syntax::{TextRange, TextSize};
use smol_str::{SmolStr, format_smolstr};

use super::collect::{Collector, Written};
use super::{Entity, Sort};

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named {
    /// What it may refer to.
    pub(crate) role: NamedRole,
    /// The name. For a key of a state with parts, including the part.
    pub(crate) name: SmolStr,
    /// Its range in the expression's text.
    pub(crate) range: TextRange,
}

/// What a name in an expression may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedRole {
    /// A key of the state.
    State,
    /// A function of a program.
    Function,
    /// A text that can be the result of the expression, so it may be the id of a node.
    Route,
}

/// The names in an expression.
pub(crate) fn named_in(language: Language, text: &str) -> Vec<Named> {
    let state = |name: SmolStr, range: TextRange| Named { role: NamedRole::State, name, range };
    match language {
        Language::LimanCe => of_condition(text),
        Language::AgentOsRouting => of_routing(text),
        Language::FiltrexEdge | Language::FiltrexVerifier => {
            let parse = filtrex::parse(text);
            let reads = filtrex::reads(&parse.expr);
            let keys = reads.iter().filter_map(filtrex::Read::memory_key);
            keys.map(|key| state(key.name.clone(), key.range)).collect()
        }
        Language::JsonPathState => {
            let keys = jsonpath::memory_keys(&jsonpath::parse(text).path);
            keys.into_iter().map(|key| state(key.name, key.range)).collect()
        }
        Language::JsonPathUpdates | Language::JsonPathValue => Vec::new(),
    }
}

/// A condition of Liman: variables, or the path of a function.
fn of_condition(text: &str) -> Vec<Named> {
    let parse = limance::parse(text, Profile::Spec);
    if let ExprKind::Function(path) = &parse.expr.kind {
        let name = SmolStr::new(path.dotted());
        return vec![Named { role: NamedRole::Function, name, range: path.range() }];
    }
    names::variables(&parse.expr).into_iter().flat_map(steps).collect()
}

/// A variable and each of its members: `ticket` and `ticket.priority` in `ticket.priority`.
fn steps(path: &Path) -> Vec<Named> {
    let mut name = String::new();
    let mut named = Vec::new();
    for segment in &path.segments {
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(&segment.name);
        named.push(Named { role: NamedRole::State, name: SmolStr::new(&name), range: segment.range });
    }
    named
}

fn of_routing(text: &str) -> Vec<Named> {
    let expr = agentos::parse(text);
    let mut found: Vec<Named> = Vec::new();
    for reference in agentos::references(text, &expr) {
        if let [part, key, ..] = reference.path.segments.as_slice() {
            let name = format_smolstr!("{}.{}", part.name, key.name);
            found.push(Named { role: NamedRole::State, name, range: key.range });
        }
    }
    found.extend(routes(text, &expr));
    found.sort_by_key(|named| named.range.start());
    found
}

/// The results that are written literally in the text, with or without quotes.
fn routes(text: &str, expr: &Expr) -> Vec<Named> {
    let in_text = |route: agentos::Route| {
        let written = text.get(std::ops::Range::<usize>::from(route.range))?;
        let inner = written.trim().trim_matches(['"', '\'']);
        let start = written.find(inner).filter(|_| !inner.is_empty() && inner == route.name)?;
        let start = route.range.start() + TextSize::try_from(start).ok()?;
        Some(Named {
            role: NamedRole::Route,
            name: route.name.clone(),
            range: TextRange::at(start, TextSize::of(inner)),
        })
    };
    agentos::routes(expr).constant.into_iter().filter_map(in_text).collect()
}

/// The keys of a part of the state that can be the result of a routing expression.
pub(super) fn routed_keys(conditions: &[ConditionFacts], part: &str) -> BTreeSet<SmolStr> {
    let mut keys = BTreeSet::new();
    for facts in conditions.iter().filter(|facts| facts.language == Language::AgentOsRouting) {
        let parsed = agentos::parse(&facts.text);
        let mut results = vec![&parsed];
        while let Some(expr) = results.pop() {
            match &expr.without_groups().kind {
                ExprKind::Conditional(choice) => results.extend([&choice.consequent, &choice.alternative]),
                ExprKind::Variable(path) => {
                    if let [root, key] = path.segments.as_slice()
                        && root.name == part
                    {
                        keys.insert(key.name.clone());
                    }
                }
                _ => {}
            }
        }
    }
    keys
}

impl Collector<'_> {
    /// The names of an expression.
    pub(super) fn expression(&mut self, slot: Slot, value: &Value<'_>) {
        let Some(facts) = self.condition_at(value.at) else { return };
        let is_alias = Written::of_value(value).is_some_and(|written| written.is_alias(self.tree));
        let place = facts.places(self.tree);
        for named in named_in(facts.language, &facts.text) {
            let (entity, usage) = match named.role {
                NamedRole::State => (self.entity(Sort::State, named.name), Use::Reads),
                NamedRole::Function => (Entity::Function { path: named.name }, Use::Refers),
                NamedRole::Route if is_sentinel(&named.name) || !self.has_node(&named.name) => continue,
                NamedRole::Route => (self.entity(Sort::Node, named.name), Use::Refers),
            };
            self.push(entity, usage, place(named.range), slot);
            if let Some(last) = self.found.last_mut() {
                (last.in_expression, last.is_alias) = (true, is_alias);
            }
        }
    }
}
