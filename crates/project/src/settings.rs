//! The settings of each file, shared where they are equal.
//!
//! Input: a configuration and a path. Output: settings. Invariant: files to which the same patterns apply share
//! one value, so that ten thousand files cost as much as one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use nodewise_analysis::settings::{Pin, Settings};

use crate::config::Config;
use crate::discovery::FoundFile;

/// Gives each file its settings. Files with the same settings share them.
#[derive(Debug)]
pub struct SettingsOf {
    config: Config,
    forced: Option<Pin>,
    /// The files that the user named.
    named: BTreeSet<Arc<str>>,
    shared: BTreeMap<Key, Arc<Settings>>,
}

/// Files with the same key have the same settings: the positions of the pin and of the overrides that apply, and whether
/// the user named the file.
type Key = (Option<usize>, Vec<usize>, bool);

impl SettingsOf {
    /// Settings by a configuration; `forced` is a dialect that the command line asks for.
    pub fn new(config: Config, forced: Option<Pin>) -> SettingsOf {
        SettingsOf { config, forced, named: BTreeSet::new(), shared: BTreeMap::new() }
    }

    /// Marks the files that the user named.
    #[must_use]
    pub fn with_named(mut self, files: &[FoundFile]) -> SettingsOf {
        let named = files.iter().filter(|file| file.is_named);
        self.named = named.map(|file| Arc::clone(&file.relative)).collect();
        self
    }

    /// The settings of a file, its path relative to the project.
    pub fn file(&mut self, path: &str) -> Arc<Settings> {
        let pin = self.config.pins.iter().rposition(|(patterns, _)| patterns.fit(path));
        let overrides = self.config.overrides.iter().enumerate();
        let overrides = overrides.filter(|(_, (patterns, _))| patterns.fit(path)).map(|(at, _)| at).collect();

        let key = (pin, overrides, self.named.contains(path));
        if let Some(shared) = self.shared.get(&key) {
            return Arc::clone(shared);
        }
        let settings = Arc::new(settings(&self.config, self.forced, &key));
        self.shared.insert(key, Arc::clone(&settings));
        settings
    }
}

fn settings(config: &Config, forced: Option<Pin>, (pin, overrides, is_named): &Key) -> Settings {
    let mut settings = config.settings.clone();
    let pinned = pin.and_then(|at| config.pins.get(at)).map(|(_, pin)| *pin);
    settings.is_named = *is_named;
    settings.dialect = forced.or(pinned).unwrap_or_default();
    for (_, levels) in overrides.iter().filter_map(|&at| config.overrides.get(at)) {
        settings.levels.extend(levels.iter().map(|(rule, level)| (rule.clone(), *level)));
    }
    settings
}
