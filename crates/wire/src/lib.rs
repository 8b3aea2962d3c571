//! What the protocols of editors have in common: framed messages on a stream of bytes, positions in texts, URIs of files.
//!
//! Input: bytes, texts; output: bodies of messages, lines and columns. Invariant: nothing here knows a protocol's messages.

pub mod frames;
pub mod positions;
pub mod surrogates;
pub mod uri;
