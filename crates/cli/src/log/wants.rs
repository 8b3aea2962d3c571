//! What is logged.
//!
//! Input: a level, or the value of a variable. Output: whether a span or an event is written. Invariant: a level alone
//! is only about nodewise. Other libraries may log confidential data, so they are logged only if the user names them.

use anyhow::{Result, bail};
use tracing::{Level, Metadata};
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::VARIABLE;

/// What is logged.
#[derive(Debug, Clone)]
pub(crate) struct Wants(Targets);

/// The prefix of the targets of nodewise's crates.
const OWN: &str = "nodewise";

impl Wants {
    /// Everything of nodewise from this level on.
    pub(crate) fn all(level: Level) -> Wants {
        Wants(Targets::new().with_target(OWN, level))
    }

    /// Reads `debug`, or `nodewise_server=debug,warn`.
    pub(crate) fn read(words: &str) -> Result<Wants> {
        let mut targets = Targets::new();
        for word in words.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (target, level) = word.split_once('=').unwrap_or((OWN, word));
            let Ok(level) = level.trim().parse::<LevelFilter>() else {
                bail!(
                    "`{word}` in `{VARIABLE}` is not a level\n  help: write `error`, `warn`, `info`, `debug`, \
                     `trace` or `off`, alone or after a part: `nodewise_server=debug,warn`"
                );
            };
            targets = targets.with_target(target.trim(), level);
        }
        Ok(Wants(targets))
    }

    /// Whether a span or an event is written.
    pub(crate) fn has(&self, metadata: &Metadata<'_>) -> bool {
        self.would(metadata.target(), metadata.level())
    }

    /// Whether an event of that level in a crate is written.
    pub(crate) fn would(&self, target: &str, level: &Level) -> bool {
        self.0.would_enable(target, level)
    }
}

#[cfg(test)]
mod tests {
    use tracing::Level;

    use super::Wants;

    fn check_wants(words: &str, target: &str, level: Level, expected: bool) {
        assert_eq!(Wants::read(words).unwrap().would(target, &level), expected, "{words}: {target} {level}");
    }

    #[test]
    fn a_level_alone_is_about_nodewise() {
        check_wants("info", "nodewise_server::transport", Level::INFO, true);
        check_wants("INFO", "nodewise_server::transport", Level::WARN, true);
        check_wants("info", "nodewise_server::transport", Level::DEBUG, false);
        check_wants("trace", "hyper::client", Level::ERROR, false);
    }

    #[test]
    fn parts_have_levels_of_their_own() {
        check_wants("nodewise_server=debug,warn", "nodewise_server::transport", Level::DEBUG, true);
        check_wants("nodewise_server=debug,warn", "nodewise_analysis::check", Level::INFO, false);
        check_wants("hyper=debug", "hyper::client", Level::DEBUG, true);
        check_wants("off", "nodewise_server", Level::ERROR, false);
    }

    #[test]
    fn a_word_that_is_no_level_is_refused() {
        let error = Wants::read("info,nodewise_server=loud").unwrap_err().to_string();
        assert!(error.starts_with("`nodewise_server=loud` in `NODEWISE_LOG` is not a level"), "{error}");
    }
}
