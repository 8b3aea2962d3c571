//! `cargo xtask new-rule NAME`: the file of a rule and its two lines in the registry.
//!
//! Input is the rule's id in kebab case. Output is a rule file with the usual headings. Its check reports nothing yet,
//! so its example fails until you write the check. Invariant: nothing is overwritten.

#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::checkout::cargo;

const REGISTRY: &str = "crates/analysis/src/rules.rs";
const RULE_FOLDER: &str = "crates/analysis/src/rules";

/// Writes the rule file, registers it, and formats the crate.
pub(crate) fn run(root: &Path, id: &str) -> Result<()> {
    ensure!(is_kebab_case(id), "`{id}` is not a rule id: write lower-case words with `-` between them");
    let module = id.replace('-', "_");
    let rule_path = root.join(RULE_FOLDER).join(format!("{module}.rs"));
    ensure!(!rule_path.exists(), "{} already exists", rule_path.display());

    let registry_path = root.join(REGISTRY);
    let registry =
        std::fs::read_to_string(&registry_path).with_context(|| format!("cannot read {REGISTRY}"))?;
    let registry = register(&registry, &module)?;
    std::fs::write(&rule_path, skeleton(id))?;
    std::fs::write(&registry_path, registry)?;

    let formatted = cargo(root).args(["fmt", "--package", "nodewise-analysis"]).status()?;
    ensure!(formatted.success(), "the rule is written, but `cargo fmt` failed");
    println!("wrote {RULE_FOLDER}/{module}.rs and registered it at the end of the rules");
    println!("next: its page, its check, its place in the order of {REGISTRY}");
    Ok(())
}

fn is_kebab_case(id: &str) -> bool {
    let is_allowed = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.split('-').all(|word| !word.is_empty() && word.chars().all(is_allowed))
}

/// The registry with the rule's module and, at the end of the list, its entry. rustfmt sorts the modules.
fn register(registry: &str, module: &str) -> Result<String> {
    let Some(first_module) = registry.find("\nmod ").map(|newline| newline + 1) else {
        bail!("{REGISTRY} declares no module");
    };
    let list_start =
        registry.find("static RULES").with_context(|| format!("{REGISTRY} has no list RULES"))?;
    let (before_list, list_on) = registry.split_at_checked(list_start).unwrap_or((registry, ""));
    let (list, behind) =
        list_on.split_once("];").with_context(|| format!("the list RULES of {REGISTRY} has no end"))?;
    let (head, modules) = before_list.split_at_checked(first_module).unwrap_or((before_list, ""));
    let list = list.trim_end();
    let separator = if list.ends_with([',', '[']) { "" } else { "," };
    Ok(format!("{head}mod {module};\n{modules}{list}{separator} &{module}::RULE];{behind}"))
}

/// A rule file with the usual headings, and a check that reports nothing yet.
fn skeleton(id: &str) -> String {
    format!(
        "\
//! ## What it does
//!
//! Reports …
//!
//! ## Why it matters
//!
//! …
//!
//! ## Example
//!
//! ```yaml expect={id}
//! kind: Node
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: Node
//! ```

use crate::diagnostic::Severity;
use crate::rule::{{Category, Context, Needs, Report, Rule}};

pub(crate) static RULE: Rule = Rule {{
    id: \"{id}\",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: \"0.1.0\",
    spec: None,
    systems: &[\"liman\"],
    severity: Severity::Warning,
    absence: false,
    about_syntax: false,
    about_form: false,
    needs: Needs::Nothing,
    also: &[],
    check,
}};

fn check(_context: &Context<'_>, _report: &mut Report) {{}}

#[cfg(test)]
mod tests {{
    use crate::testing::check_rule;

    #[test]
    fn the_pattern_is_reported() {{
        check_rule(
            \"{id}\",
            r\"
kind: Node
^^^^ warning[{id}]
\",
        );
    }}
}}
"
    )
}
