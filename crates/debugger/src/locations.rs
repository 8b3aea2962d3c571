//! What breakpoints can be set on, and where it is in the files.
//!
//! Input: a snapshot and the graphs that a run can visit; output: the nodes, edges, graphs and agents of a line, or of a
//! name. Invariant: a breakpoint is moved only to a place in the same file, and the place is reported.

use std::collections::BTreeMap;

use nodewise_analysis::workspace::Snapshot;
use nodewise_engine::ask::Question;
use nodewise_model::{Body, Origin, SourceId};
use nodewise_simulation::chart::{Chart, Charts};
use nodewise_syntax::selection::enclosing_ranges;
use nodewise_syntax::{LineIndex, TextRange, TextSize, parse};
use smol_str::{SmolStr, format_smolstr};

/// What a breakpoint is set on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// A node of a graph. Stops at the beginning of each visit.
    Node {
        /// The id of the graph in the log.
        graph: SmolStr,
        node: SmolStr,
    },
    /// An edge. Stops each time it is evaluated.
    Edge {
        /// The id of the graph in the log.
        graph: SmolStr,
        /// The node that it leaves.
        from: SmolStr,
        /// The number of the edge in the log.
        number: u32,
    },
    /// A graph. Stops each time it begins.
    Graph(SmolStr),
    /// Questions to models, tools or functions.
    Question {
        /// `model`, `tool` or `function`.
        noun: &'static str,
        /// The name of the model's agent, of the tool or of the function. `None` for any.
        name: Option<SmolStr>,
    },
}

/// A place in a file where a breakpoint can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BreakpointLocation {
    pub subject: Subject,
    pub at: Origin,
}

/// All places where breakpoints can be set for a run, by file and by name.
#[derive(Clone, Default)]
pub struct Locations {
    files: BTreeMap<u32, Vec<BreakpointLocation>>,
    names: Vec<(SmolStr, Subject)>,
    titles: BTreeMap<SmolStr, (SmolStr, Origin)>,
    snapshot: Option<Snapshot>,
}

impl Subject {
    /// Describes the subject for the user.
    #[must_use]
    pub fn label(&self) -> String {
        match self {
            Subject::Node { node, .. } => format!("node `{node}`"),
            Subject::Edge { from, .. } => format!("edge from `{from}`"),
            Subject::Graph(graph) => format!("graph `{graph}`"),
            Subject::Question { noun, name: Some(name) } => format!("questions to {noun} `{name}`"),
            Subject::Question { noun, name: None } => format!("questions to any {noun}"),
        }
    }

    /// Whether a question is one of these questions.
    #[must_use]
    pub fn is_question(&self, question: &Question) -> bool {
        let Subject::Question { noun, name } = self else { return false };
        question.noun() == *noun
            && name.as_ref().is_none_or(|name| match question {
                Question::Model(model) => model.agent == *name,
                Question::Tool(tool) => tool.tool == *name,
                Question::Function(function) => function.path == *name,
                _ => false,
            })
    }
}

impl Locations {
    /// Finds the places in the graphs that a run can visit.
    #[must_use]
    pub fn new(snapshot: &Snapshot, charts: &Charts) -> Locations {
        let mut locations = Locations { snapshot: Some(snapshot.clone()), ..Locations::default() };
        for chart in charts.iter() {
            locations.add_chart(chart);
        }
        locations.add_declarations(snapshot, charts);
        for list in locations.files.values_mut() {
            list.sort_by_key(|location| location.at.range.start());
            list.dedup();
        }
        locations
    }

    fn add(&mut self, subject: Subject, at: Origin) {
        self.files.entry(at.source.0).or_default().push(BreakpointLocation { subject, at });
    }

    fn add_chart(&mut self, chart: &Chart) {
        let graph = &chart.id;
        for node in &chart.nodes {
            // A worker has no visits of its own. So a breakpoint on it stops at visits of the node that asks for it.
            let visited = node.asks_for.as_ref().unwrap_or(&node.id);
            let subject = Subject::Node { graph: graph.clone(), node: visited.clone() };
            if let Some(place) = &node.place {
                self.add(subject.clone(), place.origin);
            }
            self.names.push((node.id.clone(), subject.clone()));
            self.names.push((format_smolstr!("{graph}/{}", node.id), subject.clone()));
            if node.label != node.id {
                self.names.push((node.label.clone(), subject));
            }
        }
        for edge in chart.edges.iter().filter(|edge| edge.is_declared()) {
            let from = edge.from.clone().unwrap_or_default();
            let subject = Subject::Edge { graph: graph.clone(), from, number: edge.number };
            if let Some(place) = &edge.place {
                self.add(subject.clone(), place.origin);
            }
            self.names.extend(edge.id.clone().map(|id| (id, subject)));
        }
    }

    fn add_declarations(&mut self, snapshot: &Snapshot, charts: &Charts) {
        for file in snapshot.files().iter() {
            for facts in &file.documents {
                let Some(declaration) = snapshot.index().effective(facts).and_then(|one| one.written())
                else {
                    continue;
                };
                for graph in declaration.graphs() {
                    let id = graph.id.as_ref().map(|id| id.value.clone()).unwrap_or_default();
                    if charts.graph(&id).is_none() {
                        continue;
                    }
                    let subject = Subject::Graph(id.clone());
                    let at = graph.id.as_ref().map_or(graph.head, |id| id.at);
                    self.add(subject.clone(), at);
                    let title = graph.name.as_ref().map_or(id.clone(), |name| name.value.clone());
                    self.titles.insert(id.clone(), (title, at));
                    if let Some(name) = &graph.name {
                        let nodes = self.names.iter().filter(|(known, _)| {
                            known.strip_prefix(id.as_str()).is_some_and(|rest| rest.starts_with('/'))
                        });
                        let named = nodes.map(|(known, subject)| {
                            let node = known.get(id.len()..).unwrap_or_default();
                            (format_smolstr!("{}{node}", name.value), subject.clone())
                        });
                        let named: Vec<_> = named.collect();
                        self.names.extend(named);
                        self.names.push((name.value.clone(), subject.clone()));
                    }
                    self.names.push((id, subject));
                }
                if let Body::Agent(agent) = &declaration.body {
                    let Some(id) = &agent.id else { continue };
                    let name = Some(id.value.clone());
                    self.add(Subject::Question { noun: "model", name }, id.at);
                }
            }
        }
    }

    /// The places in a file, sorted by where they begin.
    #[must_use]
    pub fn of_file(&self, source: SourceId) -> &[BreakpointLocation] {
        self.files.get(&source.0).map(Vec::as_slice).unwrap_or_default()
    }

    /// The place for a breakpoint on a line (from 1) of a file. With an offset, the last place on the line that
    /// begins at or before it. If nothing begins on the line: for an empty line or a comment, the next place after
    /// it, else a place in the smallest part of the document around the line.
    #[must_use]
    pub fn on_line(
        &self,
        source: SourceId,
        text: &str,
        line: u32,
        offset: Option<TextSize>,
    ) -> Option<&BreakpointLocation> {
        let list = self.of_file(source);
        let range = LineIndex::new(text).line_range(line)?;
        let on_line = || list.iter().filter(|one| range.contains(one.at.range.start()));
        let at_column = offset.and_then(|offset| on_line().rev().find(|one| one.at.range.start() <= offset));
        if let Some(found) = at_column.or_else(|| on_line().next()) {
            return Some(found);
        }
        let content = text.get(std::ops::Range::<usize>::from(range)).unwrap_or_default();
        let indent = content.len() - content.trim_start().len();
        if content.trim().is_empty() || content.trim_start().starts_with('#') {
            return list.iter().find(|one| one.at.range.start() >= range.end());
        }
        let inside = range.start() + TextSize::try_from(indent).unwrap_or_default();
        let tree = parse(text);
        let holds = |around: &TextRange| list.iter().find(|one| around.contains(one.at.range.start()));
        enclosing_ranges(&tree, inside).iter().find_map(holds)
    }

    /// What a breakpoint by name stops at: `settle`, `claims/settle`, `agent:clerk`, `tool:pay_out`, `model:*`.
    ///
    /// # Errors
    /// If nothing has the name, or the word before `:` is unknown. The message names a similar name if there is one.
    pub fn named(&self, name: &str) -> Result<Subject, String> {
        if let Some((kind, rest)) = name.split_once(':') {
            let noun = match kind {
                "agent" | "model" => "model",
                "tool" => "tool",
                "function" => "function",
                _ => return Err(format!("`{kind}` is not one of `agent`, `model`, `tool`, `function`")),
            };
            let name = (rest != "*" && !rest.is_empty()).then(|| SmolStr::new(rest));
            return Ok(Subject::Question { noun, name });
        }
        if let Some((_, subject)) = self.names.iter().find(|(known, _)| known == name) {
            return Ok(subject.clone());
        }
        let near = |known: &&SmolStr| strsim::damerau_levenshtein(known, name) <= 2.max(name.len() / 4);
        let mut names: Vec<&SmolStr> = self.names.iter().map(|(known, _)| known).filter(near).collect();
        names.sort_by_key(|known| strsim::damerau_levenshtein(known, name));
        Err(match names.first() {
            Some(known) => format!("no node is named `{name}`; did you mean `{known}`?"),
            None => format!("no node, edge or graph is named `{name}`"),
        })
    }

    /// The names of nodes, edges and graphs.
    pub fn names(&self) -> impl Iterator<Item = &SmolStr> {
        self.names.iter().map(|(name, _)| name)
    }

    /// Where a part of the condition of an edge is written. `at` is the place of the edge, and `part` a range in the
    /// text of the condition.
    #[must_use]
    pub fn part(&self, at: Origin, condition: &str, part: TextRange) -> Option<Origin> {
        let file = self.snapshot.as_ref()?.file(at.source)?;
        let document = file.document_at(at)?;
        // The place of an edge is its id. Its condition is in the smallest part of the document around the id that
        // has such a condition.
        let inside = |around: &TextRange| {
            let mut conditions = document.conditions.iter();
            conditions.find(|one| around.contains_range(one.at.range) && *one.text == *condition)
        };
        let found = enclosing_ranges(file.tree(), at.range.start()).iter().find_map(inside)?;
        Some(found.place(file.tree(), part))
    }

    /// The title of a graph and the place of its declaration, by its id in the log.
    #[must_use]
    pub fn graph(&self, id: &str) -> Option<(&SmolStr, Origin)> {
        self.titles.get(id).map(|(title, at)| (title, *at))
    }

    /// Where an agent is declared.
    #[must_use]
    pub fn agent(&self, id: &str) -> Option<Origin> {
        self.files.values().flatten().find_map(|location| match &location.subject {
            Subject::Question { noun: "model", name: Some(name) } if name == id => Some(location.at),
            _ => None,
        })
    }
}
