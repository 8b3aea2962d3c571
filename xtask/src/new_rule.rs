//! `cargo xtask new-rule THEME/NAME`: the file of a rule and its two lines in the theme.
//!
//! Input is a folder below the rules (`edges`, `liman/names`) and the rule's id in kebab case. Output is a rule file with
//! the usual headings. Its check reports nothing yet, so its example fails until you write the check. Invariant: nothing
//! is overwritten.

#[cfg(test)]
mod tests;

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::checkout::cargo;

const RULE_FOLDER: &str = "crates/analysis/src/rules";

/// Writes the rule file, adds it to its theme, and formats the crate.
pub(crate) fn run(root: &Path, name: &str) -> Result<()> {
    let Some((theme, id)) = name.rsplit_once('/') else {
        bail!(
            "`{name}` names no theme: write `THEME/{name}`, with a folder of {RULE_FOLDER}, such as `liman/names`"
        );
    };
    ensure!(is_kebab_case(id), "`{id}` is not a rule id: write lower-case words with `-` between them");
    let module = id.replace('-', "_");
    let rule_path = root.join(RULE_FOLDER).join(theme).join(format!("{module}.rs"));
    ensure!(!rule_path.exists(), "{} already exists", rule_path.display());

    let theme_path = root.join(RULE_FOLDER).join(format!("{theme}.rs"));
    let list = std::fs::read_to_string(&theme_path)
        .with_context(|| format!("there is no theme `{theme}`: {RULE_FOLDER}/{theme}.rs cannot be read"))?;
    let list = register(&list, &module)?;
    std::fs::write(&rule_path, skeleton(id))?;
    std::fs::write(&theme_path, list)?;

    let formatted = cargo(root).args(["fmt", "--package", "nodewise-analysis"]).status()?;
    ensure!(formatted.success(), "the rule is written, but `cargo fmt` failed");
    println!("wrote {RULE_FOLDER}/{theme}/{module}.rs and added it to {RULE_FOLDER}/{theme}.rs");
    println!("next: its page and its check");
    Ok(())
}

fn is_kebab_case(id: &str) -> bool {
    let is_allowed = |character: char| character.is_ascii_lowercase() || character.is_ascii_digit();
    id.starts_with(|first: char| first.is_ascii_lowercase())
        && id.split('-').all(|word| !word.is_empty() && word.chars().all(is_allowed))
}

/// The theme with the rule's module and its entry. rustfmt sorts the modules.
fn register(theme: &str, module: &str) -> Result<String> {
    // Modules that other themes use have a visibility in front.
    let modules = ["\nmod ", "\npub(in crate::rules) mod "].into_iter().filter_map(|start| theme.find(start));
    let Some(first_module) = modules.min().map(|newline| newline + 1) else {
        bail!("the theme declares no module");
    };
    const RULES: &str = "rules: &[";
    let list = theme.find(RULES).context("the theme has no list `rules`")? + RULES.len();
    let (head, rest) = theme.split_at(first_module);
    let (modules, entries) = rest.split_at(list - first_module);
    let separator = if entries.trim_start().starts_with(']') { "" } else { ", " };
    Ok(format!("{head}mod {module};\n{modules}&{module}::RULE{separator}{entries}"))
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
use crate::rule::{{Category, Context, Report, Rule, RulePart}};

pub(crate) static RULE: Rule = Rule {{
    id: \"{id}\",
    former: &[],
    category: Category::Suspicious,
    is_fixable: false,
    since: \"0.1.0\",
    own: &[&RulePart {{ severity: Severity::Warning, check, ..RulePart::DEFAULT }}],
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
