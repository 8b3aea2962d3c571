// Constants and agents for other modules.
import { agent } from '@cycgraph/orchestrator';

export const KEYS = { question: 'question', sources: 'sources', answer: 'answer' } as const;
export enum Step { Search = 'search', Answer = 'answer' }
export const LIMIT = 2 + 1;
const model = 'claude-sonnet-4-6';
export const finder = agent({ id: 'finder', model, instructions: 'Find sources.' });
export { answerer as writer };
const answerer = agent({ id: 'writer', model, instructions: 'Answer with sources.' });
