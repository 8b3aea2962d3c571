//! Reports for build servers: JUnit's XML. A file of scenarios is a suite, a scenario a case, each thing that does not hold
//! a failure.

use nodewise_engine::time::Millis;

use super::{Counts, Suite};
use crate::testing::{Mismatch, Tested};

/// The report as XML. Times are virtual.
#[must_use]
pub fn junit(suites: &[Suite]) -> String {
    let mut files = String::new();
    for suite in suites {
        for tests in suite.files() {
            file(suite, tests, &mut files);
        }
    }
    let all = || suites.iter().flat_map(|suite| &suite.tests);
    let counts = Counts::of(all());
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"nodewise\"{}>\n{files}</testsuites>\n",
        attributes(counts, time_of(all())),
    )
}

fn file(suite: &Suite, tests: &[Tested], out: &mut String) {
    let Some(first) = tests.first() else { return };
    let path = escaped(&suite.shown(&first.place.path));
    let attributes = attributes(Counts::of(tests), time_of(tests));
    out.push_str(&format!("  <testsuite name=\"{path}\"{attributes}>\n"));
    for tested in tests {
        let time = tested.ended.as_ref().map(|ended| ended.time).unwrap_or_default();
        let (title, time) = (escaped(&tested.title), seconds(time));
        out.push_str(&format!("    <testcase name=\"{title}\" classname=\"{path}\" time=\"{time}\""));
        if tested.is_passed() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        if let Err(reason) = &tested.ended {
            let text = escaped(&format!("{}\n{reason}", suite.place(&tested.place)));
            let message = escaped(reason.lines().next().unwrap_or_default());
            out.push_str(&format!("      <error message=\"{message}\" type=\"broken\">{text}</error>\n"));
        }
        for mismatch in &tested.mismatches {
            failure(suite, mismatch, out);
        }
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
}

fn failure(suite: &Suite, mismatch: &Mismatch, out: &mut String) {
    let mut text = String::new();
    if let Some(at) = &mismatch.at {
        text.push_str(&format!("{}: ", suite.place(at)));
    }
    text.push_str(&mismatch.message);
    for line in &mismatch.difference {
        text.push_str(&format!("\n  {line}"));
    }
    if let Some(node) = &mismatch.node {
        text.push_str(&format!("\n  at {}", suite.place(node)));
    }
    let (message, kind) = (escaped(&mismatch.message), escaped(&mismatch.subject));
    out.push_str(&format!(
        "      <failure message=\"{message}\" type=\"{kind}\">{}</failure>\n",
        escaped(&text)
    ));
}

fn attributes(counts: Counts, time: Millis) -> String {
    let Counts { failed, broken, .. } = counts;
    let (all, time) = (counts.all(), seconds(time));
    format!(" tests=\"{all}\" failures=\"{failed}\" errors=\"{broken}\" time=\"{time}\"")
}

fn time_of<'t>(tests: impl IntoIterator<Item = &'t Tested>) -> Millis {
    let times = tests.into_iter().filter_map(|tested| tested.ended.as_ref().ok()).map(|ended| ended.time.0);
    Millis(times.fold(0, u64::saturating_add))
}

fn seconds(time: Millis) -> String {
    format!("{}.{:03}", time.0 / 1000, time.0 % 1000)
}

/// A text in XML, also between quotes. What XML cannot hold is replaced.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            character if character.is_control() => out.push(char::REPLACEMENT_CHARACTER),
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_safe_in_xml() {
        assert_eq!(
            escaped("a<b>&\"c\"\u{1b}[0m\u{ffff}\nd"),
            "a&lt;b&gt;&amp;&quot;c&quot;\u{fffd}[0m\u{fffd}\nd"
        );
        assert_eq!(seconds(Millis(61_005)), "61.005");
    }
}
