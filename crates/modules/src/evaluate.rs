//! Expressions: from syntax to what is known of a value.
//!
//! Input: a node. Output: a value, unknown where running the program would be needed. Invariant: every node has an answer,
//! and the work is bounded: by the nesting, and by a number of steps for the whole module.

use crate::nodes::Node;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use crate::scope::Scopes;
use crate::source::{Source, parts, range, span};
use crate::sources::Sources;
use crate::value::{Data, Function, List, Member, Native, Object, Piece, Place, Text, Value};
use crate::{ModuleReading, Others};

/// Expressions, calls and imports that are nested deeper than this are unknown.
pub(crate) const DEPTH_MAX: usize = 100;
/// After this many expressions, the rest is unknown.
const STEPS_MAX: usize = 200_000;
/// Evaluates a module. Reads only those other modules on which the values depend.
pub(crate) fn module(source: Source, others: &dyn Others) -> ModuleReading {
    let sources = Sources::new(source, others);
    let evaluation = Evaluation {
        sources: &sources,
        scopes: RefCell::default(),
        builders: RefCell::default(),
        known: RefCell::default(),
        open: RefCell::default(),
        filled: RefCell::default(),
        filling: RefCell::default(),
        steps: Cell::new(STEPS_MAX),
    };
    let documents = evaluation.documents();
    let comments = evaluation.scopes(0).map(|scopes| scopes.comments.clone()).unwrap_or_default();
    drop(evaluation);
    ModuleReading { documents, comments, imports: sources.asked() }
}

/// The arguments of a function while it is called.
pub(crate) struct Frame<'f, 't> {
    pub(crate) module: usize,
    pub(crate) scope: usize,
    pub(crate) arguments: &'f [Value<'t>],
    pub(crate) outer: Option<&'f Frame<'f, 't>>,
}

/// The context of an expression: its module, the function call around it, and how deep it is nested.
#[derive(Clone, Copy)]
pub(crate) struct At<'f, 't> {
    pub(crate) module: usize,
    pub(crate) frame: Option<&'f Frame<'f, 't>>,
    pub(crate) depth: usize,
}

impl At<'_, '_> {
    pub(crate) fn top(module: usize) -> Self {
        At { module, frame: None, depth: 0 }
    }
}

/// The state of the evaluation of one module and its imports.
pub(crate) struct Evaluation<'t> {
    pub(crate) sources: &'t Sources<'t>,
    /// The declared names of each module, by module number.
    scopes: RefCell<FxHashMap<usize, Rc<Scopes<'t>>>>,
    /// Functions of packages that modules import, by module, specifier and name.
    pub(crate) builders: RefCell<FxHashMap<(usize, &'t str, &'t str), Native>>,
    /// Values of constants that are already evaluated, by module and node.
    pub(crate) known: RefCell<FxHashMap<(usize, usize), Value<'t>>>,
    /// The constants that are being evaluated now, to detect a constant that refers to itself.
    pub(crate) open: RefCell<FxHashSet<(usize, usize)>>,
    /// Values of constants after all statements that add to them.
    pub(crate) filled: RefCell<FxHashMap<(usize, usize), Value<'t>>>,
    /// The constants whose statements are being applied now, to stop recursion.
    pub(crate) filling: RefCell<FxHashSet<(usize, usize)>>,
    pub(crate) steps: Cell<usize>,
}

impl<'t> Evaluation<'t> {
    pub(crate) fn source(&self, module: usize) -> Option<&'t Source> {
        self.sources.get(module)
    }

    /// The declared names of a module.
    pub(crate) fn scopes(&self, module: usize) -> Option<Rc<Scopes<'t>>> {
        if let Some(known) = self.scopes.borrow().get(&module) {
            return Some(Rc::clone(known));
        }
        let scopes = Rc::new(Scopes::new(self.source(module)?));
        self.scopes.borrow_mut().insert(module, Rc::clone(&scopes));
        Some(scopes)
    }

    pub(crate) fn text_of(&self, module: usize, node: Node<'t>) -> &'t str {
        self.source(module).map_or("", |source| source.text_of(node))
    }

    pub(crate) fn place(&self, module: usize, node: Node<'t>) -> Place {
        Place { module, range: range(node) }
    }

    /// The value of an expression.
    pub(crate) fn value(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let steps = self.steps.get();
        if steps == 0 || at.depth > DEPTH_MAX {
            return Value::unknown("too much to evaluate", place);
        }
        self.steps.set(steps - 1);
        let at = At { depth: at.depth + 1, ..at };
        let data = match node.kind() {
            "string" => return self.string(node, at.module),
            "template_string" => return self.template(node, at),
            "number" => self.number(node, at.module),
            "true" => Data::Bool(true),
            "false" => Data::Bool(false),
            "null" => Data::Null,
            "undefined" => Data::Undefined,
            "identifier" | "shorthand_property_identifier" => return self.name(node, at),
            "object" => return self.object(node, at),
            "array" => return self.array(node, at),
            "arrow_function" | "function_expression" => Data::Function(Function { module: at.module, node }),
            "as_expression"
            | "satisfies_expression"
            | "non_null_expression"
            | "parenthesized_expression"
            | "instantiation_expression" => {
                return self.first(node, at);
            }
            "type_assertion" => {
                return parts(node)
                    .last()
                    .map_or_else(|| Value::undefined(place), |last| self.value(*last, at));
            }
            "await_expression" => return self.first(node, at),
            "member_expression" => return self.member(node, at),
            "subscript_expression" => return self.subscript(node, at),
            "call_expression" => return self.call(node, at),
            "binary_expression" => return self.binary(node, at),
            "unary_expression" => return self.unary(node, at),
            "ternary_expression" => return self.ternary(node, at),
            "new_expression" => match self.chained(node, at) {
                Some(built) => return built,
                None => Data::Unknown("an object of a class".into()),
            },
            "ERROR" => Data::Unknown("the syntax is broken here".into()),
            _ => Data::Unknown("it is computed when the program runs".into()),
        };
        Value { data, at: place, by: None }
    }

    fn first(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        match parts(node).first() {
            Some(inner) => self.value(*inner, at),
            None => Value::unknown("the syntax is broken here", self.place(at.module, node)),
        }
    }

    fn number(&self, node: Node<'t>, module: usize) -> Data<'t> {
        let text = self.text_of(module, node).replace('_', "");
        let lower = text.to_ascii_lowercase();
        let radix = [("0x", 16), ("0o", 8), ("0b", 2)];
        let of_radix = radix.iter().find_map(|(prefix, radix)| {
            u64::from_str_radix(lower.strip_prefix(prefix)?, *radix).ok().map(|number| number as f64)
        });
        match of_radix.or_else(|| text.parse().ok()) {
            Some(number) => Data::Number(number),
            None => Data::Unknown("a number of another form".into()),
        }
    }

    /// The value of a string in quotes, with the place of each part.
    fn string(&self, node: Node<'t>, module: usize) -> Value<'t> {
        let mut text = Text::default();
        let place = self.place(module, node);
        for part in node.children() {
            if !self.fragment(part, module, &mut text) {
                return Value::unknown("half a character", place);
            }
        }
        Value { data: Data::Text(Rc::new(text)), at: place, by: None }
    }

    /// Adds a part of a string. Returns `false` for an escape that is only half of a character.
    fn fragment(&self, part: Node<'t>, module: usize, text: &mut Text) -> bool {
        let written = self.text_of(module, part);
        let source = self.place(module, part);
        match part.kind() {
            "string_fragment" => {
                text.pieces.push(Piece { length: written.len(), source, is_copy: true });
                text.text.push_str(written);
            }
            "escape_sequence" => {
                let Some(meant) = unescaped(written) else { return false };
                text.pieces.push(Piece { length: meant.len(), source, is_copy: false });
                text.text.push_str(&meant);
            }
            _ => {}
        }
        true
    }

    fn template(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let mut text = Text::default();
        let place = self.place(at.module, node);
        let mut behind = node.start_byte() + 1;
        for part in node.children() {
            if part.start_byte() > behind {
                self.plain(at.module, behind, part.start_byte(), &mut text);
            }
            behind = behind.max(part.end_byte());
            if part.kind() != "template_substitution" {
                if !self.fragment(part, at.module, &mut text) {
                    return Value::unknown("half a character", place);
                }
                continue;
            }
            let value = self.first(part, at);
            let Some(printed) = value.printed() else {
                let reason = if let Data::Unknown(reason) = &value.data {
                    Rc::clone(reason)
                } else {
                    "no text".into()
                };
                return Value { data: Data::Unknown(reason), at: place, by: None };
            };
            text.pieces.push(Piece {
                length: printed.len(),
                source: self.place(at.module, part),
                is_copy: false,
            });
            text.text.push_str(&printed);
        }
        Value { data: Data::Text(Rc::new(text)), at: place, by: None }
    }

    /// Adds the plain text of a template between its other parts. The grammar has no node for it.
    fn plain(&self, module: usize, start: usize, end: usize, text: &mut Text) {
        let Some(source) = self.source(module) else { return };
        let written = source.text.get(start..end).unwrap_or_default();
        let place = Place { module, range: span(start, end) };
        text.pieces.push(Piece { length: written.len(), source: place, is_copy: true });
        text.text.push_str(written);
    }

    fn object(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let mut object = Object::default();
        for part in parts(node) {
            let place = self.place(at.module, part);
            match part.kind() {
                "pair" => {
                    let value = match part.child("value") {
                        Some(value) => self.value(value, at),
                        None => Value::unknown("the syntax is broken here", place),
                    };
                    match part.child("key").and_then(|key| self.key(key, at)) {
                        Some((key, key_at)) => object.set(Member { key, key_at, value }),
                        None => object.set_unknown(&"a computed key".into(), place),
                    }
                }
                "shorthand_property_identifier" => {
                    let key = self.text_of(at.module, part).into();
                    object.set(Member { key, key_at: place, value: self.value(part, at) });
                }
                "spread_element" => self.spread_members(&self.first(part, at), place, &mut object),
                "method_definition" => {
                    let name = part.child("name");
                    let is_plain = name.is_some_and(|name| name.start_byte() == part.start_byte());
                    if let Some((key, key_at)) = name.and_then(|name| self.key(name, at)) {
                        let function = Data::Function(Function { module: at.module, node: part });
                        let data = if is_plain { function } else { Data::Unknown("a getter".into()) };
                        object.set(Member { key, key_at, value: Value { data, at: place, by: None } });
                    }
                }
                _ => object.set_unknown(&"the syntax is broken here".into(), place),
            }
        }
        Value::object(object, self.place(at.module, node))
    }

    fn key(&self, key: Node<'t>, at: At<'_, 't>) -> Option<(Rc<str>, Place)> {
        let place = self.place(at.module, key);
        let text: Rc<str> = match key.kind() {
            "property_identifier" | "private_property_identifier" => self.text_of(at.module, key).into(),
            "string" => self.string(key, at.module).as_str()?.into(),
            "number" => self.value(key, at).printed()?.into(),
            "computed_property_name" => self.first(key, at).printed()?.into(),
            _ => return None,
        };
        Some((text, place))
    }

    /// Copies the members of a mapping, as a spread does.
    pub(crate) fn spread_members(&self, value: &Value<'t>, place: Place, object: &mut Object<'t>) {
        match &value.data {
            Data::Object(other) => {
                if let Some((open_at, reason)) = &other.open {
                    object.set_unknown(reason, *open_at);
                }
                other.members.iter().for_each(|member| object.set(member.clone()));
            }
            Data::Undefined | Data::Null | Data::Bool(_) | Data::Number(_) => {}
            Data::Unknown(reason) => object.set_unknown(reason, place),
            _ => object.set_unknown(&"it is computed when the program runs".into(), place),
        }
    }

    fn array(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let mut list = List::default();
        for part in parts(node) {
            if part.kind() != "spread_element" {
                list.items.push(self.value(part, at));
                continue;
            }
            let place = self.place(at.module, part);
            let value = self.first(part, at);
            match &value.data {
                Data::List(other) => {
                    list.is_open |= other.is_open;
                    list.items.extend(other.items.iter().cloned());
                }
                Data::Unknown(reason) => {
                    list.is_open = true;
                    list.items.push(Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None });
                }
                _ => {
                    list.is_open = true;
                    list.items.push(Value::unknown("it is computed when the program runs", place));
                }
            }
        }
        Value::list(list.items, list.is_open, self.place(at.module, node))
    }

    fn member(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let (Some(object), Some(property)) = (node.child("object"), node.child("property")) else {
            return Value::unknown("the syntax is broken here", place);
        };
        let value = self.value(object, at);
        self.relocated(self.property(&value, self.text_of(at.module, property), place), place)
    }

    fn subscript(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let (Some(object), Some(index)) = (node.child("object"), node.child("index")) else {
            return Value::unknown("the syntax is broken here", place);
        };
        let (value, index) = (self.value(object, at), self.value(index, at));
        let picked = match &index.data {
            Data::Number(number) if *number >= 0.0 && number.fract() == 0.0 && value.as_list().is_some() => {
                self.item(&value, *number as usize, place)
            }
            Data::Text(_) | Data::Number(_) => match index.printed() {
                Some(key) => self.property(&value, &key, place),
                None => Value::unknown("a computed key", place),
            },
            _ => Value::unknown("a computed key", place),
        };
        self.relocated(picked, place)
    }

    /// The value with the place where it is used. A list or mapping keeps its own place if it is in the same module.
    pub(crate) fn relocated(&self, mut value: Value<'t>, place: Place) -> Value<'t> {
        let is_composed = matches!(value.data, Data::List(_) | Data::Object(_));
        if !is_composed || value.at.module != place.module {
            value.at = place;
        }
        value.by = Some(place);
        value
    }

    /// A property of a value.
    pub(crate) fn property(&self, value: &Value<'t>, name: &str, place: Place) -> Value<'t> {
        match &value.data {
            Data::Object(object) => object.get(name, place),
            Data::List(list) if name == "length" && !list.is_open => {
                Value { data: Data::Number(list.items.len() as f64), at: place, by: None }
            }
            Data::Text(text) if name == "length" => {
                Value { data: Data::Number(text.text.encode_utf16().count() as f64), at: place, by: None }
            }
            Data::Namespace(module) => self.export(module, name, At::top(place.module), place),
            Data::Builder(Native::Environment) => self.variable(name, place),
            Data::Builder(Native::Global(global)) if Evaluation::is_environment(global, name) => {
                Value { data: Data::Builder(Native::Environment), at: place, by: None }
            }
            Data::Builder(Native::Group(dialect, group)) => {
                let name = format!("{group}.{name}");
                match dialect.builders.and_then(|builders| builders.function(&name)) {
                    Some(function) => Value {
                        data: Data::Builder(Native::Function(dialect, function)),
                        at: place,
                        by: None,
                    },
                    None => Value::unknown("a member that the package does not have", place),
                }
            }
            Data::Unknown(reason) => Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None },
            _ => Value::unknown("it is computed when the program runs", place),
        }
    }

    fn ternary(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let part = |name: &str| match node.child(name) {
            Some(part) => self.value(part, at),
            None => Value::unknown("the syntax is broken here", place),
        };
        let condition = part("condition");
        match condition.truth() {
            Some(true) => part("consequence"),
            Some(false) => part("alternative"),
            None => either(&condition, part("consequence"), &part("alternative"), place),
        }
    }

    fn unary(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let operator = node.child("operator").map_or("", |operator| self.text_of(at.module, operator));
        let argument = node.child("argument").map(|argument| self.value(argument, at));
        let data = match (operator, argument.map(|argument| (argument.truth(), argument.data))) {
            ("-", Some((_, Data::Number(number)))) => Data::Number(-number),
            ("+", Some((_, Data::Number(number)))) => Data::Number(number),
            ("!", Some((Some(truth), _))) => Data::Bool(!truth),
            ("void", _) => Data::Undefined,
            (_, Some((_, Data::Unknown(reason)))) => Data::Unknown(reason),
            _ => Data::Unknown("it is computed when the program runs".into()),
        };
        Value { data, at: place, by: None }
    }

    fn binary(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let operator = node.child("operator").map_or("", |operator| self.text_of(at.module, operator));
        let (Some(left), Some(right)) = (node.child("left"), node.child("right")) else {
            return Value::unknown("the syntax is broken here", place);
        };
        let left = self.value(left, at);
        let is_right = match (operator, &left.data) {
            ("&&", _) => left.truth(),
            ("||", _) => left.truth().map(|truth| !truth),
            ("??", Data::Unknown(_)) => None,
            ("??", data) => Some(matches!(data, Data::Undefined | Data::Null)),
            _ => {
                let right = self.value(right, at);
                return Value { data: computed(operator, &left, &right, place), at: place, by: None };
            }
        };
        match is_right {
            Some(true) => self.value(right, at),
            Some(false) => left,
            None => match &left.data {
                Data::Unknown(reason) => {
                    Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None }
                }
                _ => Value::unknown("it depends on what is not known", place),
            },
        }
    }
}

/// One of two values, when the condition that decides is unknown. Known only if both values are the same.
fn either<'t>(unknown: &Value<'t>, one: Value<'t>, other: &Value<'t>, place: Place) -> Value<'t> {
    match (&unknown.data, equal(&one, other)) {
        (_, Some(true)) => one,
        (Data::Unknown(reason), _) => Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None },
        _ => Value::unknown("it depends on what is not known", place),
    }
}

/// The result of a binary operator.
fn computed<'t>(operator: &str, left: &Value<'t>, right: &Value<'t>, place: Place) -> Data<'t> {
    let unknown = || Data::Unknown("it is computed when the program runs".into());
    if let Some(reason) = [left, right].iter().find_map(|side| match &side.data {
        Data::Unknown(reason) => Some(Rc::clone(reason)),
        _ => None,
    }) {
        return Data::Unknown(reason);
    }
    match (operator, &left.data, &right.data) {
        ("+", Data::Number(left), Data::Number(right)) => Data::Number(left + right),
        ("-", Data::Number(left), Data::Number(right)) => Data::Number(left - right),
        ("*", Data::Number(left), Data::Number(right)) => Data::Number(left * right),
        ("/", Data::Number(left), Data::Number(right)) => Data::Number(left / right),
        ("%", Data::Number(left), Data::Number(right)) => Data::Number(left % right),
        ("**", Data::Number(left), Data::Number(right)) => Data::Number(left.powf(*right)),
        ("<", Data::Number(left), Data::Number(right)) => Data::Bool(left < right),
        (">", Data::Number(left), Data::Number(right)) => Data::Bool(left > right),
        ("<=", Data::Number(left), Data::Number(right)) => Data::Bool(left <= right),
        (">=", Data::Number(left), Data::Number(right)) => Data::Bool(left >= right),
        ("+", Data::Text(_), _) | ("+", _, Data::Text(_)) => match joined(left, right, place) {
            Some(text) => Data::Text(Rc::new(text)),
            None => unknown(),
        },
        ("===" | "==", _, _) => equal(left, right).map_or_else(unknown, Data::Bool),
        ("!==" | "!=", _, _) => equal(left, right).map_or_else(unknown, |equal| Data::Bool(!equal)),
        _ => unknown(),
    }
}

/// Concatenates two texts. Each part keeps its place.
fn joined(left: &Value<'_>, right: &Value<'_>, place: Place) -> Option<Text> {
    let mut whole = Text::default();
    for side in [left, right] {
        match &side.data {
            Data::Text(text) => {
                whole.text.push_str(&text.text);
                whole.pieces.extend(text.pieces.iter().copied());
            }
            _ => {
                let printed = side.printed()?;
                whole.pieces.push(Piece { length: printed.len(), source: place, is_copy: false });
                whole.text.push_str(&printed);
            }
        }
    }
    Some(whole)
}

/// Whether two plain values are equal; `None` if that is not known.
pub(crate) fn equal(left: &Value<'_>, right: &Value<'_>) -> Option<bool> {
    Some(match (&left.data, &right.data) {
        (Data::Text(left), Data::Text(right)) => left.text == right.text,
        (Data::Number(left), Data::Number(right)) => left == right,
        (Data::Bool(left), Data::Bool(right)) => left == right,
        (Data::Undefined, Data::Undefined) | (Data::Null, Data::Null) => true,
        (
            Data::Text(_) | Data::Number(_) | Data::Bool(_),
            Data::Text(_) | Data::Number(_) | Data::Bool(_) | Data::Undefined | Data::Null,
        )
        | (Data::Undefined | Data::Null, Data::Text(_) | Data::Number(_) | Data::Bool(_)) => {
            // The types differ. `==` may convert them, so the result is only known if one is `undefined` or `null`.
            return matches!(
                (&left.data, &right.data),
                (Data::Undefined | Data::Null, _) | (_, Data::Undefined | Data::Null)
            )
            .then_some(false);
        }
        _ => return None,
    })
}

/// The text that an escape stands for; `None` for half a surrogate pair.
fn unescaped(escape: &str) -> Option<String> {
    let body = escape.strip_prefix('\\').unwrap_or(escape);
    let of_code =
        |digits: &str| u32::from_str_radix(digits, 16).ok().and_then(char::from_u32).map(String::from);
    let text = match body.chars().next() {
        Some('n') => "\n",
        Some('t') => "\t",
        Some('r') => "\r",
        Some('b') => "\u{8}",
        Some('f') => "\u{c}",
        Some('v') => "\u{b}",
        Some('0') if body.len() == 1 => "\0",
        Some('x') => return of_code(&body[1..]),
        Some('u') => return of_code(body[1..].trim_matches(['{', '}'])),
        Some('\n' | '\r' | '\u{2028}' | '\u{2029}') | None => "",
        Some(_) => body,
    };
    Some(text.to_owned())
}
