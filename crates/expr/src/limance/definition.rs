//! LimanCE as an expression language.

use std::sync::LazyLock;

use smol_str::SmolStr;

use super::standalone::STANDALONE;
use super::{FindingKind, LimanCe, LimanceProfile, Parse, check, names, parse, print, vocabulary};
use crate::ast::{Expr, ExprKind, Path};
use crate::constant::{self, Constant};
use crate::eval::{self, Scope, Semantics};
use crate::finding::ExpressionFinding;
use crate::language::{
    Checked, Circumstances, ConditionDecision, Definition, Language, Named, NamedRole, PathUse, StateAccess,
    Syntax,
};
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::Standalone;
use crate::token::{self, Token, TokenClass};
use crate::vocabulary::VocabularyEntry;

/// The conditions of edges.
pub const LANGUAGE: Language = Language::new(&Conditions);

struct Conditions;

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

fn specified(text: &str) -> Parse {
    parse(text, LimanceProfile::Spec)
}

impl Definition for Conditions {
    fn id(&self) -> &'static str {
        "limance"
    }

    fn title(&self) -> &'static str {
        "a condition"
    }

    fn grammar(&self) -> Option<&'static str> {
        Some("limance")
    }

    fn syntax(&self) -> Syntax {
        Syntax {
            is_path: false,
            quote: '\'',
            yields_route: false,
            groups_conditions: true,
            has_function_paths: true,
            has_plain_arguments: true,
            parts_stand_alone: true,
            state: StateAccess::Variables,
            looks_like_yaml: true,
        }
    }

    fn semantics(&self) -> &'static dyn Semantics {
        &LimanCe
    }

    fn vocabulary(&self) -> &'static [VocabularyEntry] {
        static ENTRIES: LazyLock<Vec<VocabularyEntry>> = LazyLock::new(vocabulary::entries);
        &ENTRIES
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        token::without_gaps(text, super::tokens(text), TokenClass::Illegal)
    }

    fn trees(&self, text: &str) -> Vec<Expr> {
        vec![specified(text).expr]
    }

    fn problems(&self, text: &str) -> Vec<ParseProblem> {
        specified(text).problems
    }

    fn check(&self, text: &str) -> Checked {
        let parsed = specified(text);
        let findings =
            check::check(text, &parsed).into_iter().map(ExpressionFinding::<FindingKind>::classed).collect();
        Checked { problems: parsed.problems, findings, keys: Vec::new() }
    }

    fn paths(&self, text: &str) -> Vec<PathUse> {
        let parsed = specified(text);
        let variables = names::variables(&parsed.expr).into_iter();
        variables.filter_map(|path| PathUse::new(path.segments.clone(), true)).collect()
    }

    fn names(&self, text: &str) -> Vec<Named> {
        let parsed = specified(text);
        if let ExprKind::Function(path) = &parsed.expr.kind {
            let name = SmolStr::new(path.dotted());
            return vec![Named { role: NamedRole::Function, name, range: path.range() }];
        }
        names::variables(&parsed.expr).into_iter().flat_map(steps).collect()
    }

    fn constant(&self, text: &str) -> Option<Constant> {
        let parsed = specified(text);
        parsed.accepted().then(|| constant::of_tree(&parsed.expr, &LimanCe)).flatten()
    }

    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>)) {
        let active_errors = circumstances.errors.as_slice();
        let variables = &[circumstances.variables()];
        run(&Scope { variables, now: circumstances.now, active_errors, ..Scope::default() });
    }

    fn decide(
        &self,
        text: &str,
        expr: &Expr,
        _: &Circumstances,
        scope: &Scope<'_>,
    ) -> Option<ConditionDecision> {
        let holds = specified(text).accepted() && eval::holds(expr, &LimanCe, scope) == Ok(true);
        Some(ConditionDecision::of(holds))
    }

    fn standalone(&self) -> Option<&'static Standalone> {
        Some(&STANDALONE)
    }

    fn canonical(&self, text: &str) -> Option<String> {
        let parsed = specified(text);
        if !parsed.accepted() || parsed.function_ref().is_some() || parsed.trailing_semicolon.is_some() {
            return None;
        }
        let after = print::canonical(text, &parsed.expr);
        let is_same = |profile| {
            let (old, new) = (parse(text, profile), parse(&after, profile));
            old.accepted() == new.accepted() && sexpr(&old.expr) == sexpr(&new.expr)
        };
        (is_same(LimanceProfile::Spec) && is_same(LimanceProfile::Release)).then_some(after)
    }

    fn negated(&self, operand: &str) -> Option<String> {
        Some(format!("not {operand}"))
    }
}
