//! Collects the tokens of a file, following the dialect's table. In: a file, and the wanted part of it. Out: tokens. If
//! several tokens are possible for the same text, the name's entity comes first, then the parts of an expression or
//! template, then the field of the whole value.

use std::collections::BTreeMap;
use std::ops::Range;

use nodewise_analysis::facts::{DocumentRole, Ownership};
use nodewise_analysis::workspace::Snapshot;
use nodewise_dialect::bundle;
use nodewise_dialect::table::{
    Dialect, Field, FieldOrigin, KindRole, Language, NameUse, Shape, Symbol, Type,
};
use nodewise_dialect::template::template;
use nodewise_dialect::value::{Data, SpannedEntry, SpannedValue};
use nodewise_dialect::walk::{Slot, Visitor, walk};
use nodewise_expr::token::TokenClass;
use nodewise_model::{NodeKind, SourceId};
use nodewise_syntax::{SyntaxNodeId, SyntaxNodeKind as SyntaxKind, TextRange, TextSize, Tree};

use super::{Modifiers, SemanticToken, TokenKind};
use crate::names::{Entity, NameKind, Occurrence, names, names_within, patched_kind, touches};

/// The tokens of a file, or of the part of it that touches `wanted`.
pub(super) fn of_file(
    snapshot: &Snapshot,
    source: SourceId,
    wanted: Option<TextRange>,
) -> Vec<SemanticToken> {
    let Some(file) = snapshot.file(source) else { return Vec::new() };
    let Ownership::Ours(dialect) = file.ownership else { return Vec::new() };
    let tree = file.tree();
    let mut layers = Layers { text: &file.text, wanted, taken: BTreeMap::new() };
    let occurrences = match wanted {
        Some(wanted) => names_within(snapshot, source, wanted),
        None => names(snapshot, source),
    };
    for one in &occurrences {
        if let Some(kind) = kind_of(one, dialect) {
            layers.add(one.at.range, kind, modifiers_of(one.usage));
        }
    }
    for comment in &file.suppressions.comments {
        layers.add(comment.range, TokenKind::Comment, Modifiers::default());
    }
    let mut painter =
        Painter { snapshot, dialect, tree, source, wanted, parts: Vec::new(), wholes: Vec::new() };
    let documents = file.documents.iter().zip(tree.documents());
    for (facts, document) in documents.take_while(|_| !snapshot.is_cancelled()) {
        let (DocumentRole::Kind(kind), Some(root)) = (&facts.role, document.root()) else { continue };
        if wanted.is_none_or(|wanted| touches(facts.range.range, wanted)) {
            let value = SpannedValue::from_node(root, source);
            walk(kind, patched_kind(dialect, kind, &value), &value, &mut painter);
        }
    }
    for (range, kind, modifiers) in painter.parts.into_iter().chain(painter.wholes) {
        layers.add(range, kind, modifiers);
    }
    layers.taken.into_values().collect()
}

/// A range of the file with its token.
type Painted = (TextRange, TokenKind, Modifiers);

/// Tokens. If two overlap, the earlier one stays.
struct Layers<'t> {
    text: &'t str,
    wanted: Option<TextRange>,
    taken: BTreeMap<TextSize, SemanticToken>,
}

impl Layers<'_> {
    /// Adds a token for a range, split at line breaks.
    fn add(&mut self, range: TextRange, kind: TokenKind, modifiers: Modifiers) {
        let mut start = range.start();
        for line in
            self.text.get(Range::<usize>::from(range)).unwrap_or_default().split_inclusive(['\n', '\r'])
        {
            let shown = line.trim();
            let blanks = line.len() - line.trim_start().len();
            let at = start + TextSize::of(line.get(..blanks).unwrap_or_default());
            self.add_piece(SemanticToken { range: TextRange::at(at, TextSize::of(shown)), kind, modifiers });
            start += TextSize::of(line);
        }
    }

    fn add_piece(&mut self, token: SemanticToken) {
        let (start, end) = (token.range.start(), token.range.end());
        let before = self.taken.range(..end).next_back();
        let is_free = before.is_none_or(|(_, before)| before.range.end() <= start);
        let is_wanted = self.wanted.is_none_or(|wanted| touches(token.range, wanted));
        if is_free && is_wanted && !token.range.is_empty() {
            self.taken.insert(start, token);
        }
    }
}

/// Classifies keys and values by the table.
struct Painter<'t> {
    snapshot: &'t Snapshot,
    dialect: &'static Dialect,
    tree: &'t Tree,
    source: SourceId,
    wanted: Option<TextRange>,
    /// Parts of values.
    parts: Vec<Painted>,
    /// Keys and whole values.
    wholes: Vec<Painted>,
}

impl<'v, 't> Visitor<'v, 't> for Painter<'_> {
    fn enters(&mut self, value: &'v SpannedValue<'t>) -> bool {
        // The content of an alias is elsewhere, and is coloured there.
        let node = value.node.and_then(|node| self.tree.node(node));
        let is_alias = node.is_some_and(|node| node.kind() == SyntaxKind::Alias);
        !is_alias
            && !self.snapshot.is_cancelled()
            && self.wanted.is_none_or(|wanted| touches(value.at.range, wanted))
    }

    fn key(&mut self, _shape: &'static Shape, field: Option<&'static Field>, member: &'v SpannedEntry<'t>) {
        let Some(field) = field else { return };
        let is_outdated = field.superseded_by.is_some() || field.origin == FieldOrigin::Unheeded;
        let modifiers = if is_outdated { Modifiers::DEPRECATED } else { Modifiers::default() };
        self.wholes.push((self.tight(member.key_at.range), TokenKind::Key, modifiers));
    }

    fn free_key(&mut self, _ty: Type, _slot: Slot, member: &'v SpannedEntry<'t>) {
        let range = self.tight(member.key_at.range);
        self.wholes.push((range, TokenKind::Key, Modifiers::default()));
    }

    fn leaf(&mut self, ty: Type, _slot: Slot, value: &'v SpannedValue<'t>) {
        let whole = match (ty, &value.data) {
            (_, Data::Number(_)) => TokenKind::Number,
            (_, Data::Bool(_)) => TokenKind::Constant,
            (Type::Kind, Data::Text(_)) => TokenKind::Kind,
            (Type::Word(words) | Type::ArgumentType(words), Data::Text(text))
                if words.iter().any(|word| word.text == text) =>
            {
                TokenKind::Word
            }
            (Type::Symbol(Symbol::Endpoint, _), Data::Text(text))
                if self.dialect.conventions.is_reserved(text) =>
            {
                TokenKind::Word
            }
            (Type::Pattern, Data::Text(_)) => TokenKind::Pattern,
            (Type::Expression(language) | Type::Condition(language), Data::Text(text)) => {
                return self.expression(language, text, value.node);
            }
            (Type::Bundle(_) | Type::Bundles(_), _) => return self.templates(value),
            _ => return,
        };
        if value.at.source == self.source && value.node.is_some() {
            self.wholes.push((self.tight(value.at.range), whole, Modifiers::default()));
        }
    }
}

impl Painter<'_> {
    fn expression(&mut self, language: Language, text: &str, node: Option<SyntaxNodeId>) {
        let tokens = language.tokens(text).into_iter();
        let parts = tokens.filter_map(|token| Some((token.range.into(), kind_of_class(token.class)?)));
        self.paint(node, parts.collect());
    }

    fn templates(&mut self, value: &SpannedValue<'_>) {
        let Some((bundle, _)) = bundle::normalise(value) else { return };
        bundle.each_leaf(|leaf| {
            for (text, _, node) in leaf.texts() {
                let inner = |range: Range<usize>| range.start + 1..range.end.saturating_sub(1);
                let variables = template(text).variables.into_iter();
                self.paint(node, variables.map(|(_, range)| (inner(range), TokenKind::Variable)).collect());
            }
        });
    }

    /// Adds parts of a scalar's text.
    fn paint(&mut self, node: Option<SyntaxNodeId>, parts: Vec<(Range<usize>, TokenKind)>) {
        let scalar = node.and_then(|node| self.tree.node(node)?.as_scalar());
        let Some(scalar) = scalar.filter(|_| !parts.is_empty()) else { return };
        let map = scalar.cooked_with_map().map;
        let placed =
            parts.into_iter().map(|(range, kind)| (map.source_range(range), kind, Modifiers::default()));
        self.parts.extend(placed);
    }

    /// The range without quotes.
    fn tight(&self, range: TextRange) -> TextRange {
        let written = self.tree.text().get(Range::<usize>::from(range)).unwrap_or_default();
        let quote = TextSize::of('"');
        match written.chars().next() {
            Some(first @ ('"' | '\'')) if written.len() >= 2 && written.ends_with(first) => {
                TextRange::new(range.start() + quote, range.end() - quote)
            }
            _ => range,
        }
    }
}

/// The kind of a name. File paths are texts.
fn kind_of(one: &Occurrence, dialect: &Dialect) -> Option<TokenKind> {
    Some(match &one.entity {
        Entity::Declaration { kind, .. } => kind_of_declaration(kind, dialect),
        Entity::Missing { kinds, .. } => {
            kinds.first().map_or(TokenKind::Kind, |kind| kind_of_declaration(kind, dialect))
        }
        Entity::Local { kind, .. } | Entity::Shared { kind, .. } => match kind {
            NameKind::Node => TokenKind::Node,
            NameKind::Edge => TokenKind::Edge,
            NameKind::State => TokenKind::State,
            NameKind::Variable => TokenKind::Variable,
            NameKind::Tool => TokenKind::Tool,
            NameKind::Server
            | NameKind::Model
            | NameKind::Guardrail
            | NameKind::Extension
            | NameKind::Trait
            | NameKind::Tag => TokenKind::Provided,
        },
        Entity::Function { .. } => TokenKind::Function,
        Entity::File { .. } => return None,
    })
}

fn kind_of_declaration(name: &str, dialect: &Dialect) -> TokenKind {
    match dialect.kind(name).map(|kind| kind.role) {
        Some(KindRole::Node(NodeKind::Tool)) => TokenKind::Tool,
        Some(KindRole::Node(NodeKind::Model | NodeKind::Function) | KindRole::GraphNode) => TokenKind::Node,
        Some(KindRole::Graph | KindRole::Bundle | KindRole::Plan) => TokenKind::Graph,
        Some(KindRole::Agent) => TokenKind::Agent,
        Some(
            KindRole::Account | KindRole::Provider | KindRole::Overlay | KindRole::Scenario | KindRole::Rule,
        )
        | None => TokenKind::Kind,
    }
}

fn modifiers_of(usage: NameUse) -> Modifiers {
    match usage {
        NameUse::Declares => Modifiers::DECLARATION,
        NameUse::Reads => Modifiers::READ,
        NameUse::Writes => Modifiers::WRITE,
        NameUse::Refers => Modifiers::default(),
    }
}

/// The kind of a part of an expression. Brackets and dots have none. Invalid parts have none either, because findings
/// report them.
fn kind_of_class(class: TokenClass) -> Option<TokenKind> {
    Some(match class {
        TokenClass::Keyword => TokenKind::Keyword,
        TokenClass::Operator => TokenKind::Operator,
        TokenClass::Number => TokenKind::Number,
        TokenClass::Text | TokenClass::OpenText => TokenKind::Text,
        TokenClass::Pattern => TokenKind::Pattern,
        TokenClass::Constant => TokenKind::Constant,
        TokenClass::Word => TokenKind::Word,
        TokenClass::Name => TokenKind::State,
        TokenClass::Property => TokenKind::Key,
        TokenClass::Function => TokenKind::Function,
        TokenClass::Builtin => TokenKind::Builtin,
        TokenClass::Punctuation | TokenClass::Illegal => return None,
    })
}
