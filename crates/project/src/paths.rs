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

/// The same, not copied where the path is such a text.
pub fn as_slashed(path: &Path) -> Cow<'_, str> {
    let parts = || path.components().map(|part| part.as_os_str());
    // A text as long as its parts with a letter between them has nothing else.
    let length: usize = parts().map(|part| part.len() + 1).sum();
    let text = path.to_str().filter(|text| MAIN_SEPARATOR == '/' && text.len() + 1 == length);
    match text.filter(|_| !path.has_root()) {
        Some(text) => Cow::Borrowed(text),
        None => Cow::Owned(parts().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Cow, as_slashed, relative, slashed};
    use std::path::Path;

    #[test]
    fn relative_paths_go_up_where_they_must() {
        let shown = |target: &str, base: &str| slashed(&relative(Path::new(target), Path::new(base)));
        assert_eq!(shown("/p/a/x.yaml", "/p"), "a/x.yaml");
        assert_eq!(shown("/p/a", "/p/b/c"), "../../a");
        assert_eq!(shown("/p", "/p"), "");
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
