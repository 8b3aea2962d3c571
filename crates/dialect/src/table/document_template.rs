//! Whole documents and projects to begin with. Data only.

/// A document to begin with. Completion in an empty document offers it.
#[derive(Debug, Clone, Copy)]
pub struct DocumentTemplate {
    /// The name in lists, unique among all systems.
    pub label: &'static str,
    /// The kind of the document.
    pub kind: &'static str,
    /// What the document has, in a few words.
    pub doc: &'static str,
    /// The document as YAML. A key or text in angle brackets is a placeholder with that value: `<write>`. Equal ones
    /// are one placeholder, so that a name is typed once.
    pub text: &'static str,
}

/// A file of an example project.
#[derive(Debug, Clone, Copy)]
pub struct ExampleFile {
    /// Relative to the folder of the project, with slashes.
    pub path: &'static str,
    /// What the file contains.
    pub text: &'static str,
}
