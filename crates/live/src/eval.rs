//! Evals: cases that run with real models, in a table of prompts, models and cases, evaluated and compared.
//!
//! Input: an eval as its file says it, the configuration. Output: the result of each run, sums for each place of the table, and how
//! they differ from the accepted ones. Reading order: [`table`] (what is run, with which prompts and models), [`judging`] (what
//! judges a result), [`budget`] (what it may cost), [`runner`] (many runs at once), [`results`] (sums and comparisons), [`saved`] (sums in a file), [`report`]
//! (results as text, Markdown, JSON and JUnit's XML). Invariant: the order of results is that of the table, whichever run ends first.

mod budget;
pub mod judging;
pub mod report;
pub mod results;
pub mod runner;
pub mod saved;
pub mod table;
