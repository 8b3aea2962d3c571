//! The project's own programs that a run may start or import, with their SHA-256.
//!
//! Input: modules, folders of sources, commands; output: files below the project. Imports are followed as they are written, so
//! what a program imports by other means, or finds outside of the project, is not among them. Invariant: nothing is started, and
//! no folder outside of the project is walked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use ring::digest::{Context, SHA256};

/// The endings of files that Python can import.
const IMPORTABLE: [&str; 4] = ["py", "pyc", "so", "pyd"];
/// The file that marks a virtual environment. Its packages are not walked.
const OF_ENVIRONMENT: &str = "pyvenv.cfg";
/// Folders that are not walked, because they hold no sources.
const WITHOUT_SOURCES: [&str; 2] = ["__pycache__", "node_modules"];

/// The files found so far.
pub(super) struct Files {
    /// The project's folder, absolute.
    folder: PathBuf,
    /// The project's folder without symbolic links.
    real: PathBuf,
    found: BTreeSet<PathBuf>,
}

impl Files {
    pub(super) fn new(folder: &Path) -> Files {
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        let folder = plain(&std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()));
        Files { folder, real, found: BTreeSet::new() }
    }

    /// Adds what these functions may import: their modules, everything in the folders of sources, and the modules at the top of
    /// the project, since one of them may hide a module of Python itself.
    pub(super) fn add_functions(&mut self, functions: &BTreeSet<String>, python_path: &[String]) {
        let python_path: Vec<PathBuf> = python_path.iter().map(|source| self.folder.join(source)).collect();
        let sources: Vec<PathBuf> = python_path.iter().cloned().chain([self.folder.clone()]).collect();
        let mut waiting = Vec::new();
        for source in python_path.iter().filter(|source| self.is_own(source)) {
            self.walk(source, &mut BTreeSet::new(), &mut waiting);
        }
        for entry in entries(&self.folder) {
            if is_importable(&entry) && entry.is_file() {
                waiting.push(entry);
            } else if entry.join("__init__.py").is_file() {
                waiting.push(entry.join("__init__.py"));
            }
        }
        for function in functions {
            let module = function.rsplit_once('.').map_or(function.as_str(), |(module, _)| module);
            waiting.extend(modules(&sources, module));
        }
        self.follow(waiting, &sources);
    }

    /// Adds the files of the project that a command names: programs, and the modules after `-m`.
    pub(super) fn add_command(&mut self, command: &[String]) {
        for (place, word) in command.iter().enumerate() {
            let file = self.folder.join(word);
            let is_module =
                place.checked_sub(1).and_then(|before| command.get(before)).is_some_and(|word| word == "-m");
            if !word.is_empty() && file.is_file() && self.is_own(&file) {
                let beside = file.parent().unwrap_or(&self.folder).to_owned();
                self.follow(vec![file], &[beside]);
            } else if is_module {
                let sources = [self.folder.clone()];
                let mut files = modules(&sources, word);
                files.extend(modules(&sources, &format!("{word}.__main__")));
                self.follow(files, &sources);
            }
        }
    }

    /// Adds a file of the project that is only read.
    pub(super) fn add_text(&mut self, file: &str) {
        let file = plain(&self.folder.join(file));
        if self.is_own(&file) {
            self.found.insert(file);
        }
    }

    /// The SHA-256 of each file, by its path in the project.
    pub(super) fn hashes(self) -> BTreeMap<String, String> {
        let name = |file: &PathBuf| {
            let path = file.strip_prefix(&self.folder).unwrap_or(file);
            path.to_string_lossy().replace('\\', "/")
        };
        self.found.iter().map(|file| (name(file), sha256(file))).collect()
    }

    /// Adds files and everything of the project that they import.
    fn follow(&mut self, mut waiting: Vec<PathBuf>, sources: &[PathBuf]) {
        while let Some(file) = waiting.pop() {
            let file = plain(&file);
            if !self.is_own(&file) || !self.found.insert(file.clone()) {
                continue;
            }
            if file.extension().is_none_or(|ending| ending != "py") {
                continue;
            }
            let Ok(text) = fs::read(&file) else { continue };
            for import in imports(&String::from_utf8_lossy(&text)) {
                let dots = import.len() - import.trim_start_matches('.').len();
                let from = file.ancestors().nth(dots).map(Path::to_owned);
                match from.filter(|_| dots > 0) {
                    Some(package) => waiting.extend(modules(&[package], &import[dots..])),
                    None => waiting.extend(modules(sources, &import)),
                }
            }
        }
    }

    /// Collects the importable files in a folder and below it.
    fn walk(&self, folder: &Path, seen: &mut BTreeSet<PathBuf>, files: &mut Vec<PathBuf>) {
        // Links may form a cycle, or lead out of the project.
        let is_new =
            fs::canonicalize(folder).is_ok_and(|real| real.starts_with(&self.real) && seen.insert(real));
        if !is_new || folder.join(OF_ENVIRONMENT).exists() {
            return;
        }
        for entry in entries(folder) {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            if entry.is_dir() {
                if !name.starts_with('.') && !WITHOUT_SOURCES.contains(&name.as_ref()) {
                    self.walk(&entry, seen, files);
                }
            } else if is_importable(&entry) {
                files.push(entry);
            }
        }
    }

    fn is_own(&self, path: &Path) -> bool {
        plain(path).starts_with(&self.folder)
    }
}

/// A path in which `.` and `..` are resolved without reading the disk.
pub(crate) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

fn is_importable(file: &Path) -> bool {
    file.extension().is_some_and(|ending| IMPORTABLE.iter().any(|known| ending == *known))
}

/// The files that importing a module loads from these folders: its own, and those of the packages around it.
fn modules(sources: &[PathBuf], module: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for source in sources {
        let mut path = source.clone();
        let mut candidates = vec![path.join("__init__.py")];
        for part in module.split('.').filter(|part| !part.is_empty()) {
            candidates.push(path.join(format!("{part}.py")));
            candidates.extend(entries(&path).into_iter().filter(|entry| {
                let name = entry.file_name().unwrap_or_default().to_string_lossy();
                is_importable(entry) && name.split('.').next() == Some(part)
            }));
            path.push(part);
            candidates.push(path.join("__init__.py"));
        }
        files.extend(candidates.into_iter().filter(|file| file.is_file()));
    }
    files
}

/// The modules that a Python source imports; for `from a import b` both `a` and `a.b`, since `b` may be a module.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let joined = text.replace("\\\n", " ");
    let mut rest = joined.as_str();
    while let Some(statement) = rest.split(['\n', ';']).next() {
        let words = statement.trim().split_once(char::is_whitespace);
        let mut length = statement.len();
        if let Some(("from", after)) = words {
            let (module, names) = split_at_import(after).unwrap_or((after, ""));
            let module = module.trim();
            found.push(module.to_owned());
            let mut names = names.trim();
            if let Some(open) = names.strip_prefix('(') {
                // Names in brackets continue over several lines.
                let start = statement.trim_end().len() - open.len();
                let end = rest[start..].find(')').unwrap_or(rest.len() - start);
                names = &rest[start..start + end];
                length = start + end;
            }
            let dot = if module.ends_with('.') { "" } else { "." };
            for name in names.split([',', '\n']).filter_map(|name| name.split_whitespace().next()) {
                found.push(format!("{module}{dot}{name}"));
            }
        } else if let Some(("import", names)) = words {
            found.extend(
                names.split(',').filter_map(|name| name.split_whitespace().next()).map(str::to_owned),
            );
        }
        match rest.get(length + 1..) {
            Some(next) => rest = next,
            None => break,
        }
    }
    found
}

/// Splits a `from` statement at the keyword `import`. The letters can also be part of a module's name.
fn split_at_import(text: &str) -> Option<(&str, &str)> {
    text.match_indices("import").map(|(at, word)| (&text[..at], &text[at + word.len()..])).find(
        |(before, after)| {
            before.ends_with(|last: char| last == '.' || last.is_whitespace())
                && !after.starts_with(|next: char| next == '_' || next.is_alphanumeric())
        },
    )
}

/// The SHA-256 of a file in hexadecimal digits; empty if the file cannot be read.
pub(crate) fn sha256(file: &Path) -> String {
    let Ok(bytes) = fs::read(file) else { return "unreadable".to_owned() };
    let mut context = Context::new(&SHA256);
    context.update(&bytes);
    context.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn names(files: Files) -> Vec<String> {
        files.hashes().into_keys().collect()
    }

    #[test]
    fn imports_are_read_as_they_are_written() {
        let text = "import a, b.c as d\nfrom e import f, g as h; import i\n  from .j import (\n    k,\n    l)\nfrom . import m\nimport n\nfrom o import (é  \n, p)\nfrom importer import q\nfrom .important import r\nfrom .import s\n";
        let expected = [
            "a",
            "b.c",
            "e",
            "e.f",
            "e.g",
            "i",
            ".j",
            ".j.k",
            ".j.l",
            ".",
            ".m",
            "n",
            "o",
            "o.é",
            "o.p",
            "importer",
            "importer.q",
            ".important",
            ".important.r",
            ".",
            ".s",
        ]
        .map(str::to_owned);
        assert_eq!(imports(text), expected);
    }

    #[test]
    fn files_of_functions_and_commands_are_found() {
        let folder = std::env::temp_dir().join(format!("nodewise-files-{}", std::process::id()));
        for (path, text) in [
            ("office.py", "import shop.helper\n"),
            ("json.py", ""),
            ("shop/__init__.py", ""),
            ("shop/helper.py", "from .deep import thing\n"),
            ("shop/deep/thing.py", ""),
            ("shop/unused.py", ""),
            ("src/a/b.py", ""),
            ("src/.venv/c.py", ""),
            ("servers/documents.py", "import beside\n"),
            ("servers/beside.py", ""),
            ("servers/module/__main__.py", ""),
        ] {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut files = Files::new(&folder);
        files.add_functions(&BTreeSet::from(["office.look".to_owned()]), &["src".to_owned()]);
        let expected = [
            "json.py",
            "office.py",
            "shop/__init__.py",
            "shop/deep/thing.py",
            "shop/helper.py",
            "src/a/b.py",
        ];
        assert_eq!(names(files), expected);

        let mut files = Files::new(&folder);
        files.add_command(&["python3", "servers/documents.py", "../x"].map(str::to_owned));
        files.add_command(&["python3", "-m", "servers.module"].map(str::to_owned));
        assert_eq!(names(files), ["servers/beside.py", "servers/documents.py", "servers/module/__main__.py"]);
        assert_eq!(
            sha256(&folder.join("json.py")),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
