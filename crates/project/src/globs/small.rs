//! Sets of globs for the module for JavaScript, which must be small.
//!
//! Input: globs, read by `globset`. Output: which of them a path matches. Invariant: the answer is that of `globset`, whose own engine
//! for regular expressions and its tables would be a tenth of the module. A glob is a regular expression already; here the engine runs
//! it that the conditions need anyway.

use globset::Glob;
use regress::{Flags, Regex};

/// Globs that are matched together.
#[derive(Debug, Clone, Default)]
pub(super) struct SmallGlobSet {
    expressions: Vec<Regex>,
}

/// A set that is being made.
#[derive(Debug, Default)]
pub(super) struct SmallGlobSetBuilder {
    set: SmallGlobSet,
}

impl SmallGlobSetBuilder {
    pub(super) fn new() -> SmallGlobSetBuilder {
        SmallGlobSetBuilder::default()
    }

    pub(super) fn add(&mut self, glob: Glob) {
        // It is about bytes, as `(?-u)` says, and a dot is any of them.
        let expression = glob.regex().trim_start_matches("(?-u)");
        let flags = Flags { dot_all: true, ..Flags::default() };
        self.set.expressions.extend(Regex::with_flags(expression, flags).ok());
    }

    /// As in `globset`, which can fail here.
    pub(super) fn build(self) -> Result<SmallGlobSet, globset::Error> {
        Ok(self.set)
    }
}

impl SmallGlobSet {
    pub(super) fn is_empty(&self) -> bool {
        self.expressions.is_empty()
    }

    pub(super) fn is_match(&self, path: &str) -> bool {
        let path = bytes(path);
        self.expressions.iter().any(|expression| expression.find(&path).is_some())
    }

    /// The numbers of the globs that match.
    pub(super) fn matches(&self, path: &str) -> Vec<usize> {
        let path = bytes(path);
        let matching = self.expressions.iter().enumerate();
        matching
            .filter(|(_, expression)| expression.find(&path).is_some())
            .map(|(number, _)| number)
            .collect()
    }
}

/// A text with a character for each byte.
fn bytes(path: &str) -> String {
    path.bytes().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use globset::GlobSetBuilder;

    use super::{super::globs, SmallGlobSetBuilder};

    const PATTERNS: &[&str] = &[
        "a",
        "a/",
        "/a",
        "a.yaml",
        "*.yaml",
        "*.y?ml",
        "a/*.yaml",
        "a/**",
        "**/b",
        "**/b/**",
        "a/**/c.yaml",
        "a/**/**/c.yaml",
        "{a,b}/*.yaml",
        "*.{yaml,yml,json}",
        "[ab].yaml",
        "[!a].yaml",
        "[a-c]*",
        "[^a]*",
        "ä*",
        "*ü.yaml",
        "[äö].yaml",
        "a+b(c).yaml",
        "a\\*b",
        "a#b&c~d-e^f$g.yaml",
        "{a,{b,c}}",
        "**",
        "*",
        "",
        "?",
        "a**b",
        ".*",
        "日本/*",
        "[-a]",
        "[]a]b",
        "x[0-9][0-9].yaml",
    ];
    const PATHS: &[&str] = &[
        "a",
        "b",
        "c",
        "a.yaml",
        "b.yaml",
        "d.yaml",
        "a.yml",
        "a.json",
        "a/b",
        "a/b.yaml",
        "a/b/c.yaml",
        "a/x/y/c.yaml",
        "x/a/b.yaml",
        "x/b/a.json",
        "ä",
        "äb.yaml",
        "xü.yaml",
        "ö.yaml",
        "a+b(c).yaml",
        "a*b",
        "aXb",
        "a#b&c~d-e^f$g.yaml",
        ".hidden",
        "a/.b",
        "日本/x",
        "日本",
        "-",
        "]b",
        "x07.yaml",
        "x7.yaml",
        "a\nb",
        "",
        "a/b/c/d/e/f",
        "ab",
        "a-b",
        "^b",
    ];

    #[test]
    fn the_answer_is_that_of_globset() {
        let mut matching = 0;
        for pattern in PATTERNS {
            let (mut theirs, mut ours) = (GlobSetBuilder::new(), SmallGlobSetBuilder::new());
            for glob in globs(pattern).unwrap() {
                theirs.add(glob.clone());
                ours.add(glob);
            }
            let (theirs, ours) = (theirs.build().unwrap(), ours.build().unwrap());
            assert!(!ours.is_empty());
            assert_eq!(ours.expressions.len(), 2, "{pattern} is an expression of JavaScript");
            for path in PATHS {
                let expected = theirs.matches(path);
                assert_eq!(ours.matches(path), expected, "{pattern} on {path}");
                assert_eq!(ours.is_match(path), !expected.is_empty(), "{pattern} on {path}");
                matching += expected.len();
            }
        }
        assert!(matching > 200, "{matching} pairs match");
    }
}
