//! What the rules about unknown types share: the nearest type, or the list of all.

use nodewise_dialect::table::Word;
use nodewise_model::Origin;

use crate::diagnostic::Finding;
use crate::rules::wording::short;
use crate::suggest::nearest;

/// Names of types in other languages, each with the name here.
const ALIASES: &[(&str, &str)] = &[
    ("text", "string"),
    ("varchar", "string"),
    ("char", "string"),
    ("double", "number"),
    ("decimal", "number"),
    ("long", "integer"),
    ("list", "array"),
    ("tuple", "array"),
    ("set", "array"),
    ("dict", "object"),
    ("map", "object"),
    ("struct", "object"),
    ("json", "object"),
    ("flag", "boolean"),
];

/// The finding about `word`, which is not one of `types`. `harm` is the label.
pub(in crate::rules) fn unknown(at: Origin, word: &str, types: &[Word], harm: &str) -> Finding {
    let finding = Finding::new(at, format!("there is no type `{}`", short(word))).label(harm);
    let known = || types.iter().map(|known| known.text);
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(word)).map(|(_, meant)| *meant);
    match alias.filter(|meant| known().any(|known| known == *meant)).or_else(|| nearest(word, known())) {
        Some(near) => finding.help(format!("write `{near}`")).fix(format!("Write `{near}`"), false, at, near),
        None => finding.help(format!("the types are {}", known().collect::<Vec<_>>().join(", "))),
    }
}
