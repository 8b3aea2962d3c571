//! AgentOS' routing expressions as an expression language.

use std::sync::LazyLock;

use nodewise_platform::sorting::Sorting;
use smol_str::format_smolstr;
use text_size::{TextRange, TextSize};

use super::standalone::STANDALONE;
use super::{
    EdgeVerdict, RoutingSemantics, canonical, check, edge_verdict, meant_tokens, parse, references, result,
    routes,
};
use super::{FindingKind, PARTITIONS, slice, vocabulary};
use crate::ast::{Expr, ExprKind, Segment};
use crate::constant::Constant;
use crate::eval::{Scope, Semantics};
use crate::finding::ExpressionFinding;
use crate::language::{
    Checked, Circumstances, ConditionDecision, Definition, Language, Named, NamedRole, PathUse, Route,
    Routes, StateAccess, Syntax,
};
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::Standalone;
use crate::token::{self, Token, TokenClass};
use crate::value::Value;
use crate::vocabulary::VocabularyEntry;

/// The expressions of edges and of routers.
pub const ROUTING: Language = Language::new(&Routing);

struct Routing;

/// The results that the text contains letter by letter, with quotes or without.
fn written_routes(text: &str, expr: &Expr) -> Vec<Named> {
    let in_text = |route: Route| {
        let written = slice(text, route.range);
        let inner = written.trim().trim_matches(['"', '\'']);
        let start = written.find(inner).filter(|_| !inner.is_empty() && inner == route.name)?;
        let start = route.range.start() + TextSize::try_from(start).ok()?;
        let range = TextRange::at(start, TextSize::of(inner));
        Some(Named { role: NamedRole::Route, name: route.name, range })
    };
    routes(expr).constant.into_iter().filter_map(in_text).collect()
}

impl Definition for Routing {
    fn id(&self) -> &'static str {
        "agentos"
    }

    fn title(&self) -> &'static str {
        "a routing expression"
    }

    fn grammar(&self) -> Option<&'static str> {
        Some("agentos_routing")
    }

    fn syntax(&self) -> Syntax {
        Syntax {
            is_path: false,
            quote: '\'',
            yields_route: true,
            groups_conditions: false,
            has_function_paths: false,
            has_plain_arguments: false,
            parts_stand_alone: false,
            state: StateAccess::Parts(&PARTITIONS),
            looks_like_yaml: false,
        }
    }

    fn semantics(&self) -> &'static dyn Semantics {
        &RoutingSemantics
    }

    fn vocabulary(&self) -> &'static [VocabularyEntry] {
        static ENTRIES: LazyLock<Vec<VocabularyEntry>> = LazyLock::new(vocabulary::entries);
        &ENTRIES
    }

    // The text between the parts of a routing expression is the signs of a choice.
    fn tokens(&self, text: &str) -> Vec<Token> {
        token::without_gaps(text, super::tokens(text), TokenClass::Operator)
    }

    fn meant_tokens(&self, text: &str) -> Vec<Token> {
        token::without_gaps(text, meant_tokens(text), TokenClass::Illegal)
    }

    fn trees(&self, text: &str) -> Vec<Expr> {
        vec![parse(text)]
    }

    fn problems(&self, _: &str) -> Vec<ParseProblem> {
        Vec::new()
    }

    fn check(&self, text: &str) -> Checked {
        let findings =
            check(text, &parse(text)).into_iter().map(ExpressionFinding::<FindingKind>::classed).collect();
        Checked { findings, ..Checked::default() }
    }

    fn paths(&self, text: &str) -> Vec<PathUse> {
        let references = references(text, &parse(text)).into_iter();
        references.filter_map(|reference| PathUse::new(reference.path.segments, reference.is_read)).collect()
    }

    fn names(&self, text: &str) -> Vec<Named> {
        let expr = parse(text);
        let mut found: Vec<Named> = Vec::new();
        for reference in references(text, &expr) {
            if let [part, key, ..] = reference.path.segments.as_slice() {
                let name = format_smolstr!("{}.{}", part.name, key.name);
                found.push(Named { role: NamedRole::State, name, range: key.range });
            }
        }
        found.extend(written_routes(text, &expr));
        found.arrange_by_key(|named| named.range.start());
        found
    }

    fn result_paths(&self, text: &str) -> Vec<Vec<Segment>> {
        let parsed = parse(text);
        let mut results = vec![&parsed];
        let mut paths = Vec::new();
        while let Some(expr) = results.pop() {
            match &expr.without_groups().kind {
                ExprKind::Conditional(choice) => results.extend([&choice.consequent, &choice.alternative]),
                ExprKind::Variable(path) => paths.push(path.segments.to_vec()),
                _ => {}
            }
        }
        paths
    }

    fn routes(&self, text: &str) -> Routes {
        routes(&parse(text))
    }

    fn constant(&self, text: &str) -> Option<Constant> {
        let routes = routes(&parse(text));
        match routes.constant.as_slice() {
            [only] if !routes.has_others => Some(Constant::Value(Value::Text(only.name.clone()))),
            _ => None,
        }
    }

    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>)) {
        run(&Scope { variables: &[circumstances.variables()], ..Scope::default() });
    }

    fn decide(
        &self,
        _: &str,
        expr: &Expr,
        _: &Circumstances,
        scope: &Scope<'_>,
    ) -> Option<ConditionDecision> {
        Some(match edge_verdict(&result(expr, scope)) {
            EdgeVerdict::Follow => ConditionDecision::Holds,
            EdgeVerdict::Skip => ConditionDecision::Fails,
            EdgeVerdict::Other(name) => ConditionDecision::LeadsTo(name),
        })
    }

    fn standalone(&self) -> Option<&'static Standalone> {
        Some(&STANDALONE)
    }

    fn canonical(&self, text: &str) -> Option<String> {
        let expr = parse(text);
        let after = canonical(text, &expr);
        (sexpr(&parse(&after)) == sexpr(&expr)).then_some(after)
    }

    fn negated(&self, operand: &str) -> Option<String> {
        Some(format!("{operand} == false"))
    }
}
