//! Each type that others import has a name of its own, so that a search for the name finds one type.
//!
//! Input is the code of the crates without tests. Output is types with the name of another one: for `pub` types, of
//! any crate of the product; for `pub(crate)` types, of the same crate. Invariant: types share a name only if they have
//! the same role in different systems or languages, or if one of them stands in for the other ([`STAND_INS`]).

use std::collections::BTreeMap;

use super::Report;
use super::systems::{FOR_DEVELOPERS, place_of};
use crate::repository::{Repository, RustFile};

/// Files whose types replace those of a feature that the build leaves out.
const STAND_INS: &[&str] = &["crates/cli/src/left_out.rs"];

const KEYWORDS: &[&str] = &["struct", "enum", "trait", "type", "union"];

struct Type<'r> {
    name: &'r str,
    file: &'r RustFile,
    line: usize,
    is_public: bool,
}

pub(super) fn check(repository: &Repository) -> Vec<Report> {
    let files = repository.rust_files.iter().filter(|file| !STAND_INS.contains(&file.path.as_str()));
    let mut by_name: BTreeMap<&str, Vec<Type<'_>>> = BTreeMap::new();
    for found in files.flat_map(types_of) {
        by_name.entry(found.name).or_default().push(found);
    }
    by_name.values().filter_map(|types| report(types)).collect()
}

/// The first two types with the same name that could be confused.
fn report(types: &[Type<'_>]) -> Option<Report> {
    let pairs = types.iter().enumerate().flat_map(|(index, second)| {
        let before = types.get(..index).unwrap_or_default();
        before.iter().map(move |first| (first, second))
    });
    let (first, second) = pairs.into_iter().find(|(first, second)| is_ambiguous(first, second))?;
    let message = format!(
        "`{}` is also a type of {}:{}: a name that says which one it is finds each alone",
        second.name, first.file.path, first.line
    );
    Some(Report::new(&second.file.path, second.line, message))
}

fn is_ambiguous(first: &Type<'_>, second: &Type<'_>) -> bool {
    let (one, other) = (place_of(&first.file.path), place_of(&second.file.path));
    let has_same_role = one.is_some() && other.is_some() && one != other;
    let is_same_crate = first.file.crate_name() == second.file.crate_name();
    !has_same_role && (is_same_crate || first.is_public && second.is_public)
}

fn types_of(file: &RustFile) -> impl Iterator<Item = Type<'_>> {
    let is_product = !FOR_DEVELOPERS.contains(&file.crate_name());
    file.code_lines().filter_map(move |(line, text)| {
        let (visibility, rest) = text.trim_start().split_once(' ')?;
        if !matches!(visibility, "pub" | "pub(crate)") {
            return None;
        }
        let (keyword, rest) = rest.split_once(' ')?;
        let name = rest.split(|sign: char| !sign.is_alphanumeric()).next().filter(|name| !name.is_empty())?;
        let is_public = visibility == "pub" && is_product;
        KEYWORDS.contains(&keyword).then_some(Type { name, file, line, is_public })
    })
}
