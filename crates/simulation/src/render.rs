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
pub use text::{TimelineLine, text, timeline};
pub(crate) use text::{in_words, shown};

pub use crate::words::{money, time};
