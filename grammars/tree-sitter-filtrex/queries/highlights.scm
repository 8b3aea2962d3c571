; What a word is, as the language server says it in semantic tokens.

(root) @punctuation.special

(path (name) @variable)
(path (property) @property)
(member_path (name) @property)
(member_path (property) @property)

((function) @function.builtin
  (#any-of? @function.builtin
    "abs" "ceil" "floor" "round" "sqrt" "log" "log2" "log10" "max" "min" "exists" "empty" "length" "lower" "upper"
    "typeof" "includes" "number"))
((function) @function
  (#not-any-of? @function
    "abs" "ceil" "floor" "round" "sqrt" "log" "log2" "log10" "max" "min" "exists" "empty" "length" "lower" "upper"
    "typeof" "includes" "number"))

(number) @number
(text) @string

["and" "or" "not" "in" "of" "mod"] @keyword.operator
["if" "then" "else"] @keyword.conditional
["==" "!=" "~=" ">=" "<=" "<" ">" "+" "-" "*" "/" "%" "^" "?" ":"] @operator

["(" ")"] @punctuation.bracket
["." ","] @punctuation.delimiter
