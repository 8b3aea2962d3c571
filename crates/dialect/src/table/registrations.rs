//! How programs of Python register what documents declare too.

/// How Python programs register declarations: the packages' classes, which have the names of the kinds.
#[derive(Debug)]
pub struct Registrations {
    /// The packages that export the classes. Submodules count too.
    pub packages: &'static [&'static str],
    /// The kinds that programs can register.
    pub kinds: &'static [&'static str],
    /// The class method that takes a declaration as a mapping.
    pub from_mapping: &'static str,
    /// The suffix of the class for declarations: the class for a kind `X` has the name `X<suffix>`.
    pub declaration_suffix: &'static str,
    /// The key of a declaration for its name.
    pub name: &'static str,
}
