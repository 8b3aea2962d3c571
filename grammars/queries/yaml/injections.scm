; extends
; Generated from the tables of the dialects by `cargo xtask generate`.
; A key and its parent key identify a place. The kind of the document is not checked.

; `when` in the list under `nodes`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))))
  (#any-of? @_parent "nodes" "'nodes'" "\"nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))

; `when` in the list under `to`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))))
  (#any-of? @_parent "to" "'to'" "\"to\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))

; `when` in the list under `llm_nodes`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#set! injection.language "limance"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))))
  (#any-of? @_parent "llm_nodes" "'llm_nodes'" "\"llm_nodes\"")
  (#any-of? @_key "when" "'when'" "\"when\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "limance"))

; `expression` under `verifier_config`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "verifier_config" "'verifier_config'" "\"verifier_config\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))

; `condition` under `condition`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "condition" "'condition'" "\"condition\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))

; `expr` under `condition`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#set! injection.language "agentos_routing"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "agentos_routing"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "agentos_routing"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "agentos_routing"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "agentos_routing"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#set! injection.language "agentos_routing"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))
  (#any-of? @_parent "condition" "'condition'" "\"condition\"")
  (#any-of? @_key "expr" "'expr'" "\"expr\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "agentos_routing"))

; `expression` in the list under `judges`
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#not-match? @injection.content "^[|>][-+0-9]")
  (#offset! @injection.content 0 1 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#match? @injection.content "^[|>][-+0-9]")
  (#not-match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 2 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (block_node (block_mapping (block_mapping_pair
      key: (flow_node) @_key
      value: (block_node (block_scalar) @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#match? @injection.content "^[|>][-+0-9][-+0-9]")
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content)))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#set! injection.language "filtrex"))
((block_mapping_pair
    key: (flow_node) @_parent
    value: (block_node (block_sequence (block_sequence_item (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node (plain_scalar (_) @injection.content))))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#set! injection.language "filtrex"))
((_
    key: (flow_node) @_parent
    value: (flow_node (flow_sequence (flow_node (flow_mapping (flow_pair
      key: (flow_node) @_key
      value: (flow_node [(double_quote_scalar) (single_quote_scalar)] @injection.content)))))))
  (#any-of? @_parent "judges" "'judges'" "\"judges\"")
  (#any-of? @_key "expression" "'expression'" "\"expression\"")
  (#offset! @injection.content 0 1 0 -1)
  (#set! injection.language "filtrex"))
