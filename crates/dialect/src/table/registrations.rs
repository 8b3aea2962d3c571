//! How programs of Python register what documents declare too.

/// The classes by which programs register declarations of a system. They are called like the kinds.
#[derive(Debug)]
pub struct Registrations {
    /// The packages that export the classes, with what is below them.
    pub packages: &'static [&'static str],
    /// The kinds that programs register.
    pub kinds: &'static [&'static str],
    /// The method of a class that takes a declaration as a mapping.
    pub from_mapping: &'static str,
    /// What stands behind the name of a class in that of the class for its declarations.
    pub declaration_suffix: &'static str,
    /// The key of a declaration that names it.
    pub name: &'static str,
}
