//! Places for the nodes of a graph in layers: what leads comes above what it leads to.
//!
//! Input: how wide nodes are and which lead where; output: the middle of each. Invariant: nodes of a layer do not overlap,
//! and the time is linear in nodes and edges but for sorting.

/// The middle of a node.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The places, and how large the whole is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Layout {
    pub(crate) middles: Vec<Point>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

/// The space between nodes of a layer, and between layers.
const GAP_X: f64 = 32.0;
const GAP_Y: f64 = 92.0;
/// How often layers are put in order by what they are joined to.
const SWEEPS: usize = 4;

/// Lays out nodes of these widths, joined by these edges.
pub(crate) fn layered(widths: &[f64], edges: &[(usize, usize)]) -> Layout {
    let layers_of = layers(widths.len(), edges);
    let depth = layers_of.iter().max().map_or(0, |deepest| deepest + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); depth];
    for (node, layer) in layers_of.iter().enumerate() {
        if let Some(layer) = layers.get_mut(*layer) {
            layer.push(node);
        }
    }
    let mut order: Vec<f64> = vec![0.0; widths.len()];
    number(&layers, &mut order);
    let joined = neighbours(widths.len(), edges);
    for _ in 0..SWEEPS {
        for layer in &mut layers {
            let weight = |node: usize| mean(&joined, node, &order);
            let mut weighted: Vec<(f64, usize)> = layer.iter().map(|node| (weight(*node), *node)).collect();
            weighted.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            *layer = weighted.into_iter().map(|(_, node)| node).collect();
        }
        number(&layers, &mut order);
    }
    place(widths, &layers)
}

fn place(widths: &[f64], layers: &[Vec<usize>]) -> Layout {
    let width_of = |node: &usize| widths.get(*node).copied().unwrap_or_default();
    let length = |layer: &Vec<usize>| {
        layer.iter().map(width_of).sum::<f64>() + GAP_X * layer.len().saturating_sub(1) as f64
    };
    let width = layers.iter().map(length).fold(0.0, f64::max);
    let mut middles = vec![Point::default(); widths.len()];
    for (depth, layer) in layers.iter().enumerate() {
        let mut x = (width - length(layer)) / 2.0;
        for node in layer {
            let own = width_of(node);
            if let Some(middle) = middles.get_mut(*node) {
                *middle = Point { x: x + own / 2.0, y: depth as f64 * GAP_Y };
            }
            x += own + GAP_X;
        }
    }
    Layout { middles, width, height: layers.len().saturating_sub(1) as f64 * GAP_Y }
}

/// The layer of each node: one below the deepest of what leads to it, circles cut where a walk comes back.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut leading: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in edges {
        if from != to
            && let Some(list) = leading.get_mut(*from)
        {
            list.push(*to);
        }
    }
    let order = finished_last_first(&leading);
    let mut rank = vec![0; count];
    let mut position = vec![0; count];
    for (at, node) in order.iter().enumerate() {
        if let Some(slot) = position.get_mut(*node) {
            *slot = at;
        }
    }
    for node in &order {
        let own = rank.get(*node).copied().unwrap_or_default();
        for to in leading.get(*node).into_iter().flatten() {
            let is_forward = position.get(*to) > position.get(*node);
            if let Some(slot) = rank.get_mut(*to).filter(|slot| is_forward && **slot < own + 1) {
                *slot = own + 1;
            }
        }
    }
    rank
}

/// The nodes in the reverse of the order in which a walk in depth is done with them, without recursion.
fn finished_last_first(leading: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; leading.len()];
    let mut done = Vec::with_capacity(leading.len());
    for root in 0..leading.len() {
        let mut open: Vec<(usize, usize)> = Vec::new();
        if !std::mem::replace(seen.get_mut(root).unwrap_or(&mut true), true) {
            open.push((root, 0));
        }
        while let Some((node, next)) = open.pop() {
            match leading.get(node).and_then(|list| list.get(next)) {
                Some(to) => {
                    open.push((node, next + 1));
                    if !std::mem::replace(seen.get_mut(*to).unwrap_or(&mut true), true) {
                        open.push((*to, 0));
                    }
                }
                None => done.push(node),
            }
        }
    }
    done.reverse();
    done
}

fn neighbours(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut joined: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (from, to) in edges {
        if let Some(list) = joined.get_mut(*from) {
            list.push(*to);
        }
        if let Some(list) = joined.get_mut(*to) {
            list.push(*from);
        }
    }
    joined
}

/// Where the neighbours of a node stand in the middle; without any, where it stands itself.
fn mean(joined: &[Vec<usize>], node: usize, order: &[f64]) -> f64 {
    let list = joined.get(node).map(Vec::as_slice).unwrap_or_default();
    let place = |node: &usize| order.get(*node).copied().unwrap_or_default();
    match list {
        [] => place(&node),
        list => list.iter().map(place).sum::<f64>() / list.len() as f64,
    }
}

/// Numbers the nodes of each layer, from the middle outwards.
fn number(layers: &[Vec<usize>], order: &mut [f64]) {
    for layer in layers {
        let half = layer.len() as f64 / 2.0;
        for (position, node) in layer.iter().enumerate() {
            if let Some(slot) = order.get_mut(*node) {
                *slot = position as f64 - half;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layer of each node, by its height.
    fn check_layers(count: usize, edges: &[(usize, usize)], expected: &[usize]) {
        let layout = layered(&vec![10.0; count], edges);
        let layers: Vec<usize> = layout.middles.iter().map(|middle| (middle.y / GAP_Y) as usize).collect();
        assert_eq!(layers, expected);
        for (one, first) in layout.middles.iter().enumerate() {
            for second in layout.middles.iter().skip(one + 1).filter(|second| second.y == first.y) {
                assert!((first.x - second.x).abs() >= 10.0, "{one} overlaps");
            }
        }
    }

    #[test]
    fn what_leads_stands_above() {
        check_layers(4, &[(0, 1), (1, 2), (0, 2), (2, 3)], &[0, 1, 2, 3]);
        check_layers(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], &[0, 1, 1, 2]);
    }

    #[test]
    fn circles_are_cut() {
        check_layers(3, &[(0, 1), (1, 2), (2, 0)], &[0, 1, 2]);
        check_layers(2, &[(0, 0), (0, 1), (1, 0)], &[0, 1]);
        check_layers(0, &[], &[]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let edges: Vec<(usize, usize)> = (0..99_999).map(|node| (node, node + 1)).collect();
        let layout = layered(&vec![1.0; 100_000], &edges);
        assert_eq!(layout.middles[99_999].y, 99_999.0 * GAP_Y);
    }
}
