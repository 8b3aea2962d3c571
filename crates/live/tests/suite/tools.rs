//! Tools of live runs before real counterparts: functions in an interpreter of Python, servers of tools that are programs.
//!
//! Input: files, a configuration, calls. Output: answers, and what was reported beside them. Invariant: no test depends on another,
//! on the current folder or on how fast the machine is; where Python is not there, a test says that it was skipped.

mod support;

mod arguments;
mod awkward;
mod coroutines;
mod everything;
mod functions;
mod http;
mod servers;
mod services;
