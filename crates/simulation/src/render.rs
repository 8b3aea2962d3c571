//! Recordings as text for people, as JSON for programs, as pictures.

mod exploration;
pub mod json;
mod mermaid;
mod sample;
mod summary;
mod svg;
mod text;

pub use exploration::{exploration_json, exploration_text};
pub use mermaid::mermaid;
pub use sample::{sample_json, sample_text};
pub use summary::summary;
pub use svg::svg;
pub use text::in_words;
pub(crate) use text::shown;
pub use text::{TimelineLine, TimelineWriter, text, timeline};

pub use crate::words::{money, time};
