//! filtrex as an expression language: over the whole state for edges, over a part of it for verifiers.

use std::sync::LazyLock;

use smol_str::SmolStr;
use text_size::TextRange;

use super::standalone::STANDALONE;
use super::{
    ExpressionPlace, Filtrex, FindingKind, MEMORY, check, parse, reads, taint, tainted_keys, verifier_view,
    vocabulary,
};
use crate::ast::{Expr, Segment};
use crate::constant::{self, Constant};
use crate::eval::{Scope, Semantics};
use crate::finding::ExpressionFinding;
use crate::language::{
    Checked, Circumstances, ConditionDecision, Definition, Language, Named, PathUse, StateAccess, Syntax,
};
use crate::problem::ParseProblem;
use crate::sexpr::sexpr;
use crate::standalone::Standalone;
use crate::token::{self, Token, TokenClass};
use crate::vocabulary::VocabularyEntry;

/// The conditions of edges.
pub const EDGE: Language = Language::new(&Expressions { place: ExpressionPlace::Edge });
pub const VERIFIER: Language = Language::new(&Expressions { place: ExpressionPlace::Verifier });

struct Expressions {
    place: ExpressionPlace,
}

fn memory_keys(expr: &Expr) -> Vec<(SmolStr, TextRange)> {
    let reads = reads(expr);
    let keys = reads.iter().filter_map(|read| read.memory_key());
    keys.map(|key| (key.name.clone(), key.range)).collect()
}

impl Definition for Expressions {
    fn id(&self) -> &'static str {
        match self.place {
            ExpressionPlace::Edge => "filtrex",
            ExpressionPlace::Verifier => "filtrex-verifier",
        }
    }

    fn title(&self) -> &'static str {
        "a filtrex expression"
    }

    fn grammar(&self) -> Option<&'static str> {
        Some("filtrex")
    }

    fn syntax(&self) -> Syntax {
        Syntax {
            is_path: false,
            quote: '"',
            yields_route: false,
            groups_conditions: false,
            has_function_paths: false,
            has_plain_arguments: false,
            parts_stand_alone: true,
            state: StateAccess::Keys(MEMORY),
            looks_like_yaml: false,
        }
    }

    fn semantics(&self) -> &'static dyn Semantics {
        &Filtrex
    }

    fn vocabulary(&self) -> &'static [VocabularyEntry] {
        static EDGE: LazyLock<Vec<VocabularyEntry>> = LazyLock::new(|| vocabulary::entries(false));
        static VERIFIER: LazyLock<Vec<VocabularyEntry>> = LazyLock::new(|| vocabulary::entries(true));
        match self.place {
            ExpressionPlace::Edge => &EDGE,
            ExpressionPlace::Verifier => &VERIFIER,
        }
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        token::without_gaps(text, super::tokens(text), TokenClass::Illegal)
    }

    fn trees(&self, text: &str) -> Vec<Expr> {
        vec![parse(text).expr]
    }

    fn problems(&self, text: &str) -> Vec<ParseProblem> {
        parse(text).problems
    }

    fn check(&self, text: &str) -> Checked {
        let parsed = parse(text);
        let findings = check(text, &parsed, self.place);
        let keys = memory_keys(&parsed.expr);
        let findings = findings.into_iter().map(ExpressionFinding::<FindingKind>::classed).collect();
        Checked { problems: parsed.problems, findings, keys }
    }

    fn paths(&self, text: &str) -> Vec<PathUse> {
        let parsed = parse(text);
        let segments =
            |read: &super::Read<'_>| -> Vec<Segment> { read.segments.iter().copied().cloned().collect() };
        reads(&parsed.expr).iter().filter_map(|read| PathUse::new(segments(read), true)).collect()
    }

    fn names(&self, text: &str) -> Vec<Named> {
        Named::keys(memory_keys(&parse(text).expr))
    }

    fn constant(&self, text: &str) -> Option<Constant> {
        let parsed = parse(text);
        parsed.accepted().then(|| constant::of_tree(&parsed.expr, &Filtrex)).flatten()
    }

    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>)) {
        let state = circumstances.variables();
        match self.place {
            ExpressionPlace::Edge => {
                let taint = taint(&tainted_keys(state));
                run(&Scope { variables: &[&taint, state], ..Scope::default() });
            }
            ExpressionPlace::Verifier => {
                let slice = verifier_view(state);
                run(&Scope { variables: &[&slice], ..Scope::default() });
            }
        }
    }

    fn decide(
        &self,
        text: &str,
        _: &Expr,
        circumstances: &Circumstances,
        scope: &Scope<'_>,
    ) -> Option<ConditionDecision> {
        let parsed = parse(text);
        let holds = match self.place {
            ExpressionPlace::Edge => {
                let tainted = tainted_keys(circumstances.variables());
                let is_forbidden = circumstances.strict_taint && super::mentions_memory(text, &tainted);
                !is_forbidden && parsed.edge_verdict(scope)
            }
            ExpressionPlace::Verifier => parsed.verifier_verdict(scope).unwrap_or(false),
        };
        Some(ConditionDecision::of(holds))
    }

    fn standalone(&self) -> Option<&'static Standalone> {
        (self.place == ExpressionPlace::Edge).then_some(&STANDALONE)
    }

    fn canonical(&self, text: &str) -> Option<String> {
        let parsed = parse(text);
        let after = super::canonical(text);
        let again = parse(&after);
        let is_same = parsed.accepted() && again.accepted() && sexpr(&parsed.expr) == sexpr(&again.expr);
        is_same.then_some(after)
    }

    fn negated(&self, operand: &str) -> Option<String> {
        Some(format!("not {operand}"))
    }
}
