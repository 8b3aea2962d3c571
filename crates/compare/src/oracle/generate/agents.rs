//! Random Liman agents with scripts: models and tools that call and lead to each other, and their answers.
//!
//! Input is random choices. Output is a question about one released line, with edges in the form that it reads.
//! Invariant: nothing sleeps, so no run depends on a clock.

use serde_json::{Map, Value, json};

use super::limance;
use crate::oracle::random::Random;

const MODELS: &[&str] = &["desk", "auditor", "thanks", "planner"];
const TOOLS: &[&str] = &["find", "note", "pay", "route", "rule"];
const FUNCTIONS: &[&str] = &["always", "never", "broken"];
const VARIABLES: &[&str] = &["tok", "user.id", "uid: user.id", "a.b: user.org.n", "user", "nope"];
const TEXTS: &[&str] =
    &["ok", "", "It's done.", "say \"hi\"", "zwei\nZeilen", "größer", "C:\\temp", "'both' \"x\""];

/// Generates an agent.
struct Writer<'r> {
    is_release: bool,
    models: usize,
    tools: usize,
    has_function: bool,
    random: &'r mut Random,
}

pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let is_release = random.chance(50);
    let mut writer = Writer {
        is_release,
        models: 1 + random.below(MODELS.len()),
        tools: random.below(TOOLS.len() + 1),
        has_function: random.chance(30),
        random,
    };
    let documents = writer.documents();
    let functions =
        json!({"always": {"returns": 1}, "never": {"returns": ""}, "broken": {"raises": "no rule"}});
    let script = writer.script();
    let line = if is_release { "release" } else { "classic" };
    json!({"ask": "run", "line": line, "value": {"documents": documents, "functions": functions, "script": script}})
}

impl Writer<'_> {
    fn documents(&mut self) -> Value {
        let mut documents: Vec<Value> = MODELS[..self.models].iter().map(|name| self.model(name)).collect();
        documents.extend(TOOLS[..self.tools].iter().map(|name| self.tool(name)));
        if self.has_function {
            documents.push(json!({"kind": "FunctionNode", "name": "step"}));
        }
        if self.random.chance(5) {
            documents.push(json!({"kind": "Node", "name": "step", "func": "fake.step"}));
        }
        documents.into()
    }

    fn model(&mut self, name: &str) -> Value {
        let prompts = match self.random.below(30) {
            0 => json!({"ru": {"system": "Вы."}}),
            1 => json!({"system": {"ru": "Вы."}}),
            2 => json!({"notes": "No system."}),
            3 => json!("A bare text."),
            4 => json!({"en": {"system": "You."}, "ru": {"system": "Вы."}}),
            5 => json!({"system": ""}),
            _ => json!({"system": {"en": format!("You are {name}.")}}),
        };
        let mut tools: Vec<&str> =
            TOOLS[..self.tools].iter().copied().filter(|_| self.random.chance(70)).collect();
        if self.random.chance(3) {
            tools.push("nowhere");
        }
        let mut document = json!({"kind": "LLMNode", "name": name, "prompts": prompts});
        if !tools.is_empty() || self.random.chance(50) {
            document["tools"] = json!(tools);
        }
        if self.random.chance(6) {
            document["auth"] = self.auth();
        }
        document
    }

    fn tool(&mut self, name: &str) -> Value {
        let mut document = json!({"kind": "ToolNode", "name": name, "func": format!("fake.{name}")});
        match self.random.below(20) {
            0 => {}
            1 => document["description"] = json!({"ru": "Только."}),
            2 => document["description"] = json!({"a": "One", "b": {"c": "Two"}}),
            3 => document["description"] = json!(" padded "),
            4 => document["description"] = json!(""),
            5 => document["description"] = json!({"en": "English", "ru": "Русский"}),
            _ => document["description"] = json!(format!("Do {name}")),
        }
        if self.random.chance(15) {
            document["triggers"] = json!(["now", {"en": "then", "ru": "потом"}]);
        }
        let arguments: Vec<Value> =
            (0..self.random.below(3)).map(|at| self.argument(["key", "text"][at])).collect();
        if !arguments.is_empty() {
            document["arguments"] = arguments.into();
        }
        let edges: Vec<Value> = (0..[0, 0, 0, 1, 1, 2][self.random.below(6)]).map(|_| self.edge()).collect();
        if !edges.is_empty() {
            let in_to = self.is_release && self.random.chance(50);
            document[if in_to { "to" } else { "llm_nodes" }] = edges.into();
        }
        if self.random.chance(6) {
            document["auth"] = self.auth();
        }
        document
    }

    fn argument(&mut self, name: &str) -> Value {
        let types = ["string", "number", "boolean", "str", "int", "object", "string", "string", "text"];
        let kind = if self.random.chance(97) { types[self.random.below(8)] } else { types[8] };
        let mut argument = json!({"name": name, "type": kind});
        if self.random.chance(50) {
            argument["optional"] = json!(true);
        }
        argument
    }

    fn edge(&mut self) -> Value {
        let target = match self.random.below(20) {
            0 => "nowhere".to_owned(),
            _ => self.random.pick(&MODELS[..self.models]).to_owned(),
        };
        let mut edge = if self.is_release {
            let is_function = self.has_function && self.random.chance(30);
            let target =
                if is_function { "FunctionNode/step".to_owned() } else { format!("LLMNode/{target}") };
            json!({"ref": target})
        } else {
            json!({"target": target})
        };
        match self.random.below(10) {
            0..=3 => {}
            4 | 5 => edge["when"] = json!(format!("rules.{}", self.random.pick(FUNCTIONS))),
            6 => {
                edge["when"] =
                    json!(self.random.pick(&["amount > 10", "paid", "!paid", "nowhere.rule", "", " "]))
            }
            _ => edge["when"] = json!(limance::expression(self.random)),
        }
        if !self.is_release && self.random.chance(20) {
            edge["id"] = json!("one");
            edge["depends"] = json!(["other"]);
        }
        edge
    }

    fn auth(&mut self) -> Value {
        let count = 1 + self.random.below(2);
        let inject: Value = (0..count).map(|_| self.random.pick(VARIABLES)).collect();
        let strict = self.random.chance(50);
        json!({"service_account": {"context": {"inject": inject, "strict": strict}}})
    }

    fn script(&mut self) -> Value {
        let start = match self.random.below(40) {
            0 => "desk".to_owned(),
            1 => "LLMNode/nowhere".to_owned(),
            2 => "FunctionNode/step".to_owned(),
            3 => format!("ToolNode/{}", TOOLS[0]),
            4 => "Tool/find".to_owned(),
            5 => "Node/step".to_owned(),
            _ => format!("LLMNode/{}", self.random.pick(&MODELS[..self.models])),
        };
        let mut script = json!({"start": start, "llm": self.replies(), "tools": self.tool_answers()});
        let turns: Value = (0..1 + self.random.below(3)).map(|at| self.turn(at)).collect();
        script["turns"] = turns;
        if self.random.chance(25) {
            script["max_iterations"] = json!(self.random.below(5));
        }
        if self.has_function && self.random.chance(85) {
            script["functions"] = json!({"step": {"returns": self.result()}});
        }
        script
    }

    fn turn(&mut self, at: usize) -> Value {
        let input = format!("turn {at}");
        match self.random.chance(40) {
            true => json!({"input": input, "context": {"tok": "t", "user": {"id": 7, "org": {"n": "o"}}}}),
            false => json!(input),
        }
    }

    fn replies(&mut self) -> Value {
        let list = |writer: &mut Self, most: usize| -> Value {
            (0..1 + writer.random.below(most)).map(|at| writer.reply(at)).collect()
        };
        if self.random.chance(50) {
            return list(self, 7);
        }
        let names = &MODELS[..self.models];
        let replies: Map<String, Value> =
            names.iter().map(|name| (format!("LLMNode/{name}"), list(self, 4))).collect();
        Value::Object(replies)
    }

    fn reply(&mut self, at: usize) -> Value {
        if self.random.chance(40) || self.tools == 0 {
            return json!(format!("reply {at}"));
        }
        if self.random.chance(6) {
            return json!({"raise": "the model is down"});
        }
        let calls = [1, 1, 1, 1, 2, 2, 3][self.random.below(7)];
        let calls: Vec<Value> = (0..calls).map(|call| self.call(&format!("c{at}{call}"))).collect();
        let mut reply = json!({"tool_calls": calls});
        if self.random.chance(20) {
            reply["content"] = json!("Let me see.");
        }
        reply
    }

    fn call(&mut self, id: &str) -> Value {
        let name = if self.random.chance(4) { "fnd" } else { self.random.pick(&TOOLS[..self.tools]) };
        let mut arguments = Map::new();
        for key in ["key", "text", "other"] {
            if self.random.chance(if key == "other" { 10 } else { 75 }) {
                arguments.insert(key.to_owned(), self.result());
            }
        }
        let mut call = json!({"name": name, "args": arguments});
        if self.random.chance(98) {
            call["id"] = json!(id);
        }
        call
    }

    fn tool_answers(&mut self) -> Value {
        let mut answers = Map::new();
        for name in &TOOLS[..self.tools] {
            let mut answer = match self.random.below(12) {
                0 => continue,
                1 => json!({"raises": "db down"}),
                2 => json!({"seq": [self.result(), self.result()], "returns": self.result()}),
                _ => json!({"returns": self.result()}),
            };
            if self.random.chance(40) {
                let mut context = limance::context(self.random, "n s t f l m a b");
                context.insert("amount".to_owned(), json!(self.random.below(30)));
                context.insert("paid".to_owned(), json!(self.random.chance(50)));
                answer["context"] = Value::Object(context);
            }
            answers.insert((*name).to_owned(), answer);
        }
        Value::Object(answers)
    }

    /// A result of a tool. Numbers are integers, or have a fraction, because Python distinguishes floats without a
    /// fraction from integers.
    fn result(&mut self) -> Value {
        match self.random.below(12) {
            0 => Value::Null,
            1 => json!(self.random.chance(50)),
            2 => json!(self.random.below(2000)),
            3 => json!([0.5, -2.25, 1e-7, 1e21][self.random.below(4)]),
            4 => json!(["a", 1, null, true]),
            5 => json!({"k": "it's", "l": [self.random.pick(TEXTS)]}),
            6 => json!([]),
            _ => json!(self.random.pick(TEXTS)),
        }
    }
}
