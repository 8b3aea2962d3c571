//! Evaluation of a tree, with the meaning that a language gives to its operators.
//!
//! Input: a tree without faults, a [`Semantics`], a [`Scope`]; output: a value, or the first error in reading order.
//! Invariant: operands are evaluated left to right, each at most once, and not at all if the result is already known.

pub mod timestamp;

use std::borrow::Cow;
use std::cmp::Ordering;

use smol_str::SmolStr;
use text_size::TextRange;

use crate::ast::{
    Arithmetic, ArithmeticOperator, Call, Chain, Compare, CompareOperator, Conditional, Expr, ExprKind,
    Logic, LogicOperator, Member, Method, Path, Segment, Subscript, UnaryOperator,
};
use crate::builtins::{Body, Builtin};
use crate::value::{Map, Value};

/// What an expression can see.
#[derive(Default, Clone, Copy)]
pub struct Scope<'s> {
    /// The variables. If several mappings have the first name of a path, the first of them is used.
    pub variables: &'s [&'s Map],
    /// The time in seconds since 1970 UTC.
    pub now: f64,
    /// The type names of the errors that are active.
    pub active_errors: &'s [SmolStr],
    /// Calls the function that a dotted name refers to.
    pub functions: Option<&'s dyn HostFunctions>,
}

/// The host's functions that expressions may refer to.
pub trait HostFunctions {
    /// Calls the function, which takes no arguments. The error is a message.
    fn call(&self, path: &Path) -> Result<Value, String>;
}

/// The reason why an expression has no value.
#[derive(Debug, Clone, PartialEq)]
pub struct EvalError {
    /// The class of error.
    pub kind: ErrorKind,
    /// What is wrong, as a message.
    pub message: String,
    /// The part of the expression that failed.
    pub range: TextRange,
}

/// The class of an [`EvalError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ErrorKind {
    /// A variable or key that does not exist: the dotted path that was read.
    Missing(String),
    /// An operator that has no meaning for these values.
    Type,
    /// A builtin that does not exist, or called with the wrong arguments.
    Builtin,
    /// A function of the host that does not exist, or failed.
    Function,
    /// The expression is broken.
    Syntax,
}

/// What a language's operators mean.
pub trait Semantics {
    /// Whether a value counts as true. An error if it counts as neither true nor false.
    fn truth(&self, value: &Value) -> Result<bool, String>;

    /// The member of a value with this name.
    fn property<'v>(&self, value: &'v Value, name: &str) -> Option<Cow<'v, Value>>;

    /// The value of a path of which `segment` does not exist. An error if that has no value.
    fn missing(&self, path: &Path, segment: &Segment) -> Result<Value, String>;

    /// The same if `segment` does not exist in `object`.
    fn missing_part(&self, _object: &Value, path: &Path, segment: &Segment) -> Result<Value, String> {
        self.missing(path, segment)
    }

    /// Whether two values are equal.
    fn equal(&self, left: &Value, right: &Value) -> bool;

    /// The order of two values. An error if their types have no order; `None` if neither comes first.
    fn order(&self, left: &Value, right: &Value) -> Result<Option<Ordering>, String>;

    /// Whether the right value contains the left one.
    fn contains(&self, item: &Value, container: &Value) -> Result<bool, String>;

    /// The builtin with this name.
    fn builtin(&self, name: &str) -> Option<&'static Builtin>;

    /// Whether two values are equal without any conversion.
    fn strictly_equal(&self, left: &Value, right: &Value) -> bool {
        self.equal(left, right)
    }

    /// Whether a text matches a regular expression.
    fn matches(&self, _text: &Value, _pattern: &Value) -> Result<bool, String> {
        Err("the language has no regular expressions".to_owned())
    }

    /// The result of a calculation.
    fn calculate(
        &self,
        _operator: ArithmeticOperator,
        _left: &Value,
        _right: &Value,
    ) -> Result<Value, String> {
        Err("the language has no arithmetic".to_owned())
    }

    /// Whether `and` and `or` yield the operand that decides, not a boolean.
    fn logic_yields_operand(&self) -> bool {
        false
    }

    /// The member of a value that another value names.
    fn subscript(&self, _object: &Value, _index: &Value) -> Result<Value, String> {
        Err("the language has no brackets for parts".to_owned())
    }

    /// The result of a method of a value.
    fn invoke(&self, _object: &Value, _method: &str, _arguments: &[Value]) -> Result<Value, String> {
        Err("the language has no methods".to_owned())
    }

    /// The result of an operator with one operand.
    fn unary(&self, operator: UnaryOperator, _value: &Value) -> Result<Value, String> {
        Err(format!("the language has no operator `{}`", operator.spelled()))
    }

    /// The value with its sign changed.
    fn negate(&self, _value: &Value) -> Result<Value, String> {
        Err("the language has no arithmetic".to_owned())
    }
}

/// A value of an operand, with what operators need to know about it.
struct Operand<'s> {
    value: Cow<'s, Value>,
    is_moment: bool,
    range: TextRange,
}

/// The value of an expression.
pub fn evaluate<S: Semantics + ?Sized>(
    expr: &Expr,
    semantics: &S,
    scope: &Scope<'_>,
) -> Result<Value, EvalError> {
    Evaluator { semantics, scope }.value(expr).map(Cow::into_owned)
}

/// Whether the value of an expression counts as true.
pub fn holds<S: Semantics + ?Sized>(
    expr: &Expr,
    semantics: &S,
    scope: &Scope<'_>,
) -> Result<bool, EvalError> {
    Evaluator { semantics, scope }.is_true(expr)
}

impl ErrorKind {
    /// The name of the kind in conformance tables.
    pub fn name(&self) -> &'static str {
        match self {
            ErrorKind::Missing(_) => "missing",
            ErrorKind::Type => "type",
            ErrorKind::Builtin => "builtin",
            ErrorKind::Function => "function",
            ErrorKind::Syntax => "syntax",
        }
    }
}

struct Evaluator<'s, S: ?Sized> {
    semantics: &'s S,
    scope: &'s Scope<'s>,
}

impl<'s, S: Semantics + ?Sized> Evaluator<'s, S> {
    fn value(&self, expr: &Expr) -> Result<Cow<'s, Value>, EvalError> {
        let owned = match &expr.kind {
            ExprKind::Undefined => Value::Undefined,
            ExprKind::Null => Value::Null,
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Number(value) => Value::Number(*value),
            ExprKind::Text(text) => Value::Text(text.value.clone()),
            ExprKind::Bare(text) => Value::Text(text.clone()),
            ExprKind::Variable(path) => return self.variable(path),
            ExprKind::Function(path) => self.function(path)?,
            ExprKind::Call(call) => self.call(call, expr.range)?,
            ExprKind::Group(inner) => return self.value(inner),
            ExprKind::Not(not) => Value::Bool(!self.is_true(&not.operand)?),
            ExprKind::Compare(compare) => Value::Bool(self.compare(compare)?),
            ExprKind::Chain(chain) => Value::Bool(self.chain(chain)?),
            ExprKind::Logic(logic) if self.semantics.logic_yields_operand() => {
                return self.deciding_operand(logic);
            }
            ExprKind::Logic(logic) => Value::Bool(self.logic(logic)?),
            ExprKind::Negate(negate) => {
                let value = self.value(&negate.operand)?;
                self.semantics.negate(&value).map_err(|message| type_error(message, expr.range))?
            }
            ExprKind::Arithmetic(arithmetic) => self.arithmetic(arithmetic, expr.range)?,
            ExprKind::Conditional(conditional) => return self.conditional(conditional),
            ExprKind::List(items) => {
                let items: Result<Vec<Value>, EvalError> =
                    items.iter().map(|item| self.value(item).map(Cow::into_owned)).collect();
                Value::List(items?.into())
            }
            ExprKind::Member(member) => return self.member(member, expr.range),
            ExprKind::Subscript(subscript) => self.subscript(subscript, expr.range)?,
            ExprKind::Method(method) => self.method(method, expr.range)?,
            ExprKind::Pattern(pattern) => Value::Pattern(pattern.clone()),
            ExprKind::Unary(unary) => {
                let value = self.value(&unary.operand)?;
                let result = self.semantics.unary(unary.operator, &value);
                result.map_err(|message| type_error(message, expr.range))?
            }
            ExprKind::Error(_) => {
                let message = "the expression is broken here".to_owned();
                return Err(EvalError { kind: ErrorKind::Syntax, message, range: expr.range });
            }
        };
        Ok(Cow::Owned(owned))
    }

    fn is_true(&self, expr: &Expr) -> Result<bool, EvalError> {
        let value = self.value(expr)?;
        self.semantics.truth(&value).map_err(|message| type_error(message, expr.range))
    }

    fn arithmetic(&self, arithmetic: &Arithmetic, range: TextRange) -> Result<Value, EvalError> {
        let left = self.value(&arithmetic.left)?;
        let right = self.value(&arithmetic.right)?;
        let result = self.semantics.calculate(arithmetic.operator, &left, &right);
        result.map_err(|message| type_error(message, range))
    }

    fn conditional(&self, conditional: &Conditional) -> Result<Cow<'s, Value>, EvalError> {
        let chosen = self.is_true(&conditional.condition)?;
        self.value(if chosen { &conditional.consequent } else { &conditional.alternative })
    }

    fn member(&self, member: &Member, range: TextRange) -> Result<Cow<'s, Value>, EvalError> {
        let mut value = self.value(&member.object)?;
        for segment in &member.path.segments {
            value = match self.part(&value, &segment.name) {
                Some(found) => found,
                None => return self.no_part(&value, &member.path, segment, range),
            };
        }
        Ok(value)
    }

    /// The name between brackets is evaluated before its object, and reads no variable. Only one language has
    /// brackets, and it works like this.
    fn subscript(&self, subscript: &Subscript, range: TextRange) -> Result<Value, EvalError> {
        let blind = Evaluator { semantics: self.semantics, scope: &Scope::default() };
        let index = blind.value(&subscript.index)?.into_owned();
        let object = self.value(&subscript.object)?;
        self.semantics.subscript(&object, &index).map_err(|message| type_error(message, range))
    }

    /// The arguments are evaluated before the object, as in the only language that has methods.
    fn method(&self, method: &Method, range: TextRange) -> Result<Value, EvalError> {
        let mut arguments = Vec::with_capacity(method.arguments.len());
        for argument in &method.arguments {
            arguments.push(self.value(argument)?.into_owned());
        }
        let object = self.value(&method.object)?;
        let result = self.semantics.invoke(&object, &method.name.name, &arguments);
        result.map_err(|message| EvalError { kind: ErrorKind::Function, message, range })
    }

    fn variable(&self, path: &Path) -> Result<Cow<'s, Value>, EvalError> {
        let mut segments = path.segments.iter();
        let Some(first) = segments.next() else { return Ok(Cow::Owned(Value::Null)) };
        let mut value = match self.first_name(&first.name) {
            Some(value) => Cow::Borrowed(value),
            None => return self.missing(path, first, path.range()),
        };
        for segment in segments {
            value = match self.part(&value, &segment.name) {
                Some(found) => found,
                None => return self.no_part(&value, path, segment, path.range()),
            };
        }
        Ok(value)
    }

    fn part(&self, value: &Cow<'s, Value>, name: &str) -> Option<Cow<'s, Value>> {
        match value {
            Cow::Borrowed(value) => self.semantics.property(value, name),
            Cow::Owned(value) => {
                self.semantics.property(value, name).map(|found| Cow::Owned(found.into_owned()))
            }
        }
    }

    fn first_name(&self, name: &str) -> Option<&'s Value> {
        self.scope.variables.iter().find_map(|layer| layer.get(name))
    }

    fn no_part(
        &self,
        object: &Value,
        path: &Path,
        segment: &Segment,
        range: TextRange,
    ) -> Result<Cow<'s, Value>, EvalError> {
        let fail = |message| EvalError { kind: ErrorKind::Missing(path.dotted()), message, range };
        self.semantics.missing_part(object, path, segment).map(Cow::Owned).map_err(fail)
    }

    fn missing(&self, path: &Path, segment: &Segment, range: TextRange) -> Result<Cow<'s, Value>, EvalError> {
        let fail = |message| EvalError { kind: ErrorKind::Missing(path.dotted()), message, range };
        self.semantics.missing(path, segment).map(Cow::Owned).map_err(fail)
    }

    fn function(&self, path: &Path) -> Result<Value, EvalError> {
        let called = match self.scope.functions {
            Some(functions) => functions.call(path),
            None => Err(format!("`{}` is not available", path.dotted())),
        };
        called.map_err(|message| EvalError { kind: ErrorKind::Function, message, range: path.range() })
    }

    fn call(&self, call: &Call, range: TextRange) -> Result<Value, EvalError> {
        let fail = |message: String| EvalError { kind: ErrorKind::Builtin, message, range };
        let builtin = self
            .semantics
            .builtin(&call.name)
            .ok_or_else(|| fail(format!("there is no builtin `{}`", call.name)))?;
        if !builtin.arity.accepts(call.arguments.len()) {
            return Err(fail(format!("`{}` is called as `{}`", call.name, builtin.signature)));
        }
        match builtin.body {
            Body::OfScope(body) => {
                let names: Vec<SmolStr> = call.arguments.iter().filter_map(argument_text).collect();
                Ok(body(self.scope, &names))
            }
            Body::OfValues(body) => {
                let mut arguments = Vec::with_capacity(call.arguments.len());
                for argument in &call.arguments {
                    arguments.push(self.value(argument)?.into_owned());
                }
                body(&arguments).map_err(fail)
            }
        }
    }

    fn operand(&self, expr: &Expr) -> Result<Operand<'s>, EvalError> {
        let is_moment = match &expr.kind {
            ExprKind::Call(call) => {
                self.semantics.builtin(&call.name).is_some_and(|builtin| builtin.yields_moment)
            }
            _ => false,
        };
        Ok(Operand { value: self.value(expr)?, is_moment, range: expr.range })
    }

    fn compare(&self, compare: &Compare) -> Result<bool, EvalError> {
        let left = self.operand(&compare.left)?;
        let right = self.operand(&compare.right)?;
        self.compare_values(&left, compare.operator, &right)
    }

    fn chain(&self, chain: &Chain) -> Result<bool, EvalError> {
        let mut left = self.operand(&chain.first)?;
        for link in &chain.rest {
            let right = self.operand(&link.operand)?;
            if !self.compare_values(&left, link.operator, &right)? {
                return Ok(false);
            }
            left = right;
        }
        Ok(true)
    }

    fn compare_values(
        &self,
        left: &Operand<'s>,
        operator: CompareOperator,
        right: &Operand<'s>,
    ) -> Result<bool, EvalError> {
        let range = left.range.cover(right.range);
        let fail = |message: String| EvalError { kind: ErrorKind::Type, message, range };
        let left_value = as_moment(left, right).map_err(fail)?;
        let right_value = as_moment(right, left).map_err(fail)?;
        let order = || self.semantics.order(&left_value, &right_value).map_err(fail);
        Ok(match operator {
            CompareOperator::Equal => self.semantics.equal(&left_value, &right_value),
            CompareOperator::NotEqual => !self.semantics.equal(&left_value, &right_value),
            CompareOperator::StrictEqual => self.semantics.strictly_equal(&left_value, &right_value),
            CompareOperator::StrictNotEqual => !self.semantics.strictly_equal(&left_value, &right_value),
            CompareOperator::Matches => self.semantics.matches(&left_value, &right_value).map_err(fail)?,
            CompareOperator::Less => order()?.is_some_and(Ordering::is_lt),
            CompareOperator::LessOrEqual => order()?.is_some_and(Ordering::is_le),
            CompareOperator::Greater => order()?.is_some_and(Ordering::is_gt),
            CompareOperator::GreaterOrEqual => order()?.is_some_and(Ordering::is_ge),
            CompareOperator::In => self.semantics.contains(&left_value, &right_value).map_err(fail)?,
            CompareOperator::NotIn => !self.semantics.contains(&left_value, &right_value).map_err(fail)?,
        })
    }

    fn deciding_operand(&self, logic: &Logic) -> Result<Cow<'s, Value>, EvalError> {
        let deciding = logic.operator == LogicOperator::Or;
        let mut value = self.value(&logic.first)?;
        for link in &logic.rest {
            if self.semantics.truth(&value).map_err(|message| type_error(message, link.operator_range))?
                == deciding
            {
                break;
            }
            value = self.value(&link.operand)?;
        }
        Ok(value)
    }

    fn logic(&self, logic: &Logic) -> Result<bool, EvalError> {
        let deciding = logic.operator == LogicOperator::Or;
        for operand in logic.operands() {
            if self.is_true(operand)? == deciding {
                return Ok(deciding);
            }
        }
        Ok(!deciding)
    }
}

fn type_error(message: String, range: TextRange) -> EvalError {
    EvalError { kind: ErrorKind::Type, message, range }
}

/// The operand's value. A text that is compared with a moment is read as a timestamp.
fn as_moment<'v>(operand: &'v Operand<'_>, other: &Operand<'_>) -> Result<Cow<'v, Value>, String> {
    match &*operand.value {
        Value::Text(text) if other.is_moment => match timestamp::seconds(text) {
            Some(seconds) => Ok(Cow::Owned(Value::Number(seconds))),
            None => Err("a text compared with a moment must be an RFC 3339 timestamp".to_owned()),
        },
        value => Ok(Cow::Borrowed(value)),
    }
}

/// The text of an argument that is not evaluated.
pub(crate) fn argument_text(argument: &Expr) -> Option<SmolStr> {
    match &argument.kind {
        ExprKind::Text(text) => Some(text.value.clone()),
        ExprKind::Variable(path) => Some(SmolStr::new(path.dotted())),
        _ => None,
    }
}
