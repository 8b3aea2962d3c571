//! Values in another form than their key takes, where it is plain what was meant: a text for a list, a number for a name.
//!
//! Input: what recovery took for a mistake; output: a finding with its fix. Invariant: one mistake, one finding.

use nodewise_dialect::recovery::{Mistake, MistakeKind, SingleValue};
use nodewise_dialect::table::Type;

use crate::diagnostic::Finding;
use crate::rule::Context;
use crate::rules::form::{key_fix, level_fix};
use crate::rules::list_fixes;
use crate::rules::ranges;

/// The maximum length of a message, so that it stays on one line.
const MESSAGE_LENGTH_MAX: usize = 80;

/// The finding about a value in the wrong form whose meaning is clear; `None` if other rules report this kind of mistake.
pub(in crate::rules) fn finding(context: &Context<'_>, mistake: &Mistake) -> Option<Finding> {
    let key = mistake.field.key;
    match &mistake.kind {
        MistakeKind::Unquoted(found) => {
            let source = ranges::source(context, mistake.at);
            let expected = expected(mistake);
            let finding = Finding::new(mistake.at, fault(key, &expected, found))
                .label("the loader rejects the declaration")
                .help("put it in quotes");
            Some(finding.fix("Put it in quotes", true, mistake.at, format!("\"{source}\"")))
        }
        MistakeKind::SingleValue(alone @ SingleValue::Expression { .. }) => {
            let finding = Finding::new(mistake.at, format!("`{key}` takes a mapping, not a text"))
                .label("the loader rejects the declaration")
                .help(format!("write a mapping: `{}`", key_fix::completed(*alone)));
            let edits = key_fix::in_mapping(context, mistake.at, *alone);
            Some(list_fixes::offer(finding, "Write a mapping".to_owned(), false, edits))
        }
        MistakeKind::Tag { meant } => Some(
            Finding::new(mistake.at, "YAML reads what begins with `!` as a tag, not as a text")
                .label("the loader rejects the declaration")
                .help(format!("write `{meant}`"))
                .fix(format!("Write `{meant}`"), false, mistake.at, meant.clone()),
        ),
        MistakeKind::Listed => Some(names(context, mistake)),
        MistakeKind::Only => Some(only(context, mistake)),
        MistakeKind::Wrapped { meant } => Some(
            Finding::new(
                ranges::first_line(context, mistake.at),
                fault(key, &expected(mistake), "a mapping"),
            )
            .label("the loader rejects the declaration")
            .help(format!("write `{meant}`"))
            .fix(
                format!("Write `{meant}`"),
                false,
                mistake.at,
                in_its_quotes(context, mistake, meant),
            ),
        ),
        MistakeKind::Keys => Some(keys(context, mistake)),
        MistakeKind::OtherList { inside, count } => Some(other_list(context, mistake, inside, *count)),
        MistakeKind::Schema { key: name } => Some(
            Finding::new(
                ranges::first_line(context, mistake.at),
                format!("`{key}` takes a list, not a JSON Schema"),
            )
            .label("the loader rejects the declaration")
            .help(format!("write a list: `- {name}: ...`, with the type and the description below")),
        ),
        MistakeKind::SingleValue(SingleValue::Item) => Some(lone_item(context, mistake)),
        MistakeKind::Named { key: name } => Some(
            Finding::new(
                ranges::first_line(context, mistake.at),
                format!("`{key}` takes a list, not a mapping"),
            )
            .label("the loader rejects the declaration")
            .help(format!("write a list: `- {name}: ...`, with the other keys below")),
        ),
        _ => None,
    }
}

/// The finding about the last items of a list that belong in another list, whose key is missing.
fn other_list(context: &Context<'_>, mistake: &Mistake, inside: &str, count: usize) -> Finding {
    let key = mistake.field.key;
    let message = match count {
        1 => format!("this item belongs in `{key}`, not in `{inside}`"),
        _ => format!("this item and {} below it belong in `{key}`, not in `{inside}`", count - 1),
    };
    let finding = Finding::new(mistake.at, message)
        .label(format!("the line `{key}:` is missing"))
        .help(format!("write `{key}:` above it"));
    match level_fix::line_above_item(context, mistake.at, key) {
        Some((at, line)) => finding.fix(format!("Write `{key}:` above it"), false, at, line),
        None => finding,
    }
}

/// The finding about a list with one item where a name belongs.
fn only(context: &Context<'_>, mistake: &Mistake) -> Finding {
    let source = ranges::source(context, mistake.at);
    let finding = Finding::new(mistake.at, fault(mistake.field.key, &expected(mistake), "a list"))
        .label("the loader rejects the declaration")
        .help(match mistake.field.ty {
            Type::Bundle(_) => "remove the dash",
            Type::Text => "write the text without a list",
            _ => "write the name without a list",
        });
    let inner = source.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).map(str::trim);
    let inner =
        inner.or_else(|| source.strip_prefix("- ").map(str::trim)).filter(|name| !name.contains('\n'));
    match inner {
        Some(name) => finding.fix("Write the name alone", false, mistake.at, name.to_owned()),
        None => finding,
    }
}

/// A name with the quotes that it has in the file.
fn in_its_quotes(context: &Context<'_>, mistake: &Mistake, name: &str) -> String {
    let quoted = format!("\"{name}\"");
    if ranges::source(context, mistake.at).contains(&quoted) { quoted } else { name.to_owned() }
}

/// The finding about names as keys where a list of names belongs.
fn keys(context: &Context<'_>, mistake: &Mistake) -> Finding {
    let source = ranges::source(context, mistake.at);
    let finding = Finding::new(
        ranges::first_line(context, mistake.at),
        format!("`{}` takes a list, not a mapping", mistake.field.key),
    )
    .label("the loader rejects the declaration");
    let lines: Vec<&str> = source.lines().collect();
    let names: Option<Vec<&str>> = lines.iter().map(|line| line.trim().strip_suffix(':')).collect();
    match names {
        Some(names) => {
            let indent = |line: &str| line.len() - line.trim_start().len();
            let between = format!("\n{}- ", " ".repeat(lines.get(1).map_or(0, |line| indent(line))));
            let help = format!("write `- {}`", names.first().copied().unwrap_or_default());
            finding.help(help).fix("Write a list", false, mistake.at, format!("- {}", names.join(&between)))
        }
        None => finding.help("write a list"),
    }
}

/// The finding about a single value where a list belongs.
fn lone_item(context: &Context<'_>, mistake: &Mistake) -> Finding {
    let source = ranges::source(context, mistake.at);
    let found = if source.contains(':') { "a mapping" } else { "a text" };
    let finding = Finding::new(mistake.at, format!("`{}` takes a list, not {found}", mistake.field.key))
        .label("the loader rejects the declaration");
    let help = match source.strip_prefix('-') {
        Some(item) => format!("write `- {item}`, with a space after the dash"),
        None => "write a list".to_owned(),
    };
    list_fixes::offer(
        finding.help(help),
        "Write a list".to_owned(),
        false,
        key_fix::listed(context, mistake.at),
    )
}

/// The finding about a list of names where a mapping from names belongs.
fn names(context: &Context<'_>, mistake: &Mistake) -> Finding {
    let example = match mistake.field.ty {
        Type::MapOf((_, of)) => of.example(),
        _ => None,
    };
    let example = example.unwrap_or_else(|| "{}".to_owned());
    Finding::new(
        ranges::first_line(context, mistake.at),
        format!("`{}` takes a mapping, not a list", mistake.field.key),
    )
    .label("the loader rejects the declaration")
    .help(format!("write each name as a key: `name: {example}`"))
}

/// The message. Leaves out what was expected if the message would be too long.
pub(in crate::rules) fn fault(key: &str, expected: &str, found: &str) -> String {
    let whole = format!("`{key}` takes {expected}, not {found}");
    if whole.len() <= MESSAGE_LENGTH_MAX { whole } else { format!("`{key}` cannot be {found}") }
}

/// What the field accepts, in words.
fn expected(mistake: &Mistake) -> String {
    match mistake.field.ty {
        Type::Symbol(symbol, _) => symbol.one().to_owned(),
        Type::Reference(scope) => format!("the name of {}", scope.one()),
        Type::List(Type::Symbol(symbol, _)) => symbol.one().to_owned(),
        Type::List(Type::Reference(scope)) => format!("the name of {}", scope.one()),
        Type::Bundle(_) => "a text, or a mapping of texts".to_owned(),
        _ => "a text".to_owned(),
    }
}
