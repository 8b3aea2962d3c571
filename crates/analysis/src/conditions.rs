//! Conditions of a document: what the parser and the checks of the expression language say, moved from
//! the condition's own offsets to the file, through quotes, escapes and folded lines.

mod cycgraph;
mod written;

use nodewise_dialect::bind::ExpressionUse;
use nodewise_dialect::table::Language;
use nodewise_expr::check::FindingKind;
use nodewise_expr::limance::{self, Profile};
use nodewise_expr::problem::Problem;
use nodewise_expr::{agentos, check, filtrex, jsonpath, names};
use nodewise_model::{Located, Origin};
use nodewise_syntax::{Node, NodeId, ScalarStyle, TextRange, Tree, Value as Syntax};
use smol_str::SmolStr;

pub use written::Rewrite;
use written::Written;

/// What is known of one condition, or another expression.
#[derive(Debug)]
pub struct ConditionFacts {
    /// Its language.
    pub language: Language,
    /// The value in the file, quotes included.
    pub at: Origin,
    /// The condition's text.
    pub text: Box<str>,
    /// What is odd about it, in reading order; for a broken condition its first fault only.
    pub findings: Vec<ConditionFinding>,
    /// The keys of the memory that it reads, in reading order.
    pub keys: Vec<Located<SmolStr>>,
    /// What YAML took away from it.
    pub trap: Option<YamlTrap>,
    /// The value's node, for the places of its characters.
    node: NodeId,
}

/// Something odd about a condition.
#[derive(Debug)]
pub struct ConditionFinding {
    /// What.
    pub kind: ConditionFindingKind,
    /// Where in the file.
    pub at: Origin,
    /// The fact.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The change of the file that mends it.
    pub replacement: Option<Rewrite>,
}

/// What is odd about a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionFindingKind {
    /// It does not parse.
    Syntax,
    /// It parses, but.
    Check(FindingKind),
    /// It is a routing expression, and not read as it looks.
    Routing(agentos::FindingKind),
    /// It is an expression of cycgraph that parses, but.
    Filtrex(filtrex::FindingKind),
    /// It is a path of cycgraph, and selects otherwise than it looks.
    Path(jsonpath::FindingKind),
}

/// What YAML took away from a condition before the expression language saw it (liman:3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum YamlTrap {
    /// `! open`: the negation is a tag.
    Tag(Origin),
    /// `&& a`: the operator is an anchor.
    Anchor(Origin),
    /// `'x'`: the quotes are YAML's; a variable is left.
    Quotes(Origin),
    /// `a #b`: the rest is a comment.
    Comment(Origin),
}

impl ConditionFacts {
    /// Whether something odd of that kind is known of it.
    #[must_use]
    pub fn has(&self, kind: ConditionFindingKind) -> bool {
        self.findings.iter().any(|finding| finding.kind == kind)
    }

    /// The place in the file of a range of the condition's text.
    #[must_use]
    pub fn place(&self, tree: &Tree, range: TextRange) -> Origin {
        self.places(tree)(range)
    }

    /// The same for many ranges: the text is read once.
    pub fn places(&self, tree: &Tree) -> impl Fn(TextRange) -> Origin {
        let written = tree.node(self.node).map(|node| Written::new(node, self.at));
        let at = self.at;
        move |range| written.as_ref().map_or(at, |written| written.place(range))
    }

    /// What to write in the file so that `text` stands in place of a range of the condition's text.
    #[must_use]
    pub fn rewrite(&self, tree: &Tree, range: TextRange, text: &str) -> Option<Rewrite> {
        Written::new(tree.node(self.node)?, self.at).rewrite(range, text)
    }
}

impl ConditionFacts {
    fn read_limance(&mut self, written: &Written<'_>) {
        let parse = limance::parse(&self.text, Profile::Spec);
        match parse.problems.first() {
            Some(problem) => self.findings.push(syntax_finding(written, problem)),
            None => self.add(written, check::check(&self.text, &parse), ConditionFindingKind::Check),
        }
    }

    /// Adds what a language's checks found, moved to the file.
    fn add<Kind>(
        &mut self,
        written: &Written<'_>,
        found: Vec<check::Finding<Kind>>,
        kind: fn(Kind) -> ConditionFindingKind,
    ) {
        let mut repairs = written.repairs();
        self.findings.extend(found.into_iter().map(|finding| ConditionFinding {
            kind: kind(finding.kind),
            at: written.place(finding.range),
            message: finding.message,
            help: finding.help,
            replacement: repairs.of(finding.range, finding.replacement.as_deref()),
        }));
    }
}

/// The facts of a condition; `None` for a value that is no text of this file.
pub(crate) fn condition_facts(tree: &Tree, used: ExpressionUse<'_, '_>) -> Option<ConditionFacts> {
    let ExpressionUse { value, language } = used;
    let text = value.as_text()?;
    let id = value.node?;
    let node = tree.node(id)?;
    let mut facts = ConditionFacts {
        language,
        at: value.at,
        text: text.into(),
        findings: Vec::new(),
        keys: Vec::new(),
        trap: None,
        node: id,
    };
    let written = Written::new(node, value.at);
    match language {
        Language::LimanCe => {
            facts.read_limance(&written);
            facts.trap = trap(tree, node, value.at, text);
        }
        Language::FiltrexEdge => facts.read_filtrex(&written, filtrex::Place::Edge),
        Language::FiltrexVerifier => facts.read_filtrex(&written, filtrex::Place::Verifier),
        Language::JsonPathState => facts.read_path(&written, jsonpath::Use::Items),
        Language::JsonPathUpdates => facts.read_path(&written, jsonpath::Use::Score),
        Language::JsonPathValue => facts.read_path(&written, jsonpath::Use::Assertion),
        Language::AgentOsRouting => {
            let found = agentos::check(text, &agentos::parse(text));
            facts.add(&written, found, ConditionFindingKind::Routing);
        }
    }
    Some(facts)
}

/// The first fault of an expression that does not parse.
fn syntax_finding(written: &Written<'_>, problem: &Problem) -> ConditionFinding {
    let edit = problem.replacement.as_ref();
    ConditionFinding {
        kind: ConditionFindingKind::Syntax,
        at: written.place(problem.range),
        message: problem.message.clone(),
        help: problem.help.clone(),
        replacement: edit.and_then(|edit| written.rewrite(edit.range, &edit.text)),
    }
}

fn trap(tree: &Tree, node: Node<'_>, at: Origin, text: &str) -> Option<YamlTrap> {
    let Syntax::Scalar(scalar) = node.value() else { return None };
    if let Some(tag) = node.tag().filter(|tag| tag.text == "!") {
        return Some(YamlTrap::Tag(Origin::new(at.source, tag.range)));
    }
    if let Some(anchor) = node.anchor().filter(|anchor| !anchor.name.chars().any(char::is_alphanumeric)) {
        return Some(YamlTrap::Anchor(Origin::new(at.source, anchor.range)));
    }
    if scalar.style() == ScalarStyle::SingleQuoted && is_lone_variable(text) {
        return Some(YamlTrap::Quotes(at));
    }
    if scalar.style() == ScalarStyle::Plain {
        let rest = &tree.text()[usize::from(node.range().end())..];
        let comment = rest.trim_start_matches([' ', '\t']);
        // Only a `#` that touches a word looks like part of the condition.
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
fn is_lone_variable(text: &str) -> bool {
    let parse = limance::parse(text, Profile::Spec);
    let variables = names::variables(&parse.expr);
    parse.accepted()
        && variables.len() == 1
        && text.chars().all(|letter| letter == '_' || letter.is_ascii_alphanumeric())
}
