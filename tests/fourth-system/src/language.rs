//! The conditions of Relay: `mood is 'good' and ticket is not 'spam'`.
//!
//! Input: a text; output: tokens, a tree, problems. Invariant: there is a tree for every text.

mod parser;

use std::borrow::Cow;
use std::cmp::Ordering;
use std::sync::LazyLock;

use nodewise_expr::TextRange;
use nodewise_expr::ast::{Expr, ExprKind, Path, Segment};
use nodewise_expr::builtins::Builtin;
use nodewise_expr::constant::{self, Constant};
use nodewise_expr::eval::{self, Scope, Semantics};
use nodewise_expr::language::{
    Checked, Circumstances, ConditionDecision, Definition, Language, Named, PathUse, StateAccess, Syntax,
};
use nodewise_expr::problem::ParseProblem;
use nodewise_expr::token::Token;
use nodewise_expr::value::Value;
use nodewise_expr::vocabulary::{EntryKind, VocabularyEntry, plain};
use smol_str::SmolStr;

pub use parser::parse;

/// The conditions of links.
pub const CONDITIONS: Language = Language::new(&Conditions);

struct Conditions;

impl Definition for Conditions {
    fn id(&self) -> &'static str {
        "relay"
    }

    fn title(&self) -> &'static str {
        "a condition"
    }

    fn syntax(&self) -> Syntax {
        Syntax {
            is_path: false,
            quote: '\'',
            yields_route: false,
            groups_conditions: false,
            has_function_paths: false,
            has_plain_arguments: false,
            parts_stand_alone: false,
            state: StateAccess::BareKeys,
            looks_like_yaml: false,
        }
    }

    fn semantics(&self) -> &'static dyn Semantics {
        &Texts
    }

    fn vocabulary(&self) -> &'static [VocabularyEntry] {
        static ENTRIES: LazyLock<Vec<VocabularyEntry>> = LazyLock::new(|| {
            vec![
                plain(EntryKind::Comparison, "is", "True if the key has this text."),
                plain(EntryKind::Comparison, "is not", "True if the key is missing or has another text."),
                plain(EntryKind::Logic, "and", "True if both sides are."),
            ]
        });
        &ENTRIES
    }

    fn tokens(&self, text: &str) -> Vec<Token> {
        parser::tokens(text)
    }

    fn trees(&self, text: &str) -> Vec<Expr> {
        vec![parse(text).0]
    }

    fn problems(&self, text: &str) -> Vec<ParseProblem> {
        parse(text).1
    }

    fn check(&self, text: &str) -> Checked {
        let (expr, problems) = parse(text);
        Checked { problems, findings: Vec::new(), keys: keys(&expr) }
    }

    fn paths(&self, text: &str) -> Vec<PathUse> {
        variables(&parse(text).0).into_iter().filter_map(|path| PathUse::new(path.segments, true)).collect()
    }

    fn names(&self, text: &str) -> Vec<Named> {
        Named::keys(keys(&parse(text).0))
    }

    fn constant(&self, text: &str) -> Option<Constant> {
        let (expr, problems) = parse(text);
        problems.is_empty().then(|| constant::of_tree(&expr, &Texts)).flatten()
    }

    fn in_scope(&self, circumstances: &Circumstances, run: &mut dyn FnMut(&Scope<'_>)) {
        run(&Scope { variables: &[circumstances.variables()], now: circumstances.now, ..Scope::default() });
    }

    fn decide(
        &self,
        text: &str,
        expr: &Expr,
        _: &Circumstances,
        scope: &Scope<'_>,
    ) -> Option<ConditionDecision> {
        let holds = parse(text).1.is_empty() && eval::holds(expr, &Texts, scope) == Ok(true);
        Some(ConditionDecision::of(holds))
    }

    fn canonical(&self, text: &str) -> Option<String> {
        let words: Vec<&str> = parser::tokens(text)
            .iter()
            .filter_map(|token| text.get(std::ops::Range::<usize>::from(token.range)))
            .collect();
        parse(text).1.is_empty().then(|| words.join(" "))
    }
}

fn variables(expr: &Expr) -> Vec<Path> {
    let mut found = Vec::new();
    expr.walk(&mut |node| {
        if let ExprKind::Variable(path) = &node.kind {
            found.push(path.clone());
        }
    });
    found
}

fn keys(expr: &Expr) -> Vec<(SmolStr, TextRange)> {
    let paths = variables(expr).into_iter();
    paths.map(|path| (SmolStr::new(path.dotted()), path.range())).collect()
}

/// What `is` and `and` mean: values are compared as texts, and a key that is missing is nothing.
struct Texts;

impl Semantics for Texts {
    fn truth(&self, value: &Value) -> Result<bool, String> {
        Ok(*value == Value::Bool(true))
    }

    fn property<'v>(&self, _: &'v Value, _: &str) -> Option<Cow<'v, Value>> {
        None
    }

    fn missing(&self, _: &Path, _: &Segment) -> Result<Value, String> {
        Ok(Value::Null)
    }

    fn equal(&self, left: &Value, right: &Value) -> bool {
        left == right
    }

    fn order(&self, _: &Value, _: &Value) -> Result<Option<Ordering>, String> {
        Ok(None)
    }

    fn contains(&self, _: &Value, _: &Value) -> Result<bool, String> {
        Ok(false)
    }

    fn builtin(&self, _: &str) -> Option<&'static Builtin> {
        None
    }
}
