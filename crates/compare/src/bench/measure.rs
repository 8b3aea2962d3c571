//! Wall time and peak memory of a process. Input is a program with arguments. Output is the best of several runs.
//! Invariant: compared programs take turns, so other load on the machine affects all of them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The time between two readings of the peak.
const POLL: Duration = Duration::from_millis(1);

/// One process from start to end.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// From start to end.
    pub(super) wall_ms: f64,
    /// The highest resident memory, as reported by the kernel. 0 if it does not report it.
    pub(super) peak_bytes: u64,
}

/// The fastest run of each program, with its highest memory.
pub(super) fn best_of<const N: usize>(
    runs: usize,
    programs: [(&PathBuf, Vec<&str>); N],
) -> Result<[Measured; N]> {
    let mut best = [Measured { wall_ms: f64::INFINITY, peak_bytes: 0 }; N];
    for _ in 0..runs {
        for ((program, arguments), best) in programs.iter().zip(&mut best) {
            // One run measures the time without disturbance. Another one measures the memory.
            best.wall_ms = best.wall_ms.min(wall_ms(program, arguments)?);
            best.peak_bytes = best.peak_bytes.max(peak_bytes(program, arguments)?);
        }
    }
    Ok(best)
}

/// One run, with its peak memory. Reading the peak has little effect on a run of seconds.
pub(super) fn once(program: &PathBuf, arguments: &[&str]) -> Result<Measured> {
    let started = Instant::now();
    let peak_bytes = peak_bytes(program, arguments)?;
    Ok(Measured { wall_ms: started.elapsed().as_secs_f64() * 1e3, peak_bytes })
}

fn command(program: &PathBuf, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn wall_ms(program: &PathBuf, arguments: &[&str]) -> Result<f64> {
    let started = Instant::now();
    command(program, arguments).status().with_context(|| format!("cannot start {}", program.display()))?;
    Ok(started.elapsed().as_secs_f64() * 1e3)
}

fn peak_bytes(program: &PathBuf, arguments: &[&str]) -> Result<u64> {
    let mut child =
        command(program, arguments).spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        let kilobytes: u64 = line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
        peak = peak.max(kilobytes * 1024);
        std::thread::sleep(POLL);
    }
    Ok(peak)
}
