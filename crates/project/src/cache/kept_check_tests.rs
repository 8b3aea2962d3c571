//! What a check knew of each file: kept, damaged, and compared with real files.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

use std::sync::Arc;

use nodewise_analysis::basis::{Basis, Needs};
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{KeptJudgement, ModuleTexts, file_numbers};

use super::changes::FileNow;
use super::kept_check::{KeptCheck, KeptFile, WrittenJudgement};
use super::tests::{Scene, result};
use super::*;

const TOOL: &str = "kind: ToolNode\nname: find\ndescription: Find\nfunc: d.find\n";

/// A scene whose file 7 declares a tool.
fn scene(name: &str) -> Scene {
    let scene = Scene::new(name);
    std::fs::write(scene.path(7), TOOL).unwrap();
    scene
}

/// What the rules had for a file: for the file 6 a finding, for each other one nothing.
fn judgement(position: usize) -> KeptJudgement {
    let basis = Basis { absence: true, about_value: true, needs: Needs::Edges, ..Basis::default() };
    let findings = result().diagnostics.into_iter().map(|one| Diagnostic { basis, ..one });
    let findings = if position == 6 { findings.collect() } else { Vec::new() };
    let key = u32::try_from(position).unwrap();
    KeptJudgement { findings, keys: Box::new([key, u32::MAX]), questions: Box::new([0, 11]) }
}

/// Keeps what a check knew, in which the file 3 was a module without a graph.
fn keep(scene: &Scene) {
    let files = &*scene.project.files;
    let numbers: Vec<SourceId> = file_numbers(files.len()).collect();
    let read = files.iter().map(|file| read(&file.path(), 1000).unwrap());
    let (texts, stamps): (Vec<Arc<str>>, Vec<FileStamp>) =
        read.map(|read| (read.text, read.stamp.unwrap())).unzip();
    let facts = numbers.iter().zip(files).zip(texts).map(|((number, file), text)| {
        let settings = Arc::new(Settings::default());
        FileFacts::read(*number, Arc::clone(&file.relative), text, settings, false, &ModuleTexts::default())
    });
    let facts: Vec<FileFacts> = facts.collect();
    let checked = CheckedFile { declarations: 1, is_declaration: true };
    let judged = facts.iter().enumerate().map(|(position, facts)| {
        let (written, _) = WrittenJudgement::of(judgement(position));
        (position != 3).then_some((facts, checked, written))
    });
    let began = CheckTime::now().later(Duration::from_secs(3));
    let inputs = CheckInputs { began, files: &stamps, programs: scene.programs.as_deref() };
    let judged: Vec<_> = judged.collect();
    scene.cache.keep_check(&scene.key, &scene.project, inputs, &judged, &result().diagnostics);
}

fn kept(scene: &Scene) -> Option<KeptCheck> {
    scene.cache.kept_check(&scene.key)
}

#[test]
fn what_a_check_knew_is_known_again() {
    let scene = scene("knew");
    assert!(kept(&scene).is_none());
    keep(&scene);
    let known = kept(&scene).unwrap();
    assert_eq!((known.files.len(), known.diagnostics), (LEAST_FILES, result().diagnostics));
    for ((position, file), number) in known.files.iter().enumerate().zip(file_numbers(LEAST_FILES)) {
        assert_eq!(file.path, scene.project.files[position].relative);
        let Some((checked, judged)) = &file.checked else {
            assert_eq!(position, 3);
            continue;
        };
        assert_eq!((checked.declarations, judged.source), (1, number));
        assert_eq!(format!("{:?}", judged.judgement), format!("{:?}", judgement(position)));
        let links = judged.links.as_ref().unwrap();
        let names: Vec<&str> = links.links.declared.iter().map(|declared| declared.name.as_str()).collect();
        assert_eq!(names, if position == 7 { vec!["find"] } else { Vec::new() });
    }
}

#[test]
fn what_is_damaged_is_not_known() {
    let scene = scene("knew-damaged");
    keep(&scene);
    let entry = scene.cache.folder.join(format!("{}-files", scene.key.name));
    let whole = std::fs::read(&entry).unwrap();
    for at in (0..whole.len()).step_by(whole.len() / 300) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&entry, &damaged).unwrap();
        assert!(kept(&scene).is_none(), "byte {at}");
        std::fs::write(&entry, &whole[..at]).unwrap();
        assert!(kept(&scene).is_none(), "cut at {at}");
    }
    std::fs::write(&entry, &whole).unwrap();
    assert!(kept(&scene).is_some());
    let key = CheckKey::of(&scene.project, "2", "").unwrap();
    assert!(scene.cache.kept_check(&key).is_none(), "another version");
}

#[test]
fn two_processes_keep_what_they_know_at_one_time() {
    let scene = scene("knew-shared");
    keep(&scene);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| (0..5).for_each(|_| keep(&scene)));
            scope.spawn(|| (0..10).for_each(|_| assert_eq!(kept(&scene).unwrap().files.len(), LEAST_FILES)));
        }
    });
}

/// The positions of the files that changed and of those that are gone; `None` if all files must be checked.
fn changes(scene: &Scene) -> Option<(Vec<usize>, Vec<usize>)> {
    let changes = kept(scene).unwrap().changes(&scene.project)?;
    let others = changes.files.iter().enumerate().filter(|(_, now)| matches!(now, FileNow::Other(_)));
    Some((others.map(|(position, _)| position).collect(), changes.removed))
}

#[test]
fn files_that_changed_are_found() {
    let mut scene = scene("knew-changes");
    keep(&scene);
    assert_eq!(changes(&scene), Some((vec![], vec![])));
    std::fs::write(scene.path(9), "text: other\n").unwrap();
    // The same text, written again.
    std::fs::write(scene.path(12), "text: 12\n").unwrap();
    assert_eq!(changes(&scene), Some((vec![9], vec![])));
    scene.files()[20].is_named = true;
    assert_eq!(changes(&scene), Some((vec![9, 20], vec![])));
    scene.add("new.yaml", 1);
    scene.files().swap_remove(30);
    assert_eq!(changes(&scene), Some((vec![9, 20, 30], vec![30])));
    std::fs::remove_file(scene.path(9)).unwrap();
    assert_eq!(changes(&scene), None, "a file that cannot be read");
}

#[test]
fn new_times_are_kept() {
    let scene = scene("knew-times");
    keep(&scene);
    let has_new_times = || kept(&scene).unwrap().changes(&scene.project).unwrap().has_new_times;
    assert!(!has_new_times());
    (10..100).for_each(|number| std::fs::write(scene.path(number), format!("text: {number}\n")).unwrap());
    std::fs::write(scene.path(9), "text: other\n").unwrap();
    assert_eq!(changes(&scene), Some((vec![9], vec![])));
    assert!(has_new_times());
    let known = kept(&scene).unwrap();
    let began = CheckTime::now().later(Duration::from_secs(3));
    let changed = known.changes(&scene.project).unwrap();
    scene.cache.keep_times(&scene.key, began, &changed.same(&scene.project), changed.programs.as_deref());
    assert!(!has_new_times());
    assert_eq!(changes(&scene), Some((vec![9], vec![])), "what changed is still another text");
    let renewed = kept(&scene).unwrap();
    assert_eq!((renewed.began, renewed.diagnostics), (began, known.diagnostics));
    for (file, before) in renewed.files.iter().zip(&known.files) {
        let judgement =
            |file: &KeptFile| format!("{:?}", file.checked.as_ref().map(|(_, judged)| &judged.judgement));
        assert_eq!(judgement(file), judgement(before), "{}", file.path);
    }
}

#[test]
fn many_changes_are_no_changes() {
    let mut scene = scene("knew-many");
    keep(&scene);
    let few = LEAST_FILES / 8;
    (20..20 + few).for_each(|number| std::fs::write(scene.path(number), "text: other\n").unwrap());
    assert_eq!(changes(&scene).unwrap().0.len(), few);
    std::fs::write(scene.path(19), "text: other\n").unwrap();
    assert_eq!(changes(&scene), None);
    keep(&scene);
    assert_eq!(changes(&scene), Some((vec![], vec![])));
    scene.files().truncate(LEAST_FILES - few - 1);
    assert_eq!(changes(&scene), None, "files that are gone");
}
