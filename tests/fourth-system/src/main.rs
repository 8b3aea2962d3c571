//! nodewise with one more system.

fn main() {
    // Nothing has run, so the lists of systems are open.
    let _ = nodewise::add_system(&fourth_system::RELAY);
    nodewise::run()
}
