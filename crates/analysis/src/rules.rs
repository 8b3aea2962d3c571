//! The registry: every rule, in the order of the reference. A new rule is its file and its two lines
//! here; nothing else names it.

mod ambiguous_target;
mod annealing_beside_swarm;
mod annealing_without_score;
mod bad_enum;
mod bad_ref;
mod bad_slug;
mod boolean_literal;
mod bundle_dropped_language;
mod bundle_duplicate_text;
mod bundle_missing_translation;
mod bundle_no_fallback;
mod bundle_non_text;
mod bundle_shape;
mod bundle_text_and_mapping;
mod bundle_unknown_language;
mod condition_at_start;
mod consensus_is_reasoning;
mod constant_expression;
mod dashed_name;
mod dead_default_write_key;
mod dead_end_node;
mod declaration_name;
mod delegate_without_way_back;
mod dependency_cycle;
mod deprecated_operator;
mod disabled_discovery;
mod dotted_write_key;
mod dropped_artifact;
mod dropped_text;
mod duplicate_artifact;
mod duplicate_declaration;
mod duplicate_edge_id;
mod duplicate_node_id;
mod duplicate_step_id;
mod edge_bad_id;
mod edge_behind_unconditional;
mod edge_depends_cycle;
mod edge_duplicate_id;
mod edge_legacy_ref;
mod edge_never_followed;
mod edge_repeated_target;
mod edge_self_depends;
mod edge_unknown_depends;
mod empty_file;
mod end_node_hands_over;
mod endless_graph;
mod endless_loop;
mod endless_session;
mod expression_missing;
mod expression_syntax;
mod falsy_verifier_target;
mod foreign_literal;
mod func_path;
mod function_arity;
mod function_condition;
mod graph_cycle;
mod halting_warning;
mod hidden_key;
mod holds_when_missing;
mod human_automation;
mod human_effect;
mod idle_circuit_breaker;
mod idle_compensation;
mod idle_settings;
mod idle_weight;
mod ignored_condition;
mod ignored_node_field;
mod ignored_policy;
mod inherited_member;
mod inner_dollar;
mod invalid_json;
mod invalid_pattern;
mod invalid_schema;
mod key_mend;
mod key_never_left;
mod key_read_too_early;
mod leaking_branch;
mod line_as_key;
mod list_identity;
mod lonely_personality_edge;
mod manifest_mismatch;
mod map_without_items;
mod map_worker_ignored_setting;
mod map_worker_type;
mod map_worker_unread_key;
mod mapped_type;
mod memory_without_type;
mod misnamed_node;
mod misplaced_key;
mod misread_path;
mod missing_agent;
mod missing_entry_edge;
mod missing_exit_edge;
mod missing_field;
mod missing_hand_over_edge;
mod missing_judge;
mod missing_kind;
mod missing_settings;
mod missing_system_prompt;
mod mistaken_form;
mod mixed_routing;
mod negation_reach;
mod nested_supervisor;
mod node_type_mismatch;
mod not_a_mapping;
mod octal_number;
mod operand_type;
mod out_of_range;
mod output_unknown_type;
mod output_with_tools;
mod overlay_bad_strategy;
mod overlay_bad_to;
mod overlay_uncoded_text;
mod overlay_unresolved_target;
mod parallel_writers;
mod path_outside_root;
mod path_syntax;
mod placeholder_target;
mod plan_step_without_tool;
mod prefixed_mapping;
mod quorum_out_of_reach;
mod recursive_graph;
mod reducer_key;
mod redundant_read;
mod rejection_cancels;
mod rejection_edge;
mod repeated_edge;
mod repeated_entry;
mod repeated_verdict;
mod replayed_choice;
mod reroute_target;
mod reserved_node_id;
mod rising_temperature;
mod routing_constant;
mod routing_line_break;
mod routing_syntax;
mod sa_both_credentials;
mod sa_empty;
mod sa_inject;
mod self_delegation;
mod self_edge;
mod self_management;
mod skipped_join;
mod small_population;
mod soft_budget;
mod step_work;
mod supervisor_limit_out_of_reach;
mod swallowed_character;
mod swarm_without_handoff_key;
mod synthesizer_without_edge;
mod template_mismatch;
mod template_syntax;
mod too_few_iterations;
mod tool_array;
mod tool_duplicate_argument;
mod tool_not_provided;
mod tool_properties;
mod tool_unknown_type;
mod tool_write_keys;
mod toothless_guardrails;
mod undecided_edge;
mod undeclared_path;
mod undeclared_port;
mod undeclared_requirement;
mod unfit_reducer;
mod ungranted_default_key;
mod unheeded_field;
mod unknown_agent;
mod unknown_artifact;
mod unknown_dependency;
mod unknown_field;
mod unknown_function;
mod unknown_graph;
mod unknown_kind;
mod unknown_node;
mod unknown_route;
mod unknown_state_name;
mod unknown_state_root;
mod unknown_trait;
mod unlike_swarm_limits;
mod unlinked_target;
mod unmapped_input;
mod unproduced_output;
mod unreachable;
mod unreachable_fitness;
mod unreachable_node;
mod unread_file;
mod unread_input;
mod unread_key;
mod unread_mapped_key;
mod unreadable_expression_key;
mod unreadable_key;
mod unrecognised_document;
mod unregistered_tool;
mod unresolved_credentials_provider;
mod unresolved_llm_node;
mod unresolved_node;
mod unresolved_service_account;
mod unresolved_tool;
mod untagged_facts;
mod unused_declaration;
mod unused_requirement;
mod unused_suppression;
mod unused_tools;
mod unwritten_condition_key;
mod unwritten_key;
mod unwritten_output;
mod unwritten_path;
mod verifier_syntax;
mod voice_conduct;
mod voice_exit;
mod voice_exit_target;
mod voting_ignored_setting;
mod waiting_for_cycle;
mod when_arity;
mod when_chained;
mod when_constant;
mod when_empty;
mod when_function_ambiguous;
mod when_missing;
mod when_mixed_logic;
mod when_release_difference;
mod when_semicolon;
mod when_suspicious_name;
mod when_syntax;
mod when_type;
mod when_type_mismatch;
mod when_unknown_builtin;
mod when_yaml_trap;
mod wildcard_access;
mod wrong_kind_target;
mod wrong_type;
mod yaml_duplicate_key;
mod yaml_mend;
mod yaml_syntax;

mod account;
mod child;
mod condition;
mod contradictory_expectation;
mod expression;
mod interface;
mod keys;
mod meant_number;
mod mend;
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
pub(crate) use unused_suppression::{RULE as UNUSED_SUPPRESSION, finding as unused_comment};

/// Whether a comment can silence the rule: the one about such comments speaks when all of them have been heard.
#[must_use]
pub fn can_be_silenced(rule: &str) -> bool {
    rule != UNUSED_SUPPRESSION.id
}

/// Rules that there were once. A configuration may still name them, and nothing comes of it.
pub const FORMER: &[&str] = &["explicit-checkpoints", "graph-id-not-uuid", "single-attempt"];

/// Every rule.
pub static RULES: &[&Rule] = &[
    &yaml_syntax::RULE,
    &yaml_duplicate_key::RULE,
    &empty_file::RULE,
    &not_a_mapping::RULE,
    &missing_kind::RULE,
    &unknown_kind::RULE,
    &duplicate_declaration::RULE,
    &wrong_type::RULE,
    &bad_enum::RULE,
    &unknown_field::RULE,
    &missing_field::RULE,
    &unresolved_tool::RULE,
    &unresolved_node::RULE,
    &unresolved_llm_node::RULE,
    &unresolved_service_account::RULE,
    &unresolved_credentials_provider::RULE,
    &wrong_kind_target::RULE,
    &ambiguous_target::RULE,
    &bad_ref::RULE,
    &mixed_routing::RULE,
    &edge_legacy_ref::RULE,
    &when_syntax::RULE,
    &when_missing::RULE,
    &when_empty::RULE,
    &when_type::RULE,
    &when_unknown_builtin::RULE,
    &when_arity::RULE,
    &when_mixed_logic::RULE,
    &when_chained::RULE,
    &when_suspicious_name::RULE,
    &when_constant::RULE,
    &when_type_mismatch::RULE,
    &when_function_ambiguous::RULE,
    &when_semicolon::RULE,
    &when_yaml_trap::RULE,
    &when_release_difference::RULE,
    &edge_duplicate_id::RULE,
    &edge_bad_id::RULE,
    &edge_unknown_depends::RULE,
    &edge_self_depends::RULE,
    &edge_depends_cycle::RULE,
    &edge_repeated_target::RULE,
    &func_path::RULE,
    &sa_both_credentials::RULE,
    &sa_empty::RULE,
    &sa_inject::RULE,
    &overlay_bad_to::RULE,
    &overlay_bad_strategy::RULE,
    &overlay_unresolved_target::RULE,
    &declaration_name::RULE,
    &unused_declaration::RULE,
    &unreachable::RULE,
    &overlay_uncoded_text::RULE,
    &bundle_duplicate_text::RULE,
    &bundle_text_and_mapping::RULE,
    &bundle_unknown_language::RULE,
    &bundle_no_fallback::RULE,
    &bundle_non_text::RULE,
    &bundle_shape::RULE,
    &bundle_missing_translation::RULE,
    &bundle_dropped_language::RULE,
    &template_mismatch::RULE,
    &template_syntax::RULE,
    &tool_duplicate_argument::RULE,
    &tool_unknown_type::RULE,
    &tool_array::RULE,
    &tool_properties::RULE,
    &output_unknown_type::RULE,
    &output_with_tools::RULE,
    &duplicate_node_id::RULE,
    &duplicate_edge_id::RULE,
    &unknown_node::RULE,
    &unreachable_node::RULE,
    &dead_end_node::RULE,
    &out_of_range::RULE,
    &bad_slug::RULE,
    &annealing_without_score::RULE,
    &dead_default_write_key::RULE,
    &delegate_without_way_back::RULE,
    &dropped_text::RULE,
    &end_node_hands_over::RULE,
    &map_without_items::RULE,
    &map_worker_ignored_setting::RULE,
    &map_worker_type::RULE,
    &map_worker_unread_key::RULE,
    &nested_supervisor::RULE,
    &swarm_without_handoff_key::RULE,
    &synthesizer_without_edge::RULE,
    &unread_mapped_key::RULE,
    &missing_agent::RULE,
    &rising_temperature::RULE,
    &missing_hand_over_edge::RULE,
    &missing_settings::RULE,
    &missing_system_prompt::RULE,
    &missing_judge::RULE,
    &self_management::RULE,
    &small_population::RULE,
    &unreadable_key::RULE,
    &untagged_facts::RULE,
    &ungranted_default_key::RULE,
    &redundant_read::RULE,
    &unwritten_key::RULE,
    &undeclared_requirement::RULE,
    &unheeded_field::RULE,
    &unknown_agent::RULE,
    &unknown_graph::RULE,
    &wildcard_access::RULE,
    &tool_write_keys::RULE,
    &endless_graph::RULE,
    &endless_loop::RULE,
    &invalid_schema::RULE,
    &line_as_key::RULE,
    &self_edge::RULE,
    &expression_missing::RULE,
    &expression_syntax::RULE,
    &boolean_literal::RULE,
    &annealing_beside_swarm::RULE,
    &consensus_is_reasoning::RULE,
    &idle_circuit_breaker::RULE,
    &idle_settings::RULE,
    &idle_weight::RULE,
    &ignored_node_field::RULE,
    &quorum_out_of_reach::RULE,
    &soft_budget::RULE,
    &unused_tools::RULE,
    &voting_ignored_setting::RULE,
    &routing_syntax::RULE,
    &routing_constant::RULE,
    &unknown_state_root::RULE,
    &routing_line_break::RULE,
    &edge_never_followed::RULE,
    &graph_cycle::RULE,
    &waiting_for_cycle::RULE,
    &missing_entry_edge::RULE,
    &missing_exit_edge::RULE,
    &node_type_mismatch::RULE,
    &reserved_node_id::RULE,
    &repeated_edge::RULE,
    &placeholder_target::RULE,
    &condition_at_start::RULE,
    &unlinked_target::RULE,
    &lonely_personality_edge::RULE,
    &leaking_branch::RULE,
    &skipped_join::RULE,
    &reroute_target::RULE,
    &toothless_guardrails::RULE,
    &function_condition::RULE,
    &undecided_edge::RULE,
    &human_effect::RULE,
    &voice_conduct::RULE,
    &human_automation::RULE,
    &voice_exit::RULE,
    &voice_exit_target::RULE,
    &prefixed_mapping::RULE,
    &self_delegation::RULE,
    &memory_without_type::RULE,
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
    &unwritten_output::RULE,
    &mapped_type::RULE,
    &recursive_graph::RULE,
    &reducer_key::RULE,
    &parallel_writers::RULE,
    &inner_dollar::RULE,
    &unknown_state_name::RULE,
    &inherited_member::RULE,
    &dashed_name::RULE,
    &unknown_function::RULE,
    &function_arity::RULE,
    &operand_type::RULE,
    &list_identity::RULE,
    &negation_reach::RULE,
    &holds_when_missing::RULE,
    &invalid_json::RULE,
    &invalid_pattern::RULE,
    &octal_number::RULE,
    &deprecated_operator::RULE,
    &swallowed_character::RULE,
    &constant_expression::RULE,
    &foreign_literal::RULE,
    &verifier_syntax::RULE,
    &ignored_condition::RULE,
    &path_syntax::RULE,
    &misread_path::RULE,
    &path_outside_root::RULE,
    &key_read_too_early::RULE,
    &key_never_left::RULE,
    &unread_key::RULE,
    &unread_input::RULE,
    &unwritten_condition_key::RULE,
    &unreadable_expression_key::RULE,
    &hidden_key::RULE,
    &dotted_write_key::RULE,
    &unproduced_output::RULE,
    &edge_behind_unconditional::RULE,
    &repeated_entry::RULE,
    &too_few_iterations::RULE,
    &tool_not_provided::RULE,
    &falsy_verifier_target::RULE,
    &idle_compensation::RULE,
    &rejection_cancels::RULE,
    &rejection_edge::RULE,
    &repeated_verdict::RULE,
    &supervisor_limit_out_of_reach::RULE,
    &unlike_swarm_limits::RULE,
    &unreachable_fitness::RULE,
    &unused_requirement::RULE,
    &manifest_mismatch::RULE,
    &unrecognised_document::RULE,
    &unread_file::RULE,
    &unregistered_tool::RULE,
    &duplicate_step_id::RULE,
    &plan_step_without_tool::RULE,
    &unknown_dependency::RULE,
    &dependency_cycle::RULE,
    &step_work::RULE,
    &halting_warning::RULE,
    &replayed_choice::RULE,
    &dropped_artifact::RULE,
    &unfit_reducer::RULE,
    &endless_session::RULE,
    &unknown_run_target::RULE,
    &unknown_scripted_name::RULE,
    &unusable_answer::RULE,
    &contradictory_expectation::RULE,
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
                let (broken, _) = findings_and_fixed("yaml-syntax", &fixed, &settings);
                assert_eq!(broken, 0, "{}: not YAML: {fixed}", rule.id);
            }
        }
    }
}
