//! A rule's page, which the build takes from the head of the rule's source file. The headings are fixed, and the examples
//! under them run as tests: `expect=RULE` or `ok`, and `profile=0.1.1` for what only a release does,
//! `dialect=SYSTEM` for files whose system is configured.

use std::collections::BTreeSet;

use nodewise_dialect::packed_text::PackedText;
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;

use crate::diagnostic::Severity;
use crate::rule::{RegisteredPart, Rule};
use crate::rules::SYSTEMS;
use crate::settings::{Pin, Profile, Settings};

/// The headings of a rule's page, in order. The last one only exists if the rule has options.
pub const HEADINGS: &[&str] = &["What it does", "Why it matters", "Example", "Instead", "Options"];

/// The texts of all pages, one after another, sorted by rule id.
static PAGES: PackedText = PackedText::new(include_bytes!(concat!(env!("OUT_DIR"), "/pages.packed")));
/// The rule ids, sorted, each with the offset at which its page ends in the text.
const ENDS: &[(&str, usize)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// An example from a rule's page.
#[derive(Debug, Clone)]
pub struct Example {
    /// The id of the rule that must report something; `None` if no rule may report anything.
    pub expects: Option<String>,
    /// The dialect and the profile for which the example holds; `None` if it holds for every version.
    pub profile: Option<(&'static Dialect, Profile)>,
    /// The dialect that the configuration sets for the example's files.
    pub dialect: Pin,
    /// The text, in fixture notation.
    pub text: String,
}

impl Example {
    /// The settings for checking the example.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let settings = Settings { dialect: self.dialect, ..Settings::default() };
        match self.profile {
            Some((dialect, profile)) => settings.following(dialect, profile),
            None => settings,
        }
    }
}

/// The dialect and the profile that a word stands for.
fn profile_called(text: &str) -> Option<(&'static Dialect, Profile)> {
    DIALECTS.iter().find_map(|dialect| {
        let (_, profile) = dialect.profiles.iter().find(|(word, _)| word.text == text)?;
        Some((*dialect, *profile))
    })
}

/// The rule's page as Markdown: title, facts, and the text from the head of the rule's file. `citation::linked` turns its
/// classes into links.
#[must_use]
pub fn page(rule: &Rule) -> String {
    let mut page = format!("# {}\n\n", rule.id);
    let fixable = if rule.is_fixable { " · fixable" } else { "" };
    let (severity, category, since) = (severities(rule), rule.category.word(), rule.since);
    page.push_str(&format!(
        "Severity: {severity} · Category: {category}{fixable} · since {since} · {}",
        systems(rule)
    ));
    for spec in classes(rule) {
        page.push_str(&format!(" · `{spec}`"));
    }
    if !rule.former.is_empty() {
        let former: Vec<String> = rule.former.iter().map(|id| format!("`{id}`")).collect();
        page.push_str(&format!("\n\nFormer ids: {}", former.join(", ")));
    }
    page.push_str("\n\n");
    page.push_str(body(rule));
    page
}

/// The classes of the specifications that the rule and its parts correspond to, sorted.
#[must_use]
pub fn classes(rule: &Rule) -> BTreeSet<&'static str> {
    rule.parts().flat_map(RegisteredPart::classes).collect()
}

/// The systems whose files the rule checks: "every system", or their names.
#[must_use]
pub fn systems(rule: &Rule) -> String {
    let concerned = DIALECTS.iter().filter(|dialect| rule.judges(dialect.id));
    let titles: Vec<&str> = concerned.map(|dialect| dialect.title).collect();
    if titles.len() == DIALECTS.len() { "every system".to_owned() } else { titles.join(", ") }
}

/// The rule's severity: one word, or a word for each system: "hint (one), error (another)".
#[must_use]
pub fn severities(rule: &Rule) -> String {
    let mut by_words: Vec<(String, Vec<&str>)> = Vec::new();
    for dialect in DIALECTS.iter().filter(|dialect| rule.judges(dialect.id)) {
        let parts = rule.parts().filter(|entry| entry.judges(dialect.id));
        let severities: BTreeSet<Severity> = parts.map(|entry| entry.part.severity).collect();
        let words = severities.into_iter().map(Severity::word).collect::<Vec<_>>().join(" or ");
        match by_words.iter_mut().find(|(known, _)| *known == words) {
            Some((_, titles)) => titles.push(dialect.title),
            None => by_words.push((words, vec![dialect.title])),
        }
    }
    match by_words.as_slice() {
        [(words, _)] => words.clone(),
        several => {
            let shown = several.iter().map(|(words, titles)| format!("{words} ({})", titles.join(", ")));
            shown.collect::<Vec<_>>().join(", ")
        }
    }
}

/// The first sentence of the page, for lists.
#[must_use]
pub fn summary(rule: &Rule) -> String {
    let body = body(rule);
    let text = body.split("## What it does").nth(1).unwrap_or_default().trim_start();
    let paragraph = text.split("\n\n").next().unwrap_or_default().replace('\n', " ");
    match paragraph.split_once(". ") {
        Some((first, _)) => format!("{first}."),
        None => paragraph.trim_end().to_owned(),
    }
}

/// The page for programs that show Markdown but do not know the marks of examples: code blocks are plain YAML.
#[must_use]
pub fn markdown(rule: &Rule) -> String {
    let plain = |line: &str| match line.split_once(' ') {
        Some((fence, _)) if fence.starts_with("```") => format!("{fence}\n"),
        _ => format!("{line}\n"),
    };
    page(rule).lines().map(plain).collect()
}

/// The first two sections of the page, what the rule does and why it matters, as one paragraph.
#[must_use]
pub fn description(rule: &Rule) -> String {
    let body = body(rule);
    let mut paragraphs = Vec::new();
    for heading in HEADINGS.iter().take(2) {
        let text = body.split(&format!("## {heading}\n")).nth(1).unwrap_or_default();
        let text = text.split("\n## ").next().unwrap_or_default();
        paragraphs.extend(text.split_whitespace());
    }
    paragraphs.join(" ")
}

/// The head of the rule's file without the comment marks. A test ensures that every rule has one.
fn body(rule: &Rule) -> &'static str {
    let mut brought = SYSTEMS.iter().flat_map(|system| system.pages);
    let brought = || brought.find(|(id, _)| *id == rule.id).map(|(_, page)| *page);
    shipped(rule.id).or_else(brought).unwrap_or_default()
}

/// The page of a rule that this crate contains.
fn shipped(id: &str) -> Option<&'static str> {
    let index = ENDS.binary_search_by_key(&id, |(id, _)| id).ok()?;
    let start = index.checked_sub(1).and_then(|before| ENDS.get(before)).map_or(0, |(_, end)| *end);
    PAGES.text().get(start..ENDS.get(index)?.1)
}

/// The examples of the page.
#[must_use]
pub fn examples(rule: &Rule) -> Vec<Example> {
    let body = body(rule);
    let mut examples = Vec::new();
    let mut open: Option<Example> = None;
    for line in body.lines() {
        if let Some(example) = &mut open {
            if line.starts_with("```") {
                examples.extend(open.take());
            } else {
                example.text.push_str(line);
                example.text.push('\n');
            }
        } else if let Some(info) = line.strip_prefix("```yaml ") {
            let value = |key: &str| info.split(' ').find_map(|word| word.strip_prefix(key));
            let expects = value("expect=").map(str::to_owned);
            let profile = value("profile=").and_then(profile_called);
            let named = |id: &str| DIALECTS.iter().find(|dialect| dialect.id == id);
            let dialect =
                value("dialect=").and_then(named).map_or(Pin::ByContent, |dialect| Pin::Dialect(dialect.id));
            open = Some(Example { expects, profile, dialect, text: String::new() });
        }
    }
    examples
}
