//! Reports for other programs, read by those who are to read them: the official schema of SARIF and its own validator
//! with the rules of code scanning, a schema of GitLab's documentation, a reader of JUnit's XML, workflow commands as
//! the runner takes them apart.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::schemas::validators::{check_jsonschema, installed};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// What is reported on, from the root of the repository.
const PROJECTS: &[&str] = &[
    "examples/liman",
    "examples/cycgraph",
    "examples/agentos",
    "examples/liman-broken",
    "examples/cycgraph-broken",
    "examples/agentos-broken",
    "tests/data/corpus/liman",
    "tests/data/corpus/cycgraph",
    "tests/data/corpus/agentos",
];
const SARIF_SCHEMAS: [&str; 2] = [
    "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json",
    "@microsoft/sarif-multitool-linux/sarif-2.1.0.json",
];
const SARIF_VALIDATOR: &str = "@microsoft/sarif-multitool-linux/Sarif.Multitool";
/// What the validator may say: the project has no address yet.
const SARIF_ACCEPTED: &[&str] = &["Warning_ProvideToolnformationUri"];
const GITLAB_SCHEMA: &str = "tests/schemas/gitlab-code-quality.schema.json";

/// A broken file under names that have to be escaped, with characters of every width before the fault.
const HOSTILE_NAMES: &[&str] = &[
    "a b.yaml",
    "100%.yaml",
    "a#b?c.yaml",
    "grün/日本.yaml",
    "a:b,c.yaml",
    "\"q\" & <b>.yaml",
    "back\\slash.yaml",
];
const HOSTILE_TEXT: &str = "kind: ToolNode\r\nname: \"a\"\r\ndescription: {en: \"x\", de: \"\u{1b}[31m\u{7}\"}\r\nfunc: a.b\r\n\
                            --- # 😀 é\r\n{kind: ToolNode, name: \"😀é\", description: \"日本\", arguments: [{name: a, type: strin}], func: b}\r\n";

/// Both folders' reports in one format: what the repository holds, and what is hostile.
fn reports(format: &str) -> [(PathBuf, String); 2] {
    let hostile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas").join(format!("hostile-{format}"));
    std::fs::remove_dir_all(&hostile).ok();
    for name in HOSTILE_NAMES {
        let path = hostile.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, HOSTILE_TEXT).unwrap();
    }
    let report = |folder: &Path, projects: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
        command.args(["check", "--hints", "--format", format]).args(projects).current_dir(folder);
        let output = command.stderr(Stdio::inherit()).output().unwrap();
        (folder.to_owned(), String::from_utf8(output.stdout).unwrap())
    };
    [report(Path::new(ROOT), PROJECTS), report(&hostile, &["."])]
}

/// The reports as files.
fn written(format: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas").join("reports");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |(number, (_, text)): (usize, (PathBuf, String))| {
        let file = folder.join(format!("{number}.{format}"));
        std::fs::write(&file, text).unwrap();
        file
    };
    reports(format).into_iter().enumerate().map(write).collect()
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

#[test]
fn sarif_is_valid_under_its_schema() {
    let Some(installed) = installed() else { return };
    let files = written("sarif");
    for schema in SARIF_SCHEMAS {
        let mut command = check_jsonschema(&installed);
        // One of the schemas has a pattern that ECMAScript does not read.
        command
            .args(["--regex-variant", "python", "--schemafile"])
            .arg(installed.join("node_modules").join(schema))
            .args(&files);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{schema}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn sarif_has_what_code_scanning_asks_for() {
    let Some(installed) = installed() else { return };
    for file in written("sarif") {
        let verdict = file.with_extension("verdict.json");
        let mut command = Command::new(installed.join("node_modules").join(SARIF_VALIDATOR));
        command.arg("validate").arg(&file).args([
            "--rule-kind",
            "Sarif;Gh",
            "--log",
            "ForceOverwrite",
            "--output",
        ]);
        command.arg(&verdict).env("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1");
        // It unpacks itself before it runs.
        command.env("DOTNET_BUNDLE_EXTRACT_BASE_DIR", installed.join("dotnet"));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        let verdict = parsed(&std::fs::read_to_string(verdict).unwrap());
        let said: BTreeSet<String> = array(&verdict["runs"][0]["results"])
            .iter()
            .filter(|result| !SARIF_ACCEPTED.contains(&result["message"]["id"].as_str().unwrap()))
            .map(|result| format!("{} {}", result["ruleId"], result["message"]))
            .collect();
        assert!(said.is_empty(), "{said:#?}");
    }
}

/// The byte offset of a line and a column of UTF-16 units, both from 1.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let begin: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut units = 1;
    for (at, character) in text[begin..].char_indices() {
        if units == column {
            return begin + at;
        }
        units += character.len_utf16();
    }
    text.len()
}

/// The path that a reference stands for.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let [first, behind @ ..] = rest {
        rest = behind;
        if *first == b'%' {
            bytes.push(u8::from_str_radix(std::str::from_utf8(&behind[..2]).unwrap(), 16).unwrap());
            rest = &behind[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Holds each region's lines and columns against its bytes, in the file that it is about.
fn check_region(folder: &Path, file: &Value, region: &Value) {
    assert_eq!(file["uriBaseId"], "%SRCROOT%");
    let path = decoded(file["uri"].as_str().unwrap());
    let text = std::fs::read_to_string(folder.join(&path)).unwrap();
    let begin = offset(&text, number(&region["startLine"]), number(&region["startColumn"]));
    let end = offset(&text, number(&region["endLine"]), number(&region["endColumn"]));
    let (offset, length) = (number(&region["byteOffset"]), number(&region["byteLength"]));
    assert_eq!((begin, end), (offset, offset + length), "{path}: {region}");
}

#[test]
fn sarif_says_the_same_as_json() {
    let logs = reports("sarif");
    for ((folder, log), (_, report)) in logs.iter().zip(&reports("json")) {
        let (log, report) = (parsed(log), parsed(report));
        let run = &log["runs"][0];
        let (results, diagnostics) = (array(&run["results"]), array(&report["diagnostics"]));
        assert_eq!(results.len(), diagnostics.len());
        assert!(!results.is_empty());
        assert_eq!(run["columnKind"], "utf16CodeUnits");
        let mut fingerprints = BTreeSet::new();
        let (mut fixes, mut flows) = (0, 0);
        for (result, diagnostic) in results.iter().zip(diagnostics) {
            assert_eq!(result["ruleId"], diagnostic["rule"]);
            let descriptor = &run["tool"]["driver"]["rules"][number(&result["ruleIndex"])];
            assert_eq!(descriptor["id"], diagnostic["rule"]);
            let place = &result["locations"][0]["physicalLocation"];
            check_region(folder, &place["artifactLocation"], &place["region"]);
            let uri = decoded(place["artifactLocation"]["uri"].as_str().unwrap());
            assert_eq!(json!(uri), diagnostic["file"]);
            fingerprints.insert((uri, result["partialFingerprints"].to_string()));
            for (fix, expected) in array(&result["fixes"]).iter().zip(array(&diagnostic["fixes"])) {
                fixes += 1;
                assert_eq!(fix["description"]["text"], expected["title"]);
                for change in array(&fix["artifactChanges"]) {
                    for replacement in array(&change["replacements"]) {
                        check_region(folder, &change["artifactLocation"], &replacement["deletedRegion"]);
                    }
                }
            }
            assert_eq!(array(&result["fixes"]).len(), array(&diagnostic["fixes"]).len());
            let related = array(&diagnostic["related"]).len();
            assert_eq!(array(&result["relatedLocations"]).len(), related);
            flows += array(&result["codeFlows"]).len();
        }
        assert_eq!(fingerprints.len(), results.len());
        let is_repository = folder == Path::new(ROOT);
        assert!(fixes > 0 && (flows > 0) == is_repository, "{fixes} fixes, {flows} flows");
    }
}

#[test]
fn gitlab_gets_what_its_documentation_asks_for() {
    let schema = std::fs::read_to_string(Path::new(ROOT).join(GITLAB_SCHEMA)).unwrap();
    let validator = jsonschema::draft7::new(&parsed(&schema)).unwrap();
    for (_, report) in reports("gitlab") {
        let report = parsed(&report);
        let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let prints: BTreeSet<&str> =
            array(&report).iter().map(|entry| entry["fingerprint"].as_str().unwrap()).collect();
        assert_eq!(prints.len(), array(&report).len(), "fingerprints are unique");
        assert!(!prints.is_empty());
    }
}

/// Takes a workflow command apart as the runner does.
fn workflow_command(line: &str) -> (String, BTreeMap<String, String>, String) {
    let (head, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
    let (command, properties) = head.split_once(' ').unwrap();
    let unescaped = |text: &str| text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%");
    let property = |text: &str| unescaped(&text.replace("%3A", ":").replace("%2C", ","));
    let properties = properties.split(',').map(|pair| {
        let (key, value) = pair.split_once('=').unwrap();
        (key.to_owned(), property(value))
    });
    (command.to_owned(), properties.collect(), unescaped(data))
}

#[test]
fn github_reads_every_annotation() {
    for ((_, lines), (_, report)) in reports("github").iter().zip(&reports("json")) {
        let report = parsed(report);
        assert_eq!(lines.lines().count(), array(&report["diagnostics"]).len());
        for (line, diagnostic) in lines.lines().zip(array(&report["diagnostics"])) {
            let (command, properties, data) = workflow_command(line);
            let expected = match diagnostic["severity"].as_str().unwrap() {
                "hint" => "notice",
                severity => severity,
            };
            assert_eq!(command, expected);
            assert_eq!(json!(properties["file"]), diagnostic["file"]);
            assert_eq!(properties["line"], diagnostic["range"]["start"]["line"].to_string());
            let rule = diagnostic["rule"].as_str().unwrap();
            assert_eq!(properties["title"], format!("nodewise {rule}"));
            let message = diagnostic["message"].as_str().unwrap();
            assert_eq!(data.lines().next().unwrap(), message.replace('\u{1b}', "\u{241b}"));
        }
    }
}

/// Prints for each file of JUnit's XML: suites, cases, failures.
const JUNIT_READER: &str = "\
import sys
from junitparser import Failure, JUnitXml
for path in sys.argv[1:]:
    suites = list(JUnitXml.fromfile(path))
    cases = [case for suite in suites for case in suite]
    failures = [result for case in cases for result in case.result if isinstance(result, Failure)]
    assert sum(suite.tests for suite in suites) == len(cases)
    assert sum(suite.failures for suite in suites) == len(failures)
    print(len(suites), len(cases), len(failures))
";

#[test]
fn junit_is_read_as_it_is_meant() {
    let Some(installed) = installed() else { return };
    let mut command = Command::new(installed.join("python/bin/python"));
    let output = command.args(["-c", JUNIT_READER]).args(written("junit")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let found = String::from_utf8(output.stdout).unwrap();
    let expected = reports("json").map(|(_, report)| {
        let report = parsed(&report);
        let failures: Vec<&Value> =
            array(&report["diagnostics"]).iter().filter(|one| one["severity"] != "hint").collect();
        let files: BTreeSet<&str> = failures.iter().map(|one| one["file"].as_str().unwrap()).collect();
        format!("{} {} {}\n", files.len(), failures.len(), failures.len())
    });
    assert_eq!(found, expected.concat());
}
