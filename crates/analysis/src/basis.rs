//! What a finding rests on, so that it can stay silent where that is broken.

/// What a finding rests on: where that is broken, the finding is no more than a guess. Fields mean what they mean in
/// [`RulePart`](crate::rule::RulePart).
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Basis {
    /// Whether it reports what is *not* there.
    pub absence: bool,
    /// Whether it reports broken text itself.
    pub about_syntax: bool,
    /// Whether it reports what departs from the table.
    pub about_form: bool,
    /// Whether the value at its place is wrong whatever is around it.
    pub about_value: bool,
    /// What of a graph must be readable.
    pub needs: Needs,
}

/// What of a graph must be readable for a rule's findings to be sure. Where it is not, another rule reports that, and this
/// one would only report what follows from it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Nothing beside what it looks at.
    #[default]
    Nothing,
    /// Every node.
    Nodes,
    /// Every node, and where each edge leads.
    Edges,
}
