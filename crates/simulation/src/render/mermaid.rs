//! The graphs of a run as a Mermaid flowchart, the path painted.
//!
//! Input: a recording; output: Mermaid's text. Invariant: names of files and conditions cannot break the flowchart.

use nodewise_diagram::Direction;
use nodewise_diagram::svg::Picture;

use crate::paint::{Painting, paintings};
use crate::recording::Recording;

/// The flowchart.
#[must_use]
pub fn mermaid(recording: &Recording) -> String {
    let paintings = paintings(recording);
    let pictures: Vec<Picture<'_>> = paintings.iter().map(Painting::picture).collect();
    nodewise_diagram::mermaid::mermaid(&pictures, Direction::Down)
}
