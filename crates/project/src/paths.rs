//! Paths: absolute for looking up, relative for showing, with slashes for globs.
//!
//! Input: paths as the user gave them. Output: paths and texts. Invariant: nothing here depends on what a file
//! contains, and only [`absolute`] asks the file system.

use std::borrow::Cow;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// The absolute form of a path. Only a path with `..` needs the file system, since links may lie before it.
pub fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    if path.components().any(|component| component == Component::ParentDir) {
        return path.canonicalize();
    }
    std::path::absolute(path).map(|path| path.components().collect())
}

/// How to reach `target` from the folder `base`, both absolute; the empty path for `base` itself.
pub fn relative(target: &Path, base: &Path) -> PathBuf {
    let shared = target.components().zip(base.components()).take_while(|(one, other)| one == other).count();
    let up = base.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(target.components().skip(shared)).collect()
}

/// The text of a relative path with `/` between its parts.
pub fn slashed(path: &Path) -> String {
    as_slashed(path).into_owned()
}

/// Like [`slashed`], but does not copy a path that already has this form.
pub fn as_slashed(path: &Path) -> Cow<'_, str> {
    let parts = || path.components().map(|part| part.as_os_str());
    // A text of exactly this length has one separator between its parts, and nothing else.
    let length: usize = parts().map(|part| part.len() + 1).sum();
    let text = path.to_str().filter(|text| MAIN_SEPARATOR == '/' && text.len() + 1 == length);
    match text.filter(|_| !path.has_root()) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(parts().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")),
    }
}

/// The text of a path relative to a folder, if it is below that, with `/` between its parts.
pub fn slashed_below<'p>(path: &'p Path, folder: &Path) -> Option<Cow<'p, str>> {
    // Comparing letters is enough for most paths, and there are many files.
    letters_below(path, folder).map(Cow::Borrowed).or_else(|| path.strip_prefix(folder).ok().map(as_slashed))
}

/// The same, if the letters of the folder come first and none of the others stands for nothing.
fn letters_below<'p>(path: &'p Path, folder: &Path) -> Option<&'p str> {
    let folder = folder.to_str().filter(|folder| MAIN_SEPARATOR == '/' && !folder.is_empty())?;
    let rest = path.to_str()?.strip_prefix(folder)?.strip_prefix('/')?;
    rest.split('/').all(|part| !matches!(part, "" | ".")).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::{Cow, as_slashed, relative, slashed, slashed_below};
    use std::path::Path;

    #[test]
    fn relative_paths_go_up_where_they_must() {
        let shown = |target: &str, base: &str| slashed(&relative(Path::new(target), Path::new(base)));
        assert_eq!(shown("/p/a/x.yaml", "/p"), "a/x.yaml");
        assert_eq!(shown("/p/a", "/p/b/c"), "../../a");
        assert_eq!(shown("/p", "/p"), "");
    }

    #[test]
    fn what_is_below_a_folder_is_what_its_path_says() {
        let folders = ["/p", "/p/", "/p/.", "//p", "/", "p", "./p", ".", "", "/p/a"];
        let paths = [
            "/p",
            "/p/",
            "/p/a",
            "/p//a",
            "/p/./a",
            "/p/a/b.yaml",
            "/p/a//b.yaml",
            "/p/a/",
            "/p/../a",
            "/pa/b",
            "p/a",
            "./p/a",
            "a",
            "",
        ];
        for folder in folders.map(Path::new) {
            for path in paths.map(Path::new) {
                let expected = path.strip_prefix(folder).ok().map(slashed);
                assert_eq!(
                    slashed_below(path, folder).map(Cow::into_owned),
                    expected,
                    "{path:?} in {folder:?}"
                );
            }
        }
    }

    #[test]
    fn texts_have_one_slash_between_their_parts() {
        for (path, expected) in [
            ("a/b.yaml", "a/b.yaml"),
            ("b.yaml", "b.yaml"),
            ("a//b.yaml", "a/b.yaml"),
            ("a/./b.yaml", "a/b.yaml"),
            ("./b.yaml", "./b.yaml"),
            ("../b.yaml", "../b.yaml"),
            ("a/", "a"),
            ("", ""),
        ] {
            assert_eq!(as_slashed(Path::new(path)), expected);
        }
        assert_eq!(cfg!(unix), matches!(as_slashed(Path::new("a/b.yaml")), Cow::Borrowed(_)));
    }
}
