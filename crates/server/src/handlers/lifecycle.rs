//! The first requests of a session.
//!
//! Input: what the client supports. Output: what the server supports, and what the session begins with. Invariant: no
//! file is read before `initialized`.

use tower_lsp_server::ls_types::{InitializeParams, InitializeResult, ServerInfo};

use crate::abilities::{self, Abilities, UntypedAbilities};
use crate::capabilities;
use crate::convert;
use crate::options::UserSettings;
use crate::session::Setup;

/// What the client said in `initialize`.
pub(crate) struct Begun {
    /// What the client supports.
    pub(crate) abilities: Abilities,
    /// The methods that the client sends again if the text changed before the answer.
    pub(crate) asked_again: Vec<String>,
    /// Whether the client asks for the requests that debug the server.
    pub(crate) is_debugged: bool,
    /// What the session begins with.
    pub(crate) setup: Setup,
}

pub(crate) fn initialize(
    parameters: &InitializeParams,
    untyped: UntypedAbilities,
) -> (Begun, InitializeResult) {
    let abilities = Abilities::read(&parameters.capabilities, untyped);
    let general = parameters.capabilities.general.as_ref();
    let encoding = convert::encoding(general.and_then(|general| general.position_encodings.as_deref()));
    let given = parameters.initialization_options.as_ref();
    let setup = Setup {
        encoding,
        folders: folders(parameters),
        options: given.map(UserSettings::read).unwrap_or_default(),
        pulls: abilities.pulls,
    };
    let begun = Begun {
        abilities,
        asked_again: abilities::asked_again(&parameters.capabilities),
        is_debugged: given.and_then(|given| given.get("debug")) == Some(&true.into()),
        setup,
    };
    let answer = InitializeResult {
        capabilities: capabilities::server(encoding, abilities),
        server_info: Some(ServerInfo {
            name: "nodewise".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        ..InitializeResult::default()
    };
    (begun, answer)
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
