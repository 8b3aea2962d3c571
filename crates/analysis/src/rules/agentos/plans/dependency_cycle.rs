//! What `dependency-cycle` finds in AgentOS.

use nodewise_model::plan::{PlanPurpose, PlanStep};
use rustc_hash::FxHashMap;

use crate::diagnostic::{Finding, Severity};
use crate::rule::{Context, Report, RulePart};
use crate::rules::wording::short;

pub(in crate::rules) static PART: RulePart =
    RulePart { spec: Some("agentos:R21"), severity: Severity::Error, check, ..RulePart::DEFAULT };

fn check(context: &Context<'_>, report: &mut Report) {
    for plan in context.plans().filter(|plan| plan.purpose == PlanPurpose::Tasks) {
        for position in on_circles(&plan.steps) {
            let Some(step) = plan.steps.get(position) else { continue };
            let (at, name) = match &step.id {
                Some(id) => (id.at, id.value.as_str()),
                None => (step.head, ""),
            };
            report.push(
                Finding::new(at, format!("`{}` waits for itself, through what it depends on", short(name)))
                    .label("the definition is refused")
                    .help("leave out one of the dependencies"),
            );
        }
    }
}

/// One task of each cycle. From each task, the search follows the first dependency that is not settled. If it gets to a
/// task that it has already visited on this path, it has found a cycle.
fn on_circles(steps: &[PlanStep]) -> Vec<usize> {
    let mut positions: FxHashMap<&str, usize> = FxHashMap::default();
    for (position, step) in steps.iter().enumerate() {
        if let Some(id) = &step.id {
            positions.entry(id.value.as_str()).or_insert(position);
        }
    }
    let depends = |step: &PlanStep| -> Vec<usize> {
        step.depends.iter().filter_map(|name| positions.get(name.value.as_str()).copied()).collect()
    };
    let awaited: Vec<Vec<usize>> = steps.iter().map(depends).collect();
    let waiting = unsettled(&awaited);
    let mut trail = vec![0; steps.len()];
    let mut circles = Vec::new();
    for start in 0..steps.len() {
        let mut current = start;
        while waiting[current] && trail[current] == 0 {
            trail[current] = start + 1;
            match awaited[current].iter().find(|next| waiting[**next]) {
                Some(next) => current = *next,
                None => break,
            }
        }
        if waiting[current] && trail[current] == start + 1 {
            circles.push(current);
        }
    }
    circles
}

/// For each task whether it waits, directly or through others, for a cycle: tasks that wait for nothing are removed
/// repeatedly, and these remain.
fn unsettled(awaited: &[Vec<usize>]) -> Vec<bool> {
    let mut left: Vec<usize> = awaited.iter().map(Vec::len).collect();
    let mut dependents = vec![Vec::new(); awaited.len()];
    for (position, all) in awaited.iter().enumerate() {
        all.iter().for_each(|other| dependents[*other].push(position));
    }
    let mut settled: Vec<usize> = (0..left.len()).filter(|position| left[*position] == 0).collect();
    while let Some(position) = settled.pop() {
        for dependent in &dependents[position] {
            left[*dependent] -= 1;
            if left[*dependent] == 0 {
                settled.push(*dependent);
            }
        }
    }
    left.into_iter().map(|left| left > 0).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::check_rule;

    #[test]
    fn one_task_of_each_circle() {
        check_rule(
            "dependency-cycle",
            r#"
displayName: D
tasks:
  - {id: a, executor: {}, dependsOn: [b]}
#        ^ error[dependency-cycle]: `a` waits for itself, through what it depends on
  - {id: b, executor: {}, dependsOn: [a, x]}
  - {id: c, executor: {}, dependsOn: [a]}
  - {id: d, executor: {}, dependsOn: [d]}
#        ^ error[dependency-cycle]: `d` waits for itself, through what it depends on
  - {id: e, executor: {}, dependsOn: [x]}
"#,
        );
    }
}
