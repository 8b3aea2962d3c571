//! The registry: every rule, in the order of the reference. A new rule is its file and its two lines
//! here; nothing else names it.

mod ambiguous_condition;
mod ambiguous_negation;
mod ambiguous_step;
mod ambiguous_target;
mod blocked_node;
mod boolean_literal;
mod chained_comparison;
mod compared_list;
mod conditional_start;
mod conflicting_annealing;
mod conflicting_automation;
mod conflicting_credentials;
mod conflicting_tools;
mod constant_expression;
mod cyclic_graph;
mod damaged_condition;
mod dashed_name;
mod dead_default_write_key;
mod dead_end_node;
mod delegating_end_node;
mod dependency_cycle;
mod deprecated_operator;
mod deprecated_reference;
mod disabled_discovery;
mod dotted_write_key;
mod dropped_artifact;
mod dropped_language;
mod dropped_text;
mod duplicate_argument;
mod duplicate_artifact;
mod duplicate_declaration;
mod duplicate_edge;
mod duplicate_edge_id;
mod duplicate_entry;
mod duplicate_key;
mod duplicate_node_id;
mod duplicate_step_id;
mod duplicate_translation;
mod empty_file;
mod endless_graph;
mod endless_loop;
mod endless_session;
mod falsy_verifier_target;
mod foreign_literal;
mod foreign_path_root;
mod halting_warning;
mod hidden_key;
mod ignored_condition;
mod ignored_policy;
mod ignored_setting;
mod incomparable_consensus;
mod inconsistent_comparison;
mod inconsistent_swarm_limits;
mod ineffective_circuit_breaker;
mod ineffective_compensation;
mod ineffective_reducer;
mod ineffective_voice_exit;
mod ineffective_weight;
mod ineffective_write_keys;
mod inherited_member;
mod inner_dollar;
mod invalid_edge_id;
mod invalid_expression;
mod invalid_function_path;
mod invalid_injection;
mod invalid_json;
mod invalid_map_worker;
mod invalid_name;
mod invalid_overlay_target;
mod invalid_path;
mod invalid_pattern;
mod invalid_reference;
mod invalid_schema;
mod invalid_template;
mod invalid_value;
mod invalid_yaml;
mod key_mend;
mod leaking_branch;
mod lost_key;
mod mismatched_effect;
mod mismatched_manifest;
mod mismatched_mapping;
mod mismatched_node_type;
mod mismatched_reducer;
mod mismatched_reroute_target;
mod mismatched_template;
mod mismatched_translation;
mod mismatched_voice_settings;
mod misnamed_node;
mod misplaced_key;
mod misplaced_line_break;
mod misplaced_properties;
mod misread_line;
mod misread_path;
mod missing_condition;
mod missing_credentials;
mod missing_entry_edge;
mod missing_exit_edge;
mod missing_fallback_text;
mod missing_field;
mod missing_guardrails;
mod missing_hand_over_edge;
mod missing_handoff_key;
mod missing_items;
mod missing_judge;
mod missing_kind;
mod missing_memory_type;
mod missing_rejection_node;
mod missing_return_edge;
mod missing_score;
mod missing_settings;
mod missing_step_tool;
mod missing_system_prompt;
mod missing_translation;
mod mistaken_form;
mod mixed_logic;
mod mixed_routing;
mod mixed_translation;
mod nested_supervisor;
mod non_mapping_document;
mod non_text_condition;
mod non_text_translation;
mod octal_number;
mod out_of_range;
mod outdated_rule_id;
mod parallel_writers;
mod placeholder_target;
mod prefixed_mapping;
mod premature_read;
mod recursive_graph;
mod redundant_read;
mod repeated_verdict;
mod replayed_choice;
mod reserved_node_id;
mod rising_temperature;
mod self_edge;
mod self_managed_supervisor;
mod shadowed_edge;
mod skipped_join;
mod small_population;
mod soft_budget;
mod swallowed_character;
mod too_few_iterations;
mod trailing_semicolon;
mod undecided_edge;
mod undeclared_path;
mod undeclared_port;
mod undeclared_requirement;
mod unfollowed_edge;
mod unfollowed_rejection_edge;
mod ungranted_default_key;
mod unknown_agent;
mod unknown_artifact;
mod unknown_credentials_provider;
mod unknown_dependency;
mod unknown_field;
mod unknown_function;
mod unknown_graph;
mod unknown_kind;
mod unknown_language;
mod unknown_node;
mod unknown_overlay_target;
mod unknown_route;
mod unknown_service_account;
mod unknown_state_root;
mod unknown_tool;
mod unknown_trait;
mod unknown_type;
mod unlinked_synthesizer;
mod unlinked_target;
mod unmapped_input;
mod unpaired_personality_edge;
mod unportable_condition;
mod unproduced_output;
mod unprovided_tool;
mod unreachable_fitness;
mod unreachable_limit;
mod unreachable_node;
mod unreachable_quorum;
mod unreachable_voice_exit;
mod unread_file;
mod unread_input;
mod unread_key;
mod unread_mapped_key;
mod unread_worker_key;
mod unreadable_expression_key;
mod unreadable_key;
mod unrecognised_document;
mod unregistered_tool;
mod unsupported_field;
mod unsupported_function_condition;
mod untagged_facts;
mod untagged_translation;
mod untyped_array;
mod unused_declaration;
mod unused_requirement;
mod unused_suppression;
mod unwritten_key;
mod unwritten_mapped_key;
mod unwritten_path;
mod vacuous_comparison;
mod wildcard_access;
mod wrong_argument_count;
mod wrong_kind_target;
mod wrong_operand_type;
mod wrong_type;
mod yaml_mend;

mod account;
mod child;
mod condition;
mod contradictory_expectation;
mod expression;
mod interface;
mod keys;
mod meant_number;
mod mend;
mod named;
mod outsider;
mod place;
mod qualified;
mod routing;
mod scripted;
mod step;
mod type_word;
mod unknown_run_target;
mod unknown_scripted_name;
mod unresolved;
mod unusable_answer;
mod unused;
mod visit;
mod wiring;
mod wording;

use crate::rule::Rule;
pub use named::{Named, current, renamed, renamed_note};
pub use outdated_rule_id::ID as OUTDATED_RULE_ID;
pub(crate) use unused_suppression::{RULE as UNUSED_SUPPRESSION, finding as unused_comment};

/// Whether a comment can silence the rule: the one about such comments speaks when all of them have been heard.
#[must_use]
pub fn can_be_silenced(rule: &str) -> bool {
    rule != UNUSED_SUPPRESSION.id
}

/// Rules that there were once. A configuration may still name them, without an effect.
pub const REMOVED: &[&str] = &["explicit-checkpoints", "graph-id-not-uuid", "single-attempt"];

/// Every rule.
pub static RULES: &[&Rule] = &[
    &invalid_yaml::RULE,
    &duplicate_key::RULE,
    &empty_file::RULE,
    &non_mapping_document::RULE,
    &missing_kind::RULE,
    &unknown_kind::RULE,
    &duplicate_declaration::RULE,
    &wrong_type::RULE,
    &invalid_value::RULE,
    &unknown_field::RULE,
    &missing_field::RULE,
    &unknown_tool::RULE,
    &unknown_service_account::RULE,
    &unknown_credentials_provider::RULE,
    &wrong_kind_target::RULE,
    &ambiguous_target::RULE,
    &invalid_reference::RULE,
    &mixed_routing::RULE,
    &deprecated_reference::RULE,
    &non_text_condition::RULE,
    &mixed_logic::RULE,
    &chained_comparison::RULE,
    &inconsistent_comparison::RULE,
    &ambiguous_condition::RULE,
    &trailing_semicolon::RULE,
    &damaged_condition::RULE,
    &unportable_condition::RULE,
    &invalid_edge_id::RULE,
    &invalid_function_path::RULE,
    &conflicting_credentials::RULE,
    &missing_credentials::RULE,
    &invalid_injection::RULE,
    &invalid_overlay_target::RULE,
    &unknown_overlay_target::RULE,
    &unused_declaration::RULE,
    &untagged_translation::RULE,
    &duplicate_translation::RULE,
    &mixed_translation::RULE,
    &unknown_language::RULE,
    &missing_fallback_text::RULE,
    &non_text_translation::RULE,
    &mismatched_translation::RULE,
    &missing_translation::RULE,
    &dropped_language::RULE,
    &mismatched_template::RULE,
    &invalid_template::RULE,
    &duplicate_argument::RULE,
    &unknown_type::RULE,
    &untyped_array::RULE,
    &misplaced_properties::RULE,
    &conflicting_tools::RULE,
    &duplicate_node_id::RULE,
    &duplicate_edge_id::RULE,
    &unknown_node::RULE,
    &unreachable_node::RULE,
    &dead_end_node::RULE,
    &out_of_range::RULE,
    &invalid_name::RULE,
    &missing_score::RULE,
    &dead_default_write_key::RULE,
    &missing_return_edge::RULE,
    &dropped_text::RULE,
    &delegating_end_node::RULE,
    &missing_items::RULE,
    &invalid_map_worker::RULE,
    &unread_worker_key::RULE,
    &nested_supervisor::RULE,
    &missing_handoff_key::RULE,
    &unlinked_synthesizer::RULE,
    &unread_mapped_key::RULE,
    &rising_temperature::RULE,
    &missing_hand_over_edge::RULE,
    &missing_settings::RULE,
    &missing_system_prompt::RULE,
    &missing_judge::RULE,
    &self_managed_supervisor::RULE,
    &small_population::RULE,
    &unreadable_key::RULE,
    &untagged_facts::RULE,
    &ungranted_default_key::RULE,
    &redundant_read::RULE,
    &unwritten_key::RULE,
    &undeclared_requirement::RULE,
    &unsupported_field::RULE,
    &unknown_agent::RULE,
    &unknown_graph::RULE,
    &wildcard_access::RULE,
    &ineffective_write_keys::RULE,
    &endless_graph::RULE,
    &endless_loop::RULE,
    &invalid_schema::RULE,
    &misread_line::RULE,
    &self_edge::RULE,
    &missing_condition::RULE,
    &invalid_expression::RULE,
    &boolean_literal::RULE,
    &conflicting_annealing::RULE,
    &incomparable_consensus::RULE,
    &ineffective_circuit_breaker::RULE,
    &ignored_setting::RULE,
    &ineffective_weight::RULE,
    &unreachable_quorum::RULE,
    &soft_budget::RULE,
    &unknown_state_root::RULE,
    &misplaced_line_break::RULE,
    &unfollowed_edge::RULE,
    &cyclic_graph::RULE,
    &blocked_node::RULE,
    &missing_entry_edge::RULE,
    &missing_exit_edge::RULE,
    &mismatched_node_type::RULE,
    &reserved_node_id::RULE,
    &duplicate_edge::RULE,
    &placeholder_target::RULE,
    &conditional_start::RULE,
    &unlinked_target::RULE,
    &unpaired_personality_edge::RULE,
    &leaking_branch::RULE,
    &skipped_join::RULE,
    &mismatched_reroute_target::RULE,
    &missing_guardrails::RULE,
    &unsupported_function_condition::RULE,
    &undecided_edge::RULE,
    &mismatched_effect::RULE,
    &mismatched_voice_settings::RULE,
    &conflicting_automation::RULE,
    &ineffective_voice_exit::RULE,
    &unreachable_voice_exit::RULE,
    &prefixed_mapping::RULE,
    &missing_memory_type::RULE,
    &disabled_discovery::RULE,
    &unknown_trait::RULE,
    &duplicate_artifact::RULE,
    &misplaced_key::RULE,
    &ignored_policy::RULE,
    &unknown_route::RULE,
    &undeclared_path::RULE,
    &unwritten_path::RULE,
    &unknown_artifact::RULE,
    &unmapped_input::RULE,
    &undeclared_port::RULE,
    &unwritten_mapped_key::RULE,
    &mismatched_mapping::RULE,
    &recursive_graph::RULE,
    &ineffective_reducer::RULE,
    &parallel_writers::RULE,
    &inner_dollar::RULE,
    &inherited_member::RULE,
    &dashed_name::RULE,
    &unknown_function::RULE,
    &wrong_argument_count::RULE,
    &wrong_operand_type::RULE,
    &compared_list::RULE,
    &ambiguous_negation::RULE,
    &vacuous_comparison::RULE,
    &invalid_json::RULE,
    &invalid_pattern::RULE,
    &octal_number::RULE,
    &deprecated_operator::RULE,
    &swallowed_character::RULE,
    &constant_expression::RULE,
    &foreign_literal::RULE,
    &ignored_condition::RULE,
    &invalid_path::RULE,
    &misread_path::RULE,
    &foreign_path_root::RULE,
    &premature_read::RULE,
    &lost_key::RULE,
    &unread_key::RULE,
    &unread_input::RULE,
    &unreadable_expression_key::RULE,
    &hidden_key::RULE,
    &dotted_write_key::RULE,
    &unproduced_output::RULE,
    &shadowed_edge::RULE,
    &duplicate_entry::RULE,
    &too_few_iterations::RULE,
    &unprovided_tool::RULE,
    &falsy_verifier_target::RULE,
    &ineffective_compensation::RULE,
    &missing_rejection_node::RULE,
    &unfollowed_rejection_edge::RULE,
    &repeated_verdict::RULE,
    &unreachable_limit::RULE,
    &inconsistent_swarm_limits::RULE,
    &unreachable_fitness::RULE,
    &unused_requirement::RULE,
    &mismatched_manifest::RULE,
    &unrecognised_document::RULE,
    &unread_file::RULE,
    &unregistered_tool::RULE,
    &duplicate_step_id::RULE,
    &missing_step_tool::RULE,
    &unknown_dependency::RULE,
    &dependency_cycle::RULE,
    &ambiguous_step::RULE,
    &halting_warning::RULE,
    &replayed_choice::RULE,
    &dropped_artifact::RULE,
    &mismatched_reducer::RULE,
    &endless_session::RULE,
    &unknown_run_target::RULE,
    &unknown_scripted_name::RULE,
    &unusable_answer::RULE,
    &contradictory_expectation::RULE,
    &outdated_rule_id::RULE,
    &unused_suppression::RULE,
];

/// The rule of that id.
#[must_use]
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().find(|rule| rule.id == id).copied()
}

#[cfg(test)]
mod tests {
    use crate::check;
    use crate::diagnostic::Severity;
    use crate::page::{self, HEADINGS};
    use crate::settings::Settings;
    use crate::testing::project;
    use nodewise_syntax::edit::{TextEdit, apply_edits};
    use nodewise_test_support::Fixture;

    use super::RULES;

    #[test]
    fn every_page_has_the_headings_in_order() {
        for rule in RULES {
            let page = page::page(rule);
            let found: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("## ")).collect();
            let without_options: Vec<&str> =
                HEADINGS.iter().copied().filter(|heading| *heading != "Options").collect();
            assert!(found == HEADINGS || found == without_options, "{}: {found:?}", rule.id);
        }
    }

    #[test]
    fn the_examples_of_every_page_are_true() {
        for rule in RULES {
            let examples = page::examples(rule);
            assert!(examples.len() >= 2, "{}: an example and its counterpart are missing", rule.id);
            for example in examples {
                let settings =
                    Settings { profile: example.profile, dialect: example.dialect, ..Settings::default() };
                let files = project(&Fixture::parse(&example.text), &settings);
                let diagnostics = check::check(&files);
                match &example.expects {
                    Some(id) => assert!(
                        diagnostics.iter().any(|one| one.rule == id),
                        "{}: the example does not show {id}: {diagnostics:#?}",
                        rule.id
                    ),
                    None => assert!(
                        diagnostics.iter().all(|one| one.severity == Severity::Hint),
                        "{}: the counterpart is not clean: {diagnostics:#?}",
                        rule.id
                    ),
                }
            }
        }
    }

    /// The number of findings of a rule in a text, and the text after the first fix of one of them.
    fn findings_and_fixed(rule: &str, text: &str, settings: &Settings) -> (usize, Option<String>) {
        let files = project(&Fixture::parse(text), settings);
        let diagnostics = check::check(&files);
        let found: Vec<_> = diagnostics.iter().filter(|one| one.rule == rule).collect();
        let fix = found.iter().find_map(|one| one.finding.fixes.first());
        let fixed = fix.map(|fix| {
            let edits =
                fix.edits.iter().map(|edit| TextEdit { range: edit.at.range, text: edit.text.clone() });
            let source = &files.get(fix.edits[0].at.source).unwrap().text;
            apply_edits(source, &mut edits.collect::<Vec<_>>()).unwrap()
        });
        (found.len(), fixed)
    }

    #[test]
    fn the_fixes_of_every_example_mend_it() {
        for rule in RULES {
            let examples = page::examples(rule);
            let one_file = examples.iter().filter(|one| one.expects.is_some() && !one.text.contains("#- "));
            for example in one_file {
                let settings = Settings { profile: example.profile, ..Settings::default() };
                let (before, fixed) = findings_and_fixed(rule.id, &example.text, &settings);
                let Some(fixed) = fixed else { continue };
                let (after, _) = findings_and_fixed(rule.id, &fixed, &settings);
                assert!(after < before, "{}: still found in {fixed}", rule.id);
                let (broken, _) = findings_and_fixed("invalid-yaml", &fixed, &settings);
                assert_eq!(broken, 0, "{}: not YAML: {fixed}", rule.id);
            }
        }
    }
}
