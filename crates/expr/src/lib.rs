//! The expression languages of the dialects: parse, check, evaluate, print.
//!
//! Input: the text of an expression, never a file; output: trees, problems, values. The list of modules below is in
//! reading order. Invariant: no text makes anything here panic, and equal input gives equal output.

pub mod ast;
pub mod problem;

pub mod agentos;
pub mod filtrex;
mod foreign;
pub mod jsonpath;
pub mod limance;

pub mod circumstances;
pub mod constant;
pub mod finding;
pub mod language;
pub mod sexpr;
pub mod standalone;
mod text;
pub mod token;
pub mod types;
pub mod vocabulary;

pub mod json;
pub mod value;

pub mod javascript;
mod pattern;

pub mod builtins;
pub mod eval;

pub mod assist;

pub use text_size::{TextRange, TextSize};
