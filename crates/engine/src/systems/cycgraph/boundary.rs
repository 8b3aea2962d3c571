//! Values that cross between a node and the work of others, with their taint (cycgraph:6.19, cycgraph:6.20). In:
//! mappings, and what is on one side; out: what is on the other. Invariant: a key that is absent is left out.

use nodewise_expr::value::{Map, Value};
use nodewise_model::graph::{KeyMapping, Port};
use smol_str::SmolStr;

use super::interface::{InterfaceMismatch, violation};
use super::slice::StateSlice;

/// Values, and the taint of some of them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crossing {
    pub(crate) values: Map,
    pub(crate) taint: Map,
}

/// What a node hands over from the part of the state that it sees.
pub(crate) fn inbound(slice: &StateSlice, mappings: &[KeyMapping]) -> Crossing {
    mapped(&slice.memory, &slice.taint, mappings, |_, _| Ok(())).unwrap_or_default()
}

/// What a node takes from the results of others. An error says which value does not fit its declaration.
pub(crate) fn outbound(
    values: &Map,
    taint: &Map,
    mappings: &[KeyMapping],
    declared: Option<&[Port]>,
) -> Result<Crossing, InterfaceMismatch> {
    mapped(values, taint, mappings, |key, value| {
        let port = declared.into_iter().flatten().find(|port| port.key.value == *key);
        match port {
            Some(port) => fits(port, value),
            None => Ok(()),
        }
    })
}

/// Checks whether the values are what the other side declares that it needs.
pub(crate) fn check_inbound(values: &Map, declared: Option<&[Port]>) -> Result<(), InterfaceMismatch> {
    declared.into_iter().flatten().try_for_each(|port| match values.get(&port.key.value) {
        Some(value) => fits(port, value),
        None if port.required => {
            let fault = "required input was not provided".to_owned();
            Err(InterfaceMismatch { key: port.key.value.clone(), fault })
        }
        None => Ok(()),
    })
}

fn fits(port: &Port, value: &Value) -> Result<(), InterfaceMismatch> {
    let fault = port.schema.as_ref().and_then(|schema| violation(schema, value));
    fault.map_or(Ok(()), |fault| Err(InterfaceMismatch { key: port.key.value.clone(), fault }))
}

fn mapped(
    values: &Map,
    taint: &Map,
    mappings: &[KeyMapping],
    check: impl Fn(&SmolStr, &Value) -> Result<(), InterfaceMismatch>,
) -> Result<Crossing, InterfaceMismatch> {
    let mut crossing = Crossing::default();
    for mapping in mappings {
        let from = &mapping.from.value;
        let (Some(value), Some(to)) = (values.get(from), &mapping.to) else { continue };
        check(from, value)?;
        crossing.values.insert(to.value.clone(), value.clone());
        if let Some(mark) = taint.get(from) {
            crossing.taint.insert(to.value.clone(), mark.clone());
        }
    }
    Ok(crossing)
}
