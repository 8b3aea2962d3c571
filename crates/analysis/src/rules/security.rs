//! Rules about trust that several systems share.

pub(in crate::rules) mod approvals;
pub(in crate::rules) mod effects;
pub(in crate::rules) mod hardcoded_secret;
pub(in crate::rules) mod prompts;
pub(in crate::rules) mod tainted_prompt;
pub(in crate::rules) mod trust;
pub(in crate::rules) mod unapproved_effect;
pub(in crate::rules) mod unguarded_effect;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &hardcoded_secret::RULE,
        &tainted_prompt::RULE,
        &unapproved_effect::RULE,
        &unguarded_effect::RULE,
    ],
    parts: &[],
};
