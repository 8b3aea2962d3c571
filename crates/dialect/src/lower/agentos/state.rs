//! The parts of a run's state and how their keys are combined (agentos:2.1, agentos:2.14).

use nodewise_model::Located;
use nodewise_model::graph::{Partition, Reducer};
use smol_str::SmolStr;

use super::text;
use crate::lower::plain;
use crate::value::{SpannedEntry, SpannedValue};

/// The parts of the state; `None` if the graph does not declare them.
pub(super) fn partitions(graph: &SpannedValue<'_>) -> Option<Located<Vec<Partition>>> {
    let member = graph.get("stateSchema")?;
    let partitions = member.value.as_map()?.iter().map(partition).collect();
    Some(Located::new(partitions, member.key_at))
}

/// How writes to each key are combined, in the order of the document.
pub(super) fn reducers(graph: &SpannedValue<'_>) -> Vec<Reducer> {
    let members = graph.get("reducers").and_then(|member| member.value.as_map()).unwrap_or_default();
    members
        .iter()
        .map(|member| Reducer {
            path: Located::new(SmolStr::new(&member.key), member.key_at),
            operation: text(&member.value),
        })
        .collect()
}

fn partition(member: &SpannedEntry<'_>) -> Partition {
    let listed = member.value.get("properties").and_then(|properties| properties.value.as_map());
    Partition {
        name: Located::new(SmolStr::new(&member.key), member.key_at),
        schema: member.value.as_map().map(|_| plain::value(&member.value)),
        keys: listed.map(|properties| {
            let key =
                |property: &SpannedEntry<'_>| Located::new(SmolStr::new(&property.key), property.key_at);
            properties.iter().map(key).collect()
        }),
    }
}
