//! Mission plans, workflow steps and older workflow definitions (agentos:1.4).

use nodewise_model::Origin;
use nodewise_model::plan::{DeclaredPlan, PlanPurpose, PlanStep};

use super::{mappings, text_at, texts};
use crate::table::Kind;
use crate::tables::agentos::TOOL_ACTION;
use crate::value::SpannedValue;

/// The keys of a workflow step for its work. If there are several, the first one in this list counts.
const WORKS: &[&str] = &["tool", "gmi", "human", "extension", "subgraph", "voice"];

/// Converts a plan: the steps of a plan, of the plan in a mission, or of a workflow, or the tasks of an older definition.
/// `None` for documents that contain only edges or patches.
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
