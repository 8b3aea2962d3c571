//! Results of evals in a file of their own, for build servers that keep no store.
//!
//! Input: the sums of evals, by their files and titles; output: JSON, and the same read back. Invariant: what did not run keeps the
//! results that the file has.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};

use super::results::Sums;
use crate::store::Moment;

/// The version of the file's format.
const VERSION: u32 = 1;

/// The content of a file with results of evals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SavedResults {
    version: u32,
    evals: Vec<SavedEval>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct SavedEval {
    /// The path of the eval's file, as reports show it.
    file: String,
    title: String,
    /// When the results were saved, in milliseconds since 1970.
    saved: i64,
    results: Sums,
}

/// Earlier results, with which new ones are compared.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierResults {
    pub sums: Sums,
    /// When they were accepted or saved.
    pub moment: Moment,
    /// The file with the results; `None` if they are in the store.
    pub file: Option<String>,
}

impl Default for SavedResults {
    fn default() -> SavedResults {
        SavedResults { version: VERSION, evals: Vec::new() }
    }
}

impl SavedResults {
    /// Reads a file.
    ///
    /// # Errors
    /// Where there is no such file, or it does not hold results of this version.
    pub fn read(path: &Path) -> Result<SavedResults> {
        let shown = path.display();
        let help = "`nodewise eval --save` writes such a file";
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("`{shown}` cannot be read\n  help: {help}"))?;
        let saved: SavedResults = serde_json::from_str(&text)
            .with_context(|| format!("`{shown}` does not hold the results of evals\n  help: {help}"))?;
        let results = saved.evals.iter().map(|eval| &eval.results);
        ensure!(
            saved.version == VERSION && results.into_iter().all(Sums::is_current),
            "the results in `{shown}` were written by another version of nodewise\n  help: write them again with \
             `nodewise eval --save`"
        );
        Ok(saved)
    }

    /// Writes a file.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self).context("the results cannot be written as JSON")?;
        text.push('\n');
        std::fs::write(path, text).with_context(|| format!("`{}` cannot be written", path.display()))
    }

    /// The saved results of an eval, and when they were saved.
    #[must_use]
    pub fn find(&self, file: &str, title: &str) -> Option<(&Sums, Moment)> {
        let found = self.evals.iter().find(|eval| eval.file == file && eval.title == title)?;
        Some((&found.results, Moment(found.saved)))
    }

    /// Replaces the results of an eval. If `is_partial`, the earlier results of places that were not run stay.
    pub fn put(&mut self, file: &str, title: &str, sums: &Sums, is_partial: bool) {
        let known = self.find(file, title).map(|(known, _)| known.clone());
        let results = match known {
            Some(known) if is_partial => sums.clone().over(known),
            _ => sums.clone(),
        };
        self.evals.retain(|eval| eval.file != file || eval.title != title);
        let saved = Moment::now().0;
        self.evals.push(SavedEval { file: file.to_owned(), title: title.to_owned(), saved, results });
        self.evals.sort_by(|one, other| (&one.file, &one.title).cmp(&(&other.file, &other.title)));
    }
}

impl EarlierResults {
    /// When and where the results were kept: `accepted on … UTC` or `saved in FILE on … UTC`.
    #[must_use]
    pub fn words(&self) -> String {
        match &self.file {
            Some(file) => format!("saved in {file} on {} UTC", self.moment),
            None => format!("accepted on {} UTC", self.moment),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::eval::results::Sum;

    fn sums(places: &[(&str, u32)]) -> Sums {
        let place = |(case, passed): &(&str, u32)| Sum {
            case: (*case).to_owned(),
            prompt: "p".to_owned(),
            model: "m".to_owned(),
            passed: *passed,
            runs: 2,
            score: None,
            cost_usd: 0.0,
            tokens: 0.0,
            time_ms: 0.0,
        };
        Sums { version: 1, places: places.iter().map(place).collect() }
    }

    #[test]
    fn what_did_not_run_keeps_its_results() {
        let path = std::env::temp_dir().join(format!("nodewise-saved-{}.json", std::process::id()));
        let mut saved = SavedResults::default();
        saved.put("b.eval.yaml", "B", &sums(&[("one", 2)]), false);
        saved.put("a.eval.yaml", "A", &sums(&[("one", 2), ("two", 2)]), false);
        saved.put("a.eval.yaml", "A", &sums(&[("two", 1)]), true);
        saved.write(&path).unwrap();
        let mut saved = SavedResults::read(&path).unwrap();
        let passed = |saved: &SavedResults| {
            let places = saved.find("a.eval.yaml", "A").unwrap().0.places.iter();
            places.map(|place| format!("{} {}", place.case, place.passed)).collect::<Vec<_>>()
        };
        assert_eq!(passed(&saved), ["two 1", "one 2"]);
        saved.put("a.eval.yaml", "A", &sums(&[("two", 0)]), false);
        assert_eq!(passed(&saved), ["two 0"]);
        assert!(saved.find("b.eval.yaml", "B").is_some() && saved.find("b.eval.yaml", "A").is_none());
        for (text, expected) in
            [("{}", "does not hold"), ("{\"version\": 9, \"evals\": []}", "another version")]
        {
            std::fs::write(&path, text).unwrap();
            let error = SavedResults::read(&path).unwrap_err().to_string();
            assert!(error.contains(expected) && error.contains("--save"), "{error}");
        }
        std::fs::remove_file(&path).unwrap();
    }
}
