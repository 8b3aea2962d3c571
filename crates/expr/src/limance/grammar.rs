//! The grammar of LimanCE as chumsky parsers over tokens.
//!
//! Input: tokens with an end token; output: a tree. The same parsers are used for two passes. The fast pass only
//! finds out whether there is a fault; the thorough pass says where, and recovers. Invariant: no parser contains
//! itself, because [`super::groups`] has already parsed everything in parentheses.

use chumsky::error::{Cheap, EmptyErr};
use chumsky::extra::{self, ParserExtra, SimpleState};
use chumsky::input::MapExtra;
use chumsky::prelude::{IterParser, Parser, SimpleSpan, any, choice, custom, empty, via_parser};
use chumsky::primitive::select;
use smol_str::SmolStr;
use text_size::TextRange;

use super::groups::{self, Groups, ParseLevel};
use super::lexer::{LimanceLexeme, LimanceToken};
use super::{recovery, text};
use crate::ast::{
    Call, Chain, ChainLink, Compare, CompareOperator, Expr, ExprKind, Grouping, Logic, LogicLink,
    LogicOperator, Not, Path, Segment, Spelling, Text,
};

/// The input of all parsers here.
pub(crate) type Tokens<'t> = &'t [LimanceLexeme<'t>];

/// A condition and its trailing semicolon.
pub(crate) type Condition = (Expr, Option<TextRange>);

/// An operand and the negations before it, which reach further than the operand in the release.
type ReleaseTerm<'t> = (Vec<LimanceLexeme<'t>>, Expr);

/// How a pass treats a fault.
pub(crate) trait Pass<'t>:
    ParserExtra<'t, Tokens<'t>, State = SimpleState<Groups>, Context = ()> + 't
{
    /// Whether parsing continues after a fault.
    const RECOVERS: bool;

    /// The fault of a token that is not allowed at its place.
    fn fault(span: SimpleSpan) -> Self::Error;
}

/// The pass that stops at the first fault, without a message.
type Fast = extra::Full<EmptyErr, SimpleState<Groups>, ()>;

/// The pass that says where the faults are.
type Thorough = extra::Full<Cheap, SimpleState<Groups>, ()>;

impl<'t> Pass<'t> for Fast {
    const RECOVERS: bool = false;

    fn fault(_: SimpleSpan) -> EmptyErr {
        EmptyErr::default()
    }
}

impl<'t> Pass<'t> for Thorough {
    const RECOVERS: bool = true;

    fn fault(span: SimpleSpan) -> Cheap {
        Cheap::new(span)
    }
}

/// Parses levels of the specification, up to the first fault.
struct FastLevels;

/// Parses levels of the specification, and collects the start of each token that is not allowed at its place.
#[derive(Default)]
struct ThoroughLevels {
    faults: Vec<u32>,
}

struct ReleaseLevels;

impl ParseLevel for FastLevels {
    type Output = Condition;

    fn inner(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Expr> {
        run_fast(inside(), tokens, groups)
    }

    fn outermost(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Condition> {
        run_fast(condition(), tokens, groups)
    }

    fn accepts_unclosed(&mut self, _: LimanceLexeme<'_>) -> bool {
        false
    }
}

impl ParseLevel for ThoroughLevels {
    type Output = Condition;

    fn inner(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Expr> {
        self.run(inside(), tokens, groups)
    }

    fn outermost(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Condition> {
        self.run(condition(), tokens, groups)
    }

    fn accepts_unclosed(&mut self, end: LimanceLexeme<'_>) -> bool {
        self.faults.push(end.start);
        true
    }
}

impl ThoroughLevels {
    fn run<'t, O>(
        &mut self,
        parser: impl Parser<'t, Tokens<'t>, O, Thorough>,
        tokens: Tokens<'t>,
        groups: &mut Groups,
    ) -> Option<O> {
        let mut state = SimpleState(std::mem::take(groups));
        let (output, errors) = parser.parse_with_state(tokens, &mut state).into_output_errors();
        *groups = state.0;
        let found = errors.iter().filter_map(|error| tokens.get(error.span().start).or(tokens.last()));
        self.faults.extend(found.map(|lexeme| lexeme.start));
        output
    }
}

impl ParseLevel for ReleaseLevels {
    type Output = Expr;

    fn inner(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Expr> {
        run_fast(release_run(), tokens, groups)
    }

    fn outermost(&mut self, tokens: Tokens<'_>, groups: &mut Groups) -> Option<Expr> {
        run_fast(release_run(), tokens, groups)
    }

    fn accepts_unclosed(&mut self, _: LimanceLexeme<'_>) -> bool {
        false
    }
}

/// Parses a condition; `None` when there is any fault.
pub(crate) fn parse_fast(text: &str, tokens: Tokens<'_>) -> Option<Condition> {
    groups::parse(text, tokens, &mut FastLevels)
}

/// Parses a condition with faults; returns the tree, and the start of each token that is not allowed, in reading order.
pub(crate) fn parse_thorough(text: &str, tokens: Tokens<'_>) -> (Option<Condition>, Vec<u32>) {
    let mut levels = ThoroughLevels::default();
    let condition = groups::parse(text, tokens, &mut levels);
    levels.faults.sort_unstable();
    levels.faults.dedup();
    (condition, levels.faults)
}

/// Parses a condition of the release. Its lexer has already accepted the tokens.
pub(crate) fn parse_release(text: &str, tokens: Tokens<'_>) -> Option<Expr> {
    groups::parse(text, tokens, &mut ReleaseLevels)
}

fn run_fast<'t, O>(
    parser: impl Parser<'t, Tokens<'t>, O, Fast>,
    tokens: Tokens<'t>,
    groups: &mut Groups,
) -> Option<O> {
    let mut state = SimpleState(std::mem::take(groups));
    let output = parser.parse_with_state(tokens, &mut state).into_result().ok();
    *groups = state.0;
    output
}

/// One token of a kind.
pub(crate) fn token<'t, P: Pass<'t>>(
    kind: LimanceToken,
) -> impl Parser<'t, Tokens<'t>, LimanceLexeme<'t>, P> + Clone {
    any().filter(move |lexeme: &LimanceLexeme<'t>| lexeme.kind == kind)
}

fn condition<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Condition, P> {
    or_run()
        .then(token(LimanceToken::Semicolon).map(|semicolon| semicolon.range()).or_not())
        .then(custom(recovery::leftover).or_not())
        .then_ignore(token(LimanceToken::End))
        .map(|((expr, semicolon), leftover)| (with_junk(expr, leftover), semicolon))
}

fn inside<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> {
    or_run()
        .then(custom(recovery::leftover).or_not())
        .then_ignore(token(LimanceToken::End))
        .map(|(expr, leftover)| with_junk(expr, leftover))
}

fn or_run<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> {
    let operand = and_run();
    operand
        .clone()
        .then(token(LimanceToken::Or).then(operand).repeated().collect::<Vec<_>>())
        .map(|(first, rest)| logic(LogicOperator::Or, Grouping::Left, first, rest))
}

fn and_run<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    let operand = negation();
    operand
        .clone()
        .then(token(LimanceToken::And).then(operand).repeated().collect::<Vec<_>>())
        .map(|(first, rest)| logic(LogicOperator::And, Grouping::Left, first, rest))
}

fn negation<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    let operand = choice((group(), comparison())).recover_with(via_parser(missing()));
    token(LimanceToken::Not)
        .repeated()
        .foldr(operand, not)
        .then(custom(recovery::skipped_text).or_not())
        .map(|(expr, skipped_text)| with_junk(expr, skipped_text))
}

fn group<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    select(|lexeme: LimanceLexeme<'t>, extra: &mut MapExtra<'t, '_, Tokens<'t>, P>| {
        extra.state().take(lexeme)
    })
}

fn comparison<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    let first = factor();
    let operand = first.clone().recover_with(via_parser(missing()));
    first
        .then(compare_operator().then(operand).repeated().collect::<Vec<_>>())
        .map(|(first, rest)| comparison_of(first, rest))
}

fn factor<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    choice((path().map(variable), literal(), call()))
}

fn literal<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    select(|lexeme: LimanceLexeme<'t>, _| literal_of(lexeme))
}

fn path<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Path, P> + Clone {
    let word = || token(LimanceToken::Word).map(|word| Some(segment(word)));
    let further = token(LimanceToken::Dot).ignore_then(word().recover_with(via_parser(skipped().to(None))));
    token(LimanceToken::Word).then(further.repeated().collect::<Vec<_>>()).map(|(first, rest)| {
        let mut segments = Vec::with_capacity(rest.len() + 1);
        segments.push(segment(first));
        segments.extend(rest.into_iter().flatten());
        Path { segments }
    })
}

fn call<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    let text = any().filter(|lexeme: &LimanceLexeme<'t>| lexeme.kind == LimanceToken::Text);
    let argument = choice((path().map(variable), text.filter_map(literal_of)));
    let arguments = argument
        .separated_by(token(LimanceToken::Comma))
        .collect::<Vec<_>>()
        .delimited_by(token(LimanceToken::Open), empty())
        .then(token(LimanceToken::Close))
        .map(|(arguments, close)| (arguments, close.range()));
    token(LimanceToken::Builtin)
        .then(arguments.recover_with(via_parser(custom(recovery::arguments))))
        .map(|(name, (arguments, end))| call_of(name, arguments, end))
}

fn compare_operator<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, (CompareOperator, TextRange), P> + Clone
{
    any().filter_map(|lexeme: LimanceLexeme<'t>| Some((compare_operator_of(lexeme.kind)?, lexeme.range())))
}

fn release_run<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> {
    let operator = choice((token(LimanceToken::And), token(LimanceToken::Or)));
    release_term()
        .then(operator.then(release_term()).repeated().collect::<Vec<_>>())
        .map(|(first, rest)| {
            let mut terms = Vec::with_capacity(rest.len() + 1);
            terms.push((None, first));
            terms.extend(rest.into_iter().map(|(operator, term)| (Some(operator), term)));
            fold_right(terms)
        })
        .then_ignore(token(LimanceToken::End))
}

fn release_term<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, ReleaseTerm<'t>, P> {
    let factor = choice((
        token(LimanceToken::Word).map(|word| variable(Path { segments: vec![segment(word)] })),
        select(|lexeme: LimanceLexeme<'t>, _| release_literal(lexeme)),
    ));
    let comparison = factor
        .clone()
        .then(compare_operator().then(factor).or_not())
        .map(|(left, rest)| comparison_of(left, rest.into_iter().collect()));
    token(LimanceToken::Not).repeated().collect::<Vec<_>>().then(choice((group(), comparison)))
}

/// Nothing, where the thorough pass continues although something is missing.
fn skipped<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, (), P> + Clone {
    empty().filter(|()| P::RECOVERS)
}

/// An empty error node in place of an operand.
fn missing<'t, P: Pass<'t>>() -> impl Parser<'t, Tokens<'t>, Expr, P> + Clone {
    any()
        .rewind()
        .filter(|_| P::RECOVERS)
        .map(|next: LimanceLexeme<'t>| Expr { kind: ExprKind::Error(Vec::new()), range: next.empty_range() })
}

/// A tree, with the text after it that could not be read.
fn with_junk(expr: Expr, skipped_text: Option<recovery::SkippedText>) -> Expr {
    let Some(skipped_text) = skipped_text else { return expr };
    let range = expr.range.cover(skipped_text.range);
    let mut parts = Vec::with_capacity(skipped_text.parts.len() + 1);
    parts.push(expr);
    parts.extend(skipped_text.parts);
    Expr { kind: ExprKind::Error(parts), range }
}

/// Groups terms to the right. A negation reaches to the end.
fn fold_right<'t>(terms: Vec<(Option<LimanceLexeme<'t>>, ReleaseTerm<'t>)>) -> Expr {
    let mut run: Vec<(LimanceLexeme<'t>, Expr)> = Vec::new();
    let mut run_operator = LogicOperator::And;
    let mut terms = terms.into_iter().rev();
    let Some((mut operator, (mut negations, mut head))) = terms.next() else {
        return Expr { kind: ExprKind::Error(Vec::new()), range: TextRange::default() };
    };
    for (next_operator, (next_negations, next_head)) in terms {
        let Some(lexeme) = operator else { break };
        let kind = if lexeme.kind == LimanceToken::Or { LogicOperator::Or } else { LogicOperator::And };
        if !negations.is_empty() || (!run.is_empty() && run_operator != kind) {
            head = close_run(run_operator, &mut run, head, negations);
        }
        run_operator = kind;
        run.push((lexeme, head));
        (operator, negations, head) = (next_operator, next_negations, next_head);
    }
    close_run(run_operator, &mut run, head, negations)
}

/// Joins the run that begins with `head`, and applies its negations. `links` has the rest of the run backwards.
fn close_run<'t>(
    operator: LogicOperator,
    links: &mut Vec<(LimanceLexeme<'t>, Expr)>,
    head: Expr,
    negations: Vec<LimanceLexeme<'t>>,
) -> Expr {
    let rest = std::mem::take(links).into_iter().rev().collect();
    let run = logic(operator, Grouping::Right, head, rest);
    negations.into_iter().rev().fold(run, |operand, operator| not(operator, operand))
}

/// The literal of a token of the release, which decodes nothing in texts.
fn release_literal(lexeme: LimanceLexeme<'_>) -> Option<Expr> {
    let mut literal = literal_of(lexeme)?;
    if let ExprKind::Text(text) = &mut literal.kind {
        text.value = SmolStr::new(text::between_quotes(lexeme.text));
    }
    Some(literal)
}

/// A run of one logical operator, or the operand if there is only one.
pub(crate) fn logic(
    operator: LogicOperator,
    grouping: Grouping,
    first: Expr,
    rest: Vec<(LimanceLexeme<'_>, Expr)>,
) -> Expr {
    let Some((_, last)) = rest.last() else { return first };
    let range = first.range.cover(last.range);
    let rest = rest
        .into_iter()
        .map(|(lexeme, operand)| LogicLink {
            spelling: spelling(lexeme),
            operator_range: lexeme.range(),
            operand,
        })
        .collect();
    Expr { kind: ExprKind::Logic(Box::new(Logic { operator, grouping, first, rest })), range }
}

/// A negated operand.
pub(crate) fn not(operator: LimanceLexeme<'_>, operand: Expr) -> Expr {
    let operator_range = operator.range();
    let range = operator_range.cover(operand.range);
    let not = Not { spelling: spelling(operator), operator_range, operand };
    Expr { kind: ExprKind::Not(Box::new(not)), range }
}

/// A comparison, a chain of comparisons, or the operand if there is only one.
pub(crate) fn comparison_of(left: Expr, mut rest: Vec<((CompareOperator, TextRange), Expr)>) -> Expr {
    let Some((_, last)) = rest.last() else { return left };
    let range = left.range.cover(last.range);
    if rest.len() > 1 {
        let rest = rest
            .into_iter()
            .map(|((operator, operator_range), operand)| ChainLink { operator, operator_range, operand })
            .collect();
        return Expr { kind: ExprKind::Chain(Box::new(Chain { first: left, rest })), range };
    }
    match rest.pop() {
        Some(((operator, operator_range), right)) => {
            let compare = Compare { left, operator, operator_range, right };
            Expr { kind: ExprKind::Compare(Box::new(compare)), range }
        }
        None => left,
    }
}

/// A dotted name as a variable.
pub(crate) fn variable(path: Path) -> Expr {
    Expr { range: path.range(), kind: ExprKind::Variable(path) }
}

/// A word as one name of a path.
pub(crate) fn segment(word: LimanceLexeme<'_>) -> Segment {
    Segment { name: SmolStr::new(word.text), range: word.range() }
}

/// The comparison operator of a token.
pub(crate) fn compare_operator_of(token: LimanceToken) -> Option<CompareOperator> {
    Some(match token {
        LimanceToken::Equal => CompareOperator::Equal,
        LimanceToken::NotEqual => CompareOperator::NotEqual,
        LimanceToken::Less => CompareOperator::Less,
        LimanceToken::LessOrEqual => CompareOperator::LessOrEqual,
        LimanceToken::Greater => CompareOperator::Greater,
        LimanceToken::GreaterOrEqual => CompareOperator::GreaterOrEqual,
        LimanceToken::In => CompareOperator::In,
        LimanceToken::NotIn => CompareOperator::NotIn,
        _ => return None,
    })
}

/// The literal of a token.
pub(crate) fn literal_of(lexeme: LimanceLexeme<'_>) -> Option<Expr> {
    let kind = match lexeme.kind {
        LimanceToken::Null => ExprKind::Null,
        LimanceToken::True => ExprKind::Bool(true),
        LimanceToken::False => ExprKind::Bool(false),
        LimanceToken::Number => ExprKind::Number(lexeme.text.parse().ok()?),
        LimanceToken::Text => ExprKind::Text(Text {
            value: text::decode(lexeme.text),
            quote: if lexeme.text.starts_with('"') { '"' } else { '\'' },
        }),
        _ => return None,
    };
    Some(Expr { kind, range: lexeme.range() })
}

fn call_of(name: LimanceLexeme<'_>, arguments: Vec<Expr>, end: TextRange) -> Expr {
    let name_range = name.range();
    let call = Call { name: SmolStr::new(name.text), name_range, arguments };
    Expr { kind: ExprKind::Call(call), range: name_range.cover(end) }
}

fn spelling(operator: LimanceLexeme<'_>) -> Spelling {
    if matches!(operator.text, "and" | "or" | "not") { Spelling::Word } else { Spelling::Symbol }
}

#[cfg(test)]
mod tests {
    use super::{parse_fast, parse_thorough};
    use crate::limance::lexer::lex;

    /// Both passes read the same tree, and the thorough one finds no fault.
    fn check_passes_agree(text: &str) {
        let tokens = lex(text);
        let (thorough, faults) = parse_thorough(text, &tokens);
        assert!(faults.is_empty(), "`{text}`");
        assert_eq!(parse_fast(text, &tokens), thorough, "`{text}`");
        assert!(thorough.is_some(), "`{text}`");
    }

    #[test]
    fn the_passes_agree_on_conditions() {
        for text in [
            "a",
            "(a.b)",
            "!((a or b) and not c);",
            "0 < x <= y.z != 'q'",
            "$is_error(A, 'b', c.d) and ($now() > deadline)",
            "a not in b && (c || (d and not (e)))",
        ] {
            check_passes_agree(text);
        }
    }
}
