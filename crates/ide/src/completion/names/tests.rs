//! The search for names that fit typed letters: it finds what a search through all declarations finds, and reads few of them.

use std::cell::Cell;
use std::fmt::Write;

use nodewise_analysis::index::Declared;
use nodewise_dialect::tables::liman::TOOL;

use super::super::ItemKind;
use super::super::offer::{Offer, Offers, Rank};
use super::{NEAR_FILES_MAX, Near, fitting};
use crate::cursor_context::CursorContext;
use crate::testing::project_at_cursor;

/// A project with tools in a folder, and `far` of them in other folders. The letters `up` are in all names, at different places.
fn project(folder: &str, near: usize, far: usize) -> String {
    let mut text = String::new();
    let mut tool = |path: String, name: String| {
        write!(text, "#- /{path}.yaml\nkind: ToolNode\nname: {name}\n---\nkind: LLMNode\nname: of_{name}\n")
            .unwrap();
    };
    for number in 0..near {
        tool(format!("{folder}near_{number}"), format!("lookup_{number}"));
        // The first declaration of a name counts, wherever it is.
        tool(format!("{folder}same_{number}"), format!("set_up_{}", 2 * number));
    }
    for number in 0..far {
        let name = match number % 3 {
            0 => format!("Upper_{number}"),
            1 => format!("set_up_{number}"),
            _ => format!("lookup_{number}"),
        };
        tool(format!("a/far_{number}"), name);
    }
    write!(text, "#- /{folder}main.yaml\nkind: LLMNode\nname: main\ntools: [lookup_0, $0]\n").unwrap();
    text
}

/// The offers with their ranks that a search leads to, and whether some were left out.
fn offered<'s>(
    near: &Near,
    letters: &str,
    search: impl FnOnce(&Offers) -> Vec<(&'s str, Declared)>,
) -> (Vec<(Rank, String)>, bool) {
    let mut offers = Offers::new(letters);
    offers.add(Offer::text("set_up_2", ItemKind::Word, 0));
    let found = search(&offers);
    offers.add_best(
        found.into_iter(),
        |(_, declared)| near.rank(declared),
        |(name, _)| name,
        |(name, declared)| Offer::text(name, ItemKind::Declaration, near.rank(&declared)),
    );
    (offers.found.into_iter().map(|(rank, offer)| (rank, offer.label)).collect(), offers.incomplete)
}

/// Compares both searches. Returns of how many names the declarations were read.
fn check_fitting(project: &str, letters: &str) -> usize {
    let (snapshot, position) = project_at_cursor(project);
    let spot = CursorContext::at(&snapshot, position).unwrap();
    let (near, index) = (Near::new(&spot), snapshot.index());
    let read = Cell::new(0);
    let meant = |name| {
        read.set(read.get() + 1);
        let declared = near.best(index.declared(name), "ToolNode").filter(|_| name != "lookup_0");
        declared.map(|declared| (name, declared)).into_iter().collect::<Vec<_>>()
    };
    let found = offered(&near, letters, |offers| fitting((&spot, &TOOL), &near, offers, meant));
    let count = read.get();
    let every = || index.each_declared().flat_map(|(name, _)| meant(name)).collect();
    let all = offered(&near, letters, |_| every());
    assert_eq!(found, all, "{letters}");
    count
}

#[test]
fn the_search_finds_what_a_search_through_all_finds() {
    let many = NEAR_FILES_MAX + 20;
    for (folder, near, far) in [("b/", 3, 400), ("", 3, 400), ("b/", many / 2, 400), ("a/", 2, 700)] {
        let project = project(folder, near, far);
        for letters in ["up", "Up", "lup", "_1", "7", "oku", "zzz", "set_up_33", "x"] {
            check_fitting(&project, letters);
        }
    }
}

#[test]
fn twice_as_many_names_are_no_more_to_read() {
    for folder in ["b/", ""] {
        for letters in ["up", "oku", "_"] {
            let small = check_fitting(&project(folder, 2, 900), letters);
            let large = check_fitting(&project(folder, 2, 1_800), letters);
            assert!(large <= small + 10, "{letters}: {small} and {large}");
        }
    }
}

#[test]
fn names_of_other_kinds_are_not_read() {
    for far in [900, 1_800] {
        // The letters are in the names of all models, and in no name of a tool.
        assert_eq!(check_fitting(&project("b/", 2, far), "of"), 0);
    }
}
