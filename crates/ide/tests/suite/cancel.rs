//! A read that nobody wants any more ends without an answer: the long ones look whether they are still wanted.

use std::sync::Arc;

use nodewise_analysis::cancel::Cancel;
use nodewise_analysis::settings::Settings;
use nodewise_analysis::workspace::{Change, Snapshot, Workspace};
use nodewise_ide::lenses::{LensSettings, lenses};
use nodewise_ide::position::FilePosition;
use nodewise_ide::references::references;
use nodewise_ide::rename::{RenameOptions, rename};
use nodewise_ide::symbols::search;
use nodewise_ide::tokens::tokens;
use nodewise_syntax::TextSize;

const FILES: [(&str, &str); 4] = [
    ("chat.yaml", "kind: LLMNode\nname: chat\nprompts: {system: {en: Hi}}\ntools: [find]\n"),
    ("find.yaml", "kind: ToolNode\nname: find\ndescription: Find\nfunc: d.find\n"),
    (
        "claims.yaml",
        "id: claims\nname: Claims\ndescription: x\nnodes:\n  - {id: a, type: agent, agent_id: x, write_keys: [k]}\nedges: [{source: a, target: a}]\nstart_node: a\nend_nodes: [a]\n",
    ),
    (
        "network.yaml",
        "id: n\nnodes:\n  - {id: step, executorConfig: {type: subgraph, graphId: other}}\nedges:\n  - {id: e, source: step, target: step, type: static}\n",
    ),
];

/// How much each of the long reads finds, asked about a name.
fn found(snapshot: &Snapshot, path: &str, name: &str) -> [usize; 4] {
    let source = snapshot.source(path).unwrap();
    let offset = snapshot.file(source).unwrap().text.find(name).unwrap();
    let position = FilePosition::new(source, TextSize::try_from(offset).unwrap());
    let edits = rename(snapshot, position, "another", RenameOptions::default()).unwrap_or_default();
    [
        search(snapshot, "").len(),
        references(snapshot, position, true).unwrap_or_default().len(),
        edits.iter().map(|file| file.edits.len()).sum(),
        tokens(snapshot, source).len(),
    ]
}

fn write(path: &str, text: &str) -> Change {
    Change::Write { path: path.into(), text: text.into(), settings: Arc::new(Settings::default()) }
}

#[test]
fn a_read_that_nobody_wants_finds_nothing() {
    let mut workspace = Workspace::new();
    workspace.apply(FILES.map(|(path, text)| write(path, text)).to_vec());
    for (path, name) in [("find.yaml", "find\n"), ("claims.yaml", "a,"), ("network.yaml", "step")] {
        let cancel = Cancel::default();
        let snapshot = workspace.snapshot().cancelled_by(&cancel);
        assert!(found(&snapshot, path, name).into_iter().all(|count| count > 0), "{path}");
        cancel.cancel();
        assert_eq!(found(&snapshot, path, name), [0; 4], "{path}");
        assert!(found(&workspace.snapshot(), path, name).into_iter().all(|count| count > 0), "{path}");
    }
}

/// What is made of a large file is kept for other readers; half of it is for nobody.
#[test]
fn a_read_that_nobody_wants_leaves_nothing_to_others() {
    let mut text = "id: large\nname: Large\ndescription: x\nnodes:\n".to_owned();
    let nodes = (0..3000).map(|node| format!("  - {{id: step_{node}, type: agent, agent_id: clerk}}\n"));
    text.extend(nodes);
    text.push_str("edges: []\nstart_node: step_0\nend_nodes: [step_0]\n");
    let mut workspace = Workspace::new();
    workspace.apply(vec![write("large.yaml", &text)]);
    let snapshot = workspace.snapshot();
    let source = snapshot.source("large.yaml").unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let wanted = LensSettings { run_live: false, ..LensSettings::ALL };
    assert_eq!(lenses(&snapshot.cancelled_by(&cancel), source, wanted).len(), 0);
    // Two for the graph's runs and its lens, two for each node that runs, and one for the node with references.
    assert_eq!(lenses(&snapshot, source, wanted).len(), 6002);
}
