// Every option of an evolution.
import { agent, evolution, graph } from '@cycgraph/orchestrator';

const poet = agent({ model: 'claude-sonnet-4-6', instructions: 'Write a slogan.', temperature: 0.9 });
const critic = agent({ model: 'claude-sonnet-4-6', instructions: 'Score the slogan.' });

const breed = evolution(poet, {
  id: 'breed',
  evaluator: critic,
  populationSize: 6,
  maxGenerations: 4,
  fitnessThreshold: 0.95,
  stagnationGenerations: 2,
  selection: 'tournament',
  tournamentSize: 2,
  eliteCount: 1,
  concurrency: 3,
  criteria: 'short and true',
  onError: 'best_effort',
  initialTemperature: 1,
  finalTemperature: 0.2,
  taskTimeoutMs: 15_000,
  writes: [],
});

export const slogans = graph({ name: 'Slogans', nodes: [breed], edges: [] });
