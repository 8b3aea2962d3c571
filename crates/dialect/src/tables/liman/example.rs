//! The files of the example project, as they are in `examples/liman`.

use crate::table::ExampleFile;

macro_rules! example {
    ($path:literal) => {
        ExampleFile { path: $path, text: include_str!(concat!("../../../../../examples/liman/", $path)) }
    };
}

pub(super) const FILES: &[ExampleFile] = &[
    example!("accounts/desk.yaml"),
    example!("desk.eval.yaml"),
    example!("desk.scenario.yaml"),
    example!("desk.yaml"),
    example!("desk/__init__.py"),
    example!("desk/rules.py"),
    example!("desk/steps.py"),
    example!("desk/tools.py"),
    example!("nodewise.toml"),
    example!("overlays/de.yaml"),
    example!("overlays/en.yaml"),
    example!("steps.yaml"),
    example!("tools/customers.yaml"),
    example!("tools/tickets.yaml"),
];
