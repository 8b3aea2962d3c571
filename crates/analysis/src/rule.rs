//! What a rule is: an id, a severity, a documentation page and a check. A rule looks at one file at a
//! time, with the whole project at hand; what it needs of other files stands in the index.

use std::sync::OnceLock;

use nodewise_dialect::bind::Issue;
use nodewise_dialect::table::{Dialect, Violation, ViolationPolicy};
use nodewise_dialect::tables::DIALECTS;
use nodewise_model::graph::{AgentDefinition, Graph, GraphNode};
use nodewise_model::plan::DeclaredPlan;
use nodewise_model::{Body, Declaration, Origin, Reference, SourceId};
use rustc_hash::FxHashMap;

pub use crate::basis::{Basis, Needs};
use crate::diagnostic::{Finding, Severity};
use crate::facts::{DocumentFacts, DocumentId, Effective, FileFacts, Ownership};
use crate::files::Files;
use crate::graphs::GraphFacts;
use crate::index::{Index, Outcome, View};

#[derive(Debug)]
pub struct Rule {
    /// The faulty pattern, in kebab case: what is wrong, then the thing (`duplicate-edge-id`).
    pub id: &'static str,
    /// Ids that the rule had before. Configuration, comments, baselines and the command line still accept them.
    pub former: &'static [&'static str],
    /// What kind of harm the pattern does.
    pub category: Category,
    /// Whether some of its findings have a fix.
    pub is_fixable: bool,
    /// The release that first had the rule.
    pub since: &'static str,
    /// How it finds the pattern: in the files of the system in whose folder the rule is, or of every system. Systems add
    /// parts to shared rules; [`Rule::parts`] has them all.
    pub own: &'static [&'static RulePart],
}

/// How a rule finds its pattern.
#[derive(Debug, Clone, Copy)]
pub struct RulePart {
    /// The class of the specification that it stands for, with its dialect in front. Where the part searches files of
    /// another dialect, its findings bring their own.
    pub spec: Option<&'static str>,
    /// Where the tables of the dialects have the class, for a part that every system shares.
    pub violation: Option<fn(&ViolationPolicy) -> Option<&'static str>>,
    /// How much harm the pattern does.
    pub severity: Severity,
    /// Whether it reports what is *not* there; such findings are silent where the text is broken.
    pub absence: bool,
    /// Whether it reports broken text itself, which is never silent in broken text.
    pub about_syntax: bool,
    /// Whether it reports what departs from the table; what others find at such a place is silent.
    pub about_form: bool,
    /// Whether the value at its place is wrong whatever is around it, so that nothing unknown there silences it.
    pub about_value: bool,
    /// What of a graph must be readable for its findings to be sure.
    pub needs: Needs,
    /// Finds the pattern.
    pub check: fn(&Context<'_>, &mut Report),
}

/// A part of a rule, and whose files it searches.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredPart {
    pub rule: &'static Rule,
    /// How it finds its pattern there.
    pub part: &'static RulePart,
    /// The id of the dialect; `None` for the files of every system.
    pub dialect: Option<&'static str>,
}

/// What kind of harm a pattern does. A user selects and ignores rules by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// It fails, or does something else than it says.
    Correctness,
    /// It is likely not what was meant.
    Suspicious,
    /// A value is lost, missing or read before it is written.
    Dataflow,
    /// It may take more calls, tokens or time than needed, or never end.
    Cost,
    /// It gives access, or takes a decision, that nobody may have wanted to give.
    Security,
    /// It works, and could be simpler.
    Style,
}

impl Category {
    /// Every category, in the order of reports.
    pub const ALL: &'static [Category] = &[
        Category::Correctness,
        Category::Suspicious,
        Category::Dataflow,
        Category::Cost,
        Category::Security,
        Category::Style,
    ];

    /// The word for it in configuration and reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Category::Correctness => "correctness",
            Category::Suspicious => "suspicious",
            Category::Dataflow => "dataflow",
            Category::Cost => "cost",
            Category::Security => "security",
            Category::Style => "style",
        }
    }

    /// What its rules report.
    #[must_use]
    pub fn doc(self) -> &'static str {
        match self {
            Category::Correctness => "what fails, or does something else than it says",
            Category::Suspicious => "what is likely not what you meant",
            Category::Dataflow => "values that are lost, missing or read before they are written",
            Category::Cost => "what may take more calls, tokens or time than needed, or never end",
            Category::Security => "access and decisions that you may not have wanted to give away",
            Category::Style => "what works and could be simpler",
        }
    }
}

/// What a rule sees.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The file to judge.
    pub file: &'a FileFacts,
    /// The project's files; rules reach them through `source`, which notes it.
    files: &'a Files,
    /// All files together.
    pub(crate) index: View<'a>,
    /// What several rules ask of the file.
    pub(crate) own: &'a OwnFacts<'a>,
}

/// What several rules ask of the file that is checked: its graphs, and where its names lead. It goes when the file is done: the
/// facts of thousands of files are held at once, and only graphs that others run are asked for again.
#[derive(Debug)]
pub(crate) struct OwnFacts<'a> {
    documents: Vec<OwnGraph<'a>>,
    /// Where each stands among the documents, by its address, once one is looked for.
    positions: OnceLock<FxHashMap<usize, usize>>,
    /// What looking up each name comes to, once a rule asked.
    outcomes: OnceLock<Vec<Outcome>>,
}

/// What is known of the graphs of one document.
#[derive(Debug)]
struct OwnGraph<'a> {
    effective: &'a Effective,
    facts: OnceLock<Vec<GraphFacts>>,
}

impl<'a> OwnFacts<'a> {
    /// The graphs of a file; nothing is worked out yet.
    pub(crate) fn new(file: &'a FileFacts, index: &'a Index) -> OwnFacts<'a> {
        let effective = file.documents.iter().filter_map(|document| index.effective(document));
        let known = |effective| OwnGraph { effective, facts: OnceLock::new() };
        let documents = effective.map(known).collect();
        OwnFacts { documents, positions: OnceLock::new(), outcomes: OnceLock::new() }
    }

    /// Where a document of the file stands among them.
    fn position(&self, effective: &Effective) -> Option<usize> {
        let address = |effective: &Effective| std::ptr::from_ref(effective).addr();
        let positions =
            || (0..).zip(&self.documents).map(|(position, own)| (address(own.effective), position)).collect();
        match self.documents.as_slice() {
            [only] => std::ptr::eq(only.effective, effective).then_some(0),
            _ => self.positions.get_or_init(positions).get(&address(effective)).copied(),
        }
    }
}

impl<'a> OwnGraph<'a> {
    fn graphs(&self) -> impl Iterator<Item = &'a Graph> + use<'a> {
        self.effective.declaration.iter().flat_map(Declaration::graphs)
    }

    fn facts(&'a self) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        let own = || self.facts.get_or_init(|| self.graphs().map(GraphFacts::new).collect()).as_slice();
        self.graphs().zip(self.effective.known_graphs().unwrap_or_else(own))
    }
}

/// Where a rule puts its findings.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings, with a severity where it is not the rule's own.
    pub(crate) findings: Vec<(Finding, Option<Severity>)>,
}

impl RulePart {
    /// A part that finds nothing. Parts name what is different.
    pub const DEFAULT: RulePart = RulePart {
        spec: None,
        violation: None,
        severity: Severity::Warning,
        absence: false,
        about_syntax: false,
        about_form: false,
        about_value: false,
        needs: Needs::Nothing,
        check: |_, _| {},
    };

    /// What its findings rest on.
    pub(crate) fn basis(&self) -> Basis {
        let RulePart { absence, about_syntax, about_form, about_value, needs, .. } = *self;
        Basis { absence, about_syntax, about_form, about_value, needs }
    }
}

impl RegisteredPart {
    /// Whether it searches files of the dialect.
    #[must_use]
    pub fn judges(&self, dialect: &str) -> bool {
        self.dialect.is_none_or(|known| known == dialect)
    }

    /// The classes of the specifications that it stands for.
    pub fn classes(&self) -> impl Iterator<Item = &'static str> {
        let tables = DIALECTS.iter().filter(|dialect| self.judges(dialect.id));
        let violations = tables.filter_map(|dialect| self.part.violation?(&dialect.violations));
        self.part.spec.into_iter().chain(violations)
    }
}

impl Report {
    /// Adds a finding with the rule's severity.
    pub fn push(&mut self, finding: Finding) {
        self.findings.push((finding, None));
    }

    /// Adds a finding about a violation of the table: its class is the field's own, if it has one, else
    /// `class`. A violation that is tolerated is a warning.
    pub fn push_violation(&mut self, issue: &Issue, class: Option<&'static str>, finding: Finding) {
        match issue.violation() {
            Some(Violation { class, is_refused: true }) => self.push(finding.spec(class)),
            Some(Violation { class, is_refused: false }) => {
                self.push_at(Severity::Warning, finding.spec(class));
            }
            None => self.push(finding.spec(class)),
        }
    }

    /// Adds a finding with a severity of its own.
    pub fn push_at(&mut self, severity: Severity, finding: Finding) {
        self.findings.push((finding, Some(severity)));
    }
}

impl<'a> Context<'a> {
    /// What rules see that judge `file`.
    pub(crate) fn new(
        file: &'a FileFacts,
        files: &'a Files,
        index: View<'a>,
        own: &'a OwnFacts<'a>,
    ) -> Context<'a> {
        Context { file, files, index, own }
    }

    /// What violations of the table amount to in the file's dialect.
    #[must_use]
    pub fn violations(&self) -> Option<&'static ViolationPolicy> {
        self.dialect().map(|dialect| &dialect.violations)
    }

    /// The graphs of the file.
    pub fn graphs(&self) -> impl Iterator<Item = &'a Graph> + use<'a> {
        self.declarations().flat_map(Declaration::graphs)
    }

    /// The graphs of the file, each with what is known of it as a whole.
    pub fn graphs_with_facts(&self) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        self.own.documents.iter().flat_map(OwnGraph::facts)
    }

    /// The same, without graphs that lack the list of nodes or of edges: those run nothing.
    pub(crate) fn whole_graphs(&self) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        self.graphs_with_facts().filter(|(graph, _)| graph.nodes_at.is_some() && graph.edges_at.is_some())
    }

    /// The graphs of a document of the file, each with what is known of it as a whole.
    pub(crate) fn facts_of(
        &self,
        effective: &'a Effective,
    ) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        let own = self.own.position(effective).and_then(|position| self.own.documents.get(position));
        own.into_iter().flat_map(OwnGraph::facts)
    }

    /// The dialect of the file.
    pub(crate) fn dialect(&self) -> Option<&'static Dialect> {
        match self.file.ownership {
            Ownership::Ours(dialect) => Some(dialect),
            Ownership::Empty | Ownership::NotOurs => None,
        }
    }

    /// The plans of the file.
    pub(crate) fn plans(&self) -> impl Iterator<Item = &'a DeclaredPlan> + use<'a> {
        self.declarations().filter_map(|declaration| match &declaration.body {
            Body::Plan(plan) => Some(plan.as_ref()),
            _ => None,
        })
    }

    /// The nodes of the file, in graphs and alone.
    pub(crate) fn graph_nodes(&self) -> impl Iterator<Item = &'a GraphNode> + use<'a> {
        self.declarations().flat_map(|declaration| {
            let alone = match &declaration.body {
                Body::GraphNode(node) => Some(node.as_ref()),
                _ => None,
            };
            alone.into_iter().chain(declaration.graphs().flat_map(|graph| &graph.nodes))
        })
    }

    /// The documents of the file that belong to the dialect.
    pub fn documents(&self) -> impl Iterator<Item = &'a DocumentFacts> + use<'a> {
        self.file.documents.iter()
    }

    /// What each document of the file amounts to after overlays.
    pub fn effective(&self) -> impl Iterator<Item = &'a Effective> + use<'a> {
        let index = self.index;
        self.file.documents.iter().filter_map(move |document| index.effective(document))
    }

    /// The names that the file looks up after overlays, as far as a rule wants them and they come to this outcome.
    pub(crate) fn references_with(
        &self,
        outcome: Outcome,
        is_wanted: impl Fn(&Reference) -> bool,
    ) -> impl Iterator<Item = &'a Reference> {
        let (context, index) = (*self, self.index);
        let references = move || context.effective().flat_map(Effective::references);
        let all = || references().map(|reference| index.resolve(reference).outcome()).collect();
        let outcomes = self.own.outcomes.get_or_init(all);
        // Each rule that asks depends on all of them, although only the first one looks them up.
        let is_needed = index.is_noting() || outcomes.contains(&outcome);
        let references = is_needed.then(|| references().zip(outcomes)).into_iter().flatten();
        let wanted = references.filter(move |(reference, _)| is_wanted(reference));
        let noted = wanted.inspect(move |(reference, _)| index.note_name(&reference.name));
        noted.filter(move |(_, found)| **found == outcome).map(|(reference, _)| reference)
    }

    /// Where declarations of the file have both keys of a pair that exclude one another.
    pub(crate) fn exclusive(&self, id: &'static str) -> impl Iterator<Item = (Origin, Origin)> + use<'a> {
        let pairs = self.effective().flat_map(|effective| &effective.faults.exclusive);
        pairs.filter(move |(known, _)| *known == id).map(|(_, places)| *places)
    }

    /// The declarations of the file after overlays.
    pub fn declarations(&self) -> impl Iterator<Item = &'a Declaration> + use<'a> {
        self.effective().filter_map(|effective| effective.declaration.as_ref())
    }

    /// The nodes of the file after overlays.
    pub fn nodes(&self) -> impl Iterator<Item = &'a nodewise_model::Node> + use<'a> {
        self.declarations().filter_map(|declaration| match &declaration.body {
            nodewise_model::Body::Node(node) => Some(node.as_ref()),
            _ => None,
        })
    }

    /// The same, without a note of what is looked up: what is found is kept for all files.
    pub(crate) fn without_notes(&self) -> Context<'a> {
        Context { index: self.index.without_notes(), ..*self }
    }

    /// The agent that a name in a document means, if the project declares it.
    pub(crate) fn agent(&self, document: DocumentId, reference: &Reference) -> Option<&'a AgentDefinition> {
        let declared = self.index.meant(document, reference)?;
        let file = self.source(declared.document.source)?;
        let facts = file.documents.get(declared.document.position as usize)?;
        self.index.effective(facts)?.declaration.as_ref()?.agents().nth(declared.part())
    }

    /// Every document of the project, in load order.
    pub(crate) fn every_document(&self) -> impl Iterator<Item = DocumentId> + use<'a> {
        let files: &'a Files = self.files;
        files.iter().flat_map(|file| &file.documents).map(|document| document.id)
    }

    /// The file at a path of the project.
    pub(crate) fn file_at(&self, path: &str) -> Option<&'a FileFacts> {
        self.index.note_path(path);
        self.source(self.files.at_path(path)?.source)
    }

    /// The file that has the number.
    #[must_use]
    pub fn source(&self, source: SourceId) -> Option<&'a FileFacts> {
        if source == self.file.source {
            return Some(self.file);
        }
        self.index.note_source(source);
        self.files.get(source)
    }
}
