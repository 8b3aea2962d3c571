//! The JSON Schemas against everything that there are verdicts about: corpora, examples, scripts, configuration files.
//!
//! Input: documents, what `nodewise check` finds in each, and the schemas that the command prints. Output: the verdicts of
//! validators. Invariant: a schema accepts what has no fault that one document by itself can show, and nothing else.

mod documents;
mod language_server;
mod reports;
mod rules;
mod validators;
mod verdicts;
