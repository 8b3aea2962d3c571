//! Conditions of a document: what the parser and the checks of the expression language say, moved from
//! the condition's own offsets to the file, through quotes, escapes and folded lines.

mod written;

use nodewise_dialect::bind::ExpressionUse;
use nodewise_dialect::table::Language;
use nodewise_expr::finding::{FindingClass, FindingFamily};
use nodewise_expr::language::Checked;
use nodewise_expr::problem::ParseProblem;
use nodewise_model::{Condition, Located, Origin};
use nodewise_syntax::{NodeValue as Syntax, ScalarStyle, SyntaxNode, SyntaxNodeId, TextRange, Tree};
use smol_str::SmolStr;
use thin_vec::ThinVec;

pub use written::ConditionRewrite;
pub(crate) use written::Written;

/// The facts about one condition or other expression of a file.
#[derive(Debug)]
pub struct ConditionFacts {
    pub language: Language,
    /// The value in the file, quotes included.
    pub at: Origin,
    /// The condition's text.
    pub text: Box<str>,
    /// What is wrong with it, in reading order. For a condition that does not parse, only the first error.
    pub findings: ThinVec<ConditionFinding>,
    /// The state keys that it reads, in reading order.
    pub keys: ThinVec<Located<SmolStr>>,
    /// Set if YAML syntax swallowed a part of the condition.
    pub trap: Option<Box<YamlTrap>>,
    /// The syntax node of the value, to map positions in the condition to positions in the file.
    node: SyntaxNodeId,
}

/// One problem in a condition.
#[derive(Debug)]
pub struct ConditionFinding {
    pub kind: ConditionFindingKind,
    /// The place in the file.
    pub at: Origin,
    /// The message of the finding.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The edit that fixes it; `None` if no fix is known.
    pub replacement: Option<ConditionRewrite>,
}

/// The kind of a problem in a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionFindingKind {
    /// The condition does not parse.
    Syntax,
    /// The condition parses, but its language reports a problem of this class.
    Language(FindingClass),
}

/// A part of a condition that YAML interprets itself, so that the expression language never sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YamlTrap {
    /// `! open`: YAML reads the negation as a tag.
    Tag(Origin),
    /// `&& a`: YAML reads the operator as an anchor.
    Anchor(Origin),
    /// `'x'`: YAML removes the quotes, so that a variable remains.
    Quotes(Origin),
    /// `a #b`: YAML reads the rest as a comment.
    Comment(Origin),
}

/// The text of a condition that always holds.
const ALWAYS: &str = "true";

/// Whether the condition is the constant that always holds.
pub(crate) fn always_holds(condition: &Condition) -> bool {
    condition.text.trim() == ALWAYS
}

impl ConditionFindingKind {
    /// Wraps the kind of finding of an expression language.
    #[must_use]
    pub fn of<Kind: FindingFamily>(kind: Kind) -> ConditionFindingKind {
        ConditionFindingKind::Language(FindingClass::of(kind))
    }

    /// Returns the kind if the finding is one of this expression language.
    #[must_use]
    pub fn kind<Kind: FindingFamily>(self) -> Option<Kind> {
        match self {
            ConditionFindingKind::Language(class) => class.kind(),
            ConditionFindingKind::Syntax => None,
        }
    }
}

impl ConditionFacts {
    /// Whether the condition has a finding of this kind.
    #[must_use]
    pub fn has(&self, kind: ConditionFindingKind) -> bool {
        self.findings.iter().any(|finding| finding.kind == kind)
    }

    /// The place in the file of `range`, a range of the condition's text.
    #[must_use]
    pub fn place(&self, tree: &Tree, range: TextRange) -> Origin {
        self.places(tree)(range)
    }

    /// Like [`place`](Self::place), for many ranges: the text is read only once.
    pub fn places(&self, tree: &Tree) -> impl Fn(TextRange) -> Origin {
        let written = self.written(tree);
        let at = self.at;
        move |range| written.as_ref().map_or(at, |written| written.place(range))
    }

    /// The value as written in the file; `None` if `tree` is the tree of another file.
    pub(crate) fn written<'t>(&self, tree: &'t Tree) -> Option<Written<'t>> {
        tree.node(self.node).map(|node| Written::new(node, self.at))
    }
}

impl ConditionFacts {
    /// Adds what the language found in the text, with places in the file. If the text does not parse, only the first error
    /// is added, but still every key.
    fn add(&mut self, written: &Written<'_>, checked: Checked) {
        self.findings.extend(checked.problems.first().map(|problem| syntax_finding(written, problem)));
        self.findings.extend(checked.findings.into_iter().map(|finding| ConditionFinding {
            kind: ConditionFindingKind::Language(finding.kind),
            at: written.place(finding.range),
            message: finding.message,
            help: finding.help,
            replacement: finding.replacement.and_then(|text| written.rewrite(finding.range, &text)),
        }));
        let keys = checked.keys.into_iter();
        self.keys.extend(keys.map(|(name, range)| Located::new(name, written.place(range))));
    }
}

/// The facts of a condition; `None` if the value is not a text in this file.
pub(crate) fn condition_facts(tree: &Tree, used: ExpressionUse<'_, '_>) -> Option<ConditionFacts> {
    let ExpressionUse { value, language } = used;
    let text = value.as_text()?;
    let id = value.node?;
    let node = tree.node(id)?;
    let mut facts = ConditionFacts {
        language,
        at: value.at,
        text: text.into(),
        findings: ThinVec::new(),
        keys: ThinVec::new(),
        trap: None,
        node: id,
    };
    let written = Written::new(node, value.at);
    facts.add(&written, language.check(text));
    facts.findings.shrink_to_fit();
    facts.keys.shrink_to_fit();
    if language.syntax().looks_like_yaml {
        facts.trap = trap(tree, node, value.at, language, text).map(Box::new);
    }
    Some(facts)
}

/// The finding for the first error of an expression that does not parse.
fn syntax_finding(written: &Written<'_>, problem: &ParseProblem) -> ConditionFinding {
    let edit = problem.replacement.as_ref();
    ConditionFinding {
        kind: ConditionFindingKind::Syntax,
        at: written.place(problem.range),
        message: problem.message.clone(),
        help: problem.help.clone(),
        replacement: edit.and_then(|edit| written.rewrite(edit.range, &edit.text)),
    }
}

fn trap(tree: &Tree, node: SyntaxNode<'_>, at: Origin, language: Language, text: &str) -> Option<YamlTrap> {
    let Syntax::Scalar(scalar) = node.value() else { return None };
    if let Some(tag) = node.tag().filter(|tag| tag.text == "!") {
        return Some(YamlTrap::Tag(Origin::new(at.source, tag.range)));
    }
    if let Some(anchor) = node.anchor().filter(|anchor| !anchor.name.chars().any(char::is_alphanumeric)) {
        return Some(YamlTrap::Anchor(Origin::new(at.source, anchor.range)));
    }
    if scalar.style() == ScalarStyle::SingleQuoted && is_lone_variable(language, text) {
        return Some(YamlTrap::Quotes(at));
    }
    if scalar.style() == ScalarStyle::Plain {
        let rest = &tree.text()[usize::from(node.range().end())..];
        let comment = rest.trim_start_matches([' ', '\t']);
        // Only a `#` directly before a word looks as if it was meant as a part of the condition.
        if comment.starts_with('#')
            && comment[1..].starts_with(|next: char| !next.is_whitespace() && next != '#')
        {
            let start =
                node.range().end() + nodewise_syntax::TextSize::of(&rest[..rest.len() - comment.len()]);
            let line = comment.lines().next().unwrap_or_default();
            return Some(YamlTrap::Comment(Origin::new(
                at.source,
                TextRange::at(start, nodewise_syntax::TextSize::of(line)),
            )));
        }
    }
    None
}

/// Whether a condition is a single name without dots.
fn is_lone_variable(language: Language, text: &str) -> bool {
    language.accepts(text)
        && language.paths(text).len() == 1
        && text.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
}
