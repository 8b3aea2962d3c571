//! Who declares a name: the scopes of a module, read in one walk over its tree.
//!
//! Input: a tree. Output: for a name and a place, its declaration; and what else the walk meets (calls, comments,
//! what is changed after it was declared). Invariant: one step a node.

use crate::nodes::Node;
use nodewise_syntax::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::source::{Source, parts, range};

/// Methods of arrays that change the array itself.
const MUTATORS: [&str; 9] =
    ["push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"];

/// What a name refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Binding<'t> {
    /// The value of an expression.
    Value(Node<'t>),
    /// A member of the value of an expression, taken by a pattern.
    Member(Node<'t>, Part<'t>),
    /// An export of another module: by name, or the whole module for `None`.
    Import(&'t str, Option<&'t str>),
    Function(Node<'t>),
    Enum(Node<'t>),
    /// A parameter: its position, its default, and the member that a pattern takes of it. The function is the one whose
    /// scope contains the name.
    Parameter(usize, Option<Node<'t>>, Option<Part<'t>>),
    /// Something that is not evaluated, with a description.
    Other(&'static str),
}

/// What a pattern takes from a value: a member, with a default if the member is missing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'t> {
    pub(crate) key: Key<'t>,
    pub(crate) default: Option<Node<'t>>,
}

/// How a pattern selects a member.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Key<'t> {
    Name(&'t str),
    Position(usize),
}

/// A part of the text that declares names of its own.
#[derive(Debug)]
struct Scope<'t> {
    range: TextRange,
    parent: Option<usize>,
    names: FxHashMap<&'t str, Binding<'t>>,
}

/// Everything that one walk over a module collects.
#[derive(Debug, Default)]
pub(crate) struct Scopes<'t> {
    scopes: Vec<Scope<'t>>,
    /// Names whose values are changed after their declaration.
    changed: FxHashSet<&'t str>,
    /// The ranges of the comments, in order.
    pub(crate) comments: Vec<TextRange>,
    /// The calls, in order.
    pub(crate) calls: Vec<Node<'t>>,
    /// Type annotations: the name of the type, and the annotated value.
    pub(crate) typed: Vec<(Node<'t>, Node<'t>)>,
    /// The statements that export something.
    pub(crate) exports: Vec<Node<'t>>,
}

impl<'t> Scopes<'t> {
    pub(crate) fn new(source: &'t Source) -> Scopes<'t> {
        let mut walk = Walk { source, found: Scopes::default(), open: Vec::new() };
        walk.all();
        walk.found
    }

    /// What a name refers to at a place, and the number of the scope that declares it.
    pub(crate) fn find(&self, name: &str, at: TextRange) -> Option<(usize, Binding<'t>)> {
        let behind = self.scopes.partition_point(|scope| scope.range.start() <= at.start());
        let mut current = behind.checked_sub(1);
        while let Some(number) = current {
            let scope = self.scopes.get(number)?;
            if scope.range.contains_range(at)
                && let Some(binding) = scope.names.get(name)
            {
                return Some((number, *binding));
            }
            current = scope.parent;
        }
        None
    }

    /// The scope that a function opens.
    pub(crate) fn of_function(&self, function: Node<'_>) -> Option<usize> {
        let range = range(function);
        let first = self.scopes.partition_point(|scope| scope.range.start() < range.start());
        (first..self.scopes.len())
            .find(|number| self.scopes.get(*number).is_some_and(|scope| scope.range == range))
    }

    /// What a name refers to at the top level of the module.
    pub(crate) fn top(&self, name: &str) -> Option<Binding<'t>> {
        self.scopes.first()?.names.get(name).copied()
    }

    /// Whether the value of a name is changed after its declaration.
    pub(crate) fn is_changed(&self, name: &str) -> bool {
        self.changed.contains(name)
    }
}

struct Walk<'t> {
    source: &'t Source,
    found: Scopes<'t>,
    /// The numbers of the scopes around the current node, the outermost first.
    open: Vec<usize>,
}

impl<'t> Walk<'t> {
    fn all(&mut self) {
        for node in self.source.nodes.iter().filter(|node| node.is_named()) {
            self.leave(node);
            self.enter(node);
        }
    }

    /// Removes the scopes that end before a node from `open`.
    fn leave(&mut self, node: Node<'t>) {
        let start = range(node).start();
        while self.open.len() > 1
            && let Some(scope) = self.open.last().and_then(|last| self.found.scopes.get(*last))
            && scope.range.end() <= start
        {
            self.open.pop();
        }
    }

    fn enter(&mut self, node: Node<'t>) {
        match node.kind() {
            "program" | "statement_block" | "for_statement" | "catch_clause" | "switch_body" => {
                self.scope(node)
            }
            "function_declaration" | "generator_function_declaration" => {
                self.declare_field(node, Binding::Function(node));
                self.scope(node);
                self.parameters(node);
            }
            "arrow_function" | "function_expression" | "generator_function" | "method_definition" => {
                self.scope(node);
                self.parameters(node);
            }
            "for_in_statement" => {
                self.scope(node);
                if let Some(left) = node.child("left") {
                    self.pattern(left, &|_| Binding::Other("a variable of a loop"));
                }
            }
            "class_declaration" | "abstract_class_declaration" => {
                self.declare_field(node, Binding::Other("a class"));
            }
            "enum_declaration" => self.declare_field(node, Binding::Enum(node)),
            "variable_declarator" => {
                self.declarator(node);
                let of_type = node.child("type").and_then(|of_type| parts(of_type).first().copied());
                self.typed(of_type, node.child("value"));
            }
            "as_expression" | "satisfies_expression" => {
                if let [value, of_type] = parts(node).as_slice() {
                    self.typed(Some(*of_type), Some(*value));
                }
            }
            "import_statement" => self.import(node),
            "export_statement" => {
                self.found.exports.push(node);
            }
            "assignment_expression" | "augmented_assignment_expression" => {
                self.change(node.child("left"));
            }
            "update_expression" => self.change(node.child("argument")),
            "unary_expression" if self.source.text_of(node).starts_with("delete") => {
                self.change(node.child("argument"));
            }
            "call_expression" => self.call(node),
            "new_expression" => self.found.calls.push(node),
            "comment" => self.found.comments.push(range(node)),
            _ => {}
        }
    }

    fn typed(&mut self, of_type: Option<Node<'t>>, value: Option<Node<'t>>) {
        if let (Some(of_type), Some(value)) = (of_type, value)
            && of_type.kind() == "type_identifier"
        {
            self.found.typed.push((of_type, value));
        }
    }

    fn scope(&mut self, node: Node<'t>) {
        let parent = self.open.last().copied();
        let range = match parent {
            Some(_) => range(node),
            None => TextRange::up_to(nodewise_syntax::TextSize::of(&*self.source.text)),
        };
        self.open.push(self.found.scopes.len());
        self.found.scopes.push(Scope { range, parent, names: FxHashMap::default() });
    }

    fn declare(&mut self, name: Node<'t>, binding: Binding<'t>) {
        let text = self.source.text_of(name);
        if let Some(scope) = self.open.last().and_then(|last| self.found.scopes.get_mut(*last))
            && scope.names.insert(text, binding).is_some()
        {
            scope.names.insert(text, Binding::Other("declared twice"));
        }
    }

    fn declare_field(&mut self, node: Node<'t>, binding: Binding<'t>) {
        if let Some(name) = node.child("name") {
            self.declare(name, binding);
        }
    }

    fn declarator(&mut self, node: Node<'t>) {
        let Some(name) = node.child("name") else { return };
        let Some(value) = node.child("value") else {
            return self.pattern(name, &|_| Binding::Other("declared without a value"));
        };
        self.pattern(name, &|part| match part {
            None => Binding::Value(value),
            Some(part) => Binding::Member(value, part),
        });
    }

    fn parameters(&mut self, function: Node<'t>) {
        if let Some(only) = function.child("parameter") {
            return self.declare(only, Binding::Parameter(0, None, None));
        }
        let Some(list) = function.child("parameters") else { return };
        for (position, parameter) in parts(list).into_iter().enumerate() {
            let (default, pattern) = match parameter.kind() {
                // JavaScript has no types, so the grammar uses another node for a default.
                "assignment_pattern" => (parameter.child("right"), parameter.child("left")),
                _ => (parameter.child("value"), parameter.child("pattern")),
            };
            let pattern = pattern.unwrap_or(parameter);
            self.pattern(pattern, &|part| Binding::Parameter(position, default, part));
        }
    }

    /// Declares the names in a destructuring pattern, one level deep.
    fn pattern(&mut self, pattern: Node<'t>, binding: &dyn Fn(Option<Part<'t>>) -> Binding<'t>) {
        match pattern.kind() {
            "identifier" => self.declare(pattern, binding(None)),
            "object_pattern" => {
                for part in parts(pattern) {
                    self.member_pattern(part, binding);
                }
            }
            "array_pattern" if !self.source.text_of(pattern).contains("...") => {
                for (position, part) in parts(pattern).into_iter().enumerate() {
                    self.named(part, Key::Position(position), binding);
                }
            }
            _ => self.opaque(pattern),
        }
    }

    /// Declares the name in one part of an object pattern.
    fn member_pattern(&mut self, part: Node<'t>, binding: &dyn Fn(Option<Part<'t>>) -> Binding<'t>) {
        let name = match part.kind() {
            "shorthand_property_identifier_pattern" => Some(part),
            "object_assignment_pattern" => part.child("left"),
            "pair_pattern" => part.child("key").filter(|key| key.kind() == "property_identifier"),
            _ => None,
        };
        let target = part.child("value").filter(|_| part.kind() == "pair_pattern");
        match (name, target) {
            (Some(name), target) => {
                self.named(target.unwrap_or(part), Key::Name(self.source.text_of(name)), binding);
            }
            (None, target) => self.opaque(target.unwrap_or(part)),
        }
    }

    /// Declares the name in a part of a pattern, which may have a default.
    fn named(&mut self, part: Node<'t>, key: Key<'t>, binding: &dyn Fn(Option<Part<'t>>) -> Binding<'t>) {
        let is_name =
            |node: &Node<'_>| matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern");
        let (name, default) = match part.kind() {
            "assignment_pattern" | "object_assignment_pattern" => (part.child("left"), part.child("right")),
            _ => (Some(part), None),
        };
        match name.filter(is_name) {
            Some(name) => self.declare(name, binding(Some(Part { key, default }))),
            None => self.opaque(part),
        }
    }

    /// Declares all names in a pattern that is nested too deeply to be evaluated.
    fn opaque(&mut self, pattern: Node<'t>) {
        let mut waiting = vec![pattern];
        while let Some(node) = waiting.pop() {
            if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                self.declare(node, Binding::Other("a part of a pattern"));
            }
            waiting.extend(parts(node));
        }
    }

    fn import(&mut self, node: Node<'t>) {
        let Some(module) = node.child("source") else { return };
        let module = self.unquoted(module);
        let Some(clause) = parts(node).into_iter().find(|part| part.kind() == "import_clause") else {
            return;
        };
        for part in parts(clause) {
            match part.kind() {
                "identifier" => self.declare(part, Binding::Import(module, Some("default"))),
                "namespace_import" => {
                    if let Some(name) = parts(part).first() {
                        self.declare(*name, Binding::Import(module, None));
                    }
                }
                "named_imports" => {
                    for specifier in parts(part) {
                        let Some(name) = specifier.child("name") else { continue };
                        let local = specifier.child("alias").unwrap_or(name);
                        let imported = self.source.text_of(name).trim_matches(['"', '\'']);
                        self.declare(local, Binding::Import(module, Some(imported)));
                    }
                }
                _ => {}
            }
        }
    }

    fn call(&mut self, node: Node<'t>) {
        self.found.calls.push(node);
        let Some(callee) = node.child("function") else { return };
        let arguments = node.child("arguments").map(parts).unwrap_or_default();
        if callee.kind() == "member_expression" {
            let method = callee.child("property").map_or("", |name| self.source.text_of(name));
            let object = callee.child("object");
            if MUTATORS.contains(&method) {
                self.change(object);
            }
            let is_of_object = object.is_some_and(|object| self.source.text_of(object) == "Object");
            if is_of_object && matches!(method, "assign" | "defineProperty" | "defineProperties") {
                self.change(arguments.first().copied());
            }
        }
    }

    /// Records that the variable at the beginning of an expression is changed.
    fn change(&mut self, target: Option<Node<'t>>) {
        let mut current = target;
        while let Some(node) = current {
            match node.kind() {
                "identifier" => {
                    self.found.changed.insert(self.source.text_of(node));
                    return;
                }
                "array_pattern" | "object_pattern" => {
                    let mut waiting = vec![node];
                    while let Some(node) = waiting.pop() {
                        if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                            self.found.changed.insert(self.source.text_of(node));
                        }
                        waiting.extend(parts(node));
                    }
                    return;
                }
                _ => {
                    let object = node.child("object").or(node.child("function"));
                    current = object.or_else(|| parts(node).first().copied());
                }
            }
        }
    }

    fn unquoted(&self, string: Node<'t>) -> &'t str {
        self.source.text_of(string).trim_matches(['"', '\'', '`'])
    }
}
