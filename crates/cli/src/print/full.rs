//! Diagnostics with their source lines, as a compiler draws them.
//!
//! Input: a diagnostic. Output: title, places with carets and labels, help. Invariant: the size of an excerpt is
//! limited, with any line length and any distance between the places.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin as Header, Renderer, Snippet};
use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use nodewise_model::Origin;

use super::excerpt::{Excerpt, Mark};
use crate::project::Judged;
use crate::screen;

/// Places within this number of lines are in one excerpt.
const GAP_MAX: u32 = 40;

/// Draws diagnostics.
pub(super) struct DiagnosticRenderer {
    renderer: Renderer,
}

/// A place that a diagnostic points at.
struct Pointed<'d> {
    at: Origin,
    line: u32,
    label: Option<&'d str>,
    is_primary: bool,
}

/// Places in a file that are drawn together.
struct Cluster<'d> {
    places: Vec<Pointed<'d>>,
}

impl DiagnosticRenderer {
    /// Draws with or without colours.
    pub(super) fn new(is_coloured: bool) -> DiagnosticRenderer {
        let renderer = if is_coloured { Renderer::styled() } else { Renderer::plain() };
        DiagnosticRenderer { renderer: renderer.decor_style(DecorStyle::Ascii) }
    }

    /// The drawing of a diagnostic, followed by an empty line.
    pub(super) fn text(&self, judged: &Judged, diagnostic: &Diagnostic) -> String {
        let title = level(diagnostic.severity)
            .primary_title(screen::line(&diagnostic.finding.message))
            .id(diagnostic.rule);
        let mut group = Group::with_title(title);
        for cluster in clusters(judged, diagnostic) {
            group = draw(group, judged, &cluster);
        }
        if let Some(help) = help(diagnostic) {
            group = group.element(Level::HELP.message(screen::line(help)));
        }
        let mut text = self.renderer.render(&[group]);
        text.push_str("\n\n");
        text
    }
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name("hint"),
    }
}

/// The help. Without one, the title of a fix.
fn help(diagnostic: &Diagnostic) -> Option<&str> {
    let finding = &diagnostic.finding;
    finding.help.as_deref().or_else(|| finding.fixes.first().map(|fix| fix.title.as_str()))
}

/// The places of a diagnostic. Near places in a file are together, and the one with the finding comes first.
fn clusters<'d>(judged: &Judged, diagnostic: &'d Diagnostic) -> Vec<Cluster<'d>> {
    let finding = &diagnostic.finding;
    let related = finding.related.iter().map(|one| (one.at, Some(one.message.as_str()), false));
    let places = std::iter::once((finding.at, finding.label.as_deref(), true)).chain(related);
    let mut clusters: Vec<Cluster<'d>> = Vec::new();
    for (at, label, is_primary) in places {
        let Some(place) = judged.place(at) else { continue };
        let pointed = Pointed { at, line: place.start.at.line, label, is_primary };
        match clusters.iter_mut().find(|cluster| cluster.is_near(&pointed)) {
            Some(cluster) => cluster.places.push(pointed),
            None => clusters.push(Cluster { places: vec![pointed] }),
        }
    }
    clusters
}

impl Cluster<'_> {
    fn is_near(&self, pointed: &Pointed<'_>) -> bool {
        self.places
            .iter()
            .any(|one| one.at.source == pointed.at.source && one.line.abs_diff(pointed.line) <= GAP_MAX)
    }
}

/// Adds the header and the source lines of a cluster.
fn draw<'a>(group: Group<'a>, judged: &'a Judged, cluster: &Cluster<'a>) -> Group<'a> {
    let Some(first) = cluster.places.first() else { return group };
    let (Some(place), Some((text, lines))) = (judged.place(first.at), judged.text(first.at.source)) else {
        return group;
    };
    let marks = cluster.places.iter().map(|place| Mark { range: place.at.range, line: place.line });
    let excerpt = Excerpt::new(text, lines, &marks.collect::<Vec<_>>());
    let path = screen::line(place.path);
    // The renderer counts columns in the excerpt, which is wrong for a line that is cut.
    let (group, path) = if excerpt.is_cut {
        let start = place.start.at;
        let header = Header::path(path).line(start.line as usize).char_column(start.column as usize);
        (group.element(header), None)
    } else {
        (group, Some(path))
    };
    let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line as usize).path(path);
    for (place, span) in cluster.places.iter().zip(excerpt.spans) {
        let kind = if place.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        snippet = snippet.annotation(kind.span(span).label(place.label.map(screen::line)));
    }
    group.element(snippet)
}
