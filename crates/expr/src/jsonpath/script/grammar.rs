//! The grammar of a script, as jsep 1.6 with its plugins for regular expressions and assignments reads it.
//!
//! Input: the characters of a script; output: its expressions, or the first fault. Invariant: a tree is at most
//! [`DEEPEST`] levels deep, and every character is read once, but for a few that decide what follows.

use smol_str::SmolStr;
use text_size::TextRange;

use super::operators::{Meaning, Operator, operator_at};
use super::{DEEPEST, Fault, NAMES, Reason, Refusal, origin};
use crate::ast::{
    Arithmetic, Compare, Conditional, Expr, ExprKind, Grouping, Logic, LogicLink, Negate, Not, Path, Segment,
    Spelling, Unary, UnaryOperator,
};
use crate::jsonpath::traced::{Character, spells, text_of};
use crate::problem::{ParseProblem, ParseProblemKind};

/// The result of reading a script.
pub(super) struct Read {
    pub(super) expressions: Vec<Expr>,
    pub(super) refusals: Vec<Refusal>,
}

/// An expression, with its depth.
pub(super) struct Node {
    pub(super) expr: Expr,
    pub(super) height: usize,
}

/// An operand, `None` if there is none, or a fault.
type Parsed = Result<Option<Node>, Fault>;

/// A place in the characters of a script.
pub(super) struct Reader<'c> {
    pub(super) characters: &'c [Character],
    pub(super) at: usize,
    whole: TextRange,
    depth: usize,
    pub(super) refusals: Vec<Refusal>,
}

/// Reads a script.
pub(super) fn read(characters: &[Character], whole: TextRange) -> Result<Read, Fault> {
    let mut reader = Reader { characters, at: 0, whole, depth: 0, refusals: Vec::new() };
    let nodes = reader.expressions(None)?;
    let expressions = nodes.into_iter().map(|node| node.expr).collect();
    Ok(Read { expressions, refusals: reader.refusals })
}

/// Whether a name may begin with a character.
pub(in crate::jsonpath) fn is_name_start(value: char) -> bool {
    value.is_ascii_alphabetic() || value == '$' || value == '_' || !value.is_ascii()
}

/// Whether a name may continue with a character.
pub(in crate::jsonpath) fn is_name_part(value: char) -> bool {
    is_name_start(value) || value.is_ascii_digit()
}

/// The name that an author writes for a name of the library.
pub(super) fn written_name(name: &str) -> SmolStr {
    let written = NAMES.iter().find(|known| known.substituted == name);
    written.map_or_else(|| SmolStr::new(name), |known| SmolStr::new_static(known.written))
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, distance: usize) -> Option<char> {
        self.characters.get(self.at + distance).map(|character| character.value)
    }

    /// The next character as a text; empty at the end.
    pub(super) fn here(&self) -> String {
        self.peek().map(String::from).unwrap_or_default()
    }

    /// The text from `start` to here.
    pub(super) fn slice(&self, start: usize) -> String {
        text_of(self.characters.get(start..self.at).unwrap_or_default())
    }

    pub(super) fn origin(&self, from: usize, to: usize) -> TextRange {
        origin(self.characters, from, to, self.whole)
    }

    /// A fault at this place.
    pub(super) fn fault(
        &self,
        thrown: String,
        kind: ParseProblemKind,
        message: &str,
        help: Option<&str>,
    ) -> Fault {
        let units: usize =
            self.characters.iter().take(self.at).map(|character| character.value.len_utf16()).sum();
        Fault {
            thrown: format!("{thrown} at character {units}"),
            problem: ParseProblem {
                kind,
                range: self.origin(self.at, self.at + 1),
                message: message.to_owned(),
                help: help.map(str::to_owned),
                replacement: None,
            },
        }
    }

    pub(super) fn unexpected(&self, thrown: String) -> Fault {
        let (kind, message) = match self.peek() {
            None => {
                (ParseProblemKind::UnexpectedEnd, "the expression ends where more must follow".to_owned())
            }
            Some(found) => (ParseProblemKind::UnexpectedToken, format!("`{found}` cannot stand here")),
        };
        let help = (self.peek() == Some('@')).then_some("write `@.name`, or a blank behind `@`");
        self.fault(thrown, kind, &message, help)
    }

    pub(super) fn expected(&self, thrown: String, what: &str) -> Fault {
        let kind = if self.peek().is_some() {
            ParseProblemKind::UnexpectedToken
        } else {
            ParseProblemKind::UnexpectedEnd
        };
        self.fault(thrown, kind, &format!("{what} is missing here"), None)
    }

    /// Records that a part cannot be evaluated, and returns a node in its place.
    pub(super) fn refuse(&mut self, range: TextRange, parts: Vec<Expr>, reason: Reason) -> ExprKind {
        self.refuse_for(range, range, parts, reason)
    }

    /// The same, if only a smaller part is at fault.
    fn refuse_for(
        &mut self,
        culprit: TextRange,
        range: TextRange,
        parts: Vec<Expr>,
        reason: Reason,
    ) -> ExprKind {
        self.refusals.push(Refusal { range, culprit, reason });
        ExprKind::Error(parts)
    }

    pub(super) fn thrown(
        &mut self,
        range: TextRange,
        parts: Vec<Expr>,
        thrown: &str,
        message: &str,
    ) -> ExprKind {
        let reason = Reason::Thrown { thrown: thrown.to_owned(), message: message.to_owned(), help: None };
        self.refuse(range, parts, reason)
    }

    pub(super) fn node(&self, kind: ExprKind, range: TextRange, height: usize) -> Result<Node, Fault> {
        if height > DEEPEST {
            return Err(self.too_deep());
        }
        Ok(Node { expr: Expr { kind, range }, height })
    }

    /// Goes one level deeper. The caller goes back up.
    fn enter(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > DEEPEST { Err(self.too_deep()) } else { Ok(()) }
    }

    fn too_deep(&self) -> Fault {
        let thrown = "Maximum call stack size exceeded".to_owned();
        self.fault(thrown, ParseProblemKind::TooDeep, "the expression is nested too deeply", None)
    }

    pub(super) fn skip_blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t' | '\n' | '\r')) {
            self.at += 1;
        }
    }

    /// Reads expressions one after another, up to the end or to `closing`.
    fn expressions(&mut self, closing: Option<char>) -> Result<Vec<Node>, Fault> {
        let mut nodes = Vec::new();
        while let Some(first) = self.peek() {
            if matches!(first, ';' | ',') {
                self.at += 1;
            } else if let Some(node) = self.expression()? {
                nodes.push(node);
            } else if self.peek().is_some() {
                if Some(first) == closing {
                    break;
                }
                return Err(self.unexpected(format!("Unexpected \"{}\"", self.here())));
            }
        }
        Ok(nodes)
    }

    /// Reads one expression, perhaps a choice: `a ? b : c`.
    pub(super) fn expression(&mut self) -> Parsed {
        let node = self.binary()?;
        self.skip_blanks();
        let node = match node {
            Some(condition) if self.peek() == Some('?') => Some(self.conditional(condition)?),
            node => node,
        };
        Ok(node)
    }

    fn conditional(&mut self, condition: Node) -> Result<Node, Fault> {
        self.at += 1;
        self.enter()?;
        let missing = |reader: &Self| reader.expected("Expected expression".to_owned(), "an operand");
        let consequent = self.expression()?.ok_or_else(|| missing(self))?;
        self.skip_blanks();
        if self.peek() != Some(':') {
            return Err(self.expected("Expected :".to_owned(), "`:`"));
        }
        self.at += 1;
        let alternative = self.expression()?.ok_or_else(|| missing(self))?;
        self.depth -= 1;
        let range = condition.expr.range.cover(alternative.expr.range);
        let height = condition.height.max(consequent.height).max(alternative.height) + 1;
        let conditional = Conditional {
            spelling: Spelling::Symbol,
            condition: condition.expr,
            consequent: consequent.expr,
            alternative: alternative.expr,
        };
        self.node(ExprKind::Conditional(Box::new(conditional)), range, height)
    }

    /// Reads operands and binary operators, and groups them by precedence.
    fn binary(&mut self) -> Parsed {
        let Some(first) = self.operand()? else { return Ok(None) };
        let mut operands = vec![first];
        let mut operators: Vec<(Operator, TextRange)> = Vec::new();
        while let Some((operator, range)) = self.operator() {
            while let Some((before, _)) = operators.last()
                && reduces(before, &operator)
            {
                self.reduce(&mut operands, &mut operators)?;
            }
            let Some(operand) = self.operand()? else {
                let thrown = format!("Expected expression after {}", operator.spelling);
                return Err(self.expected(thrown, "an operand"));
            };
            operators.push((operator, range));
            operands.push(operand);
        }
        while !operators.is_empty() {
            self.reduce(&mut operands, &mut operators)?;
        }
        Ok(operands.pop())
    }

    fn operator(&mut self) -> Option<(Operator, TextRange)> {
        self.skip_blanks();
        let operator = operator_at(self.characters, self.at)?;
        let end = self.at + operator.spelling.len();
        let range = self.origin(self.at, end);
        self.at = end;
        Some((operator, range))
    }

    /// Joins the last two operands with the last operator.
    fn reduce(
        &mut self,
        operands: &mut Vec<Node>,
        operators: &mut Vec<(Operator, TextRange)>,
    ) -> Result<(), Fault> {
        if let (Some(right), Some(left), Some((operator, range))) =
            (operands.pop(), operands.pop(), operators.pop())
        {
            operands.push(self.join(left, operator, range, right)?);
        }
        Ok(())
    }

    fn join(
        &mut self,
        left: Node,
        operator: Operator,
        operator_range: TextRange,
        right: Node,
    ) -> Result<Node, Fault> {
        let range = left.expr.range.cover(right.expr.range);
        let height = left.height.max(right.height) + 1;
        let (left_height, right_height) = (left.height, right.height);
        let (left, right) = (left.expr, right.expr);
        let kind = match operator.meaning {
            Meaning::Logic(logic) => {
                let link = LogicLink { spelling: Spelling::Symbol, operator_range, operand: right };
                return match left.kind {
                    ExprKind::Logic(mut run) if run.operator == logic => {
                        run.rest.push(link);
                        self.node(ExprKind::Logic(run), range, left_height.max(right_height + 1))
                    }
                    kind => {
                        let first = Expr { kind, range: left.range };
                        let run =
                            Logic { operator: logic, grouping: Grouping::Left, first, rest: vec![link] };
                        self.node(ExprKind::Logic(Box::new(run)), range, height)
                    }
                };
            }
            Meaning::Compare(operator) => {
                ExprKind::Compare(Box::new(Compare { left, operator, operator_range, right }))
            }
            Meaning::Arithmetic(operator) => {
                ExprKind::Arithmetic(Box::new(Arithmetic { left, operator, operator_range, right }))
            }
            Meaning::Unknown => {
                let reason = Reason::Thrown {
                    // V8 lists each function of its table in this text.
                    thrown: format!(
                        "{{{}}}[ast.operator] is not a function",
                        "(intermediate value)".repeat(21)
                    ),
                    message: format!("`{}` has no meaning in a filter", operator.spelling),
                    help: None,
                };
                self.refuse_for(operator_range, range, vec![left, right], reason)
            }
            Meaning::Assign => self.assignment(left, operator_range, right),
        };
        self.node(kind, range, height)
    }

    fn assignment(&mut self, left: Expr, operator_range: TextRange, right: Expr) -> ExprKind {
        let range = left.range.cover(right.range);
        let is_name =
            matches!(&left.without_groups().kind, ExprKind::Variable(path) if path.segments.len() == 1);
        if is_name {
            let parts = vec![left, right];
            return self.refuse_for(operator_range, range, parts, Reason::Unsupported("assignments"));
        }
        let reason = Reason::Thrown {
            thrown: "Invalid left-hand side in assignment".to_owned(),
            message: "`=` assigns, and nothing can be assigned here".to_owned(),
            help: Some("write `==` to compare".to_owned()),
        };
        self.refuse_for(operator_range, range, vec![left, right], reason)
    }

    /// Reads one operand, with the operators before it and the parts after it.
    fn operand(&mut self) -> Parsed {
        self.enter()?;
        self.skip_blanks();
        let start = self.at;
        let node = self.operand_at(start)?;
        self.depth -= 1;
        Ok(node)
    }

    fn operand_at(&mut self, start: usize) -> Parsed {
        let kind = match self.peek() {
            Some('+' | '-') if self.ahead(1) == self.peek() => return self.update_before(start).map(Some),
            Some('0'..='9' | '.') => {
                let kind = self.number()?;
                return self.node(kind, self.origin(start, self.at), 1).map(Some);
            }
            Some('/') => self.pattern()?,
            Some(quote @ ('\'' | '"')) => self.text(quote)?,
            Some('[') => {
                self.at += 1;
                let (items, height) = self.arguments(']')?;
                let node = self.node(ExprKind::List(items), self.origin(start, self.at), height + 1)?;
                return self.with_parts(node, start).map(Some);
            }
            Some('(') => {
                let Some(group) = self.group()? else { return Ok(None) };
                return self.with_parts(group, start).map(Some);
            }
            Some(_) => match self.prefix() {
                Some(length) => return self.unary(start, length).map(Some),
                None if self.peek().is_some_and(is_name_start) => self.named(start)?,
                None => return Ok(None),
            },
            None => return Ok(None),
        };
        let node = self.node(kind, self.origin(start, self.at), 1)?;
        self.with_parts(node, start).map(Some)
    }

    /// The length of a prefix operator that begins here.
    fn prefix(&self) -> Option<usize> {
        if matches!(self.peek(), Some('-' | '!' | '~' | '+')) {
            return Some(1);
        }
        let word = ["typeof", "void"].into_iter().find(|word| spells(self.characters, self.at, word))?;
        self.ahead(word.len()).is_some_and(|next| !is_name_part(next)).then_some(word.len())
    }

    fn unary(&mut self, start: usize, length: usize) -> Result<Node, Fault> {
        self.at += length;
        let operator_range = self.origin(start, self.at);
        let spelling = self.slice(start);
        let Some(operand) = self.operand()? else {
            return Err(self.expected("missing unaryOp argument".to_owned(), "an operand"));
        };
        let range = operator_range.cover(operand.expr.range);
        let height = operand.height + 1;
        let operand = operand.expr;
        let unary =
            |operator, operand| ExprKind::Unary(Box::new(Unary { operator, operator_range, operand }));
        let kind = match spelling.as_str() {
            "!" => ExprKind::Not(Box::new(Not { spelling: Spelling::Symbol, operator_range, operand })),
            "-" => ExprKind::Negate(Box::new(Negate { operator_range, operand })),
            "+" => unary(UnaryOperator::Number, operand),
            "typeof" => unary(UnaryOperator::TypeOf, operand),
            "~" => unary(UnaryOperator::Invert, operand),
            _ => self.refuse(range, vec![operand], Reason::Unsupported("the operator `void`")),
        };
        let node = self.node(kind, range, height)?;
        self.update_behind(node)
    }

    /// A name, or a word that stands for a value.
    pub(super) fn named(&mut self, start: usize) -> Result<ExprKind, Fault> {
        self.name()?;
        let range = self.origin(start, self.at);
        Ok(match self.slice(start).as_str() {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "null" => ExprKind::Null,
            "undefined" => ExprKind::Undefined,
            "this" => self.thrown(range, Vec::new(), "Unexpected expression", "filters know no `this`"),
            name => ExprKind::Variable(Path { segments: vec![Segment { name: written_name(name), range }] }),
        })
    }

    /// The expression in parentheses; `None` if they are empty.
    fn group(&mut self) -> Parsed {
        let start = self.at;
        self.at += 1;
        let mut nodes = self.expressions(Some(')'))?;
        if self.peek() != Some(')') {
            let mut fault = self.expected("Unclosed (".to_owned(), "`)`");
            fault.problem.help = Some("close the parenthesis".to_owned());
            return Err(fault);
        }
        self.at += 1;
        let range = self.origin(start, self.at);
        let height = nodes.iter().map(|node| node.height).max().unwrap_or_default() + 1;
        let kind = match (nodes.pop(), nodes.is_empty()) {
            (None, _) => return Ok(None),
            (Some(only), true) => ExprKind::Group(Box::new(only.expr)),
            (Some(last), false) => {
                let parts = nodes.into_iter().chain([last]).map(|node| node.expr).collect();
                self.thrown(range, parts, "Unexpected expression", "one expression stands in parentheses")
            }
        };
        self.node(kind, range, height).map(Some)
    }
}

/// Whether the operator before gets its operands before the next one does.
fn reduces(before: &Operator, next: &Operator) -> bool {
    if before.groups_right() && next.groups_right() {
        next.precedence < before.precedence
    } else {
        next.precedence <= before.precedence
    }
}
