//! The colours and letters of pictures, for light and for dark paper.
//!
//! Input: nothing; output: a style sheet without anything that is fetched. Invariant: whatever is set for light paper and is
//! a colour is set for dark paper, too.

/// The style sheet.
pub(super) const STYLE: &str = "\
text{font:13px Arial,Helvetica,'Liberation Sans',sans-serif;fill:#1f2328}\
.title{font-size:14px;font-weight:bold}\
.kind,.label text{font-size:11px;fill:#59636e}\
.paper{fill:#fff;stroke:none}\
.b{fill:#f6f8fa;stroke:#818b98;stroke-width:1.2}\
.agent>.b{fill:#ddf4ff;stroke:#4a9fdc}\
.tool>.b,.function>.b{fill:#dafbe1;stroke:#3fa75a}\
.choice>.b{fill:#fff8c5;stroke:#c59a1f}\
.person>.b{fill:#fbefff;stroke:#ae7ce0}\
.judge>.b{fill:#fff1e5;stroke:#e07b39}\
.many>.b{fill:#d9f5f0;stroke:#2f9e8f}\
.graph>.b,.memory>.b{fill:#eef0f4;stroke:#6e7f96}\
.mark>.b{fill:#e6eaef;stroke:#59636e}\
.nest>.b{fill:#f6f8fa}\
.missing>.b{fill:none;stroke:#d1242f;stroke-dasharray:4 3}\
.lost>.b{stroke-dasharray:3 3;fill-opacity:.35}\
.lost>text{fill:#818b98}\
.error>.b{stroke:#d1242f;stroke-width:2}\
.badge{fill:#d1242f;stroke:#fff}\
.badge-mark{stroke:#fff;stroke-width:1.8;stroke-linecap:round;fill:none}\
.visited>.b{fill:#dafbe1;stroke:#1a7f37;stroke-width:2}\
.failed>.b{fill:#ffebe9;stroke:#cf222e;stroke-width:2}\
.idle>text{fill:#818b98}\
.edge path{fill:none;stroke:#6e7781;stroke-width:1.3}\
.edge.dashed path{stroke-dasharray:6 4}\
.edge.dotted path{stroke-dasharray:1.5 4;stroke-linecap:round}\
.edge.left path{stroke:#afb8c1;stroke-dasharray:4 3}\
.edge.followed path{stroke:#1a7f37;stroke-width:2.2;stroke-dasharray:none}\
.edge.wrong path{stroke:#d1242f;stroke-width:1.6}\
.head{fill:#6e7781}.head-followed{fill:#1a7f37}.head-wrong{fill:#d1242f}\
@media(prefers-color-scheme:dark){\
text{fill:#e6edf3}\
.kind,.label text{fill:#9aa4af}\
.paper{fill:#0d1117}\
.b{fill:#161b22;stroke:#6e7681}\
.agent>.b{fill:#0c2d4d;stroke:#388bfd}\
.tool>.b,.function>.b{fill:#0f2d1b;stroke:#2ea043}\
.choice>.b{fill:#332a0c;stroke:#bb8009}\
.person>.b{fill:#2b1c42;stroke:#8957e5}\
.judge>.b{fill:#3a2012;stroke:#db6d28}\
.many>.b{fill:#0b2f2b;stroke:#2f9e8f}\
.graph>.b,.memory>.b{fill:#1c232d;stroke:#7d8590}\
.mark>.b{fill:#21262d;stroke:#9aa4af}\
.nest>.b{fill:#10151c}\
.missing>.b{fill:none;stroke:#f85149}\
.lost>text{fill:#7d8590}\
.error>.b{stroke:#f85149}\
.badge{fill:#da3633;stroke:#0d1117}\
.visited>.b{fill:#12361f;stroke:#3fb950}\
.failed>.b{fill:#3d1418;stroke:#f85149}\
.idle>text{fill:#7d8590}\
.edge path{stroke:#8b949e}\
.edge.left path{stroke:#484f58}\
.edge.followed path{stroke:#3fb950}\
.edge.wrong path{stroke:#f85149}\
.head{fill:#8b949e}.head-followed{fill:#3fb950}.head-wrong{fill:#f85149}}";
