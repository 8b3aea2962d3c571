//! What a finding rests on, so that it can stay silent where that is broken.

/// The conditions under which a finding can be trusted. Where they are not met, the finding would be a guess. The fields
/// mean what they mean in [`RulePart`](crate::rule::RulePart).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Basis {
    /// Whether the finding reports that something is *missing*.
    pub absence: bool,
    /// Whether the finding is about broken syntax.
    pub about_syntax: bool,
    /// Whether the finding reports that the text does not fit the dialect's table.
    pub about_form: bool,
    /// Whether the value is wrong no matter what is around it.
    pub about_value: bool,
    /// How much of the graph must be readable.
    pub needs: Needs,
}

/// How much of a graph must be readable so that a rule's findings are certain. If it is not readable, another rule reports
/// that, and findings of this rule would only be consequences.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Only the part that the rule looks at.
    #[default]
    Nothing,
    /// Every node.
    Nodes,
    /// Every node, and both ends of each edge.
    Edges,
}
