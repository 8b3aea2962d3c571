//! The functions of values that scripts can use, for completion and hover.
//!
//! Input: none; output: a table. Invariant: every function here is one that [`super::methods`] runs.

/// A function that a value has, or its length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KnownMethod {
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) signature: &'static str,
    /// Its documentation.
    pub(crate) doc: &'static str,
}

/// The functions, the most useful ones for paths first.
pub(crate) const METHODS: &[KnownMethod] = &[
    method("length", "length", "How many items a list or characters a text has."),
    method("includes", "includes(value)", "Whether a text holds another one, or a list an item."),
    method(
        "match",
        "match(pattern)",
        "What a regular expression matches in the text; null where it does not.",
    ),
    method("startsWith", "startsWith(text)", "Whether the text begins with another one."),
    method("endsWith", "endsWith(text)", "Whether the text ends with another one."),
    method("toLowerCase", "toLowerCase()", "The text in small letters."),
    method("toUpperCase", "toUpperCase()", "The text in capital letters."),
    method("trim", "trim()", "The text without spaces at its ends."),
    method("indexOf", "indexOf(value)", "Where a text or item is found first; -1 where it is not."),
    method("lastIndexOf", "lastIndexOf(value)", "Where a text or item is found last; -1 where it is not."),
    method("slice", "slice(start, end?)", "A part of a text or list; a negative number counts from the end."),
    method("at", "at(index)", "The item or character there; a negative number counts from the end."),
    method("join", "join(separator?)", "The items of a list as one text."),
    method("concat", "concat(value)", "The text or list with another one behind it."),
    method("split", "split(separator)", "The parts of a text between the separators, as a list."),
    method("replace", "replace(pattern, text)", "The text with its first match replaced."),
    method("replaceAll", "replaceAll(pattern, text)", "The text with every match replaced."),
    method("search", "search(pattern)", "Where a regular expression matches first; -1 where it does not."),
    method("substring", "substring(start, end?)", "A part of the text."),
    method("charAt", "charAt(index)", "The character there; an empty text where there is none."),
    method("padStart", "padStart(length, text?)", "The text, made longer at its beginning."),
    method("padEnd", "padEnd(length, text?)", "The text, made longer at its end."),
    method("repeat", "repeat(count)", "The text, so many times."),
    method("test", "test(text)", "Whether a regular expression matches in a text: `/a+/.test(@.name)`."),
    method("toFixed", "toFixed(digits)", "The number as a text, with so many decimals."),
    method("toString", "toString()", "The value as a text."),
    method("hasOwnProperty", "hasOwnProperty(name)", "Whether a mapping has a value under this name."),
];

const fn method(name: &'static str, signature: &'static str, doc: &'static str) -> KnownMethod {
    KnownMethod { name, signature, doc }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::Pattern;
    use crate::jsonpath::methods::{UNSUPPORTED, call};
    use crate::value::Value;

    #[test]
    fn every_function_is_one_that_runs() {
        let pattern = |flags: &str| Value::Pattern(Pattern { source: "a".into(), flags: flags.into() });
        let text = Value::from("a");
        let list: Value = [Value::from("a")].into_iter().collect();
        let objects = [text.clone(), list, Value::from(1.0), pattern("")];
        let arguments = [vec![], vec![Value::from(1.0)], vec![text.clone()], vec![pattern("g"), text]];
        let runs = |object: &Value, method: &KnownMethod, arguments: &[Value]| match call(
            object,
            method.name,
            arguments,
        ) {
            Ok(_) => true,
            Err(message) => message != UNSUPPORTED,
        };
        for method in METHODS.iter().filter(|method| method.signature.ends_with(')')) {
            let is_run = objects
                .iter()
                .any(|object| arguments.iter().any(|arguments| runs(object, method, arguments)));
            assert!(is_run, "nothing runs `{}`", method.signature);
        }
    }
}
