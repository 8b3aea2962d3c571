//! Random Liman declarations from the dialect's table: every kind and field, with one of two forms of edges.
//!
//! Input is random choices. Output is the documents of a file, and the packages to ask. Invariant: this code contains
//! no keys, so a new field in the table is used automatically.

use nodewise_dialect::table::{Field, FieldOrigin, Kind, KindRole, Required, Shape, Type, Word};
use nodewise_dialect::tables::liman::LIMAN;
use nodewise_model::NameScope;
use serde_json::{Map, Value, json};

use super::bundles::bundle;
use super::mutate::mutated;
use super::{limance, value};
use crate::oracle::random::Random;

const NAMES: &[&str] = &["desk", "search", "notify", "pay", "audit", "plan"];
const PATHS: &[&str] = &["lib.tools.search", "main.run", "a.b", "app.nodes.plan"];
const VARIABLES: &[&str] = &["user.id", "token", "session.account.name"];
const FREE_KEYS: &[&str] = &["city", "days", "score", "answer"];
/// The kind that only the latest release has.
const YOUNG_KIND: &str = "Node";
/// The maximum depth of recursive shapes.
const DEEPEST: usize = 6;

/// The packages to ask, by the form of edges that they read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// The specification's form.
    Classic,
    /// The form of the latest release.
    Release,
}

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let line = random.pick(&[Line::Classic, Line::Release]);
    let count = if random.chance(12) { 2 + random.below(2) } else { 1 };
    let documents: Value =
        (0..count).map(|_| Writer { line, depth: 0, random: &mut *random }.document()).collect();
    let changes = [0, 0, 1, 1, 1, 1, 2, 2, 3, 5][random.below(10)];
    let form = if random.chance(15) { "yaml" } else { "json" };
    let line = match line {
        Line::Classic => "classic",
        Line::Release => "release",
    };
    json!({"ask": "documents", "line": line, "form": form, "value": mutated(documents, random, changes)})
}

struct Writer<'r> {
    line: Line,
    depth: usize,
    random: &'r mut Random,
}

impl Writer<'_> {
    fn document(&mut self) -> Value {
        let mut kind = &LIMAN.kinds[self.random.below(LIMAN.kinds.len())];
        // The packages of that line skip the kind.
        while self.line == Line::Classic && kind.name == YOUNG_KIND && self.random.chance(95) {
            kind = &LIMAN.kinds[self.random.below(LIMAN.kinds.len())];
        }
        let mut document = self.object(&kind.shape, kind);
        if kind.role == KindRole::Overlay {
            let patched = &LIMAN.kinds[self.random.below(LIMAN.kinds.len() - 1)];
            for field in patched.shape.fields {
                if !document.contains_key(field.key) && self.random.chance(20) {
                    document.insert(field.key.to_owned(), self.value(&field.ty, kind));
                }
            }
        }
        Value::Object(document)
    }

    fn object(&mut self, shape: &Shape, kind: &Kind) -> Map<String, Value> {
        self.depth += 1;
        let mut members = Map::new();
        for field in shape.fields {
            if self.wants(shape, field) {
                let is_empty = field.nullable && self.random.chance(8);
                let value = if is_empty { Value::Null } else { self.value(&field.ty, kind) };
                members.insert(field.key.to_owned(), value);
            }
        }
        self.depth -= 1;
        members
    }

    /// If a field has two forms, one is rare and the other usual.
    fn wants(&mut self, shape: &Shape, field: &Field) -> bool {
        let is_superseded = shape.fields.iter().any(|other| other.superseded_by == Some(field.key));
        let percent = match (self.line, field.required, field.origin) {
            (_, Required::Yes, _) => 98,
            (Line::Classic, _, FieldOrigin::Release(_)) => 2,
            (Line::Classic, Required::Unless(_), _) => 97,
            (Line::Release, _, _) if is_superseded => 2,
            (Line::Release, _, FieldOrigin::Release(_)) if field.superseded_by.is_some() => 97,
            (Line::Release, Required::Unless(_), _) => 60,
            _ if self.depth > DEEPEST => 0,
            _ => 25,
        };
        self.random.chance(percent)
    }

    fn value(&mut self, ty: &Type, kind: &Kind) -> Value {
        match ty {
            Type::Kind => json!(kind.name),
            Type::Bool | Type::Boolean if self.random.chance(6) => {
                json!(self.random.pick(&["yes", "true", "off", "1"]))
            }
            Type::Bool | Type::Boolean => json!(self.random.chance(50)),
            Type::Word(words) => json!(self.word(words)),
            Type::FunctionPath(_) => json!(self.random.pick(PATHS)),
            Type::Condition(_) => self.condition(),
            Type::EdgeId if self.random.chance(10) => json!(self.random.below(3)),
            Type::EdgeId => json!(self.random.pick(&["e1", "e2", "e3"])),
            Type::Qualified(scope, separator) => self.qualified(scope, *separator),
            Type::Bundle(_) => bundle(self.random, 2),
            Type::Bundles(_) if self.random.chance(15) => bundle(self.random, 2),
            Type::Bundles(_) => (0..self.random.below(3)).map(|_| bundle(self.random, 1)).collect(),
            Type::ArgumentType(words) if self.random.chance(15) => {
                json!([self.word(words), self.word(words)])
            }
            Type::ArgumentType(words) => json!(self.word(words)),
            Type::Injection => self.injection(),
            Type::OutputFields(words, _) => self.output_fields(words),
            Type::List(item) => (0..self.random.below(3)).map(|_| self.value(item, kind)).collect(),
            Type::OneOrMany(item) if self.random.chance(20) => json!([self.value(item, kind)]),
            Type::OneOrMany(item) => self.value(item, kind),
            // Only one release loads an account by name.
            Type::TextOr(text, _) if self.random.chance(20) => self.value(text, kind),
            Type::TextOr(_, shape) | Type::Object(shape) | Type::Open(shape) => {
                Value::Object(self.object(shape, kind))
            }
            Type::Any => value(self.random, FREE_KEYS, 2),
            _ => json!(self.random.pick(NAMES)),
        }
    }

    fn word(&mut self, words: &[Word]) -> &'static str {
        words[self.random.below(words.len())].text
    }

    fn condition(&mut self) -> Value {
        match self.random.below(10) {
            0 => Value::Null,
            1 => json!(self.random.chance(50)),
            2 => json!(""),
            3 => limance::question(self.random)["expression"].take(),
            _ => json!(self.random.pick(&["ready", "a and b", "x == 1", "true", "lib.is_ready"])),
        }
    }

    fn qualified(&mut self, scope: &NameScope, separator: char) -> Value {
        let (kind, name) = (self.random.pick(scope.kinds), self.random.pick(NAMES));
        match self.random.below(20) {
            0 => json!(name),
            1 => json!(format!("{name}{separator}{kind}")),
            2 => json!(format!("{kind}{separator}{name}{separator}x")),
            3 => json!(format!("ToolNode{separator}{name}")),
            _ => json!(format!("{kind}{separator}{name}")),
        }
    }

    fn injection(&mut self) -> Value {
        let variable = self.random.pick(VARIABLES);
        match self.random.below(10) {
            0 => json!({"target": variable}),
            1 => json!(""),
            2 => json!(format!("target: {variable}")),
            _ => json!(variable),
        }
    }

    fn output_fields(&mut self, words: &[Word]) -> Value {
        let fields = (0..1 + self.random.below(3)).map(|_| {
            let key = self.random.pick(FREE_KEYS);
            let optional = if self.random.chance(15) { "?" } else { "" };
            let ty = match self.random.below(5) {
                0 => json!([self.word(words)]),
                1 => json!({"low": self.word(words), "high": self.word(words)}),
                _ => json!(self.word(words)),
            };
            (format!("{key}{optional}"), ty)
        });
        Value::Object(fields.collect())
    }
}
