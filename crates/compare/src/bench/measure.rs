//! Wall time, processor time and peak memory of a process. Input is programs with arguments. Output is the figures of several runs,
//! as rows of a table. Invariant: compared programs take turns, so other load on the machine affects all of them.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// The shortest time between two readings of the peak.
const POLL: Duration = Duration::from_millis(1);
/// The peak is read again after this part of the time that a run took so far: seldom enough to change nothing.
const POLL_PART: u32 = 50;
/// The unit of processor time in `/proc`.
const MS_PER_TICK: f64 = 10.0;
/// The positions of processor times in `/proc/PID/stat`, counted from behind the name of the program: user and kernel mode.
const OWN_TIMES: usize = 11;
/// The same for all children that ended.
const TIMES_OF_CHILDREN: usize = 13;

/// One process from start to end, or several of them.
#[derive(Clone, Copy)]
pub(super) struct Measured {
    /// From start to end; the shortest of several runs.
    pub(super) wall_ms: f64,
    /// In user and kernel mode, of all threads and children; the mean of several runs. 0 if the kernel does not report it.
    pub(super) cpu_ms: f64,
    /// The highest resident memory, as reported by the kernel. 0 if it does not report it.
    pub(super) peak_bytes: u64,
}

/// A row of a table: a command that is measured.
pub(super) struct Task {
    /// The row's first cell.
    pub(super) what: String,
    /// The number of files or nodes that it reads. The table divides the processor time by it.
    pub(super) items: usize,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, PathBuf)>,
    /// Runs before each run, and is not measured.
    prepare: Option<Box<dyn Fn() -> Result<()>>>,
}

impl Task {
    pub(super) fn new(what: &str, items: usize, program: &Path, arguments: &[&str]) -> Task {
        Task {
            what: what.to_owned(),
            items,
            program: program.to_owned(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            environment: Vec::new(),
            prepare: None,
        }
    }

    pub(super) fn with_environment(mut self, name: &'static str, value: &Path) -> Task {
        self.environment.push((name, value.to_owned()));
        self
    }

    pub(super) fn after(mut self, prepare: impl Fn() -> Result<()> + 'static) -> Task {
        self.prepare = Some(Box::new(prepare));
        self
    }

    fn run(&self) -> Result<Measured> {
        if let Some(prepare) = &self.prepare {
            prepare()?;
        }
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().map(|(name, value)| (name, value)));
        let (measured, status) = once_of(command)?;
        // 1: there are findings.
        ensure!(matches!(status.code(), Some(0 | 1)), "{} ended with {status}", self.program.display());
        Ok(measured)
    }
}

/// The figures of each task, in their order.
pub(super) fn best_of(runs: usize, tasks: &[Task]) -> Result<Vec<Measured>> {
    let mut best = vec![Measured { wall_ms: f64::INFINITY, cpu_ms: 0.0, peak_bytes: 0 }; tasks.len()];
    for _ in 0..runs {
        for (task, best) in tasks.iter().zip(&mut best) {
            let run = task.run()?;
            best.wall_ms = best.wall_ms.min(run.wall_ms);
            best.cpu_ms += run.cpu_ms / runs as f64;
            best.peak_bytes = best.peak_bytes.max(run.peak_bytes);
        }
    }
    Ok(best)
}

/// Measures the tasks, and prints their rows.
pub(super) fn print_best_of(runs: usize, tasks: &[Task]) -> Result<()> {
    for (task, measured) in tasks.iter().zip(best_of(runs, tasks)?) {
        println!("{}", row(&task.what, task.items, measured));
    }
    Ok(())
}

/// Prints the head of a table with such rows; `items` is what the second column counts.
pub(super) fn print_head(items: &str) {
    println!("| what | {items} | wall | processor time | for each | peak memory |");
    println!("|---|---:|---:|---:|---:|---:|");
}

pub(super) fn row(what: &str, items: usize, measured: Measured) -> String {
    let each = measured.cpu_ms * 1e3 / items as f64;
    let memory = match measured.peak_bytes {
        0 => String::new(),
        bytes => format!("{:.0} MB", bytes as f64 / 1e6),
    };
    let (wall, cpu) = (measured.wall_ms, measured.cpu_ms);
    format!("| {what} | {items} | {wall:.0} ms | {cpu:.0} ms | {each:.0} µs | {memory} |")
}

/// One run, with its processor time and peak memory. Reading them has little effect on it.
pub(super) fn once(program: &Path, arguments: &[&str]) -> Result<Measured> {
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(once_of(command)?.0)
}

fn once_of(mut command: Command) -> Result<(Measured, ExitStatus)> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let before = processor_ms("self", TIMES_OF_CHILDREN);
    let started = Instant::now();
    let mut child =
        command.spawn().with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let (id, has_ended) = (child.id(), AtomicBool::new(false));
    let (status, wall, peak_bytes) = std::thread::scope(|scope| {
        let peak = scope.spawn(|| peak_until(id, started, &has_ended));
        // The thread that waits does nothing else, so the end is noticed at once.
        let ended = child.wait();
        let wall = started.elapsed();
        has_ended.store(true, Ordering::Relaxed);
        let peak_bytes = peak.join().unwrap_or_default();
        ended.map(|status| (status, wall, peak_bytes))
    })?;
    let cpu_ms = processor_ms("self", TIMES_OF_CHILDREN) - before;
    Ok((Measured { wall_ms: wall.as_secs_f64() * 1e3, cpu_ms, peak_bytes }, status))
}

/// The highest memory of a process, read again and again until it has ended.
fn peak_until(id: u32, started: Instant, has_ended: &AtomicBool) -> u64 {
    let mut peak = 0;
    while !has_ended.load(Ordering::Relaxed) {
        peak = peak.max(memory(id, "VmHWM:"));
        std::thread::sleep(POLL.max(started.elapsed() / POLL_PART));
    }
    peak
}

/// A line about the memory of a process in `/proc/PID/status`, in bytes: `VmRSS:` is what it has, `VmHWM:` the most that it had.
/// 0 if the kernel does not report it.
pub(super) fn memory(id: u32, line: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let kilobytes = text.lines().find_map(|text| text.strip_prefix(line)).unwrap_or_default();
    kilobytes.split_whitespace().next().and_then(|word| word.parse::<u64>().ok()).unwrap_or(0) * 1024
}

/// The processor time of a running process in milliseconds.
pub(super) fn processor_ms_of(id: u32) -> f64 {
    processor_ms(&id.to_string(), OWN_TIMES)
}

/// The processor time of this process in milliseconds.
pub(super) fn own_processor_ms() -> f64 {
    processor_ms("self", OWN_TIMES)
}

fn processor_ms(process: &str, first: usize) -> f64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program may have spaces.
    let fields = text.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
    let ticks: u64 = fields.skip(first).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 * MS_PER_TICK
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_process_is_measured_with_its_children() -> Result<()> {
        // A shell that waits for two others, which count.
        let count = "i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done";
        let measured = once(Path::new("sh"), &["-c", &format!("sh -c '{count}'; sh -c '{count}'; true")])?;
        assert!(measured.cpu_ms >= MS_PER_TICK, "{} ms", measured.cpu_ms);
        assert!(measured.wall_ms >= measured.cpu_ms - 2.0 * MS_PER_TICK, "the shells take turns");
        assert!(measured.peak_bytes > 0);
        Ok(())
    }

    #[test]
    fn a_task_is_prepared_before_each_run() -> Result<()> {
        let prepared = std::rc::Rc::new(std::cell::Cell::new(0));
        let counter = std::rc::Rc::clone(&prepared);
        let task = Task::new("nothing", 10, Path::new("true"), &[]).after(move || {
            counter.set(counter.get() + 1);
            Ok(())
        });
        assert_eq!(best_of(3, &[task])?.len(), 1);
        assert_eq!(prepared.get(), 3);
        let measured = Measured { wall_ms: 12.3, cpu_ms: 20.0, peak_bytes: 3_000_000 };
        assert_eq!(row("nothing", 10, measured), "| nothing | 10 | 12 ms | 20 ms | 2000 µs | 3 MB |");
        Ok(())
    }
}
