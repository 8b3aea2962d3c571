//! What tools and servers mean to the security of a project. Input: the lists of the project, a name. Output: whether it acts
//! outside of the run, or brings in texts of strangers. Invariant: what the project says counts more than the words of the
//! name, and an entry without `*` more than one with it. Of two entries that fit alike, the one that reports more counts.

use crate::name_pattern::is_like;
use crate::settings::SecuritySettings;
use crate::tool_words;

/// Stands for any characters in an entry.
const ANY: char = '*';

impl SecuritySettings {
    /// Whether a tool with this name changes something outside the run.
    pub(crate) fn acts(&self, tool: &str) -> bool {
        listed(tool, &self.effects, &self.harmless).unwrap_or_else(|| tool_words::acts(tool))
    }

    /// Whether the effect of a tool with this name cannot be undone, so that a person should approve it.
    pub(crate) fn is_irreversible(&self, tool: &str) -> bool {
        listed(tool, &self.effects, &self.harmless).unwrap_or_else(|| tool_words::is_irreversible(tool))
    }

    /// Whether a tool with this name returns texts that anyone may have written.
    pub(crate) fn brings_in(&self, tool: &str) -> bool {
        self.is_untrusted(tool).unwrap_or_else(|| tool_words::brings_in(tool))
    }

    /// Whether the project lists a tool or server as untrusted (`true`) or as trusted (`false`); `None` if it lists
    /// neither.
    pub(crate) fn is_untrusted(&self, name: &str) -> Option<bool> {
        listed(name, &self.untrusted, &self.trusted)
    }
}

/// Whether a name is in `these` (`true`) or in `others` (`false`); `None` if in neither. Exact entries count before
/// patterns, and `these` before `others`.
fn listed(name: &str, these: &[String], others: &[String]) -> Option<bool> {
    let exact = |list: &[String]| list.iter().any(|entry| entry == name);
    let like = |list: &[String]| list.iter().any(|entry| entry.contains(ANY) && is_like(entry, name));
    let answers = [(exact(these), true), (exact(others), false), (like(these), true), (like(others), false)];
    answers.into_iter().find_map(|(fits, answer)| fits.then_some(answer))
}

#[cfg(test)]
mod tests {
    use crate::settings::SecuritySettings;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_project_counts_more_than_words_and_a_name_more_than_a_pattern() {
        let settings = SecuritySettings {
            trusted: names(&["web_*", "own"]),
            untrusted: names(&["web_forum", "notes"]),
            effects: names(&["close_*", "send_letter"]),
            harmless: names(&["send_*", "close_window"]),
        };
        for (tool, acts, brings_in) in [
            ("close_ticket", true, false),
            ("close_window", false, false),
            ("send_letter", true, false),
            ("send_log", false, false),
            ("web_search", false, false),
            ("web_forum", false, true),
            ("notes", false, true),
            ("pay_card", true, false),
            ("http_get", false, true),
        ] {
            assert_eq!((settings.acts(tool), settings.brings_in(tool)), (acts, brings_in), "{tool}");
        }
        assert_eq!(settings.is_untrusted("other"), None);
    }
}
