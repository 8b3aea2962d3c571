//! Expressions and paths of cycgraph: what is odd about one and which keys it reads, with their places in the file.
//!
//! Input: the expression and how it is written; output: findings and keys in reading order. Invariant: of a text that
//! does not parse only the first fault is told, and still every key.

use nodewise_expr::problem::Problem;
use nodewise_expr::{filtrex, jsonpath};
use nodewise_model::Located;

use super::written::Written;
use super::{ConditionFacts, ConditionFindingKind, syntax_finding};

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
}
