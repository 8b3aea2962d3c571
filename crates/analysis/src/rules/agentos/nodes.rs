//! Rules about the settings and policies of nodes.

mod conflicting_automation;
mod disabled_discovery;
mod endless_session;
mod halting_warning;
mod ignored_policy;
mod ineffective_voice_exit;
mod mismatched_effect;
mod mismatched_node_type;
mod mismatched_reroute_target;
mod mismatched_voice_settings;
mod misplaced_key;
mod missing_guardrails;
mod missing_memory_type;
mod unreachable_voice_exit;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &conflicting_automation::RULE,
        &disabled_discovery::RULE,
        &endless_session::RULE,
        &halting_warning::RULE,
        &ignored_policy::RULE,
        &ineffective_voice_exit::RULE,
        &mismatched_effect::RULE,
        &mismatched_node_type::RULE,
        &mismatched_reroute_target::RULE,
        &mismatched_voice_settings::RULE,
        &misplaced_key::RULE,
        &missing_guardrails::RULE,
        &missing_memory_type::RULE,
        &unreachable_voice_exit::RULE,
    ],
    parts: &[],
};
