//! The members of a value: its own, and those that all values of its type inherit.
//!
//! Input: a value and a name; output: the member. Invariant: an own member hides an inherited one, and a function is
//! the same from whichever value it is reached.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use smol_str::{SmolStr, format_smolstr};

use super::length;
use crate::ast::Pattern;
use crate::value::{Map, Value};

/// What all values of a type inherit. The members of a constructor itself (`Object.keys`) are not known.
struct Prototype {
    /// The constructor's name.
    constructor: &'static str,
    /// The functions, each with the number of its parameters, without the constructor.
    functions: &'static str,
    /// The prototype as a value of its own.
    object: LazyLock<Value>,
}

static OBJECT: Prototype = Prototype {
    constructor: "Object",
    functions: "__defineGetter__/2 __defineSetter__/2 __lookupGetter__/1 __lookupSetter__/1 \
                hasOwnProperty/1 isPrototypeOf/1 propertyIsEnumerable/1 toLocaleString/0 toString/0 \
                valueOf/0",
    object: LazyLock::new(empty_object),
};

static LIST: Prototype = Prototype {
    constructor: "Array",
    functions: "at/1 concat/1 copyWithin/2 entries/0 every/1 fill/1 filter/1 find/1 findIndex/1 \
                findLast/1 findLastIndex/1 flat/0 flatMap/1 forEach/1 includes/1 indexOf/1 join/1 \
                keys/0 lastIndexOf/1 map/1 pop/0 push/1 reduce/1 reduceRight/1 reverse/0 shift/0 \
                slice/2 some/1 sort/1 splice/2 toLocaleString/0 toReversed/0 toSorted/1 toSpliced/2 \
                toString/0 unshift/1 values/0 with/2",
    object: LazyLock::new(empty_object),
};

static TEXT: Prototype = Prototype {
    constructor: "String",
    functions: "anchor/1 at/1 big/0 blink/0 bold/0 charAt/1 charCodeAt/1 codePointAt/1 concat/1 \
                endsWith/1 fixed/0 fontcolor/1 fontsize/1 includes/1 indexOf/1 isWellFormed/0 \
                italics/0 lastIndexOf/1 link/1 localeCompare/1 match/1 matchAll/1 normalize/0 \
                padEnd/1 padStart/1 repeat/1 replace/2 replaceAll/2 search/1 slice/2 small/0 split/2 \
                startsWith/1 strike/0 sub/0 substr/2 substring/2 sup/0 toLocaleLowerCase/0 \
                toLocaleUpperCase/0 toLowerCase/0 toString/0 toUpperCase/0 toWellFormed/0 trim/0 \
                trimEnd/0 trimLeft/0 trimRight/0 trimStart/0 valueOf/0",
    object: LazyLock::new(empty_object),
};

static NUMBER: Prototype = Prototype {
    constructor: "Number",
    functions: "toExponential/1 toFixed/1 toLocaleString/0 toPrecision/1 toString/1 valueOf/0",
    object: LazyLock::new(empty_object),
};

static BOOLEAN: Prototype = Prototype {
    constructor: "Boolean",
    functions: "toString/0 valueOf/0",
    object: LazyLock::new(empty_object),
};

static PATTERN: Prototype = Prototype {
    constructor: "RegExp",
    functions: "compile/2 exec/1 test/1 toString/0",
    object: LazyLock::new(empty_object),
};

static FUNCTION: Prototype = Prototype {
    constructor: "Function",
    functions: "apply/2 bind/1 call/1 toString/0",
    object: LazyLock::new(empty_object),
};

static PROTOTYPES: [&Prototype; 7] = [&OBJECT, &LIST, &TEXT, &NUMBER, &BOOLEAN, &PATTERN, &FUNCTION];

/// The member of a value with this name; `None` if it has none, and for null and undefined.
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
    // Half of a surrogate pair is not a text of its own, so a replacement character stands for it.
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
    let own_name = function.rsplit('.').next().unwrap_or_default();
    match name {
        "name" => Some(Value::from(own_name)),
        "length" => {
            let owner = PROTOTYPES.iter().find(|prototype| function.starts_with(prototype.constructor));
            // A constructor takes the value that it converts.
            let count = owner.and_then(|prototype| parameters(prototype, own_name)).unwrap_or(1);
            Some(Value::Number(f64::from(count)))
        }
        _ => None,
    }
}

/// How many parameters the function of a prototype has; `None` if there is no such function.
fn parameters(prototype: &Prototype, name: &str) -> Option<u8> {
    let listed = prototype.functions.split(' ').filter_map(|function| function.split_once('/'));
    listed.filter(|(function, _)| *function == name).find_map(|(_, count)| count.parse().ok())
}

/// The index that a name means: decimal digits without a superfluous zero.
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
    if parameters(prototype, name).is_some() {
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
        check_members(
            &Value::Function("Array.prototype.copyWithin".into()),
            &[("name", "Text(\"copyWithin\")"), ("length", "Number(2.0)"), ("x", "none")],
        );
        check_members(&Value::Function("Array".into()), &[("length", "Number(1.0)")]);
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
