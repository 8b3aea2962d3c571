//! What builders make of their arguments, as the table of their system says.

use std::rc::Rc;

use crate::nodes::Node;
use nodewise_dialect::table::{
    Builder, BuilderArgument, BuilderOption, BuilderResult, Builders, Dialect, Makes, OptionForm,
};

use crate::evaluate::{At, Evaluation};
use crate::source::{callee, chain_end};
use crate::value::{BuilderProduct, Data, Member, Object, Place, Value};

/// The hidden member with the id of an agent or a graph.
pub(crate) const ID: &str = "#id";
/// The hidden member with the options of an agent.
pub(crate) const OPTIONS: &str = "spec";

/// A call of a builder function with its evaluated arguments.
pub(crate) struct Call<'c, 't> {
    pub(crate) builders: &'static Builders,
    pub(crate) builder: &'static Builder,
    /// The options, including those given as positional arguments.
    pub(crate) options: Object<'t>,
    /// The place of the options in the text.
    pub(crate) options_at: Place,
    /// The name of the builder in the call. Parts that the package adds by itself get this place.
    pub(crate) head: Place,
    /// The id to use if the options have none.
    pub(crate) made_id: Value<'t>,
    pub(crate) evaluation: &'c Evaluation<'t>,
}

impl<'t> Evaluation<'t> {
    /// The value that a builder function returns.
    pub(crate) fn build(
        &self,
        dialect: &'static Dialect,
        builder: &'static Builder,
        node: Node<'t>,
        arguments: &[Value<'t>],
        at: At<'_, 't>,
    ) -> Value<'t> {
        let place = self.place(at.module, node);
        let Some(builders) = dialect.builders else { return Value::unknown("no builder", place) };
        let head = callee(node).map_or(place, |callee| self.place(at.module, callee));
        let (options, options_at) = self.options(builder, arguments, place);
        let made_id = self.made_id(builder, node, at, head);
        let call = Call { builders, builder, options, options_at, head, made_id, evaluation: self };
        match builder.makes {
            Makes::Graph | Makes::WrittenGraph => call.graph(),
            Makes::Node => call.node(),
            Makes::Agent => call.agent(),
            Makes::Tool => {
                Value::object(Object { product: Some(BuilderProduct::Tool), ..call.options }, options_at)
            }
            Makes::Keys => call.keys(),
            Makes::Chain => match builder.chain {
                Some(chain) => call.built(dialect, chain, (at.module, node.id())),
                None => Value::unknown("no builder", place),
            },
        }
    }

    pub(crate) fn options(
        &self,
        builder: &Builder,
        arguments: &[Value<'t>],
        place: Place,
    ) -> (Object<'t>, Place) {
        let pairs = || builder.arguments.iter().zip(arguments);
        let mappings = || pairs().filter(|(argument, _)| **argument == BuilderArgument::Options);
        let given = mappings().next().map(|(_, given)| given);
        let mut options = Object::default();
        for (_, given) in mappings() {
            self.spread_members(given, given.at, &mut options);
        }
        for (argument, value) in pairs() {
            if let BuilderArgument::Named(name) = argument {
                options.set(Member { key: (*name).into(), key_at: value.used_at(), value: value.clone() });
            }
        }
        (options, given.map_or(place, |given| given.at))
    }

    /// A stable id for a thing that gets a new random id each time the program runs: the path of the module and the name of
    /// the constant, or the line. Unknown inside a function, which may be called several times.
    fn made_id(&self, builder: &Builder, node: Node<'t>, at: At<'_, 't>, head: Place) -> Value<'t> {
        if at.frame.is_some() {
            return Value::unknown("a new id for each call", head);
        }
        let path = self.source(at.module).map_or("", |source| source.path.as_str());
        self.made_name(chain_end(node), at, head).unwrap_or_else(|| {
            let before = self.source(at.module).and_then(|source| source.text.get(..node.start_byte()));
            let line = 1 + before.map_or(0, |before| memchr::memchr_iter(b'\n', before.as_bytes()).count());
            Value::computed(format!("{path}#{}-{line}", builder.name), head)
        })
    }

    /// The id `<path>#<name>` of the constant that holds the result of a call; `None` if there is no such constant.
    pub(crate) fn made_name(&self, call: Node<'t>, at: At<'_, 't>, head: Place) -> Option<Value<'t>> {
        let path = self.source(at.module).map_or("", |source| source.path.as_str());
        let name = self.holder(at.module, call).filter(|_| at.frame.is_none())?;
        Some(Value::computed(format!("{path}#{name}"), head))
    }
}

impl<'t> Call<'_, 't> {
    fn option(&self, name: &str) -> Value<'t> {
        self.options.get(name, self.head)
    }

    fn node(&self) -> Value<'t> {
        Value::object(self.object(), self.options_at)
    }

    /// Converts the options to the mapping of the document.
    pub(crate) fn object(&self) -> Object<'t> {
        let mut node = Object {
            product: Some(BuilderProduct::Node),
            open: self.options.open.clone(),
            ..Object::default()
        };
        let is_plain =
            |member: &&Member<'t>| !self.builder.is_closed && self.rows(&member.key).next().is_none();
        node.members.extend(self.options.members.iter().filter(is_plain).cloned());
        for key in self.builder.blocks {
            self.set(&mut node, key, None);
        }
        for member in &self.options.members {
            for row in self.rows(&member.key) {
                self.set_row(&mut node, row, member);
            }
        }
        let text = |text: &str| Value::computed(text.to_owned(), self.head);
        for (key, default) in self.builder.defaults {
            if node.open.is_none() && node.member(key).is_none() {
                self.set(&mut node, key, Some((self.head, text(default))));
            }
        }
        for (key, fixed) in self.builder.fixed {
            self.set(&mut node, key, Some((self.head, text(fixed))));
        }
        node.hidden = self.results(&node);
        node
    }

    fn rows(&self, name: &str) -> impl Iterator<Item = &'static BuilderOption> {
        self.builder.options.iter().filter(move |option| option.name == name)
    }

    fn set_row(&self, node: &mut Object<'t>, row: &BuilderOption, member: &Member<'t>) {
        if member.value.is_undefined() {
            return;
        }
        let (key, value) = self.evaluation.formed(row, &member.value);
        if !value.is_undefined() {
            self.set(node, key, Some((member.key_at, value)));
        }
    }

    /// Sets the member at a path with dots, and creates the inner mappings. Without a value, creates only the mapping.
    pub(crate) fn set(&self, object: &mut Object<'t>, path: &str, value: Option<(Place, Value<'t>)>) {
        let (block, rest) = match (path.split_once('.'), &value) {
            (Some((block, rest)), _) => (block, Some(rest)),
            (None, None) => (path, None),
            (None, Some((key_at, value))) => {
                object.set(Member { key: path.into(), key_at: *key_at, value: value.clone() });
                return;
            }
        };
        let present = object.member(block).map(|member| (member.key_at, member.value.clone()));
        let mut inner = match &present {
            Some((_, value)) => value.as_object().map(|inner| (**inner).clone()).unwrap_or_default(),
            None => Object { open: self.options.open.clone(), ..Object::default() },
        };
        if let Some(rest) = rest {
            self.set(&mut inner, rest, value);
        }
        let at = present.map_or(self.options_at, |(_, value)| value.at);
        object.set(Member { key: block.into(), key_at: self.head, value: Value::object(inner, at) });
    }

    /// The hidden properties of a node that name keys of the memory, such as the key of its result.
    fn results(&self, node: &Object<'t>) -> Vec<(Rc<str>, Value<'t>)> {
        let mut hidden: Vec<(Rc<str>, Value<'t>)> = Vec::new();
        let kind = node.get("type", self.head);
        for result in self.builder.results {
            let has_it = result.types.is_empty()
                || result.types.contains(&kind.as_str().unwrap_or_default())
                    && (kind.is_undefined() || kind.as_str().is_some());
            if has_it {
                hidden.push((result.property.into(), self.result(result, node)));
            } else if kind.is_unknown() {
                hidden.push((result.property.into(), kind.clone()));
            }
        }
        let outputs = self.builders.keys.outputs;
        if self.rows(outputs).next().is_some() {
            let given = self.option(outputs);
            let none = || Value::object(Object::default(), self.head);
            hidden.push((outputs.into(), if given.is_undefined() { none() } else { given }));
        }
        hidden
    }

    fn result(&self, result: &BuilderResult, node: &Object<'t>) -> Value<'t> {
        let named = result.named_by.map(|option| self.option(option)).filter(|named| !named.is_undefined());
        let id = node.get("id", self.head);
        let base = match (&named, id.as_str()) {
            (Some(named), _) => match named.as_str() {
                Some(name) => name.to_owned(),
                None => return named.clone(),
            },
            (None, Some(id)) => format!("{id}{}", result.behind_id),
            (None, None) => return Value::unknown("the id of the node is not known", self.head),
        };
        Value::computed(format!("{base}{}", result.suffix), self.head)
    }

    fn agent(&self) -> Value<'t> {
        let id = match self.option("id") {
            id if id.is_undefined() => self.made_id.clone(),
            id => id,
        };
        let mut options = self.options.clone();
        if let Some(provider) = self.provider() {
            options.set(Member {
                key: self.builders.keys.provider.into(),
                key_at: self.head,
                value: provider,
            });
        }
        let options = Value::object(options, self.options_at);
        let hidden = vec![(ID.into(), id), (OPTIONS.into(), options)];
        Value::object(
            Object { product: Some(BuilderProduct::Agent), hidden, ..Object::default() },
            self.options_at,
        )
    }

    /// The provider that follows from the name of the model. `None` if the options name a provider, or if the table knows none
    /// for the model.
    fn provider(&self) -> Option<Value<'t>> {
        if !self.option(self.builders.keys.provider).is_undefined() {
            return None;
        }
        let model = self.option("model");
        let Some(name) = model.as_str() else {
            return model.is_unknown().then_some(model);
        };
        let name = name.to_ascii_lowercase();
        let (_, provider) = self.builders.providers.iter().find(|(start, _)| name.starts_with(start))?;
        (!provider.is_empty()).then(|| Value::computed((*provider).to_owned(), model.at))
    }

    fn keys(&self) -> Value<'t> {
        let mut inputs = Object { open: self.options.open.clone(), ..Object::default() };
        let mut registry = Object { open: self.options.open.clone(), ..Object::default() };
        for member in &self.options.members {
            let value = Value::computed(member.key.to_string(), member.key_at);
            registry.set(Member { key: Rc::clone(&member.key), key_at: member.key_at, value });
            self.input(member, &mut inputs);
        }
        registry.hidden.push((self.builders.keys.inputs.into(), Value::object(inputs, self.options_at)));
        Value::object(registry, self.options_at)
    }

    /// Adds the declaration of a memory key that the caller of a graph provides.
    fn input(&self, member: &Member<'t>, inputs: &mut Object<'t>) {
        let keys = &self.builders.keys;
        let unknown = |reason: &Rc<str>| Value {
            data: Data::Unknown(Rc::clone(reason)),
            at: member.value.at,
            by: None,
        };
        let value = match &member.value.data {
            Data::Object(entry) => match entry.get("seeded", self.head) {
                seeded if seeded.truth() == Some(false) => return,
                seeded => match &seeded.data {
                    Data::Unknown(reason) => return inputs.set_unknown(reason, member.value.at),
                    _ => {
                        let mut input = Object::default();
                        let schema = entry.get(keys.schema, member.value.at);
                        let none = || Value::object(Object::default(), member.value.at);
                        let schema = if schema.is_undefined() { none() } else { schema };
                        input.set(Member { key: keys.schema.into(), key_at: schema.at, value: schema });
                        for key in ["required", "description"] {
                            input.members.extend(entry.member(key).cloned());
                        }
                        Value::object(input, member.value.at)
                    }
                },
            },
            Data::Unknown(reason) => unknown(reason),
            _ => return,
        };
        inputs.set(Member { key: Rc::clone(&member.key), key_at: member.key_at, value });
    }
}

impl<'t> Evaluation<'t> {
    /// Converts the value of an option: returns the key of the document and the value under it.
    pub(crate) fn formed<'k>(&self, row: &'k BuilderOption, value: &Value<'t>) -> (&'k str, Value<'t>) {
        let formed = match row.form {
            OptionForm::Same => value.clone(),
            OptionForm::OneOrMany => match value.data {
                Data::Text(_) => Value::list(vec![value.clone()], false, value.at),
                _ => value.clone(),
            },
            OptionForm::TextOr(other) => match value.data {
                Data::Text(_) | Data::Unknown(_) => value.clone(),
                _ => return (other, value.clone()),
            },
            OptionForm::Condition => match &value.data {
                Data::Text(text) if text.text.is_empty() => Value::undefined(value.at),
                Data::Text(_) => {
                    let mut condition = Object::default();
                    let kind = Value::computed("conditional".to_owned(), value.at);
                    condition.set(Member { key: "type".into(), key_at: value.at, value: kind });
                    condition.set(Member { key: "condition".into(), key_at: value.at, value: value.clone() });
                    Value::object(condition, value.at)
                }
                _ => value.clone(),
            },
            OptionForm::Expression(word, key) => match &value.data {
                Data::Text(_) => {
                    let mut condition = Object::default();
                    let kind = Value::computed(word.to_owned(), value.at);
                    condition.set(Member { key: "type".into(), key_at: value.at, value: kind });
                    condition.set(Member { key: key.into(), key_at: value.at, value: value.clone() });
                    Value::object(condition, value.at)
                }
                _ => decision(value),
            },
            OptionForm::Decision => decision(value),
            OptionForm::Schema => self.lowered(value),
            OptionForm::Composed => Value::unknown("the package composes it", value.at),
            OptionForm::Graph => graph_id(value),
        };
        (row.key, formed)
    }
}

/// The value of an option that a function of the program decides: unknown.
fn decision<'t>(value: &Value<'t>) -> Value<'t> {
    match &value.data {
        Data::Unknown(_) | Data::Undefined => value.clone(),
        _ => Value::unknown("a function decides", value.at),
    }
}

/// The id of a graph value, or of the graph in a bundle.
fn graph_id<'t>(value: &Value<'t>) -> Value<'t> {
    if matches!(value.data, Data::Built(_)) {
        return Value::unknown("a graph that is not known", value.at);
    }
    let Some(object) = value.as_object() else { return value.clone() };
    let graph = match object.member("graph").and_then(|member| member.value.as_object().cloned()) {
        Some(graph) if object.product.is_none() => graph,
        _ => Rc::clone(object),
    };
    match graph.product {
        Some(BuilderProduct::Graph) => Value { at: value.used_at(), ..graph.get(ID, value.at) },
        _ => Value::unknown("a graph that is not known", value.at),
    }
}
