//! Expressions and paths of cycgraph: what is odd about one and which keys it reads, with their places in the file.
//!
//! Input: the expression and how it is written; output: findings and keys in reading order. Invariant: of a text that
//! does not parse only the first fault is told, and still every key.

use nodewise_expr::check::Finding;
use nodewise_expr::problem::Problem;
use nodewise_expr::{filtrex, jsonpath};
use nodewise_model::Located;

use super::written::Written;
use super::{ConditionFacts, ConditionFinding, ConditionFindingKind, syntax_finding};

impl ConditionFacts {
    pub(super) fn read_filtrex(&mut self, written: &Written<'_>, place: filtrex::Place) {
        let parse = filtrex::parse(&self.text);
        self.add_fault(written, &parse.problems);
        let findings = filtrex::check(&self.text, &parse, place);
        self.add(written, findings, ConditionFindingKind::Filtrex);
        for read in filtrex::reads(&parse.expr) {
            if let Some(key) = read.memory_key() {
                self.keys.push(Located::new(key.name.clone(), written.place(key.range)));
            }
        }
    }

    pub(super) fn read_path(&mut self, written: &Written<'_>, used_for: jsonpath::Use) {
        let parse = jsonpath::parse(&self.text);
        self.add_fault(written, &parse.problems);
        let findings = jsonpath::check(&parse, used_for);
        self.add(written, findings, ConditionFindingKind::Path);
        if used_for == jsonpath::Use::Items {
            let keys = jsonpath::memory_keys(&parse.path).into_iter();
            self.keys.extend(keys.map(|key| Located::new(key.name, written.place(key.range))));
        }
    }

    fn add_fault(&mut self, written: &Written<'_>, problems: &[Problem]) {
        self.findings.extend(problems.first().map(|problem| syntax_finding(written, problem)));
    }

    fn add<Kind>(
        &mut self,
        written: &Written<'_>,
        found: Vec<Finding<Kind>>,
        kind: fn(Kind) -> ConditionFindingKind,
    ) {
        let mut repairs = written.repairs();
        self.findings.extend(found.into_iter().map(|finding| ConditionFinding {
            kind: kind(finding.kind),
            at: written.place(finding.range),
            message: finding.message,
            help: finding.help,
            replacement: repairs.of(finding.range, finding.replacement.as_deref()),
        }));
    }
}
