//! Calls: of functions of the program whose body is one expression, of builders, of a few functions of the language.

use std::rc::Rc;

use crate::nodes::Node;

use crate::evaluate::{At, Evaluation, Frame};
use crate::source::parts;
use crate::value::{Data, Function, List, Member, Native, Object, Place, Value};

/// Functions that are nested deeper than this in calls are unknown.
const CALLS_MAX: usize = 20;

impl<'t> Evaluation<'t> {
    pub(crate) fn call(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let Some(callee) = node.child("function") else {
            return Value::unknown("the syntax is broken here", place);
        };
        if callee.kind() == "import" || self.text_of(at.module, callee) == "require" {
            return self.required(node, at, place);
        }
        if let Some(value) = self.chained(node, at) {
            return value;
        }
        if callee.kind() == "member_expression"
            && let (Some(object), Some(method)) = (callee.child("object"), callee.child("property"))
        {
            let method = self.text_of(at.module, method);
            if (object.kind(), method) == ("regex", "test") {
                let text =
                    self.arguments(node, at).into_iter().next().unwrap_or_else(|| Value::undefined(place));
                return self.pattern_test(object, &text, at, place);
            }
            let value = self.value(object, at);
            match &value.data {
                Data::List(list) => {
                    let arguments = self.arguments(node, at);
                    return self.method_of_list(&value, list, method, &arguments, at, place);
                }
                Data::Text(text) => {
                    let arguments = self.arguments(node, at);
                    return self.method_of_text(text, method, &arguments, place);
                }
                Data::Schema(schema) => {
                    return self.method_of_schema(&value, schema, method, &self.arguments(node, at), place);
                }
                // A builder chain that came in through a parameter, so its method calls are not followed.
                Data::Built(_) => return Value::unknown("it is computed when the program runs", place),
                Data::Builder(Native::Global(global)) => {
                    return self.global(&format!("{global}.{method}"), &self.arguments(node, at), at, place);
                }
                _ => {}
            }
        }
        let function = self.value(callee, at);
        match &function.data {
            Data::Builder(Native::Function(dialect, builder)) => {
                self.build(dialect, builder, node, &self.arguments(node, at), at)
            }
            Data::Builder(Native::Schema(name)) => self.schema(name, &self.arguments(node, at), place),
            Data::Builder(Native::Global(name)) => self.global(name, &self.arguments(node, at), at, place),
            Data::Function(function) => {
                let arguments = self.arguments(node, at);
                self.apply(*function, &arguments, at, place)
            }
            Data::Unknown(reason) => Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None },
            _ => Value::unknown("it is computed when the program runs", place),
        }
    }

    /// The arguments of a call. After a spread of unknown length, eight unknown arguments stand for the rest.
    pub(crate) fn arguments(&self, call: Node<'t>, at: At<'_, 't>) -> Vec<Value<'t>> {
        let mut values = Vec::new();
        for part in argument_nodes(call) {
            if part.kind() != "spread_element" {
                values.push(self.value(part, at));
                continue;
            }
            let spread = parts(part).first().map(|inner| self.value(*inner, at));
            match spread.as_ref().and_then(Value::as_list).filter(|list| !list.is_open) {
                Some(list) => values.extend(list.items.iter().cloned()),
                None => {
                    let unknown =
                        || Value::unknown("arguments that are not known", self.place(at.module, part));
                    values.extend(std::iter::repeat_with(unknown).take(8));
                    return values;
                }
            }
        }
        values
    }

    /// The value of `require("…")` and `import("…")`.
    fn required(&self, node: Node<'t>, at: At<'_, 't>, place: Place) -> Value<'t> {
        match self.arguments(node, at).first().and_then(Value::as_str) {
            Some(module) => {
                Value { data: Data::Namespace(self.resolved(at.module, module)), at: place, by: None }
            }
            None => Value::unknown("a module that is chosen when the program runs", place),
        }
    }

    /// Calls a function of the program. Only evaluates functions whose body is an expression, or constants and a `return`.
    pub(crate) fn apply(
        &self,
        function: Function<'t>,
        arguments: &[Value<'t>],
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        let unknown = |reason: &str| Value::unknown(reason, place);
        let Function { module, node } = function;
        let written = self.text_of(module, node);
        if written.starts_with("async")
            || written.starts_with("function*")
            || node.kind().starts_with("generator")
        {
            return unknown("the result of a function that runs later");
        }
        let scope = self.scopes(module).and_then(|scopes| scopes.of_function(node));
        let (Some(scope), Some(body)) = (scope, node.child("body")) else {
            return unknown("a function that cannot be read");
        };
        let frame = Frame { module, scope, arguments, outer: at.frame };
        if frame.length() > CALLS_MAX {
            return unknown("too much to evaluate");
        }
        let inside = At { module, frame: Some(&frame), depth: at.depth };
        if body.kind() != "statement_block" {
            return self.value(body, inside);
        }
        let statements = parts(body);
        let Some((last, before)) = statements.split_last() else { return Value::undefined(place) };
        let is_declaration = |statement: &Node<'_>| statement.kind() == "lexical_declaration";
        let returned = parts(*last).first().copied();
        match returned {
            Some(value) if last.kind() == "return_statement" && before.iter().all(is_declaration) => {
                self.value(value, inside)
            }
            _ => unknown("the result of a function with statements"),
        }
    }

    /// Calls a built-in function of JavaScript.
    fn global(&self, name: &str, arguments: &[Value<'t>], at: At<'_, 't>, place: Place) -> Value<'t> {
        let first = arguments.first();
        let members = first.and_then(Value::as_object).filter(|object| object.open.is_none());
        let list = |items: Vec<Value<'t>>| Value::list(items, false, place);
        match (name, members) {
            ("Object.freeze" | "Object.seal", _) => first.cloned().unwrap_or_else(|| Value::undefined(place)),
            ("Object.keys", Some(members)) => list(
                members
                    .members
                    .iter()
                    .map(|member| Value::computed(member.key.to_string(), member.key_at))
                    .collect(),
            ),
            ("Object.values", Some(members)) => {
                list(members.members.iter().map(|member| member.value.clone()).collect())
            }
            ("Object.entries", Some(members)) => list(
                members
                    .members
                    .iter()
                    .map(|member| {
                        let key = Value::computed(member.key.to_string(), member.key_at);
                        Value::list(vec![key, member.value.clone()], false, member.value.at)
                    })
                    .collect(),
            ),
            ("Object.fromEntries", _) => from_entries(first, place),
            ("Object.assign", _) => {
                let mut object = Object::default();
                arguments.iter().for_each(|value| self.spread_members(value, place, &mut object));
                Value::object(object, place)
            }
            ("Array.from", _) => self.array_from(arguments, at, place),
            ("Array.of", _) => list(arguments.to_vec()),
            // An unknown value stays unknown when it is converted.
            ("String" | "Number" | "Boolean", _) if first.is_some_and(Value::is_unknown) => {
                first.map_or_else(|| Value::undefined(place), |first| Value { at: place, ..first.clone() })
            }
            ("Number", _) => match first.map(|first| &first.data) {
                Some(Data::Number(number)) => Value { data: Data::Number(*number), at: place, by: None },
                _ => Value::unknown("it is computed when the program runs", place),
            },
            ("Boolean", _) => {
                let truth = first.map_or(Some(false), Value::truth).map(Data::Bool);
                let data = truth.unwrap_or_else(|| Data::Unknown("it depends on what is not known".into()));
                Value { data, at: place, by: None }
            }
            ("String", _) => match first.and_then(Value::printed) {
                Some(text) => Value::computed(text, place),
                None => Value::unknown("it is computed when the program runs", place),
            },
            _ => Value::unknown("it is computed when the program runs", place),
        }
    }

    /// Evaluates `Array.from(list, function)` and `Array.from({ length }, function)`.
    fn array_from(&self, arguments: &[Value<'t>], at: At<'_, 't>, place: Place) -> Value<'t> {
        let items = match arguments.first().map(|first| &first.data) {
            Some(Data::List(list)) => (**list).clone(),
            Some(Data::Object(object)) => match object.get("length", place).data {
                Data::Number(length) if (0.0..=1000.0).contains(&length) => {
                    let items = std::iter::repeat_with(|| Value::undefined(place)).take(length as usize);
                    List { items: items.collect(), is_open: false }
                }
                _ => return Value::unknown("it is computed when the program runs", place),
            },
            _ => return Value::unknown("it is computed when the program runs", place),
        };
        let value = Value::list(items.items.clone(), items.is_open, place);
        match arguments.get(1) {
            Some(_) => {
                self.method_of_list(&value, &items, "map", arguments.get(1..).unwrap_or_default(), at, place)
            }
            None => value,
        }
    }

    /// Calls a callback with some arguments.
    pub(crate) fn callback(
        &self,
        function: &Value<'t>,
        arguments: &[Value<'t>],
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        match &function.data {
            Data::Function(function) => self.apply(*function, arguments, at, place),
            Data::Builder(Native::Global(name)) if &**name == "Boolean" => {
                match arguments.first().and_then(Value::truth) {
                    Some(truth) => Value { data: Data::Bool(truth), at: place, by: None },
                    None => Value::unknown("it depends on what is not known", place),
                }
            }
            _ => Value::unknown("a function that is not known", place),
        }
    }

    /// The name of the constant, or of the property, whose value is this expression.
    pub(crate) fn holder(&self, module: usize, node: Node<'t>) -> Option<&'t str> {
        let mut current = node.parent()?;
        while matches!(
            current.kind(),
            "as_expression"
                | "satisfies_expression"
                | "await_expression"
                | "parenthesized_expression"
                | "non_null_expression"
        ) {
            current = current.parent()?;
        }
        match current.kind() {
            "variable_declarator" => {
                let name = current.child("name").filter(|name| name.kind() == "identifier")?;
                Some(self.text_of(module, name))
            }
            "pair" => {
                let key = current.child("key").filter(|key| key.kind() == "property_identifier")?;
                Some(self.text_of(module, key))
            }
            _ => None,
        }
    }

    /// Whether a constant with this name is changed after its declaration.
    pub(crate) fn is_changed(&self, module: usize, name: &str) -> bool {
        self.scopes(module).is_some_and(|scopes| scopes.is_changed(name))
    }
}

pub(crate) fn argument_nodes(call: Node<'_>) -> Vec<Node<'_>> {
    call.child("arguments").map(parts).unwrap_or_default()
}

impl Frame<'_, '_> {
    fn length(&self) -> usize {
        let mut length = 1;
        let mut outer = self.outer;
        while let Some(frame) = outer {
            length += 1;
            outer = frame.outer;
        }
        length
    }
}

fn from_entries<'t>(entries: Option<&Value<'t>>, place: Place) -> Value<'t> {
    let mut object = Object::default();
    let unknown = || Value::unknown("it is computed when the program runs", place);
    let Some(list) = entries.and_then(Value::as_list).filter(|list| !list.is_open) else { return unknown() };
    for entry in &list.items {
        let Some(pair) = entry.as_list().filter(|pair| !pair.is_open) else { return unknown() };
        let (Some(key), Some(value)) = (pair.items.first(), pair.items.get(1)) else { return unknown() };
        let Some(text) = key.printed() else { return unknown() };
        object.set(Member { key: text.into(), key_at: key.at, value: value.clone() });
    }
    Value::object(object, place)
}
