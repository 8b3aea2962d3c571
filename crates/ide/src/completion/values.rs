//! Values of the type at the cursor. In: the place of a value, and its possible types. Out: offers of words, numbers,
//! names and others.

use nodewise_dialect::table::{Dialect, NameUse, Recognition, Symbol, Type, Variant, Word};
use nodewise_dialect::tables::DIALECTS;
use nodewise_dialect::value::{Data, SpannedValue};

use super::docs::Handle;
use super::offer::{Offer, Offers};
use super::wanted::Wanted;
use super::writing::ValueWriter;
use super::{
    Answer, CompletionSettings, ItemKind, expressions, files, functions, graph, names, provided, schema,
    staged, state, templates, variables,
};
use crate::cursor_context::CursorContext;

/// Offers the values for the cursor.
pub(super) fn complete(spot: &CursorContext<'_>, answer: &mut Answer) {
    let Some(place) = spot.location.value() else { return };
    variables::complete(spot, answer);
    expressions::complete(spot, answer);
    let Some(writer) = ValueWriter::new(spot, place) else { return };
    if spot.kind.is_none() {
        let mut offers = Offers::new(writer.prefix());
        offer_first_kind(spot, &mut offers);
        return answer.values(&writer, offers);
    }
    let mut types = Offers::new(writer.prefix());
    schema::offer_values(spot, &mut types);
    answer.values(&writer, types);
    for expectation in &spot.expected {
        let slot = expectation.slot;
        let mut offers = Offers::new(writer.prefix());
        match expectation.ty {
            Type::List(item) => {
                let wanted = Wanted { spot, slot, taken: Vec::new(), keyed: None };
                offer_items(&wanted, *item, answer.options, &mut offers);
                answer.values(&writer.for_items(), offers);
            }
            ty => {
                let wanted = Wanted { spot, slot, taken: siblings(spot), keyed: None };
                offer_type(&wanted, ty, answer.options, &mut offers);
                answer.values(&writer, offers);
            }
        }
    }
}

/// The words that a document can begin with, if it contains only the key that selects its kind.
fn offer_first_kind(spot: &CursorContext<'_>, offers: &mut Offers) {
    let Some(key) = spot.path().first().and_then(|step| match step {
        nodewise_dialect::place::PathStep::Key(key) => Some((*key).to_owned()),
        nodewise_dialect::place::PathStep::Item(_) => None,
    }) else {
        return;
    };
    let members = spot.root.as_ref().and_then(SpannedValue::as_map).unwrap_or_default();
    let is_foreign = |dialect: &Dialect| match &dialect.recognition {
        Recognition::ByWord { foreign_keys, .. } => {
            members.iter().any(|member| foreign_keys.contains(&&*member.key))
        }
        Recognition::ByShape => true,
    };
    if spot.location.path.len() != 1 || !spot.snapshot.index().holds().ours && members.len() > 1 {
        return;
    }
    for dialect in DIALECTS.iter().filter(|dialect| dialect.discriminator() == Some(key.as_str())) {
        if !is_foreign(dialect) {
            offer_kinds(dialect, offers);
        }
    }
}

fn offer_kinds(dialect: &'static Dialect, offers: &mut Offers) {
    for kind in dialect.kinds {
        let offer = Offer { kind: ItemKind::Kind, ..Offer::text(kind.name, ItemKind::Kind, 0) };
        offers.add(offer.with_detail(dialect.title).with_documentation(Handle::kind(dialect, kind)));
    }
}

/// Offers the items of a list that the value would become.
fn offer_items(wanted: &Wanted<'_>, item: Type, options: CompletionSettings, offers: &mut Offers) {
    match item {
        Type::OneOf(forms) => {
            for form in forms {
                offer_items(wanted, form.ty, options, offers);
            }
        }
        Type::TextOr(text, shape) => {
            offer_type(wanted, *text, options, offers);
            templates::offer_shape(wanted, shape, options, offers);
        }
        Type::Object(shape) => templates::offer_shape(wanted, shape, options, offers),
        Type::Sized(inner, _) => offer_items(wanted, *inner, options, offers),
        other => offer_type(wanted, other, options, offers),
    }
}

/// Offers values of a type.
pub(super) fn offer_type(wanted: &Wanted<'_>, ty: Type, options: CompletionSettings, offers: &mut Offers) {
    let default = wanted.slot.and_then(|slot| slot.field.default).filter(|_| wanted.keyed.is_none());
    match ty {
        Type::Word(words) | Type::ArgumentType(words) | Type::OutputFields(words, _) => {
            offer_words(wanted, words, offers);
        }
        Type::Suggested(words) => {
            offer_words(wanted, words, offers);
            provided::offer_exits(wanted, offers);
        }
        Type::Kind => {
            if let Some(dialect) = wanted.spot.dialect {
                offer_kinds(dialect, offers);
            }
        }
        Type::Bool | Type::Boolean => {
            for word in ["true", "false"] {
                let is_default = default == Some(word);
                let detail = if is_default { "default" } else { "" };
                offers.add(Offer::plain(word, u8::from(is_default)).with_detail(detail));
            }
        }
        Type::Number(bounds) => {
            if let Some(default) = default {
                offers.add(Offer::plain(default, 0).with_detail(format!("default; {}", bounds.in_words())));
            }
        }
        Type::Sized(inner, _) | Type::OneOrMany(inner) | Type::Lenient(inner) => {
            offer_type(wanted, *inner, options, offers)
        }
        Type::Reference(scope) => names::offer(wanted, scope, None, offers),
        Type::Qualified(scope, separator) => names::offer(wanted, scope, Some(separator), offers),
        Type::Symbol(symbol, usage) => offer_symbol(wanted, symbol, usage, offers),
        Type::Slug(symbol) => provided::offer(wanted, symbol, offers),
        Type::FunctionPath(_) => functions::offer(wanted.spot.snapshot, offers),
        Type::File(holds) => files::offer(wanted.spot, holds, offers),
        Type::EdgeId => graph::offer_edge_ids(wanted, offers),
        Type::Injection => provided::offer_injections(wanted, offers),
        Type::Variant(variant) => offer_cases(variant, options, offers),
        Type::Object(shape) => templates::offer_shape(wanted, shape, options, offers),
        _ => {}
    }
}

fn offer_words(wanted: &Wanted<'_>, words: &'static [Word], offers: &mut Offers) {
    let default = wanted.slot.and_then(|slot| slot.field.default);
    for word in words.iter().filter(|word| !wanted.is_taken(word.text)) {
        let detail = match default == Some(word.text) {
            true => format!("default; {}", word.doc),
            false => word.doc.to_owned(),
        };
        let offer = Offer::text(word.text, ItemKind::Word, 0).with_detail(detail);
        offers.add(offer.with_documentation(wanted.field_handle()));
    }
}

fn offer_symbol(wanted: &Wanted<'_>, symbol: Symbol, usage: NameUse, offers: &mut Offers) {
    if staged::offer(wanted, symbol, offers) {
        return;
    }
    match (symbol, usage) {
        (Symbol::Node | Symbol::Endpoint, NameUse::Refers) => graph::offer_nodes(wanted, symbol, offers),
        (Symbol::Edge, NameUse::Refers) => graph::offer_edges(wanted, offers),
        (Symbol::State, _) => state::offer(wanted, usage, offers),
        (Symbol::ForeignState, _) => state::offer_foreign(wanted, usage, offers),
        (Symbol::Artifact, _) => {}
        (_, NameUse::Declares) if symbol == Symbol::Node || symbol == Symbol::Edge => {}
        (Symbol::Graph, NameUse::Refers) => {
            if let Some(scope) = wanted.spot.dialect.and_then(|dialect| dialect.graphs) {
                names::offer(wanted, scope, None, offers);
            }
        }
        (Symbol::Graph | Symbol::Agent, _) => {}
        _ => provided::offer(wanted, symbol, offers),
    }
}

/// The cases of a mapping that one of its words selects.
fn offer_cases(variant: &'static Variant, options: CompletionSettings, offers: &mut Offers) {
    if !options.snippets {
        return;
    }
    for case in variant.cases {
        let outline = templates::of_shape(&case.shape, Some((variant.key, case.word.text)));
        let offer = Offer::outline(format!("{}: {}", variant.key, case.word.text), outline, 1);
        offers.add(offer.with_detail(case.word.doc));
    }
}

/// The texts of the other items, if the value is an item of a list.
fn siblings(spot: &CursorContext<'_>) -> Vec<String> {
    let path = spot.path();
    let Some((nodewise_dialect::place::PathStep::Item(own), above)) = path.split_last() else {
        return Vec::new();
    };
    let list = spot.root.as_ref().and_then(|root| {
        above.iter().try_fold(root, |value, step| nodewise_dialect::place::part(value, *step))
    });
    let items = list.and_then(SpannedValue::as_list).unwrap_or_default().iter().enumerate();
    let others = items.filter(|(index, _)| index != own);
    others.filter_map(|(_, item)| text_of(item)).collect()
}

fn text_of(value: &SpannedValue<'_>) -> Option<String> {
    match &value.data {
        Data::Text(text) => Some(text.to_string()),
        Data::Number(number) => Some(nodewise_dialect::value::number_text(*number)),
        _ => None,
    }
}
