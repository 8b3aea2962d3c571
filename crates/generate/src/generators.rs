//! Generated files: written from the code, and committed.
//!
//! Input is the library crates (a generator calls their public functions) and committed files that are not generated.
//! Output is whole files. Invariant: a generator only reads, so its files can be compared with the committed ones.
//!
//! To add a generator, write a function that returns its files, and give it a line in [`generators`]. If it needs a
//! library crate, add that crate to this package's manifest.

mod expression_keys;
mod injections;
mod manifest;
mod packages;
mod pictures;
#[cfg(test)]
mod tests;
mod textmate;

use std::path::Path;

use anyhow::{Context, Result};
use nodewise_analysis::rule::Category;
use nodewise_analysis::rules::RULES;
use nodewise_analysis::{citation, page};
use nodewise_dialect::reference::reference_page;
use nodewise_dialect::schema::{UnknownKeys, json_schema_text};
use nodewise_dialect::table::Dialect;
use nodewise_dialect::tables::DIALECTS;
use nodewise_project::config::config_schema_text;
use nodewise_project::debug_configuration::launch_schema_text;

use xtask::checkout::checkout_root;

/// A file with its place in the repository.
pub(crate) struct GeneratedFile {
    /// Relative to the root, with slashes.
    pub(crate) path: String,
    /// With `\n` line ends, also after the last line.
    pub(crate) text: String,
}

/// A generator of files.
pub(crate) struct Generator {
    /// A short description of the files.
    pub(crate) name: &'static str,
    /// A folder, with its final slash, in which only this generator writes files. Its subfolders are not included.
    pub(crate) owned_folder: Option<&'static str>,
    /// Every file, in a stable order.
    pub(crate) files: fn() -> Vec<GeneratedFile>,
}

/// Every generator.
pub(crate) fn generators() -> Vec<Generator> {
    vec![
        Generator { name: "rule pages", owned_folder: Some("docs/rules/"), files: rule_pages },
        Generator { name: "dialect pages", owned_folder: Some("docs/dialects/"), files: dialect_pages },
        Generator { name: "JSON Schemas", owned_folder: Some("schemas/"), files: schemas },
        Generator { name: "pictures of graphs", owned_folder: Some("docs/graphs/"), files: graphs },
        Generator { name: "injections", owned_folder: None, files: injections::files },
        Generator { name: "TextMate grammars", owned_folder: None, files: textmate::files },
        Generator { name: "settings of the VS Code extension", owned_folder: None, files: manifest::files },
        Generator { name: "packages for the Neovim plugin", owned_folder: None, files: packages::files },
    ]
}

fn rule_pages() -> Vec<GeneratedFile> {
    let mut list = "# Rules\n".to_owned();
    let mut files = Vec::new();
    let mut sections: Vec<String> = Vec::new();
    for section in RULES.iter().map(|rule| page::systems(rule)) {
        if !sections.contains(&section) {
            sections.push(section);
        }
    }
    for section in &sections {
        let title = if section == "every system" { "Every system" } else { section };
        list.push_str(&format!("\n## {title}\n\n| rule | severity | category | fixable | since | what it does |\n|---|---|---|---|---|---|\n"));
        for rule in RULES.iter().filter(|rule| page::systems(rule) == *section) {
            let (id, severity, summary) = (rule.id, page::severities(rule), page::summary(rule));
            let (category, fixable) = (rule.category.word(), if rule.is_fixable { "yes" } else { "" });
            list.push_str(&format!(
                "| [{id}]({id}.md) | {severity} | {category} | {fixable} | {} | {} |\n",
                rule.since,
                summary.replace('|', "\\|")
            ));
        }
    }
    list.push_str("\n## Categories\n\n`--select`, `--ignore` and `[rules]` take a category in place of a rule.\n\n| category | what its rules report |\n|---|---|\n");
    for category in Category::ALL {
        list.push_str(&format!("| {} | {} |\n", category.word(), category.doc()));
    }
    list.push_str("\n## Former ids\n\nnodewise still accepts these ids. `nodewise check --fix` rewrites them in comments.\n\n| former id | id |\n|---|---|\n");
    let mut former: Vec<_> =
        RULES.iter().flat_map(|rule| rule.former.iter().map(|id| (*id, rule.id))).collect();
    former.sort_unstable();
    for (before, id) in former {
        list.push_str(&format!("| {before} | [{id}]({id}.md) |\n"));
    }
    for rule in RULES.iter() {
        let id = rule.id;
        files.push(GeneratedFile {
            path: format!("docs/rules/{id}.md"),
            text: citation::linked(&page::page(rule), "../spec/"),
        });
    }
    files.push(GeneratedFile { path: "docs/rules/README.md".to_owned(), text: list });
    files
}

fn dialect_pages() -> Vec<GeneratedFile> {
    let page = |dialect: &&'static Dialect| GeneratedFile {
        path: format!("docs/dialects/{}.md", dialect.id),
        text: reference_page(dialect),
    };
    DIALECTS.iter().map(page).collect()
}

fn schemas() -> Vec<GeneratedFile> {
    let schema = |dialect: &&'static Dialect| GeneratedFile {
        path: format!("schemas/{}.schema.json", dialect.id),
        text: json_schema_text(dialect, UnknownKeys::Refused),
    };
    let mut files: Vec<GeneratedFile> = DIALECTS.iter().map(schema).collect();
    files.push(GeneratedFile { path: "schemas/config.schema.json".to_owned(), text: config_schema_text() });
    // The extension for Zed must contain its own copy.
    for path in ["schemas/launch.schema.json", "editors/zed/debug_adapter_schemas/nodewise.json"] {
        files.push(GeneratedFile { path: path.to_owned(), text: launch_schema_text() });
    }
    files
}

/// Empty if an example cannot be drawn. Then the committed pictures are reported as no longer generated.
fn graphs() -> Vec<GeneratedFile> {
    pictures::pictures(&checkout_root()).unwrap_or_default()
}

/// Writes every generated file whose text differs, and deletes files that a generator no longer writes.
pub(crate) fn write_all(root: &Path) -> Result<()> {
    for generator in generators() {
        for change in changes(root, &generator)? {
            change.apply(root).with_context(|| format!("cannot write the {}", generator.name))?;
            match change {
                Change::Write(file) => println!("wrote {}", file.path),
                Change::Remove(path) => println!("removed {path}"),
            }
        }
    }
    Ok(())
}

/// Prints the committed files that `generate` would change. `false` if there are any.
pub(crate) fn check_all(root: &Path) -> Result<bool> {
    let mut is_current = true;
    for generator in generators() {
        for change in changes(root, &generator)? {
            is_current = false;
            println!("{}", change.report(root, generator.name));
        }
    }
    Ok(is_current)
}

/// A difference between the committed files and those of a generator.
enum Change {
    Write(GeneratedFile),
    /// A generator owns the folder of this file, and no longer writes the file.
    Remove(String),
}

impl Change {
    fn apply(&self, root: &Path) -> Result<()> {
        match self {
            Change::Write(file) => {
                let path = root.join(&file.path);
                if let Some(folder) = path.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                std::fs::write(&path, &file.text)?;
            }
            Change::Remove(path) => std::fs::remove_file(root.join(path))?,
        }
        Ok(())
    }

    /// What is wrong with the committed file.
    fn report(&self, root: &Path, name: &str) -> String {
        let (path, problem) = match self {
            Change::Write(file) if root.join(&file.path).exists() => (&file.path, "outdated"),
            Change::Write(file) => (&file.path, "missing"),
            Change::Remove(path) => (path, "no longer generated"),
        };
        format!("{path}: {problem}: run `cargo xtask generate` ({name})")
    }
}

/// The changes after which the committed files are those of the generator.
fn changes(root: &Path, generator: &Generator) -> Result<Vec<Change>> {
    let files = (generator.files)();
    let mut changes = match generator.owned_folder {
        Some(folder) => left_over(root, folder, &files)?.into_iter().map(Change::Remove).collect(),
        None => Vec::new(),
    };
    changes.extend(files.into_iter().filter(|file| !is_current(root, file)).map(Change::Write));
    Ok(changes)
}

/// Line ends are not compared, because a checkout on Windows may change them.
fn is_current(root: &Path, file: &GeneratedFile) -> bool {
    std::fs::read_to_string(root.join(&file.path)).is_ok_and(|text| text.replace("\r\n", "\n") == file.text)
}

/// The files in the folder of a generator that it does not write.
fn left_over(root: &Path, folder: &str, files: &[GeneratedFile]) -> Result<Vec<String>> {
    if !root.join(folder).is_dir() {
        return Ok(Vec::new());
    }
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let path = format!("{folder}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_file() && files.iter().all(|file| file.path != path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
