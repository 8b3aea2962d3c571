//! What the name of a tool says about the tool. Input: a name as programs write it, in any case and with any separators. Output:
//! whether it acts outside of the run, for good, or brings in texts of strangers. Invariant: a name that does not plainly say
//! it says nothing.

use std::borrow::Cow;

/// Words in names of tools that change something outside the run or send something to others.
const ACTS: &[&str] = &[
    "bash", "buy", "charge", "command", "commit", "delete", "deploy", "destroy", "drop", "email", "erase",
    "exec", "execute", "grant", "mail", "merge", "pay", "payout", "post", "publish", "purchase", "purge",
    "push", "refund", "remove", "revoke", "send", "shell", "sms", "terminal", "transfer", "tweet", "upload",
    "wipe", "wire",
];

/// Words for what is transferred in a conversation. Such a transfer changes nothing: `transfer_to_agent`, `call_transfer`.
const CONVERSATIONS: &[&str] = &["agent", "call", "operator", "person"];

/// Words in names of tools whose effect cannot be undone: they move money or rights, delete, run programs, or change what
/// others use.
const IRREVERSIBLE: &[&str] = &[
    "bash", "buy", "charge", "delete", "deploy", "destroy", "drop", "erase", "exec", "execute", "grant",
    "pay", "payout", "purchase", "purge", "refund", "revoke", "shell", "terminal", "transfer", "wipe",
    "wire",
];

/// Words in names of tools that only read, whatever other words the name has: `list_payments`, `read_mail`,
/// `preview_deploy`.
const LOOKS: &[&str] = &[
    "browse", "check", "count", "crawl", "describe", "download", "draft", "estimate", "fetch", "find", "get",
    "inspect", "list", "load", "look", "lookup", "poll", "preview", "read", "receive", "scan", "scrape",
    "search", "show", "status", "validate", "verify", "view",
];

/// Words in names of tools that return texts which anyone may have written.
const FROM_STRANGERS: &[&str] = &[
    "browse", "browser", "crawl", "crawler", "ftp", "http", "https", "inbox", "internet", "rss", "scrape",
    "scraper", "url", "web", "webpage", "website",
];

/// Words for things that strangers write. A tool that reads such a thing returns untrusted text.
const WRITTEN_BY_STRANGERS: &[&str] = &["email", "emails", "mail", "mailbox", "mails"];

/// Whether the name suggests that the tool changes something outside the run.
pub(crate) fn acts(name: &str) -> bool {
    Words::of(name).say(ACTS)
}

/// Whether the name suggests that the tool's effect cannot be undone.
pub(crate) fn is_irreversible(name: &str) -> bool {
    Words::of(name).say(IRREVERSIBLE)
}

/// Whether the name suggests that the tool returns texts that anyone may have written.
pub(crate) fn brings_in(name: &str) -> bool {
    let words = Words::of(name);
    let is_from_strangers =
        words.have(FROM_STRANGERS) || words.have(LOOKS) && words.have(WRITTEN_BY_STRANGERS);
    is_from_strangers && !words.say(ACTS)
}

/// The words of a name in lower case with separators between them. `sendMail`, `send-mail` and `SEND_MAIL` have the same
/// words.
struct Words<'n>(Cow<'n, str>);

impl Words<'_> {
    fn of(name: &str) -> Words<'_> {
        if name.bytes().all(|letter| letter.is_ascii() && !letter.is_ascii_uppercase()) {
            return Words(Cow::Borrowed(name));
        }
        let mut words = String::with_capacity(2 * name.len());
        let mut was_lower = false;
        for character in name.chars() {
            if !character.is_alphanumeric() || character.is_uppercase() && was_lower {
                words.push(' ');
            }
            if character.is_alphanumeric() {
                words.extend(character.to_lowercase());
            }
            was_lower = character.is_lowercase();
        }
        Words(Cow::Owned(words))
    }

    fn each(&self) -> impl Iterator<Item = &str> {
        self.0.split(|character: char| !character.is_alphanumeric())
    }

    /// Whether a word of the name is in `verbs` and no word says that the tool only reads.
    fn say(&self, verbs: &[&str]) -> bool {
        let is_verb = |word: &str| {
            verbs.binary_search(&word).is_ok() && (word != "transfer" || !self.have(CONVERSATIONS))
        };
        self.each().any(is_verb) && !self.have(LOOKS)
    }

    fn have(&self, known: &[&str]) -> bool {
        self.each().any(|word| known.binary_search(&word).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        ACTS, CONVERSATIONS, FROM_STRANGERS, IRREVERSIBLE, LOOKS, WRITTEN_BY_STRANGERS, acts, brings_in,
        is_irreversible,
    };

    #[test]
    fn lists_are_sorted_for_the_search() {
        for list in [ACTS, CONVERSATIONS, IRREVERSIBLE, LOOKS, FROM_STRANGERS, WRITTEN_BY_STRANGERS] {
            assert!(list.is_sorted(), "{list:?}");
        }
        assert!(IRREVERSIBLE.iter().all(|word| ACTS.contains(word)), "what cannot be undone acts");
    }

    #[test]
    fn names_say_what_tools_do() {
        for name in ["pay_card", "sendMail", "DELETE-all", "slack.post", "shell"] {
            assert!(acts(name) && !brings_in(name), "{name}");
        }
        for (name, is_final) in [
            ("refund_order", true),
            ("delete_user", true),
            ("send_mail", false),
            ("find_order", false),
            ("transfer_money", true),
            ("call_transfer", false),
        ] {
            assert_eq!(is_irreversible(name), is_final, "{name}");
        }
        for name in ["web_search", "http_get", "readEmail", "crawl", "search_inbox"] {
            assert!(brings_in(name) && !acts(name), "{name}");
        }
        for name in
            ["find_order", "list_payments", "save_to_memory", "payments", "reader", "transfer_to_agent", ""]
        {
            assert!(!acts(name) && !brings_in(name), "{name}");
        }
    }
}
