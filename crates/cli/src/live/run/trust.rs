//! Shows what a live run would start and call, and asks for permission.
//!
//! Input: a plan. Output: permission, or an error. Invariant: without permission, now or earlier, and without
//! `--trust`, nothing is started.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use anyhow::{Result, bail};
use nodewise_live::trust::{Plan, Trust, one_line};

use crate::output::complain;
use crate::simulate::SimulateFormat;

/// A plan as text, with everything in it.
pub(in crate::live) fn shown(plan: &Plan) -> String {
    match plan.is_empty() {
        true => "nothing would be started or called\n".to_owned(),
        false => plan.whole_text(),
    }
}

/// A plan in a format of `run`.
pub(in crate::live) fn shown_as(plan: &Plan, format: SimulateFormat) -> Result<String> {
    match format {
        SimulateFormat::Text => Ok(shown(plan)),
        SimulateFormat::Json => Ok(format!("{}\n", serde_json::to_string_pretty(plan)?)),
        SimulateFormat::Mermaid | SimulateFormat::Svg => {
            bail!("a plan is no picture\n  help: write `--format text` or `--format json`")
        }
    }
}

/// Asks for permission, unless the user already gave it.
pub(in crate::live) fn ask(folder: &Path, plan: &Plan, is_given: bool) -> Result<()> {
    if plan.is_empty() || is_given {
        return Ok(());
    }
    let trust = Trust::of_user()?;
    let missing = trust.missing(folder, plan)?;
    if missing.is_empty() {
        return Ok(());
    }
    let text = missing.text();
    if !std::io::stdin().is_terminal() {
        bail!(
            "you have not allowed yet what this run starts and calls:\n{text}  help: start it in a terminal, which asks you once \
             per project; or add `--trust` to allow it for this run"
        );
    }
    complain(&format!(
        "This run in {}\n{text}Allow this here from now on? [y/N]",
        one_line(&folder.to_string_lossy())
    ));
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    match line.trim() {
        "y" | "Y" | "yes" => trust.give(folder, plan),
        _ => bail!("not allowed; nothing was started"),
    }
}
