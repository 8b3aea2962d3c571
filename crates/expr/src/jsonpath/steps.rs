//! Splits a path into steps, like jsonpath-plus does it.
//!
//! Input: the text of a path; output: its steps in reading order. The library rewrites the whole text several times
//! before it splits it at `;`. What it makes of an odd path only follows from the order of these rewritings, so they
//! are done here in the same order. Invariant: every rewriting takes linear time.

use super::traced::{Character, Traced, ends_line, insert, range_of, replace_all, spells};

/// Stands for a dot that is part of a quoted name while the text is split at dots.
const DOT_IN_NAME: &str = "%@%";
/// Stands for a tilde that is part of a quoted name.
const TILDE_IN_NAME: &str = "%%@@%%";

/// The words of type selectors.
pub(super) const TYPES: &[&str] = &[
    "null",
    "boolean",
    "number",
    "string",
    "integer",
    "undefined",
    "nonFinite",
    "scalar",
    "array",
    "object",
    "function",
    "other",
];

/// The steps of a path. `None` stands for a step that refers to a filter by a number that no filter has.
pub(super) fn steps(text: &str) -> Vec<Option<Traced>> {
    let source = Traced::of(text);
    let typed = separate_types(&source.characters);
    let (without_scripts, scripts) = take_scripts(&typed);
    let protected = protect_quoted(&without_scripts);
    let named = replace_all(&protected, "~", ";~;");
    let split = split_names(&named);
    let dotted = replace_all(&split, DOT_IN_NAME, ".");
    let restored = replace_all(&dotted, TILDE_IN_NAME, "~");
    let climbing = separate_parents(&restored);
    let descending = name_descents(&climbing);
    let characters = drop_closings(&descending);
    let parts = Traced { characters, place: source.place }.split(';');
    parts.into_iter().map(|part| resolve_script(part, &scripts)).collect()
}

/// Puts `;` around type selectors.
fn separate_types(characters: &[Character]) -> Vec<Character> {
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let selector = TYPES.iter().find(|word| {
            character.value == '@'
                && spells(characters, at + 1, word)
                && spells(characters, at + 1 + word.len(), "()")
        });
        let Some(word) = selector else {
            out.push(character);
            at += 1;
            continue;
        };
        let whole = characters.get(at..at + word.len() + 3).unwrap_or_default();
        let origin = range_of(whole).unwrap_or(character.origin);
        insert(&mut out, ";", origin);
        out.extend(whole);
        insert(&mut out, ";", origin);
        at += whole.len();
    }
    out
}

/// Takes filters and computed names out, and leaves their numbers in their place: `[#0]`.
fn take_scripts(characters: &[Character]) -> (Vec<Character>, Vec<Traced>) {
    let ends = script_ends(characters);
    let mut out = Vec::with_capacity(characters.len());
    let mut scripts = Vec::new();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let opens = matches!(character.value, '[' | '\'');
        let Some(end) = opens.then(|| script_end(characters, at + 1, &ends)).flatten() else {
            out.push(character);
            at += 1;
            continue;
        };
        let script = Traced {
            characters: characters.get(at + 1..=end).unwrap_or_default().to_vec(),
            place: character.origin.end(),
        };
        insert(&mut out, &format!("[#{}]", scripts.len()), script.range());
        scripts.push(script);
        at = end + 2;
    }
    (out, scripts)
}

/// For each index, the first `)` from there on that ends a script, if no line ends before it.
fn script_ends(characters: &[Character]) -> Vec<Option<usize>> {
    let is = |at: usize, wanted: char| characters.get(at).is_some_and(|found| found.value == wanted);
    let mut ends = vec![None; characters.len() + 1];
    for (at, character) in characters.iter().enumerate().rev() {
        let goes_on = characters.get(at + 2).is_some_and(|next| !ends_line(next.value)) && is(at + 3, ']');
        let closes = character.value == ')' && (is(at + 1, ']') || is(at + 1, '\'')) && !goes_on;
        let later = if ends_line(character.value) { None } else { ends.get(at + 1).copied().flatten() };
        if let Some(end) = ends.get_mut(at) {
            *end = if closes { Some(at) } else { later };
        }
    }
    ends
}

/// The closing parenthesis of a script that begins at `start`.
fn script_end(characters: &[Character], start: usize, ends: &[Option<usize>]) -> Option<usize> {
    let open = if spells(characters, start, "?(") {
        start + 1
    } else if spells(characters, start, "(") {
        start
    } else {
        return None;
    };
    ends.get(open + 1).copied().flatten()
}

/// Rewrites names in quotes and brackets to `['name']` and hides their dots and tildes.
fn protect_quoted(characters: &[Character]) -> Vec<Character> {
    let stops = name_stops(characters);
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let Some(end) = quoted_end(characters, at, &stops) else {
            out.push(character);
            at += 1;
            continue;
        };
        insert(&mut out, "['", character.origin);
        for inner in characters.get(at + 2..end).unwrap_or_default() {
            match inner.value {
                '.' => insert(&mut out, DOT_IN_NAME, inner.origin),
                '~' => insert(&mut out, TILDE_IN_NAME, inner.origin),
                _ => out.push(*inner),
            }
        }
        let closing = characters.get(end + 1).map_or(character.origin, |closing| closing.origin);
        insert(&mut out, "']", closing);
        at = end + 2;
    }
    out
}

/// For each index, the first `'` or `]` from there on.
fn name_stops(characters: &[Character]) -> Vec<usize> {
    let mut stops = vec![characters.len(); characters.len() + 1];
    let mut stop = characters.len();
    for (at, character) in characters.iter().enumerate().rev() {
        if matches!(character.value, '\'' | ']') {
            stop = at;
        }
        if let Some(slot) = stops.get_mut(at) {
            *slot = stop;
        }
    }
    stops
}

/// The closing quote of a quoted name whose bracket opens at `at`.
fn quoted_end(characters: &[Character], at: usize, stops: &[usize]) -> Option<usize> {
    if !spells(characters, at, "['") && !spells(characters, at, "[\"") {
        return None;
    }
    let start = at + 2;
    let stop = stops.get(start).copied()?;
    if spells(characters, stop, "']") {
        return Some(stop);
    }
    let before = stop.checked_sub(1).filter(|before| *before >= start)?;
    spells(characters, before, "\"]").then_some(before)
}

/// Puts `;` for each dot after which no bracket closes, and for each opening bracket, together with the quotes next
/// to them.
fn split_names(characters: &[Character]) -> Vec<Character> {
    let closes_next = closes_next(characters);
    let is_quote = |at: usize| characters.get(at).is_some_and(|found| matches!(found.value, '\'' | '"'));
    let splits = |at: usize| {
        characters.get(at).is_some_and(|found| found.value == '.')
            && !closes_next.get(at + 1).copied().unwrap_or_default()
    };
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let length = if splits(at) || character.value == '[' {
            1 + usize::from(is_quote(at + 1))
        } else if is_quote(at) && splits(at + 1) {
            2 + usize::from(is_quote(at + 2))
        } else {
            out.push(character);
            at += 1;
            continue;
        };
        let replaced = characters.get(at..at + length).and_then(range_of);
        insert(&mut out, ";", replaced.unwrap_or(character.origin));
        at += length;
    }
    out
}

/// For each index, whether the next bracket is a closing one.
fn closes_next(characters: &[Character]) -> Vec<bool> {
    let mut closes = vec![false; characters.len() + 1];
    let mut next = false;
    for (at, character) in characters.iter().enumerate().rev() {
        match character.value {
            ']' => next = true,
            '[' => next = false,
            _ => {}
        }
        if let Some(slot) = closes.get_mut(at) {
            *slot = next;
        }
    }
    closes
}

/// Makes a step of each `^`.
fn separate_parents(characters: &[Character]) -> Vec<Character> {
    let mut out: Vec<Character> = Vec::with_capacity(characters.len());
    let mut at = 0;
    // A separator that one run of `^` used is not available to the next one.
    let mut untaken = 0;
    while let Some(&character) = characters.get(at) {
        if character.value != '^' {
            out.push(character);
            at += 1;
            continue;
        }
        if out.len() > untaken && out.last().is_some_and(|last| last.value == ';') {
            out.pop();
        }
        insert(&mut out, ";", character.origin);
        while let Some(&up) = characters.get(at).filter(|found| found.value == '^') {
            out.push(up);
            insert(&mut out, ";", up.origin);
            at += 1;
        }
        at += usize::from(spells(characters, at, ";"));
        untaken = out.len();
    }
    out
}

/// Names each empty step `..`.
fn name_descents(characters: &[Character]) -> Vec<Character> {
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let length = if spells(characters, at, ";;;") {
            3
        } else if spells(characters, at, ";;") {
            2
        } else {
            out.push(character);
            at += 1;
            continue;
        };
        let replaced = characters.get(at..at + length).and_then(range_of);
        insert(&mut out, ";..;", replaced.unwrap_or(character.origin));
        at += length;
    }
    out
}

/// Removes closing brackets, and an unfinished rest at the end.
fn drop_closings(characters: &[Character]) -> Vec<Character> {
    let mut out = Vec::with_capacity(characters.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let is_last = at + 1 == characters.len();
        if spells(characters, at, "']") {
            at += 2;
            continue;
        }
        let dropped = character.value == ']' || (is_last && matches!(character.value, ';' | '\''));
        if !dropped {
            out.push(character);
        }
        at += 1;
    }
    out
}

/// Puts back the script that a step refers to by number.
fn resolve_script(part: Traced, scripts: &[Traced]) -> Option<Traced> {
    let text = part.text();
    let digits = text.match_indices('#').find_map(|(at, _)| {
        let rest = text.get(at + 1..)?;
        let end = rest.find(|found: char| !found.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end).filter(|digits| !digits.is_empty())
    });
    match digits {
        None => Some(part),
        // A number with a leading zero names no script, because a JavaScript list has no such key.
        Some(digits) => {
            let number = digits.parse::<usize>().ok().filter(|number| number.to_string() == digits);
            number.and_then(|number| scripts.get(number)).cloned()
        }
    }
}
