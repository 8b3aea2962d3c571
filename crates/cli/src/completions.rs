//! `nodewise completions`: completion scripts for shells.
//!
//! Input: a shell. Output: a script in its language. Invariant: the script is generated from the definition of the
//! command line, so it has every option, rule and dialect.

use anyhow::Result;
use clap::{Arg, Args, Command};
use clap_complete::Shell;

use crate::outcome::Outcome;
use crate::output::Output;

/// Print a completion script for your shell.
///
/// Where to write it:
///
/// bash: `~/.local/share/bash-completion/completions/nodewise`
///
/// zsh: a file `_nodewise` in a folder of `$fpath`
///
/// fish: `~/.config/fish/completions/nodewise.fish`
///
/// PowerShell: append it to `$PROFILE`
///
/// elvish: append it to `~/.config/elvish/rc.elv`
///
/// Then start a new shell. It completes commands, options, rules and dialects.
#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints the script.
pub(crate) fn run(options: &CompletionsOptions, output: &mut Output) -> Result<Outcome> {
    let mut command = crate::command_line();
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut command, name, &mut script);
    output.write(&String::from_utf8(script)?)?;
    if options.shell == Shell::Fish {
        output.write(&fish_arguments(&command))?;
    }
    Ok(Outcome::Clean)
}

/// What clap's script for fish lacks: the values of positional arguments.
fn fish_arguments(command: &Command) -> String {
    let mut lines = String::new();
    for command in command.get_subcommands() {
        let words = command.get_positionals().flat_map(Arg::get_possible_values);
        let words: Vec<String> = words.map(|word| word.get_name().to_owned()).collect();
        if !words.is_empty() {
            let (name, words) = (command.get_name(), words.join(" "));
            let condition = format!("__fish_nodewise_using_subcommand {name}");
            lines.push_str(&format!("complete -c nodewise -n \"{condition}\" -f -a \"{words}\"\n"));
        }
    }
    lines
}
