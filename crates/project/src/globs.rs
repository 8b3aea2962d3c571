//! Path patterns as people know them from `.gitignore`.
//!
//! Input: patterns of a configuration. Output: whether a path, relative to the configuration, matches one.
//! Invariant: a pattern that names a folder means everything below it; without a slash it fits at any depth.

#[cfg(any(test, target_family = "wasm"))]
mod small;

use globset::{Glob, GlobBuilder};
#[cfg(not(target_family = "wasm"))]
use globset::{GlobSet, GlobSetBuilder};
#[cfg(target_family = "wasm")]
use small::{SmallGlobSet as GlobSet, SmallGlobSetBuilder as GlobSetBuilder};

/// A set of patterns.
#[derive(Debug, Clone, Default)]
pub struct Patterns {
    globs: GlobSet,
    written: Vec<String>,
}

impl Patterns {
    /// Reads patterns; the error is the position of the bad one and what is wrong with it.
    pub fn new<'p>(patterns: impl IntoIterator<Item = &'p str>) -> Result<Patterns, (usize, globset::Error)> {
        let mut builder = GlobSetBuilder::new();
        let mut written = Vec::new();
        for pattern in patterns {
            for glob in globs(pattern).map_err(|error| (written.len(), error))? {
                builder.add(glob);
            }
            written.push(pattern.to_owned());
        }
        let globs = builder.build().map_err(|error| (written.len().saturating_sub(1), error))?;
        Ok(Patterns { globs, written })
    }

    /// Whether there is no pattern at all.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }

    /// Whether one of the patterns matches a path with `/` between its parts.
    pub fn fit(&self, path: &str) -> bool {
        self.globs.is_match(path)
    }

    /// The first of the patterns that matches a path, as it is written.
    pub fn fitting(&self, path: &str) -> Option<&str> {
        // Each pattern has two globs, so the number of a glob is twice that of its pattern, or one more.
        let first = *self.globs.matches(path).first()?;
        self.written.get(first / 2).map(String::as_str)
    }
}

/// A pattern as two globs: the path itself, and everything below it.
fn globs(pattern: &str) -> Result<[Glob; 2], globset::Error> {
    let trimmed = pattern.trim_end_matches('/');
    let anchored = match trimmed.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if trimmed.contains('/') => trimmed.to_owned(),
        None => format!("**/{trimmed}"),
    };
    Ok([glob(&anchored)?, glob(&format!("{anchored}/**"))?])
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::Patterns;

    fn check_fit(pattern: &str, path: &str, expected: bool) {
        let patterns = Patterns::new([pattern]).unwrap();
        assert_eq!(patterns.fit(path), expected, "{pattern} on {path}");
    }

    #[test]
    fn patterns_fit_like_those_of_gitignore() {
        check_fit("broken", "broken/a.yaml", true);
        check_fit("broken/", "deep/broken/a.yaml", true);
        check_fit("/broken", "deep/broken/a.yaml", false);
        check_fit("*.yml", "deep/a.yml", true);
        check_fit("a/*.yaml", "a/b/c.yaml", false);
        check_fit("a/**", "a/b/c.yaml", true);
        check_fit("broken", "broken-not/a.yaml", false);
    }

    #[test]
    fn a_pattern_that_fits_is_named_as_it_is_written() {
        let patterns = Patterns::new(["a.yaml", "legacy/", "*.yml"]).unwrap();
        assert_eq!(patterns.fitting("deep/legacy/b.yaml"), Some("legacy/"));
        assert_eq!(patterns.fitting("b.yml"), Some("*.yml"));
        assert_eq!(patterns.fitting("b.yaml"), None);
    }
}
