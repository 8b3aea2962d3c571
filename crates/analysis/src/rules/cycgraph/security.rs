//! Rules about trust: what untrusted text reaches, and what agents are granted.

mod tainted_condition;
mod tainted_prompt;
mod trust;
mod unapproved_effect;
mod unguarded_effect;
mod unpinned_server;
mod unused_permission;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[&tainted_condition::RULE, &unpinned_server::RULE, &unused_permission::RULE],
    parts: &[
        (&rules::security::tainted_prompt::RULE, &tainted_prompt::PART),
        (&rules::security::unapproved_effect::RULE, &unapproved_effect::PART),
        (&rules::security::unguarded_effect::RULE, &unguarded_effect::PART),
    ],
};
