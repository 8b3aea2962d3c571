//! Tests of the committed files, and of how `generate` changes the files of a folder.

use xtask::checkout::checkout_root;

use super::{GeneratedFile, Generator, changes, generators};

#[test]
fn committed_files_are_current() {
    let root = checkout_root();
    let mut reports = Vec::new();
    for generator in generators() {
        let changes = changes(&root, &generator).expect("the committed files can be read");
        reports.extend(changes.iter().map(|change| change.report(&root, generator.name)));
    }
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}

#[test]
fn current_files_stay_outdated_ones_are_written_and_left_over_ones_go() {
    let root = std::env::temp_dir().join(format!("nodewise-generate-{}", std::process::id()));
    let pages = root.join("docs/pages");
    std::fs::create_dir_all(pages.join("by-hand")).expect("a folder for the test");
    for (name, text) in [("current", "current\r\n"), ("outdated", "old\n"), ("left-over", "old\n")] {
        std::fs::write(pages.join(format!("{name}.md")), text).expect("a file for the test");
    }
    let generator = Generator {
        name: "pages",
        owned_folder: Some("docs/pages/"),
        files: || {
            ["current", "outdated", "new/deep"]
                .map(|name| GeneratedFile {
                    path: format!("docs/pages/{name}.md"),
                    text: format!("{name}\n"),
                })
                .into()
        },
    };

    let found = changes(&root, &generator).expect("the files can be read");
    let reports: Vec<String> = found.iter().map(|change| change.report(&root, generator.name)).collect();
    assert_eq!(
        reports,
        [
            "docs/pages/left-over.md: no longer generated: run `cargo xtask generate` (pages)",
            "docs/pages/outdated.md: outdated: run `cargo xtask generate` (pages)",
            "docs/pages/new/deep.md: missing: run `cargo xtask generate` (pages)",
        ]
    );
    for change in &found {
        change.apply(&root).expect("the files can be written");
    }

    for (name, text) in [("current", "current\r\n"), ("outdated", "outdated\n"), ("new/deep", "new/deep\n")] {
        let found = std::fs::read_to_string(pages.join(format!("{name}.md"))).expect("a generated file");
        assert_eq!(found, text);
    }
    assert!(!pages.join("left-over.md").exists());
    assert!(changes(&root, &generator).expect("the files can be read").is_empty());
    std::fs::remove_dir_all(root).expect("the test's folder goes");
}
