//! Recordings as text for people, as JSON for programs, as pictures.

pub mod json;
mod text;

pub use text::text;
