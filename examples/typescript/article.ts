import { agent, approval, graph, node, verifier } from '@cycgraph/orchestrator';
import { mem } from './keys.js';

const MODEL = 'claude-sonnet-4-5';

const researcher = agent({ id: 'researcher', model: MODEL, instructions: 'Collect facts about the topic.' });
const writer = agent({ id: 'writer', model: MODEL, instructions: 'Write a short article from the notes.' });

const research = node({ id: 'research', agent: researcher, reads: [mem.topic], writes: mem.notes });
const write = node({ id: 'write', agent: writer, reads: [research.writes], writes: mem.draft });
const long = verifier.expression("memory.draft != ''", { id: 'long', reads: [mem.draft], resultKey: 'is_written' });
const review = approval({ id: 'review', prompt: 'Publish it?', reviewKeys: [mem.draft], reads: [mem.draft] });

/** From a topic to an article that a person has approved. */
export const article = graph({
  name: 'article',
  inputs: mem.inputs,
  nodes: [research, write, long, review],
  edges: [
    { from: research, to: write },
    { from: write, to: long },
    { from: long, to: review, when: 'memory.is_written_passed' },
    { from: long, to: write, when: 'not memory.is_written_passed' },
  ],
});
