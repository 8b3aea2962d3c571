//! What is known of a value of the program.

use std::rc::Rc;

use crate::nodes::Node;
use nodewise_dialect::table::{Builder, Builders, Dialect, MethodChain};
use nodewise_syntax::TextRange;

/// A range in one of the modules that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of the module. 0 is the module that the caller asked about.
    pub(crate) module: usize,
    pub(crate) range: TextRange,
}

/// An evaluated value and its place.
#[derive(Debug, Clone)]
pub(crate) struct Value<'t> {
    pub(crate) data: Data<'t>,
    pub(crate) at: Place,
    /// The place of the name by which the value is used, if the value is written elsewhere.
    pub(crate) by: Option<Place>,
}

/// The content of a value.
#[derive(Debug, Clone)]
pub(crate) enum Data<'t> {
    Undefined,
    Null,
    Bool(bool),
    Number(f64),
    Text(Rc<Text>),
    List(Rc<List<'t>>),
    Object(Rc<Object<'t>>),
    /// A function that the program defines.
    Function(Function<'t>),
    /// A built-in function or a function of a package, or a group of them.
    Builder(Native),
    /// A whole module: its path or package name.
    Namespace(Rc<str>),
    /// A graph or node that a chain of methods is building.
    Built(Rc<Built<'t>>),
    /// A Zod schema.
    Schema(Rc<Schema<'t>>),
    /// Not known; the text is the reason.
    Unknown(Rc<str>),
}

/// A text with the places where its pieces are written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Text {
    pub(crate) text: String,
    pub(crate) pieces: Vec<Piece>,
}

/// A piece of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) length: usize,
    pub(crate) source: Place,
    pub(crate) is_copy: bool,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct List<'t> {
    pub(crate) items: Vec<Value<'t>>,
    /// Whether the number of items is unknown: unknown items stand for any number of items.
    pub(crate) is_open: bool,
}

/// A mapping.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object<'t> {
    pub(crate) members: Vec<Member<'t>>,
    /// Set if other members may exist: the place and the reason. Members added before that are already unknown.
    pub(crate) open: Option<(Place, Rc<str>)>,
    /// The kind of thing that a builder made, if the mapping comes from a builder.
    pub(crate) product: Option<BuilderProduct>,
    /// Properties that reading finds but a spread does not copy.
    pub(crate) hidden: Vec<(Rc<str>, Value<'t>)>,
}

/// A member of a mapping.
#[derive(Debug, Clone)]
pub(crate) struct Member<'t> {
    pub(crate) key: Rc<str>,
    pub(crate) key_at: Place,
    pub(crate) value: Value<'t>,
}

/// The kind of thing that a builder made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BuilderProduct {
    Node,
    /// An agent. Its id and its options are hidden members.
    Agent,
    /// A graph. Its id is a hidden member.
    Graph,
    Tool,
}

/// A function that the program defines.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Function<'t> {
    pub(crate) module: usize,
    pub(crate) node: Node<'t>,
}

/// A function that is not part of the program.
#[derive(Debug, Clone)]
pub(crate) enum Native {
    Function(&'static Dialect, &'static Builder),
    Group(&'static Dialect, Rc<str>),
    /// A global of JavaScript, such as `Object` or `Array`.
    Global(Rc<str>),
    /// The object with the environment variables.
    Environment,
    /// A function of Zod.
    Schema(Rc<str>),
}

/// A graph or node while methods add to it.
#[derive(Debug, Clone)]
pub(crate) struct Built<'t> {
    pub(crate) dialect: &'static Dialect,
    pub(crate) builders: &'static Builders,
    pub(crate) chain: &'static MethodChain,
    /// The module and the node of the call with which the chain began.
    pub(crate) origin: (usize, usize),
    /// The name of the builder in that call.
    pub(crate) head: Place,
    /// The name of the last method that completed the graph, or `head` if none did.
    pub(crate) end: Place,
    pub(crate) root: Object<'t>,
    pub(crate) nodes: List<'t>,
    pub(crate) edges: List<'t>,
    /// The ids of the last nodes, which the next step follows. Empty before the first step.
    pub(crate) last: Vec<Value<'t>>,
    /// The number in the last generated id; `None` if unknown.
    pub(crate) count: Option<usize>,
    /// Calls whose arguments are only used when the graph is finished.
    pub(crate) kept: Vec<Kept<'t>>,
    pub(crate) id: Value<'t>,
    pub(crate) is_complete: bool,
}

/// A method call whose arguments are used when the graph is finished.
#[derive(Debug, Clone)]
pub(crate) struct Kept<'t> {
    pub(crate) method: &'static str,
    pub(crate) arguments: Vec<Value<'t>>,
    /// The place of the method's name.
    pub(crate) head: Place,
}

#[derive(Debug, Clone)]
pub(crate) struct Schema<'t> {
    pub(crate) form: Form<'t>,
}

/// The form of a schema. Inner schemas are values, because they may be unknown.
#[derive(Debug, Clone)]
pub(crate) enum Form<'t> {
    /// A JSON type.
    Plain(&'static str),
    /// An integer with optional bounds: minimum and maximum.
    Whole(Option<Value<'t>>, Option<Value<'t>>),
    /// One of these values, by `enum`.
    OneOf(Vec<Value<'t>>),
    /// One value, or one of several, by `literal`.
    Literal(Vec<Value<'t>>),
    List(Value<'t>),
    Mapping(Object<'t>, OtherMembers),
    AnyOf(Vec<Value<'t>>),
    Record(Value<'t>),
    /// A list with a schema for each position. The positions are not evaluated.
    Tuple,
    /// Any value.
    Any,
    /// A type that JSON does not have.
    Other,
    Optional(Value<'t>),
    WithDefault(Value<'t>, Value<'t>),
    Nullable(Value<'t>),
    /// A schema with one more keyword that does not change the type: the schema, the keyword, its value.
    Noted(Value<'t>, &'static str, Value<'t>),
    /// A schema with restrictions that are not evaluated.
    Limited(Value<'t>),
}

/// What happens to members of a mapping that its schema does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherMembers {
    Dropped,
    Kept,
    Refused,
}

impl<'t> Value<'t> {
    pub(crate) fn unknown(reason: &str, at: Place) -> Value<'t> {
        Value { data: Data::Unknown(reason.into()), at, by: None }
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

    /// A text that is computed and therefore written nowhere.
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

    /// Whether JavaScript treats the value as true; `None` if that is not known.
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

    /// The text that the value becomes in a template; `None` if that is not known.
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
    /// The member with a key. Unknown if the mapping is open, undefined if it has no such member.
    pub(crate) fn get(&self, key: &str, at: Place) -> Value<'t> {
        if let Some(member) = self.members.iter().find(|member| &*member.key == key) {
            return member.value.clone();
        }
        if let Some((_, value)) = self.hidden.iter().find(|(name, _)| &**name == key) {
            return value.clone();
        }
        match &self.open {
            Some((_, reason)) => Value { data: Data::Unknown(Rc::clone(reason)), at, by: None },
            None => Value::undefined(at),
        }
    }

    pub(crate) fn member(&self, key: &str) -> Option<&Member<'t>> {
        self.members.iter().find(|member| &*member.key == key)
    }

    /// Sets a member. Replaces the member with the same key.
    pub(crate) fn set(&mut self, member: Member<'t>) {
        match self.members.iter_mut().find(|present| present.key == member.key) {
            Some(present) => *present = member,
            None => self.members.push(member),
        }
    }

    /// Copies the members of an unknown mapping: each present member may be replaced, so all become unknown.
    pub(crate) fn set_unknown(&mut self, reason: &Rc<str>, at: Place) {
        for member in &mut self.members {
            member.value = Value { data: Data::Unknown(Rc::clone(reason)), at: member.value.at, by: None };
        }
        self.open = Some((at, Rc::clone(reason)));
    }
}
