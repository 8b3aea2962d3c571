//! Which modules a project needs: those that may build documents, and what they import. All others are left out, so that
//! programs in the same folder cost no more than being looked at.

use std::sync::Arc;

pub use nodewise_modules::is_module;
use nodewise_modules::{imported_paths, imports_builders};
use nodewise_platform::threads::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Debug, Clone, Copy)]
pub struct ReadFile<'f> {
    /// The path relative to the project.
    pub path: &'f str,
    pub text: &'f Arc<str>,
    /// Whether the user named it. Such a file is always needed.
    pub is_named: bool,
}

/// For each file whether the project needs it.
#[must_use]
pub fn needed(files: &[ReadFile<'_>]) -> Vec<bool> {
    let modules = files.iter().enumerate().filter(|(_, file)| is_module(file.path));
    let by_path: FxHashMap<&str, usize> = modules.map(|(number, file)| (file.path, number)).collect();
    let builds = |file: &&ReadFile<'_>| is_module(file.path) && imports_builders(file.text);
    let mut waiting: Vec<&ReadFile<'_>> = files.par_iter().filter(builds).collect();
    let mut found: FxHashSet<&str> = waiting.iter().map(|file| file.path).collect();
    while !waiting.is_empty() {
        let imports: Vec<_> = waiting.par_iter().map(|file| imported_paths(file.path, file.text)).collect();
        let there = imports
            .iter()
            .flatten()
            .filter_map(|paths| paths.iter().find_map(|path| files.get(*by_path.get(path.as_str())?)));
        waiting = there.filter(|there| found.insert(there.path)).collect();
    }
    files.iter().map(|file| file.is_named || !is_module(file.path) || found.contains(file.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_without_builders_are_left_out_unless_they_are_imported() {
        let texts: [(&str, Arc<str>); 6] = [
            ("a.yaml", "kind: x".into()),
            (
                "graph.ts",
                "import { graph } from '@cycgraph/orchestrator';\nimport { key } from './keys.js';".into(),
            ),
            ("keys.ts", "export { key } from './deep'".into()),
            ("deep/index.ts", "export const key = 'k'".into()),
            ("other.ts", "export const other = 1".into()),
            ("named.ts", "export const named = 1".into()),
        ];
        let files = texts.iter().map(|(path, text)| ReadFile { path, text, is_named: *path == "named.ts" });
        let files: Vec<ReadFile<'_>> = files.collect();
        assert_eq!(needed(&files), [true, true, true, true, false, true]);
    }
}
