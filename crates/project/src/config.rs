//! `nodewise.toml`.
//!
//! Input: the text of a configuration file. Output: a [`Config`], and the problems with their places.
//! Invariant: a key or a word that nodewise does not know is a problem, never ignored.

pub mod assist;
mod file;
pub mod live;
mod schema;
pub mod shared_rules;
pub mod starter;
mod words;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

use nodewise_analysis::nearest;
use nodewise_analysis::project_rules::is_rule_name;
use nodewise_analysis::rule::{Category, Rule};
use nodewise_analysis::rules::{REMOVED, RULES, RuleSelector, current, renamed_note};
use nodewise_analysis::settings::{Level, Pin, Profile, SecuritySettings, Settings, SystemSettings};
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::{DIALECTS, systems};
use nodewise_format::options::{FormatOptions, INDENTS};
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::{LineCol, LineIndex, TextSize};
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::globs::Patterns;
use crate::reading::MIB;
pub use schema::{config_schema, config_schema_text};
use shared_rules::{RuleSource, SharedRules};
use words::{
    Choice, EXTERNAL, FLOWS, FORMER_EXTERNAL, KEY_ORDERS, LEVELS, NO_DIALECT, QUOTES, SEQUENCES, profiles,
};

/// The name of a configuration file.
pub const FILE_NAME: &str = "nodewise.toml";

/// Files beyond this many MiB are not read unless configured.
const SIZE_MAX_MIB: u64 = 64;

/// The settings of a project, as its configuration file has them.
#[derive(Debug, Clone)]
pub struct Config {
    /// Which files belong to the project.
    pub filter: FileFilter,
    /// Larger files are not read. In bytes.
    pub size_max: u64,
    /// The dialects that are set for files that match the patterns. Later entries override earlier ones.
    pub pins: Vec<(Patterns, Pin)>,
    /// The levels of rules that are set for files that match the patterns. Later entries override earlier ones.
    pub overrides: Vec<(Patterns, Levels)>,
    /// The settings that apply to every file.
    pub settings: Settings,
    /// Rules that the project uses from a repository or another folder.
    pub shared_rules: Vec<SharedRules>,
    /// How declarations are formatted.
    pub format: FormatOptions,
    /// The baseline: the file with the findings that `check` ignores, relative to the configuration file.
    pub baseline: Option<String>,
    /// The settings of live runs, from the table `[live]`.
    pub live: live::Live,
    /// The settings of a worker for a durable engine, from the table `[serve]`.
    pub serve: live::ServeConfig,
    /// Former names in the file. They still work, and each note says the new name.
    pub notes: Vec<ConfigProblem>,
}

/// Levels by rule.
pub type Levels = BTreeMap<String, Level>;

/// Which files belong to a project.
#[derive(Debug, Clone, Default)]
pub struct FileFilter {
    /// If there are any, only files that match one of these belong to the project.
    pub include: Patterns,
    /// Files that match one of these do not belong to the project.
    pub exclude: Patterns,
}

/// Why a filter leaves out a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unwanted<'f> {
    /// There are `include` patterns, and none of them matches.
    NotIncluded,
    /// This `exclude` pattern matches.
    Excluded(&'f str),
}

/// What is wrong with a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigProblem {
    /// Where it begins.
    pub at: LineCol,
    /// Where it ends.
    pub end: LineCol,
    /// What is wrong.
    pub reason: String,
    /// What to write instead.
    pub help: String,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            filter: FileFilter::default(),
            size_max: SIZE_MAX_MIB * MIB,
            pins: Vec::new(),
            overrides: Vec::new(),
            settings: Settings::default(),
            shared_rules: Vec::new(),
            format: FormatOptions::default(),
            baseline: None,
            live: live::Live::default(),
            serve: live::ServeConfig::default(),
            notes: Vec::new(),
        }
    }
}

impl FileFilter {
    /// Whether a file of the project is wanted.
    pub fn wants(&self, path: &str) -> bool {
        self.unwanted(path).is_none()
    }

    /// Why a file of the project is not wanted. `None` if it is wanted.
    pub fn unwanted(&self, path: &str) -> Option<Unwanted<'_>> {
        if !self.include.is_empty() && !self.include.fit(path) {
            return Some(Unwanted::NotIncluded);
        }
        self.exclude.fitting(path).map(Unwanted::Excluded)
    }
}

impl Config {
    /// Reads a configuration file. Returns the first problem as an error.
    pub fn read(text: &str) -> Result<Config, ConfigProblem> {
        let (config, problems) = Config::judge(text);
        match problems.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(config),
        }
    }

    /// Reads what is valid in a configuration file, and returns all problems in reading order. Entries with a problem are
    /// ignored.
    #[must_use]
    pub fn judge(text: &str) -> (Config, Vec<ConfigProblem>) {
        let reader = Reader {
            text,
            problems: RefCell::default(),
            notes: RefCell::default(),
            torn: RefCell::default(),
        };
        let file = reader.file();
        let mut config = reader.config(&file);
        config.notes = reader.notes.into_inner();
        config.notes.arrange_by_key(|note| note.at);
        let mut problems = reader.problems.into_inner();
        problems.arrange_by_key(|problem| problem.at);
        (config, problems)
    }
}

/// A hint for an unknown word: "did you mean `x`?", or the list of all known words.
pub fn suggestion(word: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
            format!("use one of {}", known.join(", "))
        }
    }
}

/// The suggestion for an unknown rule.
pub fn rule_suggestion(word: &str) -> String {
    let categories = Category::ALL.iter().map(|category| category.word());
    let ids = RULES.iter().flat_map(|rule| std::iter::once(rule.id).chain(rule.former.iter().copied()));
    match nearest(word, ids.chain(categories)) {
        Some(near) => format!("did you mean `{}`?", current(near)),
        None => "`nodewise explain` lists the rules".to_owned(),
    }
}

struct Reader<'t> {
    text: &'t str,
    problems: RefCell<Vec<ConfigProblem>>,
    /// Former names in use.
    notes: RefCell<Vec<ConfigProblem>>,
    /// The lines with a syntax error. Other problems in these lines are not reported, because the parser may have misread
    /// them.
    torn: RefCell<Vec<u32>>,
}

impl Reader<'_> {
    /// The file as it is written, without the entries that cannot be read.
    fn file(&self) -> file::File {
        let (mut root, broken) = DeTable::parse_recoverable(self.text);
        broken.iter().for_each(|error| self.broken(error));
        let torn = self.problems.borrow().iter().map(|problem| problem.at.line).collect();
        self.torn.replace(torn);
        loop {
            let error = match file::File::deserialize(toml::Deserializer::from(root.clone())) {
                Ok(file) => return file,
                Err(error) => error,
            };
            let Some(span) = error.span() else { return file::File::default() };
            self.broken(&error);
            if !remove(root.get_mut(), &span) {
                return file::File::default();
            }
        }
    }

    fn config(&self, file: &file::File) -> Config {
        let settings = Settings {
            levels: self.levels(&file.rules.levels),
            systems: self.systems(file),
            security: self.security(&file.security),
            tool_prefixes: tool_prefixes(file),
            dialect: Pin::default(),
            is_named: false,
            is_literal: false,
        };
        let mut pins = Vec::new();
        let mut pinned: Vec<_> = file.dialect.iter().collect();
        pinned.arrange_by_key(|(pattern, _)| pattern.span().start);
        for (pattern, word) in pinned {
            if let Some(pin) = self.pin(word) {
                pins.push((self.patterns(std::slice::from_ref(pattern)), pin));
            }
        }
        let overrides = file.rules.overrides.iter();
        let overrides = overrides.map(|one| (self.patterns(&one.files), self.levels(&one.levels))).collect();
        let filter = FileFilter {
            include: self.patterns(&file.files.include),
            exclude: self.patterns(&file.files.exclude),
        };
        let size_max = file.files.max_size_mib.unwrap_or(SIZE_MAX_MIB).saturating_mul(MIB);
        let format = self.format(&file.format);
        let baseline = file.check.baseline.clone();
        let shared_rules =
            file.shared_rules.iter().filter_map(|(name, rules)| self.shared_rules(name, rules)).collect();
        let (live, serve) = (file.live.clone(), file.serve.clone());
        Config {
            filter,
            size_max,
            pins,
            overrides,
            settings,
            shared_rules,
            format,
            baseline,
            live,
            serve,
            notes: Vec::new(),
        }
    }

    fn format(&self, written: &file::Format) -> FormatOptions {
        let usual = FormatOptions::default();
        let indent = written.indent.as_ref().filter(|indent| {
            let is_known = INDENTS.contains(indent.get_ref());
            if !is_known {
                let reason = format!("`indent` cannot be {}", indent.get_ref());
                let help = format!("write a number from {} to {}", INDENTS.start(), INDENTS.end());
                self.problem(indent.span(), reason, help);
            }
            is_known
        });
        FormatOptions {
            indent: indent.map_or(usual.indent, |indent| *indent.get_ref()),
            sequences: self.chosen(&written.sequences, "sequence style", SEQUENCES, usual.sequences),
            quotes: self.chosen(&written.quotes, "quote style", QUOTES, usual.quotes),
            flow: self.chosen(&written.flow, "flow style", FLOWS, usual.flow),
            key_order: self.chosen(&written.key_order, "key order", KEY_ORDERS, usual.key_order),
            line_width: written.line_width.unwrap_or(usual.line_width),
            blank_lines: written.blank_lines.unwrap_or(usual.blank_lines),
            brace_spacing: written.brace_spacing,
        }
    }

    fn chosen<T: Copy>(
        &self,
        word: &Option<Spanned<String>>,
        what: &str,
        choices: &[Choice<T>],
        usual: T,
    ) -> T {
        word.as_ref().and_then(|word| self.choice(word, what, &pairs(choices))).unwrap_or(usual)
    }

    fn systems(&self, file: &file::File) -> BTreeMap<&'static str, SystemSettings> {
        systems().map(|dialect| (dialect.id, self.system(dialect, file.systems.get(dialect.id)))).collect()
    }

    fn system(&self, dialect: &Dialect, written: Option<&file::SystemConfig>) -> SystemSettings {
        let Some(file::SystemConfig { profile, extra_fields, external, outside: former, .. }) = written
        else {
            return SystemSettings::default();
        };
        let known: Vec<(&str, &'static str)> =
            dialect.outside.iter().map(|list| (list.key, list.key)).collect();
        let list = |(key, names): (&Spanned<String>, &Vec<String>)| {
            Some((self.choice(key, "list of names", &known)?, names.clone()))
        };
        let names = former.as_ref().map_or(external, |former| self.renamed(dialect.id, external, former));
        SystemSettings {
            profile: self.chosen(profile, "profile", &profiles(dialect), Profile::default()),
            extra_fields: extra_fields.clone(),
            outside: names.iter().filter_map(list).collect(),
        }
    }

    /// The names of `[x.external]`, or those of `[x.outside]`, its former name; both at once are a problem.
    fn renamed<'f>(&self, id: &str, external: &'f file::Names, former: &'f file::Names) -> &'f file::Names {
        let (old, new) = (format!("[{id}.{FORMER_EXTERNAL}]"), format!("[{id}.{EXTERNAL}]"));
        let span = assist::key_at(self.text, &[id, FORMER_EXTERNAL]).unwrap_or_default();
        if assist::key_at(self.text, &[id, EXTERNAL]).is_some() {
            let reason = format!("`{old}` and `{new}` are the same table, and both are set");
            self.problem(span, reason, format!("move its lists to `{new}`"));
            return external;
        }
        let (at, end) = (self.place(span.start), self.place(span.end));
        let reason = format!("`{old}` is now called `{new}`");
        let help = "rename it; the former name still works".to_owned();
        self.notes.borrow_mut().push(ConfigProblem { at, end, reason, help });
        former
    }

    fn shared_rules(&self, name: &Spanned<String>, written: &file::RuleOrigin) -> Option<SharedRules> {
        let refuse = |span: Range<usize>, reason: String, help: &str| {
            self.problem(span, reason, help.to_owned());
            None
        };
        let called = name.get_ref();
        if !is_rule_name(called) {
            let reason = format!("`{called}` cannot be the name of shared rules");
            return refuse(name.span(), reason, "write lower-case letters, digits and `-`");
        }
        let source = match (&written.git, &written.commit, &written.path) {
            (Some(git), Some(commit), None) => {
                let is_hash = |text: &str| {
                    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
                };
                if !is_hash(commit.get_ref()) {
                    let reason = format!("`{}` is not the full hash of a commit", commit.get_ref());
                    return refuse(
                        commit.span(),
                        reason,
                        "`git rev-parse` prints it; a branch or tag can move",
                    );
                }
                let folder =
                    written.folder.as_ref().map(|folder| folder.get_ref().trim_matches('/').to_owned());
                RuleSource::Git {
                    url: git.get_ref().clone(),
                    commit: commit.get_ref().to_ascii_lowercase(),
                    folder: folder.unwrap_or_default(),
                }
            }
            (None, None, Some(path)) if written.folder.is_none() => RuleSource::Path(path.get_ref().clone()),
            _ => {
                let reason = format!("`{called}` does not say where its rules are");
                return refuse(name.span(), reason, "set `git` and `commit`, or `path`");
            }
        };
        let (at, end) = (self.place(name.span().start), self.place(name.span().end));
        Some(SharedRules { name: called.clone(), source, at, end })
    }

    fn security(&self, written: &file::Security) -> SecuritySettings {
        let pairs = [
            (("trusted", &written.trusted), ("untrusted", &written.untrusted)),
            (("effects", &written.effects), ("harmless", &written.harmless)),
        ];
        for ((key, names), (other, others)) in pairs {
            for name in others.iter().filter(|name| names.iter().any(|one| one.get_ref() == name.get_ref())) {
                let reason = format!("`{}` is in `{key}` and in `{other}`", name.get_ref());
                self.problem(name.span(), reason, "remove it from one of them".to_owned());
            }
        }
        let names = |list: &[Spanned<String>]| list.iter().map(|name| name.get_ref().clone()).collect();
        SecuritySettings {
            trusted: names(&written.trusted),
            untrusted: names(&written.untrusted),
            effects: names(&written.effects),
            harmless: names(&written.harmless),
        }
    }

    fn levels(&self, levels: &file::Levels) -> Levels {
        let read = |(id, word): (&Spanned<String>, &Spanned<String>)| {
            let level = self.choice(word, "level", &pairs(LEVELS));
            let named = RuleSelector::of(id.get_ref());
            if let Some(RuleSelector::Former(rule)) = named {
                self.former_id(id, rule);
            }
            if named.is_none() && !REMOVED.contains(&id.get_ref().as_str()) {
                let reason = format!("no rule is called `{}`", id.get_ref());
                self.problem(id.span(), reason, rule_suggestion(id.get_ref()));
                return None;
            }
            Some((named.map_or_else(|| id.get_ref().clone(), |named| named.word().to_owned()), level?))
        };
        levels.iter().filter_map(read).collect()
    }

    fn pin(&self, word: &Spanned<String>) -> Option<Pin> {
        let mut pins: Vec<(&str, Pin)> =
            DIALECTS.iter().map(|dialect| (dialect.id, Pin::Dialect(dialect.id))).collect();
        pins.push((NO_DIALECT, Pin::None));
        self.choice(word, "dialect", &pins)
    }

    fn choice<T: Copy>(&self, word: &Spanned<String>, what: &str, choices: &[(&str, T)]) -> Option<T> {
        let found = choices.iter().find(|(known, _)| known == word.get_ref());
        if found.is_none() {
            let known: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
            let reason = format!("`{}` is not a {what}", word.get_ref());
            self.problem(word.span(), reason, suggestion(word.get_ref(), &known));
        }
        found.map(|(_, value)| *value)
    }

    fn patterns(&self, patterns: &[Spanned<String>]) -> Patterns {
        let mut sound: Vec<&Spanned<String>> = patterns.iter().collect();
        loop {
            match Patterns::new(sound.iter().map(|pattern| pattern.get_ref().as_str())) {
                Ok(patterns) => return patterns,
                Err((at, error)) => {
                    let span = sound.get(at).map(|pattern| pattern.span()).unwrap_or_default();
                    let reason = format!("not a path pattern: {}", error.kind());
                    let help = "write patterns as in `.gitignore`: `legacy/**`, `*.draft.yaml`";
                    self.problem(span, reason, help.into());
                    if at >= sound.len() {
                        return Patterns::default();
                    }
                    sound.remove(at);
                }
            }
        }
    }

    /// Notes the problem of a text that is not TOML, or not of the right shape.
    fn broken(&self, error: &toml::de::Error) {
        let message = error.message();
        let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
        let (reason, help) = match names.as_slice() {
            [unknown, known @ ..] if message.starts_with("unknown field") => {
                let help = if known.is_empty() { "remove it".into() } else { suggestion(unknown, known) };
                (format!("unknown key `{unknown}`"), help)
            }
            _ => (
                message.lines().next().unwrap_or_default().to_owned(),
                "see docs/configuration.md of nodewise for every key".into(),
            ),
        };
        self.problem(error.span().unwrap_or_default(), reason, help);
    }

    fn problem(&self, span: Range<usize>, reason: String, help: String) {
        let (at, end) = (self.place(span.start), self.place(span.end));
        if !self.torn.borrow().contains(&at.line) {
            self.problems.borrow_mut().push(ConfigProblem { at, end, reason, help });
        }
    }

    fn former_id(&self, id: &Spanned<String>, rule: &Rule) {
        let (at, end) = (self.place(id.span().start), self.place(id.span().end));
        let (reason, help) = (renamed_note(id.get_ref(), rule), format!("write `{}`", rule.id));
        self.notes.borrow_mut().push(ConfigProblem { at, end, reason, help });
    }

    fn place(&self, offset: usize) -> LineCol {
        LineIndex::new(self.text).line_col(TextSize::try_from(offset).unwrap_or_default())
    }
}

/// The prefixes of generated tools that the file has, or those that are usual.
fn tool_prefixes(file: &file::File) -> Vec<String> {
    let of_system = |dialect: &'static Dialect| {
        let usual = dialect.generated_tools?;
        let written = file.systems.get(dialect.id).and_then(|system| system.tool_prefixes.clone());
        Some(written.unwrap_or_else(|| vec![usual.to_owned()]))
    };
    systems().filter_map(of_system).flatten().collect()
}

/// Takes the innermost entry at a place out of a table; `false` where there is none.
fn remove(table: &mut DeTable<'_>, span: &Range<usize>) -> bool {
    let holds = |one: Range<usize>| one.contains(&span.start) || one == *span;
    if table.iter_mut().any(|(_, value)| remove_inside(value.get_mut(), span)) {
        return true;
    }
    let found = table.iter().find(|(key, value)| holds(key.span()) || holds(value.span()));
    match found.map(|(key, _)| key.clone()) {
        Some(key) => table.remove(&key).is_some(),
        None => false,
    }
}

fn remove_inside(value: &mut DeValue<'_>, span: &Range<usize>) -> bool {
    match value {
        DeValue::Table(inner) => remove(inner, span),
        DeValue::Array(items) => {
            if items.iter_mut().any(|item| remove_inside(item.get_mut(), span)) {
                return true;
            }
            let is_meant = |item: &Spanned<DeValue<'_>>| item.span().contains(&span.start);
            let before = items.len();
            let rest = items.iter().filter(|item| !is_meant(item)).cloned().collect();
            *items = rest;
            items.len() < before
        }
        _ => false,
    }
}

fn pairs<T: Copy>(choices: &[Choice<T>]) -> Vec<(&'static str, T)> {
    choices.iter().map(|choice| (choice.word, choice.value)).collect()
}

#[cfg(test)]
mod tests;
