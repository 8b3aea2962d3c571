//! The reports of a run: their formats and output files.
//!
//! Input: formats and files of the command line, checked projects. Output: texts in files and on standard output.
//! Invariant: a file belongs to the format before it, and at most one report goes to standard output.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};

use crate::output::Output;
use crate::print::{Format, Printer, Style, Summary};
use crate::project::Judged;

/// The options of the command line for reports.
#[derive(Args)]
#[group(skip)]
pub(crate) struct ReportOptions {
    /// Output format; can be repeated.
    ///
    /// If there are several reports, all except one need `-o FILE`: `--format full --format sarif -o report.sarif`.
    #[arg(long = "format", value_enum, value_name = "FORMAT", default_value = "full")]
    formats: Vec<Format>,
    /// Write the report of the preceding `--format` to a file.
    #[arg(short = 'o', long = "output", alias = "output-file", value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The formats with their files, in the order of the command line.
    #[arg(skip)]
    routes: Vec<(Format, Option<PathBuf>)>,
}

impl ReportOptions {
    /// Assigns output files to formats: a file belongs to the format before it.
    pub(crate) fn route(&mut self, matches: &ArgMatches) {
        let formats = matches.indices_of("formats").into_iter().flatten().zip(&self.formats);
        let mut files: Vec<(usize, &PathBuf)> =
            matches.indices_of("files").into_iter().flatten().zip(&self.files).collect();
        let mut routes: Vec<(usize, Format, Option<PathBuf>)> =
            formats.map(|(index, format)| (index, *format, None)).collect();
        let is_default = matches.value_source("formats") == Some(ValueSource::DefaultValue);
        if is_default {
            routes.iter_mut().for_each(|route| route.0 = 0);
        }
        files.sort_unstable();
        for (index, file) in files {
            let before = routes.iter_mut().rfind(|(format, _, taken)| *format < index && taken.is_none());
            if let Some((_, _, taken)) = before {
                *taken = Some(file.clone());
            }
        }
        self.routes = routes.into_iter().map(|(_, format, file)| (format, file)).collect();
    }

    /// The output files.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(PathBuf::as_path)
    }

    /// Whether the list of files is JSON. A list has two formats, and goes to standard output.
    pub(crate) fn is_json_list(&self) -> Result<bool> {
        match self.routes.as_slice() {
            [(Format::Full, None)] => Ok(false),
            [(Format::Json, None)] => Ok(true),
            _ => bail!(
                "`--list-files` does not work with this format\n  help: use `full` or `json`, without `-o`"
            ),
        }
    }

    /// Returns an error for formats and files that do not fit together.
    pub(crate) fn check(&self, counts_rules: bool) -> Result<()> {
        if counts_rules && !self.routes.iter().any(|(format, _)| format.has_statistics()) {
            bail!(
                "`--statistics` does not work with this format\n  help: use `full`, `concise`, `agent` or `json`"
            );
        }
        if self.routes.iter().filter(|(_, file)| file.is_none()).count() > 1 {
            bail!("two formats would go to standard output\n  help: add `-o FILE` after one of them");
        }
        if self.routes.iter().filter(|(_, file)| file.is_some()).count() < self.files.len() {
            bail!("`-o` needs a `--format` before it\n  help: write `--format sarif -o report.sarif`");
        }
        Ok(())
    }
}

/// The reports of a run, each with its file or standard output.
pub(crate) struct Reports {
    reports: Vec<(Printer, Option<Output>)>,
}

impl Reports {
    /// Starts all reports. Only the one on standard output can have colours.
    pub(crate) fn begin(options: &ReportOptions, style: Style, output: &mut Output) -> Result<Reports> {
        let mut reports = Vec::with_capacity(options.routes.len());
        for (format, file) in &options.routes {
            let is_coloured = style.is_coloured && file.is_none();
            let printer = Printer::new(*format, Style { is_coloured, ..style });
            let mut file = file.as_deref().map(Output::file).transpose()?;
            printer.begin(file.as_mut().unwrap_or(output))?;
            reports.push((printer, file));
        }
        Ok(Reports { reports })
    }

    /// Adds a project.
    pub(crate) fn project(&mut self, judged: &Judged, output: &mut Output) -> Result<()> {
        for (printer, file) in &mut self.reports {
            printer.project(judged, file.as_mut().unwrap_or(output))?;
        }
        Ok(())
    }

    /// Ends all reports.
    pub(crate) fn end(&mut self, summary: &Summary, output: &mut Output) -> Result<()> {
        for (printer, file) in &mut self.reports {
            printer.end(summary, file.as_mut().unwrap_or(output))?;
            if let Some(file) = file {
                file.finish()?;
            }
        }
        Ok(())
    }
}
