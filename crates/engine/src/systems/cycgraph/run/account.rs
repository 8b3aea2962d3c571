//! Tokens and money of a visit, and the budgets that they are checked against (cycgraph:6.11). In: the usage of an
//! action; out: the sums in the state, or the error of a budget. Invariant: the usage is added before the sums are
//! checked.

use nodewise_expr::value::Value;
use smol_str::{SmolStr, format_smolstr};

use super::{Run, failures};
use crate::event::{EventKind, VisitId};
use crate::kernel::TaskContext;
use crate::outcome::Failure;
use crate::systems::cycgraph::Cycgraph;
use crate::systems::cycgraph::action::{NodeAction, Tokens};
use crate::systems::cycgraph::program::NodeProgram;
use crate::systems::cycgraph::state::THRESHOLDS;
use crate::usage::Usage;

impl Run {
    /// Adds the usage of a visit, and fails if it exceeds a budget.
    pub(super) fn account(
        &mut self,
        visit: VisitId,
        node: &NodeProgram,
        action: &NodeAction,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<(), Failure> {
        let mut used = (0.0, 0.0);
        if let Some(tokens) = &action.usage {
            let usage = priced(tokens, action.model.as_ref(), context);
            used = (tokens.total, usage.cost_usd);
            self.add_up(visit, tokens, usage, context)?;
            if action.model.is_some() && (tokens.input > 0.0 || tokens.output > 0.0) {
                self.reporter.change(context, "_track_model_usage", || Value::Undefined);
            }
        }
        self.hold_against_node(node, used, context)?;
        let budget = self.state.max_token_budget.filter(|budget| *budget != 0.0);
        if let Some(budget) = budget.filter(|budget| self.state.tokens > *budget) {
            let failure = failures::budget(self.state.tokens, budget);
            self.budget_exceeded(failure.message.clone(), context);
            self.persisted(context);
            return Err(failure);
        }
        Ok(())
    }

    /// Adds the usage of a failed attempt. It is not checked against a budget.
    pub(super) fn account_for_failure(
        &mut self,
        visit: VisitId,
        tokens: &Tokens,
        model: &SmolStr,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        let usage = priced(tokens, Some(model), context);
        self.add_tokens(visit, tokens, usage, context);
        if tokens.input > 0.0 || tokens.output > 0.0 {
            self.add_cost(usage, context);
            self.reporter.change(context, "_track_model_usage", || Value::Undefined);
        }
    }

    fn add_up(
        &mut self,
        visit: VisitId,
        tokens: &Tokens,
        usage: Usage,
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<(), Failure> {
        self.add_tokens(visit, tokens, usage, context);
        if self.add_cost(usage, context) {
            self.check_thresholds(context)?;
        }
        Ok(())
    }

    fn add_tokens(
        &mut self,
        visit: VisitId,
        tokens: &Tokens,
        usage: Usage,
        context: &mut TaskContext<'_, Cycgraph>,
    ) {
        if !usage.is_zero() {
            context.emit(EventKind::Spent { visit, usage });
        }
        if tokens.total != 0.0 {
            self.reporter.change(context, "_track_tokens", || Value::Number(tokens.total));
            let state = self.state();
            state.tokens += counted(tokens.total);
            state.spent.input_tokens += counted(tokens.input);
            state.spent.output_tokens += counted(tokens.output);
        }
    }

    /// Adds money; returns whether there was any.
    fn add_cost(&mut self, usage: Usage, context: &mut TaskContext<'_, Cycgraph>) -> bool {
        if usage.cost_usd > 0.0 {
            self.reporter.change(context, "_track_cost", || Value::Number(usage.cost_usd));
            self.state().spent.cost_usd += counted(usage.cost_usd);
        }
        usage.cost_usd > 0.0
    }

    fn check_thresholds(&mut self, context: &mut TaskContext<'_, Cycgraph>) -> Result<(), Failure> {
        let Some(budget) = self.state.budget_usd.filter(|budget| *budget > 0.0) else { return Ok(()) };
        let spent = self.state.spent.cost_usd;
        while let Some(threshold) = THRESHOLDS.get(self.state.thresholds_reached)
            && spent / budget >= *threshold
        {
            self.state().thresholds_reached += 1;
            self.reporter.change(context, "_fire_cost_threshold", || Value::Number(*threshold));
            let percent = (threshold * 100.0).round();
            self.reporter.emit(context, "budget:threshold_reached", || Value::Number(percent));
            if *threshold >= 1.0 {
                let error =
                    format_smolstr!("Cost budget exceeded: ${spent:.4} used, budget was ${budget:.4}");
                self.budget_exceeded(error, context);
                return Err(failures::budget(spent, budget));
            }
        }
        Ok(())
    }

    fn hold_against_node(
        &mut self,
        node: &NodeProgram,
        (tokens, cost): (f64, f64),
        context: &mut TaskContext<'_, Cycgraph>,
    ) -> Result<(), Failure> {
        let id = &node.id;
        if let Some(cap) = node.max_tokens.filter(|cap| tokens > *cap) {
            let (used, most) = (failures::number(tokens), failures::number(cap));
            self.fail(format_smolstr!("Node \"{id}\" exceeded max_tokens: {used} > {most}"), context);
            return Err(failures::node_budget(id, "max_tokens", "tokens", tokens, cap));
        }
        if let Some(cap) = node.max_cost_usd.filter(|cap| cost > *cap) {
            self.fail(
                format_smolstr!("Node \"{id}\" exceeded max_cost_usd: ${cost:.4} > ${cap:.4}"),
                context,
            );
            return Err(failures::node_budget(id, "max_cost_usd", "USD", cost, cap));
        }
        Ok(())
    }

    fn budget_exceeded(&mut self, error: SmolStr, context: &mut TaskContext<'_, Cycgraph>) {
        self.reporter.change(context, "_budget_exceeded", || Value::Text(error.clone()));
        self.state().fail(error);
    }
}

/// The tokens as usage, with their cost.
fn priced(tokens: &Tokens, model: Option<&SmolStr>, context: &TaskContext<'_, Cycgraph>) -> Usage {
    let usage = Usage { input_tokens: tokens.input, output_tokens: tokens.output, ..Usage::default() };
    let of_model = || model.map_or(0.0, |model| context.program().host.cost(model, &usage));
    Usage { cost_usd: tokens.cost_usd.unwrap_or_else(of_model), ..usage }
}

/// The number as sums count it.
fn counted(number: f64) -> f64 {
    if number.is_finite() && number > 0.0 { number } else { 0.0 }
}
