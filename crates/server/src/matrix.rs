//! What the server makes of every method of the protocol: answered, or why not.
//!
//! Input: the methods of the protocol's meta-model (`protocol.json`), and the table below. Output: the page
//! `docs/lsp.md`. Invariant: each method of the protocol has one line in the table, and what the table says is answered
//! is what the server announces.

use std::fmt::Write;

use serde::Deserialize;

use Support::{No, Yes};

/// The methods of the protocol.
const PROTOCOL: &str = include_str!("../protocol.json");

/// What there is beyond the protocol.
const DRAWINGS: &str = include_str!("matrix/drawings.md");
const RUNS: &str = include_str!("matrix/runs.md");

/// What the server makes of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Support {
    /// It is answered, or sent: how.
    Yes(&'static str),
    /// It is not: why.
    No(&'static str),
}

/// The methods of the protocol, as the meta-model lists them.
#[derive(Debug, Deserialize)]
pub(crate) struct Protocol {
    /// The protocol's version.
    pub(crate) version: String,
    /// The methods.
    pub(crate) methods: Vec<Method>,
}

/// A method of the protocol.
#[derive(Debug, Deserialize)]
pub(crate) struct Method {
    /// Its name.
    pub(crate) method: String,
    /// `request` or `notification`.
    kind: String,
    /// Who sends it.
    direction: String,
    /// The version that brought it, if the meta-model says.
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

/// What the server makes of each method.
pub(crate) const ANSWERS: &[(&str, Support)] = &[
    (
        "callHierarchy/incomingCalls",
        Yes("who leads here: edges, routers, supervisors, parents, nodes that list a tool"),
    ),
    ("callHierarchy/outgoingCalls", Yes("where it leads, with the places of the edges")),
    (
        "client/registerCapability",
        Yes("sent to have files watched and to hand out pages, where the client registers dynamically"),
    ),
    ("client/unregisterCapability", No("what is registered stays until the end")),
    ("codeAction/resolve", Yes("edits of actions that are worked out when one is chosen")),
    ("codeLens/resolve", Yes("the count of references")),
    ("completionItem/resolve", Yes("the documentation of an item")),
    ("documentLink/resolve", No("links come with their targets")),
    ("exit", Yes("ends the process: code 0 after `shutdown`, else 1")),
    ("initialize", Yes("negotiates UTF-8, UTF-16 or UTF-32 positions; touches no file")),
    ("initialized", Yes("begins to read the folders")),
    ("inlayHint/resolve", No("hints come complete")),
    ("notebookDocument/didChange", No("declarations do not live in notebooks")),
    ("notebookDocument/didClose", No("declarations do not live in notebooks")),
    ("notebookDocument/didOpen", No("declarations do not live in notebooks")),
    ("notebookDocument/didSave", No("declarations do not live in notebooks")),
    ("shutdown", Yes("what comes after it is answered with an error")),
    ("telemetry/event", No("nodewise collects nothing")),
    ("textDocument/codeAction", Yes("fixes, silencing comments, refactorings, `source.fixAll.nodewise`")),
    (
        "textDocument/codeLens",
        Yes(
            "`n references` on every declaration, node, agent and graph; `Simulate graph`, `Simulate from here`, \
             `Run node`, `Run node (live)`, `Run scenario`",
        ),
    ),
    ("textDocument/colorPresentation", No("declarations hold no colours")),
    (
        "textDocument/completion",
        Yes("keys, values, names, state keys, templates, function paths, expressions, whole declarations"),
    ),
    ("textDocument/declaration", Yes("where a name is declared")),
    ("textDocument/definition", Yes("from every reference, expressions and templates included")),
    ("textDocument/diagnostic", Yes("with result ids; a client that pulls is sent nothing unasked")),
    ("textDocument/didChange", Yes("incremental and full; edits out of range are cut to the text")),
    ("textDocument/didClose", Yes("the file on disk counts again")),
    ("textDocument/didOpen", Yes("files, files outside every folder, `untitled:` buffers")),
    ("textDocument/didSave", Yes("a file that is new on disk joins its project")),
    ("textDocument/documentColor", No("declarations hold no colours")),
    ("textDocument/documentHighlight", Yes("reads and writes told apart")),
    ("textDocument/documentLink", Yes("rule ids in comments, files that scenarios name, and URLs")),
    ("textDocument/documentSymbol", Yes("declarations, graphs, nodes, edges, agents, tools")),
    ("textDocument/foldingRange", Yes("mappings, lists, block texts, comments, documents")),
    ("textDocument/formatting", Yes("as `nodewise fmt`, by the project's `[format]`")),
    ("textDocument/hover", Yes("keys, words, names, state keys, localized texts, expressions")),
    ("textDocument/implementation", Yes("from a function path to its Python `def`")),
    (
        "textDocument/inlayHint",
        Yes("implied grants, target kinds, expression types, defaults; each switched by a setting"),
    ),
    (
        "textDocument/inlineCompletion",
        No("a language server that guesses whole texts would be a model; none is linked"),
    ),
    ("textDocument/inlineValue", No("there is no debug session yet")),
    ("textDocument/linkedEditingRange", Yes("an id and its uses in the document")),
    ("textDocument/moniker", No("names are not exported to other projects")),
    ("textDocument/onTypeFormatting", Yes("indentation after Enter")),
    ("textDocument/prepareCallHierarchy", Yes("nodes, agents, graphs, declarations")),
    ("textDocument/prepareRename", Yes("the name, or the reason why it cannot be renamed")),
    ("textDocument/prepareTypeHierarchy", No("kinds of declarations do not inherit")),
    (
        "textDocument/publishDiagnostics",
        Yes(
            "with the document's version, for clients that do not pull; the 1,000 findings of a file that do the most harm, and how many more there are",
        ),
    ),
    ("textDocument/rangeFormatting", Yes("the outermost entries around the range")),
    ("textDocument/rangesFormatting", No("clients ask range by range")),
    ("textDocument/references", Yes("over all files, expressions, overlays and templates included")),
    ("textDocument/rename", Yes("over all files, expressions, overlays and templates included")),
    ("textDocument/selectionRange", Yes("word, text, value, entry, mapping, item, document")),
    ("textDocument/semanticTokens/full", Yes("keys, names by what they name, expressions inside texts")),
    ("textDocument/semanticTokens/full/delta", Yes("against the last answer")),
    ("textDocument/semanticTokens/range", Yes("the visible part")),
    ("textDocument/signatureHelp", Yes("builtins and functions of expressions")),
    ("textDocument/typeDefinition", Yes("what a node runs, what a key's schema says")),
    ("textDocument/willSave", No("nothing has to happen before a save")),
    (
        "textDocument/willSaveWaitUntil",
        No("fixes on save are `source.fixAll.nodewise`, which editors ask for"),
    ),
    ("typeHierarchy/subtypes", No("kinds of declarations do not inherit")),
    ("typeHierarchy/supertypes", No("kinds of declarations do not inherit")),
    (
        "window/logMessage",
        Yes("what could not be read, and why; what tools of live runs say beside their answers"),
    ),
    ("window/showDocument", No("the server opens nothing by itself")),
    ("window/showMessage", Yes("a rule's page, where the editor cannot open it as a document")),
    ("window/showMessageRequest", Yes("sent by live runs: what they may start and call, what people decide")),
    ("window/workDoneProgress/cancel", Yes("stops a run by the token of its progress")),
    (
        "window/workDoneProgress/create",
        Yes("sent while folders are read, for long dry runs and for live runs"),
    ),
    ("workspace/applyEdit", No("edits are answers to requests")),
    (
        "workspace/codeLens/refresh",
        Yes(
            "sent when files on disk, folders, settings or runs change what lenses say, and in a pause after edits that \
             change what other documents refer to",
        ),
    ),
    ("workspace/configuration", Yes("the section `nodewise`")),
    (
        "workspace/diagnostic",
        Yes("with result ids, in parts if wanted; without news the answer waits for some"),
    ),
    (
        "workspace/diagnostic/refresh",
        Yes(
            "sent when files on disk, folders or settings change what is said; after edits, clients ask by themselves",
        ),
    ),
    ("workspace/didChangeConfiguration", Yes("the section `nodewise`, pushed or asked for")),
    (
        "workspace/didChangeWatchedFiles",
        Yes("declarations, `nodewise.toml`, Python files, folders that come and go"),
    ),
    ("workspace/didChangeWorkspaceFolders", Yes("folders come and go")),
    ("workspace/didCreateFiles", Yes("files and folders that the editor creates are read")),
    ("workspace/didDeleteFiles", Yes("what a deleted file or folder declared is gone")),
    ("workspace/didRenameFiles", Yes("files and folders that the editor moves are read at their new place")),
    (
        "workspace/executeCommand",
        Yes(
            "`nodewise.explain`, `nodewise.refresh`, `nodewise.status`, `nodewise.graph`, `nodewise.layout`, \
             `nodewise.evaluate`, `nodewise.simulate`, `nodewise.run`, `nodewise.resume`, `nodewise.runs`, \
             `nodewise.test`, `nodewise.stateAt`, `nodewise.scenario`, `nodewise.clearRun`",
        ),
    ),
    ("workspace/foldingRange/refresh", No("folds change with the text alone")),
    (
        "workspace/inlayHint/refresh",
        Yes(
            "sent when a folder was read and files or settings changed, and in a pause after edits as that of lenses",
        ),
    ),
    ("workspace/inlineValue/refresh", No("there is no debug session yet")),
    ("workspace/semanticTokens/refresh", No("clients ask again after an edit")),
    ("workspace/symbol", Yes("fuzzy, over all folders")),
    (
        "workspace/textDocumentContent",
        Yes("the pages of the rules, `nodewise:///rules/…`, registered dynamically"),
    ),
    ("workspace/textDocumentContent/refresh", No("the pages of the rules do not change")),
    ("workspace/willCreateFiles", No("a new file needs no edits elsewhere")),
    ("workspace/willDeleteFiles", No("what used a deleted file is reported, not rewritten")),
    (
        "workspace/willRenameFiles",
        Yes(
            "function paths follow renamed and moved Python files, paths of scenarios and scripts their files",
        ),
    ),
    (
        "workspace/workspaceFolders",
        No("the client names its folders when it introduces itself, and their changes"),
    ),
    ("workspaceSymbol/resolve", No("symbols come with their places")),
    ("$/cancelRequest", Yes("answers at once, and stops long work")),
    ("$/logTrace", No("there is no trace to log")),
    ("$/progress", Yes("how far the reading of folders and runs are")),
    ("$/setTrace", Yes("accepted; there is no trace to switch")),
];

/// The methods of the protocol.
#[must_use]
pub(crate) fn protocol() -> Protocol {
    // A list that does not read as one has no methods, and the test says so.
    serde_json::from_str(PROTOCOL).unwrap_or(Protocol { version: String::new(), methods: Vec::new() })
}

/// The page that tells it.
#[must_use]
pub fn page() -> String {
    let protocol = protocol();
    let mut page = format!(
        "# The language server and the protocol\n\n\
         Every request and notification of version {} of the Language Server Protocol, from its meta-model, and what \
         `nodewise lsp` makes of it. A test holds the list against the meta-model's and against what the server \
         announces.\n",
        protocol.version
    );
    let directions =
        [("From the editor", "clientToServer"), ("From the server", "serverToClient"), ("From both", "both")];
    for (title, direction) in directions {
        // Writing to a string cannot fail.
        let _ = write!(page, "\n## {title}\n\n| method | | since | answered | |\n|---|---|---|---|---|\n");
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

/// What the server makes of a method.
pub(crate) fn answer(method: &str) -> Option<Support> {
    ANSWERS.iter().find(|(name, _)| *name == method).map(|(_, support)| *support)
}

#[cfg(test)]
mod tests;
