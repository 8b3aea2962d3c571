//! Documents of a module: what the builders made, with places in the module's text.
//!
//! Invariant: a mapping that may have more members has an unknown value for every field of its shape that is not written,
//! and one without a shape is unknown as a whole.

use crate::nodes::Node;
use nodewise_dialect::table::{BuilderKeys, Builders, Dialect, Does, Field, Makes, Shape, Type};
use nodewise_dialect::tables::DIALECTS;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::TextRange;
use nodewise_syntax::build::{LettersElsewhere, PlacedData, PlacedEntry, PlacedText, PlacedValue, TextPiece};
use rustc_hash::FxHashSet;

use crate::ModuleDocument;
use crate::builders::{ID, OPTIONS};
use crate::evaluate::{At, Evaluation};
use crate::graphs::{snake, tool};
use crate::scope::Binding;
use crate::source::{callee, chain_end, parts, range};
use crate::value::{BuilderProduct, Built, Data, Member, Native, Object, Piece, Place, Text, Value};

impl<'t> Evaluation<'t> {
    /// All graphs and agents that the module builds, in the order of the text.
    pub(crate) fn documents(&self) -> Vec<ModuleDocument> {
        let scopes = self.scopes(0);
        let calls = scopes.as_ref().map(|scopes| scopes.calls.as_slice()).unwrap_or_default();
        let mut documents: Vec<ModuleDocument> =
            calls.iter().filter_map(|call| self.document(*call)).collect();
        documents.extend(self.chain_documents(calls));
        documents.extend(self.literal_documents());
        documents.arrange_by_key(|document| document.range.start());
        documents
    }

    /// The graphs that are built by method chains, each once. Its place is the call that completes it first, or else the
    /// chain's own expression.
    fn chain_documents(&self, calls: &[Node<'t>]) -> Vec<ModuleDocument> {
        let mut seen = FxHashSet::default();
        let mut documents = Vec::new();
        let mut add = |call: Node<'t>, value: &Value<'t>| {
            if let Data::Built(built) = &value.data
                && seen.insert(built.origin)
            {
                documents.extend(self.chain_document(call, built));
            }
        };
        for call in calls {
            let method = callee(*call).and_then(|callee| callee.child("property"));
            if method.is_some_and(|method| completes(self.text_of(0, method))) {
                add(*call, &self.constant(*call, 0, At::top(0)));
            }
        }
        for call in calls {
            if callee(*call).is_some_and(|callee| self.chain_builder(callee, At::top(0)).is_some()) {
                let end = chain_end(*call);
                let declared = end.parent().filter(|parent| parent.kind() == "variable_declarator");
                let name = declared.and_then(|declared| declared.child("name"));
                let value = match name.filter(|name| name.kind() == "identifier") {
                    Some(name) => self.name(name, At::top(0)),
                    None => self.value(end, At::top(0)),
                };
                add(end, &value);
            }
        }
        documents
    }

    fn chain_document(&self, call: Node<'t>, built: &Built<'t>) -> Option<ModuleDocument> {
        let root = built.document(self)?;
        self.graph_document(built.dialect, call, &root)
    }

    /// The object literals whose type annotation says that they are graphs.
    fn literal_documents(&self) -> Vec<ModuleDocument> {
        let Some(scopes) = self.scopes(0) else { return Vec::new() };
        let mut seen = FxHashSet::default();
        let mut documents = Vec::new();
        for (of_type, value) in &scopes.typed {
            let written = unwrapped(*value);
            let Some(dialect) = self.graph_type(*of_type).filter(|_| written.kind() == "object") else {
                continue;
            };
            if seen.insert(written.id()) {
                let root = self.constant(written, 0, At::top(0));
                documents.extend(self.graph_document(dialect, written, &root));
            }
        }
        documents
    }

    /// The system whose package exports this type, if values of the type are graphs.
    fn graph_type(&self, of_type: Node<'t>) -> Option<&'static Dialect> {
        let found = self.scopes(0)?.find(self.text_of(0, of_type), range(of_type));
        let Some((_, Binding::Import(module, Some(name)))) = found else { return None };
        let is_type = |dialect: &&'static Dialect| {
            dialect
                .builders
                .is_some_and(|builders| builders.is_package(module) && builders.types.contains(&name))
        };
        DIALECTS.iter().copied().find(|dialect| is_type(dialect))
    }

    fn graph_document(
        &self,
        dialect: &'static Dialect,
        node: Node<'t>,
        root: &Value<'t>,
    ) -> Option<ModuleDocument> {
        let name = self.holder(0, node);
        if name.is_some_and(|name| self.is_changed(0, name)) {
            return None;
        }
        let kind = dialect.graphs?.kinds.first()?;
        let whole = range(node);
        let root = self.placed(root, Some(Type::Object(&dialect.kind(kind)?.shape)), whole);
        Some(ModuleDocument { dialect, kind, name: name.map(str::to_owned), range: whole, root })
    }

    fn document(&self, call: Node<'t>) -> Option<ModuleDocument> {
        let callee = call.child("function").filter(|callee| is_name(*callee))?;
        let Data::Builder(Native::Function(dialect, builder)) = self.value(callee, At::top(0)).data else {
            return None;
        };
        let builders = dialect.builders?;
        if !matches!(builder.makes, Makes::Graph | Makes::WrittenGraph | Makes::Agent) {
            return None;
        }
        let name = self.holder(0, call);
        if name.is_some_and(|name| self.is_changed(0, name)) {
            return None;
        }
        let value = self.constant(call, 0, At::top(0));
        let object = value.as_object()?;
        let (kind, root) = match object.product? {
            BuilderProduct::Graph => (dialect.graphs?.kinds.first()?, value.clone()),
            BuilderProduct::Agent => {
                let kind = dialect
                    .kinds
                    .iter()
                    .find(|kind| kind.role == nodewise_dialect::table::KindRole::Agent)?;
                (&kind.name, agent(dialect, builders, &kind.shape, object, value.at))
            }
            BuilderProduct::Node | BuilderProduct::Tool => return None,
        };
        let shape = &dialect.kind(kind)?.shape;
        let whole = range(call);
        let root = self.placed(&root, Some(Type::Object(shape)), whole);
        Some(ModuleDocument { dialect, kind, name: name.map(str::to_owned), range: whole, root })
    }
}

/// Whether a method with this name completes a graph in some system.
fn completes(method: &str) -> bool {
    let chains =
        DIALECTS.iter().filter_map(|dialect| dialect.builders).flat_map(|builders| builders.functions);
    let mut methods = chains.filter_map(|builder| builder.chain?.method(method));
    methods.any(|method| matches!(method.does, Does::Completes))
}

/// The expression without type annotations and parentheses around it.
fn unwrapped(node: Node<'_>) -> Node<'_> {
    let is_wrapper = matches!(
        node.kind(),
        "as_expression" | "satisfies_expression" | "non_null_expression" | "parenthesized_expression"
    );
    match parts(node).first().filter(|_| is_wrapper) {
        Some(inner) => unwrapped(*inner),
        None => node,
    }
}

/// Whether an expression is a name, or names joined by dots.
fn is_name(node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" => true,
        "member_expression" => node.child("object").is_some_and(is_name),
        _ => false,
    }
}

/// The agent in the form of the document.
fn agent<'t>(
    dialect: &'static Dialect,
    builders: &'static Builders,
    shape: &'static Shape,
    agent: &Object<'t>,
    at: Place,
) -> Value<'t> {
    let options = agent.get(OPTIONS, at);
    let Some(options) = options.as_object() else { return options };
    let mut written = Object { open: options.open.clone(), ..Object::default() };
    let id = agent.get(ID, at);
    let key_at = |name: &str| options.member(name).map_or(id.at, |member| member.key_at);
    written.set(Member { key: "id".into(), key_at: key_at("id"), value: id.clone() });
    written.set(Member { key: "name".into(), key_at: key_at("name"), value: id.clone() });
    let rows = builders
        .functions
        .iter()
        .filter(|builder| builder.makes == Makes::Agent)
        .flat_map(|builder| builder.options);
    for member in options.members.iter().filter(|member| !member.value.is_undefined() && &*member.key != "id")
    {
        let row = rows.clone().find(|row| row.name == &*member.key);
        let key = row.map_or_else(|| snake(&member.key), |row| row.key.to_owned());
        if shape.field(&key).is_none() {
            continue;
        }
        let value = if key == builders.keys.tools {
            sources(dialect, &builders.keys, &member.value)
        } else {
            member.value.clone()
        };
        written.set(Member { key: key.into(), key_at: member.key_at, value });
    }
    Value::object(written, at)
}

/// The sources of tools in full form.
fn sources<'t>(dialect: &'static Dialect, keys: &BuilderKeys, value: &Value<'t>) -> Value<'t> {
    let Some(list) = value.as_list() else { return value.clone() };
    let source = |item: &Value<'t>| {
        let at = item.at;
        let mut source = Object::default();
        let mut set = |key: &str, value: Value<'t>| source.set(Member { key: key.into(), key_at: at, value });
        match &item.data {
            Data::Text(name) => {
                let is_builtin = dialect.builtin_tools.iter().any(|tool| tool.text == name.text);
                let kind = if is_builtin { "builtin" } else { "custom" };
                set("type", Value::computed(kind.to_owned(), at));
                set("name", item.clone());
            }
            Data::Object(object) if object.product == Some(BuilderProduct::Tool) => return tool(object, at),
            Data::Object(object) if object.member(keys.short_server).is_some() => {
                set("type", Value::computed(keys.short_server.to_owned(), at));
                set(keys.server, object.get(keys.short_server, at));
                let names = [object.get(keys.tools, at), object.get("toolNames", at)];
                if let Some(names) = names.into_iter().find(|names| !names.is_undefined()) {
                    set(keys.tool_names, names);
                }
            }
            // Already in full form, or not a literal.
            _ => return item.clone(),
        }
        Value::object(source, at)
    };
    Value::list(list.items.iter().map(source).collect(), list.is_open, value.at)
}

impl Evaluation<'_> {
    /// Converts a value of the document. A value that is written in another module gets the place where this module uses
    /// it.
    fn placed(&self, value: &Value<'_>, ty: Option<Type>, around: TextRange) -> PlacedValue {
        let range = if value.at.module == 0 { value.at.range } else { around };
        let data = match &value.data {
            Data::Undefined | Data::Null => PlacedData::Null,
            Data::Bool(value) => PlacedData::Bool(*value),
            Data::Number(number) => PlacedData::Number(*number),
            Data::Text(text) => PlacedData::Text(self.placed_text(text, range)),
            Data::List(list) => {
                let item = ty.and_then(item_type);
                PlacedData::List(list.items.iter().map(|value| self.placed(value, item, range)).collect())
            }
            Data::Object(object) => return self.mapping(object, ty, range),
            Data::Unknown(reason) => PlacedData::Unknown(reason.to_string()),
            Data::Function(_) | Data::Builder(_) | Data::Namespace(_) | Data::Built(_) | Data::Schema(_) => {
                PlacedData::Unknown("it is no data".to_owned())
            }
        };
        PlacedValue { data, range }
    }

    fn placed_text(&self, text: &Text, range: TextRange) -> PlacedText {
        let is_elsewhere = text.pieces.iter().any(|piece| piece.source.module != 0);
        let whole = TextPiece { length: text.text.len(), source: range, is_copy: false };
        let piece = |piece: &Piece| TextPiece {
            length: piece.length,
            source: piece.source.range,
            is_copy: piece.is_copy,
        };
        let pieces = if is_elsewhere { vec![whole] } else { text.pieces.iter().map(piece).collect() };
        let elsewhere = if is_elsewhere { self.letters_elsewhere(&text.pieces) } else { None };
        PlacedText { text: text.text.clone(), pieces, elsewhere }
    }

    /// The place of the text in another module, if it is copied from a single literal there.
    fn letters_elsewhere(&self, pieces: &[Piece]) -> Option<LettersElsewhere> {
        let [Piece { source, is_copy: true, .. }] = pieces else { return None };
        let path = self.source(source.module)?.path.clone();
        Some(LettersElsewhere { path, range: source.range })
    }

    fn mapping(&self, object: &Object<'_>, ty: Option<Type>, range: TextRange) -> PlacedValue {
        let decides = |member: &Member<'_>| matches!(member.value.data, Data::Function(_));
        if matches!(ty, Some(Type::Variant(_))) && object.members.iter().any(decides) {
            return PlacedValue { data: PlacedData::Unknown("a function decides".to_owned()), range };
        }
        let shape = ty.and_then(|ty| shape_of(ty, object));
        let field = |key: &str| shape.and_then(|shape| shape.field(key));
        let entry = |member: &Member<'_>| {
            let key_range = if member.key_at.module == 0 { member.key_at.range } else { range };
            let ty = field(&member.key).map(|field| field.ty).or(ty.and_then(member_type));
            let value = self.placed(&member.value, ty, range);
            PlacedEntry { key: member.key.to_string(), key_range, value }
        };
        let mut entries: Vec<PlacedEntry> = object.members.iter().map(entry).collect();
        if let Some((at, reason)) = &object.open {
            let at = if at.module == 0 { at.range } else { range };
            let unknown = || PlacedValue { data: PlacedData::Unknown(reason.to_string()), range: at };
            let Some(shape) = shape else { return unknown() };
            let is_absent = |field: &&Field| object.member(field.key).is_none();
            entries.extend(shape.fields.iter().filter(is_absent).map(|field| PlacedEntry {
                key: field.key.to_owned(),
                key_range: at,
                value: unknown(),
            }));
        }
        PlacedValue { data: PlacedData::Map(entries), range }
    }
}

/// The type of the items of a list.
fn item_type(ty: Type) -> Option<Type> {
    match ty {
        Type::List(item) | Type::OneOrMany(item) => Some(*item),
        Type::Sized(inner, _) | Type::Lenient(inner) => item_type(*inner),
        _ => None,
    }
}

/// The type of the values of a mapping with free keys.
fn member_type(ty: Type) -> Option<Type> {
    match ty {
        Type::MapOf((_, value)) => Some(*value),
        Type::Sized(inner, _) | Type::Lenient(inner) => member_type(*inner),
        _ => None,
    }
}

/// The shape of a mapping of this type. For a variant, the mapping's word decides.
fn shape_of(ty: Type, object: &Object<'_>) -> Option<&'static Shape> {
    match ty {
        Type::Object(shape) | Type::Open(shape) | Type::TextOr(_, shape) => Some(shape),
        Type::Sized(inner, _) | Type::Lenient(inner) => shape_of(*inner, object),
        Type::Variant(variant) => {
            let word = object.member(variant.key)?;
            let word = word.value.as_str()?;
            variant.cases.iter().find(|case| case.word.text == word).map(|case| &case.shape)
        }
        _ => None,
    }
}
