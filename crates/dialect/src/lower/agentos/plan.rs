//! Mission plans, workflow steps and older workflow definitions (agentos:1.4).

use nodewise_model::Origin;
use nodewise_model::plan::{DeclaredPlan, PlanPurpose, PlanStep};

use super::{mappings, text_at, texts};
use crate::table::Kind;
use crate::tables::agentos::TOOL_ACTION;
use crate::value::SpannedValue;

/// The kinds of work that a workflow step can name, the one that counts first.
const WORKS: &[&str] = &["tool", "gmi", "human", "extension", "subgraph", "voice"];

/// The steps of a plan, of the plan in a mission, of a workflow, or the tasks of an older definition; none for edges
/// and patches by themselves.
pub(super) fn plan(kind: &Kind, value: &SpannedValue<'_>) -> Option<DeclaredPlan> {
    let in_mission = value.get("plannerConfig").and_then(|planner| planner.value.get("plan"));
    let holder = in_mission.map_or(value, |member| &member.value);
    let (key, purpose) = match kind.name {
        "WorkflowDefinition" => ("tasks", PlanPurpose::Tasks),
        "MissionPlan" | "MissionConfig" => ("steps", PlanPurpose::Mission),
        "Workflow" => ("steps", PlanPurpose::Workflow),
        _ => return None,
    };
    Some(DeclaredPlan { steps: mappings(holder, key).map(step).collect(), purpose })
}

fn step(value: &SpannedValue<'_>) -> PlanStep {
    let calls_tool = value.get("action").filter(|action| action.value.as_text() == Some(TOOL_ACTION));
    let works: Vec<Origin> =
        WORKS.iter().filter_map(|key| value.get(key).map(|member| member.key_at)).collect();
    PlanStep {
        id: text_at(value, "id"),
        head: value.head(),
        depends: texts(value, "dependsOn"),
        calls_tool: calls_tool.map(|action| action.value.at),
        tool: text_at(value, "toolName"),
        works,
    }
}
