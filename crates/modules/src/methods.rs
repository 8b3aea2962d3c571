//! Methods of arrays and texts.

use std::rc::Rc;

use crate::evaluate::{At, Evaluation, equal};
use crate::value::{Data, List, Place, Text, Value};

impl<'t> Evaluation<'t> {
    pub(crate) fn method_of_list(
        &self,
        value: &Value<'t>,
        list: &List<'t>,
        method: &str,
        arguments: &[Value<'t>],
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        if let ("reduce", [function, start]) = (method, arguments) {
            return self.reduced(value, list, (function, start), at, place);
        }
        if let Some(function) = arguments.first()
            && let Some(value) = self.method_with_function(value, list, (method, function), at, place)
        {
            return value;
        }
        let unknown = |reason: &str| Value::unknown(reason, place);
        let first = arguments.first();
        match (method, first) {
            ("flat", None) => flattened(list.items.iter().cloned(), list.is_open, place),
            ("concat", _) => {
                let mut whole = List { items: list.items.clone(), is_open: list.is_open };
                for other in arguments {
                    match &other.data {
                        Data::List(other) => {
                            whole.items.extend(other.items.iter().cloned());
                            whole.is_open |= other.is_open;
                        }
                        Data::Unknown(_) => {
                            whole.items.push(other.clone());
                            whole.is_open = true;
                        }
                        _ => whole.items.push(other.clone()),
                    }
                }
                Value::list(whole.items, whole.is_open, place)
            }
            _ if list.is_open => unknown("the list is not known"),
            ("slice", _) => match bounds(arguments, list.items.len()) {
                Some(bounds) => Value::list(list.items[bounds].to_vec(), false, place),
                None => unknown("it is computed when the program runs"),
            },
            ("toReversed" | "reverse", None) => {
                Value::list(list.items.iter().rev().cloned().collect(), false, place)
            }
            ("at", Some(position)) => match position.data {
                Data::Number(position) if position.fract() == 0.0 => {
                    let length = list.items.len() as f64;
                    let position = if position < 0.0 { position + length } else { position };
                    let item = (position >= 0.0).then(|| list.items.get(position as usize)).flatten();
                    item.cloned().unwrap_or_else(|| Value::undefined(place))
                }
                _ => unknown("it is computed when the program runs"),
            },
            ("join", _) => {
                let separator = first.map_or(Some(","), Value::as_str);
                let items = list.items.iter().map(Value::printed).collect::<Option<Vec<_>>>();
                match (items, separator) {
                    (Some(items), Some(separator)) => Value::computed(items.join(separator), place),
                    _ => unknown("it is computed when the program runs"),
                }
            }
            ("includes", Some(wanted)) => {
                let mut found = Some(false);
                for item in &list.items {
                    match equal(item, wanted) {
                        Some(true) => return Value { data: Data::Bool(true), at: place, by: None },
                        Some(false) => {}
                        None => found = None,
                    }
                }
                found.map_or_else(
                    || unknown("it depends on what is not known"),
                    |found| Value { data: Data::Bool(found), at: place, by: None },
                )
            }
            _ => unknown("it is computed when the program runs"),
        }
    }

    /// Methods that take a function; `None` for other methods.
    fn method_with_function(
        &self,
        value: &Value<'t>,
        list: &List<'t>,
        (method, function): (&str, &Value<'t>),
        at: At<'_, 't>,
        place: Place,
    ) -> Option<Value<'t>> {
        let unknown = |reason: &str| Value::unknown(reason, place);
        let called = |position: usize, item: &Value<'t>, function: &Value<'t>| {
            let index = match list.is_open {
                true => Value::unknown("the list is not known", place),
                false => Value { data: Data::Number(position as f64), at: place, by: None },
            };
            self.callback(function, &[item.clone(), index, value.clone()], at, place)
        };
        Some(match method {
            "map" => {
                let items = list.items.iter().enumerate().map(|(position, item)| {
                    match list.is_open && item.is_unknown() {
                        true => item.clone(),
                        false => called(position, item, function),
                    }
                });
                Value::list(items.collect(), list.is_open, place)
            }
            "flatMap" => {
                let items =
                    list.items.iter().enumerate().map(|(position, item)| called(position, item, function));
                flattened(items, list.is_open, place)
            }
            "filter" => self.filtered(list, &called, function, place),
            "find" if !list.is_open => {
                for (position, item) in list.items.iter().enumerate() {
                    match called(position, item, function).truth() {
                        Some(true) => return Some(item.clone()),
                        Some(false) => {}
                        None => return Some(unknown("it depends on what is not known")),
                    }
                }
                Value::undefined(place)
            }
            _ => return None,
        })
    }

    /// Evaluates `reduce`: calls the function for each item.
    fn reduced(
        &self,
        value: &Value<'t>,
        list: &List<'t>,
        (function, start): (&Value<'t>, &Value<'t>),
        at: At<'_, 't>,
        place: Place,
    ) -> Value<'t> {
        if list.is_open {
            return Value::unknown("the list is not known", place);
        }
        let mut result = start.clone();
        for (position, item) in list.items.iter().enumerate() {
            let index = Value { data: Data::Number(position as f64), at: place, by: None };
            result = self.callback(function, &[result, item.clone(), index, value.clone()], at, place);
        }
        result
    }

    fn filtered(
        &self,
        list: &List<'t>,
        called: &dyn Fn(usize, &Value<'t>, &Value<'t>) -> Value<'t>,
        function: &Value<'t>,
        place: Place,
    ) -> Value<'t> {
        let mut kept = List { items: Vec::new(), is_open: list.is_open };
        for (position, item) in list.items.iter().enumerate() {
            match called(position, item, function).truth() {
                Some(true) => kept.items.push(item.clone()),
                Some(false) => {}
                // It is not known whether the item is kept.
                None => {
                    kept.items.push(Value::unknown("it depends on what is not known", item.at));
                    kept.is_open = true;
                }
            }
        }
        Value::list(kept.items, kept.is_open, place)
    }

    pub(crate) fn method_of_text(
        &self,
        text: &Rc<Text>,
        method: &str,
        arguments: &[Value<'t>],
        place: Place,
    ) -> Value<'t> {
        let unknown = || Value::unknown("it is computed when the program runs", place);
        let whole = text.text.as_str();
        let is_ascii = whole.is_ascii();
        let given = |position: usize| arguments.get(position).and_then(Value::as_str);
        let truth = |is_true: bool| Value { data: Data::Bool(is_true), at: place, by: None };
        match (method, given(0)) {
            ("trim", None) => Value::computed(whole.trim().to_owned(), place),
            ("toString", None) => Value { data: Data::Text(Rc::clone(text)), at: place, by: None },
            ("toUpperCase", None) if is_ascii => Value::computed(whole.to_ascii_uppercase(), place),
            ("toLowerCase", None) if is_ascii => Value::computed(whole.to_ascii_lowercase(), place),
            ("concat", _) => match arguments.iter().map(Value::printed).collect::<Option<String>>() {
                Some(rest) => Value::computed(format!("{whole}{rest}"), place),
                None => unknown(),
            },
            ("startsWith", Some(part)) if arguments.len() == 1 => truth(whole.starts_with(part)),
            ("endsWith", Some(part)) if arguments.len() == 1 => truth(whole.ends_with(part)),
            ("includes", Some(part)) if arguments.len() == 1 => truth(whole.contains(part)),
            ("split", Some(part)) if arguments.len() == 1 && !part.is_empty() => {
                let items = whole.split(part).map(|item| Value::computed(item.to_owned(), place)).collect();
                Value::list(items, false, place)
            }
            ("replaceAll", Some(part)) if !part.is_empty() => {
                match given(1).filter(|with| !with.contains('$')) {
                    Some(with) => Value::computed(whole.replace(part, with), place),
                    None => unknown(),
                }
            }
            ("replace", Some(part)) => match given(1).filter(|with| !with.contains('$')) {
                Some(with) => Value::computed(whole.replacen(part, with, 1), place),
                None => unknown(),
            },
            ("slice", _) if is_ascii => match bounds(arguments, whole.len()) {
                Some(bounds) => Value::computed(whole.get(bounds).unwrap_or_default().to_owned(), place),
                None => unknown(),
            },
            ("repeat", _) => match arguments.first().map(|count| &count.data) {
                Some(Data::Number(count)) if (0.0..=100.0).contains(count) => {
                    Value::computed(whole.repeat(*count as usize), place)
                }
                _ => unknown(),
            },
            _ => unknown(),
        }
    }
}

fn flattened<'t>(items: impl Iterator<Item = Value<'t>>, is_open: bool, place: Place) -> Value<'t> {
    let mut flat = List { items: Vec::new(), is_open };
    for item in items {
        match &item.data {
            Data::List(inner) => {
                flat.is_open |= inner.is_open;
                flat.items.extend(inner.items.iter().cloned());
            }
            Data::Unknown(_) => {
                flat.is_open = true;
                flat.items.push(item);
            }
            _ => flat.items.push(item),
        }
    }
    Value::list(flat.items, flat.is_open, place)
}

/// The range of items or bytes that `slice` selects.
fn bounds(arguments: &[Value<'_>], length: usize) -> Option<std::ops::Range<usize>> {
    let bound = |position: usize, default: usize| match arguments.get(position).map(|value| &value.data) {
        None | Some(Data::Undefined) => Some(default),
        Some(Data::Number(number)) if number.fract() == 0.0 => {
            let from_start = if *number < 0.0 { (number + length as f64).max(0.0) } else { *number };
            Some((from_start as usize).min(length))
        }
        _ => None,
    };
    let (start, end) = (bound(0, 0)?, bound(1, length)?);
    Some(start..end.max(start))
}
