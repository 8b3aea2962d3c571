//! What `dependency-cycle` finds here. Reports edges of a node that wait for one another in a circle, once for
//! each circle.

use std::collections::VecDeque;

use nodewise_model::{Edge, EdgeId};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::wording::listed;

pub(in crate::rules) static PART: RulePart = RulePart {
    spec: Some("liman:edge-depends-cycle"),
    severity: Severity::Error,
    check,
    ..RulePart::DEFAULT
};

/// Up to this many edges are compared one by one.
const FEW: usize = 8;

fn check(context: &Context<'_>, report: &mut Report) {
    for node in context.nodes() {
        if may_be_circular(&node.edges) {
            for circle in circles(&dependencies(&node.edges)) {
                report.findings.extend(finding(&node.edges, &circle).map(|finding| (finding, None)));
            }
        }
    }
}

/// Whether the edges may wait for one another in a cycle. A quick test for short lists: if each edge only waits for earlier
/// ones, there is no cycle.
fn may_be_circular(edges: &[Edge]) -> bool {
    if edges.len() > FEW {
        return edges.iter().any(|edge| edge.id.is_some() && !edge.depends.is_empty());
    }
    let is_behind = |position: usize, name: &EdgeId| {
        edges.iter().skip(position + 1).any(|edge| edge.id.as_ref().is_some_and(|id| id.value == *name))
    };
    let mut depends = edges
        .iter()
        .enumerate()
        .flat_map(|(position, edge)| edge.depends.iter().map(move |depends| (position, &depends.value)));
    depends.any(|(position, name)| is_behind(position, name))
}

fn finding(edges: &[Edge], circle: &[usize]) -> Option<Finding> {
    let members: Vec<&Edge> = circle.iter().filter_map(|position| edges.get(*position)).collect();
    let id_of = |edge: &&Edge| edge.id.as_ref().map_or("", |id| id.value.as_str()).to_owned();
    let ids: Vec<String> = members.iter().map(id_of).collect();
    let names = listed(ids.iter().map(String::as_str));
    let mut finding: Option<Finding> = None;
    for (edge, next) in members.iter().zip(ids.iter().cycle().skip(1)) {
        let depends = edge.depends.iter().find(|depends| depends.value == next)?;
        finding = Some(match finding {
            None => Finding::new(depends.at, format!("{names} depend on one another: a cycle"))
                .label("none of them is ever followed")
                .help("leave out one of the dependencies"),
            Some(finding) => finding.related(depends.at, "and this is part of it"),
        });
    }
    finding
}

/// For each edge, the positions of the other edges for which it waits. Each position is less than the number of edges.
fn dependencies(edges: &[Edge]) -> Vec<Vec<usize>> {
    let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
    for (position, edge) in edges.iter().enumerate() {
        if let Some(id) = &edge.id {
            positions.entry(id.value.as_str()).or_insert(position);
        }
    }
    let dependencies_of = |(position, edge): (usize, &Edge)| {
        let named = edge.depends.iter().filter_map(|depends| positions.get(depends.value.as_str()));
        named.copied().filter(|other| *other != position).collect()
    };
    edges.iter().enumerate().map(dependencies_of).collect()
}

/// For each edge on a cycle, the shortest cycle through it, unless the edge is already in an earlier one.
fn circles(dependencies: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let waiting = without_the_settled(dependencies);
    let mut shown = vec![false; dependencies.len()];
    let mut circles = Vec::new();
    for start in waiting {
        if !shown[start]
            && let Some(circle) = circle_through(dependencies, start)
        {
            circle.iter().for_each(|position| shown[*position] = true);
            circles.push(circle);
        }
    }
    circles
}

/// The edges that remain if edges that wait for nothing are removed repeatedly.
fn without_the_settled(dependencies: &[Vec<usize>]) -> Vec<usize> {
    let mut waits: Vec<usize> = dependencies.iter().map(Vec::len).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); dependencies.len()];
    for (position, all) in dependencies.iter().enumerate() {
        all.iter().for_each(|other| dependents[*other].push(position));
    }
    let mut settled: Vec<usize> = (0..waits.len()).filter(|position| waits[*position] == 0).collect();
    while let Some(position) = settled.pop() {
        for dependent in &dependents[position] {
            waits[*dependent] -= 1;
            if waits[*dependent] == 0 {
                settled.push(*dependent);
            }
        }
    }
    (0..waits.len()).filter(|position| waits[*position] > 0).collect()
}

/// The shortest path from an edge over its dependencies back to it.
fn circle_through(dependencies: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    let mut reached_from: Vec<Option<usize>> = vec![None; dependencies.len()];
    let mut pending = VecDeque::from([start]);
    while let Some(position) = pending.pop_front() {
        for next in &dependencies[position] {
            if *next == start {
                let way = std::iter::successors(Some(position), |position| reached_from[*position]);
                let mut circle: Vec<usize> = way.collect();
                circle.reverse();
                return Some(circle);
            }
            if reached_from[*next].is_none() {
                reached_from[*next] = Some(position);
                pending.push_back(*next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn each_circle_is_reported_once_on_its_first_edge() {
        check_rule(
            "dependency-cycle",
            r"
kind: Node
name: router
func: r.route
nodes:
  - {target: router, when: a, id: pack, depends: label}
#                                                ^^^^^ error[dependency-cycle]: `pack`, `label` and `weigh` depend on one another: a cycle
  - {target: router, when: a, id: label, depends: [weigh]}
  - {target: router, when: a, id: weigh, depends: [pack, 1]}
  - {target: router, when: a, id: 1, depends: 2}
#                                             ^ error[dependency-cycle]: `1` and `2` depend on one another: a cycle
llm_nodes:
  - {target: talk, when: a, id: 2, depends: [1, 2, 3]}
#                                               ^ error[dependency-cycle]: the edge `2` depends on itself
  - {target: talk, when: a, id: 3}
  - {target: talk, when: a, id: 4, depends: 3}
  - {target: talk, when: a, depends: pack}
",
        );
    }
}
