//! Jobs for AgentOS' runtime: graphs with every type of node and edge, and the answers of tools, models and people.
//!
//! Input is random choices. Output is a job as the oracle reads it. Invariant: in some jobs, all times are different.
//! In the others, many things happen at the same time, and their order depends on the runtime's promises.

mod nodes;

use serde_json::{Map, Value, json};

use super::scalar;
use crate::oracle::random::Random;

const MAIN: &str = "main";
const INNER: &[&str] = &["inner-a", "inner-b"];
const START: &str = "__START__";
const END: &str = "__END__";
const SCRATCH: &[&str] = &["total", "log", "best", "plain", "flag", "deep"];
const REDUCERS: &[&str] = &["concat", "merge", "max", "min", "avg", "sum", "last", "first", "longest", "odd"];
const SEARCHES: &[&str] = &["papers", "tools", "nothing", "broken"];

/// A question about a run.
pub(in crate::oracle) fn question(random: &mut Random) -> Value {
    let has_ties = random.chance(50);
    let mut job = Job { random, waits: 0, has_ties };
    json!({"ask": "run", "job": job.whole()})
}

/// A job that is being generated.
struct Job<'r> {
    random: &'r mut Random,
    /// The number of unique waits.
    waits: u64,
    /// Whether things can happen at the same time.
    has_ties: bool,
}

impl Job<'_> {
    fn whole(&mut self) -> Value {
        let (graph, script) = self.graph(MAIN, 8);
        let mut job = json!({"graph": graph, "script": script, "input": self.input()});
        let (mut graphs, mut scripts) = (Map::new(), Map::new());
        for name in INNER {
            let (graph, script) = self.graph(name, 3);
            graphs.insert((*name).to_owned(), graph);
            scripts.insert((*name).to_owned(), script);
        }
        job["subgraphs"] = Value::Object(graphs);
        job["subgraphScript"] = Value::Object(scripts);
        if self.random.chance(60) {
            job["guardrails"] = json!(true);
        }
        if self.random.chance(60) {
            job["discovery"] = json!({
                "papers": [{"id": "n1", "name": "paper"}, {"id": "other"}],
                "tools": [{"score": 1}],
                "nothing": [],
                "broken": {"throw": "no index"},
            });
        }
        if self.random.chance(40) {
            job["personaTraits"] = json!({"openness": scalar(self.random), "candor": 0.5});
        }
        if self.random.chance(15) {
            let service = self.random.pick(&["gmi", "extension", "subgraph", "tools", "guardrails", "voice"]);
            job["wire"] = json!({service: false});
        }
        if self.random.chance(40) {
            job["store"] = json!("snapshot");
        }
        if self.random.chance(50) {
            job["then"] = self.later();
        }
        job
    }

    fn input(&mut self) -> Value {
        json!({"count": self.random.below(7), "mode": self.random.pick(&["fast", "slow", "true"]), "given": scalar(self.random)})
    }

    /// A graph with up to this number of nodes, and the script of its nodes.
    fn graph(&mut self, id: &str, most: usize) -> (Value, Value) {
        let count = 1 + self.random.below(most);
        let is_inner = id != MAIN;
        let mut script = Map::new();
        let nodes: Vec<Value> = (0..count)
            .map(|number| {
                let (node, steps) = nodes::node(self, number, count, is_inner);
                if let Some(steps) = steps {
                    script.insert(name(number), steps);
                }
                node
            })
            .collect();
        let edges = self.edges(count);
        let mut reducers = Map::new();
        for key in SCRATCH {
            if self.random.chance(25) {
                reducers.insert(format!("scratch.{key}"), json!(self.random.pick(REDUCERS)));
            }
        }
        if self.random.chance(10) {
            reducers.insert("artifacts.n0".to_owned(), json!("first"));
        }
        let graph = json!({
            "id": id,
            "name": id,
            "nodes": nodes,
            "edges": edges,
            "stateSchema": {"input": {}, "scratch": {}, "artifacts": {}},
            "reducers": reducers,
            "checkpointPolicy": self.random.pick(&["none", "explicit", "every_node"]),
            "memoryConsistency": "snapshot",
        });
        (graph, Value::Object(script))
    }

    /// Edges that lead forward, and sometimes back or to an unknown node.
    fn edges(&mut self, count: usize) -> Vec<Value> {
        let mut edges = Vec::new();
        for number in 0..count {
            let source = if number == 0 || self.random.chance(15) {
                START.to_owned()
            } else {
                name(self.random.below(number))
            };
            if !self.random.chance(6) {
                edges.push(self.edge(&source, &name(number), count));
            }
            while self.random.chance(35) && number > 0 {
                let source = name(self.random.below(number));
                edges.push(self.edge(&source, &name(number), count));
            }
        }
        for number in 0..count {
            if self.random.chance(40) {
                edges.push(self.edge(&name(number), END, count));
            }
        }
        if self.random.chance(5) {
            let (source, target) = (name(self.random.below(count)), name(self.random.below(count)));
            edges.push(self.edge(&source, &target, count));
        }
        if self.random.chance(4) {
            let source = name(self.random.below(count));
            let target = self.random.pick(&["nowhere", "__CONDITIONAL__", "__DISCOVERY__"]);
            edges.push(self.edge(&source, target, count));
        }
        for (number, edge) in edges.iter_mut().enumerate() {
            edge["id"] = json!(format!("e{number}"));
        }
        edges
    }

    fn edge(&mut self, source: &str, target: &str, count: usize) -> Value {
        let mut edge = json!({"source": source, "target": target, "type": "static"});
        match self.random.below(12) {
            0..=2 => {
                edge["type"] = json!("conditional");
                if !self.random.chance(3) {
                    edge["condition"] = json!({"type": "expression", "expr": self.expression(count)});
                }
            }
            3 => {
                edge["type"] = json!("discovery");
                edge["discoveryQuery"] = json!(self.random.pick(SEARCHES));
                if self.random.chance(50) {
                    edge["discoveryFallback"] = json!(self.name_or_end(count));
                }
            }
            4 => {
                edge["type"] = json!("personality");
                edge["personalityCondition"] = json!({
                    "trait": self.random.pick(&["openness", "candor", "calm"]),
                    "threshold": self.random.pick(&[0.0, 0.4, 0.5, 0.9]),
                    "above": target,
                    "below": self.name_or_end(count),
                });
            }
            _ => {}
        }
        edge
    }

    /// The expression of a condition or a router.
    fn expression(&mut self, count: usize) -> String {
        let node = name(self.random.below(count));
        let key = self.random.pick(SCRATCH);
        let test = match self.random.below(10) {
            0 => "true".to_owned(),
            1 => "false".to_owned(),
            2 => format!("scratch.{key}"),
            3 => format!("scratch.{key} > {}", self.random.below(9)),
            4 => format!("artifacts.{node} == 'ok'"),
            5 => format!("artifacts.{node}.approved"),
            6 => format!("input.count >= {}", self.random.below(7)),
            7 => "input.mode == 'fast' && scratch.flag".to_owned(),
            8 => format!("diagnostics.checkpointsSaved > {}", self.random.below(4)),
            _ => "input.mode".to_owned(),
        };
        if self.random.chance(30) {
            let (one, other) = (self.name_or_end(count), self.name_or_end(count));
            return format!("{test} ? '{one}' : '{other}'");
        }
        test
    }

    fn name_or_end(&mut self, count: usize) -> String {
        if self.random.chance(10) { END.to_owned() } else { name(self.random.below(count)) }
    }

    /// A wait. If nothing may happen at the same time, each wait is unique. Sums of waits are rarely equal to another
    /// one.
    fn wait(&mut self) -> u64 {
        if self.has_ties {
            return self.random.pick(&[0, 0, 0, 1, 5, 10, 10, 50]);
        }
        self.waits += 1;
        self.waits * 101 + self.random.below(83) as u64
    }

    /// Runs that continue from checkpoints.
    fn later(&mut self) -> Value {
        let phases = 1 + self.random.below(2);
        (0..phases)
            .map(|_| {
                let checkpoint = format!("cp{}", 1 + self.random.below(5));
                let mut phase = match self.random.below(8) {
                    0..=2 => json!({"resume": "run"}),
                    3 | 4 => json!({"resume": checkpoint}),
                    5 => json!({"resume": format!("node:{}", name(self.random.below(4)))}),
                    _ => json!({"resume": "run", "script": {}}),
                };
                if self.random.chance(30) {
                    let mut script = Map::new();
                    for number in 0..3 {
                        script.insert(name(number), json!({"output": "again"}));
                    }
                    phase["script"] = Value::Object(script);
                }
                phase
            })
            .collect()
    }
}

fn name(number: usize) -> String {
    format!("n{number}")
}
