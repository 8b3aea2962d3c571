//! Whatever happens to a project, the workspace knows what a check of the same texts finds. Small projects of the three
//! systems are edited at random: names, documents, broken text, overlays, settings, files that come, go and move.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_dialect::tables::cycgraph::CYCGRAPH;
use nodewise_dialect::tables::liman::{LIMAN, RELEASE_0_1_1};
use nodewise_model::{Declaration, Origin, Reference, SourceId};

use super::{Applied, Change, CheckedBefore, ContentBefore, KeptJudgement, Snapshot, Workspace};
use crate::check;
use crate::deferred::DeferredFile;
use crate::diagnostic::{Diagnostic, Severity};
use crate::facts::{DocumentId, Effective, FileFacts};
use crate::file_text::{TextMark, TextSource};
use crate::files::{Files, load_order};
use crate::functions::PythonChange;
use crate::index::{Declared, Index};
use crate::links::FileLinks;
use crate::settings::{Level, Pin, Settings, SystemSettings};

const NAMES: &[&str] =
    &["desk", "desc", "find", "fnd", "lookup", "case-a", "case-b", "graph-a", "graph-b", "writer", "vault"];
const PATHS: &[&str] = &[
    "a.yaml",
    "b-x/a.yaml",
    "b.yaml",
    "b/c.yaml",
    "b/d/de.yaml",
    "b/e.yml",
    "flow.json",
    "m.yaml",
    "q/agent.yaml",
    "z.bundle.yaml",
];
/// Documents; `%` stands for a name.
const DOCUMENTS: &[&str] = &[
    "kind: LLMNode\nname: %\nprompts: {system: {en: Hi}}\ntools: [%, %]\nnodes:\n  - target: %\n    when: a == 1\n",
    "kind: LLMNode\nname: %\nprompts:\n  system:\n    en: Hi {%}\n    de: Hallo\ntools: [%]\n",
    "kind: ToolNode\nname: %\ndescription: Find\nfunc: d.find\narguments:\n  - name: x\n    type: string\n",
    "kind: Node\nname: %\nfunc: f.x\ndescription: x\nllm_nodes:\n  - target: %\nnodes:\n  - target: Node/%\n",
    "kind: Overlay\nto: LLMNode:%\ntools: [%]\nprompts: {system: {de: Hallo}}\n",
    "kind: Overlay\nto: ToolNode:%\nstrategy: merge\ndescription: {de: Finde {x}}\n",
    "kind: Overlay\nto: Node:%\nnodes:\n  - target: %\n    when: a ==\n",
    "kind: ServiceAccount\nname: %\ncredentials_provider: %\ninject: [a]\n",
    "kind: CredentialsProvider\nname: %\ntype: basic\nfunc: d.vault\n",
    "id: %\nname: %\ndescription: x\nnodes:\n  - {id: one, type: subgraph, subgraph_config: {subgraph_id: %, max_iterations: 1}}\n  - {id: two, type: agent, agent_id: %, write_keys: [x]}\nedges: [{source: one, target: two}]\nstart_node: one\nend_nodes: [two]\n",
    "id: %\nname: x\ndescription: x\ninputs: {request: {schema: {type: object}}}\nnodes: [{id: one, type: router}]\nedges: []\nstart_node: one\nend_nodes: [one]\n",
    "manifest: {name: %, version: \"1\", requires: {tools: [%]}}\ngraph:\n  id: %\n  name: x\n  description: x\n  nodes:\n    - {id: one, type: subgraph, subgraph_config: {subgraph_id: %}}\n  edges: []\n  start_node: one\n  end_nodes: [one]\ngraphs:\n  - {id: %, name: b, description: b, nodes: [{id: one, type: router}], edges: [], start_node: one, end_nodes: [one]}\n",
    "id: %\nname: %\nmodel: gpt-4o\nprovider: openai\nsystem_prompt: Write.\n",
    "id: %\nnodes:\n  - {id: n, executorConfig: {type: subgraph, graphId: %}}\n  - {id: m, executorConfig: {type: tool, toolName: t}}\nedges:\n  - {id: e, source: n, target: m, type: static}\n",
    "",
    "services: {web: {image: x}}\n",
];
const SNIPPETS: &[&str] = &[
    "# nodewise: ignore-file[unused-declaration]\n",
    "# nodewise: ignore-next\n",
    "# a remark\n",
    "tools: [\n",
    "  - x: [\"\n",
    "---\n",
    "name: %\n",
    "tools: [%]\n",
    "when: (\n",
    "\t\n",
    "é😀: 1\r\n",
    "kind: Overlay\nto: LLMNode:%\n",
    "<<<<<<< HEAD\n",
];

/// A small generator with a fixed seed: the same edits on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A text in which each `%` is some name.
    fn named(&mut self, text: &str) -> String {
        let mut parts = text.split('%');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + self.of(NAMES) + part)
    }

    fn document(&mut self) -> String {
        let document = self.of(DOCUMENTS);
        self.named(document)
    }

    fn file(&mut self) -> String {
        // Most files are of one system, as a person would have them.
        let near = self.below(DOCUMENTS.len());
        let documents = (0..1 + self.below(3)).map(|position| match position + self.below(4) {
            0..4 => self.named(DOCUMENTS[(near + position) % DOCUMENTS.len()]),
            _ => self.document(),
        });
        documents.collect::<Vec<_>>().join("---\n")
    }

    fn settings(&mut self) -> Settings {
        let mut settings = Settings::default();
        match self.below(8) {
            0 => settings = settings.following(&LIMAN, RELEASE_0_1_1),
            1 => settings.dialect = Pin::None,
            2 => settings.dialect = Pin::Dialect("liman"),
            3 => drop(settings.levels.insert("unused-declaration".to_owned(), Level::At(Severity::Error))),
            4 => drop(settings.levels.insert("unknown-tool".to_owned(), Level::Off)),
            5 => {
                let outside = CYCGRAPH.outside.iter().map(|list| (list.key, vec![self.of(NAMES).to_owned()]));
                let system = SystemSettings { outside: outside.collect(), ..SystemSettings::default() };
                settings.systems.insert(CYCGRAPH.id, system);
            }
            _ => {}
        }
        settings
    }

    /// A text after one edit.
    fn edited(&mut self, text: &str) -> String {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let at = self.below(lines.len() + 1);
        let (head, tail) = (lines[..at].concat(), lines[at..].concat());
        match self.below(8) {
            0 => head + &lines.get(at + 1..).unwrap_or_default().concat(),
            1 => {
                let snippet = self.of(SNIPPETS);
                head + &self.named(snippet) + &tail
            }
            2 => format!("{text}---\n{}", self.document()),
            3 if self.below(3) == 0 => head.clone() + &head,
            4 => head + "# a remark\n" + &tail,
            5 if self.below(3) == 0 => tail,
            6 => self.cut(text),
            _ => self.renamed(text),
        }
    }

    /// A text without a few letters somewhere.
    fn cut(&mut self, text: &str) -> String {
        let letters: Vec<char> = text.chars().collect();
        let start = self.below(letters.len());
        let end = (start + 1 + self.below(4)).min(letters.len());
        letters[..start].iter().chain(&letters[end..]).collect()
    }

    /// A text with another name in one place.
    fn renamed(&mut self, text: &str) -> String {
        let places: Vec<(usize, &str)> = NAMES.iter().flat_map(|name| text.match_indices(name)).collect();
        let Some((start, name)) = places.get(self.below(places.len())).copied() else { return self.file() };
        format!("{}{}{}", &text[..start], self.of(NAMES), &text[start + name.len()..])
    }
}

/// A project as it should be.
type Texts = BTreeMap<String, (String, Settings)>;

fn step(random: &mut Random, texts: &mut Texts, pool: &[String]) -> Vec<Change> {
    let path = random.of(PATHS).to_owned();
    let known = texts.get(&path).cloned();
    let (text, settings) = match (random.below(20), known) {
        (0, _) => {
            texts.remove(&path);
            return vec![Change::Remove { path: path.into() }];
        }
        (1, Some((text, settings))) => {
            texts.remove(&path);
            let other = random.of(PATHS).to_owned();
            texts.insert(other.clone(), (text.clone(), settings.clone()));
            let (text, settings) = (text.as_str().into(), Arc::new(settings));
            return vec![
                Change::Remove { path: path.into() },
                Change::Write { path: other.into(), text, settings },
            ];
        }
        (2, Some((text, _))) => (text, random.settings()),
        (3, _) => (pool[random.below(pool.len())].clone(), Settings::default()),
        (4..6, _) | (_, None) => (random.file(), Settings::default()),
        (_, Some((text, settings))) => (random.edited(&text), settings),
    };
    texts.insert(path.clone(), (text.clone(), settings.clone()));
    vec![Change::Write { path: path.into(), text: text.as_str().into(), settings: Arc::new(settings) }]
}

/// The texts numbered from 0.
fn files(texts: &Texts) -> Files {
    let facts = |(number, (path, (text, settings))): (u32, (&String, &(String, Settings)))| {
        FileFacts::new(
            SourceId(number),
            path.as_str().into(),
            text.as_str().into(),
            Arc::new(settings.clone()),
        )
    };
    let mut texts: Vec<_> = texts.iter().collect();
    texts.sort_by(|(one, _), (other, _)| load_order(one, other));
    (0..).zip(texts).map(facts).collect()
}

/// The numbers of a snapshot's files, as positions.
struct Positions(BTreeMap<SourceId, SourceId>);

impl Positions {
    fn of(snapshot: &Snapshot) -> Positions {
        Positions((0..).zip(snapshot.files()).map(|(number, file)| (file.source, SourceId(number))).collect())
    }

    fn origin(&self, at: &mut Origin) {
        at.source = self.0[&at.source];
    }

    fn document(&self, mut id: DocumentId) -> DocumentId {
        id.source = self.0[&id.source];
        id
    }

    fn diagnostic(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let finding = &mut diagnostic.finding;
        self.origin(&mut finding.at);
        finding.related.iter_mut().for_each(|related| self.origin(&mut related.at));
        let edits = finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits);
        edits.for_each(|edit| self.origin(&mut edit.at));
        diagnostic
    }

    fn declared(&self, mut declared: Declared) -> Declared {
        declared.document = self.document(declared.document);
        self.origin(&mut declared.at);
        declared
    }
}

/// The texts of a project, by the positions of its files.
#[derive(Debug)]
struct TextList(Vec<Arc<str>>);

impl TextSource for TextList {
    fn text(&self, file: SourceId, mark: TextMark) -> Option<Arc<str>> {
        let text = self.0.get(file.0 as usize).filter(|text| TextMark::of(text) == mark);
        text.cloned()
    }
}

/// The same project, with each file deferred that its links say enough of.
fn deferred(snapshot: &Snapshot) -> (Workspace, usize) {
    let texts = snapshot.files().iter().map(|file| Arc::clone(file.text.shared())).collect();
    let texts: Arc<dyn TextSource> = Arc::new(TextList(texts));
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for (number, file) in (0..).map(SourceId).zip(snapshot.files()) {
        let (path, settings) = (file.path.clone(), Arc::clone(&file.settings));
        match FileLinks::of(file) {
            Some(links) => {
                let (mark, ownership) = (TextMark::of(&file.text), file.ownership);
                files.push(DeferredFile { path, mark, number, ownership, links, settings });
            }
            None => others.push(Change::Write { path, text: Arc::clone(file.text.shared()), settings }),
        }
    }
    let count = files.len();
    let mut workspace = Workspace::deferred(files, &texts);
    assert!(workspace.snapshot().files().iter().all(|file| !file.is_read()));
    workspace.apply(others);
    (workspace, count)
}

/// The same project in another process, which knows what the rules had for its files, but no longer the texts that are about to
/// change; `None` if these have to be known.
fn checked_before(snapshot: &Snapshot, changes: &[Change]) -> Option<Workspace> {
    let texts = snapshot.files().iter().map(|file| Arc::clone(file.text.shared())).collect();
    let texts: Arc<dyn TextSource> = Arc::new(TextList(texts));
    let changes = |path: &str| {
        changes.iter().any(|change| {
            let (Change::Write { path: changed, .. } | Change::Remove { path: changed }) = change;
            **changed == *path
        })
    };
    let before = |(number, file): (u32, &Arc<FileFacts>)| {
        let judgement = KeptJudgement::of(snapshot.files(), snapshot.index(), file);
        let (path, settings) = (file.path.clone(), Arc::clone(&file.settings));
        let content = match FileLinks::of(file) {
            Some(links) => {
                let (mark, ownership) = (TextMark::of(&file.text), file.ownership);
                let number = SourceId(if changes(&path) { u32::MAX } else { number });
                ContentBefore::Deferred(DeferredFile { path, mark, number, ownership, links, settings })
            }
            None => ContentBefore::Text { path, text: Arc::clone(file.text.shared()), settings },
        };
        CheckedBefore { source: file.source, content, judgement }
    };
    let files = (0..).zip(snapshot.files()).map(before).collect();
    let workspace = Workspace::checked_before(files, Vec::new(), &texts).unwrap();
    let now = workspace.snapshot();
    assert!(now.files().iter().all(|file| now.is_judged(file.source)));
    let mut paths = snapshot.files().iter().map(|file| &file.path);
    paths.all(|path| !changes(path) || now.can_lack_text(path)).then_some(workspace)
}

/// Compares what a snapshot knows of all files with an index that is built anew.
fn check_index(snapshot: &Snapshot, anew: &Files, index: &Index) {
    let positions = Positions::of(snapshot);
    let kept = snapshot.index();
    assert_eq!((kept.uses(), kept.holds()), (index.uses(), index.holds()));
    let of =
        |index: &Index| -> Vec<String> { index.declared_from("").map(|(name, _)| name.to_owned()).collect() };
    assert_eq!(of(kept), of(index));
    let tools = |index: &Index| -> Vec<String> {
        index.declared_with_letters("", &["ToolNode"]).map(str::to_owned).collect()
    };
    assert_eq!(tools(kept), tools(index));
    let references = |files: &Files, index: &Index| -> Vec<Reference> {
        let effective = files.iter().flat_map(|file| &file.documents).filter_map(|one| index.effective(one));
        effective.flat_map(Effective::references).cloned().collect()
    };
    let both = references(snapshot.files(), kept).into_iter().zip(references(anew, index));
    both.for_each(|(one, other)| {
        assert_eq!((one.kind(), one.at.range, one.name), (other.kind(), other.at.range, other.name))
    });
    for name in NAMES {
        let declared: Vec<Declared> =
            kept.declared(name).iter().map(|one| positions.declared(*one)).collect();
        assert_eq!(declared, index.declared(name), "{name}");
        let users: Vec<DocumentId> = kept.users(name).map(|id| positions.document(id)).collect();
        assert_eq!(users, index.users(name).collect::<Vec<_>>(), "{name}");
        assert_eq!(kept.may_be_meant(name), index.may_be_meant(name), "{name}");
        for kinds in [&["LLMNode"][..], &["ToolNode", "Node"]] {
            assert_eq!(kept.nearest(name, kinds), index.nearest(name, kinds), "{name}");
        }
    }
    for (file, other) in snapshot.files().iter().zip(anew) {
        for (one, other) in file.documents.iter().zip(&other.documents) {
            assert_eq!(kept.is_used(one.id), index.is_used(other.id));
            assert_eq!(kept.is_orphan(one.id), index.is_orphan(other.id));
            let patches: Vec<DocumentId> = kept.patches(one.id).map(|id| positions.document(id)).collect();
            assert_eq!(patches, index.patches(other.id).collect::<Vec<_>>());
            let declaration = |one: Option<&Declaration>| one.map(|one| (one.kind, one.head.range));
            let of = |index: &Index, one| {
                declaration(index.effective(one).and_then(|effective| effective.declaration.as_ref()))
            };
            assert_eq!(of(kept, one), of(index, other));
        }
    }
}

/// Edits a project at random; after each step everything must be as if the project were read anew.
fn check_steps(seed: u64, steps: usize) {
    let pool = corpus();
    let mut random = Random(seed);
    let mut texts = Texts::new();
    let mut workspace = Workspace::new();
    let mut known: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut found, mut all_deferred, mut all_restored) = (0, 0, 0);
    for number in 0..steps {
        if random.below(10) == 0 {
            let count;
            (workspace, count) = deferred(&workspace.snapshot());
            all_deferred += count;
            known.clear();
        }
        let changes: Vec<Change> =
            (0..1 + random.below(6) / 4).flat_map(|_| step(&mut random, &mut texts, &pool)).collect();
        if random.below(5) == 0
            && let Some(restored) = checked_before(&workspace.snapshot(), &changes)
        {
            workspace = restored;
            all_restored += 1;
        }
        let applied = workspace.apply(changes.clone());
        let snapshot = workspace.snapshot();
        let anew = files(&texts);
        let paths =
            |files: &Files| -> Vec<Arc<str>> { files.iter().map(|file| Arc::clone(&file.path)).collect() };
        assert_eq!(paths(snapshot.files()), paths(&anew));
        check_index(&snapshot, &anew, &Index::build(&anew));
        let all = check::check(&anew);
        found += all.len();
        let mut now: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let positions = Positions::of(&snapshot);
        for (file, other) in snapshot.files().iter().zip(&anew) {
            let expected: Vec<Diagnostic> =
                all.iter().filter(|one| one.finding.at.source == other.source).cloned().collect();
            now.insert(file.path.to_string(), expected.iter().map(|one| format!("{one:?}")).collect());
            // Now and then a result is not asked for, so that some are kept over several steps and some are not.
            if random.below(4) > 0 {
                let diagnostics = snapshot.diagnostics(file.source);
                assert!(snapshot.is_judged(file.source));
                let diagnostics: Vec<Diagnostic> =
                    diagnostics.into_iter().map(|one| positions.diagnostic(one)).collect();
                assert_eq!(diagnostics, expected, "step {number}: {} after {changes:#?}", file.path);
            }
        }
        if number % 4 == 0 {
            check_own(&snapshot, &anew, &all);
        }
        check_stale(&snapshot, &applied, &known, &now);
        now.retain(|path, _| snapshot.source(path).is_some_and(|source| snapshot.is_judged(source)));
        known = now;
    }
    assert!(found > steps, "the projects are too tame: {found} findings");
    // Few edits may leave nothing to defer.
    assert!(steps < 1_000 || all_deferred > steps / 10, "too few files are deferred: {all_deferred}");
    assert!(steps < 1_000 || all_restored > steps / 20, "too few projects are restored: {all_restored}");
}

/// What the text of a file alone proves is found in the whole project, too, unless overlays patch the file.
fn check_own(snapshot: &Snapshot, anew: &Files, all: &[Diagnostic]) {
    for (file, other) in snapshot.files().iter().zip(anew) {
        if file.documents.iter().any(|document| snapshot.index().patches(document.id).next().is_some()) {
            continue;
        }
        let (path, text) = (file.path.clone(), Arc::clone(file.text.shared()));
        let mut alone = Workspace::new();
        alone.apply(vec![Change::Write { path, text, settings: Arc::clone(&file.settings) }]);
        let alone = alone.snapshot();
        let Some(own) = alone.files().iter().next() else { continue };
        let positions = Positions(BTreeMap::from([(own.source, other.source)]));
        for found in alone.own_diagnostics(own.source) {
            let found = positions.diagnostic(found);
            assert!(all.contains(&found), "{}: {found:#?} is not found in the project", file.path);
        }
    }
}

/// A file whose findings were known and are others now is among the stale ones. Numbers of files count here, so steps
/// in which some come or go are left out.
fn check_stale(
    snapshot: &Snapshot,
    applied: &Applied,
    known: &BTreeMap<String, Vec<String>>,
    now: &BTreeMap<String, Vec<String>>,
) {
    let is_new =
        |source: &SourceId| snapshot.file(*source).is_none_or(|file| !known.contains_key(&*file.path));
    if applied.changed.iter().any(is_new) {
        return;
    }
    let stale: BTreeSet<&str> =
        applied.stale.iter().filter_map(|source| Some(&*snapshot.file(*source)?.path)).collect();
    for (path, found) in known {
        assert!(now.get(path) == Some(found) || stale.contains(path.as_str()), "{path}: {found:#?}");
    }
}

/// Texts as people write them.
#[allow(clippy::disallowed_methods, reason = "a test reads files")]
fn corpus() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut pending = vec![root];
    let mut texts = BTreeMap::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(path.read_dir().unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            texts.insert(path.clone(), std::fs::read_to_string(&path).unwrap());
        }
    }
    assert!(texts.len() > 5, "the examples are missing");
    texts.into_values().collect()
}

#[test]
fn a_project_under_change_is_known_like_one_that_is_read_anew() {
    check_steps(0x2545_f491_4f6c_dd1d, 3_000);
}

#[test]
fn whatever_the_order_of_edits() {
    (1..=40u64).for_each(|seed| check_steps(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), 40));
}

#[test]
fn numbers_that_are_used_up_are_given_anew() {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    let mut texts = Texts::new();
    let mut renumbered = 0;
    for length in 1..40 {
        let path = format!("{}.yaml", "a".repeat(40 - length));
        let text = format!("kind: ToolNode\nname: find\ndescription: x\nfunc: a.{length}\n");
        texts.insert(path.clone(), (text.clone(), Settings::default()));
        let applied = workspace.apply(vec![Change::Write {
            path: path.into(),
            text: text.as_str().into(),
            settings: Arc::clone(&settings),
        }]);
        renumbered += usize::from(applied.renumbered);
        let (snapshot, anew) = (workspace.snapshot(), files(&texts));
        check_index(&snapshot, &anew, &Index::build(&anew));
        let found: usize = snapshot.files().iter().map(|file| snapshot.diagnostics(file.source).len()).sum();
        assert_eq!(found, check::check(&anew).len());
    }
    assert!(renumbered > 0);
}

#[test]
fn what_does_not_change_is_not_judged_again() {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    let mut write = |path: &str, text: &str| {
        let change = Change::Write { path: path.into(), text: text.into(), settings: Arc::clone(&settings) };
        let applied = workspace.apply(vec![change]);
        let snapshot = workspace.snapshot();
        let stale = applied.stale.iter().map(|source| snapshot.file(*source).unwrap().path.to_string());
        let stale: Vec<String> = stale.collect();
        snapshot.files().iter().for_each(|file| drop(snapshot.diagnostics(file.source)));
        stale
    };
    let chat = "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\ntools: [find]\n";
    let tool = |name: &str| format!("kind: ToolNode\nname: {name}\ndescription: Find\nfunc: d.find\n");
    assert_eq!(write("chat.yaml", chat), ["chat.yaml"]);
    assert_eq!(write("find.yaml", &tool("find")), ["chat.yaml", "find.yaml"]);
    assert_eq!(write("other.yaml", &tool("other")), ["other.yaml"]);
    assert_eq!(write("chat.yaml", &format!("# a remark\n{chat}")), ["chat.yaml"]);
    assert_eq!(write("find.yaml", &format!("# a remark\n{}", tool("find"))), ["find.yaml"]);
    // The other tool is not used, and a name that leads nowhere may have meant it.
    assert_eq!(write("find.yaml", &tool("seek")), ["chat.yaml", "find.yaml", "other.yaml"]);
    assert_eq!(write("find.yaml", &tool("seek")), Vec::<String>::new());
}

#[test]
fn what_is_declared_referred_to_or_patched_in_another_way_is_counted() {
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    let mut is_relinked = |path: &str, text: &str| {
        let before = workspace.snapshot().index().link_revision();
        let change = Change::Write { path: path.into(), text: text.into(), settings: Arc::clone(&settings) };
        workspace.apply(vec![change]);
        workspace.snapshot().index().link_revision() != before
    };
    let chat = |tools: &str| {
        format!("kind: LLMNode\nname: chat\nprompts: {{system: {{en: Hi}}}}\ntools: [{tools}]\n")
    };
    assert!(is_relinked("chat.yaml", &chat("find")));
    assert!(!is_relinked("chat.yaml", &format!("# moved\n{}", chat("find")).replace("Hi", "Hello")));
    assert!(is_relinked("chat.yaml", &chat("find, ToolNode/find")), "one reference more");
    assert!(is_relinked("find.yaml", "kind: ToolNode\nname: find\ndescription: Find\nfunc: d.find\n"));
    assert!(!is_relinked("find.yaml", "kind: ToolNode\nname: find\ndescription: Seek\nfunc: d.find\n"));
    assert!(is_relinked("find.yaml", "kind: ToolNode\nname: seek\ndescription: Seek\nfunc: d.find\n"));
    assert!(is_relinked("patch.yaml", "kind: Overlay\nto: LLMNode:chat\n"));
    assert!(is_relinked("a.scenario.yaml", "scenario: A\nstart: chat\nexpect: {path: [chat]}\n"));
    assert!(is_relinked("a.scenario.yaml", "scenario: A\nstart: chat\nexpect: {path: [chat, chat]}\n"));
    assert!(!is_relinked("list.yaml", "services: {web: {image: x}}\n"));
}

#[test]
fn a_project_that_was_empty_in_between_is_like_a_new_one() {
    let node = "kind: ToolNode\nname: find\ndescription: Find\nfunc: d.find\n";
    let chat = "kind: LLMNode\nname: desk\nprompts: {system: {en: Hi}}\ntools: [fnd]\n";
    let mut workspace = Workspace::new();
    let settings = Arc::new(Settings::default());
    for is_there in [true, false, true] {
        let changes = [("chat.yaml", chat), ("find.yaml", node)].map(|(path, text)| match is_there {
            true => Change::Write { path: path.into(), text: text.into(), settings: Arc::clone(&settings) },
            false => Change::Remove { path: path.into() },
        });
        workspace.apply(changes.into());
        let snapshot = workspace.snapshot();
        // Questions about near names are answered from lists that are kept.
        let index = snapshot.index();
        assert_eq!(index.nearest("fnd", &["ToolNode"]), is_there.then_some("find"));
        assert_eq!(index.may_be_meant("find"), is_there);
    }
}

/// A name that a program registers is found, as long as the program does.
#[test]
fn programs_register_names() {
    let llm_node = "kind: LLMNode\nname: desk\nprompts: {system: {en: Hi}}\ntools: [find]\n";
    let program = |name: &str| {
        format!("from liman_core.nodes import ToolNode\nToolNode.from_dict({{'name': '{name}'}}, registry)\n")
    };
    let mut workspace = Workspace::new();
    let write = Change::Write { path: "a.yaml".into(), text: llm_node.into(), settings: Arc::default() };
    workspace.apply(vec![write]);
    let mut check_found = |text: Option<String>, expected: &[&str]| {
        let text = text.map(Arc::from);
        workspace.apply_python(vec![PythonChange { path: "app.py".to_owned(), text }]);
        let snapshot = workspace.snapshot();
        let found = snapshot.diagnostics(snapshot.source("a.yaml").unwrap());
        let rules: Vec<&str> = found.iter().map(|diagnostic| diagnostic.rule).collect();
        assert_eq!(rules, expected);
    };
    check_found(Some(program("other")), &["unknown-tool"]);
    check_found(Some(program("find")), &[]);
    check_found(Some(program("find").replace("ToolNode", "LLMNode")), &["unknown-tool"]);
    check_found(Some(program("find")), &[]);
    check_found(None, &["unknown-tool"]);
}
