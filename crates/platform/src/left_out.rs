//! What a build without live runs answers when someone asks for one.

/// The error message for live runs in a build without them, for a web page.
#[cfg(target_family = "wasm")]
pub const NO_LIVE: &str = "live runs need the program `nodewise`, which an editor in a web page cannot start; use the editor on your \
                           computer";
/// The error message for live runs in a build without them, for the command.
#[cfg(not(target_family = "wasm"))]
pub const NO_LIVE: &str = "this build of nodewise does not include live runs; to add them, run `cargo install --path . \
                           --features live` in a checkout of nodewise";
