//! What a live run would start and call, as far as it can be said before.
//!
//! Input: what a target needs, the configuration; output: a plan that people read and allow. Invariant: nothing is started that is
//! not in the plan.

mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::Result;
use nodewise_project::config::live::{Header, Key, Live};

use self::files::Files;
pub(crate) use self::files::{plain, sha256};
use crate::environment::{self, Environment};
use crate::models;
use crate::needed_keys::needed_keys;
use crate::prompts;
use crate::secrets::NeededKeys;
use crate::tools;
use crate::trust::{Part, Plan};
use crate::wiring::Wiring;

/// Everything that a run of a target would start, call or read from outside.
///
/// # Errors
/// Where a model or its provider is not configured.
pub fn plan(live: &Live, wiring: &Wiring, folder: &Path) -> Result<Plan> {
    let mut plan = Plan::default();
    let planned = models::plan(live, wiring)?;
    for planned in planned.values().flat_map(models::Planned::all) {
        let key = models::provider(live, &planned.provider).and_then(|provider| provider.key);
        let what = format!("models of `{}`", planned.provider);
        add_key(&mut plan, key.as_ref(), &what);
        if let Some(cache) = planned.settings.prompt_cache() {
            plan.add(Part::setting(&format!("prompt cache of `{}`", planned.name()), cache.word()));
        }
        let headers = sent(&mut plan, live, &planned.provider);
        plan.add(Part::Address {
            what,
            url: planned.address.clone(),
            key: key.as_ref().and_then(variable),
            headers,
        });
    }
    for (name, server) in live.mcp.iter().filter(|(name, _)| tools::may_call(live, wiring, name)) {
        let what = format!("MCP server `{name}`");
        add_key(&mut plan, server.key.as_ref(), &what);
        plan.add(match &server.url {
            Some(url) => Part::Address {
                what,
                url: url.clone(),
                key: server.key.as_ref().and_then(variable),
                headers: BTreeMap::new(),
            },
            None => Part::Command { what, command: server.command.clone(), variables: server.env.clone() },
        });
    }
    if let Some(telemetry) = &live.telemetry {
        let url = telemetry.endpoint.clone();
        let mut headers = BTreeMap::new();
        for (name, header) in &telemetry.headers {
            if let Header::Key(key) = header {
                add_key(&mut plan, Some(key), &format!("the header `{name}` of spans"));
            }
            headers.insert(name.clone(), source(header));
        }
        plan.add(Part::Address { what: "spans of runs".to_owned(), url, key: None, headers });
        let content = if telemetry.content { "yes" } else { "no" };
        plan.add(Part::setting("spans contain prompts and answers", content));
    }
    if let Some(webhook) = &live.decisions.webhook {
        let what = "webhook of decisions".to_owned();
        if let Header::Key(key) = webhook {
            add_key(&mut plan, Some(key), "the webhook of decisions");
        }
        let url = match webhook {
            Header::Text(text) => text.clone(),
            Header::Key(Key::Env(name)) => format!("${{{name}}}"),
            Header::Key(Key::Command(_)) => source(webhook),
        };
        plan.add(Part::Address { what, url, key: None, headers: BTreeMap::new() });
    }
    let functions = tools::functions(live, wiring);
    if !functions.is_empty() {
        let interpreter = tools::interpreter(live, folder).to_string_lossy().into_owned();
        plan.add(Part::Command {
            what: "Python functions".to_owned(),
            command: vec![interpreter],
            variables: live.python_env.clone(),
        });
    }
    add_files(&mut plan, live, wiring, folder, &functions);
    functions.into_iter().for_each(|path| plan.add(Part::Function(path)));
    Ok(plan)
}

/// Adds the files of the project that the run starts, imports or reads as prompts, and the file of variables if it is used.
fn add_files(plan: &mut Plan, live: &Live, wiring: &Wiring, folder: &Path, functions: &BTreeSet<String>) {
    let mut files = Files::new(folder);
    // A file of variables that cannot be read is reported when the run starts, before anything else starts.
    let environment = Environment::of_folder(folder).unwrap_or_default();
    if variables(plan, &needed_keys(live, wiring)).iter().any(|name| environment.is_from_file(name)) {
        files.add_text(environment::FILE);
    }
    prompts::files(live, wiring).for_each(|(_, file)| files.add_text(file));
    for part in plan.parts() {
        if let Part::Command { command, .. } = part {
            files.add_command(command);
        }
    }
    if !functions.is_empty() {
        let python_path = live.python_path.as_deref().unwrap_or_default();
        files.add_functions(functions, python_path);
        plan.add(Part::setting("python_path", &python_path.join(", ")));
        let interpreter = resolved(&tools::interpreter(live, folder));
        plan.add(Part::setting("Python interpreter", &interpreter.to_string_lossy()));
    }
    for (path, sha256) in files.hashes() {
        plan.add(Part::File { path, sha256 });
    }
}

/// The variables whose values go to programs or are sent.
fn variables(plan: &Plan, needed: &NeededKeys) -> BTreeSet<String> {
    let of_parts = plan.parts().flat_map(|part| match part {
        Part::Command { variables, .. } => variables.clone(),
        Part::Address { key, .. } => key.iter().cloned().collect(),
        Part::Function(_) | Part::Setting { .. } | Part::File { .. } => Vec::new(),
    });
    let sent = needed.sent.iter().map(|(_, _, _, header)| header);
    let sent = sent.chain(needed.headers.iter().map(|(_, header)| header)).chain(&needed.webhook);
    of_parts.chain(sent.flat_map(Header::variables).map(str::to_owned)).collect()
}

/// The path of the program that a command starts, without symbolic links.
pub(crate) fn resolved(program: &Path) -> PathBuf {
    let is_command = program.components().count() == 1;
    let folders = std::env::var_os("PATH").filter(|_| is_command).unwrap_or_default();
    let ending = std::env::consts::EXE_SUFFIX;
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| [folder.join(program), folder.join(format!("{}{ending}", program.display()))])
        .find(|file| file.is_file());
    let found = found.unwrap_or_else(|| program.to_owned());
    std::fs::canonicalize(&found).unwrap_or(found)
}

fn variable(key: &Key) -> Option<String> {
    match key {
        Key::Env(name) => Some(name.clone()),
        Key::Command(_) => None,
    }
}

/// The sources of the headers and parameters of a provider. Also adds the commands that print their values to the plan.
fn sent(plan: &mut Plan, live: &Live, provider: &str) -> BTreeMap<String, String> {
    let Some(configured) = live.providers.get(provider) else { return BTreeMap::new() };
    let headers = configured.headers.iter().map(|(name, value)| (name.clone(), value));
    let query = configured.query.iter().map(|(name, value)| (format!("?{name}"), value));
    let mut sources = BTreeMap::new();
    for (name, value) in headers.chain(query) {
        if let Header::Key(key) = value {
            add_key(plan, Some(key), &format!("`{name}` of the provider `{provider}`"));
        }
        let source = match value {
            Header::Text(text) if value.variables().is_empty() => format!("`{text}`"),
            value => source(value),
        };
        sources.insert(name, source);
    }
    sources
}

/// A description of where the value of a header comes from, never the value.
fn source(header: &Header) -> String {
    match header {
        Header::Key(Key::Command(command)) => {
            format!("the command `{}`", command.first().map_or("", String::as_str))
        }
        header => header.variables().join(", "),
    }
}

fn add_key(plan: &mut Plan, key: Option<&Key>, of: &str) {
    if let Some(Key::Command(command)) = key {
        plan.add(Part::Command {
            what: format!("key for {of}"),
            command: command.clone(),
            variables: Vec::new(),
        });
    }
}
