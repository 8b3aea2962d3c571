//! Relative links of the documentation are valid: the file exists, and so does the anchor.
//!
//! Input is every Markdown page of the documentation. Output is links to missing files, and to missing anchors.
//! Invariant: links in code are ignored.

use std::collections::{BTreeMap, BTreeSet};

use super::Report;
use crate::repository::Repository;

const FOLDER: &str = "docs/";
const FENCE: &str = "```";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let texts: BTreeMap<&str, &str> =
        repository.files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    let mut anchors: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut reports = Vec::new();
    for file in repository.files.iter().filter(|file| is_page(&file.path)) {
        for (line, link) in links(&file.text) {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => file.path.clone(),
                path => resolved(&file.path, path),
            };
            let known = texts.get_key_value(target.as_str());
            if known.is_none() && !is_there(repository, &target) {
                reports.push(Report::new(&file.path, line, format!("`{link}`: there is no {target}")));
                continue;
            }
            let Some((path, text)) = known.filter(|(path, _)| path.ends_with(".md") && !anchor.is_empty())
            else {
                continue;
            };
            if !anchors.entry(path).or_insert_with(|| anchors_of(text)).contains(anchor) {
                let message = format!("`{link}`: {target} has no anchor `{anchor}`");
                reports.push(Report::new(&file.path, line, message));
            }
        }
    }
    reports
}

/// The documentation, and the pages at the root.
fn is_page(path: &str) -> bool {
    path.ends_with(".md") && (path.starts_with(FOLDER) || !path.contains('/'))
}

/// Whether it is a folder, or a file that is not text.
fn is_there(repository: &Repository, target: &str) -> bool {
    let folder = format!("{}/", target.trim_end_matches('/'));
    repository.files.iter().any(|file| file.path.starts_with(&folder))
        || repository.other_files.iter().any(|path| path == target)
}

/// The path of a link on a page.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The relative links of a page, with their lines from 1.
fn links(text: &str) -> Vec<(usize, &str)> {
    let mut links = Vec::new();
    for (number, line) in prose(text) {
        // Every second part between backticks is code. The text of a link may contain code, but its address does not.
        let mut offset = 0;
        for (index, piece) in line.split('`').enumerate() {
            if index % 2 == 0 {
                let mut rest = line.get(offset..offset + piece.len()).unwrap_or_default();
                while let Some((_, behind)) = rest.split_once("](") {
                    let (address, behind) = behind.split_once(')').unwrap_or((behind, ""));
                    let address = address.split(' ').next().unwrap_or_default();
                    if !address.contains(':') && !address.starts_with('/') {
                        links.push((number, address));
                    }
                    rest = behind;
                }
            }
            offset += piece.len() + 1;
        }
    }
    links
}

/// The anchors of a page: explicit ones, and one for each heading.
pub(super) fn anchors_of(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut headings: BTreeMap<String, usize> = BTreeMap::new();
    for (_, line) in prose(text) {
        for written in line.split("<a id=\"").skip(1) {
            anchors.extend(written.split('"').next().map(str::to_owned));
        }
        let words = line.trim_start_matches('#');
        if words.len() < line.len() && words.starts_with(' ') {
            let slug = slug(words.trim());
            let count = headings.entry(slug.clone()).or_default();
            anchors.insert(match *count {
                0 => slug,
                count => format!("{slug}-{count}"),
            });
            *count += 1;
        }
    }
    anchors
}

/// GitHub's anchor for a heading.
fn slug(heading: &str) -> String {
    // Keep the text of a link, and remove its address.
    let mut words = String::new();
    let mut rest = heading;
    while let Some((before, behind)) = rest.split_once("](") {
        words.push_str(before);
        rest = behind.split_once(')').map_or("", |(_, behind)| behind);
    }
    words.push_str(rest);
    let kept = words.to_lowercase();
    kept.chars()
        .filter(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'))
        .map(|character| if character == ' ' { '-' } else { character })
        .collect()
}

/// The lines outside of code blocks, with their numbers from 1.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_in_block = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with(FENCE);
        is_in_block ^= is_fence;
        (!is_in_block && !is_fence).then_some((index + 1, line))
    })
}
