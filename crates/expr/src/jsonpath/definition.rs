//! JSONPath as an expression language, one for each kind of value that a path is over.

use std::sync::LazyLock;

use smol_str::SmolStr;
use text_size::TextRange;

use super::reads::MEMORY;
use super::standalone::STANDALONE;
use super::{
    FindingKind, JsonPathFilter, JsonPathSegment, Parse, PathPurpose, SegmentKind, Selected, authored, check,
    memory_keys, named, parse, select, vocabulary,
};
use crate::ast::Expr;
use crate::constant::Constant;
use crate::eval::{Scope, Semantics};
use crate::finding::ExpressionFinding;
use crate::language::{
    Checked, Circumstances, ConditionDecision, Definition, EvaluationFailure, Language, Named, PathUse,
    StateAccess, Syntax,
};
use crate::problem::ParseProblem;
use crate::standalone::Standalone;
use crate::token::{self, Token, TokenClass};
use crate::value::Value;
use crate::vocabulary::VocabularyEntry;

/// Paths over the state that a node sees.
pub const STATE: Language = Language::new(&Paths { used_for: PathPurpose::Items });
/// Paths over what an agent has just written.
pub const UPDATES: Language = Language::new(&Paths { used_for: PathPurpose::Score });
/// Paths over one value of the memory.
pub const VALUE: Language = Language::new(&Paths { used_for: PathPurpose::Assertion });

struct Paths {
    used_for: PathPurpose,
}

impl Paths {
    fn keys(&self, parsed: &Parse) -> Vec<(SmolStr, TextRange)> {
        match self.used_for {
            PathPurpose::Items => {
                memory_keys(&parsed.path).into_iter().map(|key| (key.name, key.range)).collect()
            }
            PathPurpose::Score | PathPurpose::Assertion => Vec::new(),
        }
    }
}

impl Definition for Paths {
    fn id(&self) -> &'static str {
        match self.used_for {
            PathPurpose::Items => "jsonpath-state",
            PathPurpose::Score => "jsonpath-updates",
            PathPurpose::Assertion => "jsonpath",
        }
    }

    fn title(&self) -> &'static str {
        "a JSONPath"
    }

    fn syntax(&self) -> Syntax {
        Syntax {
            is_path: true,
            quote: '\'',
            yields_route: false,
            groups_conditions: false,
            has_function_paths: false,
            has_plain_arguments: false,
            parts_stand_alone: true,
            state: match self.used_for {
                PathPurpose::Items => StateAccess::Keys(MEMORY),
                PathPurpose::Score => StateAccess::OwnWrites,
                PathPurpose::Assertion => StateAccess::Value,
            },
            looks_like_yaml: false,
        }
    }

    fn semantics(&self) -> &'static dyn Semantics {
        &JsonPathFilter
    }

    fn vocabulary(&self) -> &'static [VocabularyEntry] {
        static STATE: LazyLock<Vec<VocabularyEntry>> =
            LazyLock::new(|| vocabulary::entries(PathPurpose::Items));
        static UPDATES: LazyLock<Vec<VocabularyEntry>> =
            LazyLock::new(|| vocabulary::entries(PathPurpose::Score));
        static VALUE: LazyLock<Vec<VocabularyEntry>> =
            LazyLock::new(|| vocabulary::entries(PathPurpose::Assertion));
        match self.used_for {
            PathPurpose::Items => &STATE,
            PathPurpose::Score => &UPDATES,
            PathPurpose::Assertion => &VALUE,
        }
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        token::without_gaps(text, authored(text).tokens, TokenClass::Illegal)
    }

    fn scripts(&self, text: &str) -> Vec<TextRange> {
        authored(text).scripts
    }

    fn trees(&self, text: &str) -> Vec<Expr> {
        let segments = parse(text).path.segments.into_iter();
        let scripts = segments.filter_map(|segment: JsonPathSegment| match segment.kind {
            SegmentKind::Filter(filter) => Some(filter.script),
            SegmentKind::Computed(script) => Some(*script),
            _ => None,
        });
        scripts.flat_map(|script| script.expressions).collect()
    }

    fn problems(&self, text: &str) -> Vec<ParseProblem> {
        parse(text).problems
    }

    fn check(&self, text: &str) -> Checked {
        let parsed = parse(text);
        let findings = check(&parsed, self.used_for)
            .into_iter()
            .map(ExpressionFinding::<FindingKind>::classed)
            .collect();
        let keys = self.keys(&parsed);
        Checked { problems: parsed.problems, findings, keys }
    }

    fn paths(&self, text: &str) -> Vec<PathUse> {
        named(&parse(text).path).into_iter().filter_map(|names| PathUse::new(names, true)).collect()
    }

    fn names(&self, text: &str) -> Vec<Named> {
        Named::keys(self.keys(&parse(text)))
    }

    fn constant(&self, _: &str) -> Option<Constant> {
        None
    }

    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>)) {
        run(&Scope { variables: &[circumstances.variables()], ..Scope::default() });
    }

    fn decide(&self, _: &str, _: &Expr, _: &Circumstances, _: &Scope<'_>) -> Option<ConditionDecision> {
        None
    }

    fn select(&self, text: &str, state: &Value) -> Option<Result<Value, EvaluationFailure>> {
        let parsed = parse(text);
        let problem = parsed.problems.first();
        Some(match (problem, select(&parsed.path, state)) {
            (_, Ok(Selected::Values(values))) => Ok(values.into_iter().collect()),
            (None, Ok(Selected::Nothing)) => Ok(Value::Undefined),
            (Some(problem), _) => {
                Err(EvaluationFailure { message: problem.message.clone(), range: problem.range })
            }
            (None, Err(error)) => Err(EvaluationFailure { message: error.message, range: error.range }),
        })
    }

    fn standalone(&self) -> Option<&'static Standalone> {
        (self.used_for == PathPurpose::Assertion).then_some(&STANDALONE)
    }
}
