//! The graphs of a run as a picture, the path painted.
//!
//! Input: a recording; output: a complete SVG document without scripts, fonts or references. Invariant: texts of files
//! stand in it as text only.

use nodewise_diagram::Direction;
use nodewise_diagram::svg::Picture;

use crate::paint::{Painting, paintings};
use crate::recording::Recording;

/// The picture.
#[must_use]
pub fn svg(recording: &Recording) -> String {
    let paintings = paintings(recording);
    let pictures: Vec<Picture<'_>> = paintings.iter().map(Painting::picture).collect();
    nodewise_diagram::svg::svg(&recording.title, &pictures, Direction::Down)
}
