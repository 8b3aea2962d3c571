//! The program `nodewise`: the command with the systems that ship.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() {
    nodewise::run()
}
