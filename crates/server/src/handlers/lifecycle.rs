//! The first requests of a session.
//!
//! Input: what the client supports. Output: what the server supports. Invariant: no file is read before `initialized`.

use tower_lsp_server::ls_types::{InitializeParams, InitializeResult, ServerInfo};

use crate::backend::Backend;
use crate::capabilities::{self, Abilities};
use crate::convert;
use crate::options::Options;
use crate::session::{Event, Setup};

/// `initialize`
pub(crate) fn initialize(backend: &Backend, parameters: InitializeParams) -> InitializeResult {
    let abilities = Abilities::read(&parameters.capabilities, backend.shows_pages());
    let general = parameters.capabilities.general.as_ref();
    let encoding = convert::encoding(general.and_then(|general| general.position_encodings.as_deref()));
    let given = parameters.initialization_options.as_ref();
    let asked_again = capabilities::asked_again(&parameters.capabilities);
    backend.begin(abilities, asked_again, given.and_then(|given| given.get("debug")) == Some(&true.into()));
    backend.queue().send(Event::Begin(Setup {
        encoding,
        folders: folders(&parameters),
        options: given.map(Options::read).unwrap_or_default(),
        pulls: abilities.pulls,
    }));
    InitializeResult {
        capabilities: capabilities::server(encoding, abilities),
        server_info: Some(ServerInfo {
            name: "nodewise".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        ..InitializeResult::default()
    }
}

/// The open folders. Clients that support only one folder send it as the root.
fn folders(parameters: &InitializeParams) -> Vec<String> {
    if let Some(folders) = &parameters.workspace_folders {
        return folders.iter().map(|folder| folder.uri.as_str().to_owned()).collect();
    }
    #[expect(deprecated, reason = "some clients send nothing else")]
    let root = parameters.root_uri.as_ref();
    root.iter().map(|uri| uri.as_str().to_owned()).collect()
}
