// Scopes that a TextMate grammar gives to expressions.
//
// Arguments: the folder with the packages, the grammar file. Input: JSON lines, a text each; output: a JSON line each, a list
// of [start, end, scope] in UTF-16 units, the innermost scope of each token.

const fs = require('fs');
const path = require('path');

const [packages, file] = process.argv.slice(2);
const load = name => require(path.join(packages, 'node_modules', name));
const { loadWASM, OnigScanner, OnigString } = load('vscode-oniguruma');
const { Registry, INITIAL, parseRawGrammar } = load('vscode-textmate');

async function main() {
  const wasm = path.join(packages, 'node_modules/vscode-oniguruma/release/onig.wasm');
  await loadWASM(fs.readFileSync(wasm).buffer);
  const raw = parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new OnigScanner(patterns),
      createOnigString: text => new OnigString(text),
    }),
    loadGrammar: async scope => (scope === raw.scopeName ? raw : null),
  });
  const grammar = await registry.loadGrammar(raw.scopeName);
  // Line feeds alone end a line here; the texts hold other line ends.
  for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(line => line)) {
    const text = JSON.parse(line);
    const { tokens } = grammar.tokenizeLine(text, INITIAL);
    const ends = tokens.map(token => [token.startIndex, Math.min(token.endIndex, text.length)]);
    const scopes = tokens.map(token => (token.scopes.length > 1 ? token.scopes.at(-1) : ''));
    console.log(JSON.stringify(ends.map(([start, end], index) => [start, end, scopes[index]])));
  }
}

main();
