//! Whether a node that works in rounds has used up its budget (cycgraph:6.8). In: what it used so far; out: yes or
//! no. Invariant: money only counts if the price of the model is known.

use super::action::Tokens;
use super::host::Host;
use super::program::NodeProgram;
use super::state::RunState;
use crate::usage::Usage;

/// Whether the budget allows no more rounds.
pub(crate) fn is_used_up(
    node: &NodeProgram,
    tokens: &Tokens,
    model: Option<&str>,
    state: &RunState,
    host: &Host,
) -> bool {
    if node.max_tokens.is_some_and(|most| tokens.total >= most) {
        return true;
    }
    let Some(model) = model else { return false };
    let usage = Usage { input_tokens: tokens.input, output_tokens: tokens.output, ..Usage::default() };
    let cost = host.cost(model, &usage);
    node.max_cost_usd.is_some_and(|most| cost >= most) || state.money_left().is_some_and(|left| cost >= left)
}
