; extends
; Generated from the tables of the dialects by `cargo xtask generate`.
; A key and its parent key identify a place. The kind of the document is not checked.

; `when` in the list under `nodes`
((pair
    key: (string) @_parent
    value: (array (object (pair
      key: (string) @_key
      value: (string) @injection.content))))
  (#eq? @_parent "\"nodes\"")
  (#eq? @_key "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "limance"))

; `when` in the list under `to`
((pair
    key: (string) @_parent
    value: (array (object (pair
      key: (string) @_key
      value: (string) @injection.content))))
  (#eq? @_parent "\"to\"")
  (#eq? @_key "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "limance"))

; `when` in the list under `llm_nodes`
((pair
    key: (string) @_parent
    value: (array (object (pair
      key: (string) @_key
      value: (string) @injection.content))))
  (#eq? @_parent "\"llm_nodes\"")
  (#eq? @_key "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "limance"))

; `expression` under `verifier_config`
((pair
    key: (string) @_parent
    value: (object (pair
      key: (string) @_key
      value: (string) @injection.content)))
  (#eq? @_parent "\"verifier_config\"")
  (#eq? @_key "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "filtrex"))

; `condition` under `condition`
((pair
    key: (string) @_parent
    value: (object (pair
      key: (string) @_key
      value: (string) @injection.content)))
  (#eq? @_parent "\"condition\"")
  (#eq? @_key "\"condition\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "filtrex"))

; `expr` under `condition`
((pair
    key: (string) @_parent
    value: (object (pair
      key: (string) @_key
      value: (string) @injection.content)))
  (#eq? @_parent "\"condition\"")
  (#eq? @_key "\"expr\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "agentos_routing"))

; `expression` in the list under `judges`
((pair
    key: (string) @_parent
    value: (array (object (pair
      key: (string) @_key
      value: (string) @injection.content))))
  (#eq? @_parent "\"judges\"")
  (#eq? @_key "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.include-children)
  (#set! injection.language "filtrex"))
