//! The files of the example project, as they are in `examples/agentos`.

use crate::table::ExampleFile;

macro_rules! example {
    ($path:literal) => {
        ExampleFile { path: $path, text: include_str!(concat!("../../../../../examples/agentos/", $path)) }
    };
}

pub(super) const FILES: &[ExampleFile] = &[
    example!("nodewise.toml"),
    example!("order-history.json"),
    example!("refunds.scenario.yaml"),
    example!("refunds.script.yaml"),
    example!("refunds.yaml"),
    example!("services.py"),
];
