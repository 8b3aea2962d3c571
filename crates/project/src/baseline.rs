//! The findings that a project ignores for now, as a file lists them.
//!
//! Input: the text of the file, or findings. Output: a [`Baseline`], or the first problem with its place; its text.
//! Invariant: the text of a baseline is read as the same baseline, has a line an entry, and depends on nothing but the
//! entries.

use std::collections::BTreeMap;

use nodewise_analysis::fingerprint::Fingerprint;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::LineCol;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The usual name of the file.
pub const FILE_NAME: &str = "nodewise-baseline.json";

/// The version of the format that is written.
const VERSION: u32 = 2;

/// The version before rules got new ids and messages. Its fingerprints are made from the former ones.
const FORMER_VERSION: u32 = 1;

const REWRITE: &str = "fix it, or delete it and run `nodewise check --write-baseline`";

/// The findings that a project ignores for now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    /// The rule and message of each finding, by path and fingerprint.
    entries: BTreeMap<String, BTreeMap<Fingerprint, Words>>,
    /// Whether its fingerprints may be out of date.
    is_former: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Words {
    rule: String,
    message: String,
}

/// A finding of a baseline. The order is that of the file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineEntry {
    /// The file of the finding, relative to the baseline's folder, with `/` between its parts.
    pub path: String,
    pub rule: String,
    /// The message of the finding, so that people know which one it is.
    pub message: String,
    /// Identifies the finding in its file.
    #[serde(serialize_with = "write_fingerprint", deserialize_with = "read_fingerprint")]
    pub fingerprint: Fingerprint,
}

/// Why a baseline cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaselineError {
    pub at: LineCol,
    /// What is wrong.
    pub reason: String,
    pub help: String,
}

#[derive(Deserialize)]
struct Head {
    version: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    findings: Vec<BaselineEntry>,
}

impl Baseline {
    /// Reads the text of a baseline.
    pub fn read(text: &str) -> Result<Baseline, BaselineError> {
        if let Some(line) = text.lines().position(|line| line.starts_with("<<<<<<< ")) {
            let at = LineCol { line: u32::try_from(line + 1).unwrap_or(u32::MAX), column: 1 };
            let help = "keep the entries of both sides; the order does not matter".to_owned();
            return Err(BaselineError { at, reason: "unresolved merge conflict".to_owned(), help });
        }
        let file = serde_json::from_str::<File>(text);
        // Read the version alone if the rest fails: another version may have another shape.
        let head = || serde_json::from_str::<Head>(text).ok().map(|head| head.version);
        let version = file.as_ref().map_or_else(|_| head(), |file| Some(file.version));
        if let Some(version) = version.filter(|version| ![FORMER_VERSION, VERSION].contains(version)) {
            let reason = format!("baseline version {version} is not supported");
            let help = format!("this nodewise reads versions up to {VERSION}; update nodewise");
            return Err(BaselineError { at: LineCol { line: 1, column: 1 }, reason, help });
        }
        let file = file.map_err(|error| broken(&error))?;
        let is_former = file.version == FORMER_VERSION;
        Ok(Baseline { is_former, ..file.findings.into_iter().collect() })
    }

    /// Whether an earlier nodewise wrote it, with ids and messages that rules no longer have. An entry whose fingerprint
    /// matches nothing then stands for a finding of its rule in its file.
    #[must_use]
    pub fn is_former(&self) -> bool {
        self.is_former
    }

    /// Whether a finding is listed.
    #[must_use]
    pub fn holds(&self, path: &str, fingerprint: Fingerprint) -> bool {
        self.entries.get(path).is_some_and(|of_file| of_file.contains_key(&fingerprint))
    }

    /// The entries, in the order of the file.
    #[must_use]
    pub fn entries(&self) -> Vec<BaselineEntry> {
        let entry = |path: &String, fingerprint: &Fingerprint, words: &Words| BaselineEntry {
            path: path.clone(),
            rule: words.rule.clone(),
            message: words.message.clone(),
            fingerprint: *fingerprint,
        };
        let mut entries = Vec::new();
        for (path, of_file) in &self.entries {
            entries.extend(of_file.iter().map(|(fingerprint, words)| entry(path, fingerprint, words)));
        }
        entries.arrange();
        entries
    }

    /// The entries that are not in another baseline, in the order of the file.
    #[must_use]
    pub fn without(&self, other: &Baseline) -> Vec<BaselineEntry> {
        let mut entries = self.entries();
        entries.retain(|entry| !other.holds(&entry.path, entry.fingerprint));
        entries
    }

    /// The text of the file.
    #[must_use]
    pub fn text(&self) -> String {
        let entries = self.entries();
        let rows: Vec<String> = entries
            .iter()
            // Serializing an entry cannot fail, because it consists of texts.
            .filter_map(|entry| serde_json::to_string(entry).ok())
            .map(|row| format!("\n    {row}"))
            .collect();
        format!("{{\n  \"version\": {VERSION},\n  \"findings\": [{}\n  ]\n}}\n", rows.join(","))
    }
}

impl FromIterator<BaselineEntry> for Baseline {
    fn from_iter<I: IntoIterator<Item = BaselineEntry>>(entries: I) -> Baseline {
        let mut baseline = Baseline::default();
        for BaselineEntry { path, rule, message, fingerprint } in entries {
            baseline.entries.entry(path).or_default().insert(fingerprint, Words { rule, message });
        }
        baseline
    }
}

/// The error for a text that is not JSON, or does not have the right shape.
fn broken(error: &serde_json::Error) -> BaselineError {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).max(1);
    let at = LineCol { line: number(error.line()), column: number(error.column()) };
    let message = error.to_string();
    let reason = message.split(" at line ").next().unwrap_or_default().to_owned();
    BaselineError { at, reason, help: REWRITE.to_owned() }
}

fn write_fingerprint<S: Serializer>(fingerprint: &Fingerprint, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(fingerprint)
}

fn read_fingerprint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
    let text = String::deserialize(deserializer)?;
    Fingerprint::read(&text).ok_or_else(|| {
        serde::de::Error::custom(format!("`{text}` is not a fingerprint: expected 16 digits, 0-9 and a-f"))
    })
}

#[cfg(test)]
mod tests {
    use nodewise_analysis::fingerprint::Fingerprint;

    use super::{Baseline, BaselineEntry};

    fn entry(path: &str, rule: &str, fingerprint: &str) -> BaselineEntry {
        let fingerprint = Fingerprint::read(fingerprint).unwrap();
        BaselineEntry {
            path: path.into(),
            rule: rule.into(),
            message: format!("{rule} \"here\""),
            fingerprint,
        }
    }

    const TEXT: &str = r#"{
  "version": 2,
  "findings": [
    {"path":"a.yaml","rule":"one","message":"one \"here\"","fingerprint":"00000000000000ff"},
    {"path":"a.yaml","rule":"two","message":"two \"here\"","fingerprint":"0000000000000001"},
    {"path":"b/c.yaml","rule":"one","message":"one \"here\"","fingerprint":"0000000000000001"}
  ]
}
"#;

    #[test]
    fn the_text_is_sorted_and_read_again() {
        let entries = [
            entry("b/c.yaml", "one", "0000000000000001"),
            entry("a.yaml", "two", "0000000000000001"),
            entry("a.yaml", "one", "00000000000000ff"),
            entry("a.yaml", "two", "0000000000000001"),
        ];
        let baseline: Baseline = entries.into_iter().collect();
        assert_eq!(baseline.text(), TEXT);
        assert_eq!(Baseline::read(TEXT), Ok(baseline));
        let empty = Baseline::default();
        assert_eq!(empty.text(), "{\n  \"version\": 2,\n  \"findings\": [\n  ]\n}\n");
        assert_eq!(Baseline::read(&empty.text()), Ok(empty));
        let is_former = |text: &str| Baseline::read(text).unwrap().is_former();
        assert!(!is_former(TEXT) && is_former(&TEXT.replace("\"version\": 2", "\"version\": 1")));
    }

    #[test]
    fn what_is_listed_is_known_by_file_and_fingerprint() {
        let baseline = Baseline::read(TEXT).unwrap();
        let holds = |path, text| baseline.holds(path, Fingerprint::read(text).unwrap());
        assert!(holds("a.yaml", "00000000000000ff") && holds("b/c.yaml", "0000000000000001"));
        assert!(!holds("b/c.yaml", "00000000000000ff") && !holds("c.yaml", "0000000000000001"));
        let other: Baseline = [entry("a.yaml", "two", "0000000000000001")].into_iter().collect();
        let left: Vec<String> =
            baseline.without(&other).into_iter().map(|one| one.path + &one.rule).collect();
        assert_eq!(left, ["a.yamlone", "b/c.yamlone"]);
    }

    /// The problem of a text as one line.
    fn check_problem(text: &str, expected: &str) {
        let problem = Baseline::read(text).unwrap_err();
        let found = format!("{}:{}: {}", problem.at.line, problem.at.column, problem.reason);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn problems_have_a_place() {
        check_problem("", "1:1: EOF while parsing a value");
        check_problem("{\n  \"version\": 1,\n  \"findings\": [}\n", "3:16: expected value");
        check_problem("{\"version\": 3, \"more\": []}", "1:1: baseline version 3 is not supported");
        check_problem("{\"findings\": []}", "1:16: missing field `version`");
        check_problem("[]", "1:2: invalid length 0, expected struct File with 2 elements");
        check_problem(
            "{\"version\": 1, \"findings\": [\n{\"path\": \"a\", \"rule\": \"b\", \"fingerprint\": \"xyz\"}]}",
            "2:48: `xyz` is not a fingerprint: expected 16 digits, 0-9 and a-f",
        );
        check_problem("{\"version\": 1, \"findings\": [\n<<<<<<< ours\n]}", "2:1: unresolved merge conflict");
    }
}
