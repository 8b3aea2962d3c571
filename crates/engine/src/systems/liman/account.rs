//! Accounts: variables of the run's context that are injected into a node before it runs (liman:2.7, liman:7.1).
//!
//! Input: an account and a context; output: what the node sees under `auth`. Invariant: only what the account lists is
//! copied.

use std::sync::Arc;

use nodewise_expr::value::{Map, Value};
use nodewise_model as model;
use smol_str::SmolStr;

/// Where a node sees the account that it runs with.
pub(super) const AUTH: &str = "auth";

/// An account, as far as a run reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunAccount {
    /// Whether a missing variable is an error.
    pub strict: bool,
    /// Whether it has a context at all.
    pub has_context: bool,
    /// The path of each variable, and the path that it is stored under.
    pub inject: Vec<RunInjection>,
}

/// A variable that is copied.
#[derive(Debug, Clone, PartialEq)]
pub struct RunInjection {
    /// The path in the run's context.
    pub path: SmolStr,
    /// The path that the node sees.
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
    /// The context with what the node sees of it under [`AUTH`]; an error is the path of a variable that is missing.
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

/// Sets a value under a dotted path; other values on the path are replaced.
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
