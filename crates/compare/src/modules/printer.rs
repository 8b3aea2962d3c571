//! Graphs as the code of modules, in varied styles.
//!
//! Input: a graph as JSON, random choices. Output: the text of a module that builds it. Invariant: the module builds exactly the
//! graph, whatever the style: constants, registries of keys, spreads, `map`, template texts, the short forms of builders.

use nodewise_dialect::tables::DIALECTS;
use serde_json::{Map, Value, json};

use crate::oracle::random::Random;

/// A module that builds a graph of a system.
pub(super) fn module(system: &str, graph: &Value, random: &mut Random) -> String {
    let mut printer =
        Printer { random, constants: Vec::new(), words: Map::new(), is_camel: false, has_node: false };
    let text = match system {
        "cycgraph" => printer.cycgraph(graph),
        _ if graph["name"] == METHODS_NAME => printer.methods(graph),
        _ => printer.literal(graph),
    };
    printer.finish(system, &text)
}

/// The name of every graph that is built with methods.
const METHODS_NAME: &str = "agent-graph";

/// A graph as methods would build it: with generated ids, and without schemas. `None` if methods cannot build it.
pub(super) fn as_methods(graph: &Value) -> Option<Value> {
    let id_of = |value: &Value| value["id"].as_str().filter(|id| !id.is_empty()).map(str::to_owned);
    let mut nodes = Vec::new();
    for node in graph["nodes"].as_array()? {
        let mut members = Map::from_iter([("id".to_owned(), Value::from(id_of(node)?))]);
        let others = node.as_object()?.iter().filter(|(key, _)| *key != "id");
        members.extend(others.map(|(key, value)| (key.clone(), value.clone())));
        nodes.push(Value::Object(members));
    }
    let mut edges = Vec::new();
    for (number, edge) in graph["edges"].as_array()?.iter().enumerate() {
        if edge["type"] != "static" || edge.as_object()?.len() != 4 {
            return None;
        }
        let (source, target) = (edge["source"].as_str()?, edge["target"].as_str()?);
        let id = format!("edge-{}", number + 1);
        edges.push(json!({"id": id, "source": source, "target": target, "type": "static"}));
    }
    let reducers = graph["reducers"].as_object()?;
    let (policy, consistency) = (graph["checkpointPolicy"].as_str()?, graph["memoryConsistency"].as_str()?);
    Some(json!({
        "id": "flow.ts#flow",
        "name": METHODS_NAME,
        "nodes": nodes,
        "edges": edges,
        "stateSchema": {"input": {}, "scratch": {}, "artifacts": {}},
        "reducers": reducers,
        "checkpointPolicy": policy,
        "memoryConsistency": consistency,
    }))
}

/// Whether the keys of the mapping at this key keep their spelling.
fn keeps_spelling(key: &str) -> bool {
    DIALECTS.iter().filter_map(|dialect| dialect.builders).any(|builders| builders.verbatim.contains(&key))
}

struct Printer<'r> {
    random: &'r mut Random,
    /// The declarations before the graph, in the order of the module.
    constants: Vec<String>,
    /// The texts in the registry, by their names in it.
    words: Map<String, Value>,
    /// Whether keys are written in camelCase.
    is_camel: bool,
    /// Whether the function `node` is called.
    has_node: bool,
}

impl Printer<'_> {
    fn finish(self, system: &str, text: &str) -> String {
        let import = match (system, self.has_node, text.contains("createGraph(")) {
            ("cycgraph", _, true) => "import { createGraph } from '@cycgraph/orchestrator';\n",
            ("cycgraph", true, _) => "import { graph, node } from '@cycgraph/orchestrator';\n",
            ("cycgraph", false, _) => "import { graph } from '@cycgraph/orchestrator';\n",
            _ if text.contains("new AgentGraph(") => {
                "import { AgentGraph } from '@framers/agentos/orchestration';\n"
            }
            _ => "import type { CompiledExecutionGraph } from '@framers/agentos/orchestration';\n",
        };
        let mut module = format!("// A generated module.\n{import}\n");
        if !self.words.is_empty() {
            let members =
                self.words.iter().map(|(name, text)| format!("  {name}: {},\n", quoted(text, '\'')));
            module.push_str(&format!("const KEYS = {{\n{}}} as const;\n", members.collect::<String>()));
        }
        for constant in &self.constants {
            module.push_str(constant);
        }
        module.push_str(text);
        module
    }

    fn cycgraph(&mut self, graph: &Value) -> String {
        match graph.as_object().filter(|members| has_short_form(members)) {
            Some(members) if self.random.chance(60) => self.short_graph(members),
            _ => {
                self.is_camel = self.random.chance(50);
                let value = self.value(graph, 1, true);
                format!("\nexport const flow = createGraph({value});\n")
            }
        }
    }

    /// A call of `graph` with the short forms of nodes and edges.
    fn short_graph(&mut self, graph: &Map<String, Value>) -> String {
        self.is_camel = true;
        let mut parts = Vec::new();
        for (key, value) in graph {
            let value = match key.as_str() {
                "nodes" => self.short_nodes(value),
                "edges" => self.short_edges(value),
                _ => self.value(value, 2, keeps_spelling(key)),
            };
            parts.push(format!("  {}: {value},\n", camel(key)));
        }
        format!("\nexport const flow = graph({{\n{}}});\n", parts.concat())
    }

    fn short_nodes(&mut self, nodes: &Value) -> String {
        let mut items = Vec::new();
        for node in nodes.as_array().into_iter().flatten() {
            let members = node.as_object().into_iter().flatten();
            let mut renamed = Map::new();
            for (key, value) in members {
                let short = match key.as_str() {
                    "read_keys" => "reads",
                    "write_keys" => "writes",
                    "agent_id" => "agent",
                    other => other,
                };
                renamed.insert(short.to_owned(), value.clone());
            }
            let value = self.value(&Value::Object(renamed), 1, false);
            self.has_node = true;
            if self.random.chance(70) {
                let name = format!("node{}", self.constants.len());
                self.constants.push(format!("const {name} = node({value});\n"));
                items.push(name);
            } else {
                items.push(format!("node({value})"));
            }
        }
        self.listed(items)
    }

    fn short_edges(&mut self, edges: &Value) -> String {
        let mut items = Vec::new();
        for edge in edges.as_array().into_iter().flatten() {
            let item = match short_edge(edge) {
                Some(short) => self.value(&short, 2, false),
                None => self.value(edge, 2, false),
            };
            items.push(item);
        }
        self.listed(items)
    }

    /// A graph that is built with methods, in one expression or in several statements.
    fn methods(&mut self, graph: &Value) -> String {
        let mut settings = Map::new();
        for key in ["reducers", "checkpointPolicy", "memoryConsistency"] {
            settings.insert(key.to_owned(), graph[key].clone());
        }
        let settings = self.value(&Value::Object(settings), 0, false);
        let mut calls = Vec::new();
        for node in graph["nodes"].as_array().into_iter().flatten() {
            let members = node.as_object().into_iter().flatten().filter(|(key, _)| *key != "id");
            let rest: Map<String, Value> = members.map(|(key, value)| (key.clone(), value.clone())).collect();
            let id = self.value(&node["id"], 0, false);
            calls.push(format!(".addNode({id}, {})", self.value(&Value::Object(rest), 0, false)));
        }
        for edge in graph["edges"].as_array().into_iter().flatten() {
            let source = self.value(&edge["source"], 0, false);
            let target = self.value(&edge["target"], 0, false);
            calls.push(format!(".addEdge({source}, {target})"));
        }
        let begin = format!("new AgentGraph({{ input: {{}}, scratch: {{}}, artifacts: {{}} }}, {settings})");
        if self.random.chance(50) {
            let calls: String = calls.iter().map(|call| format!("\n  {call}")).collect();
            return format!("\nexport const flow = {begin}{calls};\n");
        }
        let calls: String = calls.iter().map(|call| format!("flow{call};\n")).collect();
        format!("\nexport const flow = {begin};\n{calls}")
    }

    /// A graph as an object.
    fn literal(&mut self, graph: &Value) -> String {
        let value = self.value(graph, 0, true);
        match self.random.below(3) {
            0 => format!("\nexport const flow: CompiledExecutionGraph = {value};\n"),
            1 => format!("\nexport const flow = {value} satisfies CompiledExecutionGraph;\n"),
            _ => format!("\nexport default {value} satisfies CompiledExecutionGraph;\n"),
        }
    }

    /// Writes a value. The outermost one is always written in place.
    fn value(&mut self, value: &Value, depth: usize, is_fixed: bool) -> String {
        let text = match value {
            Value::Array(items) => {
                let items = items.iter().map(|item| self.value(item, depth + 1, false)).collect();
                self.listed(items)
            }
            Value::Object(members) => self.object(members, depth),
            Value::String(content) => return self.text(content),
            other => other.to_string(),
        };
        let is_part = !is_fixed && (value.is_array() || value.is_object());
        if is_part && self.random.chance(12) {
            let name = format!("part{}", self.constants.len());
            let is_constant = if self.random.chance(30) { " as const" } else { "" };
            self.constants.push(format!("const {name} = {text}{is_constant};\n"));
            return name;
        }
        text
    }

    fn object(&mut self, members: &Map<String, Value>, depth: usize) -> String {
        let indentation = "  ".repeat(depth + 1);
        let is_camel = self.is_camel;
        let mut lines = Vec::new();
        for (key, value) in members {
            self.is_camel = is_camel && !keeps_spelling(key);
            let value = self.value(value, depth + 1, false);
            self.is_camel = is_camel;
            let key = if is_camel { camel(key) } else { key.clone() };
            lines.push(format!("{}: {value}", self.key(&key)));
        }
        // Sometimes the last members are moved to a constant, which is spread.
        if lines.len() > 2 && self.random.chance(15) {
            let rest = lines.split_off(lines.len() - 2);
            let name = format!("rest{}", self.constants.len());
            self.constants.push(format!("const {name} = {{ {} }};\n", rest.join(", ")));
            lines.push(format!("...{name}"));
        }
        if lines.is_empty() {
            return "{}".to_owned();
        }
        let lines: Vec<String> = lines.iter().map(|line| format!("{indentation}{line},\n")).collect();
        format!("{{\n{}{}}}", lines.concat(), "  ".repeat(depth))
    }

    fn listed(&mut self, mut items: Vec<String>) -> String {
        match self.random.below(12) {
            0 if items.len() > 1 => {
                let rest = items.split_off(1);
                let name = format!("list{}", self.constants.len());
                self.constants.push(format!("const {name} = [{}];\n", rest.join(", ")));
                format!("[{}, ...{name}]", items.concat())
            }
            1 if !items.is_empty() => format!("[{}].map((item) => item)", items.join(", ")),
            2 if items.len() > 1 => {
                let rest = items.split_off(1);
                format!("[{}].concat([{}])", items.concat(), rest.join(", "))
            }
            _ => format!("[{}]", items.join(", ")),
        }
    }

    fn text(&mut self, content: &str) -> String {
        let value = Value::from(content);
        let is_word = !content.is_empty()
            && content.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            && !content.starts_with('_');
        match self.random.below(10) {
            0 if is_word => {
                self.words.insert(content.to_owned(), value);
                format!("KEYS.{content}")
            }
            1 => {
                let name = format!("word{}", self.constants.len());
                self.constants.push(format!("const {name} = {};\n", quoted(&value, '"')));
                name
            }
            2 => quoted(&value, '`'),
            3..=5 => quoted(&value, '"'),
            _ => quoted(&value, '\''),
        }
    }

    fn key(&mut self, key: &str) -> String {
        let is_name = key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && key.bytes().next().is_some_and(|first| !first.is_ascii_digit());
        if is_name && !self.random.chance(10) { key.to_owned() } else { quoted(&Value::from(key), '\'') }
    }
}

/// Whether `graph` can build it: the parts that it adds are present, and the parts that it drops are absent.
fn has_short_form(graph: &Map<String, Value>) -> bool {
    let texts = |key: &str| graph.get(key).is_some_and(Value::is_string);
    let ids = |value: &Value| {
        let nodes = value.as_array()?;
        let ids: Vec<&str> = nodes.iter().map(|node| node["id"].as_str()).collect::<Option<_>>()?;
        let is_typed = nodes.iter().all(|node| node["type"].is_string());
        let is_distinct = ids.iter().enumerate().all(|(at, id)| !ids[..at].contains(id) && !id.is_empty());
        (is_typed && is_distinct && !nodes.is_empty()).then_some(())
    };
    const KNOWN: [&str; 7] =
        ["name", "description", "nodes", "edges", "start_node", "end_nodes", "strict_taint"];
    texts("name")
        && texts("description")
        && texts("start_node")
        && graph.get("nodes").and_then(ids).is_some()
        && graph
            .get("edges")
            .is_some_and(|edges| edges.as_array().is_some_and(|edges| edges.iter().all(Value::is_object)))
        && graph.get("end_nodes").is_some_and(Value::is_array)
        && graph.keys().all(|key| KNOWN.contains(&key.as_str()))
        && graph["nodes"].as_array().into_iter().flatten().all(has_short_keys)
}

/// Whether a node can be written with short keys: a list of texts, and a text.
fn has_short_keys(node: &Value) -> bool {
    let is_list = |key: &str| {
        node.get(key).is_none_or(|keys| keys.as_array().is_some_and(|keys| keys.iter().all(Value::is_string)))
    };
    let is_text = |key: &str| node.get(key).is_none_or(Value::is_string);
    let is_free = ["reads", "writes", "agent"].iter().all(|key| node.get(*key).is_none());
    is_list("read_keys") && is_list("write_keys") && is_text("agent_id") && is_free
}

/// An edge with `from`, `to` and `when`; `None` if it has other properties.
fn short_edge(edge: &Value) -> Option<Value> {
    let members = edge.as_object()?;
    let mut short = Map::new();
    short.insert("from".to_owned(), Value::from(members.get("source")?.as_str()?));
    short.insert("to".to_owned(), Value::from(members.get("target")?.as_str()?));
    if let Some(condition) = members.get("condition") {
        let parts = condition.as_object()?;
        let is_expression = parts.len() == 2 && parts.get("type").is_some_and(|word| word == "conditional");
        let text = parts.get("condition")?.as_str().filter(|text| is_expression && !text.is_empty())?;
        short.insert("when".to_owned(), Value::from(text));
    }
    (members.len() == short.len()).then_some(Value::Object(short))
}

/// A key in camelCase, if the package reads it back as the same key.
fn camel(key: &str) -> String {
    let mut words = key.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        match word.chars().next() {
            Some(first) if first.is_ascii_lowercase() => {
                camel.push(first.to_ascii_uppercase());
                camel.push_str(&word[1..]);
            }
            _ => return key.to_owned(),
        }
    }
    let has_capitals = key.chars().any(|letter| letter.is_ascii_uppercase());
    if camel.is_empty() || has_capitals || camel.starts_with(|first: char| first.is_ascii_uppercase()) {
        return key.to_owned();
    }
    camel
}

/// A text in this kind of quotes.
fn quoted(text: &Value, quote: char) -> String {
    let mut written = String::from(quote);
    for letter in text.as_str().unwrap_or_default().chars() {
        match letter {
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '\\' => written.push_str("\\\\"),
            '$' if quote == '`' => written.push_str("\\$"),
            letter if letter == quote => {
                written.push('\\');
                written.push(letter);
            }
            letter if letter.is_control() => written.push_str(&format!("\\u{{{:x}}}", u32::from(letter))),
            letter => written.push(letter),
        }
    }
    written.push(quote);
    written
}
