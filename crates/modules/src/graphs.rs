//! Graphs in the form of the document: spelling, references, what is left out.

use std::rc::Rc;

use nodewise_dialect::table::{BuilderKeys, Builders, Makes};

use crate::builders::{Call, ID};
use crate::schemas::accepts_nothing;
use crate::value::{BuilderProduct, Data, List, Member, Object, Place, Value};

/// Values that are nested deeper than this are unknown.
const DEPTH_MAX: usize = 100;

/// How keys and values are converted to the form of the document.
struct Spelling {
    builders: &'static Builders,
    /// Whether values made by builders are replaced by their ids.
    resolves: bool,
}

impl<'t> Call<'_, 't> {
    pub(crate) fn graph(&self) -> Value<'t> {
        let is_short = self.builder.makes == Makes::Graph;
        let spelling = Spelling { builders: self.builders, resolves: is_short };
        let mut graph = Object {
            product: Some(BuilderProduct::Graph),
            open: self.options.open.clone(),
            ..Object::default()
        };
        let keys = &self.builders.keys;
        for member in &self.options.members {
            let key = snake(&member.key);
            if member.value.is_undefined() || is_short && key == "id" {
                continue;
            }
            let value = match key.as_str() {
                key if is_short && key == keys.nodes => each(&member.value, |node| spelling.node(node)),
                key if is_short && key == keys.edges => {
                    each(&member.value, |edge| self.edge(&spelling, edge))
                }
                key if is_short && key == keys.inputs => self.ports(&member.value, true),
                key if is_short && key == keys.outputs => self.ports(&member.value, false),
                _ => spelling.value(&member.value, false, 0),
            };
            graph.set(Member { key: key.into(), key_at: member.key_at, value });
        }
        if is_short {
            self.complete(&mut graph);
        }
        let id = match graph.member("id") {
            Some(member) => member.value.clone(),
            None => {
                let value = self.made_id.clone();
                graph.set(Member { key: "id".into(), key_at: self.head, value: value.clone() });
                value
            }
        };
        graph.hidden.push((ID.into(), id));
        Value::object(graph, self.options_at)
    }

    /// Adds the keys that the builder infers.
    fn complete(&self, graph: &mut Object<'t>) {
        let keys = &self.builders.keys;
        let text = |text: &str| Value::computed(text.to_owned(), self.head);
        let inferred =
            [(keys.description, text("")), (keys.edges, Value::list(Vec::new(), false, self.head))];
        for (key, value) in inferred {
            self.add(graph, key, Some(value));
        }
        let (start, ends) = match endpoints(graph, keys, self.head) {
            Ok((start, ends)) => {
                let ids = |ids: Vec<String>| ids.iter().map(|id| text(id)).collect::<Vec<_>>();
                let start = start.map(|start| text(&start));
                (start, (!ends.is_empty()).then(|| Value::list(ids(ends), false, self.head)))
            }
            Err(reason) => {
                let unknown = Value { data: Data::Unknown(reason), at: self.head, by: None };
                (Some(unknown.clone()), Some(unknown))
            }
        };
        self.add(graph, keys.start, start);
        self.add(graph, keys.ends, ends);
    }

    fn add(&self, graph: &mut Object<'t>, key: &str, value: Option<Value<'t>>) {
        if let (None, Some(value)) = (graph.member(key), value)
            && graph.open.is_none()
        {
            graph.set(Member { key: key.into(), key_at: self.head, value });
        }
    }

    /// Converts an edge. It is in short form if it has both keys of the short form.
    fn edge(&self, spelling: &Spelling, edge: &Value<'t>) -> Value<'t> {
        let Some(object) = edge.as_object() else { return edge.clone() };
        if !self.builders.edge_ends.iter().all(|end| object.member(end).is_some()) {
            return spelling.value(edge, false, 0);
        }
        let mut written = Object { open: object.open.clone(), ..Object::default() };
        for row in self.builders.edge {
            let Some(member) = object.member(row.name) else { continue };
            let (key, value) = self.evaluation.formed(row, &member.value);
            if !value.is_undefined() {
                let value = spelling.value(&value, false, 0);
                written.set(Member { key: key.into(), key_at: member.key_at, value });
            }
        }
        Value::object(written, edge.at)
    }
}

impl<'t> Call<'_, 't> {
    /// Converts the inputs or outputs of a graph. A schema without a declaration around it becomes the declaration's
    /// schema.
    fn ports(&self, value: &Value<'t>, are_inputs: bool) -> Value<'t> {
        let Some(object) = value.as_object() else { return value.clone() };
        let keys = &self.builders.keys;
        let mut written = Object { open: object.open.clone(), ..Object::default() };
        for member in &object.members {
            let value = match &member.value.data {
                Data::Object(port) if port.member(keys.schema).is_some() || port.open.is_some() => {
                    Value::object(self.port(port, member, are_inputs), member.value.at)
                }
                Data::Object(_) | Data::Schema(_) => {
                    let mut port = Object::default();
                    let schema = Member {
                        key: keys.schema.into(),
                        key_at: member.key_at,
                        value: member.value.clone(),
                    };
                    port.set(schema);
                    let is_code = matches!(member.value.data, Data::Schema(_));
                    if are_inputs && !is_code {
                        let required = Value { data: Data::Bool(true), at: member.key_at, by: None };
                        port.set(Member { key: "required".into(), key_at: member.key_at, value: required });
                    }
                    Value::object(self.port(&port, member, are_inputs), member.value.at)
                }
                Data::Undefined => continue,
                _ => member.value.clone(),
            };
            written.set(Member { value, ..member.clone() });
        }
        Value::object(written, value.at)
    }

    /// Converts one input or output. For a Zod schema, whether the key is required follows from the schema.
    fn port(&self, port: &Object<'t>, member: &Member<'t>, are_inputs: bool) -> Object<'t> {
        let key = self.builders.keys.schema;
        let mut port = Object::clone(port);
        let Some(schema) = port.member(key).map(|schema| schema.value.clone()) else { return port };
        let is_code = matches!(schema.data, Data::Unknown(_) | Data::Schema(_));
        if is_code && are_inputs && port.member("required").is_none() {
            let required = match accepts_nothing(&schema) {
                Some(accepts) => Value { data: Data::Bool(!accepts), at: schema.at, by: None },
                None => Value::unknown("a schema that is not followed", schema.at),
            };
            port.set(Member { key: "required".into(), key_at: member.key_at, value: required });
        }
        if matches!(schema.data, Data::Schema(_)) {
            let value = self.evaluation.json_schema(&schema, are_inputs);
            port.set(Member { key: key.into(), key_at: schema.at, value });
        }
        port
    }
}

impl Spelling {
    /// Converts a node. Options in short form count before the same keys in the document's spelling.
    fn node<'t>(&self, node: &Value<'t>) -> Value<'t> {
        let Some(object) = node.as_object() else { return node.clone() };
        if !matches!(object.product, None | Some(BuilderProduct::Node)) {
            return Value::unknown("no node", node.at);
        }
        let mut written = Object { open: object.open.clone(), ..Object::default() };
        let row = |key: &str| self.builders.node.iter().find(|option| option.name == key);
        let (short, long): (Vec<_>, Vec<_>) =
            object.members.iter().partition(|member| row(&member.key).is_some());
        for member in long.iter().filter(|member| !member.value.is_undefined()) {
            let key = snake(&member.key);
            let is_verbatim = self.builders.verbatim.contains(&key.as_str());
            let value = self.value(&member.value, is_verbatim, 0);
            written.set(Member { key: key.into(), key_at: member.key_at, value });
        }
        for member in short.iter().filter(|member| !member.value.is_undefined()) {
            let Some(option) = row(&member.key) else { continue };
            let value = match (&option.form, &member.value.data) {
                (nodewise_dialect::table::OptionForm::OneOrMany, Data::Text(_)) => {
                    Value::list(vec![member.value.clone()], false, member.value.at)
                }
                _ => self.value(&member.value, false, 0),
            };
            written.set(Member { key: option.key.into(), key_at: member.key_at, value });
        }
        let agent = self.builders.node.first().map_or("", |option| option.key);
        if written.member("type").is_none()
            && written.open.is_none()
            && let Some(member) = written.member(agent)
        {
            let value = Value::computed("agent".to_owned(), member.key_at);
            written.set(Member { key: "type".into(), key_at: member.key_at, value });
        }
        Value::object(written, node.at)
    }

    /// Converts any other value. The keys below a verbatim key keep their spelling.
    fn value<'t>(&self, value: &Value<'t>, is_verbatim: bool, depth: usize) -> Value<'t> {
        if depth > DEPTH_MAX {
            return Value::unknown("too much to evaluate", value.at);
        }
        match &value.data {
            Data::List(list) => {
                let items = list.items.iter().map(|item| self.value(item, is_verbatim, depth + 1));
                Value::list(items.collect(), list.is_open, value.at)
            }
            Data::Object(object) => {
                match object.product.filter(|_| self.resolves || object.product == Some(BuilderProduct::Tool))
                {
                    Some(BuilderProduct::Agent | BuilderProduct::Graph) => named(object, ID, value),
                    Some(BuilderProduct::Node) => named(object, "id", value),
                    Some(BuilderProduct::Tool) => tool(object, value.used_at()),
                    None => self.mapping(object, value.at, is_verbatim, depth),
                }
            }
            Data::Function(_) | Data::Builder(_) | Data::Namespace(_) | Data::Built(_) | Data::Schema(_) => {
                Value::unknown("it is no data", value.at)
            }
            _ => value.clone(),
        }
    }

    fn mapping<'t>(&self, object: &Object<'t>, at: Place, is_verbatim: bool, depth: usize) -> Value<'t> {
        let mut written = Object { open: object.open.clone(), ..Object::default() };
        for member in object.members.iter().filter(|member| !member.value.is_undefined()) {
            let key = if is_verbatim { member.key.to_string() } else { snake(&member.key) };
            let inner = is_verbatim || self.builders.verbatim.contains(&key.as_str());
            let value = self.value(&member.value, inner, depth + 1);
            written.set(Member { key: key.into(), key_at: member.key_at, value });
        }
        Value::object(written, at)
    }
}

/// The id of a value that a builder made, at the place where it is used.
fn named<'t>(object: &Object<'t>, key: &str, value: &Value<'t>) -> Value<'t> {
    let at = value.used_at();
    Value { at, ..object.get(key, at) }
}

/// A tool that the program defines, in the form of a source of tools.
pub(crate) fn tool<'t>(tool: &Object<'t>, at: Place) -> Value<'t> {
    let mut source = Object::default();
    let kind = Value::computed("custom".to_owned(), at);
    source.set(Member { key: "type".into(), key_at: at, value: kind });
    source.set(Member { key: "name".into(), key_at: at, value: Value { at, ..tool.get("name", at) } });
    Value::object(source, at)
}

/// Converts each item of a list.
fn each<'t>(list: &Value<'t>, change: impl Fn(&Value<'t>) -> Value<'t>) -> Value<'t> {
    match list.as_list() {
        Some(items) => Value::list(items.items.iter().map(change).collect(), items.is_open, list.at),
        None => list.clone(),
    }
}

/// The node where runs begin, if exactly one node has no incoming edge, and the nodes without an outgoing edge.
type Endpoints = (Option<String>, Vec<String>);

/// Infers the start and the ends from the edges. The error is the reason why they are unknown.
fn endpoints(graph: &Object<'_>, keys: &BuilderKeys, at: Place) -> Result<Endpoints, Rc<str>> {
    let ids = texts(&graph.get(keys.nodes, at), "id")?;
    let edges = graph.get(keys.edges, at);
    let (sources, targets) = (texts(&edges, keys.source)?, texts(&edges, keys.target)?);
    let mut starts = ids.iter().filter(|id| !targets.contains(id));
    let start = match (starts.next(), starts.next()) {
        (Some(only), None) => Some(only.clone()),
        _ => None,
    };
    let ends = ids.iter().filter(|id| !sources.contains(id)).cloned().collect();
    Ok((start, ends))
}

/// The texts under a key in the items of a list. The error is the reason why they are unknown.
fn texts(list: &Value<'_>, key: &str) -> Result<Vec<String>, Rc<str>> {
    let unknown = |value: &Value<'_>| match &value.data {
        Data::Unknown(reason) => Rc::clone(reason),
        _ => "the nodes and edges are not known".into(),
    };
    let empty = List::default();
    let items: &List<'_> = match &list.data {
        Data::List(list) => list,
        Data::Undefined => &empty,
        _ => return Err(unknown(list)),
    };
    if items.is_open {
        return Err(items
            .items
            .iter()
            .find(|item| item.is_unknown())
            .map_or_else(|| "the list is not known".into(), unknown));
    }
    let text = |item: &Value<'_>| {
        let object = item.as_object().ok_or_else(|| unknown(item))?;
        let value = object.get(key, item.at);
        value.as_str().map(str::to_owned).ok_or_else(|| unknown(&value))
    };
    items.items.iter().map(text).collect()
}

/// Converts a key from camel case to snake case.
pub(crate) fn snake(key: &str) -> String {
    let mut text = String::with_capacity(key.len() + 4);
    for letter in key.chars() {
        if letter.is_ascii_uppercase() {
            text.push('_');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}
