//! How fast the parser is, beside yaml-rust2 in the same run: `parse_speed FOLDER [ROUNDS]`.
//!
//! Input: a folder of YAML files. Output: MB/s of both (the best of the rounds), their ratio, bytes a tree.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement reads files and the clock"
)]

use std::path::Path;
use std::time::Instant;

use yaml_rust2::parser::{Event, Parser};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("usage: parse_speed FOLDER [ROUNDS]")?;
    let rounds = arguments.next().map_or(Ok(20), |rounds| rounds.parse::<usize>())?;
    let mut files = Vec::new();
    collect(Path::new(&folder), &mut files)?;
    let bytes: usize = files.iter().map(String::len).sum();
    let mut best = [f64::INFINITY; 3];
    for _ in 0..rounds {
        best[0] = best[0].min(seconds(|| files.iter().map(|text| ours(text)).sum()));
        best[1] = best[1].min(seconds(|| files.iter().map(|text| ours_cooked(text)).sum()));
        best[2] = best[2].min(seconds(|| files.iter().map(|text| theirs(text)).sum()));
    }
    let speed = best.map(|seconds| bytes as f64 / seconds / 1e6);
    let heap: usize = files.iter().map(|text| nodewise_syntax::parse(text.as_str()).heap_size()).sum();
    println!("{} files, {bytes} bytes, best of {rounds} rounds", files.len());
    println!("nodewise   {:6.1} MB/s, {:.2} us a file", speed[0], best[0] * 1e6 / files.len() as f64);
    println!("  + cooked {:6.1} MB/s", speed[1]);
    println!("yaml-rust2 {:6.1} MB/s", speed[2]);
    println!("ratio {:.2} (with all scalars cooked: {:.2})", speed[0] / speed[2], speed[1] / speed[2]);
    println!("{:.2} bytes of tree for a byte of text", heap as f64 / bytes as f64);
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(std::fs::read_to_string(&path)?);
        }
    }
    Ok(())
}

fn seconds(work: impl FnOnce() -> usize) -> f64 {
    let start = Instant::now();
    std::hint::black_box(work());
    start.elapsed().as_secs_f64()
}

fn ours(text: &str) -> usize {
    nodewise_syntax::parse(text).problems().len()
}

fn ours_cooked(text: &str) -> usize {
    nodewise_syntax::events::event_text(&nodewise_syntax::parse(text)).len()
}

fn theirs(text: &str) -> usize {
    let mut parser = Parser::new_from_str(text);
    let mut events = 0;
    while let Ok((event, _)) = parser.next_token() {
        events += 1;
        if event == Event::StreamEnd {
            break;
        }
    }
    events
}
