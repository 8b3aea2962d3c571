//! Recordings as text for people, as JSON for programs, as pictures.

pub mod json;
mod mermaid;
mod summary;
mod svg;
mod text;

pub use mermaid::mermaid;
pub use summary::summary;
pub use svg::svg;
pub use text::text;
pub(crate) use text::{in_words, shown};
