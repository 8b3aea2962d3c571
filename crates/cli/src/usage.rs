//! What the command line prints if the arguments do not name a command to run.
//!
//! Input: clap's result for the arguments. Output: help, a version, an error, or the first steps. Then the process
//! ends. Invariant: help and versions go to standard output with exit code 0, everything else to standard error with 2.

use clap::error::ErrorKind;
use nodewise_dialect::tables::systems;

use crate::outcome::Outcome;
use crate::output::{Output, complain};
use crate::version;

/// Prints clap's result and ends the process.
pub(crate) fn exit(error: &clap::Error) -> ! {
    match error.kind() {
        ErrorKind::DisplayVersion if version::wants_more() => {
            let mut output = Output::stdout();
            // Without standard output, there is no place for an error either.
            output.write(&version::report()).and_then(|()| output.finish()).ok();
            std::process::exit(Outcome::Clean.exit_code());
        }
        // Only for `nodewise` without arguments. Every command works without arguments or has its own error.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            complain(&first_steps());
            std::process::exit(Outcome::Failed.exit_code());
        }
        _ => error.exit(),
    }
}

fn first_steps() -> String {
    let systems: Vec<&str> = systems().map(|dialect| dialect.title).collect();
    let systems = systems.join(", ");
    format!(
        "nodewise checks, draws and runs files that declare agent workflows ({systems}).\n\n\
         Begin in the folder of your files:\n  \
         nodewise check            report problems\n  \
         nodewise graph            draw the graphs\n  \
         nodewise simulate FILE    run a graph without calling models or tools\n\n\
         `nodewise --help` lists all commands, `nodewise COMMAND --help` explains one."
    )
}

#[cfg(test)]
mod tests {
    use clap::Command;

    /// The maximum length of a help line.
    const HELP_MAX: usize = 74;

    /// The help texts of options and commands that are too long for a line of `-h`.
    fn long_lines(command: &Command, found: &mut Vec<String>) {
        let options = command.get_arguments().filter_map(|argument| argument.get_help());
        for help in options.chain(command.get_about()).map(ToString::to_string) {
            if help.chars().count() > HELP_MAX {
                found.push(format!("{}: {help}", command.get_name()));
            }
        }
        command.get_subcommands().for_each(|command| long_lines(command, found));
    }

    #[test]
    fn short_help_has_a_line_for_each_option_and_command() {
        let mut found = Vec::new();
        long_lines(&crate::command_line(), &mut found);
        assert_eq!(found, Vec::<String>::new());
    }
}
