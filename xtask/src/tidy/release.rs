//! The version and the owner of the repository are the same everywhere.
//!
//! Input is every text file. Output is the places that differ from `Cargo.toml`. Invariant: `cargo xtask version` fixes
//! all of these reports, except those about the placeholder of the owner.

use super::Report;
use crate::release::{MANIFEST, NOBODY, Names};
use crate::repository::Repository;
use crate::rust_source::find_words;

/// The pages of this folder may say what to write instead of the owner. With an owner, these texts are obsolete.
const GUIDES: &str = "docs/";

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let Some(manifest) = repository.text(MANIFEST) else { return Vec::new() };
    let names = match Names::read(manifest) {
        Ok(names) => names,
        Err(error) => return vec![Report::new(MANIFEST, 0, format!("{error:#}"))],
    };
    let mut reports = Vec::new();
    for file in &repository.files {
        let line_of = |offset| file.text.get(..offset).unwrap_or_default().matches('\n').count() + 1;
        let mismatches = names.mismatches(&file.path, &file.text);
        if file.path.starts_with(GUIDES) && names.owner != NOBODY {
            let is_name = |offset: &usize| mismatches.iter().any(|mismatch| mismatch.range.start == *offset);
            let left = find_words(&file.text, NOBODY).filter(|offset| !is_name(offset)).map(line_of);
            let message = format!("the owner is `{}` now: remove the text about `{NOBODY}`", names.owner);
            reports.extend(left.map(|line| Report::new(&file.path, line, message.clone())));
        }
        reports.extend(mismatches.into_iter().map(|mismatch| {
            let found = file.text.get(mismatch.range.clone()).unwrap_or_default();
            let message = format!(
                "`{found}`, but {MANIFEST} says `{}`: `cargo xtask version` writes it",
                mismatch.instead
            );
            Report::new(&file.path, line_of(mismatch.range.start), message)
        }));
    }
    reports
}
