//! Accounts: variables of the run's context that are injected into a node before it runs (liman:2.7, liman:7.1).
//!
//! Input: an account and a context; output: what the node sees under `auth`. Invariant: only what the account lists is
//! copied.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model as model;
use smol_str::SmolStr;

/// The variable under which a node sees the account that it runs with.
pub(super) const AUTH: &str = "auth";

/// The parts of an account that a run needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunAccount {
    /// Whether a missing variable is an error.
    pub strict: bool,
    /// Whether the account has a context at all.
    pub has_context: bool,
    /// The variables that it copies.
    pub inject: Vec<RunInjection>,
}

/// A variable that an account copies.
#[derive(Debug, Clone, PartialEq)]
pub struct RunInjection {
    /// Where the variable is in the run's context.
    pub path: SmolStr,
    /// Where the node sees it.
    pub target: SmolStr,
}

impl From<&model::Account> for RunAccount {
    fn from(account: &model::Account) -> RunAccount {
        let written = account.inject.as_ref().map(|inject| inject.value.as_slice()).unwrap_or_default();
        let inject = written.iter().map(|injection| RunInjection {
            path: injection.path.clone(),
            target: injection.target.clone().unwrap_or_else(|| injection.path.clone()),
        });
        RunAccount {
            strict: account.strict,
            has_context: account.context_at.is_some(),
            inject: inject.collect(),
        }
    }
}

impl RunAccount {
    /// The context with the account's variables under [`AUTH`]. The error is the path of a missing variable.
    pub(super) fn applied(
        &self,
        name: &SmolStr,
        is_inlined: bool,
        context: &Arc<Map>,
    ) -> Result<Arc<Map>, SmolStr> {
        let mut injected = Map::new();
        for injection in &self.inject {
            match at_path(context, &injection.path) {
                Some(value) => insert_at(&mut injected, &injection.target, value.clone()),
                None if self.strict => return Err(injection.path.clone()),
                None => {}
            }
        }
        if is_inlined && self.has_context {
            injected.insert("__service_account__", Value::Text(name.clone()));
        }
        let mut auth = Map::new();
        auth.insert("service_account", Value::Text(name.clone()));
        auth.insert("context", injected.into());
        let mut context = context.clone();
        Arc::make_mut(&mut context).insert(AUTH, auth.into());
        Ok(context)
    }
}

fn at_path<'m>(context: &'m Map, path: &str) -> Option<&'m Value> {
    let mut segments = path.split('.');
    let mut value = context.get(segments.next()?)?;
    for segment in segments {
        match value {
            Value::Map(map) => value = map.get(segment)?,
            _ => return None,
        }
    }
    Some(value)
}

/// Sets a value at a dotted path. Values on the path that are no mappings are replaced.
fn insert_at(map: &mut Map, path: &str, value: Value) {
    let Some((first, rest)) = path.split_once('.') else {
        map.insert(path, value);
        return;
    };
    let mut inner = match map.get(first) {
        Some(Value::Map(inner)) => inner.as_ref().clone(),
        _ => Map::new(),
    };
    insert_at(&mut inner, rest, value);
    map.insert(first, inner.into());
}
