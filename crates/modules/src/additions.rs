//! What methods of builders add: nodes, edges, steps with the edges between them.
//!
//! Input: what was built so far, and the arguments of a method. Output: the same with more parts. Invariant: what the package adds
//! by itself stands at the name of the method.

use std::rc::Rc;

use nodewise_dialect::table::{Builder, BuilderOption, Builders};
use nodewise_platform::sorting::Sorting;

use crate::builders::{Call, ID};
use crate::evaluate::Evaluation;
use crate::value::{BuilderProduct, Built, Data, Member, Object, Place, Value};

pub(crate) const LATER: &str = "it is computed when the program runs";

/// A mapping of which nothing is known, because `value` is unknown or only computed when the program runs.
pub(crate) fn unknown_object<'t>(value: &Value<'t>) -> Object<'t> {
    let reason = if let Data::Unknown(reason) = &value.data { Rc::clone(reason) } else { LATER.into() };
    Object { open: Some((value.at, reason)), ..Object::default() }
}

/// The mapping with an id as its first member. Replaces an id that it already has.
pub(crate) fn identified<'t>(mut object: Object<'t>, id: Value<'t>, at: Place) -> Value<'t> {
    object.members.retain(|member| &*member.key != "id");
    object.members.insert(0, Member { key: "id".into(), key_at: id.used_at(), value: id });
    Value::object(object, at)
}

impl<'t> Built<'t> {
    /// Adds an unknown item to the nodes and edges: other nodes and edges may exist. `reason` says why, and `at` the place
    /// of the code that may add them.
    pub(crate) fn open(&mut self, reason: &str, at: Place) {
        for list in [&mut self.nodes, &mut self.edges] {
            if !list.is_open {
                list.items.push(Value::unknown(reason, at));
            }
            list.is_open = true;
        }
        self.count = None;
        if self.chain.steps.is_some() {
            self.last = vec![Value::unknown(reason, at)];
        }
    }

    fn number(&mut self) -> Option<usize> {
        self.count = self.count.map(|count| count + 1);
        self.count
    }

    /// An id that ends with the next number; unknown if the number is.
    fn next_id(&mut self, before: &str, at: Place) -> Value<'t> {
        match self.number() {
            Some(number) => Value::computed(format!("{before}{number}"), at),
            None => Value::unknown("the number in an id that is made", at),
        }
    }

    /// The value that the program gets from the last method: a node, or a graph of which only the id is known.
    pub(crate) fn returned(&self, at: Place) -> Value<'t> {
        if self.chain.graph.is_none() {
            return Value::object(
                Object { product: Some(BuilderProduct::Node), ..self.root.clone() },
                self.head,
            );
        }
        let mut graph = unknown_object(&Value::unknown(LATER, at));
        graph.product = Some(BuilderProduct::Graph);
        graph.hidden.push((ID.into(), self.id.clone()));
        Value::object(graph, at)
    }

    /// The finished graph in the form of the document; `None` for a chain that builds a node.
    pub(crate) fn document(&self, evaluation: &Evaluation<'t>) -> Option<Value<'t>> {
        let keys = self.chain.graph.as_ref()?;
        let mut whole = self.clone();
        if let Some(steps) = self.chain.steps {
            let adding = Adding { evaluation, head: self.end, whole: self.end };
            let end = || Value::computed(steps.ends[1].to_owned(), self.end);
            adding.link(&mut whole, &steps.edge, &end(), None);
        }
        if let Some(planning) = self.chain.planning {
            whole.plan(planning, evaluation);
        }
        let mut graph = Object { open: whole.root.open.clone(), ..Object::default() };
        let (first, rest): (Vec<_>, Vec<_>) =
            whole.root.members.into_iter().partition(|member| &*member.key == "name");
        graph.members.push(Member { key: "id".into(), key_at: self.head, value: whole.id });
        graph.members.extend(first);
        for (key, list) in [(keys.nodes, whole.nodes), (keys.edges, whole.edges)] {
            let value = Value::list(list.items, list.is_open, self.head);
            graph.members.push(Member { key: key.into(), key_at: self.head, value });
        }
        graph.members.extend(rest);
        Some(Value::object(graph, self.head))
    }
}

/// A call of a method that adds something to a graph.
#[derive(Clone, Copy)]
pub(crate) struct Adding<'e, 't> {
    pub(crate) evaluation: &'e Evaluation<'t>,
    /// The name of the method. Parts that the package adds by itself get this place.
    pub(crate) head: Place,
    /// The place from the name to the end of the arguments.
    pub(crate) whole: Place,
}

impl<'t> Adding<'_, 't> {
    pub(crate) fn call(
        &self,
        builders: &'static Builders,
        builder: &'static Builder,
        options: Object<'t>,
    ) -> Object<'t> {
        let call = Call {
            builders,
            builder,
            options,
            options_at: self.whole,
            head: self.head,
            made_id: Value::undefined(self.head),
            evaluation: self.evaluation,
        };
        call.object()
    }

    pub(crate) fn edge(&self, built: &mut Built<'t>, row: &'static Builder, options: Object<'t>) {
        let before = built.chain.graph.as_ref().map_or("", |keys| keys.edge_id);
        let id = built.next_id(before, self.head);
        let edge = self.call(built.builders, row, options);
        built.edges.items.push(identified(edge, id, self.whole));
    }

    /// Adds edges from the last nodes to `target`.
    fn link(
        &self,
        built: &mut Built<'t>,
        row: &'static Builder,
        target: &Value<'t>,
        condition: Option<&Value<'t>>,
    ) {
        let start = built.chain.steps.map_or("", |steps| steps.ends[0]);
        let mut sources = built.last.clone();
        if sources.is_empty() {
            sources.push(Value::computed(start.to_owned(), self.head));
        }
        for source in sources {
            let mut options = Object::default();
            let here = |value: &Value<'t>| Value { at: self.head, by: None, ..value.clone() };
            let values = [Some(&source), Some(target), condition];
            for (option, value) in row.options.iter().zip(values) {
                if let Some(value) = value {
                    options.set(Member { key: option.name.into(), key_at: self.head, value: here(value) });
                }
            }
            self.edge(built, row, options);
        }
    }

    pub(crate) fn set(&self, built: &mut Built<'t>, rows: &'static [BuilderOption], value: &Value<'t>) {
        let mut root = std::mem::take(&mut built.root);
        let setter = Call {
            builders: built.builders,
            builder: NOTHING,
            options: Object::default(),
            options_at: self.whole,
            head: self.head,
            made_id: Value::undefined(self.head),
            evaluation: self.evaluation,
        };
        for row in rows {
            let (key, value) = self.evaluation.formed(row, value);
            setter.set(&mut root, key, Some((self.head, value)));
        }
        built.root = root;
    }

    pub(crate) fn member(&self, built: &mut Built<'t>, key: &str, name: &Value<'t>, target: &Value<'t>) {
        let present = built.root.member(key).and_then(|member| member.value.as_object().cloned());
        let mut mapping = present.map(|object| Object::clone(&object)).unwrap_or_default();
        let target = match target.as_object() {
            Some(node) => node.get("id", target.at),
            None => target.clone(),
        };
        match name.as_str() {
            Some(text) => mapping.set(Member { key: text.into(), key_at: name.used_at(), value: target }),
            None => mapping.set_unknown(&LATER.into(), name.at),
        }
        let value = Value::object(mapping, self.whole);
        built.root.set(Member { key: key.into(), key_at: self.head, value });
    }

    /// Adds the node of a step. Replaces an earlier node with the same id, as the package does.
    pub(crate) fn push(&self, built: &mut Built<'t>, id: &Value<'t>, node: Object<'t>, at: Place) {
        let node = identified(node, id.clone(), at);
        let same = id.as_str().and_then(|id| {
            let has_it = |node: &Value<'t>| {
                node.as_object().and_then(|node| node.member("id")?.value.as_str().map(|other| other == id))
            };
            built.nodes.items.iter().position(|node| has_it(node) == Some(true))
        });
        match same.and_then(|position| built.nodes.items.get_mut(position)) {
            Some(present) => *present = node,
            None => built.nodes.items.push(node),
        }
    }

    pub(crate) fn step(&self, built: &mut Built<'t>, id: Value<'t>, step: &Value<'t>) {
        let Some(steps) = built.chain.steps else { return };
        let node = self.step_node(built, step);
        self.push(built, &id, node, step.at);
        self.link(built, &steps.edge, &id, None);
        built.last = vec![id];
    }

    /// Makes the node of a step from the step's options.
    fn step_node(&self, built: &Built<'t>, step: &Value<'t>) -> Object<'t> {
        let Some(steps) = built.chain.steps else { return Object::default() };
        let mut options = Object::default();
        // A step may be just a function. It has no options.
        if !matches!(step.data, Data::Function(_)) {
            self.evaluation.spread_members(step, step.at, &mut options);
        }
        if options.open.is_some() {
            return unknown_object(&Value::unknown("a step that is not known", step.at));
        }
        let is_given =
            |key: &str| options.member(key).is_some_and(|member| member.value.truth() != Some(false));
        let Some(kind) = steps.kinds.iter().find(|kind| is_given(kind.key)) else {
            return self.call(built.builders, &steps.other, options);
        };
        let inner = options.get(kind.key, step.at);
        for row in kind.node.options {
            let Some(name) = row.name.strip_prefix(kind.key).and_then(|rest| rest.strip_prefix('.')) else {
                continue;
            };
            let key_at =
                inner.as_object().and_then(|inner| Some(inner.member(name)?.key_at)).unwrap_or(inner.at);
            let value = self.evaluation.property(&inner, name, inner.at);
            options.set(Member { key: row.name.into(), key_at, value });
        }
        self.call(built.builders, &kind.node, options)
    }

    pub(crate) fn branches(&self, built: &mut Built<'t>, chooses: &Value<'t>, routes: &Value<'t>) {
        let Some(steps) = built.chain.steps else { return };
        let choice = built.next_id(steps.choice_id, self.head);
        let member = |option: &BuilderOption| Member {
            key: option.name.into(),
            key_at: self.head,
            value: chooses.clone(),
        };
        let members = steps.choice.options.iter().map(member).collect();
        let node = self.call(built.builders, &steps.choice, Object { members, ..Object::default() });
        self.push(built, &choice, node, chooses.at);
        self.link(built, &steps.edge, &choice, None);
        let Some(object) = routes.as_object().filter(|object| object.open.is_none()) else {
            return built.open("choices that are not known", routes.at);
        };
        let mut routes = object.members.clone();
        // In JavaScript, keys that are integers come first, in ascending order.
        routes.arrange_by_key(|route| route.key.parse::<u32>().map_or(u64::MAX, u64::from));
        let mut last = Vec::new();
        for route in &routes {
            let id = built.next_id(&format!("{}{}-", steps.branch_id, route.key), route.key_at);
            let node = self.step_node(built, &route.value);
            self.push(built, &id, node, route.value.at);
            built.last = vec![choice.clone()];
            self.link(built, &steps.choice_edge, &id, Some(chooses));
            last.push(id);
        }
        built.last = last;
    }

    pub(crate) fn parallel(&self, built: &mut Built<'t>, entries: &Value<'t>) {
        let Some(steps) = built.chain.steps else { return };
        let Some(list) = entries.as_list().filter(|list| !list.is_open) else {
            return built.open("steps that are not known", entries.at);
        };
        let before = built.last.clone();
        let mut last = Vec::new();
        for (position, entry) in list.items.iter().enumerate() {
            let id = built.next_id(&format!("{}{position}-", steps.parallel_id), entry.at);
            let node = self.step_node(built, entry);
            self.push(built, &id, node, entry.at);
            built.last.clone_from(&before);
            self.link(built, &steps.edge, &id, None);
            last.push(id);
        }
        built.last = last;
    }

    /// Merges `members` into the mapping under a key of the document.
    pub(crate) fn merge(&self, built: &mut Built<'t>, key: &str, members: &Value<'t>) {
        if members.is_undefined() {
            return;
        }
        let present = built.root.member(key).and_then(|member| member.value.as_object().cloned());
        let mut mapping = present.map(|object| Object::clone(&object)).unwrap_or_default();
        self.evaluation.spread_members(members, members.at, &mut mapping);
        let value = Value::object(mapping, members.at);
        built.root.set(Member { key: key.into(), key_at: self.head, value });
    }
}

/// Used to set keys without building anything.
const NOTHING: &Builder = &nodewise_dialect::table::node_builder("", &[]);
