//! What a live run would start and call, as far as it can be said before.
//!
//! Input: what a target needs, the configuration; output: a plan that people read and allow. Invariant: nothing is started that is
//! not in the plan.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use nodewise_project::config::live::{Header, Key, Live};

use crate::models;
use crate::tools;
use crate::trust::{Part, Plan};
use crate::wiring::Wiring;

/// What a run of a target would start and call.
///
/// # Errors
/// Where it is not configured who answers for a model.
pub fn plan(live: &Live, wiring: &Wiring, folder: &Path) -> Result<Plan> {
    let mut plan = Plan::default();
    for planned in models::plan(live, wiring)?.into_values() {
        let key = models::provider(live, &planned.provider).and_then(|provider| provider.key);
        let what = format!("models of `{}`", planned.provider);
        add_key(&mut plan, key.as_ref(), &what);
        plan.add(Part::Address {
            what,
            url: planned.address,
            key: key.as_ref().and_then(variable),
            headers: BTreeMap::new(),
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
    }
    let functions = tools::functions(live, wiring);
    if !functions.is_empty() {
        let interpreter = tools::interpreter(live, folder).to_string_lossy().into_owned();
        plan.add(Part::Command {
            what: "Python functions".to_owned(),
            command: vec![interpreter],
            variables: Vec::new(),
        });
    }
    functions.into_iter().for_each(|path| plan.add(Part::Function(path)));
    Ok(plan)
}

fn variable(key: &Key) -> Option<String> {
    match key {
        Key::Env(name) => Some(name.clone()),
        Key::Command(_) => None,
    }
}

/// Where the value of a header comes from; never the value.
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
