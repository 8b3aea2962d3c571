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
    /// Former ids of the rule. Configuration, comments, baselines and the command line still accept them.
    pub former: &'static [&'static str],
    /// What kind of harm the pattern does.
    pub category: Category,
    /// Whether some of the rule's findings have a fix.
    pub is_fixable: bool,
    /// The first release that contains the rule.
    pub since: &'static str,
    /// The checks in the rule's own file. Systems add parts to shared rules; [`Rule::parts`] returns all.
    pub own: &'static [&'static RulePart],
}

/// One check of a rule, with its properties.
#[derive(Debug, Clone, Copy)]
pub struct RulePart {
    /// The class of the specification that the check corresponds to, prefixed with its dialect. If the check also handles
    /// files of another dialect, its findings set their own class.
    pub spec: Option<&'static str>,
    /// For a check that all systems share: where each dialect's table states the class.
    pub violation: Option<fn(&ViolationPolicy) -> Option<&'static str>>,
    /// The severity of the findings.
    pub severity: Severity,
    /// Whether the check reports that something is *missing*. Such findings are suppressed where the text is broken.
    pub absence: bool,
    /// Whether the check reports broken syntax itself, so that its findings are shown in broken text too.
    pub about_syntax: bool,
    /// Whether the check reports that the text does not fit the dialect's table. Findings of other checks at the same place
    /// are then suppressed.
    pub about_form: bool,
    /// Whether the value is wrong no matter what is around it, so that unknown values nearby do not suppress the finding.
    pub about_value: bool,
    /// How much of the graph must be readable so that the findings are certain.
    pub needs: Needs,
    /// Adds the findings for one file to the report.
    pub check: fn(&Context<'_>, &mut Report),
}

/// A check together with its rule and its system.
#[derive(Debug, Clone, Copy)]
pub struct RegisteredPart {
    pub rule: &'static Rule,
    pub part: &'static RulePart,
    /// The id of the dialect whose files are checked; `None` for all dialects.
    pub dialect: Option<&'static str>,
}

/// The kind of harm that a pattern does. Users select and ignore rules by category.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Category {
    /// The pattern fails, or does something other than what it says.
    Correctness,
    /// The pattern is probably not what the author meant.
    Suspicious,
    /// A value is lost, missing or read before it is written.
    Dataflow,
    /// The pattern may need more calls, tokens or time than necessary, or never end.
    Cost,
    /// The pattern grants access, or leaves a decision to something, possibly without intent.
    Security,
    /// The pattern works but could be simpler.
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

    /// The name of the category in configuration and reports.
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

    /// A description of what the rules of the category report.
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

/// Everything that a rule can use to check a file.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The file to check.
    pub file: &'a FileFacts,
    /// The project's files. Rules access them through [`Context::source`], which records it.
    files: &'a Files,
    /// The index of all files.
    pub(crate) index: View<'a>,
    /// Results for this file that several rules need.
    pub(crate) own: &'a OwnFacts<'a>,
}

/// Results for the checked file that several rules need: its graphs, and what its names resolve to. Dropped after the
/// check, because the facts of thousands of files are in memory and only the graphs that others run are needed again.
#[derive(Debug)]
pub(crate) struct OwnFacts<'a> {
    documents: Vec<OwnGraph<'a>>,
    /// The position of each document by the address of its effective declaration, computed on first use.
    positions: OnceLock<FxHashMap<usize, usize>>,
    /// For each name in order what it resolves to, computed on first use.
    outcomes: OnceLock<Vec<Outcome>>,
}

/// The facts of one document's graphs.
#[derive(Debug)]
struct OwnGraph<'a> {
    effective: &'a Effective,
    facts: OnceLock<Vec<GraphFacts>>,
}

impl<'a> OwnFacts<'a> {
    /// Prepares the results for a file without computing anything yet.
    pub(crate) fn new(file: &'a FileFacts, index: &'a Index) -> OwnFacts<'a> {
        let effective = file.documents.iter().filter_map(|document| index.effective(document));
        let known = |effective| OwnGraph { effective, facts: OnceLock::new() };
        let documents = effective.map(known).collect();
        OwnFacts { documents, positions: OnceLock::new(), outcomes: OnceLock::new() }
    }

    /// The position of a document of the file in `documents`.
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

/// Collects the findings of a rule.
#[derive(Debug, Default)]
pub struct Report {
    /// The findings, each with a severity if it differs from the rule's.
    pub(crate) findings: Vec<(Finding, Option<Severity>)>,
}

impl RulePart {
    /// A check that finds nothing. Other checks are written as this one with changes.
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

    /// The conditions under which the findings can be trusted.
    pub(crate) fn basis(&self) -> Basis {
        let RulePart { absence, about_syntax, about_form, about_value, needs, .. } = *self;
        Basis { absence, about_syntax, about_form, about_value, needs }
    }
}

impl RegisteredPart {
    /// Whether the check handles files of the dialect.
    #[must_use]
    pub fn judges(&self, dialect: &str) -> bool {
        self.dialect.is_none_or(|known| known == dialect)
    }

    /// The classes of the specifications that the check corresponds to.
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

    /// Adds a finding about a violation of the table. Its class is that of the field if the field has one, otherwise
    /// `class`. If the field's violation is tolerated, the severity is a warning.
    pub fn push_violation(&mut self, issue: &Issue, class: Option<&'static str>, finding: Finding) {
        match issue.violation() {
            Some(Violation { class, is_refused: true }) => self.push(finding.spec(class)),
            Some(Violation { class, is_refused: false }) => {
                self.push_at(Severity::Warning, finding.spec(class));
            }
            None => self.push(finding.spec(class)),
        }
    }

    /// Adds a finding with its own severity.
    pub fn push_at(&mut self, severity: Severity, finding: Finding) {
        self.findings.push((finding, Some(severity)));
    }
}

impl<'a> Context<'a> {
    /// The context for checking `file`.
    pub(crate) fn new(
        file: &'a FileFacts,
        files: &'a Files,
        index: View<'a>,
        own: &'a OwnFacts<'a>,
    ) -> Context<'a> {
        Context { file, files, index, own }
    }

    /// How the file's dialect treats violations of its table.
    #[must_use]
    pub fn violations(&self) -> Option<&'static ViolationPolicy> {
        self.dialect().map(|dialect| &dialect.violations)
    }

    /// The graphs of the file.
    pub fn graphs(&self) -> impl Iterator<Item = &'a Graph> + use<'a> {
        self.declarations().flat_map(Declaration::graphs)
    }

    /// The graphs of the file, each with its facts.
    pub fn graphs_with_facts(&self) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        self.own.documents.iter().flat_map(OwnGraph::facts)
    }

    /// Like [`graphs_with_facts`](Self::graphs_with_facts), without graphs that have no list of nodes or edges, because
    /// they run nothing.
    pub(crate) fn whole_graphs(&self) -> impl Iterator<Item = (&'a Graph, &'a GraphFacts)> + use<'a> {
        self.graphs_with_facts().filter(|(graph, _)| graph.nodes_at.is_some() && graph.edges_at.is_some())
    }

    /// The graphs of a document of the file, each with its facts.
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

    /// The nodes of the file, in graphs and as documents of their own.
    pub(crate) fn graph_nodes(&self) -> impl Iterator<Item = &'a GraphNode> + use<'a> {
        self.declarations().flat_map(|declaration| {
            let alone = match &declaration.body {
                Body::GraphNode(node) => Some(node.as_ref()),
                _ => None,
            };
            alone.into_iter().chain(declaration.graphs().flat_map(|graph| &graph.nodes))
        })
    }

    /// The documents of the file.
    pub fn documents(&self) -> impl Iterator<Item = &'a DocumentFacts> + use<'a> {
        self.file.documents.iter()
    }

    /// The effective declarations of the file's documents.
    pub fn effective(&self) -> impl Iterator<Item = &'a Effective> + use<'a> {
        let index = self.index;
        self.file.documents.iter().filter_map(move |document| index.effective(document))
    }

    /// The references in the file, after overlays, that `is_wanted` accepts and that resolve to `outcome`.
    pub(crate) fn references_with(
        &self,
        outcome: Outcome,
        is_wanted: impl Fn(&Reference) -> bool,
    ) -> impl Iterator<Item = &'a Reference> {
        let (context, index) = (*self, self.index);
        let references = move || context.effective().flat_map(Effective::references);
        let all = || references().map(|reference| index.resolve(reference).outcome()).collect();
        let outcomes = self.own.outcomes.get_or_init(all);
        // All rules that ask depend on these lookups, but only the first one makes them, so record them for each rule.
        let is_needed = index.is_noting() || outcomes.contains(&outcome);
        let references = is_needed.then(|| references().zip(outcomes)).into_iter().flatten();
        let wanted = references.filter(move |(reference, _)| is_wanted(reference));
        let noted = wanted.inspect(move |(reference, _)| index.note_name(&reference.name));
        noted.filter(move |(_, found)| **found == outcome).map(|(reference, _)| reference)
    }

    /// The places where a declaration of the file has both keys of the exclusive pair `id`.
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

    /// The same context without recording lookups, for results that are kept for all files.
    pub(crate) fn without_notes(&self) -> Context<'a> {
        Context { index: self.index.without_notes(), ..*self }
    }

    /// The declaration of the agent to which a name in a document refers, if the project contains it.
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

    /// The file at a path of the project. Records the lookup.
    pub(crate) fn file_at(&self, path: &str) -> Option<&'a FileFacts> {
        self.index.note_path(path);
        self.source(self.files.at_path(path)?.source)
    }

    /// The file with a number. Records the lookup.
    #[must_use]
    pub fn source(&self, source: SourceId) -> Option<&'a FileFacts> {
        if source == self.file.source {
            return Some(self.file);
        }
        self.index.note_source(source);
        self.files.get(source)
    }
}
