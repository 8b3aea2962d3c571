//! Rules about trust: what untrusted text reaches, and what happens before anyone decides.

mod tainted_prompt;
mod trust;
mod unapproved_effect;
mod unguarded_effect;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme = Theme {
    rules: &[],
    parts: &[
        (&rules::security::tainted_prompt::RULE, &tainted_prompt::PART),
        (&rules::security::unapproved_effect::RULE, &unapproved_effect::PART),
        (&rules::security::unguarded_effect::RULE, &unguarded_effect::PART),
    ],
};
