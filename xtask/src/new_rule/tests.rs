//! Tests of the new rule's files.

use super::{RULE_FOLDER, is_kebab_case, register, skeleton};
use crate::checkout::checkout_root;

#[test]
fn a_rule_is_registered_once_in_each_list() {
    let theme = "//! Head.\n\nmod dead_end;\n\nstatic THEME: Theme = Theme { rules: &[&dead_end::RULE], parts: &[] };\n";
    assert_eq!(
        register(theme, "no_way").expect("a theme"),
        "//! Head.\n\nmod no_way;\nmod dead_end;\n\nstatic THEME: Theme = Theme { rules: &[&no_way::RULE, &dead_end::RULE], parts: &[] };\n"
    );
    let empty = theme.replace("&dead_end::RULE", "");
    assert!(register(&empty, "no_way").expect("a theme").contains("rules: &[&no_way::RULE], parts"));
    assert!(register("//! Head.\n", "no_way").is_err());
}

#[test]
fn the_themes_of_this_repository_can_be_extended() {
    for theme in ["edges", "liman/names", "scenario"] {
        let path = checkout_root().join(RULE_FOLDER).join(format!("{theme}.rs"));
        let extended = register(&std::fs::read_to_string(path).expect("the theme"), "brand_new");
        let extended = extended.expect("the theme has both lists");
        assert_eq!(extended.matches("mod brand_new;").count(), 1);
        assert_eq!(extended.matches("&brand_new::RULE, ").count(), 1);
    }
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
