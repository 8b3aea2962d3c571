//! Tests of the layout: what stands where, and that nothing is in the way of anything.

use super::*;

const BOX: Size = Size { width: 90.0, height: 40.0 };
const LABEL: Size = Size { width: 60.0, height: 16.0 };

fn wires(edges: &[(usize, usize)]) -> Vec<Wire> {
    edges.iter().map(|(from, to)| Wire { from: *from, to: *to, label: None }).collect()
}

fn labelled(edges: &[(usize, usize)]) -> Vec<Wire> {
    edges.iter().map(|(from, to)| Wire { from: *from, to: *to, label: Some(LABEL) }).collect()
}

/// A box: its left, top, right and bottom side.
type Sides = [f64; 4];

fn sides(middle: Point, size: Size) -> Sides {
    let (across, down) = (size.width / 2.0, size.height / 2.0);
    [middle.x - across, middle.y - down, middle.x + across, middle.y + down]
}

fn overlap(one: Sides, other: Sides) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

/// Points of a route, close to one another.
fn samples(route: &EdgeRoute) -> Vec<Point> {
    let mut points = vec![route.start];
    let mut from = route.start;
    for [first, second, end] in &route.curves {
        for step in 1..=24 {
            let (t, u) = (f64::from(step) / 24.0, 1.0 - f64::from(step) / 24.0);
            let mix = |a: f64, b: f64, c: f64, d: f64| {
                u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
            };
            points.push(Point {
                x: mix(from.x, first.x, second.x, end.x),
                y: mix(from.y, first.y, second.y, end.y),
            });
        }
        from = *end;
    }
    points
}

/// Lays out and holds the result against what every layout must be.
#[track_caller]
fn check_layout(sizes: &[Size], wires: &[Wire], direction: Direction) -> Layout {
    let layout = layered(sizes, wires, direction);
    let boxes: Vec<Sides> =
        layout.middles.iter().zip(sizes).map(|(middle, size)| sides(*middle, *size)).collect();
    let labels: Vec<Sides> = layout
        .routes
        .iter()
        .zip(wires)
        .filter_map(|(route, wire)| Some(sides(route.label?, wire.label?)))
        .collect();
    let all: Vec<Sides> = boxes.iter().chain(&labels).copied().collect();
    for (number, one) in all.iter().enumerate() {
        assert!(one[0] >= -0.01 && one[1] >= -0.01, "{number} begins before zero: {one:?}");
        assert!(
            one[2] <= layout.size.width + 0.01 && one[3] <= layout.size.height + 0.01,
            "{number}: {one:?}"
        );
        for (other_number, other) in all.iter().enumerate().skip(number + 1) {
            assert!(!overlap(*one, *other), "{number} and {other_number} overlap: {one:?} {other:?}");
        }
    }
    for (wire, route) in wires.iter().zip(&layout.routes) {
        let points = samples(route);
        for (number, sides) in boxes.iter().enumerate() {
            let inner = [sides[0] + 0.5, sides[1] + 0.5, sides[2] - 0.5, sides[3] - 0.5];
            let meets = points.iter().find(|point| overlap(inner, [point.x, point.y, point.x, point.y]));
            assert!(meets.is_none(), "{wire:?} runs through {number} at {meets:?}");
        }
    }
    layout
}

/// The layer of each node, by its height.
#[track_caller]
fn check_layers(count: usize, edges: &[(usize, usize)], expected: &[usize]) {
    let layout = check_layout(&vec![BOX; count], &wires(edges), Direction::Down);
    let mut heights: Vec<i64> = layout.middles.iter().map(|middle| middle.y as i64).collect();
    let layers_of = heights.clone();
    heights.sort_unstable();
    heights.dedup();
    let layers: Vec<usize> = layers_of.iter().map(|y| heights.binary_search(y).unwrap()).collect();
    assert_eq!(layers, expected);
}

/// Numbers that look like chance, and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
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
fn what_only_leads_stands_close_to_where_it_leads() {
    check_layers(5, &[(0, 1), (1, 2), (2, 3), (4, 3)], &[0, 1, 2, 3, 2]);
}

#[test]
fn a_chain_is_straight() {
    let layout = check_layout(&[BOX; 4], &labelled(&[(0, 1), (1, 2), (2, 3)]), Direction::Down);
    assert!(layout.middles.iter().all(|middle| (middle.x - 45.0).abs() < 1.0), "{:?}", layout.middles);
}

#[test]
fn an_edge_that_leads_back_ends_where_it_leads() {
    let layout = check_layout(&[BOX; 2], &wires(&[(0, 1), (1, 0)]), Direction::Down);
    let back = &layout.routes[1];
    let end = back.curves.last().unwrap()[2];
    assert!(back.start.y > end.y, "{back:?}");
}

#[test]
fn to_the_right_is_down_turned() {
    let edges = labelled(&[(0, 1), (0, 2), (2, 0), (1, 1)]);
    let right = check_layout(&[BOX; 3], &edges, Direction::Right);
    assert!(right.middles[1].x > right.middles[0].x);
}

#[test]
fn parts_that_nothing_joins_do_not_overlap() {
    let edges: Vec<(usize, usize)> = (0..40).map(|part| (part * 3, part * 3 + 1)).collect();
    let layout = check_layout(&[BOX; 120], &wires(&edges), Direction::Down);
    assert!(layout.size.width < 1_500.0, "{:?}", layout.size);
}

#[test]
fn nothing_is_in_the_way_of_anything() {
    let mut chance = Chance(7);
    for round in 0..120 {
        let count = 1 + chance.below(24);
        let sizes: Vec<Size> = (0..count)
            .map(|_| Size { width: 40.0 + chance.below(200) as f64, height: 26.0 + chance.below(60) as f64 })
            .collect();
        let edges = chance.below(count * 2 + 1);
        let wires: Vec<Wire> = (0..edges)
            .map(|_| {
                let label =
                    Size { width: 20.0 + chance.below(150) as f64, height: 16.0 + chance.below(28) as f64 };
                let is_labelled = chance.below(3) == 0 && round % 4 != 0;
                let (from, to) = (chance.below(count), chance.below(count));
                Wire { from, to, label: is_labelled.then_some(label) }
            })
            .collect();
        let direction = if round % 2 == 0 { Direction::Down } else { Direction::Right };
        check_layout(&sizes, &wires, direction);
    }
}

#[test]
fn large_graphs_need_no_stack_and_no_patience() {
    let edges: Vec<(usize, usize)> = (0..99_999).map(|node| (node, node + 1)).collect();
    let layout = layered(&vec![BOX; 100_000], &wires(&edges), Direction::Down);
    assert!(layout.middles[99_999].y > layout.middles[99_998].y);
    let mut chance = Chance(11);
    let edges: Vec<(usize, usize)> =
        (0..20_000).map(|_| (chance.below(10_000), chance.below(10_000))).collect();
    let layout = layered(&vec![BOX; 10_000], &labelled(&edges), Direction::Down);
    assert_eq!(layout.routes.len(), 20_000);
    assert!(layout.routes.iter().all(|route| !route.curves.is_empty()));
}
