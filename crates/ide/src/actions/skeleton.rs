//! New declarations, nodes and entries, with every key that the table requires. In: a shape and the name to declare.
//! Out: a value to write. If a value cannot be known, for example a text, the name is used again: it is valid and easy
//! to find.

use nodewise_dialect::bundle::FALLBACK_LANGUAGE;
use nodewise_dialect::table::{
    Dialect, Kind, KindRole, LengthBounds, NameUse, Required, Shape, Symbol, Type, Word,
};
use nodewise_dialect::value::number_text;
use nodewise_syntax::write::NewValue;

/// The maximum depth of required mappings.
const DEPTH_MAX: usize = 8;
/// A condition that is always true.
pub(crate) const ALWAYS: &str = "true";

/// Writes the required fields of a table.
#[derive(Clone, Copy)]
pub(crate) struct Skeleton<'n> {
    pub(crate) dialect: &'static Dialect,
    /// The name to declare.
    pub(crate) name: &'n str,
    /// The kind of the declaration, if the value is a whole one.
    pub(crate) kind: Option<&'static Kind>,
}

impl Skeleton<'_> {
    /// A mapping with the required keys of the shape.
    pub(crate) fn shape(&self, shape: &'static Shape) -> NewValue {
        self.object(shape, 0)
    }

    /// The value of one field.
    pub(crate) fn field(&self, ty: Type) -> NewValue {
        self.value(ty, 0)
    }

    fn object(&self, shape: &'static Shape, depth: usize) -> NewValue {
        let is_written = |required: Required| matches!(required, Required::Yes | Required::Unless(_));
        let fields = shape.fields.iter().filter(|field| is_written(field.required));
        NewValue::mapping(fields.map(|field| (field.key, self.value(field.ty, depth + 1))))
    }

    fn value(&self, ty: Type, depth: usize) -> NewValue {
        let literal = |text: &str| NewValue::Literal(text.to_owned());
        let empty_map = || NewValue::Mapping(Vec::new());
        if depth > DEPTH_MAX {
            return literal("null");
        }
        match ty {
            Type::Kind => NewValue::text(self.kind.map_or(self.name, |kind| kind.name)),
            Type::Boolean | Type::Bool => literal("false"),
            Type::Number(bounds) => {
                literal(&number_text(if bounds.min.is_finite() { bounds.min } else { 0.0 }))
            }
            Type::Sized(inner, size) => self.sized(*inner, size, depth),
            Type::List(item) => self.list(*item, 0, depth),
            Type::OneOrMany(inner) | Type::TextOr(inner, _) => self.value(*inner, depth),
            Type::Object(shape) | Type::Open(shape) => self.object(shape, depth),
            Type::OneOf(forms) => forms.first().map_or_else(empty_map, |form| self.value(form.ty, depth)),
            Type::Variant(variant) => variant.cases.first().map_or_else(empty_map, |case| {
                let NewValue::Mapping(mut entries) = self.object(&case.shape, depth) else {
                    return empty_map();
                };
                for (_, value) in entries.iter_mut().filter(|(key, _)| key == variant.key) {
                    *value = NewValue::text(case.word.text);
                }
                NewValue::Mapping(entries)
            }),
            Type::Word(words) | Type::ArgumentType(words) => NewValue::text(self.word(words)),
            Type::Bundle(_) => self.localized(),
            Type::Bundles(_) => NewValue::Sequence(Vec::new()),
            Type::Qualified(scope, separator) => {
                let kind = scope.kinds.first().copied().unwrap_or_default();
                NewValue::text(format!("{kind}{separator}{}", self.name))
            }
            Type::FunctionPath(_) => NewValue::text(format!("app.{}", identifier(self.name))),
            Type::Slug(_) => NewValue::text(identifier(self.name)),
            Type::Condition(_) | Type::Expression(_) => NewValue::text(ALWAYS),
            Type::Pattern => NewValue::text(".*"),
            Type::Lenient(inner) => self.value(*inner, depth),
            Type::MapOf(_) | Type::JsonSchema | Type::Any | Type::OutputFields(..) => empty_map(),
            Type::DeclaredName
            | Type::Text
            | Type::File(_)
            | Type::Suggested(_)
            | Type::Symbol(..)
            | Type::Reference(_)
            | Type::EdgeId
            | Type::Injection => NewValue::text(self.name),
        }
    }

    fn sized(&self, inner: Type, size: LengthBounds, depth: usize) -> NewValue {
        match inner {
            Type::List(item) => self.list(*item, size.min.min(2), depth),
            _ => self.value(inner, depth),
        }
    }

    /// A list with the minimum number of items. A graph needs at least one node.
    fn list(&self, item: Type, count: usize, depth: usize) -> NewValue {
        let is_graph = self.kind.is_some_and(|kind| kind.role == KindRole::Graph);
        let item = match item {
            Type::Object(shape) if is_graph && declares(shape, Symbol::Node) => {
                return NewValue::Sequence(vec![self.object(shape, depth)]);
            }
            Type::Object(shape) if is_graph && declares(shape, Symbol::Edge) => {
                return self.ways(shape, depth);
            }
            Type::Symbol(Symbol::Node, _) if is_graph => {
                return NewValue::Sequence(vec![self.value(item, depth)]);
            }
            item => item,
        };
        NewValue::Sequence((0..count).map(|_| self.value(item, depth)).collect())
    }

    /// The edges of a graph with one node: from the start to the node, and from the node to the end, if the shape has
    /// such edges.
    fn ways(&self, shape: &'static Shape, depth: usize) -> NewValue {
        let [start, end] = self.dialect.terminals else { return NewValue::Sequence(Vec::new()) };
        let way = |source: &str, target: &str| {
            let mut ends = [source, target].into_iter();
            let NewValue::Mapping(mut entries) = self.object(shape, depth) else {
                return NewValue::Mapping(Vec::new());
            };
            for (key, value) in &mut entries {
                let ty = shape.field(key).map(|field| field.ty);
                match ty {
                    Some(Type::Symbol(Symbol::Endpoint, _)) => {
                        *value = NewValue::text(ends.next().unwrap_or_default());
                    }
                    Some(Type::Symbol(Symbol::Edge, _)) => {
                        *value = NewValue::text(format!("{source}-{target}"))
                    }
                    _ => {}
                }
            }
            NewValue::Mapping(entries)
        };
        NewValue::Sequence(vec![way(start.text, self.name), way(self.name, end.text)])
    }

    fn word(&self, words: &'static [Word]) -> &'static str {
        // Every other type needs settings that only the author knows.
        let is_plain = |word: &&Word| self.dialect.plain_node == Some(word.text);
        words.iter().find(is_plain).or(words.first()).map_or("", |word| word.text)
    }

    fn localized(&self) -> NewValue {
        let text = NewValue::mapping([(FALLBACK_LANGUAGE, NewValue::text(self.name))]);
        let usual = self.kind.and_then(|kind| kind.shape.fields.iter().find_map(|field| field.usual));
        match usual.and_then(|usual| usual.fields.first()) {
            Some(field) => NewValue::mapping([(field.key, text)]),
            None => text,
        }
    }
}

/// Whether mappings of a shape declare such a symbol.
pub(crate) fn declares(shape: &Shape, symbol: Symbol) -> bool {
    shape.fields.iter().any(|field| match field.ty {
        Type::Symbol(declared, NameUse::Declares) => declared == symbol,
        _ => false,
    })
}

/// A name as an identifier of a program.
fn identifier(name: &str) -> String {
    let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
    let word: String = name.chars().map(letter).collect();
    match word.starts_with(|first: char| first.is_ascii_digit()) || word.is_empty() {
        true => format!("_{word}"),
        false => word,
    }
}
