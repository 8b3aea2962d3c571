//! What is known of a value of the program.

use std::rc::Rc;

use crate::nodes::Node;
use nodewise_dialect::table::{Builder, Builders, Dialect, MethodChain};
use nodewise_syntax::TextRange;

/// A place in one of the modules that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of the module; 0 is the one that is asked about.
    pub(crate) module: usize,
    pub(crate) range: TextRange,
}

/// A value, and where it is written.
#[derive(Debug, Clone)]
pub(crate) struct Value<'t> {
    pub(crate) data: Data<'t>,
    pub(crate) at: Place,
    /// The name that stands for it, if it is written elsewhere.
    pub(crate) by: Option<Place>,
}

/// What a value is.
#[derive(Debug, Clone)]
pub(crate) enum Data<'t> {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<Text>),
    List(Rc<List<'t>>),
    Object(Rc<Object<'t>>),
    /// A function of the program.
    Function(Function<'t>),
    /// A function of a package, or a group of them.
    Builder(Native),
    /// Everything that a module exports.
    Namespace(Rc<str>),
    /// What methods of a builder add to.
    Built(Rc<Built<'t>>),
    /// A schema of code.
    Schema(Rc<Schema<'t>>),
    /// Not known, and why.
    Unknown(Rc<str>),
}

/// A text with what its parts are written with.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
}

/// A part of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) length: usize,
    pub(crate) source: Place,
    pub(crate) is_copy: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct List<'t> {
    pub(crate) items: Vec<Value<'t>>,
    /// Whether there may be more or fewer items: some unknown item stands for any number.
    pub(crate) is_open: bool,
}

/// A mapping.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object<'t> {
    pub(crate) members: Vec<Member<'t>>,
    /// Why there may be other members, if there may: those before are unknown already.
    pub(crate) open: Option<(Place, Rc<str>)>,
    /// What a builder made of it.
    pub(crate) product: Option<BuilderProduct>,
    /// Properties that a spread does not copy.
    pub(crate) hidden: Vec<(Rc<str>, Value<'t>)>,
}

/// A member of a mapping.
#[derive(Debug, Clone)]
pub(crate) struct Member<'t> {
    pub(crate) key: Rc<str>,
    pub(crate) key_at: Place,
    pub(crate) value: Value<'t>,
}

/// What a builder made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuilderProduct {
    Node,
    /// Its id and its options are hidden members.
    Agent,
    /// Its id is a hidden member.
    Graph,
    Tool,
}

/// A function of the program, in the module of that number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function<'t> {
    pub(crate) module: usize,
    pub(crate) node: Node<'t>,
}

/// A function of a package, or what stands before the dot of its name.
#[derive(Debug, Clone)]
pub(crate) enum Native {
    Function(&'static Dialect, &'static Builder),
    Group(&'static Dialect, Rc<str>),
    /// `Object`, `Array` and the like.
    Global(Rc<str>),
    /// The variables of the environment.
    Environment,
    /// A function that makes schemas.
    Schema(Rc<str>),
}

/// What methods add to.
#[derive(Debug, Clone)]
pub(crate) struct Built<'t> {
    pub(crate) dialect: &'static Dialect,
    pub(crate) builders: &'static Builders,
    pub(crate) chain: &'static MethodChain,
    /// The module and the node of the call that began it.
    pub(crate) origin: (usize, usize),
    /// The name of the builder in that call.
    pub(crate) head: Place,
    /// The name of the last method that completes it.
    pub(crate) end: Place,
    pub(crate) root: Object<'t>,
    pub(crate) nodes: List<'t>,
    pub(crate) edges: List<'t>,
    /// The ids of the nodes that the next step follows; none before the first step.
    pub(crate) last: Vec<Value<'t>>,
    /// The number of the last edge, if it is known.
    pub(crate) count: Option<usize>,
    /// What methods kept for the end.
    pub(crate) kept: Vec<Kept<'t>>,
    pub(crate) id: Value<'t>,
    pub(crate) is_complete: bool,
}

/// The call of a method whose arguments count at the end.
#[derive(Debug, Clone)]
pub(crate) struct Kept<'t> {
    pub(crate) method: &'static str,
    pub(crate) arguments: Vec<Value<'t>>,
    /// The name of the method.
    pub(crate) head: Place,
}

#[derive(Debug, Clone)]
pub(crate) struct Schema<'t> {
    pub(crate) form: Form<'t>,
}

/// What a schema is. The schemas inside are values, since they may be unknown.
#[derive(Debug, Clone)]
pub(crate) enum Form<'t> {
    /// Of a type of JSON.
    Plain(&'static str),
    /// A whole number, from one number to another.
    Whole(Option<Value<'t>>, Option<Value<'t>>),
    /// One of these values.
    OneOf(Vec<Value<'t>>),
    /// A single value, or one of several, by `literal`.
    Literal(Vec<Value<'t>>),
    List(Value<'t>),
    Mapping(Object<'t>, OtherMembers),
    AnyOf(Vec<Value<'t>>),
    Record(Value<'t>),
    /// A list with a schema for each position, which is not followed.
    Tuple,
    /// Everything.
    Any,
    /// What no type of JSON says.
    Other,
    Optional(Value<'t>),
    WithDefault(Value<'t>, Value<'t>),
    Nullable(Value<'t>),
    /// With keywords that change no type.
    Noted(Value<'t>, &'static str, Value<'t>),
    /// With limits that are not followed.
    Limited(Value<'t>),
}

/// Other members of a mapping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherMembers {
    Dropped,
    Kept,
    Refused,
}

impl<'t> Value<'t> {
    pub(crate) fn unknown(why: &str, at: Place) -> Value<'t> {
        Value { data: Data::Unknown(why.into()), at, by: None }
    }

    pub(crate) fn undefined(at: Place) -> Value<'t> {
        Value { data: Data::Undefined, at, by: None }
    }

    pub(crate) fn list(items: Vec<Value<'t>>, is_open: bool, at: Place) -> Value<'t> {
        Value { data: Data::List(Rc::new(List { items, is_open })), at, by: None }
    }

    pub(crate) fn object(object: Object<'t>, at: Place) -> Value<'t> {
        Value { data: Data::Object(Rc::new(object)), at, by: None }
    }

    /// A text that stands nowhere as such.
    pub(crate) fn computed(text: String, at: Place) -> Value<'t> {
        let pieces = vec![Piece { length: text.len(), source: at, is_copy: false }];
        Value { data: Data::Text(Rc::new(Text { text, pieces })), at, by: None }
    }

    pub(crate) fn used_at(&self) -> Place {
        self.by.unwrap_or(self.at)
    }

    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self.data, Data::Unknown(_))
    }

    pub(crate) fn is_undefined(&self) -> bool {
        matches!(self.data, Data::Undefined)
    }

    pub(crate) fn as_text(&self) -> Option<&Rc<Text>> {
        if let Data::Text(text) = &self.data { Some(text) } else { None }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        self.as_text().map(|text| text.text.as_str())
    }

    pub(crate) fn as_list(&self) -> Option<&Rc<List<'t>>> {
        if let Data::List(list) = &self.data { Some(list) } else { None }
    }

    pub(crate) fn as_object(&self) -> Option<&Rc<Object<'t>>> {
        if let Data::Object(object) = &self.data { Some(object) } else { None }
    }

    /// Whether JavaScript counts it as true, if that is known.
    pub(crate) fn truth(&self) -> Option<bool> {
        Some(match &self.data {
            Data::Undefined | Data::Null => false,
            Data::Bool(value) => *value,
            Data::Number(number) => *number != 0.0 && !number.is_nan(),
            Data::Text(text) => !text.text.is_empty(),
            Data::List(_)
            | Data::Object(_)
            | Data::Function(_)
            | Data::Builder(_)
            | Data::Namespace(_)
            | Data::Built(_)
            | Data::Schema(_) => true,
            Data::Unknown(_) => return None,
        })
    }

    /// The text of it in a template, if that is known.
    pub(crate) fn printed(&self) -> Option<String> {
        Some(match &self.data {
            Data::Undefined => "undefined".to_owned(),
            Data::Null => "null".to_owned(),
            Data::Bool(value) => value.to_string(),
            Data::Number(number) if number.abs() < 1e21 && (*number == 0.0 || number.abs() >= 1e-6) => {
                number.to_string()
            }
            Data::Text(text) => text.text.clone(),
            Data::List(list) if !list.is_open => {
                let printed = |item: &Value<'t>| match item.data {
                    Data::Undefined | Data::Null => Some(String::new()),
                    _ => item.printed(),
                };
                list.items.iter().map(printed).collect::<Option<Vec<_>>>()?.join(",")
            }
            Data::Number(_)
            | Data::List(_)
            | Data::Object(_)
            | Data::Function(_)
            | Data::Builder(_)
            | Data::Namespace(_)
            | Data::Built(_)
            | Data::Schema(_)
            | Data::Unknown(_) => return None,
        })
    }
}

impl<'t> Object<'t> {
    /// The member of that key; unknown if it may be there, undefined if it is not.
    pub(crate) fn get(&self, key: &str, at: Place) -> Value<'t> {
        if let Some(member) = self.members.iter().find(|member| &*member.key == key) {
            return member.value.clone();
        }
        if let Some((_, value)) = self.hidden.iter().find(|(name, _)| &**name == key) {
            return value.clone();
        }
        match &self.open {
            Some((_, why)) => Value { data: Data::Unknown(Rc::clone(why)), at, by: None },
            None => Value::undefined(at),
        }
    }

    pub(crate) fn member(&self, key: &str) -> Option<&Member<'t>> {
        self.members.iter().find(|member| &*member.key == key)
    }

    /// Sets a member, in the place of one of that key.
    pub(crate) fn set(&mut self, member: Member<'t>) {
        match self.members.iter_mut().find(|present| present.key == member.key) {
            Some(present) => *present = member,
            None => self.members.push(member),
        }
    }

    /// Copies the members of an unknown mapping: whatever stands here already may be another value.
    pub(crate) fn set_unknown(&mut self, why: &Rc<str>, at: Place) {
        for member in &mut self.members {
            member.value = Value { data: Data::Unknown(Rc::clone(why)), at: member.value.at, by: None };
        }
        self.open = Some((at, Rc::clone(why)));
    }
}
