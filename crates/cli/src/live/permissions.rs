//! `nodewise trust`: lists what live runs are allowed to start and call, and takes permissions back.
//!
//! Input: the user's record of permissions. Output: folders, with what is allowed there and since when. Invariant: nothing is
//! allowed here.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use nodewise_live::store::Moment;
use nodewise_live::trust::{Plan, Trust, one_line};

use crate::outcome::Outcome;
use crate::output::{Output, remark};
use crate::print::count;

/// List what live runs are allowed to start and call, and take it back.
///
/// `nodewise run` asks for these permissions. They are stored in your own state folder, not in projects.
#[derive(Args)]
#[group(skip)]
pub(crate) struct TrustOptions {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand)]
enum Action {
    Remove(Remove),
}

/// Take permissions back: the next live run asks again.
#[derive(Args)]
#[group(skip)]
struct Remove {
    /// The folders of the projects.
    #[arg(value_name = "FOLDER", required_unless_present = "all", conflicts_with = "all")]
    folders: Vec<PathBuf>,
    /// Take back the permissions of all projects.
    #[arg(long)]
    all: bool,
}

/// Runs the subcommand.
pub(crate) fn run(options: &TrustOptions, output: &mut Output) -> Result<Outcome> {
    let trust = Trust::of_user()?;
    match &options.action {
        None => {
            let given = trust.given()?;
            if given.is_empty() {
                remark("no live run is allowed anything");
            }
            for (folder, permission) in given {
                let when = Moment(permission.when);
                output.write(&format!("{}  allowed {when} UTC\n", one_line(&folder)))?;
                for line in Plan::of(permission.parts).whole_text().lines() {
                    output.write(&format!("  {line}\n"))?;
                }
            }
        }
        Some(Action::Remove(remove)) if remove.all => {
            let removed = trust.take_back(None)?;
            remark(&format!("took back the permissions of {}", count(removed, "folder")));
        }
        Some(Action::Remove(remove)) => {
            for folder in &remove.folders {
                if trust.take_back(Some(folder))? == 0 {
                    bail!(
                        "nothing is allowed in `{}`\n  help: `nodewise trust` lists the folders",
                        one_line(&folder.to_string_lossy())
                    );
                }
            }
        }
    }
    Ok(Outcome::Clean)
}
