//! A project under change: edits of one of 10,000 files, from the new text to the file's diagnostics; a project that is
//! read in parts; a document of 50,000 lines. Compare within one run; machines differ and are noisy.

use std::cell::LazyCell;
use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use nodewise_allocator as _;
use nodewise_analysis::check;
use nodewise_analysis::facts::FileFacts;
use nodewise_analysis::files::Files;
use nodewise_analysis::index::Index;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Workspace};
use nodewise_model::SourceId;
use nodewise_test_support::workspace::{agentos, cycgraph, flow};

const FILES: usize = 10_000;
/// How many files of the project refer to one that all know.
const USERS: usize = 1_000;
/// How many files a server hands over at once while it reads.
const PART: usize = 250;
/// How many lines the large document has.
const LINES: usize = 50_000;

fn path(number: usize) -> String {
    format!("team_{:02}/flow_{number:05}.yaml", number / 100)
}

/// A file of a project of the three systems, in which every name resolves; some also use a tool that all know.
fn text(number: usize) -> String {
    let (group, member) = (number / 4, number % 4);
    match member {
        0 => cycgraph::graph(group, FILES / 4, "orders"),
        1 => agentos::graph(group, FILES / 4, "orders"),
        _ => {
            let text = flow(2 * group + member - 2, FILES / 2, "orders");
            let is_user = group < USERS && member == 2;
            if is_user { text.replacen("tools:\n", "tools:\n  - known_to_all\n", 1) } else { text }
        }
    }
}

fn write(path: String, text: &str, settings: &Arc<Settings>) -> Change {
    Change::Write { path: path.into(), text: text.into(), settings: Arc::clone(settings) }
}

/// The project, every file judged.
fn project(settings: &Arc<Settings>) -> Workspace {
    let mut workspace = Workspace::new();
    let changes = (0..FILES).map(|number| write(path(number), &text(number), settings));
    let known = "kind: ToolNode\nname: known_to_all\ndescription: Known\nfunc: tools.known\n";
    workspace.apply(changes.chain([write("known.yaml".to_owned(), known, settings)]).collect());
    let snapshot = workspace.snapshot();
    snapshot.files().iter().for_each(|file| drop(black_box(snapshot.diagnostics(file.source))));
    workspace
}

fn edits(criterion: &mut Criterion) {
    let settings = Arc::new(Settings::default());
    let mut workspace = LazyCell::new(|| project(&settings));
    let mut group = criterion.benchmark_group("workspace");
    group.sample_size(50);
    let own = text(2_002);
    let renamed = own.replace("name: lookup_1000", "name: lookup_mille");
    assert_ne!(own, renamed);
    let broken = own.replacen("tools:", "tools: [", 1);
    let used = "kind: ToolNode\nname: known_to_all\ndescription: Known\nfunc: tools.known\n";
    let used_renamed = used.replace("known_to_all", "known_to_most");
    let graph = text(2_000);
    for (name, path, one, other) in [
        ("edit: a remark", path(2_002), own.clone(), format!("# a remark\n{own}")),
        ("edit: a declaration's name", path(2_002), own.clone(), renamed),
        ("edit: text breaks", path(2_002), own.clone(), broken),
        ("edit: a name that 1,000 files use", "known.yaml".to_owned(), used.to_owned(), used_renamed),
        ("edit: a graph that others run", path(2_000), graph.clone(), graph.replacen("topic", "theme", 3)),
    ] {
        let mut is_other = false;
        let texts: [Arc<str>; 2] = [one.into(), other.into()];
        // A reader still holds the project as it was.
        let mut held = None;
        group.bench_function(name, |bencher| {
            let workspace = &mut *workspace;
            bencher.iter(|| {
                is_other = !is_other;
                let text = &texts[usize::from(is_other)];
                workspace.apply(vec![write(path.clone(), text, &settings)]);
                let snapshot = workspace.snapshot();
                let source = snapshot.source(&path);
                let found = source.map(|source| snapshot.diagnostics(source));
                held = Some(snapshot);
                black_box(found)
            });
        });
        drop(held);
    }
    group.bench_function("facts and rules of that file alone", |bencher| {
        let text: Arc<str> = own.as_str().into();
        let index = Index::default();
        bencher.iter(|| {
            let facts =
                FileFacts::new(SourceId(0), path(2_002).into(), Arc::clone(&text), Arc::clone(&settings));
            let files: Files = [facts].into_iter().collect();
            files.iter().for_each(|file| drop(black_box(check::judge(&files, &index, file))));
        });
    });
    group.finish();
}

fn loading(criterion: &mut Criterion) {
    let settings = Arc::new(Settings::default());
    let texts: Vec<Arc<str>> = (0..FILES).map(|number| text(number).into()).collect();
    let changes = || -> Vec<Change> {
        let write = |(number, text): (usize, &Arc<str>)| Change::Write {
            path: path(number).into(),
            text: Arc::clone(text),
            settings: Arc::clone(&settings),
        };
        texts.iter().enumerate().map(write).collect()
    };
    let mut group = criterion.benchmark_group("workspace");
    group.sample_size(10);
    group.bench_function("10,000 files at once", |bencher| {
        bencher.iter_batched(
            || (Workspace::new(), changes()),
            |(mut workspace, changes)| {
                workspace.apply(changes);
                workspace
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("10,000 files in parts, after one that is open", |bencher| {
        let parts = || -> Vec<Vec<Change>> {
            let changes = changes();
            changes.chunks(PART).map(<[Change]>::to_vec).collect()
        };
        bencher.iter_batched(
            || (Workspace::new(), parts()),
            |(mut workspace, parts)| {
                workspace.apply(vec![write(path(5_000), &texts[5_000], &settings)]);
                for part in parts {
                    workspace.apply(part);
                    drop(workspace.snapshot());
                }
                workspace
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("index of 10,000 files", |bencher| {
        let facts = |(number, text): (u32, &Arc<str>)| {
            let path = path(number as usize).into();
            FileFacts::new(SourceId(number), path, Arc::clone(text), Arc::clone(&settings))
        };
        let files: Files = (0..).zip(&texts).map(facts).collect();
        bencher.iter_with_large_drop(|| Index::build(&files));
    });
    group.finish();
}

fn large(criterion: &mut Criterion) {
    let settings = Arc::new(Settings::default());
    let many = |document: &dyn Fn(usize, usize) -> String| -> String {
        let count = LINES / (document(0, 2).lines().count() + 1);
        (0..count).map(|number| format!("{}---\n", document(number, count))).collect()
    };
    let nodes: String = (0..LINES / 7)
        .map(|number| {
            let budget = "    budget: {max_tokens: 4000}\n    failure_policy:\n      max_retries: 4\n";
            format!(
                "  - id: n{number}\n    type: agent\n    agent_id: a{number}\n    read_keys: ['*']\n    write_keys: [k{number}]\n{budget}"
            )
        })
        .collect();
    let edges: String = (1..LINES / 7)
        .map(|number| format!("  - {{source: n{}, target: n{number}}}\n", number - 1))
        .collect();
    let one = format!(
        "id: large\nname: large\ndescription: Large.\nnodes:\n{nodes}edges:\n{edges}start_node: n0\nend_nodes: [n{}]\n",
        LINES / 7 - 1
    );
    let mut group = criterion.benchmark_group("50,000 lines");
    group.sample_size(20);
    for (name, text) in [
        ("liman, many documents", many(&|number, count| flow(number, count, "orders"))),
        ("cycgraph, many documents", many(&|number, count| cycgraph::graph(number, count, "orders"))),
        ("agentos, many documents", many(&|number, count| agentos::graph(number, count, "orders"))),
        ("cycgraph, one graph", one),
    ] {
        let parse: Arc<str> = text.as_str().into();
        group.bench_function(format!("{name}: parse"), |bencher| {
            bencher.iter_with_large_drop(|| nodewise_syntax::parse(Arc::clone(&parse)));
        });
        group.bench_function(format!("{name}: facts"), |bencher| {
            bencher.iter_with_large_drop(|| {
                FileFacts::new(SourceId(0), "large.yaml".into(), Arc::clone(&parse), Arc::clone(&settings))
            });
        });
        let mut workspace = Workspace::new();
        let mut number = 0;
        group.bench_function(format!("{name}: edit to diagnostics"), |bencher| {
            bencher.iter(|| {
                number += 1;
                let edited = format!("# remark {number}\n{text}");
                workspace.apply(vec![write("large.yaml".into(), &edited, &settings)]);
                let snapshot = workspace.snapshot();
                snapshot.source("large.yaml").map(|source| snapshot.diagnostics(source))
            });
        });
    }
    group.finish();
}

criterion_group!(benches, edits, loading, large);
criterion_main!(benches);
