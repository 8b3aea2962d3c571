// What runs leave behind outside nodewise: the checkpoints that the runtime gives to its store.
//   node traces.mjs JOBS.yaml FOLDER     for each job: FOLDER/<name>.checkpoints.jsonl, in the order of saving
//   node traces.mjs FOLDER FILE.jsonl    a row for each job of a folder: its name, its graph and its checkpoints, one behind every node
//
// A job is one of `runs.mjs` whose `graph` and `subgraphs` are paths relative to the file.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { answerRun, onCheckpoint } from './runs.mjs';

const [jobs, folder] = process.argv.slice(2);
const read = async (path) => parse(await readFile(join(dirname(jobs), path), 'utf8'));

if ((await stat(jobs)).isDirectory()) {
  const rows = [];
  for (const run of (await readdir(jobs)).filter((file) => file.endsWith('.yaml')).sort()) {
    const job = parse(await readFile(join(jobs, run), 'utf8'));
    const graph = { ...job.graph, checkpointPolicy: 'every_node' };
    const checkpoints = [];
    onCheckpoint((checkpoint) => checkpoints.push(checkpoint));
    await answerRun({ job: { ...job, graph } });
    if (checkpoints.length) rows.push(`${JSON.stringify({ run, graph, checkpoints })}\n`);
  }
  await writeFile(folder, rows.join(''));
  process.exit(0);
}

for (const document of parseAllDocuments(await readFile(jobs, 'utf8'))) {
  const { name, ...job } = document.toJS();
  const subgraphs = {};
  for (const path of job.subgraphs ?? []) {
    const graph = await read(path);
    subgraphs[graph.id] = graph;
  }
  const saved = [];
  onCheckpoint((checkpoint) => saved.push(checkpoint));
  const { status, crash } = await answerRun({ job: { ...job, graph: await read(job.graph), subgraphs } });
  await writeFile(join(folder, `${name}.checkpoints.jsonl`), saved.map((checkpoint) => `${JSON.stringify(checkpoint)}\n`).join(''));
  console.log(name, status, crash ?? '', saved.length);
}
