/**
 * filtrex 3.1.0 as cycgraph 1.4.0 uses it: conditions of edges and expressions of verifiers.
 *
 * The lexer of the release is part of the language: a keyword swallows the character behind it.
 */

/// <reference types="tree-sitter-cli/dsl" />

const PRECEDENCE = {
  conditional: 1,
  or: 2,
  and: 3,
  membership: 4,
  comparison: 5,
  sum: 6,
  product: 7,
  prefix: 8,
  power: 9,
  of: 10,
};

/** A keyword and what it swallows: `and(b)` has no parenthesis any more. */
const keyword = ($, word) => seq(word, optional($._swallowed));

/** An operation that groups to the left. */
const left = ($, precedence, operator) => prec.left(precedence, seq(
  field('left', $._expression),
  field('operator', operator),
  field('right', $._expression),
));

export default grammar({
  name: 'filtrex',

  extras: _ => [/[\t-\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/],

  word: $ => $.name,

  rules: {
    // `$.` in front counts for nothing.
    expression: $ => seq(optional($.root), $._expression),

    root: _ => token.immediate(prec(2, '$.')),

    _expression: $ => choice(
      $.if,
      $.conditional,
      $.or,
      $.and,
      $.membership,
      $.comparison,
      $.sum,
      $.product,
      $.not,
      $.negation,
      $.power,
      $._operand,
    ),

    if: $ => prec.right(PRECEDENCE.conditional, seq(
      keyword($, 'if'), field('condition', $._expression),
      keyword($, 'then'), field('consequent', $._expression),
      keyword($, 'else'), field('alternative', $._expression),
    )),

    conditional: $ => prec.right(PRECEDENCE.conditional, seq(
      field('condition', $._expression), '?', field('consequent', $._expression),
      ':', field('alternative', $._expression),
    )),

    or: $ => left($, PRECEDENCE.or, keyword($, 'or')),
    and: $ => left($, PRECEDENCE.and, keyword($, 'and')),
    membership: $ => left($, PRECEDENCE.membership, choice(keyword($, 'in'), $.not_in)),
    // A chain leans to the left: `a < b < c` compares neighbours.
    comparison: $ => left($, PRECEDENCE.comparison, choice('==', '!=', '~=', '>=', '<=', '<', '>')),
    sum: $ => left($, PRECEDENCE.sum, choice('+', '-')),
    product: $ => left($, PRECEDENCE.product, choice('*', '/', '%', keyword($, 'mod'))),

    not_in: $ => seq('not', keyword($, 'in')),

    not: $ => prec(PRECEDENCE.prefix, seq(
      field('operator', keyword($, 'not')), field('operand', $._expression),
    )),

    negation: $ => prec(PRECEDENCE.prefix, seq(field('operator', '-'), field('operand', $._expression))),

    power: $ => prec.right(PRECEDENCE.power, seq(
      field('left', $._expression), field('operator', '^'), field('right', $._expression),
    )),

    _operand: $ => choice($.member, $.call, $.path, $.number, $.text, $.group, $.list, $._no_operand),

    member: $ => prec.right(PRECEDENCE.of, seq(
      field('member', alias($.path, $.member_path)), keyword($, 'of'), field('object', $._expression),
    )),

    call: $ => seq(field('function', alias($.path, $.function)), field('arguments', $.arguments)),

    arguments: $ => seq('(', optional(seq($._expression, repeat(seq(',', $._expression)))), ')'),

    group: $ => seq('(', $._expression, ')'),

    list: $ => seq('(', $._expression, repeat1(seq(',', $._expression)), ')'),

    // Names between the dots may be empty.
    path: $ => seq($.name, repeat(seq(alias(token.immediate('.'), '.'), optional($.property)))),

    name: _ => /[A-Za-z_$][A-Za-z0-9_$]*/,

    property: _ => token.immediate(prec(1, /[A-Za-z0-9_$]+/)),

    number: _ => /[0-9]+(\.[0-9]+)?/,

    // Any quote opens and any quote closes.
    text: _ => /["']([^"'\\]|\\["'\\])*["']/,

    _swallowed: _ => token.immediate(prec(1, /[^\sA-Za-z0-9_]/)),

    // Words are reserved, no number runs into a dot, and octal ones have no fraction. Grammars of ABI 14 have no
    // reserved words, so these are read as if an operand followed that no text can hold.
    _no_operand: $ => seq(
      choice('and', 'or', 'in', 'of', 'then', 'else', 'mod', $._malformed_number, $._octal_fraction),
      $.operand,
    ),
    _malformed_number: _ => /[0-9]+(\.[0-9]+)?\./,
    _octal_fraction: _ => token(prec(1, /0[0-7]+\.[0-9]+/)),
    operand: _ => /\uFFFF/,
  },
});
