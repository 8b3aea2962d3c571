//! A server of the Model Context Protocol: the commands of nodewise as tools for coding agents.
//!
//! Reading order: [`program`] (a tool asks the nodewise command, in a process of its own), [`roots`] (the folders that an
//! agent may name files of), `answer` (what an agent reads, within its budget), `tool` (what a tool is), `tools` (a file
//! for each), `resources`, `prompts`, `consent` (the question before a live run), [`vocabulary`] (what the program knows), [`server`] (the protocol).
//!
//! Invariant: a tool says what the command of the same name says, because it asks that command.

mod answer;
mod consent;
mod error;
mod prompts;
mod resources;
mod tool;
mod tools;

pub mod program;
pub mod roots;
pub mod server;
pub mod vocabulary;
