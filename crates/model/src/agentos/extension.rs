//! A call of a method of a host's extension: which one. What it returns may be written to the state, under keys
//! that no document shows.

use smol_str::SmolStr;

use crate::origin::Located;

/// A call of a method of an extension.
#[derive(Debug, Clone, Default)]
pub struct ExtensionWork {
    pub extension: Option<Located<SmolStr>>,
    pub method: Option<Located<SmolStr>>,
}
