; What a word is, as the language server says it in semantic tokens.

(path . (name) @variable)
(path "." (name) @property)

(function . (name) @variable)
(function "." (name) @property ".")
(function (name) @function .)

(builtin) @function.builtin
(error_type) @constant

(number) @number
(text) @string
[(true) (false)] @boolean
(null) @constant.builtin

["and" "or" "not" "in"] @keyword.operator
["&&" "||" "!" "==" "!=" ">=" "<=" ">" "<"] @operator

["(" ")"] @punctuation.bracket
["." "," ";"] @punctuation.delimiter
