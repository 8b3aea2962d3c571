//! Workspace index, resolution, rules and diagnostics.
