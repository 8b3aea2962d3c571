//! The program `nodewise`: the command with the systems that ship.

use nodewise_allocator as _;

fn main() {
    nodewise::run()
}
