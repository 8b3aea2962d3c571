//! The check of a project: its files to facts, and these to findings.
//!
//! Input: a project. Output: its findings, with the texts that they point to. Invariant: texts are not kept from the
//! first reading unless something about the file is odd, and no finding is about a text that is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_analysis::TextSource;
use nodewise_analysis::check;
use nodewise_analysis::diagnostic::Diagnostic;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::index::Index;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{KeptJudgement, ModuleTexts, file_numbers};
use nodewise_model::SourceId;
use nodewise_project::cache::kept_check::WrittenJudgement;
use nodewise_project::cache::{
    self, CheckCache, CheckInputs, CheckKey, CheckResult, CheckTime, DeclaredRule, FileStamp, KnownResult,
    ReadText, StampedProgram,
};
use nodewise_project::discovery::{FoundFile, Project};
use nodewise_project::dropped_texts::DroppedTexts;
use nodewise_project::modules::{self, ReadFile, is_module};
use nodewise_project::notice::Notice;
use nodewise_project::project_folder::ProjectFolder;
use nodewise_project::reading::{self, Unreadable};
use nodewise_project::settings::SettingsOf;
use rayon::prelude::*;
use tracing::{info, info_span};

use super::{Judge, Judged, checked, declared};
use crate::undeclared_rules;
use crate::workspace::{registered, without_text};

/// The files of a project that can be read.
struct ReadFiles {
    facts: Files,
    /// The stamp of each file of the project when it was read. `None` if one of the files cannot be read.
    stamps: Option<Vec<FileStamp>>,
    /// The notices about files that cannot be read.
    notices: Vec<Notice>,
}

/// A file that was read.
enum Content {
    /// A module. Its facts are made later, because they depend on the other modules.
    Module(Arc<str>),
    /// The facts of any other file.
    Facts(Arc<FileFacts>),
}

/// The result of reading a file, with its stamp if that is to be kept. Boxed to be small, because there is one for each
/// file.
type ReadResult = Result<(Content, Option<Box<FileStamp>>), Box<Unreadable>>;

/// The result of a check.
struct Checked {
    /// The findings, in output order.
    diagnostics: Vec<Diagnostic>,
    /// The texts that findings point to.
    texts: BTreeMap<SourceId, Arc<str>>,
    /// The results of the rules for each file, if they are to be kept for the next check.
    judgements: Vec<(SourceId, WrittenJudgement)>,
    /// The project's own rules.
    rules: Vec<DeclaredRule>,
    /// The programs that were read for it, if it needed any.
    programs: Option<Vec<StampedProgram>>,
    /// The notices about the project as a whole.
    notices: Vec<Notice>,
}

impl Judge<'_> {
    /// Checks a project, unless the result of a former check still holds. Files that cannot be read become notices.
    pub(crate) fn project(&self, project: &Project, notices: &mut Vec<Notice>) -> Judged {
        // No stamp tells whether standard input is the same as before.
        let cache = self.cache.filter(|_| self.stdin.is_none());
        let key = cache
            .and_then(|_| CheckKey::of(project, env!("CARGO_PKG_VERSION"), &format!("{:?}", self.forced)));
        let cache = cache.zip(key);
        if let Some((cache, key)) = &cache {
            let known = cache.find(key, project).or_else(|| self.recheck(project, cache, key));
            if let Some(known) = known {
                return Judged::of_result(project, known);
            }
        }
        let dropped = Arc::new(DroppedTexts::of(project));
        let first = self.read_and_check(project, Some(&dropped), cache.is_some());
        let (began, read, checked) = match dropped.has_changed() {
            false => first,
            true => {
                info!(root = %project.root.display(), "files have changed meanwhile: the project is checked again");
                self.read_and_check(project, None, cache.is_some())
            }
        };
        let Checked { diagnostics, texts, judgements, rules, programs, notices: said } = checked;
        // A result with notices is not kept, so that the next check reports them again.
        let kept = cache.as_ref().zip(read.stamps.as_deref()).filter(|_| said.is_empty());
        let kept = kept.map(|((cache, key), files)| {
            let inputs = CheckInputs { began, files, programs: programs.as_deref() };
            keep(project, (cache, key), inputs, &read.facts, judgements, &diagnostics);
            (cache, key, inputs)
        });
        let known = known_result(project, &read.facts, (diagnostics, texts), rules);
        if let Some((cache, key, inputs)) = kept {
            cache.keep(key, project, inputs, &known.result);
        }
        // An unreadable file may declare the rules that these notices miss.
        if read.notices.is_empty() {
            notices.extend(said);
        }
        notices.extend(read.notices);
        // The process ends after printing. Dropping every file's facts before that takes time and has no use.
        std::mem::forget(read.facts);
        Judged::of_result(project, known)
    }

    /// Reads and checks a project. Texts that are not kept are read again from `dropped`.
    fn read_and_check(
        &self,
        project: &Project,
        dropped: Option<&Arc<DroppedTexts>>,
        keeps: bool,
    ) -> (CheckTime, ReadFiles, Checked) {
        let began = CheckTime::now();
        let dropped = dropped.map(|dropped| Arc::clone(dropped) as Arc<dyn TextSource>);
        let read = self.read(project, dropped.as_ref());
        let checked = self.check(project, &read.facts, keeps);
        (began, read, checked)
    }

    fn check(&self, project: &Project, files: &Files, keeps: bool) -> Checked {
        self.progress.stage("checking", files.len());
        let notices = undeclared_rules::notices(project, files);
        let index = info_span!("index files").in_scope(|| Index::build(files));
        let (index, programs) = match index.lacks_registrations(files) {
            true => {
                let (names, programs) = registered(project);
                (index.with_registered(names), Some(programs))
            }
            false => (index, None),
        };
        let entered = info_span!("judge files").entered();
        let all: Vec<&Arc<FileFacts>> = files.iter().collect();
        let (judgements, found) = match keeps {
            true => self.judge_and_keep(files, &index, &all),
            false => (Vec::new(), self.judge(files, &index, &all)),
        };
        drop(entered);
        let diagnostics = check::finish(files, found);
        // Read the texts now, so that a text that changed during the check is noticed.
        let pointed_to: BTreeSet<SourceId> = diagnostics.iter().flat_map(Diagnostic::sources).collect();
        let text = |source| Some((source, Arc::clone(files.get(source)?.text.shared())));
        let texts = pointed_to.into_par_iter().filter_map(text).collect();
        let rules = index.project_rules().iter().map(declared).collect();
        std::mem::forget(index);
        Checked { diagnostics, texts, judgements, rules, programs, notices }
    }

    /// Runs the rules on all files, and returns their findings in load order.
    fn judge(&self, files: &Files, index: &Index, all: &[&Arc<FileFacts>]) -> Vec<Diagnostic> {
        let judge = |file: &&Arc<FileFacts>| {
            let found = check::judge(files, index, file);
            self.progress.step();
            found
        };
        // Most files have no findings. One growing list would be copied each time it gets longer.
        let found: Vec<Vec<Diagnostic>> =
            all.par_iter().map(judge).filter(|found| !found.is_empty()).collect();
        found.into_iter().flatten().collect()
    }

    /// Runs the rules like `judge`, and also returns what is to be kept for each file.
    fn judge_and_keep(
        &self,
        files: &Files,
        index: &Index,
        all: &[&Arc<FileFacts>],
    ) -> (Vec<(SourceId, WrittenJudgement)>, Vec<Diagnostic>) {
        let judge = |file: &&Arc<FileFacts>| {
            let (written, found) = WrittenJudgement::of(KeptJudgement::of(files, index, file));
            self.progress.step();
            ((file.source, written), found)
        };
        let (judgements, found): (Vec<_>, Vec<Vec<Diagnostic>>) = all.par_iter().map(judge).unzip();
        (judgements, found.into_iter().flatten().collect())
    }

    /// The facts of the files that can be read.
    fn read(&self, project: &Project, dropped: Option<&Arc<dyn TextSource>>) -> ReadFiles {
        self.progress.stage("reading", project.files.len());
        let _entered = info_span!("read and parse files", files = project.files.len()).entered();
        let mut settings = SettingsOf::new(project.config.clone(), self.forced).with_named(&project.files);
        let settings: Vec<_> = project.files.iter().map(|file| settings.file(&file.relative)).collect();
        let numbers: Vec<SourceId> = file_numbers(project.files.len()).collect();
        let folder = ProjectFolder::new(&project.root);
        let read: Vec<ReadResult> = (&*project.files, &settings, &numbers)
            .into_par_iter()
            .enumerate()
            .map(|(position, (file, settings, number))| {
                let ReadText { text, stamp } = self.text(&folder, file, project.config.size_max)?;
                let content = match is_module(&file.relative) {
                    true => Content::Module(text),
                    false => {
                        let facts = facts(*number, file, text, settings, &ModuleTexts::default());
                        // Standard input cannot be read again.
                        let dropped = dropped.filter(|_| !self.is_stdin(file));
                        Content::Facts(Arc::new(match dropped {
                            Some(dropped) => facts.condensed(source_id(position), dropped),
                            None => facts,
                        }))
                    }
                };
                self.progress.step();
                Ok((content, stamp.map(Box::new)))
            })
            .collect();
        let stamp = |read: &ReadResult| read.as_ref().ok()?.1.as_deref().copied();
        let stamps = read.iter().map(stamp).collect();
        let (mut known, mut modules, mut notices) = (Vec::with_capacity(read.len()), Vec::new(), Vec::new());
        for (((file, settings), number), read) in project.files.iter().zip(&settings).zip(&numbers).zip(read)
        {
            match read {
                Ok((Content::Facts(facts), _)) => known.push(facts),
                Ok((Content::Module(text), _)) => modules.push((*number, file, settings, text)),
                Err(unreadable) => notices.push(without_text(project, file, *unreadable)),
            }
        }
        known.extend(of_modules(&modules));
        ReadFiles { facts: known.into_iter().collect(), stamps, notices }
    }

    fn text(&self, folder: &ProjectFolder, file: &FoundFile, size_max: u64) -> Result<ReadText, Unreadable> {
        let text = match self.stdin.filter(|_| self.is_stdin(file)) {
            Some(stdin) => reading::text(&stdin.bytes),
            None if self.cache.is_some() => return cache::read_file(folder, file, size_max),
            None => folder.read(file, size_max),
        };
        text.map(|text| ReadText { text, stamp: None })
    }

    fn is_stdin(&self, file: &FoundFile) -> bool {
        self.stdin.is_some_and(|stdin| stdin.path == file.path())
    }
}

type ReadModule<'m> = (SourceId, &'m FoundFile, &'m Arc<Settings>, Arc<str>);

/// The facts of the modules that belong to a graph, of all that can be read.
fn of_modules(modules: &[ReadModule<'_>]) -> Vec<Arc<FileFacts>> {
    let read = modules.iter().map(|(_, file, _, text)| ReadFile {
        path: &file.relative,
        text,
        is_named: file.is_named,
    });
    let needed = modules::needed(&read.collect::<Vec<_>>());
    let needed = modules.iter().zip(needed).filter_map(|(module, is_needed)| is_needed.then_some(module));
    let needed: Vec<_> = needed.collect();
    let texts = needed.iter().map(|(_, file, _, text)| (&*file.relative, text));
    let texts: ModuleTexts<'_> = texts.collect();
    let of = |(number, file, settings, text): &&ReadModule<'_>| {
        Arc::new(facts(*number, file, Arc::clone(text), settings, &texts))
    };
    needed.par_iter().map(of).collect()
}

fn facts(
    number: SourceId,
    file: &FoundFile,
    text: Arc<str>,
    settings: &Arc<Settings>,
    modules: &ModuleTexts<'_>,
) -> FileFacts {
    FileFacts::read(number, Arc::clone(&file.relative), text, Arc::clone(settings), false, modules)
}

/// The result of a check, with files numbered by their positions in the project.
fn known_result(
    project: &Project,
    files: &Files,
    (diagnostics, texts): (Vec<Diagnostic>, BTreeMap<SourceId, Arc<str>>),
    rules: Vec<DeclaredRule>,
) -> KnownResult {
    let numbers: Vec<SourceId> = file_numbers(project.files.len()).collect();
    let position = |source| numbers.binary_search(&source).ok().map(source_id);
    let texts = texts.into_iter().filter_map(|(source, text)| Some((position(source)?, text))).collect();
    let diagnostics = diagnostics.into_iter().filter_map(|one| one.renumbered(position)).collect();
    let files = numbers.par_iter().map(|number| Some(checked(files.get(*number)?))).collect();
    KnownResult { result: CheckResult { files, diagnostics, rules }, texts }
}

/// Keeps what is known of all files.
fn keep(
    project: &Project,
    (cache, key): (&CheckCache, &CheckKey),
    inputs: CheckInputs<'_>,
    files: &Files,
    judgements: Vec<(SourceId, WrittenJudgement)>,
    diagnostics: &[Diagnostic],
) {
    let mut judgements = judgements.into_iter().peekable();
    let judged = file_numbers(project.files.len()).map(|number| {
        let (source, judgement) = judgements.next_if(|(source, _)| *source == number)?;
        let facts = files.get(source)?;
        Some((facts, checked(facts), judgement))
    });
    cache.keep_check(key, project, inputs, &judged.collect::<Vec<_>>(), diagnostics);
}

/// The id of the file at a position in the project.
pub(super) fn source_id(position: usize) -> SourceId {
    SourceId(u32::try_from(position).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use nodewise_project::discovery::{self, DiscoveryRequest};

    use super::*;
    use crate::progress::Progress;

    const AGENT: &str = "kind: LLMNode\nname: desk\nprompts: {system: {en: Hello}}\ntools: [lookop]\n";
    const TOOL: &str = "kind: ToolNode\nname: lookup\ndescription: Find an order\nfunc: tools.lookup\n";

    /// The messages of a check, after something happened between reading the files and checking them; and whether a file
    /// had another text then.
    fn messages(
        name: &str,
        [a, b]: [&str; 2],
        meanwhile: impl Fn(&Path),
    ) -> (Vec<String>, bool, Vec<String>) {
        let folder = std::env::temp_dir().join(format!("nodewise-checking-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.yaml"), a).unwrap();
        std::fs::write(folder.join("b.yaml"), b).unwrap();
        let request = DiscoveryRequest::new(std::slice::from_ref(&folder), None).unwrap();
        let project = &discovery::find(&request, None).unwrap().projects[0];
        let progress = Progress::new(false);
        let judge = Judge { forced: None, stdin: None, progress: &progress, cache: None };
        let dropped = Arc::new(DroppedTexts::of(project));
        let source = Arc::clone(&dropped) as Arc<dyn TextSource>;
        let read = judge.read(project, Some(&source));
        meanwhile(&folder);
        let checked = judge.check(project, &read.facts, false);
        let all = |found: &[Diagnostic]| found.iter().map(|one| one.finding.message.clone()).collect();
        let again = judge.read_and_check(project, None, false).2;
        std::fs::remove_dir_all(&folder).unwrap();
        (all(&checked.diagnostics), dropped.has_changed(), all(&again.diagnostics))
    }

    #[test]
    fn a_file_that_changes_while_it_is_checked_is_noticed() {
        let unknown = vec!["no tool is named `lookop`".to_owned()];
        assert_eq!(messages("same", [AGENT, TOOL], |_| {}), (unknown.clone(), false, unknown.clone()));
        let fixed = |folder: &Path| {
            std::fs::write(folder.join("a.yaml"), AGENT.replace("lookop", "lookup")).unwrap();
        };
        assert_eq!(messages("fixed", [AGENT, TOOL], fixed), (unknown.clone(), true, Vec::new()));
        // What nobody quotes is not read again.
        let other = |folder: &Path| {
            std::fs::write(folder.join("b.yaml"), format!("# A comment\n{TOOL}")).unwrap();
        };
        assert_eq!(messages("other", [AGENT, TOOL], other), (unknown.clone(), false, unknown));
        // A finding points to the first declaration, which no rule quotes.
        let first =
            |folder: &Path| std::fs::write(folder.join("a.yaml"), format!("# A comment\n{TOOL}")).unwrap();
        let (found, has_changed, again) = messages("first", [TOOL, TOOL], first);
        assert!(has_changed && found == again && found.len() == 1, "{found:?}");
    }
}
