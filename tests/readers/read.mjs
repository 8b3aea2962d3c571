// Reads diagrams with the programs that they are for: Mermaid, Graphviz, an XML parser.
//
// Input: the folder with this program's packages is the current one; the argument is a folder of files that end in `.md`,
// `.dot` and `.svg`. Output: how many were read; each that is refused with the reason, and then exit code 1.

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('<!doctype html><body></body>')
globalThis.window = window
globalThis.document = window.document
const { default: mermaid } = await import('mermaid')
const { Graphviz } = await import('@hpcc-js/wasm-graphviz')
const { DOMParser, onErrorStopParsing } = await import('@xmldom/xmldom')

mermaid.initialize({ startOnLoad: false, maxTextSize: 10_000_000, maxEdges: 100_000 })

const blocks = (text) => [...text.matchAll(/^```mermaid\n([\s\S]*?)^```$/gm)].map((match) => match[1])

const readers = {
  async md(text) {
    const found = blocks(text)
    const headings = text.split('\n').filter((line) => line.startsWith('## ')).length
    if (found.length !== headings) throw new Error(`${headings} headings, ${found.length} diagrams`)
    for (const block of found) {
      const parsed = await mermaid.parse(block)
      if (!parsed.diagramType.startsWith('flowchart')) throw new Error(`read as ${parsed.diagramType}`)
      // What the parser made of it: as many nodes and edges as were written, and the labels whole.
      const diagram = await mermaid.mermaidAPI.getDiagramFromText(block)
      const nodes = block.split('\n').filter((line) => /^\s*g\d+(n\d+)+[^ n\d]/.test(line)).length
      const edges = block.split('\n').filter((line) => /^\s*g\d+(n\d+)+ (-->|-\.->|==>)/.test(line)).length
      if (diagram.db.getEdges().length !== edges) throw new Error(`${edges} edges, ${diagram.db.getEdges().length} read`)
      const vertices = [...diagram.db.getVertices().keys()].filter((id) => /^g\d/.test(id)).length
      const clusters = new Set(diagram.db.getSubGraphs().map((cluster) => cluster.id))
      const plain = [...diagram.db.getVertices().keys()].filter((id) => !clusters.has(id)).length
      if (plain !== nodes) throw new Error(`${nodes} nodes, ${plain} of ${vertices} read`)
    }
    return found.length
  },
  async dot(text) {
    // Each text has an instance of its own: one that has read very many fails by itself.
    const graphviz = await Graphviz.load()
    try {
      graphviz.layout(text, 'svg', 'dot')
    } finally {
      Graphviz.unload()
    }
    return 1
  },
  async svg(text) {
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(text, 'image/svg+xml')
    for (const name of ['script', 'foreignObject', 'image', 'use', 'a']) {
      if (document.getElementsByTagName(name).length > 0) throw new Error(`holds <${name}>`)
    }
    for (const element of document.getElementsByTagName('*')) {
      for (const attribute of element.attributes) {
        if (/^on|href$/i.test(attribute.name)) throw new Error(`holds ${attribute.name}`)
      }
    }
    return 1
  },
}

const folder = process.argv[2]
const counts = {}
let refused = 0
for (const name of readdirSync(folder).sort()) {
  const ending = name.split('.').pop()
  const read = readers[ending]
  if (!read) continue
  try {
    counts[ending] = (counts[ending] ?? 0) + (await read(readFileSync(join(folder, name), 'utf8')))
  } catch (error) {
    refused += 1
    console.log(`${name}: ${error.message ?? error}`)
  }
}
console.log(`read ${counts.md ?? 0} Mermaid diagrams, ${counts.dot ?? 0} DOT files, ${counts.svg ?? 0} pictures; ${refused} refused`)
process.exit(refused > 0 || !counts.md || !counts.dot || !counts.svg ? 1 : 0)
