//! Which model answers whom: what declarations and the configuration say together.
//!
//! Input: the configuration, what a target needs; output: a model, its provider and its price for each agent. Invariant: without
//! a model and a provider for everybody there is no plan, and the error says what to write.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use nodewise_project::config::live::{self, Key, Live, ProviderKind};
use smol_str::SmolStr;

use super::prices::{self, Price};
use super::settings::ModelSettings;
use crate::wiring::Wiring;

/// The variables with the keys of the well-known providers.
pub(crate) const KEY_VARIABLES: [&str; 2] = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];
/// The token limit of an answer where nothing sets it. Anthropic's protocol requires a limit.
const MAX_TOKENS: u32 = 8192;

/// The model that answers an agent, with everything that a call needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Planned {
    /// The id of the model at its provider.
    pub model: SmolStr,
    pub provider: String,
    /// The base address of the provider's API.
    pub address: String,
    /// The price; `None` if it is unknown.
    pub price: Option<Price>,
    /// The most tokens that an answer may have; `None` means no limit of ours.
    pub max_tokens: Option<u32>,
    /// The settings of the model in the configuration.
    pub settings: ModelSettings,
    /// The models that are asked if this one gives no answer, in order.
    pub fallback: Vec<Planned>,
}

impl Planned {
    /// `provider/model`, with the provider's name in the configuration and the model's id at the provider.
    pub(crate) fn name(&self) -> String {
        format!("{}/{}", self.provider, self.model)
    }

    /// The model and its fallbacks, in the order in which they are asked.
    pub fn all(&self) -> impl Iterator<Item = &Planned> {
        std::iter::once(self).chain(&self.fallback)
    }
}

/// A provider, with defaults for what the configuration does not say.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Provider {
    pub(crate) kind: ProviderKind,
    pub(crate) base_url: String,
    pub(crate) key: Option<Key>,
    pub(crate) calls_at_once: usize,
}

/// The model of each agent that asks one, by the agent's name. Returns an error if an agent has no model or no provider.
pub fn plan(live: &Live, wiring: &Wiring) -> Result<BTreeMap<SmolStr, Planned>> {
    let mut plan = BTreeMap::new();
    let mut without: Vec<&str> = Vec::new();
    for (name, agent) in &wiring.agents {
        match agent.model.as_deref().or_else(|| configured(live, name)) {
            Some(model) => {
                let mut planned = planned(live, name, model, agent.provider.as_deref())?;
                let others = fallback(live, model).iter();
                planned.fallback =
                    others.map(|other| self::planned(live, name, other, None)).collect::<Result<_>>()?;
                plan.insert(name.clone(), planned);
            }
            None => without.push(name),
        }
    }
    if !without.is_empty() {
        let names: Vec<String> = without.iter().map(|name| format!("`{name}`")).collect();
        bail!(
            "no model is set for {}\n  help: write `model = \"…\"` and `provider = \"openai\"` under [live] of \
             nodewise.toml, or `{} = \"…\"` under [live.agents]",
            names.join(", "),
            key(without.first().copied().unwrap_or_default())
        );
    }
    Ok(plan)
}

/// The providers of all models that may be asked, including fallbacks.
pub(crate) fn providers(live: &Live, wiring: &Wiring) -> BTreeSet<String> {
    let models = wiring.agents.iter().flat_map(|(name, agent)| {
        let model = agent.model.as_deref().or_else(|| configured(live, name));
        let own = model.and_then(|model| provider_name(live, model, agent.provider.as_deref()));
        let others = model.map_or(&[][..], |model| fallback(live, model));
        own.into_iter().chain(others.iter().filter_map(|model| provider_name(live, model, None)))
    });
    models.map(str::to_owned).collect()
}

/// A provider from the configuration, or a well-known one.
pub(crate) fn provider(live: &Live, name: &str) -> Option<Provider> {
    let configured = live.providers.get(name);
    let kind = match configured {
        Some(provider) => provider.kind,
        None => well_known(name)?,
    };
    let base_url = configured.and_then(|provider| provider.base_url.clone());
    let own_key = configured.and_then(|provider| provider.key.clone());
    // The usual key of a well-known service is only sent to the service's own address.
    let usual_key = || base_url.is_none().then(|| Key::Env(key_variable(kind).to_owned()));
    Some(Provider {
        kind,
        key: own_key.or_else(usual_key),
        base_url: base_url.unwrap_or_else(|| address(kind).to_owned()),
        calls_at_once: configured.and_then(|provider| provider.calls_at_once).unwrap_or(live::CALLS_AT_ONCE),
    })
}

fn configured<'l>(live: &'l Live, agent: &str) -> Option<&'l str> {
    live.agents.get(agent).or(live.model.as_ref()).map(String::as_str)
}

/// The provider of a model. In this order: of the model's entry, of the declaration, the default, or the only one configured.
fn provider_name<'l>(live: &'l Live, model: &str, declared: Option<&'l str>) -> Option<&'l str> {
    let of_model = live.models.get(model).and_then(|model| model.provider.as_deref());
    let only = || live.providers.keys().next().filter(|_| live.providers.len() == 1);
    of_model.or(declared).or(live.provider.as_deref()).or_else(|| only().map(String::as_str))
}

/// The models that are asked if this model gives no answer.
fn fallback<'l>(live: &'l Live, model: &str) -> &'l [String] {
    live.models.get(model).map_or(&[], |entry| &entry.fallback)
}

fn planned(live: &Live, agent: &str, model: &str, declared: Option<&str>) -> Result<Planned> {
    let entry = live.models.get(model);
    let id = entry.and_then(|entry| entry.id.as_deref()).unwrap_or(model);
    let Some(name) = provider_name(live, model, declared) else {
        bail!(
            "no provider is set for the model `{model}` of `{agent}`\n  help: write `provider = \"openai\"` \
             under [live] of nodewise.toml, or under [live.models.{}]",
            key(model)
        );
    };
    let Some(provider) = provider(live, name) else {
        bail!(
            "the provider `{name}` of the model `{model}` of `{agent}` is not configured\n  help: write in \
             nodewise.toml:\n  [live.providers.{}]\n  kind = \"openai\"  # the protocol: openai or anthropic\n  base_url = \
             \"http://localhost:8000/v1\"",
            key(name)
        );
    };
    let max_tokens = entry.and_then(|entry| entry.max_tokens);
    let table = format!("[live.models.{}]", key(model));
    let settings = entry.map(|entry| ModelSettings::of(entry, provider.kind, &table)).transpose()?;
    Ok(Planned {
        model: id.into(),
        provider: name.to_owned(),
        price: prices::of(id, entry),
        max_tokens: max_tokens.or((provider.kind == ProviderKind::Anthropic).then_some(MAX_TOKENS)),
        address: provider.base_url,
        settings: settings.unwrap_or_default(),
        fallback: Vec::new(),
    })
}

fn well_known(name: &str) -> Option<ProviderKind> {
    match name {
        "openai" => Some(ProviderKind::OpenAi),
        "anthropic" => Some(ProviderKind::Anthropic),
        _ => None,
    }
}

fn address(kind: ProviderKind) -> &'static str {
    match kind {
        ProviderKind::OpenAi => "https://api.openai.com/v1",
        ProviderKind::Anthropic => "https://api.anthropic.com/v1",
    }
}

fn key_variable(kind: ProviderKind) -> &'static str {
    let [openai, anthropic] = KEY_VARIABLES;
    match kind {
        ProviderKind::OpenAi => openai,
        ProviderKind::Anthropic => anthropic,
    }
}

/// A name as a TOML key, in quotes if needed.
fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if !name.is_empty() && name.bytes().all(is_bare) { name.to_owned() } else { format!("{name:?}") }
}
