//! Wall time, CPU time and peak memory of a process. Input is a program with arguments. Output is the best of several runs.
//! Invariant: compared programs take turns, so other load on the machine affects all of them.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

/// The time between two readings of the peak.
const POLL: Duration = Duration::from_millis(1);

/// The unit of CPU time in `/proc`.
const MS_PER_TICK: f64 = 10.0;

/// One process from start to end.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// From start to end.
    pub(super) wall_ms: f64,
    /// In user and kernel mode, of all threads. 0 if the kernel does not report it.
    pub(super) cpu_ms: f64,
    /// The highest resident memory, as reported by the kernel. 0 if it does not report it.
    pub(super) peak_bytes: u64,
}

/// The fastest run of each program, with its highest memory.
pub(super) fn best_of<const N: usize>(
    runs: usize,
    programs: [(&PathBuf, Vec<&str>); N],
) -> Result<[Measured; N]> {
    let mut best = [Measured { wall_ms: f64::INFINITY, cpu_ms: 0.0, peak_bytes: 0 }; N];
    for _ in 0..runs {
        for ((program, arguments), best) in programs.iter().zip(&mut best) {
            // One run measures the time without disturbance. Another one measures the memory.
            best.wall_ms = best.wall_ms.min(wall_ms(program, arguments)?);
            best.peak_bytes = best.peak_bytes.max(once(program, arguments)?.peak_bytes);
        }
    }
    Ok(best)
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

/// One run, with its CPU time and peak memory. Reading them has little effect on a run of seconds.
pub(super) fn once(program: &PathBuf, arguments: &[&str]) -> Result<Measured> {
    let started = Instant::now();
    let mut child =
        command(program, arguments).spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let (status, stat) = (format!("/proc/{}/status", child.id()), format!("/proc/{}/stat", child.id()));
    let (mut peak, mut ticks) = (0, 0);
    while child.try_wait()?.is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        let kilobytes: u64 = line.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0);
        peak = peak.max(kilobytes * 1024);
        let text = std::fs::read_to_string(&stat).unwrap_or_default();
        // The name of the program may have spaces.
        let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
        ticks = ticks.max(fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum());
        std::thread::sleep(POLL);
    }
    let wall_ms = started.elapsed().as_secs_f64() * 1e3;
    Ok(Measured { wall_ms, cpu_ms: ticks as f64 * MS_PER_TICK, peak_bytes: peak })
}
