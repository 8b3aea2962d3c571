//! The settings that editors offer: what each is called, what it may be, what it does.
//!
//! Input: nothing; output: a list, and each setting as JSON Schema. Invariant: the list holds exactly what the language server
//! reads, with the same defaults; the server's tests hold it to that.

use serde_json::{Value, json};

/// A setting below the section `nodewise`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name below the section, with dots.
    pub name: &'static str,
    /// What it may be.
    pub values: Values,
    /// What it does, in a sentence of Markdown.
    pub doc: &'static str,
}

/// What a setting may be.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// On or off, with the default.
    Flag(bool),
    /// One of some words, each with what it means; the first is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

/// Every setting, in the order in which people read them.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "diagnostics",
        values: Values::Choice(&[
            ("open", "The problems of files that are open in an editor."),
            ("workspace", "The problems of every file of the folders."),
        ]),
        doc: "Whose problems are shown.",
    },
    flag("hints", true, "Shows hints beside errors and warnings."),
    flag("renameComments", false, "A rename changes whole words in comments, too."),
    flag("inlayHints.defaults", false, "Shows the values that count because a key is absent."),
    flag("inlayHints.grants", false, "Shows the keys of the state that a node may write without saying so."),
    flag("inlayHints.expressionTypes", false, "Shows what an expression comes to."),
    flag("inlayHints.kinds", false, "Shows of what kind the target of a reference is."),
    flag("inlayHints.overlays", false, "Shows which overlays patch a declaration."),
];

const fn flag(name: &'static str, default: bool, doc: &'static str) -> Setting {
    Setting { name, values: Values::Flag(default), doc }
}

impl Setting {
    /// The setting as JSON Schema, in the form in which VS Code's manifests describe settings.
    #[must_use]
    pub fn schema(&self) -> Value {
        match self.values {
            Values::Flag(default) => {
                json!({"type": "boolean", "default": default, "markdownDescription": self.doc})
            }
            Values::Choice(words) => json!({
                "type": "string",
                "enum": words.iter().map(|(word, _)| word).collect::<Vec<_>>(),
                "markdownEnumDescriptions": words.iter().map(|(_, doc)| doc).collect::<Vec<_>>(),
                "default": words.first().map(|(word, _)| word),
                "markdownDescription": self.doc,
            }),
        }
    }
}
