//! The systems, each in a module of its own.

pub mod agentos;
pub mod cycgraph;
pub mod liman;

use nodewise_model::for_each_system;
use nodewise_model::registry::Registry;

use crate::system::Runtime;

macro_rules! runtimes {
    ($($system:ident $dialect:ident),*) => { &[$($system::RUNTIME),*] };
}

/// How the graphs of each system run.
pub static SYSTEMS: Registry<dyn Runtime> = Registry::new(for_each_system!(runtimes));
