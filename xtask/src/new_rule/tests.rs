//! Tests of the new rule's files.

use super::{REGISTRY, is_kebab_case, register, skeleton};
use crate::checkout::checkout_root;

#[test]
fn a_rule_is_registered_once_in_each_list() {
    let registry = "//! Head.\n\nmod dead_end;\n\n/// Every rule.\npub static RULES: &[&Rule] =\n    &[&dead_end::RULE];\n\nfn f() {}\n";
    assert_eq!(
        register(registry, "no_way").expect("a registry"),
        "//! Head.\n\nmod no_way;\nmod dead_end;\n\n/// Every rule.\npub static RULES: &[&Rule] =\n    &[&dead_end::RULE, &no_way::RULE];\n\nfn f() {}\n"
    );
    assert!(register("//! Head.\n", "no_way").is_err());
}

#[test]
fn the_registry_of_this_repository_can_be_extended() {
    let registry = std::fs::read_to_string(checkout_root().join(REGISTRY)).expect("the registry");
    let extended = register(&registry, "brand_new").expect("the registry has both lists");
    assert_eq!(extended.matches("mod brand_new;").count(), 1);
    assert_eq!(extended.matches("&brand_new::RULE]").count(), 1);
}

#[test]
fn the_skeleton_has_every_field_of_a_rule() {
    let rule_source =
        std::fs::read_to_string(checkout_root().join("crates/analysis/src/rule.rs")).expect("rule.rs");
    let fields_of = |text: &str, opening: &str| -> Vec<String> {
        let (_, body) = text.split_once(opening).expect("the struct");
        let lines = body.lines().map(str::trim).take_while(|line| !line.starts_with('}'));
        let fields = lines.filter(|line| !line.is_empty() && !line.starts_with("//"));
        fields
            .map(|line| line.trim_start_matches("pub ").split([':', ',']).next().unwrap_or(line).to_owned())
            .collect()
    };
    assert_eq!(
        fields_of(&skeleton("dead-end"), "static RULE: Rule = Rule {"),
        fields_of(&rule_source, "pub struct Rule {")
    );
}

#[test]
fn ids_are_kebab_case() {
    for id in ["dead-end", "x", "rule-2b"] {
        assert!(is_kebab_case(id), "{id}");
    }
    for id in ["", "Dead-End", "dead_end", "dead--end", "-x", "2-x", "../x"] {
        assert!(!is_kebab_case(id), "{id}");
    }
}
