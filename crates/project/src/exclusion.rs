//! Why an editor's file is not part of a project.
//!
//! Input: a file and the folder that is open. Output: the configuration and the pattern that exclude it. Invariant: the
//! outermost configuration that excludes the file is the reason, because projects inside what it excludes are not read.

use std::path::{Path, PathBuf};

use nodewise_syntax::{LineIndex, TextSize};
use toml::Spanned;
use toml::de::DeTable;

use crate::config::{Config, FILE_NAME, Unwanted};
use crate::{paths, reading};

/// Why a file does not belong to a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusion {
    /// The path of the configuration file that leaves it out.
    pub config: PathBuf,
    /// The pattern of `exclude`. `None` if `include` lists other files only.
    pub pattern: Option<String>,
    /// The line of the pattern, from 1.
    pub line: Option<u32>,
}

/// Why a file is left out, by the outermost configuration inside the folder `within` that does so. `None` if none does.
#[must_use]
pub fn exclusion(file: &Path, within: &Path) -> Option<Exclusion> {
    let inside: Vec<&Path> =
        file.ancestors().skip(1).take_while(|around| around.starts_with(within)).collect();
    inside.into_iter().rev().find_map(|folder| {
        let config = folder.join(FILE_NAME);
        let text = reading::read(&config, reading::MIB).ok()?;
        let relative = paths::slashed(file.strip_prefix(folder).ok()?);
        let (read, _) = Config::judge(&text);
        let pattern = match read.filter.unwanted(&relative)? {
            Unwanted::NotIncluded => None,
            Unwanted::Excluded(pattern) => Some(pattern.to_owned()),
        };
        let key = if pattern.is_some() { "exclude" } else { "include" };
        let line = line_of(&text, key, pattern.as_deref());
        Some(Exclusion { config, pattern, line })
    })
}

/// The line of a pattern in a list of the table `files`, from 1. The line of the list's key if there is no such pattern.
fn line_of(text: &str, key: &str, pattern: Option<&str>) -> Option<u32> {
    let (root, _) = DeTable::parse_recoverable(text);
    let files = root.get_ref().get("files")?.get_ref().as_table()?;
    let (name, list) = files.get_key_value(key)?;
    let mut items = list.get_ref().as_array().into_iter().flat_map(|items| items.iter());
    let named = items.find(|item| pattern.is_some() && item.get_ref().as_str() == pattern);
    let begin = named.map_or_else(|| name.span(), Spanned::span).start;
    Some(LineIndex::new(text).line_col(TextSize::try_from(begin).ok()?).line)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::exclusion;

    /// The file that excludes another, the pattern and its line.
    #[track_caller]
    fn check_exclusion(files: &[(&str, &str)], file: &str, expected: Option<(&str, Option<&str>, u32)>) {
        let name = file.replace('/', "-");
        let root = std::env::temp_dir().join(format!("nodewise-exclusion-{}-{name}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = exclusion(&root.join(file), &root);
        let found = found.as_ref().map(|found| {
            let config = found.config.strip_prefix(&root).unwrap().to_str().unwrap();
            (config, found.pattern.as_deref(), found.line.unwrap())
        });
        assert_eq!(found, expected, "{file}");
        fs::remove_dir_all(&root).ok();
    }

    #[test]
    fn the_outermost_configuration_is_the_reason() {
        let files = [
            ("nodewise.toml", "# Examples.\n[files]\nexclude = [\n  \"old\",\n  '*-broken',\n]\n"),
            ("claims-broken/nodewise.toml", "[files]\nexclude = [\"a.yaml\"]\n"),
            ("flows/nodewise.toml", "[files]\ninclude = [\"*.yml\"]\n"),
        ];
        check_exclusion(&files, "claims-broken/a.yaml", Some(("nodewise.toml", Some("*-broken"), 5)));
        check_exclusion(&files, "old/a.yaml", Some(("nodewise.toml", Some("old"), 4)));
        check_exclusion(&files, "flows/a.yaml", Some(("flows/nodewise.toml", None, 2)));
        check_exclusion(&files, "claims/a.yaml", None);
    }

    #[test]
    fn the_line_is_that_of_the_table_of_files() {
        let files = [
            ("nodewise.toml", "[dialect]\nincluded = \"none\"\n\n[files]\ninclude = [\"*.yml\"]\n"),
            ("old/nodewise.toml", "[dialect]\nexclude = \"none\"\n[files]\nexclude = [\"\\u0061.yml\"]\n"),
        ];
        check_exclusion(&files, "a.yaml", Some(("nodewise.toml", None, 5)));
        check_exclusion(&files, "old/a.yml", Some(("old/nodewise.toml", Some("a.yml"), 4)));
    }
}
