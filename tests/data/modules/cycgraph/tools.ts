// Tools of all sorts on nodes and agents.
import { agent, graph, node, runTool, tool } from '@cycgraph/orchestrator';
import { z } from 'zod';

const price = tool({
  name: 'price',
  description: 'The price of an article.',
  parameters: z.object({ article: z.string() }),
  execute: async ({ article }: { article: string }) => article.length,
});
const shop = agent({ id: 'shop', model: 'claude-haiku-4-5', instructions: 'Sell.', tools: [price, 'stock', { mcp: 'crm' }] });

const sell = node({ id: 'sell', agent: shop, tools: [price, 'save_to_memory', { mcp: 'crm', tools: ['find'] }, { type: 'custom', name: 'stock' }], writes: 'sold' });
const book = runTool('price', { id: 'book', tools: [price], reads: [sell.writes] });

export const shopping = graph({ name: 'Shopping', nodes: [sell, book], edges: [{ from: sell, to: book }] });
