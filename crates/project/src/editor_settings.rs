//! The settings that editors offer: what each is called, what it may be, what it does.
//!
//! Input: nothing; output: a list, and each setting as JSON Schema. Invariant: the list holds exactly what the language server
//! reads, with the same defaults; the server's tests hold it to that.

use serde_json::{Value, json};

/// A setting below the section `nodewise`.
#[derive(Debug, Clone, Copy)]
pub struct EditorSetting {
    /// The name below the section, with dots.
    pub name: &'static str,
    /// The values that it can have.
    pub values: Values,
    /// What it does, in a sentence of Markdown.
    pub doc: &'static str,
}

/// The values that a setting can have.
#[derive(Debug, Clone, Copy)]
pub enum Values {
    /// On or off, with the default.
    Flag(bool),
    /// One of these words, each with its meaning. The first one is the default.
    Choice(&'static [(&'static str, &'static str)]),
}

/// Every setting, in the order in which people read them.
pub const SETTINGS: &[EditorSetting] = &[
    EditorSetting {
        name: "diagnostics",
        values: Values::Choice(&[
            ("open", "Show problems of open files only."),
            ("workspace", "Show problems of every file in the workspace."),
        ]),
        doc: "Which files to show problems for.",
    },
    flag("hints", true, "Show hints in addition to errors and warnings."),
    flag("renameComments", false, "Also rename whole words in comments."),
    flag("codeLens.simulate", true, "Show the lenses `Simulate graph` and `Simulate from here`."),
    flag("codeLens.runNode", true, "Show the lens `Run node` at each node."),
    flag("codeLens.runNodeLive", true, "Show the lens `Run node (live)` where live runs are configured."),
    flag("codeLens.scenarios", true, "Show the lens `Run scenario`."),
    flag("codeLens.references", true, "Show a lens with the number of references at each name."),
    flag(
        "codeLens.request",
        false,
        "Show a lens at each node that asks a model, for what it would send in a live run.",
    ),
    flag("inlayHints.defaults", false, "Show the default value of each key that is not set."),
    flag(
        "inlayHints.grants",
        false,
        "Show the state keys that a node may write although it does not list them.",
    ),
    flag(
        "inlayHints.expressionTypes",
        false,
        "Show the type of each expression, or its value if it is constant.",
    ),
    flag("inlayHints.kinds", false, "Show the kind of each reference's target."),
    flag("inlayHints.overlays", false, "Show which overlays change a declaration."),
];

const fn flag(name: &'static str, default: bool, doc: &'static str) -> EditorSetting {
    EditorSetting { name, values: Values::Flag(default), doc }
}

impl EditorSetting {
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
