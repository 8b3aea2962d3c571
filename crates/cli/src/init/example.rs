//! The example projects that `nodewise init --example` writes: those of this repository's `examples`.
//!
//! Input: a system and a folder. Output: files. Invariant: no existing file is overwritten.

use std::path::Path;

use anyhow::{Context, Result, bail};
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;

/// The systems with an example.
fn with_example() -> impl Iterator<Item = &'static Dialect> {
    DIALECTS.iter().copied().filter(|dialect| !dialect.example.is_empty())
}

/// The ids of the systems with an example.
pub(super) fn systems() -> Vec<&'static str> {
    with_example().map(|dialect| dialect.id).collect()
}

/// Writes the example of a system; the paths of its files.
pub(super) fn write(system: &str, folder: &Path) -> Result<Vec<&'static str>> {
    let Some(dialect) = with_example().find(|dialect| dialect.id == system) else {
        bail!("there is no example for `{system}`\n  help: the examples are {}", systems().join(", "));
    };
    let files = dialect.example;
    if let Some(file) = files.iter().find(|file| folder.join(file.path).exists()) {
        bail!("`{}` already exists\n  help: choose an empty folder", folder.join(file.path).display());
    }
    for file in files {
        let path = folder.join(file.path);
        let unwritable = || format!("`{}` cannot be written", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(unwritable)?;
        }
        std::fs::write(&path, file.text).with_context(unwritable)?;
    }
    Ok(files.iter().map(|file| file.path).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::with_example;

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
        for dialect in with_example() {
            let folder = examples.as_ref().unwrap().join(dialect.id);
            let mut found = BTreeSet::new();
            files_below(&folder, &folder, &mut found);
            let files: BTreeSet<String> = dialect.example.iter().map(|file| file.path.to_owned()).collect();
            assert_eq!(files, found);
        }
    }
}
