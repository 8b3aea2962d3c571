//! What the rules about routing expressions of AgentOS share: the expressions of a file, what each decides, and how
//! a finding of the expression language is shown.

use std::cell::OnceCell;

use nodewise_expr::agentos::{self, FindingKind};
use nodewise_expr::ast::{CompareOperator, Expr, ExprKind, Path};
use nodewise_model::agentos::Work;
use nodewise_model::graph::{EdgeCondition, EdgeGuard, EndpointRole, Graph, GraphEdge};
use nodewise_model::{Condition, Origin};
use nodewise_syntax::TextRange;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::conditions::{ConditionFacts, ConditionFinding, Written};
use crate::diagnostic::Finding;
use crate::facts::FileFacts;
use crate::rule::{Context, Report};
use crate::rules::expressions::expression;
use crate::rules::wording::{short, write_title};

/// The decision that a routing expression makes.
#[derive(Debug, Clone, Copy)]
pub(in crate::rules) enum Decider<'a> {
    /// Whether this edge is followed.
    Edge(&'a GraphEdge),
    /// Which nodes follow the router at this position.
    Router(usize),
}

/// A routing expression of a file. Its text is parsed and its place is read only once for all findings of a rule, because
/// an expression may be as long as the file.
pub(in crate::rules) struct RoutingExpression<'a> {
    pub(in crate::rules) facts: &'a ConditionFacts,
    file: &'a FileFacts,
    parsed: OnceCell<Expr>,
    written: OnceCell<Option<Written<'a>>>,
}

impl<'a> RoutingExpression<'a> {
    fn new(context: &Context<'a>, facts: &'a ConditionFacts) -> RoutingExpression<'a> {
        RoutingExpression { facts, file: context.file, parsed: OnceCell::new(), written: OnceCell::new() }
    }

    pub(in crate::rules) fn parsed(&self) -> &Expr {
        self.parsed.get_or_init(|| agentos::parse(&self.facts.text))
    }

    /// The state paths that the expression reads, in reading order.
    pub(in crate::rules) fn read_paths(&self) -> Vec<Path> {
        let references = agentos::references(&self.facts.text, self.parsed()).into_iter();
        references.filter(|reference| reference.is_read).map(|reference| reference.path).collect()
    }

    /// The place in the file of a range of the expression.
    pub(in crate::rules) fn place(&self, range: TextRange) -> Origin {
        self.written().map_or(self.facts.at, |written| written.place(range))
    }

    /// Adds a fix to a finding that replaces a range of the expression with `text`.
    pub(in crate::rules) fn replace(&self, finding: Finding, (range, text): (TextRange, &str)) -> Finding {
        match self.written().and_then(|written| written.rewrite(range, text)) {
            Some(change) => finding.fix(format!("Write `{}`", short(text)), false, change.at, change.text),
            None => finding,
        }
    }

    fn written(&self) -> Option<&Written<'a>> {
        self.written.get_or_init(|| self.facts.written(self.file.tree())).as_ref()
    }
}

/// The routing expressions of a file, by their places.
pub(in crate::rules) struct Expressions<'a> {
    by_place: FxHashMap<Origin, RoutingExpression<'a>>,
}

impl<'a> Expressions<'a> {
    pub(in crate::rules) fn new(context: &Context<'a>) -> Expressions<'a> {
        let by_place = all(context).map(|facts| (facts.at, RoutingExpression::new(context, facts)));
        Expressions { by_place: by_place.collect() }
    }

    /// The expressions of a graph that a run evaluates, each with the decision that it makes; routers first.
    pub(in crate::rules) fn deciding<'g>(
        &self,
        graph: &'g Graph,
    ) -> impl Iterator<Item = (Decider<'g>, &RoutingExpression<'a>)> {
        let routers = graph.nodes.iter().enumerate().filter_map(|(position, node)| match Work::of(node) {
            Work::Router(router) => Some((Decider::Router(position), expression(router.condition.as_ref())?)),
            _ => None,
        });
        // The runtime never evaluates conditions of edges from the start.
        let is_evaluated =
            |edge: &&GraphEdge| edge.source.as_ref().is_some_and(|source| source.role == EndpointRole::Node);
        let edges = graph.edges.iter().filter(is_evaluated).filter_map(|edge| match &edge.guard {
            EdgeGuard::When(condition) => Some((Decider::Edge(edge), expression(condition.as_ref())?)),
            _ => None,
        });
        routers
            .chain(edges)
            .filter_map(|(decider, condition)| Some((decider, self.by_place.get(&condition.at)?)))
    }
}

fn expression(condition: Option<&EdgeCondition>) -> Option<&Condition> {
    match condition? {
        EdgeCondition::Expression(condition) => condition.as_ref(),
        EdgeCondition::Function(_) => None,
    }
}

/// All routing expressions of the file.
pub(in crate::rules) fn all<'a>(context: &Context<'a>) -> impl Iterator<Item = &'a ConditionFacts> + use<'a> {
    expression::in_language(context, agentos::ROUTING)
}

/// Reports those findings of the expression language for which `label` returns a label. The fix is safe if the replacement
/// certainly has the meaning that the author wanted.
pub(in crate::rules) fn report(
    context: &Context<'_>,
    report: &mut Report,
    label: impl Fn(FindingKind) -> Option<&'static str>,
    is_safe: impl Fn(FindingKind) -> bool,
) {
    for finding in all(context).flat_map(|facts| &facts.findings) {
        let Some(kind) = finding.kind.kind() else { continue };
        if let Some(label) = label(kind) {
            report.push(shown(finding, label, is_safe(kind)));
        }
    }
}

/// The finding for a problem in an expression.
pub(in crate::rules) fn shown(finding: &ConditionFinding, label: &str, is_safe: bool) -> Finding {
    let shown = Finding::new(finding.at, &*finding.message).label(label).help_if(finding.help.clone());
    match &finding.replacement {
        Some(change) => shown.fix(write_title(&change.text), is_safe, change.at, &*change.text),
        None => shown,
    }
}

/// The paths whose values can be the result of the expression.
pub(in crate::rules) fn results(expr: &Expr) -> Vec<(&Path, TextRange)> {
    match &expr.kind {
        ExprKind::Variable(path) => vec![(path, expr.range)],
        ExprKind::Conditional(choice) => {
            let mut found = results(&choice.consequent);
            found.extend(results(&choice.alternative));
            found
        }
        _ => Vec::new(),
    }
}

/// The paths that some expression of the graph compares by size, which only makes sense for numbers. Even if the runtime
/// never evaluates the expression, the author takes these values for numbers.
pub(in crate::rules) fn ordered_paths(graph: &Graph, expressions: &Expressions<'_>) -> FxHashSet<String> {
    use CompareOperator::{Greater, GreaterOrEqual, Less, LessOrEqual};
    let mut ordered = FxHashSet::default();
    for (_, expression) in expressions.deciding(graph) {
        let expr = expression.parsed();
        let mut sides: Vec<TextRange> = Vec::new();
        expr.walk(&mut |part| match &part.kind {
            ExprKind::Compare(compare)
                if matches!(compare.operator, Less | LessOrEqual | Greater | GreaterOrEqual) =>
            {
                sides.extend([compare.left.range, compare.right.range]);
            }
            _ => {}
        });
        // Both lists are in reading order.
        let mut next = sides.iter().peekable();
        for reference in agentos::references(&expression.facts.text, expr) {
            let range = reference.path.range();
            while next.next_if(|side| side.end() < range.end()).is_some() {}
            if next.peek().is_some_and(|side| side.contains_range(range)) {
                ordered.insert(reference.path.dotted());
            }
        }
    }
    ordered
}
