/**
 * LimanCE, the conditions of Liman: what stands under `when`.
 *
 * The grammar is that of the specification. Names are what `nodewise expr limance` calls them, so that trees compare.
 */

/// <reference types="tree-sitter-cli/dsl" />

const NUMBER = /[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?/;

const PRECEDENCE = { or: 1, and: 2 };

export default grammar({
  name: 'limance',

  extras: _ => [/[ \t\r\n\f]/],

  word: $ => $.name,

  rules: {
    condition: $ => seq(choice($._expression, $.function), optional(';')),

    // A dotted name alone refers to a function of the host.
    function: $ => prec(1, seq($.name, repeat1(seq('.', $.name)))),

    _expression: $ => choice($.or, $.and, $._term),

    or: $ => prec.left(PRECEDENCE.or, seq(
      field('left', $._expression),
      field('operator', choice('or', '||')),
      field('right', $._expression),
    )),

    and: $ => prec.left(PRECEDENCE.and, seq(
      field('left', $._expression),
      field('operator', choice('and', '&&')),
      field('right', $._expression),
    )),

    _term: $ => choice($.not, $.group, $.comparison, $._operand),

    // It takes one term: `not a == b` is `not (a == b)`.
    not: $ => seq(field('operator', choice('not', '!')), field('operand', $._term)),

    group: $ => seq('(', $._expression, ')'),

    // A chain is one node: `a < b < c` compares neighbours. Groups are no operands.
    comparison: $ => seq(
      $._operand,
      repeat1(seq(field('operator', $._comparison_operator), choice($._operand, $._negated))),
    ),

    _comparison_operator: $ => choice('==', '!=', '>=', '<=', '>', '<', 'in', $.not_in),

    not_in: _ => seq('not', 'in'),

    _operand: $ => choice($.path, $.number, $.text, $.true, $.false, $.null, $.call, $._no_operand),

    // A word behind a dot is a name, whatever it is.
    path: $ => seq($.name, repeat(seq('.', $.name))),

    call: $ => seq(field('function', $.builtin), field('arguments', $.arguments)),

    arguments: $ => seq('(', optional(seq($._argument, repeat(seq(',', $._argument)))), ')'),

    // Types of errors; no variable is looked up.
    _argument: $ => choice(alias($.path, $.error_type), $.text),

    name: _ => /[A-Za-z_][A-Za-z0-9_]*/,

    builtin: _ => /\$[A-Za-z_][A-Za-z0-9_]*/,

    number: _ => token(NUMBER),

    text: _ => token(choice(
      /'([^'\\\r\n]|\\[^\r\n])*'/,
      /"([^"\\\r\n]|\\[^\r\n])*"/,
    )),

    true: _ => 'true',
    false: _ => 'false',
    null: _ => 'null',

    // Operators are reserved, comparisons take no negations, and numbers run into nothing. Grammars of ABI 14 have no
    // reserved words, so these are read as if an operand followed that no text can hold.
    _no_operand: $ => seq(choice('and', 'or', 'in', $._malformed_number), $.operand),
    _negated: $ => seq(choice('not', '!'), $.operand),
    _malformed_number: _ => token(seq(NUMBER, /[A-Za-z_.][A-Za-z0-9_.]*/)),
    operand: _ => /\uFFFF/,
  },
});
