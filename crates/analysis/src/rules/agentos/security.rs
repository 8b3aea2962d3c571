//! Rules about trust: what untrusted text reaches.

mod unguarded_effect;

use crate::rules::{self, Theme};

pub(super) static THEME: Theme =
    Theme { rules: &[], parts: &[(&rules::security::unguarded_effect::RULE, &unguarded_effect::PART)] };
