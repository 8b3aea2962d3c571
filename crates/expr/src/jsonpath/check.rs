//! What is suspicious about a path that the release accepts.
//!
//! Input: a path and its purpose; output: findings in reading order. Invariant: if there is a finding, the path
//! selects something else than the text seems to say, whatever the data.

use nodewise_platform::sorting::Sorting;
use text_size::{TextRange, TextSize};

use super::reads::{MEMORY, below_root, name};
use super::{JsonPath, JsonPathSegment, Parse, SegmentKind};
use crate::finding::ExpressionFinding;
use crate::finding_kinds;

/// What a path is used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathPurpose {
    /// It selects the items of a map from the state.
    Items,
    /// It selects the score of an annealing iteration from what an agent writes.
    Score,
    /// It selects the part of a memory key's value that a verifier checks.
    Assertion,
}

finding_kinds! {
    "jsonpath",
    /// The kind of a [`ExpressionFinding`] about a path.
    pub enum FindingKind {
        /// The path is empty.
        Empty,
        /// A bracket that is not closed.
        Unclosed,
        /// `[-1]`, which does not count from the end.
        NegativeIndex,
        /// `[::-1]`, which is not a slice.
        NegativeStep,
        /// `['a','b']`: the quotes are read as parts of the names.
        QuotedUnion,
        /// A name with spaces around it, which are part of the name.
        BlankName,
        /// `.'a.b'`: the quotes do not keep the name together.
        QuotedBehindDot,
        /// `[?@.x > 1]`: without parentheses it is not a filter.
        BareFilter,
        /// `length()` and the like.
        FunctionCall,
        /// `.[`, which searches all levels below.
        DotBeforeBracket,
        /// A step without a name: `[]`, or a dot at the beginning.
        EmptyName,
        /// `/a/b`
        Pointer,
        /// `{{ a.b }}`
        Template,
        /// Steps after `~` or a type, which are ignored.
        Ignored,
        /// A path over the state whose first name the state does not have.
        OutsideState,
        /// A path to a score that does not begin at what an agent writes.
        OutsideUpdates,
    }
}

/// Longer names are not compared with the state's parts.
const LONGEST_PART: usize = 16;

/// The parts of the state that a map node can read, each with a description.
pub(crate) const STATE: &[(&str, &str)] = &[
    (MEMORY, "What the nodes have written, by key, as far as this node may read it."),
    ("goal", "What the run is to achieve, as a text."),
    ("constraints", "What the run must keep to: a list of texts."),
    ("workflow_id", "The id of the workflow, a UUID."),
    ("run_id", "The id of this run, a UUID."),
    ("taint", "The tainted memory keys that the node reads, each with where its value came from."),
];

/// The only member of an agent's action that a path can read.
pub(crate) const UPDATES: (&str, &str) = ("updates", "What the agent has just written, by memory key.");

/// The findings of a path.
pub fn check(parse: &Parse, used_for: PathPurpose) -> Vec<ExpressionFinding<FindingKind>> {
    let path = &parse.path;
    let text = path.text.as_str();
    if text.trim().is_empty() {
        let message = "the path is empty, and selects nothing".to_owned();
        return vec![finding(FindingKind::Empty, whole(text), message, Some("write `$.`".to_owned()), None)];
    }
    if let Some(pointer) = text.strip_prefix('/') {
        let dotted = format!("$.{}", pointer.replace('/', "."));
        let message = "`/` separates nothing in a path".to_owned();
        let help = Some(format!("write `{dotted}`"));
        return vec![finding(FindingKind::Pointer, whole(text), message, help, Some(dotted))];
    }
    if let Some(inner) = in_braces(text) {
        let meant = from_root(inner);
        let message = "a path has no braces: they are read as a part of a name".to_owned();
        let help = Some(format!("write `{meant}`"));
        return vec![finding(FindingKind::Template, whole(text), message, help, Some(meant))];
    }
    let mut findings = Vec::new();
    for segment in &path.segments {
        findings.extend(written_oddly(text, segment));
    }
    findings.extend(unclosed_at_end(text));
    findings.extend(ignored_steps(path));
    findings.extend(outside(path, used_for));
    findings.arrange_by_key(|finding| finding.range.start());
    findings.dedup_by_key(|finding| (finding.kind, finding.range));
    findings
}

/// The text in the braces of a template, if the whole text is one.
fn in_braces(text: &str) -> Option<&str> {
    let text = text.trim();
    let (open, close) =
        [("${{", "}}"), ("{{", "}}"), ("${", "}")].into_iter().find(|(open, _)| text.starts_with(open))?;
    let inner = text.strip_prefix(open)?.strip_suffix(close)?.trim();
    (!inner.is_empty() && !inner.contains(['{', '}'])).then_some(inner)
}

/// A path from the root of the state.
fn from_root(path: &str) -> String {
    let first = path.split(['.', '[']).next().unwrap_or_default();
    let is_part = STATE.iter().any(|(name, _)| *name == first);
    match path.trim_start_matches("state.") {
        path if path.starts_with('$') => path.to_owned(),
        path if is_part || path.starts_with("memory.") => format!("$.{path}"),
        path => format!("$.memory.{path}"),
    }
}

fn finding(
    kind: FindingKind,
    range: TextRange,
    message: String,
    help: Option<String>,
    replacement: Option<String>,
) -> ExpressionFinding<FindingKind> {
    ExpressionFinding { kind, range, message, help, replacement }
}

/// The finding about a step because of how it is written.
fn written_oddly(text: &str, segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    let around = Around::of(text, segment.range);
    match &segment.kind {
        SegmentKind::Child if segment.text.is_empty() => empty_name(segment, &around),
        SegmentKind::Child if segment.text.starts_with('?') => bare_filter(text, segment),
        SegmentKind::Child if segment.text.ends_with("()") => function_call(segment),
        SegmentKind::Child if around.in_brackets && !around.is_quoted => {
            odd_index(segment).or_else(|| blank_name(segment)).or_else(|| unclosed(text, segment, &around))
        }
        SegmentKind::Child if around.behind_dot_and_quote => Some(quoted_behind_dot(segment)),
        SegmentKind::Child if !around.is_quoted => blank_name(segment),
        SegmentKind::Union(parts) => quoted_union(segment, parts)
            .or_else(|| parts.iter().find_map(blank_name))
            .or_else(|| unclosed(text, segment, &around)),
        SegmentKind::Descendants => dot_before_bracket(text, segment),
        SegmentKind::Child | SegmentKind::Slice(_) | SegmentKind::Wildcard => {
            unclosed(text, segment, &around)
        }
        _ => None,
    }
}

/// The text around a step.
struct Around {
    in_brackets: bool,
    is_quoted: bool,
    behind_dot_and_quote: bool,
    is_closed: bool,
}

impl Around {
    fn of(text: &str, range: TextRange) -> Around {
        let before = text.get(..usize::from(range.start())).unwrap_or_default();
        let after = text.get(usize::from(range.end())..).unwrap_or_default();
        let unquoted = before.strip_suffix(['\'', '"']);
        let opening = unquoted.unwrap_or(before);
        Around {
            in_brackets: opening.ends_with('['),
            is_quoted: unquoted.is_some(),
            behind_dot_and_quote: unquoted.is_some_and(|before| before.ends_with('.')),
            is_closed: after.strip_prefix(['\'', '"']).unwrap_or(after).starts_with(']'),
        }
    }
}

fn empty_name(segment: &JsonPathSegment, around: &Around) -> Option<ExpressionFinding<FindingKind>> {
    let is_first = segment.range.start() == TextSize::new(0);
    if around.is_quoted || (!around.in_brackets && !is_first) {
        return None;
    }
    Some(if is_first {
        let message = "a path that begins with a dot begins with an empty name".to_owned();
        let range = TextRange::empty(segment.range.start());
        let help = Some("write `$` before it".to_owned());
        finding(FindingKind::EmptyName, range, message, help, Some("$".to_owned()))
    } else {
        let message = "`[]` names nothing".to_owned();
        let help = Some("write `[*]` for every item".to_owned());
        finding(FindingKind::EmptyName, segment.range, message, help, Some("*".to_owned()))
    })
}

fn bare_filter(text: &str, segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    // The step loses a quote before the bracket, which belongs to the condition.
    let behind = text.get(usize::from(segment.range.end())..).unwrap_or_default();
    let lost = behind.strip_suffix(behind.trim_start_matches('\'')).unwrap_or_default();
    let range = TextRange::new(segment.range.start(), segment.range.end() + TextSize::of(lost));
    let condition = format!("{}{lost}", segment.text.strip_prefix('?')?.trim());
    let replacement = format!("?({condition})");
    let message = "a filter stands in parentheses; this is read as a name".to_owned();
    let help = Some(format!("write `[{replacement}]`"));
    Some(finding(FindingKind::BareFilter, range, message, help, Some(replacement)))
}

fn function_call(segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    let function = segment.text.strip_suffix("()")?;
    let message = "paths have no functions; this is read as a name".to_owned();
    let (help, replacement) = match function {
        "length" | "size" | "count" => (Some("write `length`".to_owned()), Some("length".to_owned())),
        _ => (None, None),
    };
    Some(finding(FindingKind::FunctionCall, segment.range, message, help, replacement))
}

/// The finding about `[-1]` and `[::-1]`.
fn odd_index(segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    let text = segment.text.as_str();
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(digits) = text.strip_prefix('-').filter(|digits| is_digits(digits)) {
        let from_end = digits.parse::<u32>().ok().filter(|from_end| *from_end > 0);
        let replacement = from_end.map(|from_end| match from_end - 1 {
            0 => "-1:".to_owned(),
            next => format!("-{from_end}:-{next}"),
        });
        let help = replacement.as_ref().map(|slice| format!("write `[{slice}]`"));
        let message = "a negative index finds nothing".to_owned();
        return Some(finding(FindingKind::NegativeIndex, segment.range, message, help, replacement));
    }
    let step = text.rsplit(':').next()?.strip_prefix('-').filter(|digits| is_digits(digits));
    (text.matches(':').count() == 2 && step.is_some()).then(|| {
        let message = "a slice with a negative step finds nothing".to_owned();
        let help = Some("leave the step out, or write a positive one".to_owned());
        finding(FindingKind::NegativeStep, segment.range, message, help, None)
    })
}

fn blank_name(segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    let trimmed = segment.text.trim();
    if trimmed.len() == segment.text.len() || trimmed.is_empty() {
        return None;
    }
    let message = format!("the spaces around `{}` are read as parts of the name", short(trimmed));
    let help = Some("leave them out".to_owned());
    Some(finding(FindingKind::BlankName, segment.range, message, help, Some(trimmed.to_owned())))
}

fn quoted_behind_dot(segment: &JsonPathSegment) -> ExpressionFinding<FindingKind> {
    let message = "quotes behind a dot keep nothing together".to_owned();
    let help = Some("write the name in brackets and quotes: `['a.b']`".to_owned());
    finding(FindingKind::QuotedBehindDot, segment.range, message, help, None)
}

fn quoted_union(
    segment: &JsonPathSegment,
    parts: &[JsonPathSegment],
) -> Option<ExpressionFinding<FindingKind>> {
    let is_quote = |found: char| matches!(found, '\'' | '"');
    if !parts
        .iter()
        .any(|part| part.text.trim().ends_with(is_quote) || part.text.trim().starts_with(is_quote))
    {
        return None;
    }
    let names: Vec<&str> = parts.iter().map(|part| part.text.trim().trim_matches(is_quote)).collect();
    let help = Some(format!("write `[{}]`", short(&names.join(","))));
    let message = "the quotes are read as parts of the names".to_owned();
    Some(finding(FindingKind::QuotedUnion, segment.range, message, help, None))
}

fn dot_before_bracket(text: &str, segment: &JsonPathSegment) -> Option<ExpressionFinding<FindingKind>> {
    let (start, end) = (usize::from(segment.range.start()), usize::from(segment.range.end()));
    let written = text.get(start..end)?;
    if !written.starts_with(".[") {
        return None;
    }
    let message = "`.[` goes through everything below, not to the next step".to_owned();
    let range = TextRange::at(segment.range.start(), TextSize::of('.'));
    let help = Some("leave the dot out".to_owned());
    Some(finding(FindingKind::DotBeforeBracket, range, message, help, Some(String::new())))
}

fn unclosed(
    text: &str,
    segment: &JsonPathSegment,
    around: &Around,
) -> Option<ExpressionFinding<FindingKind>> {
    if !around.in_brackets || around.is_closed {
        return None;
    }
    let at = segment.range.start() - TextSize::of('[') - TextSize::new(u32::from(around.is_quoted));
    unclosed_at(text, at)
}

fn unclosed_at_end(text: &str) -> Option<ExpressionFinding<FindingKind>> {
    let opening = text.strip_suffix(['\'', '"']).unwrap_or(text).strip_suffix('[')?;
    unclosed_at(text, TextSize::of(opening))
}

fn unclosed_at(text: &str, at: TextSize) -> Option<ExpressionFinding<FindingKind>> {
    let range = TextRange::new(at, TextSize::of(text));
    let message = "the bracket is not closed, which the release does not tell".to_owned();
    Some(finding(FindingKind::Unclosed, range, message, Some("close it with `]`".to_owned()), None))
}

/// The finding about steps after one that ends the path.
fn ignored_steps(path: &JsonPath) -> Option<ExpressionFinding<FindingKind>> {
    let ends = |segment: &JsonPathSegment| matches!(segment.kind, SegmentKind::Name | SegmentKind::Type(_));
    let last = path.segments.iter().position(ends)?;
    let (ending, ignored) = (path.segments.get(last)?, path.segments.get(last + 1..)?);
    // An unknown type is a name, and the path continues after it.
    if matches!(&ending.kind, SegmentKind::Type(word) if !super::steps::TYPES.contains(&word.as_str())) {
        return None;
    }
    let end = ignored.last()?.range.end();
    let range = TextRange::new(ending.range.end().min(end), end);
    let message = format!("nothing behind `{}` is read", short(&ending.text));
    let help = Some("leave it out".to_owned());
    Some(finding(FindingKind::Ignored, range, message, help, Some(String::new())))
}

/// The finding about a path whose first name does not exist.
fn outside(path: &JsonPath, used_for: PathPurpose) -> Option<ExpressionFinding<FindingKind>> {
    let first = below_root(path).first()?;
    let (name, range) = name(first)?;
    let is_plain = !name.is_empty() && name.chars().all(|found| found.is_alphanumeric() || found == '_');
    if !is_plain {
        return None;
    }
    let in_brackets = Around::of(&path.text, range).in_brackets;
    let (kind, container, message) = match used_for {
        PathPurpose::Items if !STATE.iter().any(|(part, _)| *part == name) => (
            FindingKind::OutsideState,
            MEMORY,
            format!("the state has no `{}`, so there are no items", short(name)),
        ),
        PathPurpose::Score if name != UPDATES.0 => (
            FindingKind::OutsideUpdates,
            UPDATES.0,
            format!("an action has no `{}`, so the score is always 0", short(name)),
        ),
        _ => return None,
    };
    // The part itself, mistyped, where something follows it.
    let is_near =
        name.len() <= LONGEST_PART && strsim::osa_distance(&name.to_ascii_lowercase(), container) <= 2;
    let meant = match is_near && below_root(path).len() > 1 {
        true => container.to_owned(),
        false => format!("{container}.{name}"),
    };
    let help = Some(format!("write `$.{}`", short(&meant)));
    let replacement = (!in_brackets).then_some(meant);
    Some(finding(kind, range, message, help, replacement))
}

/// A name as a message shows it.
fn short(name: &str) -> String {
    const LONGEST: usize = 24;
    if name.chars().count() <= LONGEST {
        return name.to_owned();
    }
    let mut cut: String = name.chars().take(LONGEST).collect();
    cut.push('…');
    cut
}

fn whole(text: &str) -> TextRange {
    TextRange::up_to(TextSize::of(text))
}
