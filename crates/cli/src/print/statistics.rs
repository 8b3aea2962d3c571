//! Counts the findings of each rule.
//!
//! Input: findings. Output: a table for people, a list for programs. Invariant: the most frequent rule comes first.
//! Rules with equal counts are in the order of their names.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nodewise_analysis::diagnostic::{Diagnostic, Severity};
use serde::Serialize;

use super::json::to_json;

/// Findings by rule.
#[derive(Default)]
pub(super) struct Statistics {
    rules: BTreeMap<&'static str, Counts>,
}

/// The counts of one rule.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    errors: usize,
    warnings: usize,
    hints: usize,
    /// Findings with a safe fix, and findings with only other fixes.
    fixable: usize,
    unsafely_fixable: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    rule: &'static str,
    errors: usize,
    warnings: usize,
    infos: usize,
    fixable: usize,
    unsafely_fixable: usize,
}

impl Statistics {
    /// Counts a finding.
    pub(super) fn add(&mut self, diagnostic: &Diagnostic) {
        let counts = self.rules.entry(diagnostic.rule).or_default();
        match diagnostic.severity {
            Severity::Error => counts.errors += 1,
            Severity::Warning => counts.warnings += 1,
            Severity::Hint => counts.hints += 1,
        }
        let fixes = &diagnostic.finding.fixes;
        if fixes.iter().any(|fix| fix.safe) {
            counts.fixable += 1;
        } else if !fixes.is_empty() {
            counts.unsafely_fixable += 1;
        }
    }

    /// The table. Empty without findings.
    pub(super) fn table(&self, has_hints: bool) -> String {
        let mut heads = vec!["errors", "warnings"];
        if has_hints {
            heads.push("hints");
        }
        heads.extend(["fixable", "unsafe"]);
        let mut table = String::new();
        if self.rules.is_empty() {
            return table;
        }
        heads.iter().for_each(|head| table.push_str(&format!("{head}  ")));
        table.push_str("rule\n");
        for (rule, counts) in self.rows() {
            let mut numbers = vec![counts.errors, counts.warnings];
            if has_hints {
                numbers.push(counts.hints);
            }
            numbers.extend([counts.fixable, counts.unsafely_fixable]);
            for (head, number) in heads.iter().zip(numbers) {
                table.push_str(&format!("{number:>width$}  ", width = head.len()));
            }
            table.push_str(rule);
            table.push('\n');
        }
        table
    }

    /// The list, as JSON.
    pub(super) fn json(&self) -> String {
        let row = |(rule, counts): (&'static str, Counts)| Row {
            rule,
            errors: counts.errors,
            warnings: counts.warnings,
            infos: counts.hints,
            fixable: counts.fixable,
            unsafely_fixable: counts.unsafely_fixable,
        };
        to_json(&self.rows().into_iter().map(row).collect::<Vec<_>>())
    }

    fn rows(&self) -> Vec<(&'static str, Counts)> {
        let mut rows: Vec<_> = self.rules.iter().map(|(rule, counts)| (*rule, *counts)).collect();
        rows.sort_by_key(|(_, counts)| Reverse(counts.errors + counts.warnings + counts.hints));
        rows
    }
}
