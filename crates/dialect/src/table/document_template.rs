//! Whole documents and projects to begin with. Data only.

/// A template for a new document. Completion in an empty document offers it.
#[derive(Debug, Clone, Copy)]
pub struct DocumentTemplate {
    /// The name in lists. Unique among all systems.
    pub label: &'static str,
    /// The kind of the document.
    pub kind: &'static str,
    /// A short description of the document.
    pub doc: &'static str,
    /// The document as YAML. A key or text in angle brackets is a placeholder with that default: `<write>`. Equal
    /// placeholders are linked, so that a name is typed only once.
    pub text: &'static str,
}

/// A file of an example project.
#[derive(Debug, Clone, Copy)]
pub struct ExampleFile {
    /// The path relative to the project's folder, with slashes.
    pub path: &'static str,
    /// The text of the file.
    pub text: &'static str,
}
