//! Builders whose methods add parts: `new Graph(…).addNode(…).addEdge(…)`, in one expression or in statements.
//!
//! Input: a call of a method. Output: what was built so far, or the document. Invariant: each method adds its parts once, in the
//! order of the text; what is added in a loop, or behind a condition, makes the lists of parts unknown.

use std::rc::Rc;

use crate::nodes::Node;
use nodewise_dialect::table::{Builder, Dialect, Does, MethodChain};

use crate::additions::{Adding, LATER, identified, unknown_object};
use crate::builders::Call;
use crate::calls::argument_nodes;
use crate::evaluate::{At, Evaluation};
use crate::scope::Binding;
use crate::source::{callee, parts, range, span};
use crate::value::{Built, Data, Kept, List, Native, Object, Place, Value};

/// A method call: the call, and the name of the method.
type MethodCall<'t> = (Node<'t>, Node<'t>);

impl<'t> Call<'_, 't> {
    /// The initial value of a chain, before any method.
    pub(crate) fn built(
        &self,
        dialect: &'static Dialect,
        chain: &'static MethodChain,
        origin: (usize, usize),
    ) -> Value<'t> {
        let built = Built {
            dialect,
            builders: self.builders,
            chain,
            origin,
            head: self.head,
            end: self.head,
            root: self.object(),
            nodes: List::default(),
            edges: List::default(),
            last: Vec::new(),
            count: Some(0),
            kept: Vec::new(),
            id: self.made_id.clone(),
            is_complete: false,
        };
        Value { data: Data::Built(Rc::new(built)), at: self.head, by: None }
    }
}

impl<'t> Evaluation<'t> {
    /// The value of a call in a chain; `None` if the call belongs to no chain.
    pub(crate) fn chained(&self, node: Node<'t>, at: At<'_, 't>) -> Option<Value<'t>> {
        let (begun, calls) = self.beginning(node, at)?;
        let Data::Built(built) = &begun.data else { return None };
        let is_filled = self.is_constant(node, at);
        let mut built = Built::clone(built);
        for (call, method) in calls {
            let does = built.chain.method(self.text_of(at.module, method)).map(|method| &method.does);
            // The value of a constant already contains what its statements add, so do not add it twice.
            if is_filled && !matches!(does, None | Some(Does::Completes | Does::Returns)) {
                continue;
            }
            if let Some(value) = self.added(&mut built, call, method, at) {
                return Some(value);
            }
        }
        Some(Value { data: Data::Built(Rc::new(built)), at: begun.at, by: begun.by })
    }

    /// The value with which a chain begins, and the method calls after it, in order.
    fn beginning(&self, node: Node<'t>, at: At<'_, 't>) -> Option<(Value<'t>, Vec<MethodCall<'t>>)> {
        let mut calls = Vec::new();
        let mut current = node;
        loop {
            match current.kind() {
                "call_expression" | "new_expression" => {
                    let callee = callee(current)?;
                    if let Some((dialect, builder)) = self.chain_builder(callee, at) {
                        let arguments = self.arguments(current, at);
                        calls.reverse();
                        return Some((self.build(dialect, builder, current, &arguments, at), calls));
                    }
                    let object = callee.child("object")?;
                    calls.push((current, callee.child("property")?));
                    current = object;
                }
                "identifier" if !calls.is_empty() => {
                    let value = self.name(current, at);
                    let is_built = matches!(value.data, Data::Built(_));
                    calls.reverse();
                    return is_built.then_some((value, calls));
                }
                "parenthesized_expression"
                | "as_expression"
                | "satisfies_expression"
                | "non_null_expression" => {
                    current = parts(current).first().copied()?;
                }
                _ => return None,
            }
        }
    }

    /// The builder that a callee names, if it begins a chain.
    pub(crate) fn chain_builder(
        &self,
        callee: Node<'t>,
        at: At<'_, 't>,
    ) -> Option<(&'static Dialect, &'static Builder)> {
        let object = callee.child("object");
        let is_name =
            callee.kind() == "identifier" || object.is_some_and(|object| object.kind() == "identifier");
        if !is_name {
            return None;
        }
        match self.value(callee, at).data {
            Data::Builder(Native::Function(dialect, builder)) if builder.chain.is_some() => {
                Some((dialect, builder))
            }
            _ => None,
        }
    }

    /// Whether the chain begins with a constant of the module, so that other statements may add to it.
    fn is_constant(&self, node: Node<'t>, at: At<'_, 't>) -> bool {
        let mut current = node;
        while let Some(object) = callee(current).and_then(|callee| callee.child("object")) {
            current = object;
        }
        let name = self.text_of(at.module, current);
        let found = self.scopes(at.module).and_then(|scopes| scopes.find(name, range(current)));
        matches!(found, Some((_, Binding::Value(_))))
    }

    /// The value of a constant after all statements that add to it.
    pub(crate) fn filled(
        &self,
        value: Value<'t>,
        (name, scope, declared): (&str, usize, Node<'t>),
        at: At<'_, 't>,
    ) -> Value<'t> {
        let Data::Built(begun) = &value.data else { return value };
        let key = (at.module, declared.id());
        // Inside a function call, the value may depend on the arguments, so it must not be cached.
        let is_cached = at.frame.is_none();
        if let Some(known) = self.filled.borrow().get(&key).filter(|_| is_cached) {
            return known.clone();
        }
        if begun.is_complete || !self.filling.borrow_mut().insert(key) {
            return value;
        }
        let mut built = Built::clone(begun);
        for use_of in self.uses(name, scope, at) {
            self.used(&mut built, &use_of, declared, at);
        }
        self.filling.borrow_mut().remove(&key);
        let filled = Value { data: Data::Built(Rc::new(built)), at: value.at, by: value.by };
        if is_cached {
            self.filled.borrow_mut().insert(key, filled.clone());
        }
        filled
    }

    /// All uses of a constant that may change it: the chains of method calls that begin with it, and the calls that get it
    /// as an argument.
    fn uses(&self, name: &str, scope: usize, at: At<'_, 't>) -> Vec<Use<'t>> {
        let Some(scopes) = self.scopes(at.module) else { return Vec::new() };
        let is_it = |node: &Node<'t>| {
            node.kind() == "identifier"
                && self.text_of(at.module, *node) == name
                && scopes.find(name, range(*node)).is_some_and(|(found, _)| found == scope)
        };
        let mut uses = Vec::new();
        for call in &scopes.calls {
            let Some(callee) = callee(*call) else { continue };
            if callee.child("object").as_ref().is_some_and(is_it) {
                uses.push(Use::Methods(methods(*call)));
            }
            let arguments = argument_nodes(*call);
            if callee.kind() == "identifier" && arguments.iter().any(is_it) {
                uses.push(Use::Handed(*call, callee));
            }
        }
        uses
    }

    fn used(&self, built: &mut Built<'t>, use_of: &Use<'t>, declared: Node<'t>, at: At<'_, 't>) {
        match use_of {
            Use::Methods(calls) => {
                let adds = |(_, method): &&MethodCall<'t>| {
                    let method = built.chain.method(self.text_of(at.module, *method));
                    method.is_some_and(|method| !matches!(method.does, Does::Completes | Does::Returns))
                };
                let adding: Vec<MethodCall<'t>> = calls.iter().filter(adds).copied().collect();
                let Some((outermost, _)) = calls.last().filter(|_| !adding.is_empty()) else { return };
                if !runs_once(*outermost, declared) {
                    return built.open(
                        "parts that are added in a loop, or behind a condition",
                        self.place(at.module, *outermost),
                    );
                }
                for (call, method) in adding {
                    self.added(built, call, method, at);
                }
            }
            Use::Handed(call, callee) => {
                if !matches!(self.value(*callee, at).data, Data::Builder(_)) {
                    built.open("it is handed to a function", self.place(at.module, *call));
                }
            }
        }
    }

    /// Applies a method to the graph or node. Returns a value only if the method returns something other than the chain
    /// itself.
    fn added(
        &self,
        built: &mut Built<'t>,
        call: Node<'t>,
        method: Node<'t>,
        at: At<'_, 't>,
    ) -> Option<Value<'t>> {
        let head = self.place(at.module, method);
        let Some(row) = built.chain.method(self.text_of(at.module, method)) else {
            return Some(Value::unknown(LATER, head));
        };
        let arguments = self.arguments(call, at);
        let whole = Place { module: at.module, range: span(method.start_byte(), call.end_byte()) };
        let argument =
            |position: usize| arguments.get(position).cloned().unwrap_or_else(|| Value::undefined(whole));
        let adding = Adding { evaluation: self, head, whole };
        match &row.does {
            Does::AddsNode => {
                let node = argument(1);
                let object = node.as_object().map(|object| Object::clone(object));
                let object = object.unwrap_or_else(|| unknown_object(&node));
                built.nodes.items.push(identified(object, argument(0), node.at));
            }
            Does::AddsEdges(rows) => {
                for row in *rows {
                    let (options, _) = self.options(row, &arguments, whole);
                    adding.edge(built, row, options);
                }
            }
            Does::Sets(rows) => adding.set(built, rows, &argument(0)),
            Does::SetsMember(key) => adding.member(built, key, &argument(0), &argument(1)),
            Does::AddsStep => adding.step(built, argument(0), &argument(1)),
            Does::AddsBranches => adding.branches(built, &argument(0), &argument(1)),
            Does::AddsParallel(option, key) => {
                adding.parallel(built, &argument(0));
                adding.merge(built, key, &self.property(&argument(1), option, whole));
            }
            Does::Keeps => built.kept.push(Kept { method: row.name, arguments, head }),
            Does::Completes => {
                (built.is_complete, built.end) = (true, head);
                built.id = self.made_name(call, at, built.head).unwrap_or_else(|| built.id.clone());
            }
            Does::Returns => return Some(built.returned(whole)),
            Does::Nothing => {}
        }
        None
    }
}

/// A use of a constant.
enum Use<'t> {
    Methods(Vec<MethodCall<'t>>),
    /// The constant is passed to a function: the call, and the callee.
    Handed(Node<'t>, Node<'t>),
}

/// The method calls of a chain, from the innermost one outward.
fn methods(innermost: Node<'_>) -> Vec<MethodCall<'_>> {
    let mut calls = Vec::new();
    let mut current = innermost;
    while let Some(method) = callee(current).and_then(|callee| callee.child("property")) {
        calls.push((current, method));
        let outer = current.parent().filter(|member| member.kind() == "member_expression");
        match outer.and_then(|member| member.parent()).filter(|outer| callee(*outer) == current.parent()) {
            Some(outer) => current = outer,
            None => break,
        }
    }
    calls
}

/// Whether a call runs exactly once for each run of the declaration: no loop, condition or function is around it.
fn runs_once(call: Node<'_>, declared: Node<'_>) -> bool {
    let mut block = declared.parent();
    while let Some(node) = block.filter(|node| !matches!(node.kind(), "program" | "statement_block")) {
        block = node.parent();
    }
    let mut current = call.parent();
    while let Some(node) = current {
        if Some(node) == block {
            return true;
        }
        let kind = node.kind();
        let is_conditional = kind.contains("function")
            || kind.starts_with("for_")
            || kind.starts_with("switch")
            || kind.starts_with("class")
            || matches!(
                kind,
                "if_statement"
                    | "while_statement"
                    | "do_statement"
                    | "catch_clause"
                    | "method_definition"
                    | "ternary_expression"
                    | "binary_expression"
            );
        if is_conditional {
            return false;
        }
        current = node.parent();
    }
    false
}
