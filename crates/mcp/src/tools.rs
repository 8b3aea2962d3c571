//! The tools, a file for each.

mod check;
mod evaluate;
mod explain;
mod fix;
mod format;
mod graph;
mod run;
mod runs;
mod schema;
mod simulate;
mod test;

use crate::tool::Tool;

/// All tools, in the order in which clients list them.
pub(crate) const TOOLS: &[Tool] = &[
    check::TOOL,
    explain::TOOL,
    fix::TOOL,
    format::TOOL,
    graph::TOOL,
    simulate::SIMULATE,
    simulate::EXPLORE,
    test::TOOL,
    evaluate::TOOL,
    schema::TOOL,
    runs::TOOL,
    run::TOOL,
];
