//! Names with `*`. Input: a pattern and a text. Output: whether the text fits. Invariant: every other letter stands for itself.

/// Whether a text matches a pattern in which `*` stands for any characters. Only the last `*` is extended when the rest
/// does not match, so the time is linear in practice and quadratic in the worst case.
pub(crate) fn is_like(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut in_pattern, mut in_text) = (0, 0);
    let mut last_star: Option<(usize, usize)> = None;
    while in_text < text.len() {
        match pattern.get(in_pattern) {
            Some(b'*') => {
                last_star = Some((in_pattern + 1, in_text));
                in_pattern += 1;
            }
            Some(byte) if *byte == text[in_text] => {
                in_pattern += 1;
                in_text += 1;
            }
            _ => match last_star {
                Some((behind, from)) => {
                    last_star = Some((behind, from + 1));
                    in_pattern = behind;
                    in_text = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[in_pattern..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::is_like;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, text, fits) in [
            ("pay", "pay", true),
            ("pay", "pays", false),
            ("pay*", "pay_card", true),
            ("*pay", "repay", true),
            ("*a*b*", "xxaxxbxx", true),
            ("*a*b", "aab", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("*ä", "größä", true),
            ("a*b*c", "abbbcbd", false),
        ] {
            assert_eq!(is_like(pattern, text), fits, "{pattern} {text}");
        }
    }
}
