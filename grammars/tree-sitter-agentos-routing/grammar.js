/**
 * The routing expressions of AgentOS.
 *
 * The runtime has no grammar: it cuts the text at operators, and what it cannot cut stands for itself. Here such text is
 * a `bare` node. Operands may be missing, as they may there.
 */

/// <reference types="tree-sitter-cli/dsl" />

const PRECEDENCE = { or: 1, and: 2, comparison: 3 };

const COMPARISONS = ['===', '!==', '==', '!=', '>=', '<=', '>', '<'];

/** An operation whose operands may be missing. */
const cut = ($, precedence, operator) => prec.left(precedence, seq(
  optional(field('left', $._boolean)),
  field('operator', operator),
  optional(field('right', $._boolean)),
));

/** Text that stands for itself: several pieces, or one that is nothing else. */
const bare = ($, ...further) => {
  const pieces = repeat1(choice($._piece, ...further));
  return choice(
    seq(choice($._name, $._symbol, ...further), optional(pieces)),
    seq(choice($._text, $._quote, $._number, $._constant), pieces),
    seq($.partition, optional($._properties), pieces),
  );
};

/** A quoted text without operators, and one with any. */
const plain = quote => `[^${quote}<>=!&|]`;
const uncut = quote => new RegExp(
  `${quote}(${plain(quote)}|[=!&|]${plain(quote)})*[=!&|]?${quote}`,
);
const QUOTED = /'[^']*'|"[^"]*"/;

export default grammar({
  name: 'agentos_routing',

  extras: _ => [/[\t-\r \u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF]/],

  // Whether a `?` is the mark of a choice shows at its `:`; without one it stands for itself.
  conflicts: $ => [
    [$.bare], [$.bare, $.path], [$.bare, $.text], [$.bare, $.number], [$.bare, $.constant],
    [$._compared], [$._compared, $.path], [$._compared, $.text], [$._compared, $.number], [$._compared, $.constant],
  ],

  rules: {
    expression: $ => optional(choice($.conditional, $._boolean)),

    // Its arms are cut no further.
    conditional: $ => prec.dynamic(1, seq(
      field('condition', $._boolean), '?',
      optional(field('consequent', choice($._arm, alias($._consequent, $.bare)))), ':',
      optional(field('alternative', choice($._arm, alias($._alternative, $.bare)))),
    )),

    _boolean: $ => choice($.or, $.and, $.comparison, $._leaf),

    or: $ => cut($, PRECEDENCE.or, '||'),
    and: $ => cut($, PRECEDENCE.and, '&&'),

    // It is cut once: what follows a second operator stands for itself.
    comparison: $ => prec.right(PRECEDENCE.comparison, seq(
      optional(field('left', $._leaf)),
      field('operator', choice(...COMPARISONS)),
      optional(field('right', choice($._leaf_only, alias($._compared, $.bare)))),
    )),

    _leaf: $ => choice($._leaf_only, $.bare),

    _leaf_only: $ => choice($.path, $.text, $.number, $.constant),

    _arm: $ => choice($._leaf_only, alias($._quoted, $.text)),

    bare: $ => bare($, '?'),
    _compared: $ => bare($, ...COMPARISONS, '?'),
    _consequent: $ => bare($, ...COMPARISONS, '||', '&&', '?'),
    _alternative: $ => bare($, ...COMPARISONS, '||', '&&', '?', ':'),

    path: $ => seq($.partition, optional($._properties)),

    _properties: $ => repeat1(prec(1, seq($._dot, $.property))),

    partition: _ => choice('scratch', 'input', 'artifacts', 'memory', 'diagnostics'),

    property: _ => token.immediate(prec(2, /[A-Za-z0-9_]+/)),

    _dot: _ => token.immediate(prec(1, '.')),

    // A lone quote is its own closing one.
    text: $ => choice($._text, $._quote),
    number: $ => $._number,
    constant: $ => $._constant,

    _piece: $ => choice(
      $._name, $._symbol, $._text, $._quote, $._number, $._constant, $.partition, $._dot, $.property,
    ),

    _constant: _ => choice('true', 'false', 'null', 'undefined'),
    _number: _ => token(choice(
      /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/,
      /0[xX][0-9A-Fa-f]+|0[oO][0-7]+|0[bB][01]+/,
      /[+-]?Infinity/,
    )),
    // Quotes do not keep an operator from being one.
    _text: _ => token(choice(uncut("'"), uncut('"'))),
    _quoted: _ => QUOTED,
    _quote: _ => /['"]/,
    _name: _ => /[A-Za-z0-9_]+/,
    _symbol: $ => choice(/[^A-Za-z0-9_\s'"]/, $._template),
    // The runtime reads nothing of a text that holds one.
    _template: $ => seq(choice('{{', '}}'), $.operand),
    operand: _ => /\uFFFF/,
  },
});
