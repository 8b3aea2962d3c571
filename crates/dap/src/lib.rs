//! A debug adapter: messages of the Debug Adapter Protocol on one side, `nodewise-debugger` on the other.
//!
//! Reading order: [`refusal`] (why a request fails), [`launch`] (what to debug), [`capabilities`] (what is announced),
//! `arguments` (what requests say), `files` (paths and positions as the client counts them), `references` (frames and
//! variables by number), [`session`] (one client, and the run that it debugs), `requests` (a file for each group), `dispatch`,
//! [`serve`] (the stream).
//!
//! Invariant: a request has one response, and a panic in a request ends neither the session nor the run.

pub mod refusal;

pub mod launch;

pub mod capabilities;

mod arguments;

mod files;

mod references;

pub mod session;

mod requests;

mod dispatch;

pub mod serve;
