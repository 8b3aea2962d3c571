//! Citations of the published specifications: the id of a system, and a class or section of it.
//!
//! Input: a citation, or Markdown that holds some. Output: links to the pages in `docs/spec`. Invariant: a link leads to an
//! anchor that its page has.

use nodewise_dialect::tables::DIALECTS;

/// The address of this release's documentation, with its final slash.
const DOCUMENTATION: &str =
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/docs/");
/// The web address of this release's pages, with its final slash. Used in links of reports.
pub const WEB: &str =
    concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/v", env!("CARGO_PKG_VERSION"), "/docs/spec/");

const FENCE: &str = "```";

/// A class or a section of a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Citation<'t> {
    /// The id of the dialect whose specification is cited.
    pub system: &'static str,
    /// The class, or the number of the section: the part after the colon, which is also the anchor on the page.
    pub class: &'t str,
}

impl<'t> Citation<'t> {
    /// Reads `system:class`; `None` if there is no such system, or its page has no such anchor.
    #[must_use]
    pub fn read(text: &'t str) -> Option<Citation<'t>> {
        let (system, class) = text.split_once(':')?;
        let (system, page) = specification(system)?;
        has_anchor(page, class).then_some(Citation { system, class })
    }

    /// The relative link to the explanation of the class. `folder` is the folder of the pages, with its final slash.
    #[must_use]
    pub fn link(&self, folder: &str) -> String {
        format!("{folder}{}.md#{}", self.system, self.class)
    }
}

/// The web address of the explanation of `system:class`; `None` if the text is not a valid citation.
#[must_use]
pub fn web_link(citation: &str) -> Option<String> {
    Citation::read(citation).map(|citation| citation.link(WEB))
}

/// The specification page of a system for readers without the repository: its links lead to the web. `None` for an unknown
/// system.
#[must_use]
pub fn page_for_readers(system: &str) -> Option<String> {
    let (_, page) = specification(system)?;
    Some(page.replace("](../", &format!("]({DOCUMENTATION}")))
}

/// The dialect id, and its specification page, for a system.
fn specification(system: &str) -> Option<(&'static str, &'static str)> {
    let dialect = DIALECTS.iter().find(|dialect| dialect.id == system)?;
    Some((dialect.id, dialect.specification?.text()))
}

/// Whether a page has an anchor for the class.
#[must_use]
pub fn has_anchor(page: &str, class: &str) -> bool {
    !class.is_empty() && page.contains(&format!("<a id=\"{class}\"></a>"))
}

/// Turns each inline code span of `markdown` that is a citation into a link. `folder` is the folder of the pages, with its
/// final slash. Code blocks are not changed.
#[must_use]
pub fn linked(markdown: &str, folder: &str) -> String {
    let mut is_in_block = false;
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.split_inclusive('\n') {
        if line.trim_start().starts_with(FENCE) {
            is_in_block = !is_in_block;
        }
        match is_in_block {
            true => text.push_str(line),
            false => push_linked(&mut text, line, folder),
        }
    }
    text
}

fn push_linked(text: &mut String, line: &str, folder: &str) {
    // Every second piece between back-ticks is code; the last one is only if its line ends in a back-tick.
    let pieces: Vec<&str> = line.split('`').collect();
    let last = pieces.len() - 1;
    for (index, piece) in pieces.into_iter().enumerate() {
        let is_code = index % 2 == 1 && index < last;
        match Citation::read(piece).filter(|_| is_code) {
            Some(citation) => text.push_str(&format!("[`{piece}`]({})", citation.link(folder))),
            None if is_code => text.push_str(&format!("`{piece}`")),
            None if index % 2 == 1 => text.push_str(&format!("`{piece}")),
            None => text.push_str(piece),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Citation, linked, page_for_readers, web_link};
    use crate::rule::RegisteredPart;
    use crate::rules::ENTRIES;

    #[test]
    fn a_class_and_a_section_lead_to_their_anchors() {
        for (citation, expected) in [
            ("agentos:I42", Some("spec/agentos.md#I42")),
            ("cycgraph:6.9", Some("spec/cycgraph.md#6.9")),
            ("liman:when-syntax", Some("spec/liman.md#when-syntax")),
            ("agentos:I99", None),
            ("cycgraph:R", None),
            ("liman:", None),
            ("yaml:1", None),
            ("I42", None),
        ] {
            let found = Citation::read(citation).map(|citation| citation.link("spec/"));
            assert_eq!(found.as_deref(), expected, "{citation}");
        }
    }

    #[test]
    fn the_link_on_the_web_names_the_release() {
        let link = web_link("agentos:I42").expect("a class");
        assert!(link.starts_with("https://"), "{link}");
        let end = concat!("/blob/v", env!("CARGO_PKG_VERSION"), "/docs/spec/agentos.md#I42");
        assert!(link.ends_with(end), "{link}");
    }

    #[test]
    fn inline_code_that_is_a_citation_becomes_a_link() {
        for (markdown, expected) in [
            ("See `agentos:I42`.\n", "See [`agentos:I42`](../agentos.md#I42).\n"),
            ("`a` and `liman:2.9`", "`a` and [`liman:2.9`](../liman.md#2.9)"),
            ("`agentos:I99` and agentos:I42", "`agentos:I99` and agentos:I42"),
            (
                "```yaml\n`agentos:I42`\n```\n`agentos:I42`\n",
                "```yaml\n`agentos:I42`\n```\n[`agentos:I42`](../agentos.md#I42)\n",
            ),
            ("one `agentos:I42", "one `agentos:I42"),
            ("", ""),
        ] {
            assert_eq!(linked(markdown, "../"), expected, "{markdown}");
        }
    }

    #[test]
    fn every_rule_stands_for_a_class_that_is_specified() {
        let dangling: Vec<&str> = ENTRIES
            .iter()
            .flat_map(RegisteredPart::classes)
            .filter(|spec| Citation::read(spec).is_none())
            .collect();
        assert!(dangling.is_empty(), "{dangling:?}");
    }

    #[test]
    fn a_page_for_readers_has_no_relative_link_to_another_page() {
        let page = page_for_readers("agentos").expect("a page");
        assert!(page.contains("/docs/dialects/agentos.md#graphnode)") && !page.contains("](../"));
        assert_eq!(page_for_readers("scenario"), None);
    }
}
