//! Whole documents, and parts of them. In: the tables. Out: offers of the documents to begin with, and of parts with
//! every required key and a placeholder for each. Invariant: everything in a template comes from its table.

use nodewise_analysis::facts::Ownership;
use nodewise_dialect::table::{Beside, Dialect, DocumentTemplate, Field, Required, Shape, Type, Word};
use nodewise_dialect::tables::DIALECTS;
use nodewise_platform::sorting::Sorting;
use nodewise_syntax::locate::{KeyPlace, ValuePlace};
use nodewise_syntax::{NodeValue, ScalarValue, SyntaxNode};

use super::docs::Handle;
use super::offer::{Offer, Offers, fit};
use super::outline::{Outline, OutlineKey};
use super::wanted::Wanted;
use super::writing::ValueWriter;
use super::{Answer, CompletionSettings};
use crate::cursor_context::{CursorContext, used_dialects};

/// The maximum depth of required mappings.
const DEPTH_MAX: usize = 4;
/// After the keys and names at the same place.
const BEHIND: u8 = 6;

/// Offers whole documents if one can begin here: those of the file's name, else those of the project's systems first.
pub(super) fn complete(spot: &CursorContext<'_>, answer: &mut Answer) {
    let options = answer.options;
    let Some(place) = spot.location.value().filter(|_| options.snippets) else { return };
    let Some(writer) = ValueWriter::new(spot, place) else { return };
    let mut offers = Offers::new(writer.prefix());
    for (dialect, is_known) in dialects(spot, options.usual) {
        let named = dialect.file_name(&spot.file.path).map(|name| name.kind);
        let templates = dialect.templates.iter();
        for template in templates.filter(|template| named.is_none_or(|named| named == template.kind)) {
            let Some(outline) = document(template) else { continue };
            // A document is also found by its first line: `ki` finds all that begin with `kind:`.
            let first = template.text.lines().next().unwrap_or_default();
            let searched = format!("{} {first}", template.label);
            let by_first = || first.starts_with(writer.prefix()).then_some(0);
            let Some(fit) = fit(template.label, writer.prefix()).or_else(by_first) else { continue };
            let tier = BEHIND + u8::from(!is_known);
            let documentation = dialect.kind(template.kind).map(|kind| Handle::kind(dialect, kind));
            let offer = Offer::outline(template.label, outline, tier)
                .with_detail(template.doc)
                .with_documentation(documentation)
                .with_filter(from_word(&searched, writer.prefix()));
            offers.push((fit, tier, offers.found.len()), offer);
        }
    }
    answer.values(&writer, offers);
}

/// A searched text, beginning with the word that the typed letters begin: editors may compare only the beginning.
fn from_word(searched: &str, letters: &str) -> String {
    let is_begun = |word: &str| {
        let begin = word.get(..letters.len());
        begin.is_some_and(|begin| !letters.is_empty() && begin.eq_ignore_ascii_case(letters))
    };
    match searched.split(' ').position(is_begun) {
        None | Some(0) => searched.to_owned(),
        Some(number) => {
            let words: Vec<&str> = searched.split(' ').skip(number).collect();
            format!("{} {searched}", words.join(" "))
        }
    }
}

/// A document to begin with, as an outline.
fn document(template: &DocumentTemplate) -> Option<Outline> {
    let tree = nodewise_syntax::parse(template.text);
    let root = tree.documents().next()?.root()?;
    Some(of_node(root))
}

fn of_node(node: SyntaxNode<'_>) -> Outline {
    let in_brackets = |is_flow: bool, is_empty: bool, empty: &str, outline: Outline| match (is_flow, is_empty)
    {
        (_, true) => Outline::Plain(empty.to_owned()),
        (true, false) => Outline::InBrackets(Box::new(outline)),
        (false, false) => outline,
    };
    let value = |value: Option<SyntaxNode<'_>>| value.map_or(Outline::Open { is_text: false }, of_node);
    match node.value() {
        NodeValue::Mapping(mapping) => {
            let entries: Vec<(OutlineKey, Outline)> = mapping
                .entries()
                .map(|entry| {
                    let key = entry.key_text().unwrap_or_default();
                    let key = match placeholder(&key) {
                        Some(name) => OutlineKey::Named(name.to_owned()),
                        None => OutlineKey::Fixed(key.into_owned()),
                    };
                    (key, value(entry.value()))
                })
                .collect();
            in_brackets(mapping.is_flow(), entries.is_empty(), "{}", Outline::Map(entries))
        }
        NodeValue::Sequence(sequence) => {
            let items: Vec<Outline> = sequence.items().map(|item| value(item.node())).collect();
            in_brackets(sequence.is_flow(), items.is_empty(), "[]", Outline::List(items))
        }
        NodeValue::Scalar(scalar) => {
            let text = scalar.cooked();
            match (placeholder(&text), scalar.resolve()) {
                (Some(name), _) => Outline::Named(name.to_owned()),
                (None, ScalarValue::Text) => Outline::Fixed(text.into_owned()),
                (None, _) => Outline::Plain(text.into_owned()),
            }
        }
        _ => Outline::Open { is_text: false },
    }
}

/// The value of a placeholder: `write` for `<write>`.
fn placeholder(text: &str) -> Option<&str> {
    text.strip_prefix('<')?.strip_suffix('>')
}

/// Offers the key that selects the kind, in an empty file of a project with documents.
pub(super) fn offer_first_key(spot: &CursorContext<'_>, offers: &mut Offers) {
    let place: Option<&KeyPlace> = spot.location.key();
    let is_root = spot.location.path.is_empty() && place.is_some_and(|place| place.siblings.is_empty());
    if !is_root || !spot.snapshot.index().holds().ours {
        return;
    }
    for (dialect, _) in dialects(spot, None).into_iter().filter(|(_, is_known)| *is_known) {
        if let Some(key) = dialect.discriminator() {
            let words = dialect.kinds.iter().map(|kind| kind.name.to_owned()).collect();
            let outline = Outline::Hole { choices: words, is_text: true };
            offers.add(Offer::key(key, outline, 0).with_detail(format!("a new {} document", dialect.title)));
        }
    }
}

/// Offers a mapping of a shape. If a word of the shape decides which other keys are required, one offer for each word.
pub(super) fn offer_shape(
    wanted: &Wanted<'_>,
    shape: &'static Shape,
    options: CompletionSettings,
    offers: &mut Offers,
) {
    let place: Option<&ValuePlace> = wanted.spot.location.value();
    if !options.snippets || wanted.keyed.is_some() || place.is_none() {
        return;
    }
    match deciding(shape) {
        Some((key, words)) => {
            for word in words {
                let outline = of_shape(shape, Some((key, word.text)));
                let offer = Offer::outline(format!("{} {}", word.text, noun(shape)), outline, BEHIND);
                offers.add(offer.with_detail(word.doc));
            }
        }
        None => {
            let offer = Offer::outline(noun(shape), of_shape(shape, None), BEHIND);
            offers.add(offer.with_detail(shape.doc));
        }
    }
}

/// The required keys of a shape, and those required by one of its words.
pub(super) fn of_shape(shape: &'static Shape, decided: Option<(&str, &str)>) -> Outline {
    of_fields(shape, decided, DEPTH_MAX)
}

/// The dialects of a new document, and whether the project uses each: that of the file alone, else all with its file
/// extension, those of the project first. A project that uses none begins with the usual one.
fn dialects(spot: &CursorContext<'_>, usual: Option<&str>) -> Vec<(&'static Dialect, bool)> {
    if let Ownership::Ours(dialect) = spot.file.ownership {
        return vec![(dialect, true)];
    }
    if let Some(dialect) = DIALECTS.iter().find(|dialect| dialect.file_name(&spot.file.path).is_some()) {
        return vec![(dialect, true)];
    }
    let ending = spot.file.path.rsplit_once('.').map(|(_, ending)| ending);
    let fits = |dialect: &&'static Dialect| ending.is_none_or(|ending| dialect.extensions.contains(&ending));
    let mut used: Vec<&str> = used_dialects(spot.snapshot).iter().map(|dialect| dialect.id).collect();
    if used.is_empty() {
        used.extend(usual);
    }
    let fitting = DIALECTS.iter().copied().filter(fits);
    let is_known = |dialect: &Dialect| used.is_empty() || used.contains(&dialect.id);
    let mut dialects: Vec<(&'static Dialect, bool)> =
        fitting.map(|dialect| (dialect, is_known(dialect))).collect();
    dialects.arrange_by_key(|(_, is_known)| !is_known);
    dialects
}

/// The word of a shape that decides which of its other keys have an effect.
fn deciding(shape: &'static Shape) -> Option<(&'static str, &'static [Word])> {
    let Beside { key, .. } = shape.fields.iter().find_map(|field| field.beside)?;
    match shape.field(key)?.ty {
        Type::Word(words) => Some((key, words)),
        _ => None,
    }
}

/// The noun for a shape in a list, in lower case: `edge` for `GraphEdge`.
fn noun(shape: &Shape) -> String {
    let name = shape.name.strip_prefix("Graph").filter(|rest| !rest.is_empty()).unwrap_or(shape.name);
    let mut noun = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !noun.is_empty() {
            noun.push(' ');
        }
        noun.extend(letter.to_lowercase());
    }
    noun
}

fn of_fields(shape: &'static Shape, decided: Option<(&str, &str)>, depth: usize) -> Outline {
    let wanted = shape.fields.iter().filter(|field| is_wanted(field, decided));
    let entries = wanted.map(|field| {
        let value = match decided {
            Some((key, word)) if key == field.key => Outline::Fixed(word.to_owned()),
            _ => of_field(field, decided, depth),
        };
        (OutlineKey::Fixed(field.key.to_owned()), value)
    });
    Outline::Map(entries.collect())
}

fn is_wanted(field: &Field, decided: Option<(&str, &str)>) -> bool {
    let is_decided = match (field.beside, decided) {
        (Some(Beside { key, words }), Some((decided, word))) => {
            decided == key && words.first() == Some(&word)
        }
        _ => false,
    };
    let is_deciding = decided.is_some_and(|(key, _)| key == field.key);
    field.required == Required::Yes
        || matches!(field.required, Required::Unless(_)) && field.superseded_by.is_none()
        || is_deciding
        || is_decided && field.default.is_none()
}

/// The value of a required key.
fn of_field(field: &'static Field, decided: Option<(&str, &str)>, depth: usize) -> Outline {
    match of_type(field.ty, decided, depth) {
        // A name to change is more helpful than an empty placeholder.
        Outline::Open { is_text: true } if is_free_text(field.ty) => {
            Outline::Hole { choices: vec![field.key.to_owned()], is_text: true }
        }
        Outline::Open { is_text: false } => match field.default {
            Some(default) => Outline::Hole { choices: vec![default.to_owned()], is_text: false },
            None => Outline::Open { is_text: false },
        },
        other => other,
    }
}

fn of_type(ty: Type, decided: Option<(&str, &str)>, depth: usize) -> Outline {
    let below = depth.saturating_sub(1);
    match ty {
        Type::Object(shape) | Type::Open(shape) if depth > 0 => match of_fields(shape, None, below) {
            Outline::Map(entries) if entries.is_empty() => Outline::Map(Vec::new()),
            entries => entries,
        },
        // The word of the outer mapping also decides this one, if both have it.
        Type::Variant(variant) if depth > 0 => {
            let same =
                decided.filter(|(key, _)| *key == variant.key).and_then(|(_, word)| variant.case(word));
            match same.or_else(|| variant.cases.first()) {
                Some(case) => of_fields(&case.shape, Some((variant.key, case.word.text)), below),
                None => Outline::Map(Vec::new()),
            }
        }
        Type::Sized(inner, _) | Type::OneOrMany(inner) | Type::TextOr(inner, _) => {
            of_type(*inner, decided, depth)
        }
        Type::List(item) if depth > 1 => {
            let item = match item {
                Type::Object(shape) => match deciding(shape) {
                    Some((key, words)) => {
                        let word = words.first().map(|word| (key, word.text));
                        of_fields(shape, word, below.saturating_sub(1))
                    }
                    None => of_fields(shape, None, below.saturating_sub(1)),
                },
                other => of_type(*other, None, below),
            };
            Outline::List(vec![item])
        }
        other => Outline::of_type(other),
    }
}

/// Whether a text can be anything, so that its key can be used as a placeholder.
fn is_free_text(ty: Type) -> bool {
    match ty {
        Type::Text | Type::DeclaredName | Type::Bundle(_) => true,
        Type::Symbol(_, nodewise_dialect::table::NameUse::Declares) => true,
        Type::Sized(inner, _) => is_free_text(*inner),
        _ => false,
    }
}
