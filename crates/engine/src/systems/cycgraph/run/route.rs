//! Which node comes next (cycgraph:6.2, step 11). In: the state after a visit; out: the edge that is followed, and the
//! verdict of each edge that was tried. Invariant: edges are tried in the order of the document, up to the first that holds.

use nodewise_expr::value::Value;

use super::{Next, Run, failures};
use crate::event::{EventKind, VisitId};
use crate::kernel::TaskContext;
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::program::{ConditionVerdict, EdgeProgram, NodeProgram};
use crate::systems::cycgraph::state::Current;

impl Run {
    /// Leaves a node by its edges.
    pub(super) fn leave(
        &mut self,
        visit: VisitId,
        node: &NodeProgram,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<Next, Failure> {
        if let Some(target) = self.next(Some(visit), node, context) {
            self.advance(target, context);
            self.persisted(context);
            return Ok(Next::Loop);
        }
        if self.completes_implicitly(context) {
            self.complete(context);
            return Ok(Next::Stop);
        }
        let failure = failures::no_matching_edge(&node.id);
        self.fail(failure.message.clone(), context);
        self.dead_end = Some(failure);
        Ok(Next::Stop)
    }

    /// Whether a run counts as completed if no edge leads on.
    pub(super) fn completes_implicitly(&self, context: &TaskContext<'_, Cycgraph>) -> bool {
        self.outer.is_none() && context.program().host.implicit_completion
    }

    pub(super) fn advance(&mut self, target: Current, context: &mut TaskContext<'_, Cycgraph>) {
        self.reporter.change(context, "_advance", || Value::Text(target.name.clone()));
        self.state().go(target);
    }

    /// The node where the first edge that holds leads. The verdicts belong to the visit that has just ended.
    pub(super) fn next(
        &self,
        visit: Option<VisitId>,
        node: &NodeProgram,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Option<Current> {
        let strict_taint = context.program().graph(self.graph).strict_taint;
        for edge in &node.edges {
            let verdict = edge.condition.verdict(&self.state, strict_taint);
            let target = edge.target.filter(|_| verdict == ConditionVerdict::Followed);
            if let Some(visit) = visit {
                context.emit(judged(visit, edge, verdict));
            }
            if target.is_some() {
                return Some(Current { name: edge.target_name.clone(), node: target });
            }
        }
        None
    }
}

fn judged(visit: VisitId, edge: &EdgeProgram, verdict: ConditionVerdict) -> EventKind {
    let reason = match (verdict, edge.target) {
        (ConditionVerdict::Tainted, _) => Some("the condition reads a tainted key".into()),
        (ConditionVerdict::Followed, None) => Some("its target does not exist".into()),
        _ => None,
    };
    EventKind::EdgeJudged {
        visit,
        edge: edge.position,
        target: edge.target_name.clone(),
        followed: verdict == ConditionVerdict::Followed && edge.target.is_some(),
        reason,
    }
}
