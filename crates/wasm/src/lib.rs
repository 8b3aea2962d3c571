//! What nodewise knows without files, processes and networks, for programs in JavaScript: in Node, and in pages.
//!
//! Reading order: `boundary` (the functions that JavaScript calls), `requests` (what it asks for), `open_projects` (the files, kept
//! between requests), a module for each answer: `check`, `format`, `graph`, `simulate`, `editor` (for pages); `error`, `memory` (for the parser in C). The
//! language server, with the feature of that name, is `nodewise_server::single_thread`.
//!
//! Input: requests as JSON, each with all files. Output: answers as JSON. Invariant: an answer is what the command of the same name
//! says about a folder with these files.

mod boundary;
mod check;
mod editor;
mod error;
mod format;
mod graph;
mod memory;
mod open_projects;
mod requests;
mod simulate;
