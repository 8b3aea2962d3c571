//! The variables that a run can name: those of the process, and those of the file `.env` beside the configuration.
//!
//! Input: a project's folder, when a run starts. Output: values by name; the process comes first. Invariant: the file is read by
//! nothing but a run that starts or continues, and only variables that the configuration names go anywhere.

use std::collections::BTreeMap;
use std::env::VarError;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// The name of the file with variables, in the folder of a project.
pub const FILE: &str = ".env";

/// The variables of this process, and those of the project's `.env`.
#[derive(Clone, Default)]
pub struct Environment {
    file: BTreeMap<String, String>,
}

impl Environment {
    /// Reads the file `.env` of a folder, if there is one.
    ///
    /// # Errors
    /// Where the file cannot be read, or a line is not a variable. The error shows no value.
    pub fn of_folder(folder: &Path) -> Result<Environment> {
        let path = folder.join(FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Environment::default()),
            Err(error) => return Err(error).with_context(|| format!("`{}` cannot be read", path.display())),
        };
        Ok(Environment { file: variables(&text)? })
    }

    /// The value of a variable. The process comes before the file.
    ///
    /// # Errors
    /// Where it is not set, or is not UTF-8.
    pub fn get(&self, name: &str) -> Result<String, VarError> {
        match (std::env::var(name), self.file.get(name)) {
            (Err(VarError::NotPresent), Some(value)) => Ok(value.clone()),
            (found, _) => found,
        }
    }

    /// Whether the value of a variable comes from the file, because the process does not set it.
    #[must_use]
    pub fn is_from_file(&self, name: &str) -> bool {
        self.file.contains_key(name) && std::env::var_os(name).is_none()
    }

    /// All names and values that are valid UTF-8. A name can occur twice, first from the process and then from the file.
    pub fn all(&self) -> impl Iterator<Item = (String, String)> + '_ {
        let of_process = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        of_process.chain(self.file.iter().map(|(name, value)| (name.clone(), value.clone())))
    }
}

/// Reads the content of a `.env` file: `NAME=value` on each line, with optional `export`, quotes and comments.
fn variables(text: &str) -> Result<BTreeMap<String, String>> {
    let mut variables = BTreeMap::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let line = line.strip_prefix("export ").unwrap_or(line);
        let wrong = |reason: &str| {
            format!(
                "{FILE}:{number}: {reason}\n  help: write `NAME=value`, or `NAME=\"value\"` for a value with spaces"
            )
        };
        let Some((name, value)) = line.split_once('=') else { bail!(wrong("there is no `=`")) };
        let name = name.trim();
        if !is_name(name) {
            bail!(wrong("what stands before `=` is not the name of a variable"));
        }
        let value = value.trim_start();
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let mut rest = value.get(1..).unwrap_or_default().to_owned();
                // A value in quotes may span several lines, for example a key in PEM format.
                loop {
                    if let Some(value) = quoted(&rest, quote) {
                        break value;
                    }
                    let Some((_, more)) = lines.next() else {
                        bail!(wrong("the quotes of the value do not close"))
                    };
                    rest = format!("{rest}\n{more}");
                }
            }
            _ => value.split_once(" #").map_or(value, |(value, _)| value).trim_end().to_owned(),
        };
        variables.insert(name.to_owned(), value);
    }
    Ok(variables)
}

fn is_name(name: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    name.bytes().all(is_part) && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The value up to the closing quote; `None` if there is no closing quote. Only double quotes allow escapes.
fn quoted(text: &str, quote: char) -> Option<String> {
    let mut value = String::new();
    let mut characters = text.chars();
    while let Some(one) = characters.next() {
        match one {
            _ if one == quote => return Some(value),
            '\\' if quote == '"' => match characters.next()? {
                'n' => value.push('\n'),
                'r' => value.push('\r'),
                't' => value.push('\t'),
                other => value.push(other),
            },
            _ => value.push(one),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::{Environment, variables};

    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = variables(text).unwrap();
        let found: Vec<(&str, &str)> =
            found.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn variables_are_read_as_other_tools_write_them() {
        check("", &[]);
        check(
            "# a\n\nA=1\n  B = two words # said\nexport C=c#c\nA=2\nD=\n",
            &[("A", "2"), ("B", "two words"), ("C", "c#c"), ("D", "")],
        );
        check(
            "A='a # $B \\n'\nB=\"a \\\"b\\\" \\n c\" # said\n",
            &[("A", "a # $B \\n"), ("B", "a \"b\" \n c")],
        );
        check(
            "A=\"-----BEGIN\nline\n-----END\"\nB=b\r\n",
            &[("A", "-----BEGIN\nline\n-----END"), ("B", "b")],
        );
    }

    #[test]
    fn a_line_that_is_no_variable_is_named_without_its_value() {
        for (text, expected) in [
            ("A=1\nhunter2\n", ".env:2: there is no `=`\n  help: "),
            ("9A=hunter2", ".env:1: what stands before `=` is not the name of a variable"),
            ("A=1\nB=\"hunter2\n\n", ".env:2: the quotes of the value do not close"),
        ] {
            let error = variables(text).unwrap_err().to_string();
            assert!(error.starts_with(expected) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_process_comes_first() {
        let file = variables("PATH=/nowhere\nNODEWISE_ONLY_IN_FILE=here\n").unwrap();
        let environment = Environment { file };
        assert_ne!(environment.get("PATH").unwrap(), "/nowhere");
        assert_eq!(environment.get("NODEWISE_ONLY_IN_FILE").unwrap(), "here");
        assert!(environment.get("NODEWISE_NOWHERE").is_err());
    }
}
