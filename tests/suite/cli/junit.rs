//! JUnit reports held against the schema that build servers read them by: which elements stand in which, with which
//! attributes, and that the counts are those of what is there.

use std::collections::BTreeMap;

use crate::cli::support::Folder;

/// An element as the schema has it: its name, its attributes with their types (`!` where they are required), and what may
/// stand in it; `#text` is text.
type Rule = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

const SCHEMA: &[Rule] = &[
    (
        "testsuites",
        &[
            ("name", "text"),
            ("tests", "count"),
            ("failures", "count"),
            ("errors", "count"),
            ("time", "seconds"),
        ],
        &["testsuite"],
    ),
    (
        "testsuite",
        &[
            ("name", "text!"),
            ("tests", "count!"),
            ("failures", "count"),
            ("errors", "count"),
            ("time", "seconds"),
        ],
        &["testcase"],
    ),
    (
        "testcase",
        &[("name", "text!"), ("classname", "text"), ("time", "seconds")],
        &["skipped", "error", "failure"],
    ),
    ("failure", &[("message", "text"), ("type", "text")], &["#text"]),
    ("error", &[("message", "text"), ("type", "text")], &["#text"]),
    ("skipped", &[("message", "text")], &["#text"]),
];

#[derive(Default)]
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    inside: Vec<Element>,
    text: String,
}

impl Element {
    fn count(&self, attribute: &str) -> usize {
        self.attributes[attribute].parse().unwrap()
    }

    /// The elements of a name below it, at any depth.
    fn below(&self, name: &str) -> Vec<&Element> {
        let mut found = Vec::new();
        for element in &self.inside {
            found.extend((element.name == name).then_some(element));
            found.extend(element.below(name));
        }
        found
    }
}

/// The root of a document that holds nothing but elements, attributes and text.
fn read(document: &str) -> Element {
    let body = document.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>").expect("a declaration");
    assert!(body.chars().all(|one| one == '\n' || !one.is_control()), "a control character");
    let mut open = vec![Element::default()];
    let mut rest = body;
    while let Some((text, behind)) = rest.split_once('<') {
        let (tag, behind) = behind.split_once('>').expect("a tag has an end");
        rest = behind;
        open.last_mut().unwrap().text.push_str(&unescaped(text));
        if let Some(name) = tag.strip_prefix('/') {
            let element = open.pop().unwrap();
            assert_eq!(element.name, name);
            open.last_mut().unwrap().inside.push(element);
        } else {
            let element = element(tag.trim_end_matches('/'));
            match tag.ends_with('/') {
                true => open.last_mut().unwrap().inside.push(element),
                false => open.push(element),
            }
        }
    }
    assert_eq!((open.len(), rest.trim()), (1, ""), "something is left open");
    let mut roots = open.pop().unwrap().inside;
    assert_eq!(roots.len(), 1, "a document has one root");
    roots.pop().unwrap()
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    let mut element = Element { name: name.to_owned(), ..Element::default() };
    while let Some((key, behind)) = rest.split_once("=\"") {
        let (value, behind) = behind.split_once('"').expect("a value ends");
        let known = element.attributes.insert(key.trim().to_owned(), unescaped(value));
        assert!(known.is_none(), "`{key}` stands twice");
        rest = behind;
    }
    assert_eq!(rest.trim(), "");
    element
}

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('&') {
        let (name, behind) = behind.split_once(';').expect("an entity has an end");
        out.push_str(before);
        out.push(match name {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            name => panic!("`&{name};` is no entity of XML"),
        });
        rest = behind;
    }
    out + rest
}

/// Holds an element, and all below it, against the schema.
fn check(element: &Element) {
    let (_, attributes, inside) = SCHEMA
        .iter()
        .find(|(name, ..)| *name == element.name)
        .unwrap_or_else(|| panic!("no `{}`", element.name));
    for (key, value) in &element.attributes {
        let (_, kind) =
            attributes.iter().find(|(name, _)| name == key).unwrap_or_else(|| panic!("no `{key}`"));
        let is_right = match kind.trim_end_matches('!') {
            "count" => value.parse::<u32>().is_ok(),
            "seconds" => value.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0),
            _ => true,
        };
        assert!(is_right, "{key}=\"{value}\"");
    }
    for (key, _) in attributes.iter().filter(|(_, kind)| kind.ends_with('!')) {
        assert!(element.attributes.contains_key(*key), "`{}` lacks `{key}`", element.name);
    }
    assert!(inside.contains(&"#text") || element.text.trim().is_empty(), "text in `{}`", element.name);
    for child in &element.inside {
        assert!(inside.contains(&child.name.as_str()), "`{}` in `{}`", child.name, element.name);
        check(child);
    }
}

/// Holds the counts of an element against what stands in it.
fn check_counts(element: &Element) {
    let cases = element.below("testcase");
    let with = |name: &str| cases.iter().filter(|case| !case.below(name).is_empty()).count();
    let counts = ["tests", "failures", "errors"].map(|key| element.count(key));
    assert_eq!(counts, [cases.len(), with("failure"), with("error")], "{}", element.name);
    let seconds = |one: &Element| one.attributes["time"].parse::<f64>().unwrap();
    let sum: f64 = cases.iter().map(|case| seconds(case)).sum();
    assert!((sum - seconds(element)).abs() < 1e-6, "{}", element.name);
}

/// Holds the report of a folder against the schema, and yields it.
fn check_report(folder: &Folder) -> Element {
    folder.run("test --format junit -o report.xml");
    let root = read(&std::fs::read_to_string(folder.path().join("report.xml")).unwrap());
    check(&root);
    check_counts(&root);
    root.inside.iter().for_each(check_counts);
    root
}

const FLOW: &str = "#- flow.yaml
id: flow
name: flow
description: A draft is sent.
nodes:
  - {id: write, type: agent, agent_id: writer, write_keys: [draft]}
  - {id: send, type: agent, agent_id: sender, read_keys: [draft], write_keys: [sent]}
edges: [{source: write, target: send}]
start_node: write
end_nodes: [send]
";

#[test]
fn reports_fit_the_schema() {
    let scenarios = r##"#- a & "b".scenario.yaml
scenario: It holds & <holds>.
file: flow.yaml
agents: {writer: {text: a, after: 1500}}
---
scenario: "It does\nnot \u0007 hold ]]> \"quoted\""
file: flow.yaml
agents: {writer: "<b>&amp;"}
expect:
  path: [send]
  state: {draft: "x < y && \"z\""}
  calls: {writer: 2}
  coverage: {conditions: 100}
---
scenario: Nothing is there.
file: flew.yaml
#- c.scenario.yaml
scenario: It waits for nobody.
file: flow.yaml
expect: {status: waiting}
"##;
    let root = check_report(&Folder::new(&format!("{FLOW}{scenarios}")));
    let titles: Vec<&str> =
        root.below("testcase").iter().map(|case| case.attributes["name"].as_str()).collect();
    assert_eq!(
        titles,
        [
            "It holds & <holds>.",
            "It does\nnot \u{fffd} hold ]]> \"quoted\"",
            "Nothing is there.",
            "It waits for nobody.",
        ]
    );
    let suites: Vec<&str> = root.inside.iter().map(|suite| suite.attributes["name"].as_str()).collect();
    assert_eq!(suites, ["a & \"b\".scenario.yaml", "c.scenario.yaml"]);
    assert_eq!(root.below("failure").len(), 4);
}

#[test]
fn the_examples_report_fits_the_schema() {
    let folder = Folder::new("");
    folder.run(&format!("test {}/examples --format junit -o report.xml", env!("CARGO_MANIFEST_DIR")));
    let root = read(&std::fs::read_to_string(folder.path().join("report.xml")).unwrap());
    check(&root);
    check_counts(&root);
}
