//! The files of a project that a module may import: those that its texts name by relative paths, and so on from these.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::planning::plain;

/// The endings that an import may leave out or replace by another one.
const ENDINGS: [&str; 8] = ["ts", "tsx", "mts", "cts", "js", "mjs", "cjs", "json"];

/// The module, and all files below the folder that it may import, directly or not, sorted by path.
pub(super) fn reachable(module: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![module.to_owned()];
    while let Some(file) = waiting.pop() {
        if !file.starts_with(folder) || !found.insert(file.clone()) {
            continue;
        }
        let (Ok(text), Some(beside)) = (std::fs::read_to_string(&file), file.parent()) else { continue };
        for path in relative_paths(&text) {
            waiting.extend(files_of(&beside.join(path)));
        }
    }
    found.into_iter().collect()
}

/// The texts in quotes that look like relative paths.
fn relative_paths(text: &str) -> impl Iterator<Item = &str> {
    ['\'', '"', '`'].into_iter().flat_map(move |quote| {
        let is_path =
            |text: &&str| (text.starts_with("./") || text.starts_with("../")) && !text.contains('\n');
        text.split(quote).filter(is_path)
    })
}

/// The files that an imported path may mean.
fn files_of(path: &Path) -> Vec<PathBuf> {
    let plain = plain(path);
    let with = |ending: &str| PathBuf::from(format!("{}.{ending}", plain.display()));
    let mut candidates = vec![plain.clone()];
    for ending in ENDINGS {
        candidates.extend([
            with(ending),
            plain.with_extension(ending),
            plain.join("index").with_extension(ending),
        ]);
    }
    candidates.retain(|file| file.is_file());
    candidates
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::reachable;

    #[test]
    fn imports_are_followed_as_they_are_written() {
        let folder = std::env::temp_dir().join(format!("nodewise-modules-{}", std::process::id()));
        for (path, text) in [
            (
                "a/main.ts",
                "import x from './keys.js';\nexport * from \"../lib\"\nimport 'zod'; const t = `./data`;",
            ),
            ("a/keys.ts", "await import('./gone.js')"),
            ("a/unused.ts", ""),
            ("a/data.json", "{}"),
            ("lib/index.mts", "require('../../outside.js')"),
        ] {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let found = reachable(&folder.join("a/main.ts"), &folder);
        let names: Vec<_> =
            found.iter().map(|file| file.strip_prefix(&folder).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a/data.json", "a/keys.ts", "a/main.ts", "lib/index.mts"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
