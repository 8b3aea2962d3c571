//! The program `xtask`; what it does is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    xtask::main()
}
