// What runs leave behind outside nodewise: the event log of the package, and the spans that it sends.
//   node traces.mjs JOBS.yaml FOLDER     for each job: FOLDER/<name>.events.json, and <name>.spans.json where it asks for spans
//   node traces.mjs FOLDER FILE.jsonl    a row for each scenario of a folder: its name and its event log
//
// A job is a scenario of `runs.mjs` whose `graph` and `graphs` are paths relative to the file. Spans need the packages of
// OpenTelemetry that the orchestrator names as optional, and @opentelemetry/api before 1.10.
process.env.LOG_LEVEL = 'silent';
import { createServer } from 'node:http';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

const [jobs, folder] = process.argv.slice(2);
const { runScenario } = await import('./runs.mjs');
const { initTracing, shutdownTracing } = await import('@cycgraph/orchestrator');
const documents = async (path) => parseAllDocuments(await readFile(path, 'utf8')).map((document) => document.toJS());
const graphOf = async (path) => (await documents(join(dirname(jobs), path))).find((document) => document.nodes);

if ((await stat(jobs)).isDirectory()) {
  const rows = [];
  for (const run of (await readdir(jobs)).filter((file) => file.endsWith('.yaml')).sort()) {
    const read = async (graph) => (typeof graph === 'string' ? (await documents(join(jobs, graph)))[0] : graph);
    const [scenario] = await documents(join(jobs, run));
    const events = [];
    const graphs = await Promise.all((scenario.graphs ?? []).map(read));
    await runScenario({ ...scenario, graph: await read(scenario.graph), graphs }, [], { logged: events });
    if (events.length) rows.push(`${JSON.stringify({ run, events })}\n`);
  }
  await writeFile(folder, rows.join(''));
  process.exit(0);
}

for (const { name, spans, ...job } of await documents(jobs)) {
  const scenario = { ...job, graph: await graphOf(job.graph), graphs: await Promise.all((job.graphs ?? []).map(graphOf)) };
  const logged = [];
  // The spans have the machine's clock.
  const sent = spans ? await collected(() => runScenario(scenario, [], { clocked: (work) => work() })) : [];
  await runScenario(scenario, [], { logged });
  await writeFile(join(folder, `${name}.events.json`), `${JSON.stringify(logged, null, 1)}\n`);
  if (spans) await writeFile(join(folder, `${name}.spans.json`), `${sent.map((body) => JSON.stringify(body)).join('\n')}\n`);
  console.log(name, logged.length);
}

/** The requests that a collector of spans gets while something runs. */
async function collected(work) {
  const bodies = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${server.address().port}`;
  process.env.OTEL_NODE_RESOURCE_DETECTORS = 'none';
  await initTracing('office');
  await work();
  await shutdownTracing();
  server.close();
  return bodies;
}
