//! Tests of names that must be updated, and of names that belong to others.

use super::{Names, is_version, with_version};

const MANIFEST: &str = "\
[workspace.package]
version = \"0.2.0\"
repository = \"https://github.com/acme/nodewise\"

[workspace.dependencies]
nodewise-syntax = { path = \"crates/syntax\", version = \"0.1.0\" }
anyhow = \"1\"
";

fn check_corrected(path: &str, text: &str, expected: &str) {
    let names = Names::read(MANIFEST).expect("a manifest with both names");
    assert_eq!(names.corrected(path, text), expected, "{path}");
    assert_eq!(names.mismatches(path, expected), [], "{path}");
}

#[test]
fn every_place_follows_the_manifest() {
    check_corrected("Cargo.toml", MANIFEST, &MANIFEST.replace("version = \"0.1.0\"", "version = \"0.2.0\""));
    check_corrected(
        "docs/ci.md",
        "  - repo: https://github.com/OWNER/nodewise\n    rev: v0.1.0\n- uses: OWNER/nodewise@v0.1.0\nnodewise==0.1.0, `nodewise@0.1.0`\n",
        "  - repo: https://github.com/acme/nodewise\n    rev: v0.2.0\n- uses: acme/nodewise@v0.2.0\nnodewise==0.2.0, `nodewise@0.2.0`\n",
    );
    check_corrected(
        "editors/vscode/package.json",
        "{\n  \"name\": \"nodewise\",\n  \"version\": \"0.1.0\",\n  \"engines\": {\n    \"version\": \"0.1.0\"\n  }\n}\n",
        "{\n  \"name\": \"nodewise\",\n  \"version\": \"0.2.0\",\n  \"engines\": {\n    \"version\": \"0.1.0\"\n  }\n}\n",
    );
}

#[test]
fn what_belongs_to_others_stays() {
    for (path, text) in [
        ("docs/ci.md", "liman==0.1.0, rev: v1, https://github.com/folke/lazy.nvim\n"),
        ("docs/live.md", "nodewise==0.1.0\n"),
        ("docs/live.md", "https://github.com/other/nodewise-mirror\n"),
        ("tests/data/a.yml", "uses: OWNER/nodewise@v0.1.0\n"),
    ] {
        check_corrected(path, text, text);
    }
}

#[test]
fn a_version_is_three_numbers() {
    for (text, is_one) in
        [("0.1.0", true), ("10.20.30", true), ("0.1", false), ("0.1.0-rc.1", false), ("0.01.0", false)]
    {
        assert_eq!(is_version(text), is_one, "{text}");
    }
    let manifest = with_version(MANIFEST, "1.0.0").expect("a manifest with a version");
    assert_eq!(manifest, MANIFEST.replace("0.2.0", "1.0.0"));
}
