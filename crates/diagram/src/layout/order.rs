//! The order of the points of each layer, with few crossings.
//!
//! Input: a net; output: the same net, its layers in a better order. Invariant: no layer gains or loses a point, and the
//! result is never worse than what came in.

use nodewise_platform::sorting::Sorting;

use super::net::Net;

/// The approximate number of points to visit in all sweeps. Large nets get fewer sweeps.
const WORK_MAX: usize = 3_000_000;
const SWEEPS_MAX: usize = 24;
const SWEEPS_MIN: usize = 4;
/// The maximum size of a net in which single neighbours are exchanged.
const SMALL: usize = 600;
/// The maximum number of passes over the layers for these exchanges.
const EXCHANGES_MAX: usize = 6;

/// Reduces crossings: sweeps down and up the layers, sorts each by the mean position of its neighbours, and keeps the
/// best result.
pub(super) fn arrange(net: &mut Net) {
    let sweeps = (WORK_MAX / net.sizes.len().max(1)).clamp(SWEEPS_MIN, SWEEPS_MAX);
    let is_small = net.sizes.len() <= SMALL;
    let mut at = positions(net);
    if is_small {
        exchange(net, &mut at);
    }
    let mut best = net.layers.clone();
    let mut fewest = crossings(net, &at);
    for sweep in 0..sweeps {
        if fewest == 0 {
            break;
        }
        let is_down = sweep % 2 == 0;
        for step in 1..net.layers.len() {
            let layer = if is_down { step } else { net.layers.len() - 1 - step };
            order_by_neighbours(net, layer, is_down, &mut at);
        }
        if is_small {
            exchange(net, &mut at);
        }
        let now = crossings(net, &at);
        if now < fewest {
            fewest = now;
            best.clone_from(&net.layers);
        }
    }
    net.layers = best;
}

/// The position of each point in its layer.
fn positions(net: &Net) -> Vec<usize> {
    let mut at = vec![0; net.sizes.len()];
    for layer in &net.layers {
        for (position, point) in layer.iter().enumerate() {
            at[*point] = position;
        }
    }
    at
}

fn order_by_neighbours(net: &mut Net, layer: usize, is_down: bool, at: &mut [usize]) {
    let neighbours = if is_down { &net.above } else { &net.below };
    let mean = |point: usize| {
        let list = &neighbours[point];
        let sum: usize = list.iter().map(|other| at[*other]).sum();
        (!list.is_empty()).then(|| sum as f64 / list.len() as f64)
    };
    let points = &mut net.layers[layer];
    let weighted: Vec<(usize, Option<f64>)> = points.iter().map(|point| (*point, mean(*point))).collect();
    let mut ordered: Vec<(usize, f64)> =
        weighted.iter().filter_map(|(point, weight)| Some((*point, (*weight)?))).collect();
    // The sort is stable, so points with the same mean keep their order.
    ordered.arrange_by(|one, other| one.1.total_cmp(&other.1));
    let mut ordered = ordered.into_iter();
    // Points without neighbours keep their places.
    for (slot, (point, weight)) in points.iter_mut().zip(weighted) {
        *slot = match weight {
            Some(_) => ordered.next().map_or(point, |(point, _)| point),
            None => point,
        };
    }
    for (position, point) in net.layers[layer].iter().enumerate() {
        at[*point] = position;
    }
}

/// Exchanges adjacent points wherever that removes crossings.
fn exchange(net: &mut Net, at: &mut [usize]) {
    for _ in 0..EXCHANGES_MAX {
        let mut is_better = false;
        for layer in 0..net.layers.len() {
            for left in 1..net.layers[layer].len() {
                let (one, other) = (net.layers[layer][left - 1], net.layers[layer][left]);
                let count = |first: usize, second: usize| {
                    pairs(&net.above[first], &net.above[second], at)
                        + pairs(&net.below[first], &net.below[second], at)
                };
                if count(other, one) < count(one, other) {
                    net.layers[layer].swap(left - 1, left);
                    at.swap(one, other);
                    is_better = true;
                }
            }
        }
        if !is_better {
            return;
        }
    }
}

/// The number of crossings between the edges of two adjacent points.
fn pairs(left: &[usize], right: &[usize], at: &[usize]) -> usize {
    let crossed = |one: &usize| right.iter().filter(|other| at[**other] < at[*one]).count();
    left.iter().map(crossed).sum()
}

/// The number of all crossings.
fn crossings(net: &Net, at: &[usize]) -> usize {
    let mut count = 0;
    for (layer, next) in net.layers.iter().zip(net.layers.iter().skip(1)) {
        let mut seen = Counter::new(next.len());
        for point in layer {
            let mut ends: Vec<usize> = net.below[*point].iter().map(|end| at[*end]).collect();
            ends.sort_unstable();
            count += ends.iter().map(|end| seen.above(*end)).sum::<usize>();
            ends.iter().for_each(|end| seen.add(*end));
        }
    }
    count
}

/// Counts how often each position was added. It is a Fenwick tree, so that sums take logarithmic time.
struct Counter {
    sums: Vec<usize>,
    all: usize,
}

impl Counter {
    fn new(length: usize) -> Counter {
        Counter { sums: vec![0; length + 1], all: 0 }
    }

    fn add(&mut self, position: usize) {
        self.all += 1;
        let mut at = position + 1;
        while let Some(sum) = self.sums.get_mut(at) {
            *sum += 1;
            at += at & at.wrapping_neg();
        }
    }

    /// How many added positions are greater than this one.
    fn above(&self, position: usize) -> usize {
        let mut at = position + 1;
        let mut up_to = 0;
        while at > 0 {
            up_to += self.sums.get(at).copied().unwrap_or_default();
            at -= at & at.wrapping_neg();
        }
        self.all - up_to
    }
}
