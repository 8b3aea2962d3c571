//! Whether a pattern fits a part. In: a part with its properties, a pattern; out: yes, no, or that nobody can know it.
//! Invariant: each test and each compared text is a step, and without steps nothing is known.

use nodewise_model::Origin;
use nodewise_model::project_rule::{PartPattern, PartProperty, PropertyTest, ValueTest};
use nodewise_model::state::WILDCARD;
use smol_str::SmolStr;

use super::part::{Extent, Scene};
use crate::name_pattern::is_like;

/// The result of a test. The order matters: if all tests must hold, the result is the minimum, and if one must hold, the
/// maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Truth {
    /// The test fails.
    No,
    /// The declarations do not say, so the rule stays silent.
    Unknown,
    Yes,
}

impl Truth {
    pub(super) fn of(holds: bool) -> Truth {
        if holds { Truth::Yes } else { Truth::No }
    }

    fn not(self) -> Truth {
        match self {
            Truth::No => Truth::Yes,
            Truth::Unknown => Truth::Unknown,
            Truth::Yes => Truth::No,
        }
    }
}

impl Scene<'_, '_> {
    /// Whether the pattern fits the part.
    pub(super) fn fits(self, pattern: &PartPattern) -> Truth {
        let mut truth = Truth::Yes;
        for test in &pattern.tests {
            truth = truth.min(self.holds(test));
            if truth == Truth::No {
                return truth;
            }
        }
        if !pattern.any.is_empty() {
            let any = pattern.any.iter().map(|one| self.fits(one)).max();
            truth = truth.min(any.unwrap_or(Truth::No));
        }
        if let Some(not) = &pattern.not {
            truth = truth.min(self.fits(not).not());
        }
        truth
    }

    fn holds(self, PropertyTest { property, test }: &PropertyTest) -> Truth {
        if !self.steps.take() {
            return Truth::Unknown;
        }
        if !self.can_say(*property) {
            return Truth::Unknown;
        }
        match test {
            ValueTest::Is(texts) => self.is(*property, texts),
            ValueTest::Not(texts) => self.is_not(*property, texts),
            ValueTest::Only(texts) => self.has_only(*property, texts),
            ValueTest::Set(wanted) => self.is_set(*property, *wanted),
            ValueTest::AtLeast(least) => self.compares(*property, |value| value >= *least),
            ValueTest::AtMost(most) => self.compares(*property, |value| value <= *most),
            ValueTest::Flag(wanted) => {
                self.flag(*property).map_or(Truth::Unknown, |flag| Truth::of(flag == *wanted))
            }
        }
    }

    fn is(self, property: PartProperty, texts: &[SmolStr]) -> Truth {
        let mut fits = false;
        let extent = self.texts(property, &mut |value, _| fits |= self.is_one_of(value, texts));
        match extent {
            _ if fits => Truth::Yes,
            Extent::Everything => Truth::Yes,
            Extent::Whole => Truth::No,
            Extent::Partial => Truth::Unknown,
        }
    }

    fn is_not(self, property: PartProperty, texts: &[SmolStr]) -> Truth {
        let (mut fits, mut count) = (false, 0_usize);
        let extent = self.texts(property, &mut |value, _| {
            count += 1;
            fits |= self.is_one_of(value, texts);
        });
        match extent {
            _ if fits => Truth::No,
            Extent::Everything => Truth::No,
            Extent::Partial => Truth::Unknown,
            Extent::Whole => Truth::of(count > 0 || is_list(property)),
        }
    }

    fn has_only(self, property: PartProperty, texts: &[SmolStr]) -> Truth {
        let mut all = true;
        let extent = self.texts(property, &mut |value, _| all &= self.is_one_of(value, texts));
        match extent {
            Extent::Everything => Truth::No,
            _ if !all => Truth::No,
            Extent::Partial => Truth::Unknown,
            Extent::Whole => Truth::Yes,
        }
    }

    fn is_set(self, property: PartProperty, wanted: bool) -> Truth {
        if let Some(number) = self.number(property) {
            let is_known = number.is_some() || !self.place.is_open;
            return if is_known { Truth::of(number.is_some() == wanted) } else { Truth::Unknown };
        }
        let mut count = 0_usize;
        let extent = self.texts(property, &mut |_, _| count += 1);
        match extent {
            Extent::Partial if count == 0 => Truth::Unknown,
            Extent::Whole => Truth::of((count > 0) == wanted),
            Extent::Everything | Extent::Partial => Truth::of(wanted),
        }
    }

    fn compares(self, property: PartProperty, holds: impl Fn(f64) -> bool) -> Truth {
        match self.number(property) {
            Some(Some((value, _))) => Truth::of(holds(value)),
            Some(None) if !self.place.is_open => Truth::No,
            _ => Truth::Unknown,
        }
    }

    fn is_one_of(self, value: &str, texts: &[SmolStr]) -> bool {
        texts.iter().any(|text| self.steps.take() && is_like(text, value))
    }

    /// The place of a property value that makes the pattern fit. Properties that only identify the part, such as its id,
    /// are skipped.
    pub(super) fn place_of_fit(self, pattern: &PartPattern) -> Option<Origin> {
        pattern.tests.iter().find_map(|test| self.place_of(test, true))
    }

    /// The place of a property value that makes the pattern not fit.
    pub(super) fn place_of_failure(self, pattern: &PartPattern) -> Option<Origin> {
        let failing = pattern.tests.iter().filter(|test| self.holds(test) == Truth::No);
        failing.into_iter().find_map(|test| self.place_of(test, false))
    }

    fn place_of(self, PropertyTest { property, test }: &PropertyTest, holds: bool) -> Option<Origin> {
        let says_which = matches!(
            property,
            PartProperty::Id | PartProperty::Name | PartProperty::Kind | PartProperty::TypeWord
        );
        if says_which {
            return None;
        }
        let is_here = |at: &Origin| at.source == self.context.file.source;
        if let Some(number) = self.number(*property) {
            return number.and_then(|(_, at)| at).filter(is_here);
        }
        let is_shown = |value: &str| match test {
            ValueTest::Is(texts) => {
                !holds || value == WILDCARD || texts.iter().any(|text| is_like(text, value))
            }
            ValueTest::Only(texts) => holds || !texts.iter().any(|text| is_like(text, value)),
            ValueTest::Not(texts) => holds || texts.iter().any(|text| is_like(text, value)),
            ValueTest::Set(_) | ValueTest::AtLeast(_) | ValueTest::AtMost(_) | ValueTest::Flag(_) => true,
        };
        let mut found = None;
        self.texts(*property, &mut |value, at| {
            if found.is_none() && is_shown(value) {
                found = at.filter(is_here);
            }
        });
        found
    }
}

/// Whether a property has a list of texts as its value.
pub(super) fn is_list(property: PartProperty) -> bool {
    matches!(
        property,
        PartProperty::Tools
            | PartProperty::Servers
            | PartProperty::Guardrails
            | PartProperty::Reads
            | PartProperty::Writes
    )
}
