//! The functions of a project's programs, by the dotted paths that declarations name. In: Python files by path; out: where
//! a function is defined. A path is looked up from any source root: its module is the end of a file's path, and what two
//! files could mean is neither.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::python::{self, Function};
use crate::registrations::{RegisteredNames, Registration, registrations};

/// Many projects keep their packages in this folder, which is not part of the module path itself.
const SOURCE_ROOT: &str = "src.";

/// The functions in the Python files of a project.
#[derive(Debug, Clone, Default)]
pub struct Functions {
    modules: BTreeMap<String, Arc<Module>>,
    /// The modules by the last component of their dotted path.
    by_last: FxHashMap<SmolStr, Vec<Arc<Module>>>,
}

/// A Python file.
#[derive(Debug, PartialEq, Eq)]
pub struct Module {
    /// The path relative to the project, with `/` between its parts.
    pub path: String,
    /// The dotted path of the module, from the project's root.
    pub name: String,
    /// The functions and classes that it defines, in reading order.
    pub functions: Vec<Function>,
    /// The declarations that it registers, in reading order.
    pub registrations: Vec<Registration>,
}

/// A Python file that was added, changed or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PythonChange {
    /// The path relative to the project, with `/` between its parts.
    pub path: String,
    /// The new text; `None` if the file was removed.
    pub text: Option<Arc<str>>,
}

impl Functions {
    /// Applies changes to the project's Python files.
    pub fn apply(&mut self, changes: Vec<PythonChange>) {
        for PythonChange { path, text } in changes {
            self.remove(&path);
            let name = python::module_path(&path);
            if let (Some(name), Some(text)) = (name, text) {
                let functions = python::functions(&text);
                let registrations = registrations(&text);
                let module = Arc::new(Module { path: path.clone(), name, functions, registrations });
                self.by_last.entry(last_part(&module.name)).or_default().push(Arc::clone(&module));
                self.modules.insert(path, module);
            }
        }
    }

    /// Whether the project has no Python files.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// The Python files, ordered by path.
    pub fn modules(&self) -> impl Iterator<Item = &Module> {
        self.modules.values().map(Arc::as_ref)
    }

    /// The names that the programs register.
    #[must_use]
    pub fn registered(&self) -> RegisteredNames {
        self.modules.values().flat_map(|module| &module.registrations).collect()
    }

    /// The places where programs register a name as one of these kinds, ordered by file.
    pub fn registering<'f>(
        &'f self,
        kinds: &'f [&'f str],
        name: &'f str,
    ) -> impl Iterator<Item = (&'f Module, &'f Registration)> {
        let all = self.modules.values().flat_map(|module| {
            module.registrations.iter().map(move |registration| (module.as_ref(), registration))
        });
        all.filter(move |(_, one)| one.name == name && kinds.contains(&one.kind))
    }

    /// The function with a dotted path, and the file that defines it.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<(&Module, &Function)> {
        let module = self.module_of(path)?;
        let name = path.get(self.module_length(path)? + 1..)?;
        Some((module, module.functions.iter().find(|function| function.name == name)?))
    }

    /// The file of the module with which a dotted path begins.
    #[must_use]
    pub fn module_of(&self, path: &str) -> Option<&Module> {
        self.module(path.get(..self.module_length(path)?)?)
    }

    /// The length in bytes of the part of a dotted path that names the module.
    #[must_use]
    pub fn module_length(&self, path: &str) -> Option<usize> {
        let defines = |end: &usize| {
            let (Some(module), Some(name)) = (path.get(..*end), path.get(end + 1..)) else { return false };
            self.module(module)
                .is_some_and(|module| module.functions.iter().any(|function| function.name == name))
        };
        path.rmatch_indices('.').map(|(end, _)| end).find(defines)
    }

    /// The dotted paths of functions that begin with a text, sorted. Includes classes, because their methods have longer
    /// paths.
    pub fn beginning_with<'f>(
        &'f self,
        prefix: &'f str,
    ) -> impl Iterator<Item = (String, &'f Module, &'f Function)> {
        let has_root_package = self.modules.contains_key("src/__init__.py");
        self.modules.values().flat_map(move |module| {
            let name = module.name.as_str();
            let name = name.strip_prefix(SOURCE_ROOT).filter(|_| !has_root_package).unwrap_or(name);
            let may_begin = name.starts_with(prefix) || prefix.starts_with(name);
            let functions = module.functions.iter().filter(move |_| may_begin);
            functions.filter_map(move |function| {
                let path = format!("{name}.{}", function.name);
                path.starts_with(prefix).then_some((path, module.as_ref(), function))
            })
        })
    }

    /// The module with a dotted path: a file with exactly this path, or else the only file whose path ends with it.
    fn module(&self, name: &str) -> Option<&Module> {
        let candidates = self.by_last.get(last_part(name).as_str())?;
        if let Some(exact) = candidates.iter().find(|module| module.name == name) {
            return Some(exact);
        }
        let ends_so =
            |module: &&Arc<Module>| module.name.strip_suffix(name).is_some_and(|root| root.ends_with('.'));
        let mut fitting = candidates.iter().filter(ends_so);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Some(only),
            _ => None,
        }
    }

    fn remove(&mut self, path: &str) {
        let Some(module) = self.modules.remove(path) else { return };
        if let Some(same) = self.by_last.get_mut(last_part(&module.name).as_str()) {
            same.retain(|other| other.path != module.path);
        }
    }
}

fn last_part(name: &str) -> SmolStr {
    SmolStr::new(name.rsplit('.').next().unwrap_or(name))
}

#[cfg(test)]
mod tests {
    use super::{Functions, PythonChange};

    fn functions(files: &[(&str, &str)]) -> Functions {
        let mut functions = Functions::default();
        let change = |(path, text): &(&str, &str)| PythonChange {
            path: (*path).to_owned(),
            text: Some((*text).into()),
        };
        functions.apply(files.iter().map(change).collect());
        functions
    }

    fn check_find(functions: &Functions, path: &str, expected: Option<(&str, &str)>) {
        let found =
            functions.find(path).map(|(module, function)| (module.path.as_str(), function.name.as_str()));
        assert_eq!(found, expected, "{path}");
    }

    const FILES: &[(&str, &str)] = &[
        ("src/app/tools/__init__.py", "def here(): pass\nclass Box:\n  def open(self): pass\n"),
        ("src/app/tools/search.py", "def run(): pass\n"),
        ("other/app/main.py", "def run(): pass\n"),
        ("third/app/main.py", "def run(): pass\n"),
    ];

    #[test]
    fn from_any_source_root() {
        let functions = functions(FILES);
        check_find(&functions, "app.tools.search.run", Some(("src/app/tools/search.py", "run")));
        check_find(&functions, "src.app.tools.search.run", Some(("src/app/tools/search.py", "run")));
        check_find(&functions, "app.tools.here", Some(("src/app/tools/__init__.py", "here")));
        check_find(&functions, "app.tools.Box.open", Some(("src/app/tools/__init__.py", "Box.open")));
        check_find(&functions, "third.app.main.run", Some(("third/app/main.py", "run")));
        check_find(&functions, "app.main.run", None);
        check_find(&functions, "ols.search.run", None);
        check_find(&functions, "app.tools.gone", None);
        check_find(&functions, "", None);
    }

    #[test]
    fn after_changes() {
        let mut functions = functions(FILES);
        let gone = PythonChange { path: "third/app/main.py".to_owned(), text: None };
        functions.apply(vec![gone]);
        check_find(&functions, "app.main.run", Some(("other/app/main.py", "run")));
        let text = Some("def walk(): pass".into());
        functions.apply(vec![PythonChange { path: "other/app/main.py".to_owned(), text }]);
        check_find(&functions, "app.main.run", None);
        check_find(&functions, "app.main.walk", Some(("other/app/main.py", "walk")));
    }

    #[test]
    fn by_their_beginning() {
        let functions = functions(FILES);
        let paths = |prefix: &str| -> Vec<String> {
            functions.beginning_with(prefix).map(|(path, _, _)| path).collect()
        };
        assert_eq!(paths("app.tools.s"), ["app.tools.search.run"]);
        assert_eq!(
            paths("app.t"),
            ["app.tools.here", "app.tools.Box", "app.tools.Box.open", "app.tools.search.run"]
        );
        assert_eq!(paths("x").len(), 0);
        assert_eq!(paths("").len(), 6);
    }
}
