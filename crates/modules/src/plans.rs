//! Builders that plan: the goal, the settings of the planner and the anchors become one chain of nodes.
//!
//! Input: the calls that a chain of methods kept. Output: nodes and edges. Invariant: what the package plans by itself stands at the name
//! of the method that takes the settings; an order that is not known makes the edges unknown.

use std::rc::Rc;

use nodewise_dialect::table::{Builder, Builders, PlanStyle, Planning};

use crate::additions::{Adding, unknown_object};
use crate::evaluate::Evaluation;
use crate::value::{Built, Data, Kept, Member, Object, Place, Value};

/// A node of the planned chain, with what decides when it runs.
struct Part<'t> {
    id: Value<'t>,
    phase: Value<'t>,
    /// The id of the node after which it runs; undefined if the plan does not say.
    after: Value<'t>,
}

/// The plan of one graph.
struct Plan<'p, 't> {
    planning: &'static Planning,
    evaluation: &'p Evaluation<'t>,
    adding: Adding<'p, 't>,
    planner: Value<'t>,
    guardrails: Value<'t>,
}

impl<'t> Built<'t> {
    /// Adds the nodes and edges of the plan.
    pub(crate) fn plan(&mut self, planning: &'static Planning, evaluation: &Evaluation<'t>) {
        let kept = std::mem::take(&mut self.kept);
        let last = |method: &str| kept.iter().rev().find(|kept| kept.method == method);
        let head = last(planning.planner).map_or(self.head, |kept| kept.head);
        let argument = |method: &str| {
            let value = last(method).and_then(|kept| kept.arguments.first().cloned());
            value.unwrap_or_else(|| Value::undefined(head))
        };
        let policy = argument(planning.policy);
        let plan = Plan {
            planning,
            evaluation,
            adding: Adding { evaluation, head, whole: head },
            planner: argument(planning.planner),
            guardrails: member(evaluation, &policy, planning.guardrails),
        };
        plan.isolate(self, &policy);
        // A loop may have added anchors anywhere, so the order is unknown.
        if self.nodes.is_open {
            return;
        }
        let Some(steps) = plan.steps(self, &argument(planning.goal)) else { return };
        let anchors = kept.iter().filter(|kept| kept.method == planning.anchor);
        let anchors: Vec<Part<'t>> = anchors.map(|kept| plan.anchor(self, kept)).collect();
        for node in &mut self.nodes.items {
            *node = plan.guarded(self.builders, node);
        }
        match plan.order(&steps, &anchors) {
            Some(order) => plan.link(self, &order),
            None => {
                self.edges.items.push(Value::unknown("an order that is not known", head));
                self.edges.is_open = true;
            }
        }
    }
}

impl<'t> Plan<'_, 't> {
    /// Sets how the memory is isolated.
    fn isolate(&self, built: &mut Built<'t>, policy: &Value<'t>) {
        let ([group, name], key, otherwise) = self.planning.consistency;
        let given = member(self.evaluation, &member(self.evaluation, policy, group), name);
        let value = match given.data {
            Data::Undefined | Data::Null => Value::computed(otherwise.to_owned(), self.adding.head),
            _ => given,
        };
        built.root.set(Member { key: key.into(), key_at: self.adding.head, value });
    }

    /// The steps, whose nodes are added to the graph; `None` if they are not known.
    fn steps(&self, built: &mut Built<'t>, goal: &Value<'t>) -> Option<Vec<Part<'t>>> {
        let [group, name] = self.planning.steps;
        let plan = member(self.evaluation, &self.planner, group);
        let unknown = |built: &mut Built<'t>, value: &Value<'t>| {
            built.open("a plan that is not known", value.at);
            None
        };
        if plan.is_undefined() {
            return match self.style(goal) {
                Ok(style) => Some(style.steps.iter().map(|step| self.own_step(built, step)).collect()),
                Err(value) => unknown(built, &value),
            };
        }
        let steps = member(self.evaluation, &plan, name);
        match steps.as_list().filter(|list| !list.is_open) {
            Some(list) => Some(list.items.iter().map(|step| self.step(built, step)).collect()),
            None => unknown(built, &steps),
        }
    }

    /// The style of the plan. The error is the value that would decide but is unknown or names no style.
    fn style(&self, goal: &Value<'t>) -> Result<&'static PlanStyle, Value<'t>> {
        let given = member(self.evaluation, &self.planner, self.planning.style);
        let name = match (&given.data, goal.as_str()) {
            (Data::Text(text), _) => text.text.as_str(),
            (Data::Undefined | Data::Null, Some(goal)) => self.planning.style_of(goal),
            (Data::Undefined | Data::Null, None) => return Err(goal.clone()),
            _ => return Err(given),
        };
        self.planning.styles.iter().find(|style| style.name == name).ok_or_else(|| given.clone())
    }

    /// Adds a step of a built-in style. The package writes its instructions, so they are unknown.
    fn own_step(&self, built: &mut Built<'t>, (id, phase, rounds): &(&str, &str, f64)) -> Part<'t> {
        let head = self.adding.head;
        let text = |text: &str| Value::computed(text.to_owned(), head);
        let mut options = Object::default();
        let mut set =
            |key: &str, value: Value<'t>| options.set(Member { key: key.into(), key_at: head, value });
        set(self.planning.instructions, Value::unknown("the package composes it", head));
        set(self.planning.rounds[0], Value { data: Data::Number(*rounds), at: head, by: None });
        if let Some(action) = self.planning.actions.first() {
            self.push(built, &text(id), &action.node, options, head);
        }
        Part { id: text(id), phase: text(phase), after: Value::undefined(head) }
    }

    fn step(&self, built: &mut Built<'t>, step: &Value<'t>) -> Part<'t> {
        let mut options = Object::default();
        self.evaluation.spread_members(step, step.at, &mut options);
        let id = options.get("id", step.at);
        let phase = options.get(self.planning.phase, step.at);
        let action = options.get(self.planning.action, step.at);
        let action = self.planning.actions.iter().find(|row| action.as_str() == Some(row.word));
        match action.filter(|_| options.open.is_none()) {
            Some(action) => self.push(built, &id, &action.node, options, step.at),
            None => {
                let node = unknown_object(&Value::unknown("a step that is not known", step.at));
                self.adding.push(built, &id, node, step.at);
            }
        }
        Part { id, phase, after: Value::undefined(step.at) }
    }

    /// Adds the node of a step, with the settings that apply to all steps.
    fn push(
        &self,
        built: &mut Built<'t>,
        id: &Value<'t>,
        row: &'static Builder,
        mut options: Object<'t>,
        at: Place,
    ) {
        let [rounds, most] = self.planning.rounds;
        let asked =
            options.member(rounds).map_or_else(|| Value::undefined(at), |member| member.value.clone());
        let limit = least(asked, member(self.evaluation, &self.planner, most));
        let shared =
            self.planning.shared.iter().map(|key| (*key, member(self.evaluation, &self.planner, key)));
        let none = || Value::list(Vec::new(), false, self.adding.head);
        let guardrails = match self.guardrails.data {
            Data::Undefined | Data::Null => none(),
            _ => self.guardrails.clone(),
        };
        for (key, value) in shared.chain([(rounds, limit), (self.planning.guardrails, guardrails)]) {
            options.set(Member { key: key.into(), key_at: value.at, value });
        }
        let node = Adding { whole: at, ..self.adding }.call(built.builders, row, options);
        self.adding.push(built, id, node, at);
    }

    fn anchor(&self, built: &mut Built<'t>, kept: &Kept<'t>) -> Part<'t> {
        let argument = |position: usize| {
            kept.arguments.get(position).cloned().unwrap_or_else(|| Value::undefined(kept.head))
        };
        let (id, node, place) = (argument(0), argument(1), argument(2));
        let object = node.as_object().map(|object| Object::clone(object));
        self.adding.push(built, &id, object.unwrap_or_else(|| unknown_object(&node)), node.at);
        let part = |key: &str| member(self.evaluation, &place, key);
        Part { id, phase: part(self.planning.phase), after: part(self.planning.after) }
    }

    /// The node with the guardrails of all nodes, unless it has its own.
    fn guarded(&self, builders: &'static Builders, node: &Value<'t>) -> Value<'t> {
        let (key, row) = &self.planning.guarded;
        let is_empty = match &self.guardrails.data {
            Data::Undefined | Data::Null => true,
            Data::List(list) => list.items.is_empty() && !list.is_open,
            _ => false,
        };
        let Some(object) = node.as_object().filter(|object| !is_empty && object.open.is_none()) else {
            return node.clone();
        };
        let has_own = object.member(key).is_some_and(|member| member.value.truth() != Some(false));
        if has_own {
            return node.clone();
        }
        let at = self.guardrails.at;
        let given =
            Member { key: self.planning.guardrails.into(), key_at: at, value: self.guardrails.clone() };
        let policy = Adding { head: at, whole: at, ..self.adding }.call(
            builders,
            row,
            Object { members: vec![given], ..Object::default() },
        );
        let mut guarded = Object::clone(object);
        guarded.set(Member { key: (*key).into(), key_at: at, value: Value::object(policy, at) });
        Value::object(guarded, node.at)
    }

    /// The ids of the nodes in the order in which they run; `None` if that is not known.
    fn order(&self, steps: &[Part<'t>], anchors: &[Part<'t>]) -> Option<Vec<Value<'t>>> {
        let mut order: Vec<Value<'t>> = Vec::new();
        for part in steps.iter().chain(anchors) {
            part.id.as_str().filter(|_| !part.phase.is_unknown() && !part.after.is_unknown())?;
        }
        let position =
            |order: &[Value<'t>], id: &str| order.iter().position(|other| other.as_str() == Some(id));
        for phase in self.planning.phases {
            let is_now = |part: &&Part<'t>| part.phase.as_str() == Some(phase);
            order.extend(steps.iter().filter(is_now).map(|step| step.id.clone()));
            for anchor in anchors.iter().filter(is_now) {
                let behind = anchor.after.as_str().and_then(|after| position(&order, after));
                order.insert(behind.map_or(order.len(), |at| at + 1), anchor.id.clone());
            }
        }
        for anchor in anchors.iter().filter(|anchor| anchor.phase.truth() == Some(false)) {
            if position(&order, anchor.id.as_str()?).is_none() {
                order.push(anchor.id.clone());
            }
        }
        Some(order)
    }

    /// Adds the edges of a chain from the start through all nodes to the end.
    fn link(&self, built: &mut Built<'t>, order: &[Value<'t>]) {
        let head = self.adding.head;
        let [start, end] = self.planning.ends.map(|end| Value::computed(end.to_owned(), head));
        let ids: Vec<&Value<'t>> = std::iter::once(&start).chain(order).chain([&end]).collect();
        for pair in ids.windows(2) {
            let mut options = Object::default();
            for (option, value) in self.planning.edge.options.iter().zip(pair) {
                let value = Value { at: head, by: None, ..(*value).clone() };
                options.set(Member { key: option.name.into(), key_at: head, value });
            }
            self.adding.edge(built, &self.planning.edge, options);
        }
    }
}

/// A member of a value; undefined if the value itself is missing.
fn member<'t>(evaluation: &Evaluation<'t>, value: &Value<'t>, key: &str) -> Value<'t> {
    match value.data {
        Data::Undefined | Data::Null => Value::undefined(value.at),
        _ => evaluation.property(value, key, value.at),
    }
}

/// The smaller of two positive numbers, or the only one that is given.
fn least<'t>(one: Value<'t>, other: Value<'t>) -> Value<'t> {
    let number = |value: &Value<'t>| match &value.data {
        Data::Number(number) if *number > 0.0 => Ok(Some(*number)),
        Data::Unknown(reason) => {
            Err(Value { data: Data::Unknown(Rc::clone(reason)), at: value.at, by: None })
        }
        _ => Ok(None),
    };
    match (number(&one), number(&other)) {
        (Err(unknown), _) | (_, Err(unknown)) => unknown,
        (Ok(Some(first)), Ok(Some(second))) => {
            if second < first {
                other
            } else {
                one
            }
        }
        (Ok(Some(_)), Ok(None)) => one,
        (Ok(None), Ok(Some(_))) => other,
        (Ok(None), Ok(None)) => Value::undefined(one.at),
    }
}
