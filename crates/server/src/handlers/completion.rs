//! Completion requests.
//!
//! Input: a position and what the client supports, or an item whose documentation is requested. Output: items in the
//! types of the protocol. Invariant: an item has only what the client supports. Its documentation is computed when the
//! client requests it.

use std::borrow::Cow;

use nodewise_ide::completion::{self, CompletionItem, CompletionSettings, Handle, ItemKind};
use nodewise_ide::cursor_context::used_dialects;
use nodewise_syntax::TextRange;
use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{self as lsp, CompletionItemKind};

use super::{config, markup};
use crate::abilities::ItemAbilities;
use crate::request::{Asked, File};

/// Characters that trigger completion.
pub(crate) const TRIGGERS: [&str; 11] = [":", " ", "-", "\"", "'", "/", ".", "$", "{", "[", ","];

/// The data of an item, to find its documentation.
#[derive(Debug, Serialize, Deserialize)]
struct Data<'a> {
    /// The document in which completion was requested.
    uri: Cow<'a, lsp::Uri>,
    /// Tells `nodewise-ide` how to find the documentation.
    handle: String,
}

/// An answer whose text can be written without a tree of JSON values.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Completed<'a> {
    /// Items of a configuration file.
    Configuration(lsp::CompletionResponse),
    /// Items of a declaration.
    List(List<'a>),
}

/// [`lsp::CompletionList`] with [`Item`]s, and what they have in common.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct List<'a> {
    is_incomplete: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_defaults: Option<ItemDefaults>,
    items: Vec<Item<'a>>,
}

/// What the items of a list have in common, for clients that support it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemDefaults {
    /// The range of the edits of all items that have no edit of their own.
    edit_range: EditRange,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum EditRange {
    InsertAndReplace { insert: lsp::Range, replace: lsp::Range },
    Range(lsp::Range),
}

/// [`lsp::CompletionItem`] with data that are not JSON yet. `data` and `tags` are its last fields.
#[derive(Debug, Serialize)]
struct Item<'a> {
    #[serde(flatten)]
    item: lsp::CompletionItem,
    /// What is inserted in the range of the list, if that is not the label.
    #[serde(rename = "textEditText", skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Data<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<lsp::CompletionItemTag>>,
}

/// `textDocument/completion`
pub(crate) fn completion(
    asked: &Asked<'_>,
    parameters: &lsp::CompletionParams,
) -> Option<lsp::CompletionResponse> {
    // The protocol's type of a list has no place for what its items have in common.
    let abilities = ItemAbilities { common_range: false, ..asked.abilities.items };
    Some(match completed(asked, parameters, abilities)? {
        Completed::Configuration(response) => response,
        Completed::List(List { is_incomplete, items, .. }) => {
            let items = items.into_iter().map(Item::in_full).collect();
            lsp::CompletionResponse::List(lsp::CompletionList { is_incomplete, items })
        }
    })
}

/// `textDocument/completion`, with items that are not in the protocol's type yet.
pub(crate) fn list<'a>(asked: &Asked<'_>, parameters: &'a lsp::CompletionParams) -> Option<Completed<'a>> {
    completed(asked, parameters, asked.abilities.items)
}

fn completed<'a>(
    asked: &Asked<'_>,
    parameters: &'a lsp::CompletionParams,
    abilities: ItemAbilities,
) -> Option<Completed<'a>> {
    if let Some(place) = config::place(asked, &parameters.text_document_position) {
        return Some(Completed::Configuration(config::completion(asked, &place)));
    }
    let (file, position) = asked.at(&parameters.text_document_position)?;
    let trigger = parameters.context.as_ref().and_then(|context| context.trigger_character.as_deref());
    let options = CompletionSettings {
        snippets: abilities.snippets,
        trigger: trigger.and_then(|trigger| trigger.chars().next()),
        usual: file.project.root.is_none().then(|| usual(asked)).flatten(),
    };
    let found = completion::complete(file.snapshot(), position, options);
    let uri = &parameters.text_document_position.text_document.uri;
    let common = found.items.first().filter(|_| abilities.common_range);
    let common = common.map(|item| (item.edit.insert, item.edit.replace));
    let item_defaults = common.map(|(insert, replace)| ItemDefaults {
        edit_range: match abilities.insert_replace {
            true => EditRange::InsertAndReplace { insert: file.range(insert), replace: file.range(replace) },
            false => EditRange::Range(file.range(replace)),
        },
    });
    let items = found.items.into_iter().enumerate();
    let items = items.map(|(number, item)| to_wire(&file, uri, number, item, (abilities, common))).collect();
    Some(Completed::List(List { is_incomplete: found.incomplete, item_defaults, items }))
}

/// The system that most open projects use, which completion prefers in a file without a project.
fn usual(asked: &Asked<'_>) -> Option<&'static str> {
    let projects = asked.view.projects.values().filter(|project| project.root.is_some());
    let used: Vec<&str> =
        projects.flat_map(|project| used_dialects(&project.snapshot)).map(|dialect| dialect.id).collect();
    let count = |id: &str| used.iter().filter(|other| **other == id).count();
    used.iter().copied().max_by_key(|id| count(id))
}

/// `completionItem/resolve`
pub(crate) fn resolve(asked: &Asked<'_>, mut item: lsp::CompletionItem) -> lsp::CompletionItem {
    let Some(data) = item.data.clone() else { return item };
    let data = serde_json::from_value::<Data<'_>>(data).ok();
    let documentation = data.and_then(|data| {
        let file = asked.file(&data.uri)?;
        let markup = completion::resolve(file.snapshot(), &Handle::from_text(data.handle))?;
        Some(markup::shown(&markup, asked.abilities.items.markdown, Some(&file)))
    });
    item.documentation = documentation.map(lsp::Documentation::MarkupContent);
    item
}

impl Item<'_> {
    /// The item in the protocol's type.
    fn in_full(self) -> lsp::CompletionItem {
        let data = self.data.and_then(|data| serde_json::to_value(data).ok());
        lsp::CompletionItem { data, tags: self.tags, ..self.item }
    }
}

fn to_wire<'a>(
    file: &File<'_>,
    uri: &'a lsp::Uri,
    number: usize,
    item: CompletionItem,
    (abilities, common): (ItemAbilities, Option<(TextRange, TextRange)>),
) -> Item<'a> {
    let edit = item.edit;
    let is_common = common == Some((edit.insert, edit.replace));
    let is_long = edit.text.contains('\n');
    let new_text = match is_long && !abilities.as_is {
        true => without_indentation(&edit.text, indentation(file, edit.replace.start().into())),
        false => edit.text,
    };
    let (text, text_edit) = match abilities.insert_replace {
        _ if is_common => (Some(new_text).filter(|text| *text != item.label), None),
        true => {
            let (insert, replace) = (file.range(edit.insert), file.range(edit.replace));
            let edit = lsp::InsertReplaceEdit { new_text, insert, replace };
            (None, Some(lsp::CompletionTextEdit::InsertAndReplace(edit)))
        }
        false => (None, Some(lsp::CompletionTextEdit::Edit(file.edit(edit.replace, new_text)))),
    };
    let additional: Vec<lsp::TextEdit> =
        item.additional.into_iter().map(|edit| file.edit(edit.range, edit.text)).collect();
    let data = item.documentation.map(|handle| Data { uri: Cow::Borrowed(uri), handle: handle.into_text() });
    let tags = (item.is_deprecated && abilities.tags).then(|| vec![lsp::CompletionItemTag::DEPRECATED]);
    let item = lsp::CompletionItem {
        label: item.label,
        kind: Some(kind(item.kind)),
        detail: item.detail,
        preselect: item.is_preselected.then_some(true),
        // Editors sort by this text if their own ranking finds no difference.
        sort_text: Some(format!("{number:04}")),
        filter_text: item.filter,
        insert_text_format: edit.is_snippet.then_some(lsp::InsertTextFormat::SNIPPET),
        insert_text_mode: (is_long && abilities.as_is).then_some(lsp::InsertTextMode::AS_IS),
        text_edit,
        additional_text_edits: Some(additional).filter(|edits| !edits.is_empty()),
        ..lsp::CompletionItem::default()
    };
    Item { item, text, data, tags }
}

/// The spaces at the beginning of the line of an offset.
fn indentation(file: &File<'_>, offset: usize) -> usize {
    let before = file.facts.text.get(..offset).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.len() - line.trim_start_matches(' ').len()
}

/// A text without the indentation that an editor adds to all lines after the first.
fn without_indentation(text: &str, indentation: usize) -> String {
    let mut lines = text.split('\n');
    let mut relative = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let blanks = line.len() - line.trim_start_matches(' ').len();
        relative.push('\n');
        relative.push_str(line.get(blanks.min(indentation)..).unwrap_or_default());
    }
    relative
}

fn kind(kind: ItemKind) -> CompletionItemKind {
    match kind {
        ItemKind::Key => CompletionItemKind::PROPERTY,
        ItemKind::Word => CompletionItemKind::ENUM_MEMBER,
        ItemKind::Kind => CompletionItemKind::CLASS,
        ItemKind::Value => CompletionItemKind::VALUE,
        ItemKind::Declaration | ItemKind::Edge => CompletionItemKind::REFERENCE,
        ItemKind::Node => CompletionItemKind::STRUCT,
        ItemKind::State => CompletionItemKind::FIELD,
        ItemKind::Provided => CompletionItemKind::MODULE,
        ItemKind::Language => CompletionItemKind::UNIT,
        ItemKind::Variable => CompletionItemKind::VARIABLE,
        ItemKind::File => CompletionItemKind::FILE,
        ItemKind::Function => CompletionItemKind::FUNCTION,
        ItemKind::Operator => CompletionItemKind::OPERATOR,
        ItemKind::Rule => CompletionItemKind::CONSTANT,
        ItemKind::Template => CompletionItemKind::SNIPPET,
    }
}
