//! What can follow an operand: names of parts, brackets, arguments.
//!
//! Input: a reader that is after an operand; output: the operand with its parts. Invariant: only functions of values
//! can be called; all other calls are refused.

use text_size::TextRange;

use super::grammar::{Node, Reader, written_name};
use super::{Fault, Reason, Refusal};
use crate::ast::{Expr, ExprKind, Member, Method, Path, Segment, Subscript};

impl Reader<'_> {
    /// Reads the arguments of a call or the items of a list, after the opening bracket; returns them with their depth.
    pub(super) fn arguments(&mut self, closing: char) -> Result<(Vec<Expr>, usize), Fault> {
        let mut arguments = Vec::new();
        let mut height = 0;
        let mut separators = 0usize;
        loop {
            if self.peek().is_none() {
                return Err(self.expected(format!("Expected {closing}"), &format!("`{closing}`")));
            }
            self.skip_blanks();
            match self.peek() {
                Some(found) if found == closing => {
                    self.at += 1;
                    if closing == ')' && separators > 0 && separators >= arguments.len() {
                        return Err(self.unexpected("Unexpected token )".to_owned()));
                    }
                    return Ok((arguments, height));
                }
                Some(',') => {
                    self.at += 1;
                    separators += 1;
                    if separators != arguments.len() {
                        self.skipped_argument(closing, separators, &mut arguments)?;
                    }
                }
                _ if arguments.len() != separators && separators != 0 => {
                    return Err(self.expected("Expected comma".to_owned(), "`,`"));
                }
                _ => match self.expression()? {
                    Some(node) => {
                        height = height.max(node.height);
                        arguments.push(node.expr);
                    }
                    None => return Err(self.expected("Expected comma".to_owned(), "`,`")),
                },
            }
        }
    }

    /// Handles a comma without an argument before it: a hole in a list, which has no value.
    fn skipped_argument(
        &mut self,
        closing: char,
        separators: usize,
        arguments: &mut Vec<Expr>,
    ) -> Result<(), Fault> {
        if closing == ')' {
            return Err(self.unexpected("Unexpected token ,".to_owned()));
        }
        let range = self.origin(self.at - 1, self.at);
        while arguments.len() < separators {
            let thrown = "Cannot read properties of null (reading 'type')";
            let kind = self.thrown(range, Vec::new(), thrown, "an item is missing before `,`");
            arguments.push(Expr { kind, range });
        }
        Ok(())
    }

    /// Reads `.name`, `[…]` and `(…)` after an operand.
    pub(super) fn with_parts(&mut self, node: Node, start: usize) -> Result<Node, Fault> {
        let node = self.parts(node, start)?;
        self.update_behind(node)
    }

    fn parts(&mut self, mut node: Node, start: usize) -> Result<Node, Fault> {
        self.skip_blanks();
        loop {
            let is_optional = self.peek() == Some('?') && self.ahead(1) == Some('.');
            if is_optional {
                self.at += 2;
                self.skip_blanks();
            }
            match self.peek() {
                Some('[') => {
                    self.at += 1;
                    node = self.subscript(node, start)?;
                }
                Some('(') => {
                    self.at += 1;
                    let (arguments, height) = self.arguments(')')?;
                    let range = self.origin(start, self.at);
                    let height = height.max(node.height) + 1;
                    let kind = self.method(node.expr, arguments, range);
                    node = self.node(kind, range, height)?;
                }
                Some('.') if !is_optional => {
                    self.at += 1;
                    node = self.member(node, start)?;
                }
                _ if is_optional => node = self.member(node, start)?,
                _ => return Ok(node),
            }
            self.skip_blanks();
        }
    }

    fn member(&mut self, node: Node, start: usize) -> Result<Node, Fault> {
        self.skip_blanks();
        let (from, to) = self.name()?;
        let segment = Segment { name: self.slice(from).into(), range: self.origin(from, to) };
        let range = self.origin(start, to);
        match node.expr.kind {
            ExprKind::Variable(mut path) => {
                path.segments.push(segment);
                self.node(ExprKind::Variable(path), range, node.height)
            }
            ExprKind::Member(mut member) => {
                member.path.segments.push(segment);
                self.node(ExprKind::Member(member), range, node.height)
            }
            kind => {
                let object = Expr { kind, range: node.expr.range };
                let path = Path { segments: vec![segment] };
                let member = Member { object, path, name_first: false };
                self.node(ExprKind::Member(Box::new(member)), range, node.height + 1)
            }
        }
    }

    fn subscript(&mut self, node: Node, start: usize) -> Result<Node, Fault> {
        let Some(index) = self.expression()? else {
            return Err(self.unexpected(format!("Unexpected \"{}\"", self.here())));
        };
        self.skip_blanks();
        if self.peek() != Some(']') {
            let mut fault = self.expected("Unclosed [".to_owned(), "`]`");
            fault.problem.help = Some("close the bracket".to_owned());
            return Err(fault);
        }
        self.at += 1;
        self.refuse_names(&index.expr);
        let range = self.origin(start, self.at);
        let height = node.height.max(index.height) + 1;
        let subscript = Subscript { object: node.expr, index: index.expr };
        self.node(ExprKind::Subscript(Box::new(subscript)), range, height)
    }

    /// Refuses names between brackets: there the library's evaluator does not know its own names.
    fn refuse_names(&mut self, index: &Expr) {
        let refusals = &mut self.refusals;
        index.walk(&mut |node| {
            if let ExprKind::Variable(path) = &node.kind {
                let reason = Reason::Thrown {
                    thrown: "Cannot convert undefined or null to object".to_owned(),
                    message: "only literals can be read between the brackets of a filter".to_owned(),
                    help: None,
                };
                refusals.push(Refusal { range: path.range(), culprit: path.range(), reason });
            }
        });
    }

    /// Makes a call. Only functions of a value can be called.
    fn method(&mut self, callee: Expr, arguments: Vec<Expr>, range: TextRange) -> ExprKind {
        let callee = match callee.kind {
            ExprKind::Group(inner) => *inner,
            kind => Expr { kind, range: callee.range },
        };
        let (object, name) = match callee.kind {
            ExprKind::Variable(mut path) if path.segments.len() > 1 => {
                let name = path.segments.pop();
                (Expr { range: path.range(), kind: ExprKind::Variable(path) }, name)
            }
            ExprKind::Member(mut member) => {
                let name = member.path.segments.pop();
                if member.path.segments.is_empty() {
                    (member.object, name)
                } else {
                    let inner = member.object.range.cover(member.path.range());
                    (Expr { kind: ExprKind::Member(member), range: inner }, name)
                }
            }
            ExprKind::Subscript(subscript) => match subscript.index.kind {
                ExprKind::Text(text) => {
                    (subscript.object, Some(Segment { name: text.value, range: subscript.index.range }))
                }
                _ => {
                    let parts = [subscript.object, subscript.index].into_iter().chain(arguments).collect();
                    return self.refuse(
                        range,
                        parts,
                        Reason::Unsupported("functions named by a calculation"),
                    );
                }
            },
            kind => (Expr { kind, range: callee.range }, None),
        };
        match name {
            Some(name) => ExprKind::Method(Box::new(Method { object, name, arguments })),
            None => {
                let thrown = match &object.kind {
                    ExprKind::Variable(path) if !path.dotted().starts_with('@') => {
                        format!("{} is not defined", path.dotted())
                    }
                    _ => "func is not a function".to_owned(),
                };
                let parts = arguments.into_iter().chain([object]).collect();
                self.thrown(range, parts, &thrown, "filters have no functions but those of values")
            }
        }
    }

    /// `++a`, which is parsed, but cannot be evaluated.
    pub(super) fn update_before(&mut self, start: usize) -> Result<Node, Fault> {
        self.at += 2;
        let (from, to) = self.name()?;
        let segment = Segment { name: written_name(&self.slice(from)), range: self.origin(from, to) };
        let name = ExprKind::Variable(Path { segments: vec![segment] });
        let name = self.node(name, self.origin(from, to), 1)?;
        let operand = self.parts(name, from)?;
        if !is_place(&operand.expr) {
            let operator = self.characters.get(start).map_or('+', |sign| sign.value);
            return Err(self.unexpected(format!("Unexpected {operator}{operator}")));
        }
        let range = self.origin(start, self.at);
        let height = operand.height + 1;
        let kind = self.updated(operand.expr, range);
        self.node(kind, range, height)
    }

    /// `a++`, which is parsed, but cannot be evaluated.
    pub(super) fn update_behind(&mut self, node: Node) -> Result<Node, Fault> {
        let is_update = matches!(self.peek(), Some('+' | '-')) && self.ahead(1) == self.peek();
        if !is_update {
            return Ok(node);
        }
        if !is_place(&node.expr) {
            return Err(self.unexpected("Unexpected undefined".to_owned()));
        }
        let start = self.at;
        self.at += 2;
        let range = node.expr.range.cover(self.origin(start, self.at));
        let height = node.height + 1;
        let kind = self.updated(node.expr, range);
        self.node(kind, range, height)
    }

    fn updated(&mut self, operand: Expr, range: TextRange) -> ExprKind {
        self.thrown(range, vec![operand], "Unexpected expression", "filters change nothing")
    }
}

/// Whether an expression names something, so that jsep accepts `++` with it.
fn is_place(expr: &Expr) -> bool {
    matches!(
        &expr.without_groups().kind,
        ExprKind::Variable(_) | ExprKind::Member(_) | ExprKind::Subscript(_)
    )
}
