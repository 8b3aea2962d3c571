//! Anchors and their aliases. In: a file and an offset. Out: the anchor with its aliases, in reading order. An alias
//! refers to the nearest earlier anchor of its name, so two anchors with the same name are different.

use nodewise_analysis::facts::FileFacts;
use nodewise_model::Origin;
use nodewise_syntax::{NodeValue, SyntaxNode, TextRange, TextSize};

/// An anchor and its aliases.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnchorUses {
    pub(crate) name: String,
    /// The name at the cursor, without `&` or `*`.
    pub(crate) clicked: Origin,
    /// The anchor's name, without `&`.
    pub(crate) at: Origin,
    /// The whole value that has the anchor.
    pub(crate) whole: Origin,
    /// The aliases' names, without `*`.
    pub(crate) aliases: Vec<Origin>,
}

/// The anchor at an offset, or the anchor of the alias there.
pub(crate) fn anchor_at(file: &FileFacts, offset: TextSize) -> Option<AnchorUses> {
    memchr::memchr(b'&', file.text.as_bytes())?;
    let touched = file.tree().nodes().find_map(|node| {
        let range = word(node)?;
        range.contains_inclusive(offset).then_some((node, range))
    });
    let (node, range) = touched?;
    let anchored = match node.value() {
        NodeValue::Alias(alias) if node.anchor().is_none() => alias.target()?,
        _ => node,
    };
    let anchor = anchored.anchor()?;
    let origin = |range: TextRange| Origin::new(file.source, range);
    let stands_for = |node: &SyntaxNode<'_>| match node.value() {
        NodeValue::Alias(alias) => alias.target().map(SyntaxNode::id) == Some(anchored.id()),
        _ => false,
    };
    let mut found: Vec<Origin> =
        file.tree().nodes().filter(stands_for).filter_map(word).map(origin).collect();
    found.dedup();
    Some(AnchorUses {
        name: anchor.name.to_owned(),
        clicked: origin(without_sign(range)),
        at: origin(without_sign(anchor.range)),
        whole: origin(anchored.full_range()),
        aliases: found.into_iter().map(|at| origin(without_sign(at.range))).collect(),
    })
}

/// The range of a node's anchor, or the node itself if it is an alias.
fn word(node: SyntaxNode<'_>) -> Option<TextRange> {
    match (node.anchor(), node.value()) {
        (Some(anchor), _) => Some(anchor.range),
        (None, NodeValue::Alias(alias)) => Some(alias.range()),
        _ => None,
    }
}

fn without_sign(range: TextRange) -> TextRange {
    TextRange::new((range.start() + TextSize::of('&')).min(range.end()), range.end())
}
