//! `nodewise man`: manual pages.
//!
//! Input: a command, or all of them. Output: pages for `man`, printed or as files. Invariant: a page is generated from
//! the definition of the command line and has no date, so it is the same every day.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Command};
use clap_mangen::Man;
use nodewise_project::config;

use crate::outcome::Outcome;
use crate::output::Output;
use crate::words;

/// Print a manual page, or write all of them.
///
/// `nodewise man check | man -l -` shows one; `nodewise man --all -o ~/.local/share/man/man1` installs them.
#[derive(Args)]
pub(crate) struct ManOptions {
    /// The command; by default, the page of nodewise itself.
    #[arg(value_name = "COMMAND", value_parser = words::commands(), hide_possible_values = true)]
    command: Option<String>,
    /// Write the pages of all commands; needs `-o`.
    #[arg(long, requires = "folder", conflicts_with = "command")]
    all: bool,
    /// Write to this folder instead of standard output.
    ///
    /// A missing folder is created.
    #[arg(short = 'o', long = "output", alias = "output-dir", value_name = "DIR", id = "folder")]
    folder: Option<PathBuf>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Prints or writes the pages.
pub(crate) fn run(options: &ManOptions, output: &mut Output) -> Result<Outcome> {
    let mut root = crate::command_line().disable_help_subcommand(true);
    // This sets the full names of the commands.
    root.build();
    let pages: Vec<&Command> = match &options.command {
        _ if options.all => std::iter::once(&root).chain(root.get_subcommands()).collect(),
        None => vec![&root],
        Some(name) => match root.find_subcommand(name) {
            Some(command) => vec![command],
            None => {
                let known: Vec<&str> = root.get_subcommands().map(Command::get_name).collect();
                bail!("no command is called `{name}`\n  help: {}", config::suggestion(name, &known));
            }
        },
    };
    for command in pages {
        let man = Man::new(command.clone());
        let page = page(&man, command)?;
        match &options.folder {
            Some(folder) => write(&folder.join(man.get_filename()), &page)?,
            None => output.write(&page)?,
        }
    }
    Ok(Outcome::Clean)
}

/// The page as `mandoc` and `groff` expect it. The title has an empty date, because otherwise the version would be read
/// as the date. Double line breaks become one empty line.
fn page(man: &Man, command: &Command) -> Result<String> {
    let mut page = Vec::new();
    man.render(&mut page)?;
    let page = String::from_utf8(page)?;
    let name = command.get_display_name().unwrap_or(command.get_name());
    let title = format!(".TH {} 1 \"\" \"nodewise {VERSION}\" \"nodewise\"", name.to_uppercase());
    let lines = page.lines().map(|line| if line.starts_with(".TH ") { title.as_str() } else { line });
    Ok(format!("{}\n", lines.collect::<Vec<_>>().join("\n")).replace("\n.br\n\n.br\n", "\n.sp\n"))
}

fn write(path: &Path, page: &str) -> Result<()> {
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    written
        .and_then(|()| std::fs::write(path, page))
        .with_context(|| format!("`{}` cannot be written", path.display()))
}
