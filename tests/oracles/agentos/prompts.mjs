// What models are sent: {ask: "prompts", job} -> {requests: [{agent, messages, answer?}]}, in the order of asking.
//
// A loop of a model and tools hands its instructions and the state to the host's function: that is its request here. A judge asks a
// provider by itself: its request is what arrives at the provider's address.
import { sectionsOf, wordsOf } from '../outline.mjs';
import { answerRun, onProviderCall } from './runs.mjs';

const MODEL = 'gpt-4o-mini';
const DECISION = JSON.stringify({ approved: true, confidence: 1, reasoning: 'scripted' });

export async function answerPrompts({ job }) {
  const requests = [];
  const fetch = globalThis.fetch;
  process.env.OPENAI_API_KEY = 'scripted';
  globalThis.fetch = async (address, { body }) => {
    if (String(address).endsWith('/models')) return answered({ object: 'list', data: [{ id: MODEL, object: 'model' }] });
    const { messages, temperature } = JSON.parse(body);
    requests.push({ messages: messages.map(message), answer: namedIn(messages[0].content), temperature });
    const choice = { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: DECISION } };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    return answered({ id: 'c', object: 'chat.completion', choices: [choice], usage });
  };
  onProviderCall((agent, instructions, state) => requests.push({
    agent,
    messages: [
      ...(instructions === undefined ? [] : [{ role: 'system', sections: sectionsOf(instructions) }]),
      { role: 'state', members: Object.keys(state), holds: wordsOf(JSON.stringify(state)) },
    ],
  }));
  try {
    const { status } = await answerRun({ job });
    return { status, requests };
  } finally {
    onProviderCall(undefined);
    globalThis.fetch = fetch;
  }
}

const answered = (body) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });

const message = ({ role, content }) => ({ role, sections: sectionsOf(content) });

/** The members of the answer that a prompt wants, in its order. */
const namedIn = (text) => [...text.matchAll(/"([a-z]+)": /g)].map(([, name]) => name);
