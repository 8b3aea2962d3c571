//! The keys that a run may need.
//!
//! Input: the configuration and what the target needs; output: keys with their owners. Invariant: a key that no part of the
//! run can use is not listed, so its command never runs.

use nodewise_project::config::live::{Header, Key, Live};

use crate::models;
use crate::secrets::{NeededKeys, SentAs};
use crate::tools::may_call;
use crate::wiring::Wiring;

/// The keys that a run with this wiring may need, and the variables whose values are secret.
#[must_use]
pub fn needed_keys(live: &Live, wiring: &Wiring) -> NeededKeys {
    let provider = |name: String| {
        let key = models::provider(live, &name)?.key?;
        Some((name, key))
    };
    let servers = live.mcp.iter().filter(|(name, _)| may_call(live, wiring, name));
    NeededKeys {
        providers: models::providers(live, wiring).into_iter().filter_map(provider).collect(),
        servers: servers.filter_map(|(name, server)| Some((name.clone(), server.key.clone()?))).collect(),
        sent: models::providers(live, wiring).into_iter().flat_map(|name| sent(live, name)).collect(),
        webhook: live.decisions.webhook.clone(),
        headers: headers(live).map(|(name, header)| (name.clone(), header.clone())).collect(),
        variables: variables(live).map(str::to_owned).collect(),
    }
}

/// The variables that the configuration names, needed or not, and the usual ones of well-known providers.
fn variables(live: &Live) -> impl Iterator<Item = &str> {
    let keys = live.providers.values().map(|provider| &provider.key);
    let keys = keys.chain(live.mcp.values().map(|server| &server.key));
    let keys = keys.filter_map(|key| match key {
        Some(Key::Env(variable)) => Some(variable.as_str()),
        _ => None,
    });
    let passed = live.mcp.values().flat_map(|server| server.env.iter().map(String::as_str));
    let passed = passed.chain(live.python_env.iter().map(String::as_str));
    let of_providers =
        live.providers.values().flat_map(|provider| provider.headers.values().chain(provider.query.values()));
    let sent = headers(live).map(|(_, header)| header).chain(of_providers).chain(&live.decisions.webhook);
    let sent = sent.flat_map(Header::variables);
    keys.chain(passed).chain(sent).chain(models::KEY_VARIABLES)
}

/// The headers and parameters that are sent to a provider besides its key.
fn sent(live: &Live, name: String) -> Vec<(String, SentAs, String, Header)> {
    let Some(provider) = live.providers.get(&name) else { return Vec::new() };
    let headers = provider.headers.iter().map(|part| (SentAs::Header, part));
    let parts = headers.chain(provider.query.iter().map(|part| (SentAs::Query, part)));
    parts.map(|(place, (part, value))| (name.clone(), place, part.clone(), value.clone())).collect()
}

/// The headers that are sent with spans.
fn headers(live: &Live) -> impl Iterator<Item = (&String, &Header)> {
    live.telemetry.iter().flat_map(|telemetry| &telemetry.headers)
}
