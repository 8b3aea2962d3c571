//! Rules about the form of documents: what YAML, JSON and the tables of all systems allow.

pub(in crate::rules) mod duplicate_entry;
mod duplicate_key;
mod empty_file;
mod indentation;
mod invalid_json;
mod invalid_schema;
pub(in crate::rules) mod invalid_value;
mod invalid_yaml;
pub(in crate::rules) mod key_fix;
pub(in crate::rules) mod level_fix;
pub(in crate::rules) mod meant_number;
mod missing_field;
pub(in crate::rules) mod mistaken_form;
mod non_mapping_document;
pub(in crate::rules) mod out_of_range;
mod unknown_field;
mod unread_file;
pub(in crate::rules) mod unrecognised_document;
pub(in crate::rules) mod unsupported_field;
mod wrong_type;
pub(in crate::rules) mod yaml_fix;

use crate::rules::Theme;

pub(super) static THEME: Theme = Theme {
    rules: &[
        &duplicate_entry::RULE,
        &duplicate_key::RULE,
        &empty_file::RULE,
        &invalid_json::RULE,
        &invalid_schema::RULE,
        &invalid_value::RULE,
        &invalid_yaml::RULE,
        &missing_field::RULE,
        &non_mapping_document::RULE,
        &out_of_range::RULE,
        &unknown_field::RULE,
        &unread_file::RULE,
        &unrecognised_document::RULE,
        &unsupported_field::RULE,
        &wrong_type::RULE,
    ],
    parts: &[],
};
