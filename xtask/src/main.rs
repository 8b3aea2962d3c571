//! The program `xtask`. The library contains everything.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
