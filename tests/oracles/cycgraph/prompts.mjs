// What models are sent: {ask: "prompts", scenario} -> {requests: [{agent, messages, tools?, answer?}]}, in the order of asking.
import { membersOf, sectionsOf, wordsOf } from '../outline.mjs';
import { runScenario } from './runs.mjs';

export async function answerPrompts({ scenario }) {
  const asked = [];
  const { refused, status, error } = await runScenario(scenario, asked);
  if (refused) return { refused };
  return { status, ...(error ? { error: error.name } : {}), requests: asked.map(request) };
}

function request({ agent, options }) {
  const schema = options.responseFormat?.schema;
  return {
    agent,
    messages: options.prompt.map(message),
    ...(options.tools?.length ? { tools: options.tools.map(tool) } : {}),
    ...(schema ? { answer: membersOf(schema) } : {}),
  };
}

const tool = ({ name, inputSchema }) => ({ name, arguments: membersOf(inputSchema) });

function message({ role, content }) {
  if (typeof content === 'string') return { role, sections: sectionsOf(content) };
  const of = (type) => content.filter((part) => part.type === type);
  const text = of('text').map((part) => part.text).join('\n');
  const [calls, results] = [of('tool-call'), of('tool-result')];
  return {
    role,
    ...(text ? { sections: sectionsOf(text) } : {}),
    ...(calls.length ? { calls: calls.map(({ toolName, input }) => ({ tool: toolName, holds: wordsOf(JSON.stringify(input)) })) } : {}),
    ...(results.length ? { results: results.map(({ output }) => wordsOf(JSON.stringify(output.value))) } : {}),
  };
}
