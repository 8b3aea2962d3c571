//! The settings of each file, shared where they are equal.
//!
//! Input: a configuration and a path. Output: settings. Invariant: files to which the same patterns apply share
//! one value, so that ten thousand files cost as much as one.

use std::collections::BTreeMap;
use std::sync::Arc;

use nodewise_analysis::settings::{Pin, Settings};

use crate::config::Config;

/// Hands out the settings of files.
#[derive(Debug)]
pub struct SettingsOf {
    config: Config,
    forced: Option<Pin>,
    /// By the positions of the pin and the overrides that apply.
    shared: BTreeMap<(Option<usize>, Vec<usize>), Arc<Settings>>,
}

impl SettingsOf {
    /// Settings by a configuration; `forced` is a dialect that the command line asks for.
    pub fn new(config: Config, forced: Option<Pin>) -> SettingsOf {
        SettingsOf { config, forced, shared: BTreeMap::new() }
    }

    /// The settings of a file, its path relative to the project.
    pub fn file(&mut self, path: &str) -> Arc<Settings> {
        let pin = self.config.pins.iter().rposition(|(patterns, _)| patterns.fit(path));
        let overrides = self.config.overrides.iter().enumerate();
        let overrides = overrides.filter(|(_, (patterns, _))| patterns.fit(path)).map(|(at, _)| at).collect();

        let key = (pin, overrides);
        if let Some(shared) = self.shared.get(&key) {
            return Arc::clone(shared);
        }
        let settings = Arc::new(settings(&self.config, self.forced, &key));
        self.shared.insert(key, Arc::clone(&settings));
        settings
    }
}

fn settings(
    config: &Config,
    forced: Option<Pin>,
    (pin, overrides): &(Option<usize>, Vec<usize>),
) -> Settings {
    let mut settings = config.settings.clone();
    let pinned = pin.and_then(|at| config.pins.get(at)).map(|(_, pin)| *pin);
    settings.dialect = forced.or(pinned).unwrap_or_default();
    for (_, levels) in overrides.iter().filter_map(|&at| config.overrides.get(at)) {
        settings.levels.extend(levels.iter().map(|(rule, level)| (rule.clone(), *level)));
    }
    settings
}
