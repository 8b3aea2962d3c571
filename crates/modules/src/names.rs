//! Names: what a declaration, a parameter or another module says of one.

use std::rc::Rc;

use crate::nodes::Node;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;

use crate::environment::of_process;
use crate::evaluate::{At, DEPTH_MAX, Evaluation};
use crate::exports::{Exported, candidates, exported};
use crate::schemas::is_schema_package;
use crate::scope::{Binding, Key, Part};
use crate::source::parts;
use crate::value::{Data, Function, Member, Native, Object, Place, Value};

impl<'t> Evaluation<'t> {
    /// The value of a name. A list or mapping keeps the place where it is written; other values get the place of the name.
    pub(crate) fn name(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let name = self.text_of(at.module, node);
        if name == "undefined" {
            return Value::undefined(place);
        }
        let scopes = self.scopes(at.module);
        let found = scopes.as_ref().and_then(|scopes| scopes.find(name, place.range));
        let Some((scope, binding)) = found else {
            return match name {
                "NaN" => Value { data: Data::Number(f64::NAN), at: place, by: None },
                "Infinity" => Value { data: Data::Number(f64::INFINITY), at: place, by: None },
                _ => Value { data: Data::Builder(Native::Global(name.into())), at: place, by: None },
            };
        };
        if scopes.is_some_and(|scopes| scopes.is_changed(name)) {
            return Value::unknown("it is changed after its declaration", place);
        }
        if let Binding::Parameter(position, default, part) = binding {
            return self.parameter((scope, position), default, part, at, place);
        }
        let value = self.bound(binding, scope, at, place);
        let value = match binding {
            Binding::Value(node) => self.filled(value, (name, scope, node), at),
            _ => value,
        };
        self.relocated(value, place)
    }

    fn parameter(
        &self,
        (scope, position): (usize, usize),
        default: Option<Node<'t>>,
        part: Option<Part<'t>>,
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        let mut frame = at.frame;
        while let Some(open) = frame {
            if open.module == at.module && open.scope == scope {
                let inside = At { frame: Some(open), ..at };
                let given = open.arguments.get(position).cloned().unwrap_or_else(|| Value::undefined(place));
                let value = self.or_default(given, default, inside);
                return part.map_or_else(|| value.clone(), |part| self.pick(&value, part, inside, place));
            }
            frame = open.outer;
        }
        Value::unknown("a parameter of a function", place)
    }

    /// The value that a declaration gives to a name. `scope` is the number of the declaration's scope.
    fn bound(&self, binding: Binding<'t>, scope: usize, at: At<'_, 't>, place: Place) -> Value<'t> {
        match binding {
            Binding::Value(node) => self.constant(node, scope, at),
            Binding::Member(node, part) => self.pick(&self.constant(node, scope, at), part, at, place),
            Binding::Import(module, Some(name)) => {
                let key = (at.module, module, name);
                if let Some(known) = self.builders.borrow().get(&key) {
                    return Value { data: Data::Builder(known.clone()), at: place, by: None };
                }
                let value = self.imported(at, module, Some(name), place);
                if let Data::Builder(builder) = &value.data {
                    self.builders.borrow_mut().insert(key, builder.clone());
                }
                value
            }
            Binding::Import(module, None) => self.imported(at, module, None, place),
            Binding::Function(node) => {
                Value { data: Data::Function(Function { module: at.module, node }), at: place, by: None }
            }
            Binding::Enum(node) => self.enumeration(node, at),
            Binding::Parameter(..) => Value::unknown("a parameter of a function", place),
            Binding::Other(what) => Value::unknown(what, place),
        }
    }

    /// The value of a constant. Evaluated only once, unless it depends on a function call.
    pub(crate) fn constant(&self, node: Node<'t>, scope: usize, at: At<'_, 't>) -> Value<'t> {
        let key = (at.module, node.id());
        // A constant inside a function may depend on the arguments of the call; a top-level constant does not.
        let depends = at.frame.is_some() && scope != 0;
        if !depends && let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        if !self.open.borrow_mut().insert(key) {
            return Value::unknown("it refers to itself", self.place(at.module, node));
        }
        let inner = At { frame: at.frame.filter(|_| depends), ..at };
        let value = self.value(node, inner);
        self.open.borrow_mut().remove(&key);
        if !depends {
            self.known.borrow_mut().insert(key, value.clone());
        }
        value
    }

    fn pick(&self, value: &Value<'t>, part: Part<'t>, at: At<'_, 't>, place: Place) -> Value<'t> {
        let picked = match part.key {
            Key::Name(name) => self.property(value, name, place),
            Key::Position(position) => self.item(value, position, place),
        };
        self.or_default(picked, part.default, at)
    }

    /// The value, or the default if it is undefined.
    fn or_default(&self, value: Value<'t>, default: Option<Node<'t>>, at: At<'_, 't>) -> Value<'t> {
        match default.filter(|_| value.is_undefined()) {
            Some(default) => self.value(default, at),
            None => value,
        }
    }

    pub(crate) fn item(&self, value: &Value<'t>, position: usize, place: Place) -> Value<'t> {
        match &value.data {
            Data::List(list) if list.is_open => Value::unknown("the list is not known", place),
            Data::List(list) => list.items.get(position).cloned().unwrap_or_else(|| Value::undefined(place)),
            Data::Unknown(reason) => Value { data: Data::Unknown(Rc::clone(reason)), at: place, by: None },
            _ => Value::unknown("it is computed when the program runs", place),
        }
    }

    /// The value that a module imports, by name, or the whole module for `None`.
    fn imported(&self, at: At<'_, 't>, module: &'t str, name: Option<&'t str>, place: Place) -> Value<'t> {
        let package =
            |dialect: &&'static Dialect| dialect.builders.is_some_and(|builders| builders.is_package(module));
        if DIALECTS.iter().copied().any(|dialect| package(&dialect)) || name.is_none() {
            let namespace =
                Value { data: Data::Namespace(self.resolved(at.module, module)), at: place, by: None };
            return name.map_or_else(|| namespace.clone(), |name| self.property(&namespace, name, place));
        }
        let resolved = self.resolved(at.module, module);
        match name {
            Some(name) => self.export(&resolved, name, at, place),
            None => Value { data: Data::Namespace(resolved), at: place, by: None },
        }
    }

    /// The path of an imported module of the project. For a package, the specifier itself.
    pub(crate) fn resolved(&self, from: usize, specifier: &str) -> Rc<str> {
        let from = self.source(from).map_or("", |source| source.path.as_str());
        let paths = candidates(from, specifier);
        let found = paths.into_iter().find(|path| self.sources.number(path).is_some());
        found.map_or_else(|| specifier.into(), Into::into)
    }

    /// The value of an export. `module` is a path in the project or the name of a package.
    pub(crate) fn export(&self, module: &str, name: &str, at: At<'_, 't>, place: Place) -> Value<'t> {
        let of_data = |data| Value { data, at: place, by: None };
        if let Some(process) = of_process(module, name) {
            return of_data(Data::Builder(process));
        }
        if is_schema_package(module) {
            let data = match name {
                "z" | "default" => Data::Namespace(module.into()),
                _ => Data::Builder(Native::Schema(name.into())),
            };
            return of_data(data);
        }
        for dialect in DIALECTS.iter().copied() {
            let Some(builders) = dialect.builders.filter(|builders| builders.is_package(module)) else {
                continue;
            };
            if let Some(function) = builders.function(name) {
                return of_data(Data::Builder(Native::Function(dialect, function)));
            }
            if let Some(text) = builders.constant(name) {
                return Value::computed(text.to_owned(), place);
            }
            if builders.is_group(name) {
                return of_data(Data::Builder(Native::Group(dialect, name.into())));
            }
        }
        let steps = self.steps.get();
        self.steps.set(steps.saturating_sub(1));
        let unknown =
            || Value::unknown("it is imported from a package, or a module that was not found", place);
        let Some(number) = self.sources.known(module) else { return unknown() };
        if at.depth > DEPTH_MAX || steps == 0 {
            return Value::unknown("too much to evaluate", place);
        }
        let (Some(source), Some(scopes)) = (self.source(number), self.scopes(number)) else {
            return unknown();
        };
        let inside = At { module: number, frame: None, depth: at.depth + 1 };
        let mut rest = Vec::new();
        match exported(source, &scopes, name, &mut rest) {
            Some(Exported::Local(local)) => match scopes.top(local) {
                Some(_) if scopes.is_changed(local) => {
                    Value::unknown("it is changed after its declaration", place)
                }
                Some(Binding::Value(node)) => {
                    let value = self.constant(node, 0, inside);
                    self.filled(value, (local, 0, node), inside)
                }
                Some(binding) => self.bound(binding, 0, inside, place),
                None => unknown(),
            },
            Some(Exported::Value(node)) => self.constant(node, 0, inside),
            Some(Exported::From(other, None)) => {
                Value { data: Data::Namespace(self.resolved(number, other)), at: place, by: None }
            }
            Some(Exported::From(other, Some(name))) => {
                self.export(&self.resolved(number, other), name, inside, place)
            }
            None => {
                let passed_on = rest
                    .into_iter()
                    .map(|other| self.export(&self.resolved(number, other), name, inside, place));
                passed_on.into_iter().find(|value| !value.is_unknown()).unwrap_or_else(unknown)
            }
        }
    }

    fn enumeration(&self, node: Node<'t>, at: At<'_, 't>) -> Value<'t> {
        let place = self.place(at.module, node);
        let mut object = Object::default();
        let mut next = Some(0.0);
        let body = node.child("body").map(parts).unwrap_or_default();
        for part in body {
            let name = part.child("name").unwrap_or(part);
            let key = self.text_of(at.module, name).trim_matches(['"', '\'']);
            let key_at = self.place(at.module, name);
            let value = match part.child("value") {
                Some(value) => self.value(value, at),
                None => match next {
                    Some(number) => Value { data: Data::Number(number), at: key_at, by: None },
                    None => Value::unknown("a member of an enum without a value", key_at),
                },
            };
            next = if let Data::Number(number) = value.data { Some(number + 1.0) } else { None };
            object.set(Member { key: key.into(), key_at, value });
        }
        Value::object(object, place)
    }
}
