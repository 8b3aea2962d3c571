//! Random documents from a dialect's table: every field of every shape, within its bounds and at their limits.
//!
//! Input is a kind of the table and random choices. Output is a document. Invariant: this code contains no keys, so a
//! new field in the table is used automatically.

use nodewise_dialect::table::{
    Dialect, Discriminator, Field, Kind, KindRole, Language, LengthBounds, NameUse, NumberBounds, Required,
    Shape, Symbol, Type, Variant, Word,
};
use nodewise_dialect::tables::agentos::{END, START};
use serde_json::{Map, Value, json};

use super::{filtrex, paths, routing, scalar, value};
use crate::oracle::random::Random;

const NODES: &[&str] = &["plan", "draft", "review", "fetch", "judge", "merge", "store", "notify"];
const AGENTS: &[&str] = &["writer", "critic", "7b0c5a52-0c0f-4a4e-9d55-0d6c8f1d2a10"];
const STATE: &[&str] = &[
    "notes",
    "draft",
    "score",
    "topic",
    "plan_output",
    "fetch_result",
    "draft_output",
    "goal",
    "notes.body",
    "*",
];
const STATE_WORDS: &[&str] = &["notes", "draft", "score", "topic", "goal"];
const OTHER_NAMES: &[&str] = &["search", "child", "save_to_memory", "gpt-4o", "pii", "openness"];
const TEXTS: &[&str] =
    &["Summarise the notes.", "x", "", "{input.topic}", "1", "Wait: really?", "# no comment"];
const PATTERNS: &[&str] = &["^ok", "[a-z]+", "(", ""];
/// The maximum depth of collections.
const DEEPEST: usize = 9;

/// A document of one of the dialect's kinds.
pub(super) fn document(dialect: &Dialect, random: &mut Random) -> Option<Value> {
    let graphs = |kind: &&Kind| matches!(kind.role, KindRole::Graph);
    let others = |kind: &&Kind| matches!(kind.role, KindRole::Bundle | KindRole::GraphNode | KindRole::Agent);
    let kinds: Vec<&Kind> = match random.below(8) {
        0 | 1 => dialect.kinds.iter().filter(others).collect(),
        _ => dialect.kinds.iter().filter(graphs).collect(),
    };
    if kinds.is_empty() {
        return None;
    }
    let kind = random.pick(&kinds);
    let count = 1 + random.below(5);
    let is_faulty = random.chance(20);
    let mut maker =
        Maker { nodes: &NODES[..count], declared: 0, is_faulty, words: Vec::new(), depth: 0, random };
    Some(maker.object(&kind.shape, None))
}

struct Maker<'r> {
    random: &'r mut Random,
    nodes: &'static [&'static str],
    /// The number of nodes that already have their name.
    declared: usize,
    /// Whether a value can be slightly out of bounds.
    is_faulty: bool,
    /// The words in the mappings around, which decide what other fields are required.
    words: Vec<&'static str>,
    depth: usize,
}

impl Maker<'_> {
    /// A mapping. `number` is its index in the list that contains it.
    fn object(&mut self, shape: &Shape, number: Option<usize>) -> Value {
        let mut members = Map::new();
        let outer_words = self.words.len();
        let mut place = number;
        self.depth += 1;
        for field in shape.fields {
            if !self.wants(field) {
                continue;
            }
            let value = match field.ty {
                Type::Symbol(symbol @ (Symbol::Node | Symbol::Endpoint), NameUse::Refers) => {
                    let (name, next) = self.node_in_order(symbol, place);
                    place = Some(next);
                    json!(name)
                }
                ref ty => self.value(ty),
            };
            members.insert(field.key.to_owned(), value);
        }
        self.depth -= 1;
        self.words.truncate(outer_words);
        Value::Object(members)
    }

    fn wants(&mut self, field: &Field) -> bool {
        let percent = match field.required {
            _ if self.words.iter().any(|word| field.key.starts_with(word)) => 92,
            Required::Yes => 100,
            Required::Unless(_) => 50,
            Required::No if self.depth > DEEPEST => 0,
            Required::No if self.depth == 1 => 45,
            Required::No => 22,
        };
        self.random.chance(percent)
    }

    /// Most edges lead from one node to the next, so that most graphs are connected.
    fn node_in_order(&mut self, symbol: Symbol, place: Option<usize>) -> (&'static str, usize) {
        let names: Vec<&'static str> = match symbol {
            Symbol::Endpoint => [START].iter().chain(self.nodes).chain([&END]).copied().collect(),
            _ => self.nodes.to_vec(),
        };
        let usual = place.unwrap_or(0) % names.len();
        let usually = if self.is_faulty { 75 } else { 96 };
        let at = if self.random.chance(usually) { usual } else { self.random.below(names.len()) };
        (names[at], at + 1)
    }

    fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Any | Type::Lenient(_) => value(self.random, STATE_WORDS, 2),
            Type::Bool | Type::Boolean => json!(self.random.chance(50)),
            Type::Number(bounds) => self.number(*bounds),
            Type::Sized(inner, size) => self.sized(inner, *size),
            Type::Slug(_) => json!(self.random.pick(&["search", "web-tools", "crm_1", "A1"])),
            Type::Symbol(symbol, role) => json!(self.symbol(*symbol, *role)),
            Type::Expression(language) => json!(self.expression(*language)),
            Type::Pattern => json!(self.random.pick(PATTERNS)),
            Type::JsonSchema => self.json_schema(),
            Type::MapOf(types) => self.map(&types.0, &types.1),
            Type::Variant(variant) => self.variant(variant),
            Type::OneOf(forms) => {
                let form = &forms[self.random.below(forms.len())];
                match form.when {
                    Discriminator::Boolean => json!(self.random.chance(50)),
                    Discriminator::Text
                    | Discriminator::Mapping
                    | Discriminator::HasKey(_)
                    | Discriminator::Otherwise => self.value(&form.ty),
                }
            }
            Type::Word(words) => json!(self.word(words)),
            Type::List(item) => self.list(item, 0),
            Type::OneOrMany(item) => self.value(item),
            Type::TextOr(text, _) if self.random.chance(50) => self.value(text),
            Type::TextOr(_, shape) | Type::Object(shape) | Type::Open(shape) => self.object(shape, None),
            _ => json!(self.random.pick(TEXTS)),
        }
    }

    fn number(&mut self, bounds: NumberBounds) -> Value {
        let least = if bounds.above_min { bounds.min + 1.0 } else { bounds.min.max(-1000.0) };
        let most = bounds.max.min(least + 1e9);
        let small = least + self.random.below(5) as f64;
        let middle = ((least + most) / 2.0).floor();
        let mut choices = vec![least, most, small, small, middle];
        if !bounds.integer {
            choices.extend([least + 0.25, least + 0.5]);
        }
        if self.is_faulty {
            choices.extend([least - 1.0, most + 1.0, least + 0.5, bounds.min]);
        }
        let number = self.random.pick(&choices);
        if number.fract() == 0.0 { json!(number as i64) } else { json!(number) }
    }

    /// A text, list or mapping of the minimum length, sometimes of the maximum length.
    fn sized(&mut self, ty: &Type, size: LengthBounds) -> Value {
        let least = if self.is_faulty && self.random.chance(10) { 0 } else { size.min };
        match ty {
            Type::List(item) => self.list(item, least),
            Type::Text if self.is_faulty && size.max < 2_000 && self.random.chance(20) => {
                json!("x".repeat(size.max + self.random.below(2)))
            }
            other => match self.value(other) {
                Value::String(text) if text.len() < least => json!("x".repeat(least)),
                value => value,
            },
        }
    }

    fn list(&mut self, item: &Type, least: usize) -> Value {
        let length = match item {
            Type::Object(shape) if declares_nodes(shape) => self.nodes.len(),
            Type::Object(shape) if links_nodes(shape) => self.nodes.len() + self.random.below(3),
            _ if self.depth > DEEPEST => 0,
            _ => self.random.below(4),
        };
        let item = |number: usize, maker: &mut Self| match item {
            Type::Object(shape) => maker.object(shape, Some(number)),
            other => maker.value(other),
        };
        (0..length.max(least)).map(|number| item(number, self)).collect()
    }

    fn map(&mut self, key: &Type, member: &Type) -> Value {
        let mut members = Map::new();
        for _ in 0..self.random.below(3) {
            let key = self.value(key).as_str().unwrap_or("key").to_owned();
            members.insert(key, self.value(member));
        }
        Value::Object(members)
    }

    /// The case that a word in the mappings around selects, or any case.
    fn variant(&mut self, variant: &Variant) -> Value {
        let wanted = self.words.iter().rev().find_map(|word| variant.case(word));
        let case = match wanted {
            Some(case) if self.random.chance(95) => case,
            _ => &variant.cases[self.random.below(variant.cases.len())],
        };
        self.words.push(case.word.text);
        let mut members = self.object(&case.shape, None);
        members[variant.key] = json!(case.word.text);
        self.words.pop();
        members
    }

    fn word(&mut self, words: &'static [Word]) -> &'static str {
        let word = words[self.random.below(words.len())].text;
        self.words.push(word);
        word
    }

    fn symbol(&mut self, symbol: Symbol, role: NameUse) -> String {
        let pool = match symbol {
            Symbol::Node if role == NameUse::Declares => {
                self.declared += 1;
                return self.nodes[(self.declared - 1) % self.nodes.len()].to_owned();
            }
            Symbol::Node | Symbol::Endpoint => self.nodes,
            Symbol::Edge => return format!("e{}", self.random.below(40)),
            Symbol::Agent => AGENTS,
            Symbol::State | Symbol::ForeignState | Symbol::Artifact => STATE,
            _ => OTHER_NAMES,
        };
        self.random.pick(pool).to_owned()
    }

    fn expression(&mut self, language: Language) -> String {
        match language.grammar() {
            Some("filtrex") => filtrex::expression(self.random),
            Some("agentos_routing") => routing::expression(self.random),
            None if language.is_path() => paths::expression(self.random),
            _ => "true".to_owned(),
        }
    }

    fn json_schema(&mut self) -> Value {
        let choices = [json!({}), json!({"type": "string"}), json!({"type": "object", "properties": {}})];
        if self.is_faulty && self.random.chance(20) {
            return scalar(self.random);
        }
        choices[self.random.below(choices.len())].clone()
    }
}

fn declares_nodes(shape: &Shape) -> bool {
    shape.fields.iter().any(|field| matches!(field.ty, Type::Symbol(Symbol::Node, NameUse::Declares)))
}

fn links_nodes(shape: &Shape) -> bool {
    let is_link =
        |field: &&Field| matches!(field.ty, Type::Symbol(Symbol::Node | Symbol::Endpoint, NameUse::Refers));
    shape.fields.iter().filter(is_link).count() >= 2
}
