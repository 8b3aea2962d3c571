//! The files of the example project, as they are in `examples/cycgraph`.

use crate::table::ExampleFile;

macro_rules! example {
    ($path:literal) => {
        ExampleFile { path: $path, text: include_str!(concat!("../../../../../examples/cycgraph/", $path)) }
    };
}

pub(super) const FILES: &[ExampleFile] = &[
    example!("agents.yaml"),
    example!("claims.scenario.yaml"),
    example!("claims.script.yaml"),
    example!("claims.yaml"),
    example!("documents.py"),
    example!("nodewise.toml"),
    example!("office.py"),
    example!("rates.bundle.json"),
    example!("settlement.yaml"),
];
