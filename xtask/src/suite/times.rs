//! `docs/test-times.md`: the duration of each step of the tests, when it was last measured.
//!
//! Input is the steps that passed, with their seconds, and the current table. Output is the new table. Invariant: a row
//! stays until its step is measured again or no longer exists.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;

use super::plan::{Step, Surroundings, Tier, plan};
use super::{Ended, Outcome};

const PATH: &str = "docs/test-times.md";
const HEAD: &str = "\
# How long the tests take

Seconds of each step of `cargo xtask test`, written by `cargo xtask test --all --write-times`. *Cold* is with an empty `target`
folder, so a step also compiles what no earlier step compiled. *Warm* is with everything built. With `--all`, the steps of
two jobs run at the same time (`--job source` and `--job product` run one of them), so all steps together take less than their sum.

| step | needs | cold | warm |
|---|---|---:|---:|
";

/// The row for the time of the whole run.
const WHOLE: &str = "**from start to end**";

/// The seconds of a step: with an empty target folder, and with everything built.
type Times = BTreeMap<String, [String; 2]>;

/// Writes the measured times to the table in the checkout. `whole` is the time of all steps, if all have run.
pub(super) fn write(root: &Path, ended: &[Ended], whole: Option<f64>, is_cold: bool) -> Result<()> {
    let path = root.join(PATH);
    let mut times = read(&std::fs::read_to_string(&path).unwrap_or_default());
    let passed = ended.iter().filter(|step| step.outcome == Outcome::Passed);
    let steps = passed.map(|step| (step.name.as_str(), step.seconds));
    for (name, seconds) in steps.chain(whole.map(|seconds| (WHOLE, seconds))) {
        let cells = times.entry(name.to_owned()).or_default();
        cells[usize::from(!is_cold)] = format!("{seconds:.0}");
    }
    let everything = Surroundings { is_all: true, is_long: true, ..Surroundings::default() };
    std::fs::write(&path, text(&plan(&everything), &times))?;
    println!("wrote {PATH}");
    Ok(())
}

fn read(table: &str) -> Times {
    let rows = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.filter_map(|row| match row.split(" | ").collect::<Vec<_>>().as_slice() {
        [name, _, cold, warm] => Some(((*name).to_owned(), [(*cold).to_owned(), (*warm).to_owned()])),
        _ => None,
    })
    .collect()
}

fn text(steps: &[Step], times: &Times) -> String {
    let mut text = HEAD.to_owned();
    let mut sums = [0.0; 2];
    for step in steps {
        let needs = match step.tier {
            Tier::Rust => "Rust",
            Tier::All => "`--all`",
            Tier::Long => "`--long`",
        };
        let [cold, warm] = times.get(step.name).cloned().unwrap_or_default();
        for (sum, cell) in sums.iter_mut().zip([&cold, &warm]) {
            *sum += cell.parse::<f64>().unwrap_or_default();
        }
        text.push_str(&format!("| {} | {needs} | {} | {} |\n", step.name, shown(&cold), shown(&warm)));
    }
    text.push_str(&format!("| **sum** | | {:.0} | {:.0} |\n", sums[0], sums[1]));
    let [cold, warm] = times.get(WHOLE).cloned().unwrap_or_default();
    text.push_str(&format!("| {WHOLE} | `--all` | {} | {} |\n", shown(&cold), shown(&warm)));
    text
}

/// An empty cell would be lost when the table is read, so it contains a dash.
fn shown(cell: &str) -> &str {
    if cell.is_empty() { "–" } else { cell }
}

#[cfg(test)]
mod tests {
    use super::{Surroundings, plan, read, text};

    #[test]
    fn rows_stay_until_they_are_measured_anew() {
        let steps = plan(&Surroundings::default());
        let before = text(&steps, &read("| lints | Rust | 139 | 4 |\n| a step of old | Rust | 1 | 1 |\n"));
        assert!(before.contains("| lints | Rust | 139 | 4 |\n"), "{before}");
        assert!(before.contains("| formatting | Rust | – | – |\n"), "{before}");
        assert!(!before.contains("of old"), "{before}");
        let whole = text(&steps, &read("| **from start to end** | `--all` | 1900 | – |\n"));
        assert!(whole.ends_with("| **from start to end** | `--all` | 1900 | – |\n"), "{whole}");
        assert_eq!(text(&steps, &read(&before)), before);
    }
}
