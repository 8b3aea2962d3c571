//! The README and the pages below `docs` show what the command prints.
//!
//! Input: a page. Every page starts in an empty folder, or in this checkout if it says so with the comment
//! `<!-- commands run in the checkout -->`. A fenced block with the words `file NAME` writes a file, `files` replaces the
//! folder by several files in fixture notation, `diff NAME` edits a file, and `console` runs each line that starts with `$ `.
//! Output: the page with what the commands print, standard error first; with `NODEWISE_BLESS=1` it is written. Invariant:
//! commands see the binary on `PATH` and nothing else of the environment. Times and process ids are not compared.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::support::Folder;

const FENCE: &str = "```";
const PROMPT: &str = "$ ";
const PROGRAM: &str = "nodewise";
/// Commands that a build without live runs does not have.
const LIVE: &[&str] = &["nodewise run ", "nodewise resume", "nodewise runs", "nodewise trust"];
const EXIT_CODE: &str = "echo $?";
const IN_CHECKOUT: &str = "<!-- commands run in the checkout -->";
/// The name of the folder on the page.
const SHOWN: &str = "/srv/flows";
/// What a process needs to start on some systems.
const KEPT_VARIABLES: &[&str] = &["SYSTEMROOT", "TEMP", "TMPDIR"];
/// Folders whose pages are generated, or have a test of their own.
const OTHERS: &[&str] = &["rules", "dialects", "captures", "graphs", "simulation", "spec"];

fn checkout() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The README and every page below `docs` that shows commands, by path.
fn pages() -> Vec<PathBuf> {
    pages_without(OTHERS)
}

fn pages_without(left_out: &[&str]) -> Vec<PathBuf> {
    let mut pages = vec![checkout().join("README.md")];
    let mut folders = vec![checkout().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() && !left_out.contains(&name) {
                folders.push(path);
            } else if name.ends_with(".md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// A command line as a shell divides it: blanks separate words, quotes keep them together.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    let mut is_word = false;
    for letter in line.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            Some(_) => word.push(letter),
            None if letter == '\'' || letter == '"' => (quote, is_word) = (Some(letter), true),
            None if letter == ' ' => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            None => {
                is_word = true;
                word.push(letter);
            }
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {line}");
    words.extend(is_word.then_some(word));
    words
}

/// Where the commands of a page run.
struct Place {
    folder: Folder,
    is_checkout: bool,
    exit_code: i32,
}

impl Place {
    /// What a command line prints.
    fn run(&mut self, line: &str) -> String {
        if line == EXIT_CODE {
            return format!("{}\n", self.exit_code);
        }
        let path = if self.is_checkout { checkout() } else { self.folder.path().canonicalize().unwrap() };
        let words = words(line);
        assert_eq!(words.first().map(String::as_str), Some(PROGRAM), "pages run {PROGRAM} alone: {line}");
        let mut command = Command::new(PROGRAM);
        command.args(&words[1..]).current_dir(&path).stdin(Stdio::null()).env_clear();
        command.env("PATH", Path::new(env!("CARGO_BIN_EXE_nodewise")).parent().unwrap());
        for name in KEPT_VARIABLES {
            command.envs(std::env::var_os(name).map(|value| (name, value)));
        }
        let output = command.output().unwrap();
        self.exit_code = output.status.code().unwrap();
        let [errors, text] =
            [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap().replace('\r', ""));
        format!("{errors}{text}").replace(path.to_str().unwrap(), SHOWN)
    }

    /// Replaces in a file what a difference takes out by what it brings.
    fn edit(&self, name: &str, difference: &[&str]) {
        let side = |mark: char| -> String {
            let lines = difference.iter().filter(|line| line.starts_with([' ', mark]));
            lines.map(|line| format!("{}\n", &line[1..])).collect()
        };
        let (text, before) = (self.folder.read(name), side('-'));
        assert_eq!(text.matches(&before).count(), 1, "{name} has these lines once:\n{before}\n{text}");
        self.folder.write(name, text.replace(&before, &side('+')));
    }
}

/// A line without what differs from run to run.
fn steady(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').filter(|word| !word.is_empty()).collect();
    let is_unit = |word: &&str| ["µs", "ms", "s"].contains(word);
    let is_log = words.first().is_some_and(|word| word.starts_with("20") && word.ends_with('Z'));
    let steady = words.iter().enumerate().map(|(at, word)| {
        let is_time = word.starts_with("20") && word.ends_with('Z');
        let is_length = is_unit(word) || words.get(at + 1).is_some_and(is_unit);
        if is_log && (is_time || is_length || word.starts_with("process=")) { "…" } else { word }
    });
    steady.collect::<Vec<_>>().join(" ")
}

/// The commands of a block and what each prints; lines that differ in times alone stay.
fn console(place: &mut Place, body: &[&str]) -> String {
    let mut out = String::new();
    let starts = body.iter().enumerate().filter(|(_, line)| line.starts_with(PROMPT)).map(|(at, _)| at);
    let mut ends: Vec<usize> = starts.collect();
    assert_eq!(ends.first(), Some(&0), "a `console` block starts with a command: {body:?}");
    ends.push(body.len());
    for pair in ends.windows(2) {
        let (command, shown) = (body[pair[0]], &body[pair[0] + 1..pair[1]]);
        let printed = place.run(command.strip_prefix(PROMPT).unwrap());
        let printed: Vec<&str> = printed.trim_start_matches('\n').lines().collect();
        let is_same = printed.iter().map(|line| steady(line)).eq(shown.iter().map(|line| steady(line)));
        out.push_str(&format!("{command}\n"));
        for line in if is_same { shown } else { &printed } {
            out.push_str(&format!("{line}\n"));
        }
    }
    out
}

/// The page with what its commands print, and the number of blocks that run some.
fn rewritten(page: &str) -> (String, usize) {
    let (mut out, mut blocks) = (String::new(), 0);
    let is_checkout = page.contains(IN_CHECKOUT);
    let mut place = Place { folder: Folder::new(""), is_checkout, exit_code: 0 };
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        let Some(info) = line.strip_prefix(FENCE) else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != FENCE).collect();
        let text: String = body.iter().map(|line| format!("{line}\n")).collect();
        match info.split(' ').collect::<Vec<_>>()[..] {
            ["console"] => {
                blocks += 1;
                out.push_str(&console(&mut place, &body));
            }
            [_, "file", name] => {
                place.folder.write(name, &text);
                out.push_str(&text);
            }
            [_, "files"] => {
                place.folder = Folder::new(&text);
                out.push_str(&text);
            }
            ["diff", name] => {
                place.edit(name, &body);
                out.push_str(&text);
            }
            _ => out.push_str(&text),
        }
        out.push_str(&format!("{FENCE}\n"));
    }
    (out, blocks)
}

/// Whether a command line is for live runs, and this build has none.
fn needs_live(line: &str) -> bool {
    !cfg!(feature = "live") && LIVE.iter().any(|command| line.starts_with(command))
}

/// Where two texts begin to differ.
fn difference(name: &str, page: &str, found: &str) -> String {
    let at = found.lines().zip(page.lines()).position(|(found, written)| found != written);
    let line = at.unwrap_or_else(|| found.lines().count().min(page.lines().count()));
    let [written, printed] = [page, found].map(|text| text.lines().nth(line).unwrap_or("(end of the page)"));
    format!("{name}:{}\n  page:    {written}\n  command: {printed}\n", line + 1)
}

#[test]
fn pages_show_what_the_command_prints() {
    let is_blessing = std::env::var_os("NODEWISE_BLESS").is_some();
    let mut differences = String::new();
    let mut shown = Vec::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        if page.lines().any(|line| line.strip_prefix(PROMPT).is_some_and(needs_live)) {
            continue;
        }
        let (found, blocks) = rewritten(&page);
        let name = path.strip_prefix(checkout()).unwrap().to_str().unwrap().replace('\\', "/");
        if found != page && is_blessing {
            std::fs::write(&path, &found).unwrap();
        } else if found != page {
            differences.push_str(&difference(&name, &page, &found));
        }
        shown.extend((blocks > 0).then_some(name));
    }
    let must =
        ["README.md", "docs/tutorials/liman.md", "docs/tutorials/cycgraph.md", "docs/tutorials/agentos.md"];
    for page in must {
        assert!(shown.iter().any(|name| name == page), "{page} runs no command");
    }
    assert!(differences.is_empty(), "NODEWISE_BLESS=1 writes what the commands print:\n{differences}");
}

#[test]
fn every_command_line_of_a_page_is_understood() {
    let mut wrong = String::new();
    for path in pages() {
        let page = std::fs::read_to_string(&path).unwrap();
        let mut fence = None;
        for line in page.lines() {
            match line.strip_prefix(FENCE) {
                Some(info) => fence = if fence.is_some() { None } else { Some(info) },
                None if fence == Some("") && line.starts_with("nodewise ") && !needs_live(line) => {
                    let end =
                        [" #", " | ", " > ", " < ", " || "].iter().filter_map(|mark| line.find(mark)).min();
                    let line = &line[..end.unwrap_or(line.len())];
                    let words = words(line);
                    if words[1].starts_with(|letter: char| letter.is_ascii_digit()) {
                        continue;
                    }
                    let mut command = Command::new(env!("CARGO_BIN_EXE_nodewise"));
                    // What follows `--` is no option.
                    let options = words.iter().position(|word| *word == "--").unwrap_or(words.len());
                    command.args(&words[1..options]).arg("--help").args(&words[options..]);
                    let output = command.output().unwrap();
                    if !output.status.success() {
                        wrong.push_str(&format!("{}: {line}\n", path.display()));
                    }
                }
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "nodewise does not know:\n{wrong}");
}

/// Pages that repeat a recipe of `docs/ci.md`, which is where recipes are run in their readers.
#[test]
fn recipes_of_tutorials_are_those_of_the_guide() {
    let guide = std::fs::read_to_string(checkout().join("docs/ci.md")).unwrap();
    let gitlab = std::fs::read_to_string(checkout().join("docs/how-to/gitlab.md")).unwrap();
    let (_, rest) = gitlab.split_once(&format!("{FENCE}yaml\n")).unwrap();
    let (recipe, _) = rest.split_once(FENCE).unwrap();
    assert!(guide.contains(recipe), "the recipe for GitLab is not in the guide");
    for system in ["liman", "cycgraph", "agentos"] {
        let page = std::fs::read_to_string(checkout().join(format!("docs/tutorials/{system}.md"))).unwrap();
        for name in [".pre-commit-config.yaml", ".github/workflows/nodewise.yml"] {
            let begin = format!("{FENCE}yaml file {name}\n");
            let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("{system} shows no {name}"));
            let (recipe, _) = rest.split_once(FENCE).unwrap();
            assert!(
                guide.contains(&format!("{FENCE}yaml\n{recipe}{FENCE}")),
                "{system}: {name} is not in the guide"
            );
        }
    }
}

#[test]
fn the_index_names_every_page() {
    let docs = checkout().join("docs");
    let index = std::fs::read_to_string(docs.join("README.md")).unwrap();
    for path in pages() {
        let Ok(path) = path.strip_prefix(&docs) else { continue };
        let name = path.to_str().unwrap().replace('\\', "/");
        assert!(
            name == "README.md" || index.contains(&format!("({name}")),
            "docs/README.md does not name {name}"
        );
    }
}

#[test]
fn links_between_pages_resolve() {
    let mut wrong = String::new();
    let more = ["CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"].map(|name| checkout().join(name));
    for path in pages_without(&[]).into_iter().chain(more) {
        let page = std::fs::read_to_string(&path).unwrap();
        for (_, rest) in page.match_indices("](").map(|(at, mark)| page.split_at(at + mark.len())) {
            let link = rest.split([')', ' ', '\n']).next().unwrap();
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            if link.contains("://") || link.is_empty() {
                continue;
            }
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            let has_anchor = anchor.is_empty()
                || std::fs::read_to_string(&target).is_ok_and(|text| {
                    text.contains(&format!("<a id=\"{anchor}\"></a>"))
                        || text.lines().any(|line| heading(line).as_deref() == Some(anchor))
                });
            if !target.exists() || !has_anchor {
                wrong.push_str(&format!("{}: {link}\n", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{wrong}");
}

/// The anchor that a heading has on GitHub and GitLab.
fn heading(line: &str) -> Option<String> {
    let title = line.starts_with('#').then(|| line.trim_start_matches('#').trim())?;
    let kept = title.to_lowercase().replace(' ', "-");
    Some(kept.chars().filter(|letter| letter.is_alphanumeric() || "-_".contains(*letter)).collect())
}
