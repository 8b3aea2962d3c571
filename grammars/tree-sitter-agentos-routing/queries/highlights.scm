; What a word is, as the language server says it in semantic tokens.

(path (partition) @variable)
(path (property) @property)

(number) @number
(text) @string
(constant) @constant.builtin
(bare) @constant

; Operators in text that stands for itself are none.
(or "||" @operator)
(and "&&" @operator)
(comparison ["===" "!==" "==" "!=" ">=" "<=" ">" "<"] @operator)
(conditional ["?" ":"] @operator)
