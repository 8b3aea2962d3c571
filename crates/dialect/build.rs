//! Compresses the specifications of the systems, which few users read, and which take a hundred kilobytes as text.
//!
//! Input is the pages below `docs/spec`; output is a file `NAME.packed` for each in cargo's folder. Invariant: `PackedText` reads them.

#![allow(clippy::disallowed_methods, reason = "a build script reads and writes files")]
#![allow(clippy::print_stdout, reason = "cargo reads what a build script prints")]

use std::path::PathBuf;
use std::{env, fs, io};

use miniz_oxide::deflate::compress_to_vec;

const PAGES: &str = "../../docs/spec";
/// The best compression.
const LEVEL: u8 = 10;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={PAGES}");
    let folder = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    for entry in fs::read_dir(PAGES)? {
        let path = entry?.path();
        let Some(name) = path.file_stem() else { continue };
        let packed = folder.join(name).with_extension("packed");
        fs::write(packed, compress_to_vec(&fs::read(&path)?, LEVEL))?;
    }
    Ok(())
}
