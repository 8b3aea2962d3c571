//! The members of a value: its own, and those that every value of its type inherits.
//!
//! Input: a value and a name; output: what stands there. Invariant: an own member hides an inherited one, and a
//! function is the same from whichever value it is reached.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use smol_str::{SmolStr, format_smolstr};

use super::length;
use crate::ast::Pattern;
use crate::value::{Map, Value};

/// What all values of a type inherit. What a constructor holds itself (`Object.keys`) is not known.
struct Prototype {
    /// The constructor's name.
    constructor: &'static str,
    /// The functions that stand here, the constructor left out.
    functions: &'static str,
    /// The prototype as a value of its own.
    object: LazyLock<Value>,
}

static OBJECT: Prototype = Prototype {
    constructor: "Object",
    functions: "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ hasOwnProperty isPrototypeOf \
                propertyIsEnumerable toLocaleString toString valueOf",
    object: LazyLock::new(empty_object),
};

static LIST: Prototype = Prototype {
    constructor: "Array",
    functions: "at concat copyWithin entries every fill filter find findIndex findLast findLastIndex flat flatMap \
                forEach includes indexOf join keys lastIndexOf map pop push reduce reduceRight reverse shift slice \
                some sort splice toLocaleString toReversed toSorted toSpliced toString unshift values with",
    object: LazyLock::new(empty_object),
};

static TEXT: Prototype = Prototype {
    constructor: "String",
    functions: "anchor at big blink bold charAt charCodeAt codePointAt concat endsWith fixed fontcolor fontsize \
                includes indexOf isWellFormed italics lastIndexOf link localeCompare match matchAll normalize padEnd \
                padStart repeat replace replaceAll search slice small split startsWith strike sub substr substring \
                sup toLocaleLowerCase toLocaleUpperCase toLowerCase toString toUpperCase toWellFormed trim trimEnd \
                trimLeft trimRight trimStart valueOf",
    object: LazyLock::new(empty_object),
};

static NUMBER: Prototype = Prototype {
    constructor: "Number",
    functions: "toExponential toFixed toLocaleString toPrecision toString valueOf",
    object: LazyLock::new(empty_object),
};

static BOOLEAN: Prototype =
    Prototype { constructor: "Boolean", functions: "toString valueOf", object: LazyLock::new(empty_object) };

static PATTERN: Prototype = Prototype {
    constructor: "RegExp",
    functions: "compile exec test toString",
    object: LazyLock::new(empty_object),
};

static FUNCTION: Prototype = Prototype {
    constructor: "Function",
    functions: "apply bind call toString",
    object: LazyLock::new(empty_object),
};

/// What stands under a name in a value; none where nothing does, and in null and undefined.
pub fn member<'v>(value: &'v Value, name: &str) -> Option<Cow<'v, Value>> {
    let (own, prototype) = match value {
        Value::Undefined | Value::Null => return None,
        Value::Bool(_) => (None, &BOOLEAN),
        Value::Number(_) => (None, &NUMBER),
        Value::Text(text) => (member_of_text(text, name).map(Cow::Owned), &TEXT),
        Value::List(items) => (member_of_list(items, name), &LIST),
        Value::Map(map) => (map.get(name).map(Cow::Borrowed), &OBJECT),
        Value::Pattern(pattern) => (member_of_pattern(pattern, name), &PATTERN),
        Value::Function(function) => (member_of_function(function, name).map(Cow::Owned), &FUNCTION),
    };
    own.or_else(|| inherited(prototype, name).map(Cow::Owned))
}

fn member_of_text(text: &SmolStr, name: &str) -> Option<Value> {
    if name == "length" {
        return Some(Value::Number(length(text) as f64));
    }
    let unit = text.encode_utf16().nth(index(name)?)?;
    // Half of a character has no text of its own.
    Some(Value::from(String::from_utf16_lossy(&[unit]).as_str()))
}

fn member_of_list<'v>(items: &'v Arc<[Value]>, name: &str) -> Option<Cow<'v, Value>> {
    if name == "length" {
        return Some(Cow::Owned(Value::Number(items.len() as f64)));
    }
    items.get(index(name)?).map(Cow::Borrowed)
}

fn member_of_pattern<'v>(pattern: &Pattern, name: &str) -> Option<Cow<'v, Value>> {
    let has = |flag: char| Value::Bool(pattern.flags.contains(flag));
    let value = match name {
        "source" => Value::Text(pattern.source.clone()),
        "flags" => Value::Text(pattern.flags.clone()),
        "lastIndex" => Value::Number(0.0),
        "global" => has('g'),
        "ignoreCase" => has('i'),
        "multiline" => has('m'),
        "dotAll" => has('s'),
        "unicode" => has('u'),
        "sticky" => has('y'),
        _ => return None,
    };
    Some(Cow::Owned(value))
}

fn member_of_function(function: &SmolStr, name: &str) -> Option<Value> {
    (name == "name").then(|| Value::from(function.rsplit('.').next().unwrap_or_default()))
}

/// The index that a name is: decimal digits without a needless zero.
fn index(name: &str) -> Option<usize> {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    if is_plain { name.parse().ok() } else { None }
}

fn inherited(prototype: &Prototype, name: &str) -> Option<Value> {
    let constructor = prototype.constructor;
    if name == "constructor" {
        return Some(Value::Function(SmolStr::new_static(constructor)));
    }
    if name == "__proto__" {
        return Some(prototype.object.clone());
    }
    if prototype.functions.split(' ').any(|function| function == name) {
        return Some(Value::Function(format_smolstr!("{constructor}.prototype.{name}")));
    }
    if std::ptr::eq(prototype, &OBJECT) { None } else { inherited(&OBJECT, name) }
}

fn empty_object() -> Value {
    Map::new().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(value: &Value, name: &str) -> String {
        member(value, name).map_or("none".to_owned(), |found| format!("{found:?}"))
    }

    fn check_members(value: &Value, members: &[(&str, &str)]) {
        for (name, expected) in members {
            assert_eq!(shown(value, name), *expected, "`{name}` of {value:?}");
        }
    }

    #[test]
    fn lists_have_indices_a_length_and_functions() {
        let list: Value = [Value::from("p"), Value::from("q")].into_iter().collect();
        check_members(
            &list,
            &[
                ("1", "Text(\"q\")"),
                ("01", "none"),
                ("2", "none"),
                ("", "none"),
                ("length", "Number(2.0)"),
                ("map", "Function(\"Array.prototype.map\")"),
                ("hasOwnProperty", "Function(\"Object.prototype.hasOwnProperty\")"),
            ],
        );
    }

    #[test]
    fn texts_are_lists_of_units() {
        check_members(
            &Value::from("a😀"),
            &[("0", "Text(\"a\")"), ("1", "Text(\"\u{fffd}\")"), ("3", "none"), ("length", "Number(3.0)")],
        );
    }

    #[test]
    fn own_members_hide_inherited_ones() {
        let map: Map = [("toString".into(), Value::Null)].into_iter().collect();
        check_members(
            &map.into(),
            &[
                ("toString", "Null"),
                ("valueOf", "Function(\"Object.prototype.valueOf\")"),
                ("constructor", "Function(\"Object\")"),
                ("x", "none"),
            ],
        );
    }

    #[test]
    fn functions_have_names_and_nothing_stands_in_nothing() {
        check_members(&Value::Function("Array.prototype.map".into()), &[("name", "Text(\"map\")")]);
        check_members(&Value::Null, &[("toString", "none")]);
        check_members(&Value::Undefined, &[("x", "none")]);
    }

    #[test]
    fn a_prototype_is_one_object() {
        let (one, other) = (Value::from(1.0), Value::from(2.0));
        let prototype = member(&one, "__proto__");
        assert!(
            prototype.is_some_and(|one| member(&other, "__proto__").is_some_and(|other| one.is_same(&other)))
        );
    }
}
