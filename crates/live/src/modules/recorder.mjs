// Loads one module in a process of its own, and records the graphs that it builds.
//
// Input: a job as JSON in the first argument: {module, name, mark, call}. Output: one line on standard output, the mark and JSON.
// What the module prints goes to standard error. Invariant: no graph runs, and no connection is opened: a call that runs a
// graph waits forever, and the process ends when nothing else is left to do.

import crypto from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const job = JSON.parse(process.argv[2]);
const entry = pathToFileURL(job.module).href;
const self = import.meta.url;
/** How long a module may go on after it is loaded, in milliseconds. */
const GRACE = 1000;

// ---- The answer -------------------------------------------------------------------------------------------------------

/** What was built, in the order of building: {system, builder, place, parts, exports, value(), agents()}. */
const records = [];
/** The record of an object that stands for a graph. */
const known = new Map();
/** The ids that were made up, in order. */
const minted = [];
let fault = null;
let stopped = null;
let left = null;
let isWritten = false;

const write = process.stderr.write.bind(process.stderr);
process.stdout.write = (...words) => write(...words);

function answer() {
  if (isWritten) return;
  isWritten = true;
  const graphs = records.flatMap((record) => {
    try {
      const value = JSON.parse(JSON.stringify(record.value()));
      const agents = JSON.parse(JSON.stringify(record.agents?.() ?? []));
      const { system, builder, place, parts, exports } = record;
      return [{ system, builder, place, parts: parts ?? {}, exports, value, agents }];
    } catch (error) {
      fault ??= described(error);
      return [];
    }
  });
  const files = [...loaded].map((url) => fileURLToPath(url)).sort();
  const text = JSON.stringify({ node: process.version, graphs, minted, files, fault, stopped, left });
  const bytes = Buffer.from(`\n${job.mark}${text}\n`);
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += fs.writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

const exit = process.exit.bind(process);
process.exit = (code) => {
  left = { code: code ?? process.exitCode ?? 0, place: here() };
  answer();
  exit(0);
};
process.on('exit', answer);

// ---- Places -----------------------------------------------------------------------------------------------------------

/** Whether a file belongs to the project: not to Node, not to a package, not to this program. */
function isOwn(file) {
  return Boolean(file) && file !== self && !file.includes('/node_modules/') && !file.includes('\\node_modules\\')
    && (file.startsWith('file:') || path.isAbsolute(file));
}

function placeAt(file, line, column) {
  const name = file.startsWith('file:') ? fileURLToPath(file) : file;
  const entry = (nodeModule.findSourceMap(file) ?? nodeModule.findSourceMap(name))?.findEntry(line - 1, column - 1);
  if (entry?.originalLine !== undefined) return { file: name, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
  return { file: name, line, column };
}

/** The files and places of the calls that are under way, the innermost first, without this program. */
function callers() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 60;
  Error.prepareStackTrace = (_, sites) => sites;
  const sites = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const named = sites.map((site) => [site.getFileName() ?? site.getScriptNameOrSourceURL(), site]);
  return named.filter(([file]) => file !== self);
}

/** Where the project's own code called. */
function here() {
  const own = callers().find(([file]) => isOwn(file));
  return own ? placeAt(own[0], own[1].getLineNumber(), own[1].getColumnNumber()) : null;
}

/** What went wrong, and where in the project. */
function described(error) {
  const name = error?.name ?? 'Error';
  let message = String(error?.message ?? error).split('\n')[0];
  const missing = /Cannot find (?:package|module) '([^']+)' imported from (.+)$/.exec(message);
  if (missing) return { name, message, missing: missing[1], place: { file: nameOf(missing[2]), line: null } };
  const issue = name === 'ZodError' ? error.issues?.[0] : null;
  if (issue) message = `${issue.path.join('.')}: ${issue.message}`;
  const location = error?.errors?.[0]?.location;
  if (location) return { name: 'SyntaxError', message: error.errors[0].text, place: { file: location.file, line: location.line, column: location.column + 1 } };
  for (const [, file, line, column] of String(error?.stack ?? '').matchAll(/(file:\/\/[^\s)]+?|(?:\/|[A-Z]:\\)[^\s():]+):(\d+)(?::(\d+))?/g)) {
    if (isOwn(file)) return { name, message, place: { file: nameOf(file), line: Number(line), column: column ? Number(column) : null } };
  }
  return { name, message, place: error?.place ?? null };
}

function nameOf(file) {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

// ---- What the module finds around it ------------------------------------------------------------------------------------

// Ids that are made up are the same in each process, so that two answers are equal; other modules have others.
const family = crypto.createHash('sha256').update(job.name).digest('hex').slice(0, 8);
crypto.randomUUID = () => {
  const id = `${family}-0000-4000-8000-${String(minted.length + 1).padStart(12, '0')}`;
  minted.push(id);
  return id;
};
globalThis.crypto.randomUUID = crypto.randomUUID;

net.Socket.prototype.connect = function refused() {
  const error = new Error('the module opens a connection while it is loaded, which `nodewise import` does not allow');
  error.place = here();
  throw error;
};
nodeModule.syncBuiltinESMExports();
process.setSourceMapsEnabled?.(true);

// ---- The packages -------------------------------------------------------------------------------------------------------

/** Where parts of graphs were made. */
const places = new WeakMap();

function record(one, ...objects) {
  records.push({ exports: [], ...one });
  for (const object of objects) known.set(object, records.at(-1));
}

/** A call that runs a graph: it never ends. */
function halt(what) {
  stopped ??= { what, place: here() };
  setTimeout(finish, GRACE).unref();
  return new Promise(() => {});
}

function haltedStream(what) {
  const never = () => halt(what);
  return { [Symbol.asyncIterator]() { return this; }, next: never, return: async () => ({ done: true }) };
}

/** The same function, which remembers where its result was made. */
function placed(make) {
  return (...given) => {
    const value = make(...given);
    if (value !== null && typeof value === 'object') places.set(value, here());
    return value;
  };
}

const NODES = ['node', 'supervisor', 'mapReduce', 'voting', 'evolution', 'reflection', 'approval', 'router', 'synthesizer', 'runTool', 'subgraph', 'a2a'];
const RUNS = ['run', 'runRecorded', 'fork', 'forkEach', 'forkInChild'];

function cycgraph(real) {
  const wrapped = {};
  for (const name of [...NODES, 'agent']) if (real[name]) wrapped[name] = placed(real[name]);
  if (real.verifier) wrapped.verifier = Object.fromEntries(Object.entries(real.verifier).map(([name, make]) => [name, placed(make)]));
  for (const name of ['graph', 'createGraph']) {
    if (!real[name]) continue;
    wrapped[name] = (spec, ...rest) => {
      const place = here();
      const built = real[name](spec, ...rest);
      const nodes = Array.isArray(spec?.nodes) ? spec.nodes : [];
      const parts = Object.fromEntries(nodes.filter((node) => places.has(node)).map((node) => [node.id, places.get(node)]));
      record({ system: 'cycgraph', builder: name, place, parts, value: () => built, agents: () => real.agentsForGraph?.(built) }, built);
      return built;
    };
  }
  for (const name of RUNS) if (real[name]) wrapped[name] = () => halt(name);
  const runner = real.GraphRunner?.prototype;
  if (runner?.run) runner.run = () => halt('GraphRunner.run');
  if (runner?.stream) runner.stream = () => haltedStream('GraphRunner.stream');
  return wrapped;
}

/** Replaces a method once, however often the class is imported. */
const patched = new WeakMap();
function patch(prototype, name, make) {
  if (typeof prototype?.[name] !== 'function') return;
  const names = patched.get(prototype) ?? new Set();
  if (names.has(name)) return;
  patched.set(prototype, names.add(name));
  prototype[name] = make(prototype[name]);
}

function patchRuns(prototype, what) {
  for (const name of ['invoke', 'resume', 'run']) patch(prototype, name, () => () => halt(`${what}.${name}`));
  for (const name of ['stream', 'streamResume', 'streamFrom']) patch(prototype, name, () => () => haltedStream(`${what}.${name}`));
}

/** A builder of AgentOS: where its nodes are written, and what it compiles to. */
function patchBuilder(prototype, builder, steps) {
  for (const name of steps) {
    patch(prototype, name, (original) => function step(id, ...rest) {
      const parts = places.get(this) ?? {};
      if (typeof id === 'string') parts[id] ??= here();
      places.set(this, parts);
      return original.call(this, id, ...rest);
    });
  }
  patch(prototype, 'compile', (original) => function compile(...given) {
    const place = here();
    const compiled = original.apply(this, given);
    record({ system: 'agentos', builder, place, parts: places.get(this), value: () => compiled.toIR() }, compiled);
    const shape = Object.getPrototypeOf(compiled);
    for (const name of ['toIR', 'toWorkflow']) {
      patch(shape, name, (toGraph) => function graphOf(...words) {
        const graph = toGraph.apply(this, words);
        if (known.has(this)) known.set(graph, known.get(this));
        return graph;
      });
    }
    patchRuns(shape, builder);
    return compiled;
  });
}

function recordLiteral(builder, graph) {
  if (!known.has(graph) && systemOfValue(graph)) {
    record({ system: systemOfValue(graph), builder, place: here(), value: () => graph }, graph);
  }
}

function agentos(real) {
  if (real.AgentGraph) patchBuilder(real.AgentGraph.prototype, 'AgentGraph', ['addNode']);
  if (real.workflow) patchBuilder(Object.getPrototypeOf(real.workflow('a')), 'workflow', ['step', 'then']);
  if (real.mission) patchBuilder(Object.getPrototypeOf(real.mission('a')), 'mission', ['anchor']);
  const runtime = real.GraphRuntime?.prototype;
  for (const name of ['invoke', 'stream', 'resume']) {
    patch(runtime, name, () => function run(graph) {
      recordLiteral(`GraphRuntime.${name}`, graph);
      return name === 'stream' ? haltedStream('GraphRuntime.stream') : halt(`GraphRuntime.${name}`);
    });
  }
  patch(real.GraphValidator, 'validate', (original) => function validate(graph, ...rest) {
    // The package itself validates what it compiles.
    if (isOwn(callers()[0]?.[0])) recordLiteral('GraphValidator.validate', graph);
    return original.call(this, graph, ...rest);
  });
  return {};
}

/** The system of an object that has the shape of a whole graph. */
function systemOfValue(value) {
  if (value === null || typeof value !== 'object' || !Array.isArray(value.nodes) || !Array.isArray(value.edges)) return null;
  if (value.stateSchema || value.nodes.some((node) => node?.executorConfig)) return 'agentos';
  if (typeof value.start_node === 'string') return 'cycgraph';
  return null;
}

const SYSTEMS = { cycgraph: { wrap: cycgraph, names: [...NODES, ...RUNS, 'agent', 'verifier', 'graph', 'createGraph'] }, agentos: { wrap: agentos, names: [] } };
const HANDLE = Symbol.for('nodewise.recorder');
globalThis[HANDLE] = { cycgraph, agentos };

function systemOfPackage(specifier) {
  if (specifier === '@cycgraph/orchestrator') return 'cycgraph';
  if (specifier === '@framers/agentos/orchestration' || specifier.startsWith('@framers/agentos/orchestration/')) return 'agentos';
  return null;
}

/** A module that exports what the package exports, with the builders that are recorded. */
function wrapperSource(system, real) {
  const from = JSON.stringify(real);
  const names = SYSTEMS[system].names.map((name) => `export const ${name} = wrapped.${name};`);
  return [
    `import * as real from ${from};`,
    `export * from ${from};`,
    `const wrapped = globalThis[Symbol.for('nodewise.recorder')].${system}(real);`,
    ...names,
  ].join('\n');
}

// ---- Loading TypeScript ---------------------------------------------------------------------------------------------------

const WRAPPER = 'nodewise-recorder:';
const TYPESCRIPT = /\.(?:ts|mts|cts|tsx)$/;
/** The project's own modules. */
const loaded = new Set();

/** What a path may mean in TypeScript, where it is not the name of a file. */
function candidates(url) {
  const file = url.replace(/[?#].*$/, '');
  const found = [];
  for (const [from, to] of [['.js', ['.ts', '.tsx']], ['.mjs', ['.mts']], ['.cjs', ['.cts']], ['.jsx', ['.tsx']]]) {
    if (file.endsWith(from)) found.push(...to.map((ending) => file.slice(0, -from.length) + ending));
  }
  const endings = ['.ts', '.tsx', '.mts', '.js', '.mjs'];
  return [...found, ...endings.map((ending) => file + ending), ...endings.map((ending) => `${file.replace(/\/$/, '')}/index${ending}`)];
}

/** What `paths` of the nearest tsconfig.json say about a name. */
function mapped(specifier, parent) {
  for (let folder = path.dirname(fileURLToPath(parent)); ; folder = path.dirname(folder)) {
    const config = path.join(folder, 'tsconfig.json');
    if (fs.existsSync(config)) return mappedBy(config, specifier);
    if (folder === path.dirname(folder)) return [];
  }
}

function mappedBy(config, specifier) {
  let options;
  try {
    const text = fs.readFileSync(config, 'utf8');
    const plain = text.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted) => quoted ?? '');
    options = JSON.parse(plain.replace(/,(\s*[}\]])/g, '$1')).compilerOptions ?? {};
  } catch {
    return [];
  }
  const base = path.resolve(path.dirname(config), options.baseUrl ?? '.');
  return Object.entries(options.paths ?? {}).flatMap(([pattern, targets]) => {
    const [before, after] = pattern.split('*');
    const fits = after === undefined ? specifier === pattern : specifier.startsWith(before) && specifier.endsWith(after);
    const middle = after === undefined ? '' : specifier.slice(before.length, specifier.length - after.length);
    return fits ? targets.map((target) => pathToFileURL(path.resolve(base, target.replace('*', middle))).href) : [];
  });
}

function resolved(specifier, context, next) {
  try {
    return next(specifier, context);
  } catch (error) {
    const parent = context.parentURL;
    if (!parent?.startsWith('file:') || !isOwn(parent)) throw error;
    const isPath = /^(?:\.{0,2}\/|file:)/.test(specifier);
    const urls = isPath ? [new URL(specifier, parent).href] : mapped(specifier, parent);
    for (const url of urls.flatMap((url) => [url, ...candidates(url)])) {
      const file = fileURLToPath(url);
      if (fs.existsSync(file) && fs.statSync(file).isFile()) return { url, shortCircuit: true };
    }
    throw error;
  }
}

let compile = null;

/** What makes JavaScript of TypeScript: the project's esbuild, the project's TypeScript, or Node. */
function compiler() {
  const require = nodeModule.createRequire(entry);
  const found = (load) => { try { return load(); } catch { return null; } };
  const esbuild = found(() => require('esbuild'))
    ?? found(() => nodeModule.createRequire(require.resolve('tsx/package.json'))('esbuild'));
  if (esbuild?.transformSync) {
    return (source, file) => esbuild.transformSync(source, {
      loader: file.endsWith('x') ? 'tsx' : 'ts', format: 'esm', target: 'node22', sourcemap: 'inline', sourcefile: file, logLevel: 'silent',
    }).code;
  }
  const typescript = found(() => require('typescript'));
  if (typeof typescript?.transpileModule === 'function') {
    const { ESNext } = typescript.ModuleKind;
    const compilerOptions = { module: ESNext, target: typescript.ScriptTarget.ES2022, inlineSourceMap: true, jsx: typescript.JsxEmit?.ReactJSX };
    return (source, file) => typescript.transpileModule(source, { fileName: file, compilerOptions }).outputText;
  }
  const strip = nodeModule.stripTypeScriptTypes;
  if (!strip) {
    return (source, file) => {
      const error = new Error(`Node ${process.version} cannot read TypeScript, and the project has neither tsx, esbuild nor typescript`);
      error.place = { file, line: null };
      throw error;
    };
  }
  return (source, file) => {
    try {
      return strip(source, { mode: 'strip' });
    } catch (error) {
      if (error.code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') throw error;
      return strip(source, { mode: 'transform', sourceMap: true, sourceUrl: file });
    }
  };
}

function load(url, context, next) {
  if (url.startsWith(WRAPPER)) {
    const [system, real] = url.slice(WRAPPER.length).split('?');
    return { format: 'module', source: wrapperSource(system, decodeURIComponent(real)), shortCircuit: true };
  }
  if (url.startsWith('file:') && isOwn(url)) {
    loaded.add(url.replace(/[?#].*$/, ''));
    const file = fileURLToPath(url);
    if (TYPESCRIPT.test(file)) {
      compile ??= compiler();
      let source;
      try {
        source = compile(fs.readFileSync(file, 'utf8'), file);
      } catch (error) {
        error.place ??= { file, line: null };
        throw error;
      }
      return { format: 'module', source, shortCircuit: true };
    }
  }
  return next(url, context);
}

function resolve(specifier, context, next) {
  const system = systemOfPackage(specifier);
  const found = resolved(specifier, context, next);
  if (system && isOwn(context.parentURL)) {
    return { url: `${WRAPPER}${system}?${encodeURIComponent(found.url)}`, format: 'module', shortCircuit: true };
  }
  return found;
}

// ---- The run ------------------------------------------------------------------------------------------------------------

/** Finds the graphs among what a module exports. */
function readExports(namespace) {
  for (const name of Object.keys(namespace).sort()) {
    const value = namespace[name];
    readExport(name, value, true);
  }
}

function readExport(name, value, isTop) {
  if (value === null || typeof value !== 'object') return;
  if (!known.has(value) && systemOfValue(value)) {
    record({ system: systemOfValue(value), builder: 'export', place: null, value: () => value }, value);
  }
  if (known.has(value)) known.get(value).exports.push(name);
  else if (isTop && (Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)) {
    for (const key of Object.keys(value)) readExport(`${name}.${key}`, value[key], false);
  }
}

/** Calls the functions that the job names, without arguments. */
async function call(namespace) {
  for (const name of job.call) {
    if (typeof namespace[name] !== 'function') throw new Error(`the module exports no function \`${name}\``);
    const value = await namespace[name]();
    readExport(`${name}()`, value, true);
  }
}

let isFinishing = false;
async function finish() {
  if (isFinishing) return;
  isFinishing = true;
  for (const url of [...loaded].sort()) {
    // A module that still waits for a graph that runs has no exports yet.
    const late = new Promise((done) => { setTimeout(done, 50, null); });
    const namespace = await Promise.race([import(url).catch(() => null), late]);
    if (namespace) readExports(namespace);
  }
  answer();
  exit(0);
}

function failed(error) {
  fault ??= described(error);
  return finish();
}

if (!nodeModule.registerHooks) {
  fault = { name: 'Error', message: `Node ${process.version} is too old`, tooOld: true, place: null };
  answer();
  exit(0);
}
nodeModule.registerHooks({ resolve, load });
process.on('uncaughtException', failed);
process.on('unhandledRejection', failed);
process.on('beforeExit', () => { void finish(); });
import(entry).then(async (namespace) => {
  await call(namespace);
  setTimeout(finish, GRACE).unref();
}).catch(failed);
