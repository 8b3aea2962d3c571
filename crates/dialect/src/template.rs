//! Variables in texts: `{name}` and `{dotted.name}`; `{{` and `}}` stand for braces; other balanced
//! braces (JSON in a prompt) are literal text; a brace without its partner is a problem
//!. Never fails.

use std::ops::Range;

use crate::bind::is_dotted;

/// The variables and faults in the braces of a text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct TemplateText<'t> {
    /// The variables in order, each with its byte range including the braces.
    pub variables: Vec<(&'t str, Range<usize>)>,
    /// The byte offsets of unmatched braces.
    pub lone_braces: Vec<usize>,
}

/// Reads the braces of a text.
#[must_use]
pub fn template(text: &str) -> TemplateText<'_> {
    let mut found = TemplateText::default();
    let mut open: Vec<Brace> = Vec::new();
    let mut at = 0;
    while let Some(step) = memchr::memchr2(b'{', b'}', &text.as_bytes()[at..]) {
        at += step;
        let rest = &text[at..];
        let doubled = rest.as_bytes().get(1) == rest.as_bytes().first();
        if rest.starts_with('{') {
            if let Some(name) = variable(rest) {
                let end = at + name.len() + 2;
                found.variables.push((name, at..end));
                at = end;
                continue;
            }
            open.push(if doubled { Brace::Doubled } else { Brace::Single(at) });
            at += if doubled { 2 } else { 1 };
        } else {
            match open.pop() {
                Some(Brace::Doubled) => at += if doubled { 2 } else { 1 },
                Some(Brace::Single(_)) => at += 1,
                None if doubled => at += 2,
                None => {
                    found.lone_braces.push(at);
                    at += 1;
                }
            }
        }
    }
    found.lone_braces.extend(open.into_iter().filter_map(|brace| match brace {
        Brace::Single(at) => Some(at),
        Brace::Doubled => None,
    }));
    found.lone_braces.sort_unstable();
    found
}

enum Brace {
    Single(usize),
    Doubled,
}

/// The variable at the beginning of a text that begins with a brace; `None` if the brace begins no variable.
fn variable(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('{')?;
    let name = &inner[..inner.find('}')?];
    is_dotted(name).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_template(text: &str, expected: &str) {
        let found = template(text);
        let names: Vec<&str> = found.variables.iter().map(|(name, _)| *name).collect();
        assert_eq!(format!("{} {:?}", names.join(","), found.lone_braces), expected, "{text}");
    }

    #[test]
    fn variables_and_braces() {
        check_template("Order {order_id} of {customer.name}", "order_id,customer.name []");
        check_template("{{literal}} and {x}", "x []");
        check_template(r#"Answer as {"a": {"b": 1}}"#, " []");
        check_template("Commande {order_id de {customer}", "customer [9]");
        check_template("a } b", " [2]");
        check_template("open {", " [5]");
        check_template("{price:.2f} {0} {}", " []");
        check_template("{über}", "über []");
        check_template("{{", " []");
    }
}
