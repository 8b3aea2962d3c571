//! The example projects that `nodewise init --example` writes: those of this repository's `examples`.
//!
//! Input: a system and a folder. Output: files. Invariant: no existing file is overwritten.

use std::path::Path;

use anyhow::{Context, Result, bail};

/// A file of an example: its path in the project, and its text.
type ExampleFile = (&'static str, &'static str);

/// The files of an example, with their texts.
macro_rules! files {
    ($system:literal: $($path:literal,)*) => {
        &[$(($path, include_str!(concat!("../../../../examples/", $system, "/", $path)))),*]
    };
}

/// The examples, by the ids of their systems.
pub(super) const EXAMPLES: &[(&str, &[ExampleFile])] = &[
    (
        "liman",
        files!["liman":
            "accounts/desk.yaml",
            "desk.eval.yaml",
            "desk.scenario.yaml",
            "desk.yaml",
            "desk/__init__.py",
            "desk/rules.py",
            "desk/steps.py",
            "desk/tools.py",
            "nodewise.toml",
            "overlays/de.yaml",
            "overlays/en.yaml",
            "steps.yaml",
            "tools/customers.yaml",
            "tools/tickets.yaml",
        ],
    ),
    (
        "cycgraph",
        files!["cycgraph":
            "agents.yaml",
            "claims.scenario.yaml",
            "claims.script.yaml",
            "claims.yaml",
            "documents.py",
            "nodewise.toml",
            "office.py",
            "rates.bundle.json",
            "settlement.yaml",
        ],
    ),
    (
        "agentos",
        files!["agentos":
            "nodewise.toml",
            "order-history.json",
            "refunds.scenario.yaml",
            "refunds.script.yaml",
            "refunds.yaml",
            "services.py",
        ],
    ),
];

/// Writes the example of a system; the paths of its files.
pub(super) fn write(system: &str, folder: &Path) -> Result<Vec<&'static str>> {
    let Some((_, files)) = EXAMPLES.iter().find(|(id, _)| *id == system) else {
        let known: Vec<&str> = EXAMPLES.iter().map(|(id, _)| *id).collect();
        bail!("there is no example for `{system}`\n  help: the examples are {}", known.join(", "));
    };
    if let Some((path, _)) = files.iter().find(|(path, _)| folder.join(path).exists()) {
        bail!("`{}` already exists\n  help: choose an empty folder", folder.join(path).display());
    }
    for (path, text) in *files {
        let path = folder.join(path);
        let unwritable = || format!("`{}` cannot be written", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(unwritable)?;
        }
        std::fs::write(&path, text).with_context(unwritable)?;
    }
    Ok(files.iter().map(|(path, _)| *path).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::EXAMPLES;

    fn files_below(folder: &Path, root: &Path, found: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            match path.is_dir() {
                true if name.starts_with(['.', '_']) => {}
                true => files_below(&path, root, found),
                false => {
                    found.insert(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
                }
            }
        }
    }

    #[test]
    fn an_example_has_every_file_of_its_folder() {
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find_map(|folder| {
            let examples = folder.join("examples");
            examples.join("nodewise.toml").is_file().then_some(examples)
        });
        for (system, files) in EXAMPLES {
            let folder = examples.as_ref().unwrap().join(system);
            let mut found = BTreeSet::new();
            files_below(&folder, &folder, &mut found);
            assert_eq!(files.iter().map(|(path, _)| (*path).to_owned()).collect::<BTreeSet<_>>(), found);
        }
    }
}
