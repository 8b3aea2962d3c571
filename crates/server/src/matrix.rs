//! How the server handles every method of the protocol: supported, or why not.
//!
//! Input: the methods of the protocol's meta-model (`protocol.json`), and the table below. Output: the page
//! `docs/lsp.md`. Invariant: the table has one line for each method of the protocol, and the server announces exactly
//! the methods that the table calls supported.

use std::fmt::Write;

use serde::Deserialize;

use Support::{No, Yes};

/// The methods of the protocol.
const PROTOCOL: &str = include_str!("../protocol.json");

/// The extensions of the protocol.
const DRAWINGS: &str = include_str!("matrix/drawings.md");
const RUNS: &str = include_str!("matrix/runs.md");

/// Whether the server supports a method, and how or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    /// It is answered or sent. The text says how.
    Yes(&'static str),
    /// It is neither answered nor sent. The text says why.
    No(&'static str),
}

/// The methods of the protocol, as the meta-model lists them.
#[derive(Debug, Deserialize)]
pub(crate) struct Protocol {
    /// The protocol's version.
    pub(crate) version: String,
    pub(crate) methods: Vec<Method>,
}

/// A method of the protocol.
#[derive(Debug, Deserialize)]
pub(crate) struct Method {
    pub(crate) method: String,
    /// `request` or `notification`.
    kind: String,
    /// Who sends it: `clientToServer`, `serverToClient` or `both`.
    direction: String,
    /// The first version with the method, if the meta-model says.
    since: Option<String>,
    /// The server's capability that announces it.
    #[cfg_attr(not(test), expect(dead_code, reason = "the test compares it with what is announced"))]
    pub(crate) capability: Option<String>,
}

#[cfg(test)]
impl Method {
    /// Whether the client sends it.
    pub(crate) fn is_from_client(&self) -> bool {
        self.direction == "clientToServer"
    }
}

/// How the server handles each method.
pub(crate) const ANSWERS: &[(&str, Support)] = &[
    (
        "callHierarchy/incomingCalls",
        Yes("callers: edges, routers, supervisors, parents, nodes that list a tool"),
    ),
    (
        "callHierarchy/outgoingCalls",
        Yes("the targets of the node, with the ranges of the edges; who reads, tests and copies a state key"),
    ),
    (
        "client/registerCapability",
        Yes("watches files and provides rule pages, if the client supports dynamic registration"),
    ),
    ("client/unregisterCapability", No("registrations never end before the session")),
    ("codeAction/resolve", Yes("computes the edits of the chosen action")),
    (
        "codeLens/resolve",
        Yes(
            "the number of references; a client with `codeLens.resolveSupport` without `command` gets it at once",
        ),
    ),
    ("completionItem/resolve", Yes("the documentation of an item")),
    ("documentLink/resolve", No("links already have their targets")),
    ("exit", Yes("ends the process: code 0 after `shutdown`, else 1")),
    ("initialize", Yes("negotiates UTF-8, UTF-16 or UTF-32 positions; reads no files")),
    ("initialized", Yes("starts loading the folders")),
    ("inlayHint/resolve", No("hints are already complete")),
    ("notebookDocument/didChange", No("notebooks do not contain declarations")),
    ("notebookDocument/didClose", No("notebooks do not contain declarations")),
    ("notebookDocument/didOpen", No("notebooks do not contain declarations")),
    ("notebookDocument/didSave", No("notebooks do not contain declarations")),
    ("shutdown", Yes("later requests get an error")),
    ("telemetry/event", No("nodewise collects no data")),
    ("textDocument/codeAction", Yes("fixes, ignore comments, refactorings, `source.fixAll.nodewise`")),
    (
        "textDocument/codeLens",
        Yes(
            "`n references` on every declaration, node, agent and graph; `Simulate graph`, `Simulate from here`, \
             `Run node`, `Run node (live)`, `Run scenario`",
        ),
    ),
    ("textDocument/colorPresentation", No("declarations contain no colours")),
    (
        "textDocument/completion",
        Yes("keys, values, names, state keys, templates, function paths, expressions, whole declarations"),
    ),
    ("textDocument/declaration", Yes("the declaration of a name")),
    ("textDocument/definition", Yes("from every reference, including expressions and templates")),
    ("textDocument/diagnostic", Yes("with result ids; clients that pull get no push diagnostics")),
    ("textDocument/didChange", Yes("incremental and full; edits out of range are clipped to the text")),
    ("textDocument/didClose", Yes("the server uses the file on disk again")),
    ("textDocument/didOpen", Yes("files in a workspace folder, other files, `untitled:` buffers")),
    ("textDocument/didSave", Yes("adds a new file to its project")),
    ("textDocument/documentColor", No("declarations contain no colours")),
    ("textDocument/documentHighlight", Yes("distinguishes reads from writes")),
    ("textDocument/documentLink", Yes("rule ids in comments, file names in scenarios, URLs")),
    ("textDocument/documentSymbol", Yes("declarations, graphs, nodes, edges, agents, tools")),
    ("textDocument/foldingRange", Yes("mappings, lists, block scalars, comments, documents")),
    ("textDocument/formatting", Yes("like `nodewise fmt`, with the project's `[format]` settings")),
    ("textDocument/hover", Yes("keys, values, names, state keys, localized texts, expressions")),
    ("textDocument/implementation", Yes("from a function path to its Python `def`")),
    (
        "textDocument/inlayHint",
        Yes("implied grants, target kinds, expression types, defaults; a setting enables each of them"),
    ),
    ("textDocument/inlineCompletion", No("would need a language model, and nodewise includes none")),
    (
        "textDocument/inlineValue",
        Yes("state keys, and the paths of conditions, which the editor evaluates with the debugger"),
    ),
    ("textDocument/linkedEditingRange", Yes("an id and its uses in the document")),
    ("textDocument/moniker", No("names are not visible to other projects")),
    ("textDocument/onTypeFormatting", Yes("indentation after Enter")),
    ("textDocument/prepareCallHierarchy", Yes("nodes, agents, graphs, declarations, state keys")),
    ("textDocument/prepareRename", Yes("the range of the name, or why you cannot rename it")),
    ("textDocument/prepareTypeHierarchy", No("kinds have no inheritance")),
    (
        "textDocument/publishDiagnostics",
        Yes(
            "for clients that do not pull; with the document's version; at most the 1,000 most severe findings of a file, and the number of the others",
        ),
    ),
    ("textDocument/rangeFormatting", Yes("formats the outermost entries that contain the range")),
    ("textDocument/rangesFormatting", No("clients can request each range")),
    ("textDocument/references", Yes("in all files, including expressions, overlays and templates")),
    ("textDocument/rename", Yes("in all files, including expressions, overlays and templates")),
    ("textDocument/selectionRange", Yes("word, text, value, entry, mapping, item, document")),
    ("textDocument/semanticTokens/full", Yes("keys, names by their kind, expressions inside strings")),
    ("textDocument/semanticTokens/full/delta", Yes("relative to the last answer")),
    ("textDocument/semanticTokens/range", Yes("the requested range")),
    ("textDocument/signatureHelp", Yes("builtins and functions in expressions")),
    ("textDocument/typeDefinition", Yes("the target that a node runs, the schema of a key")),
    ("textDocument/willSave", No("nothing to do before saving")),
    ("textDocument/willSaveWaitUntil", No("for fixes on save, editors request `source.fixAll.nodewise`")),
    ("typeHierarchy/subtypes", No("kinds have no inheritance")),
    ("typeHierarchy/supertypes", No("kinds have no inheritance")),
    (
        "window/logMessage",
        Yes("files that cannot be read, with the reason; log output of tools in live runs"),
    ),
    ("window/showDocument", No("the server never opens documents")),
    ("window/showMessage", Yes("a rule's page, if the editor cannot open it as a document")),
    ("window/showMessageRequest", Yes("live runs ask for permission and for decisions")),
    ("window/workDoneProgress/cancel", Yes("stops the run with that progress token")),
    ("window/workDoneProgress/create", Yes("for loading folders, long simulations and live runs")),
    ("workspace/applyEdit", No("edits are always answers to requests")),
    (
        "workspace/codeLens/refresh",
        Yes(
            "after changes to files on disk, folders, settings or runs that affect lenses, and in a pause after edits that \
             affect references in other documents",
        ),
    ),
    ("workspace/configuration", Yes("the section `nodewise`")),
    (
        "workspace/diagnostic",
        Yes("with result ids; partial results on request; waits for changes if there are none"),
    ),
    (
        "workspace/diagnostic/refresh",
        Yes(
            "after changes to files on disk, folders or settings; after edits, clients request diagnostics themselves",
        ),
    ),
    ("workspace/didChangeConfiguration", Yes("the section `nodewise`, pushed or pulled")),
    (
        "workspace/didChangeWatchedFiles",
        Yes("declarations, `nodewise.toml`, Python files, new and deleted folders"),
    ),
    ("workspace/didChangeWorkspaceFolders", Yes("loads new folders and drops removed ones")),
    ("workspace/didCreateFiles", Yes("reads files and folders that the editor creates")),
    ("workspace/didDeleteFiles", Yes("removes the declarations of deleted files and folders")),
    ("workspace/didRenameFiles", Yes("reads files and folders that the editor moves")),
    (
        "workspace/executeCommand",
        Yes("`nodewise.explain`, `nodewise.refresh`, `nodewise.status`, `nodewise.graph`, \
             `nodewise.markGraph`, `nodewise.editGraph`, `nodewise.nodeKinds`, `nodewise.editCondition`, `nodewise.layout`, \
             `nodewise.evaluate`, `nodewise.simulate`, `nodewise.scripts`, `nodewise.inputSchema`, \
             `nodewise.run`, `nodewise.request`, `nodewise.resume`, `nodewise.pin`, `nodewise.unpin`, \
             `nodewise.runs`, `nodewise.history`, `nodewise.showRun`, `nodewise.compare`, \
             `nodewise.test`, `nodewise.stateAt`, `nodewise.scenario`, `nodewise.clearRun`"),
    ),
    ("workspace/foldingRange/refresh", No("folds depend on the text only")),
    (
        "workspace/inlayHint/refresh",
        Yes(
            "after a folder is loaded, after changes to files or settings, and in a pause after edits, as for lenses",
        ),
    ),
    (
        "workspace/inlineValue/refresh",
        No("values only change when the debugged run moves, and then clients ask again"),
    ),
    ("workspace/semanticTokens/refresh", No("clients request tokens again after an edit")),
    ("workspace/symbol", Yes("fuzzy search in all folders")),
    (
        "workspace/textDocumentContent",
        Yes(
            "rule pages, `nodewise:///rules/…`, and specifications, `nodewise:///spec/…`; registered dynamically",
        ),
    ),
    ("workspace/textDocumentContent/refresh", No("rule pages do not change")),
    ("workspace/willCreateFiles", No("a new file needs no edits elsewhere")),
    ("workspace/willDeleteFiles", No("references to a deleted file are reported, not edited")),
    (
        "workspace/willRenameFiles",
        Yes("updates function paths to renamed Python files, and file paths in scenarios and scripts"),
    ),
    (
        "workspace/workspaceFolders",
        No("the client sends its folders in `initialize`, and later their changes"),
    ),
    ("workspaceSymbol/resolve", No("symbols already have their locations")),
    ("$/cancelRequest", Yes("answers immediately and stops long work")),
    ("$/logTrace", No("there is no trace to log")),
    ("$/progress", Yes("progress of loading folders and of runs")),
    ("$/setTrace", Yes("accepted, without effect")),
];

/// The methods of the protocol.
#[must_use]
pub(crate) fn protocol() -> Protocol {
    // If the list cannot be parsed, it has no methods, and the test fails.
    serde_json::from_str(PROTOCOL).unwrap_or(Protocol { version: String::new(), methods: Vec::new() })
}

/// The page with the table.
#[must_use]
pub fn page() -> String {
    let protocol = protocol();
    let mut page = format!(
        "# Language server protocol\n\n\
         This page lists every request and notification of version {} of the Language Server Protocol, and how \
         `nodewise lsp` handles it. The list comes from the protocol's meta-model. A test compares it with the \
         meta-model and with the capabilities that the server announces.\n",
        protocol.version
    );
    let directions =
        [("From the editor", "clientToServer"), ("From the server", "serverToClient"), ("From both", "both")];
    for (title, direction) in directions {
        // Writing to a string cannot fail.
        let _ = write!(
            page,
            "\n## {title}\n\n| Method | Type | Since | Supported | Notes |\n|---|---|---|---|---|\n"
        );
        for method in protocol.methods.iter().filter(|method| method.direction == direction) {
            let (answered, note) = match answer(&method.method) {
                Some(Yes(note)) => ("yes", note),
                Some(No(note)) => ("no", note),
                None => ("no", ""),
            };
            let since = method.since.as_deref().unwrap_or_default();
            let _ =
                writeln!(page, "| `{}` | {} | {since} | {answered} | {note} |", method.method, method.kind);
        }
    }
    page.push_str(DRAWINGS);
    page.push_str(RUNS);
    page
}

/// How the server handles a method.
pub(crate) fn answer(method: &str) -> Option<Support> {
    ANSWERS.iter().find(|(name, _)| *name == method).map(|(_, support)| *support)
}

#[cfg(test)]
mod tests;
