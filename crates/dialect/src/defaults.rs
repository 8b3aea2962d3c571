//! Declarations without what counts anyway: fields with the table's default are left out. In: a kind and a value as JSON;
//! out: the value, with the keys of each mapping in the table's order. Keys that the table does not have stay, behind the others.

use nodewise_model::SourceId;
use serde_json::{Map, Value};

use crate::table::{Discriminator, Field, Form, Kind, Shape, Type};
use crate::value::{Data, SpannedValue};

/// Removes the fields of a declaration whose value is the default.
pub fn without_defaults(kind: &'static Kind, value: &mut Value) {
    object(&kind.shape, value);
}

fn object(shape: &'static Shape, value: &mut Value) {
    let Value::Object(members) = value else { return };
    let mut kept = Map::new();
    for field in shape.fields {
        let Some(mut member) = members.shift_remove(field.key) else { continue };
        typed(field.ty, &mut member);
        if !is_default(field, &member) {
            kept.insert(field.key.to_owned(), member);
        }
    }
    kept.append(members);
    *members = kept;
}

/// Whether `value` is the default of a field. Defaults inside the default are removed before the comparison.
fn is_default(field: &'static Field, value: &Value) -> bool {
    let Some(text) = field.default else { return false };
    let mut default = read(text);
    typed(field.ty, &mut default);
    is_same(&default, value)
}

/// Whether two values are equal. Numbers are equal with and without a fraction (`1` and `1.0`).
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same =
                |(key, one): (&String, &Value)| other.get(key).is_some_and(|other| is_same(one, other));
            one.len() == other.len() && one.iter().all(same)
        }
        _ => one == other,
    }
}

fn typed(ty: Type, value: &mut Value) {
    match ty {
        Type::List(item) | Type::OneOrMany(item) => match value {
            Value::Array(items) => items.iter_mut().for_each(|value| typed(*item, value)),
            value => typed(*item, value),
        },
        Type::TextOr(_, shape) | Type::Object(shape) | Type::Open(shape) => object(shape, value),
        Type::Sized(inner, _) | Type::Lenient(inner) => typed(*inner, value),
        Type::MapOf((_, of)) => {
            if let Value::Object(members) = value {
                members.values_mut().for_each(|value| typed(*of, value));
            }
        }
        Type::Variant(variant) => {
            let word = value.get(variant.key).and_then(Value::as_str);
            if let Some(case) = word.and_then(|word| variant.case(word)) {
                object(&case.shape, value);
            }
        }
        Type::OneOf(forms) => {
            if let Some(form) = forms.iter().find(|form| fits(form, value)) {
                typed(form.ty, value);
            }
        }
        _ => {}
    }
}

fn fits(form: &Form, value: &Value) -> bool {
    match form.when {
        Discriminator::Text => value.is_string(),
        Discriminator::Boolean => value.is_boolean(),
        Discriminator::Mapping => value.is_object(),
        Discriminator::HasKey(key) => value.get(key).is_some(),
        Discriminator::Otherwise => true,
    }
}

/// Parses a default from the table, which is written as YAML.
fn read(text: &str) -> Value {
    let tree = nodewise_syntax::parse(text);
    let root = tree.documents().next().and_then(|document| document.root());
    root.map_or(Value::Null, |root| json(&SpannedValue::from_node(root, SourceId::default())))
}

fn json(value: &SpannedValue<'_>) -> Value {
    match &value.data {
        Data::Bool(truth) => Value::from(*truth),
        Data::Number(number) => Value::from(*number),
        Data::Text(text) => Value::from(text.as_ref()),
        Data::List(items) => items.iter().map(json).collect(),
        Data::Map(members) => {
            members.iter().map(|member| (member.key.to_string(), json(&member.value))).collect()
        }
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::without_defaults;
    use crate::tables::cycgraph::{CYCGRAPH, GRAPH_KIND_NAME};

    fn check(value: Value, expected: Value) {
        let kind = CYCGRAPH.kind(GRAPH_KIND_NAME).expect("the kind");
        let mut found = value;
        without_defaults(kind, &mut found);
        assert_eq!(found.to_string(), expected.to_string());
    }

    #[test]
    fn what_the_schema_fills_in_is_left_out() {
        let node = json!({
            "write_keys": ["a"],
            "read_keys": [],
            "id": "n",
            "failure_policy": {"max_retries": 3, "backoff_strategy": "exponential", "initial_backoff_ms": 1000, "max_backoff_ms": 60000},
            "requires_compensation": false,
            "type": "map",
            "map_reduce_config": {"max_items": 1000, "worker_node_id": "w"},
        });
        let edge = json!({"condition": {"type": "always"}, "target": "b", "source": "a"});
        check(
            json!({"edges": [edge], "strict_taint": false, "nodes": [node], "name": "g", "own": 1}),
            json!({
                "name": "g",
                "nodes": [{"id": "n", "type": "map", "map_reduce_config": {"worker_node_id": "w"}, "write_keys": ["a"]}],
                "edges": [{"source": "a", "target": "b"}],
                "own": 1,
            }),
        );
    }

    #[test]
    fn a_part_of_a_block_stays() {
        let node = json!({"id": "n", "failure_policy": {"max_retries": 5, "max_backoff_ms": 60000}});
        check(
            json!({"nodes": [node]}),
            json!({"nodes": [{"id": "n", "failure_policy": {"max_retries": 5}}]}),
        );
    }
}
