//! ## What it does
//!
//! Reports secrets in files: keys of common services, private keys, and passwords in addresses. They are reported anywhere
//! in a file, in prompts and in comments too.
//!
//! ## Why it matters
//!
//! Everyone who can read the repository can use the secret, and a prompt sends it to the model. It stays in the
//! history when you delete it.
//!
//! ## Example
//!
//! ```yaml expect=hardcoded-secret
//! kind: LLMNode
//! name: desk
//! prompts:
//!   system: {en: "Use postgres://desk:h4rdToGuess7@db.example.com/orders for orders."}
//! ```
//!
//! ## Instead
//!
//! ```yaml ok
//! kind: LLMNode
//! name: desk
//! prompts:
//!   system: {en: Use the tool `orders` for orders.}
//! ```

use nodewise_model::Origin;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Category, Context, Report, Rule, RulePart};

/// The rule. Its page is the head of this file.
pub(in crate::rules) static RULE: Rule = Rule {
    id: "hardcoded-secret",
    former: &[],
    category: Category::Security,
    is_fixable: false,
    since: "0.1.0",
    own: &[&RulePart { severity: Severity::Warning, about_syntax: true, check, ..RulePart::DEFAULT }],
};

fn check(context: &Context<'_>, report: &mut Report) {
    for (range, noun) in &context.file.secrets {
        report.push(
            Finding::new(Origin::new(context.file.source, *range), format!("the file contains {noun}"))
                .label("everyone who can read the file can use it")
                .help("revoke it, and let the program read a new one from its environment"),
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn keys_tokens_and_passwords() {
        check_rule(
            "hardcoded-secret",
            r#"
# sk-ant-api03-R4nD0mLettersAndDigits99
# ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hardcoded-secret]: the file contains an API key of Anthropic
kind: LLMNode
name: desk
prompts:
  system:
    en: "Token ghp_16C7e42F292c6912E7710c838347Ae178B4a, not ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx."
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hardcoded-secret]: the file contains a token of GitHub
    de: "https://desk:PASSWORD@example.com and https://desk:s3cretW0rd!9@example.com"
#                                                           ^^^^^^^^^^^^ warning[hardcoded-secret]: the file contains a password
    fr: "sk-learn-is-a-library-with-a-name-that-is-long, AKIAIOSFODNN7EXAMPLE"
#                                                        ^^^^^^^^^^^^^^^^^^^^ warning[hardcoded-secret]: the file contains an access key of AWS
    es: "-----BEGIN RSA PRIVATE KEY-----"
#        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ warning[hardcoded-secret]: the file contains a private key
"#,
        );
    }
}
