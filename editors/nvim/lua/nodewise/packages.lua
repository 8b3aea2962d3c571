--- The packages whose functions build graphs in modules. `cargo xtask generate` writes this file.

---@type string[]
return {
  '@cycgraph/orchestrator',
  '@framers/agentos',
}
