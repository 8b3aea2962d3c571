//! Shapes, variants and types as definitions that refer to one another.
//!
//! Input: kinds of a table. Output: references, and the definitions that they lead to. Invariant: a shape is defined
//! once for each way in which it is used, whatever holds it.

use serde_json::{Map, Value, json};

use super::UnknownKeys;
use super::parts::{choice, described, has, nullable, of_type, words};
use crate::reference::origin_in_words;
use crate::table::{
    Dialect, Discriminator, Field, Form, Kind, KindRole, LengthBounds, Needed, Required, Shape, Type,
    Variant, Word,
};
use crate::value::parse_json;

pub(super) struct Writer {
    definitions: Map<String, Value>,
    /// The definitions written so far, with their names.
    known: Vec<(Definition, String)>,
    unknown_keys: UnknownKeys,
    /// Whether the schema is for a patch: keys may be missing, and `null` removes a key.
    is_patch: bool,
}

/// A shape and how it is used. Each different use gets its own definition.
#[derive(Clone, Copy)]
struct Definition {
    shape: &'static Shape,
    /// The key whose word is already known, if there is one.
    certain: Option<Certain>,
    is_open: bool,
    is_patch: bool,
    /// For the shape that an overlay patches at the top: the overlay, whose own keys are written elsewhere.
    overlay: Option<&'static Shape>,
    /// Whether an overlay in another file may provide localized texts, so that they may be missing here.
    takes_overlays: bool,
}

/// A key whose word is already known, and the description of the word.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Certain {
    key: &'static str,
    word: &'static str,
    doc: &'static str,
}

impl Definition {
    fn is_same(&self, other: &Definition) -> bool {
        self.shape.is_same(other.shape)
            && (self.certain, self.is_open, self.is_patch, self.takes_overlays)
                == (other.certain, other.is_open, other.is_patch, other.takes_overlays)
    }
}

impl Writer {
    pub(super) fn new(unknown_keys: UnknownKeys) -> Writer {
        Writer { definitions: Map::new(), known: Vec::new(), unknown_keys, is_patch: false }
    }

    pub(super) fn definitions(self) -> Map<String, Value> {
        self.definitions
    }

    /// A reference to the definition of a whole document.
    pub(super) fn document(&mut self, dialect: &'static Dialect, kind: &'static Kind) -> Value {
        if kind.role == KindRole::Overlay {
            return self.overlay(dialect, kind);
        }
        let takes_overlays = dialect.kinds.iter().any(|kind| kind.role == KindRole::Overlay);
        let certain =
            dialect.discriminator().map(|key| Certain { key, word: kind.name, doc: kind.shape.doc });
        self.reference(Definition { certain, takes_overlays, ..self.usual(&kind.shape) })
    }

    /// The usual use of a shape.
    fn usual(&self, shape: &'static Shape) -> Definition {
        Definition {
            shape,
            certain: None,
            is_open: false,
            is_patch: self.is_patch,
            overlay: None,
            takes_overlays: false,
        }
    }

    fn shape(&mut self, shape: &'static Shape) -> Value {
        self.reference(self.usual(shape))
    }

    /// A reference to a definition, which is written the first time.
    fn reference(&mut self, definition: Definition) -> Value {
        let name = match self.known.iter().find(|(known, _)| known.is_same(&definition)) {
            Some((_, name)) => name.clone(),
            None => {
                let suffix = if definition.is_patch { "Patch" } else { "" };
                let name = self.reserve(&format!("{}{suffix}", definition.shape.name));
                self.known.push((definition, name.clone()));
                let written = self.object(definition);
                self.definitions.insert(name.clone(), written);
                name
            }
        };
        reference_to(&name)
    }

    /// Reserves an unused name. It is reserved before its definition is written, because a shape may contain itself.
    fn reserve(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 2;
        while self.definitions.contains_key(&name) {
            name = format!("{wanted}{number}");
            number += 1;
        }
        self.definitions.insert(name.clone(), Value::Null);
        name
    }

    /// A reference to a definition that is the same everywhere. `write` is called only the first time.
    pub(super) fn common(&mut self, name: &str, write: impl FnOnce(&mut Writer) -> Value) -> Value {
        if !self.definitions.contains_key(name) {
            let name = self.reserve(name);
            let written = write(self);
            self.definitions.insert(name, written);
        }
        reference_to(name)
    }

    fn object(&mut self, definition: Definition) -> Value {
        let shape = definition.shape;
        let mut properties = Map::new();
        let is_there = |field: &&Field| {
            definition.overlay.is_none_or(|own| field.is_patchable() && own.field(field.key).is_none())
        };
        for field in shape.fields.iter().filter(is_there) {
            let mut property = match definition.certain.filter(|certain| certain.key == field.key) {
                Some(certain) => described(json!({"const": certain.word}), certain.doc),
                None => self.field(field),
            };
            if definition.is_patch {
                property = nullable(property);
            }
            properties.insert(field.key.to_owned(), property);
        }
        let mut schema = described(json!({"title": shape.name, "type": "object"}), shape.doc);
        exclude(&mut schema, shape, &properties);
        schema["properties"] = Value::Object(properties);
        if !definition.is_patch {
            demand(&mut schema, definition);
        }
        if !definition.is_open {
            self.close(&mut schema);
        }
        schema
    }

    fn close(&self, schema: &mut Value) {
        if self.unknown_keys == UnknownKeys::Refused {
            schema["additionalProperties"] = json!(false);
        }
    }

    /// The schema of an overlay: its own keys, and the fields for its target's kind.
    fn overlay(&mut self, dialect: &'static Dialect, kind: &'static Kind) -> Value {
        let own = self.object(Definition { is_open: true, ..self.usual(&kind.shape) });
        let Some(target) = kind.shape.fields.iter().find_map(|field| match field.ty {
            Type::Qualified(_, separator) => Some((field.key, separator)),
            _ => None,
        }) else {
            return own;
        };
        let (key, separator) = target;
        let mut branches = Vec::new();
        for patched in dialect.kinds.iter().filter(|patched| patched.role != KindRole::Overlay) {
            self.is_patch = true;
            let overlay = Some(&kind.shape);
            let mut patch = self.object(Definition { overlay, ..self.usual(&patched.shape) });
            self.is_patch = false;
            patch["title"] = json!(format!("{} of a {}", kind.name, patched.name));
            for field in kind.shape.fields {
                patch["properties"][field.key] = json!(true);
            }
            let name = self.reserve(&format!("{}{}", patched.name, kind.name));
            self.definitions.insert(name.clone(), patch);
            let begins = json!({"type": "string", "pattern": format!("^{}{separator}", patched.name)});
            branches.push(json!({"if": has(key, begins), "then": reference_to(&name)}));
        }
        let mut schema = own;
        if let Some(discriminator) = dialect.discriminator() {
            schema["properties"][discriminator] = described(json!({"const": kind.name}), kind.shape.doc);
        }
        schema["allOf"] = json!(branches);
        let name = self.reserve(kind.name);
        self.definitions.insert(name.clone(), schema);
        reference_to(&name)
    }

    fn field(&mut self, field: &'static Field) -> Value {
        let schema = self.ty(field.ty);
        let schema = match field.ty {
            _ if field.nullable => nullable(schema),
            // Editors write the colon after a key without a single type only if the schema has alternatives, so use
            // `anyOf`.
            Type::Bundle(_) => json!({"anyOf": [schema]}),
            _ => schema,
        };
        let mut doc = field.doc.to_owned();
        if let Some(origin) = origin_in_words(field.origin) {
            doc.push_str(&format!(" {origin}."));
        }
        if let Some(key) = field.superseded_by {
            doc.push_str(&format!(" Write `{key}` instead."));
        }
        let mut schema = described(schema, &doc);
        if field.superseded_by.is_some() {
            schema["deprecated"] = json!(true);
        }
        if let Some(default) = field.default.and_then(parse_json) {
            schema["default"] = default;
        }
        schema
    }

    /// The schema of a type.
    pub(super) fn ty(&mut self, ty: Type) -> Value {
        match ty {
            Type::List(item @ Type::Injection) => {
                json!({"type": "array", "minItems": 1, "items": self.ty(*item)})
            }
            Type::List(item) => json!({"type": "array", "items": self.ty(*item)}),
            Type::OneOrMany(item) => self.one_or_many(*item),
            Type::TextOr(text, shape) => choice(of_type("object"), self.shape(shape), self.ty(*text)),
            Type::Object(shape) => self.shape(shape),
            Type::Open(shape) => self.reference(Definition { is_open: true, ..self.usual(shape) }),
            Type::Sized(inner, size) => self.sized(*inner, size),
            Type::MapOf((key, of)) => self.map(*key, *of),
            Type::Variant(variant) => self.variant(variant),
            Type::OneOf(forms) => self.forms(forms),
            leaf => self.leaf(leaf),
        }
    }

    fn one_or_many(&mut self, item: Type) -> Value {
        let is_name = matches!(item, Type::Reference(_));
        let item = self.ty(item);
        let mut list = json!({"type": "array", "items": item});
        if is_name {
            list["minItems"] = json!(1);
        }
        choice(of_type("array"), list, item)
    }

    fn map(&mut self, key: Type, of: Type) -> Value {
        let value = self.ty(of);
        let known = |words: &'static [Word]| {
            words.iter().map(|word| (word.text.to_owned(), described(value.clone(), word.doc))).collect()
        };
        let properties: Map<String, Value> = match key {
            Type::Word(words) | Type::Suggested(words) => known(words),
            _ => Map::new(),
        };
        let mut schema = json!({"type": "object"});
        if !properties.is_empty() {
            schema["properties"] = Value::Object(properties);
        }
        schema["additionalProperties"] = if matches!(key, Type::Word(_)) { json!(false) } else { value };
        schema
    }

    /// The word decides the fields. If it is missing or unknown, that is the only error.
    fn variant(&mut self, variant: &'static Variant) -> Value {
        self.common(variant.name, |writer| {
            let key = variant.key;
            let mut branches = Vec::new();
            for case in variant.cases {
                let Word { text: word, doc } = case.word;
                let certain = Some(Certain { key, word, doc });
                let definition = writer.reference(Definition { certain, ..writer.usual(&case.shape) });
                branches.push(json!({"if": has(key, json!({"const": word})), "then": definition}));
            }
            let known = words(variant.words().map(|word| (word.text, word.doc)));
            let doc = variant.cases.iter().find_map(|case| case.shape.field(key)).map(|field| field.doc);
            let mut schema = described(json!({"title": variant.name, "type": "object"}), variant.doc);
            schema["required"] = json!([key]);
            schema["properties"] = json!({key: described(known, doc.unwrap_or_default())});
            schema["allOf"] = json!(branches);
            schema
        })
    }

    fn forms(&mut self, forms: &'static [Form]) -> Value {
        forms.iter().rev().fold(json!({}), |otherwise, form| {
            let then = self.ty(form.ty);
            match form.when {
                Discriminator::Text => choice(of_type("string"), then, otherwise),
                Discriminator::Boolean => choice(of_type("boolean"), then, otherwise),
                Discriminator::Mapping => choice(of_type("object"), then, otherwise),
                Discriminator::HasKey(key) => choice(has(key, json!(true)), then, otherwise),
                Discriminator::Otherwise => then,
            }
        })
    }

    fn sized(&mut self, inner: Type, size: LengthBounds) -> Value {
        let (min, max) = match inner {
            Type::List(_) => ("minItems", "maxItems"),
            Type::MapOf(_) => ("minProperties", "maxProperties"),
            _ => ("minLength", "maxLength"),
        };
        let mut schema = self.ty(inner);
        if size.min > 0 {
            schema[min] = json!(size.min);
        }
        if size.max < usize::MAX {
            schema[max] = json!(size.max);
        }
        schema
    }
}

/// Adds the required keys: those that are always required, and those that are required with others.
fn demand(schema: &mut Value, definition: Definition) {
    let may_be_elsewhere =
        |field: &Field| definition.takes_overlays && matches!(field.ty, Type::Bundle(_) | Type::Bundles(_));
    let fields = || definition.shape.fields.iter().filter(|field| !may_be_elsewhere(field));
    let required: Vec<&str> =
        fields().filter(|field| field.required == Required::Yes).map(|field| field.key).collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    // Keys that are required under the same condition are put in one rule.
    let mut rules: Vec<(Value, Vec<&str>)> = Vec::new();
    for field in fields() {
        let mut conditions = Vec::new();
        if let Required::Unless(other) = field.required {
            conditions.push(json!({"not": has(other, json!(true))}));
        }
        match field.needed {
            Needed::Never => {}
            Needed::Beside(beside) => {
                let word = match beside.words {
                    [only] => json!({"const": only}),
                    several => json!({"enum": several}),
                };
                conditions.push(has(beside.key, word));
            }
            Needed::Without(others) => {
                let absent = others.iter().map(|other| json!({"not": has(other, json!(true))}));
                conditions.push(json!({"allOf": absent.collect::<Vec<_>>()}));
            }
        }
        for condition in conditions {
            match rules.iter_mut().find(|(known, _)| *known == condition) {
                Some((_, keys)) => keys.push(field.key),
                None => rules.push((condition, vec![field.key])),
            }
        }
    }
    if rules.is_empty() {
        return;
    }
    let rule = |(condition, keys): &(Value, Vec<&str>)| {
        let properties: Map<String, Value> =
            keys.iter().map(|key| ((*key).to_owned(), json!(true))).collect();
        json!({"if": condition, "then": {"required": keys, "properties": properties}})
    };
    schema["allOf"] = rules.iter().map(rule).collect();
}

/// Adds the keys that exclude one another.
fn exclude(schema: &mut Value, shape: &Shape, properties: &Map<String, Value>) {
    let mut dependencies = Map::new();
    for field in shape.fields.iter().filter(|field| properties.contains_key(field.key)) {
        // Only one side states it, because otherwise one mistake would be reported twice.
        let others = field
            .excludes
            .iter()
            .filter(|key| properties.contains_key(**key) && !dependencies.contains_key(**key));
        let excluded: Map<String, Value> = others.map(|key| ((*key).to_owned(), json!(false))).collect();
        if !excluded.is_empty() {
            dependencies.insert(field.key.to_owned(), json!({"properties": excluded}));
        }
    }
    if !dependencies.is_empty() {
        schema["dependencies"] = Value::Object(dependencies);
    }
}

fn reference_to(name: &str) -> Value {
    json!({"$ref": format!("#/definitions/{name}")})
}
