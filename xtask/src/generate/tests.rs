//! Tests of how `generate` changes the files of a folder.

use super::{GeneratedFile, Generator, write_files};

#[test]
fn fresh_files_stay_stale_ones_are_written_and_left_over_ones_go() {
    let root = std::env::temp_dir().join(format!("nodewise-generate-{}", std::process::id()));
    let pages = root.join("docs/pages");
    std::fs::create_dir_all(pages.join("by-hand")).expect("a folder for the test");
    for (name, text) in [("fresh", "fresh\n"), ("stale", "old\n"), ("left-over", "old\n")] {
        std::fs::write(pages.join(format!("{name}.md")), text).expect("a file for the test");
    }
    let generator = Generator {
        name: "pages",
        owned_folder: Some("docs/pages/"),
        files: || {
            ["fresh", "stale", "new/deep"]
                .map(|name| GeneratedFile {
                    path: format!("docs/pages/{name}.md"),
                    text: format!("{name}\n"),
                })
                .into()
        },
    };

    let changed = write_files(&root, &generator).expect("the files can be written");

    assert_eq!(
        changed,
        ["removed docs/pages/left-over.md", "wrote docs/pages/stale.md", "wrote docs/pages/new/deep.md"]
    );
    for name in ["fresh", "stale", "new/deep"] {
        let text = std::fs::read_to_string(pages.join(format!("{name}.md"))).expect("a generated file");
        assert_eq!(text, format!("{name}\n"));
    }
    assert!(!pages.join("left-over.md").exists());
    let changed_again = write_files(&root, &generator).expect("the files can be written");
    assert!(changed_again.is_empty());
    std::fs::remove_dir_all(root).expect("the test's folder goes");
}
