//! Projects whose files are texts in memory: of a page, or of a program in JavaScript.
//!
//! Input: paths and texts. Output: projects as [`crate::discovery`] finds them in a folder with the same files. Invariant: it reads
//! nothing else, so files of git, baselines and links do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use nodewise_analysis::files::load_order;
use nodewise_analysis::settings::Settings;
use nodewise_platform::sorting::Sorting;

use crate::config::{Config, ConfigProblem, FILE_NAME};
use crate::discovery::walk::is_built_module;
use crate::discovery::{is_baseline, is_declaration_name};
use crate::modules::{ReadFile, needed};
use crate::settings::SettingsOf;

#[derive(Debug)]
pub struct TextProject {
    /// Its folder with a `/` at the end. Empty for the outermost one.
    pub folder: String,
    /// The settings from its configuration file.
    pub config: Config,
    /// What is wrong with its configuration file. The rest of the file is used.
    pub config_problems: Vec<ConfigProblem>,
    /// Its files, in load order.
    pub files: Vec<TextFile>,
    /// The number of files that are left out because they exceed its size limit.
    pub too_large: usize,
}

/// A file of such a project.
#[derive(Debug)]
pub struct TextFile {
    /// The path relative to the project.
    pub path: String,
    pub text: Arc<str>,
    /// The settings that apply to it.
    pub settings: Arc<Settings>,
}

/// Sorts files into projects, in the order of their folders. Each folder with a `nodewise.toml` is a project, and so is the
/// outermost folder.
#[must_use]
pub fn projects_of(texts: &BTreeMap<String, Arc<str>>) -> Vec<TextProject> {
    let mut folders: BTreeSet<&str> = texts.keys().filter_map(|path| folder_of_config(path)).collect();
    folders.insert("");
    let configs: BTreeMap<&str, (Config, Vec<ConfigProblem>)> = folders
        .iter()
        .map(|folder| {
            let text = texts.get(&format!("{folder}{FILE_NAME}")).map_or("", |text| text);
            (*folder, Config::judge(text))
        })
        .collect();
    let mut found: BTreeMap<&str, Vec<(&str, &Arc<str>)>> = BTreeMap::new();
    for (path, text) in texts {
        if let Some(home) = home_of(path, &configs) {
            found.entry(home).or_default().push((path.get(home.len()..).unwrap_or_default(), text));
        }
    }
    let project = |(folder, (config, config_problems))| {
        project((folder, config, config_problems), found.remove(folder).unwrap_or_default())
    };
    configs.into_iter().map(project).collect()
}

/// The folder of a configuration file, with a `/` at the end.
fn folder_of_config(path: &str) -> Option<&str> {
    let folder = path.strip_suffix(FILE_NAME)?;
    (folder.is_empty() || folder.ends_with('/')).then_some(folder)
}

/// The folder of the project to which a file belongs, if it is a declaration and every project around it wants it.
fn home_of<'f>(path: &str, configs: &BTreeMap<&'f str, (Config, Vec<ConfigProblem>)>) -> Option<&'f str> {
    let around: Vec<(&str, &Config)> = configs
        .iter()
        .filter(|(folder, _)| path.starts_with(**folder))
        .map(|(folder, (config, _))| (*folder, config))
        .collect();
    let (home, config) = around.iter().max_by_key(|(folder, _)| folder.len())?;
    let inside = path.get(home.len()..)?;
    let is_wanted = around
        .iter()
        .all(|(folder, config)| path.get(folder.len()..).is_some_and(|path| config.filter.wants(path)));
    let is_declaration = is_declaration_name(Path::new(path)) && !is_built_module(Path::new(inside));
    let is_list = is_baseline(Path::new(path)) || config.baseline.as_deref() == Some(inside);
    (is_wanted && is_declaration && !is_list).then_some(*home)
}

fn project(
    (folder, config, config_problems): (&str, Config, Vec<ConfigProblem>),
    mut files: Vec<(&str, &Arc<str>)>,
) -> TextProject {
    files.arrange_by(|(one, _), (other, _)| load_order(one, other));
    let all = files.len();
    files.retain(|(_, text)| text.len() as u64 <= config.size_max);
    let too_large = all - files.len();
    let read = files.iter().map(|(path, text)| ReadFile { path, text, is_named: false });
    let needed = needed(&read.collect::<Vec<_>>());
    let mut settings = SettingsOf::new(config.clone(), None);
    let files = files.into_iter().zip(needed).filter(|(_, is_needed)| *is_needed).map(|((path, text), _)| {
        TextFile { path: path.to_owned(), text: Arc::clone(text), settings: settings.file(path) }
    });
    let files = files.collect();
    TextProject { folder: folder.to_owned(), config, config_problems, files, too_large }
}

#[cfg(test)]
mod tests {
    use super::projects_of;

    /// The projects of some files: each folder, and what is read there.
    #[track_caller]
    fn check_projects(files: &[(&str, &str)], expected: &[(&str, &[&str])]) {
        let texts = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).into())).collect();
        let projects = projects_of(&texts);
        let found: Vec<(&str, Vec<&str>)> = projects
            .iter()
            .map(|one| (one.folder.as_str(), one.files.iter().map(|file| file.path.as_str()).collect()))
            .collect();
        let expected: Vec<(&str, Vec<&str>)> =
            expected.iter().map(|(folder, files)| (*folder, files.to_vec())).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_configuration_makes_a_folder_a_project() {
        check_projects(
            &[
                ("b.yaml", ""),
                ("a/nodewise.toml", ""),
                ("a/x.yaml", ""),
                ("a-b/y.yaml", ""),
                ("readme.md", ""),
                ("not-nodewise.toml", ""),
            ],
            &[("", &["a-b/y.yaml", "b.yaml"]), ("a/", &["x.yaml"])],
        );
    }

    #[test]
    fn every_configuration_around_a_file_counts() {
        check_projects(
            &[
                ("nodewise.toml", "[files]\nexclude = [\"*-broken\", \"old.yaml\"]"),
                ("x-broken/nodewise.toml", ""),
                ("x-broken/a.yaml", ""),
                ("y/nodewise.toml", "[files]\ninclude = [\"*.json\"]\nmax_size_mib = 0"),
                ("y/a.yaml", ""),
                ("y/b.json", "{}"),
                ("y/c.json", ""),
                ("old.yaml", ""),
                ("new.yaml", ""),
                ("nodewise-baseline.json", ""),
            ],
            &[("", &["new.yaml"]), ("x-broken/", &[]), ("y/", &["c.json"])],
        );
    }

    #[test]
    fn modules_count_if_they_build_graphs() {
        let graph = "import { graph } from '@cycgraph/orchestrator';\nimport { key } from './keys.js';";
        check_projects(
            &[
                ("graph.ts", graph),
                ("keys.ts", "export const key = 1"),
                ("other.ts", "export const other = 1"),
                ("types.d.ts", "export type A = 1"),
                ("node_modules/a/graph.ts", graph),
            ],
            &[("", &["graph.ts", "keys.ts"])],
        );
    }
}
