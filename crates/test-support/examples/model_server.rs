//! A model server of its own for tests of editors and commands: `model_server SCRIPT.json [ADDRESS]`.
//!
//! Input: a script as `nodewise_test_support::model_server` reads it, an address to listen at (a free port of this machine where
//! none is given); output: one line with the address where the interface begins. Invariant: it runs until its input ends.

#![allow(clippy::disallowed_methods, clippy::print_stdout, reason = "it serves, and tells where")]

use std::io::{self, Read};

use nodewise_test_support::model_server::ModelServer;

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let script =
        arguments.next().ok_or_else(|| io::Error::other("usage: model_server SCRIPT.json [ADDRESS]"))?;
    let script = serde_json::from_str(&std::fs::read_to_string(script)?)?;
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".to_owned());
    let server = ModelServer::listen(&address, script)?;
    println!("{}", server.base_url());
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
