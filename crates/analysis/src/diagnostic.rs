//! What a rule reports: plain data with byte ranges, for the command line and the server alike.

use nodewise_model::{Origin, SourceId};

use crate::basis::Basis;

/// A finding with its rule and severity, ready to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule's id.
    pub rule: &'static str,
    /// The class of the specification that it stands for, as `system:class`; `None` if there is none.
    pub spec: Option<&'static str>,
    /// How much harm it does.
    pub severity: Severity,
    /// The conditions under which the finding can be trusted.
    pub basis: Basis,
    pub finding: Finding,
}

/// How much harm a finding does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A run fails, or does something other than what is written.
    Error,
    /// Probably a mistake.
    Warning,
    /// Worth knowing.
    Hint,
}

/// What a rule found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The class of the specification that it stands for, if that differs from the rule's class.
    pub spec: Option<&'static str>,
    /// A second class of the specification that it stands for.
    pub also: Option<&'static str>,
    pub at: Origin,
    /// The message: what is wrong, with names in backticks, at most 80 characters.
    pub message: String,
    /// Why it is wrong at this place; shown below the underlined text.
    pub label: Option<String>,
    /// What to write instead; `None` if nothing is known.
    pub help: Option<String>,
    /// Other places that explain it.
    pub related: Vec<Related>,
    pub fixes: Vec<Fix>,
}

/// Another place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub at: Origin,
    pub message: String,
}

/// A fix of a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What the fix does, as an imperative: "write `find_order`".
    pub title: String,
    /// Whether the fix certainly gives the meaning that the author wanted.
    pub safe: bool,
    /// The edits, which do not overlap. They may be in several files.
    pub edits: Vec<Edit>,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The place whose text is replaced.
    pub at: Origin,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// A diagnostic from the saved result of an earlier check. Its [`Basis`] is empty, because nothing uses it any more.
    #[must_use]
    pub fn reported(
        rule: &'static str,
        spec: Option<&'static str>,
        severity: Severity,
        finding: Finding,
    ) -> Diagnostic {
        Diagnostic { rule, spec, severity, basis: Basis::default(), finding }
    }

    /// The files of the finding, of its related places and of the edits of its fixes. A file may come several times.
    pub fn sources(&self) -> impl Iterator<Item = SourceId> {
        let related = self.finding.related.iter().map(|related| related.at.source);
        let edits = self.finding.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.at.source);
        std::iter::once(self.finding.at.source).chain(related).chain(edits)
    }

    /// The same diagnostic with other file numbers; `None` if `number` returns `None` for one of its files.
    #[must_use]
    pub fn renumbered(mut self, number: impl Fn(SourceId) -> Option<SourceId>) -> Option<Diagnostic> {
        let finding = &mut self.finding;
        let related = finding.related.iter_mut().map(|related| &mut related.at);
        let edits = finding.fixes.iter_mut().flat_map(|fix| &mut fix.edits).map(|edit| &mut edit.at);
        for at in std::iter::once(&mut finding.at).chain(related).chain(edits) {
            at.source = number(at.source)?;
        }
        Some(self)
    }

    /// The classes of the specification that it stands for. Empty if there is no first class.
    pub fn classes(&self) -> impl Iterator<Item = &'static str> + use<> {
        self.spec.into_iter().chain(self.finding.also.filter(|_| self.spec.is_some()))
    }
}

impl Severity {
    /// The word for the severity in output and configuration.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

impl Finding {
    /// A finding with a message only.
    pub fn new(at: Origin, message: impl Into<String>) -> Finding {
        Finding {
            spec: None,
            also: None,
            at,
            message: message.into(),
            label: None,
            help: None,
            related: Vec::new(),
            fixes: Vec::new(),
        }
    }

    /// Sets the class of the specification that the finding stands for.
    #[must_use]
    pub fn spec(self, spec: impl Into<Option<&'static str>>) -> Finding {
        Finding { spec: spec.into(), ..self }
    }

    /// Sets the second class that the finding stands for.
    #[must_use]
    pub fn also(self, also: &'static str) -> Finding {
        Finding { also: Some(also), ..self }
    }

    /// Sets the label: why it is wrong at this place.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Finding {
        Finding { label: Some(label.into()), ..self }
    }

    /// Sets the help: what to write instead.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Finding {
        Finding { help: Some(help.into()), ..self }
    }

    /// Sets the help, if there is one.
    #[must_use]
    pub fn help_if(self, help: Option<String>) -> Finding {
        Finding { help: help.or(self.help), ..self }
    }

    /// Adds another place that explains the finding.
    #[must_use]
    pub fn related(mut self, at: Origin, message: impl Into<String>) -> Finding {
        self.related.push(Related { at, message: message.into() });
        self
    }

    /// Adds a fix that replaces the text at one place.
    #[must_use]
    pub fn fix(
        mut self,
        title: impl Into<String>,
        safe: bool,
        at: Origin,
        text: impl Into<String>,
    ) -> Finding {
        self.fixes.push(Fix { title: title.into(), safe, edits: vec![Edit { at, text: text.into() }] });
        self
    }
}

impl Diagnostic {
    /// The order of output: by file, position, severity, rule, message.
    pub(crate) fn cmp_in_output(&self, other: &Diagnostic) -> std::cmp::Ordering {
        let key = |one: &Diagnostic| (one.finding.at.reading_order(), one.severity, one.rule);
        key(self).cmp(&key(other)).then_with(|| self.finding.message.cmp(&other.finding.message))
    }
}
