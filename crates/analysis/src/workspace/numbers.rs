//! Numbers for files that come to a project. In: the files there are, and the paths that are new; out: a number each,
//! between those of its neighbours, because everything compares by number.

use nodewise_model::SourceId;

use crate::files::{Files, load_order};

/// The distance between the numbers of files that are added together, if there is room. With a distance of 2ⁿ, n more files
/// can be added one by one between two of them.
const STEP: u64 = 1 << 12;
/// The distance between numbers when all files get new numbers.
const STEP_ANEW: u64 = 1 << 20;

/// Numbers for new files, whose paths are in load order. `None` if there is no room between two neighbours.
pub(super) fn between(files: &Files, paths: &[&str]) -> Option<Vec<SourceId>> {
    let mut numbers = Vec::with_capacity(paths.len());
    let mut rest = paths;
    while let Some(first) = rest.first() {
        let right = files.from_path(first).next();
        let together = rest
            .iter()
            .take_while(|path| right.is_none_or(|right| load_order(&right.path, path).is_gt()))
            .count();
        let (run, behind) = rest.split_at(together.max(1));
        let left = files.before_path(first);
        let lower = left.map_or(0, |file| u64::from(file.source.0) + 1);
        let upper = right.map_or(u64::from(u32::MAX), |file| u64::from(file.source.0));
        numbers.extend(spread(lower, upper, run.len())?);
        rest = behind;
    }
    Some(numbers)
}

/// Numbers for all files of a project, with room between them.
pub(super) fn anew(count: usize) -> impl Iterator<Item = SourceId> {
    let step = (u64::from(u32::MAX) / (count as u64 + 1)).clamp(1, STEP_ANEW);
    (1..).take(count).map(move |position: u64| number(position * step))
}

/// Numbers from `lower` up to `upper`. Files that are added together usually have more files following, so the free room is
/// left after them. A file that is added alone is put in the middle.
fn spread(lower: u64, upper: u64, count: usize) -> Option<impl Iterator<Item = SourceId>> {
    let free = upper.saturating_sub(lower);
    let count = count as u64;
    if free < count {
        return None;
    }
    let step = if count == 1 { free / 2 + 1 } else { STEP.min(free / count) };
    Some((1..=count).map(move |position| number(lower + position * step - 1)))
}

fn number(number: u64) -> SourceId {
    SourceId(u32::try_from(number).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use nodewise_model::SourceId;

    use super::{anew, between, load_order};
    use crate::facts::FileFacts;
    use crate::files::Files;
    use crate::settings::Settings;

    fn add(files: &mut Files, paths: &[&str]) -> bool {
        let Some(numbers) = between(files, paths) else { return false };
        for (number, path) in numbers.into_iter().zip(paths) {
            let settings = Arc::new(Settings::default());
            files.insert(Arc::new(FileFacts::new(number, (*path).into(), "".into(), settings)));
        }
        true
    }

    fn check_order(files: &Files) {
        let both: Vec<_> = files.iter().map(|file| (file.source, &*file.path)).collect();
        assert!(both.is_sorted() && both.windows(2).all(|pair| pair[0].0 < pair[1].0), "{both:?}");
        assert!(both.is_sorted_by(|(_, one), (_, other)| load_order(one, other).is_lt()), "{both:?}");
    }

    #[test]
    fn a_project_is_read_in_parts_around_a_file_that_is_open() {
        let mut files = Files::default();
        assert!(add(&mut files, &["m.yaml"]));
        assert!(add(&mut files, &["c.yaml"]));
        let paths: Vec<String> = (0..20_000).map(|number| format!("{}.yaml", number + 100_000)).collect();
        let paths: Vec<String> = paths.iter().map(|path| format!("d{path}")).collect();
        for part in paths.chunks(250) {
            assert!(add(&mut files, &part.iter().map(String::as_str).collect::<Vec<_>>()));
        }
        assert!(add(&mut files, &["a.yaml", "b.yaml", "d100000.yaml.yaml", "x.yaml", "z.yaml"]));
        assert_eq!(files.len(), 20_007);
        check_order(&files);
    }

    #[test]
    fn a_gap_is_used_up() {
        let mut files = Files::default();
        assert!(add(&mut files, &["a", "b"]));
        let names: Vec<String> = (1..40).map(|length| format!("a{}", "a".repeat(length))).collect();
        let count = names.iter().rev().take_while(|name| add(&mut files, &[name.as_str()])).count();
        assert!((12..=13).contains(&count), "{count}");
        check_order(&files);
    }

    #[test]
    fn numbers_anew_have_room() {
        assert_eq!(anew(2).collect::<Vec<_>>(), [SourceId(1 << 20), SourceId(2 << 20)]);
        assert!(anew(100_000).is_sorted_by(|one, other| one.0 + 40_000 < other.0));
    }
}
