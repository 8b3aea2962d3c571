// Anchors around the steps of a style, in statements.
import { gmiNode, humanNode, mission, toolNode } from '@framers/agentos/orchestration';
import { z } from 'zod';

const brief = z.object({ subject: z.string(), length: z.number().optional() });
const letter = mission('letter');
letter.input(brief).returns(z.object({ letter: z.string() }));
letter.goal('Draft a letter about {{subject}}');
letter.anchor('sources', toolNode('find_sources', {}, { effectClass: 'read' }), { phase: 'gather' });
letter.anchor('tone', gmiNode({ instructions: 'Check the tone.' }, { guardrails: { output: ['tone'], onViolation: 'warn' } }), {
  phase: 'deliver',
  after: 'produce-artifact',
});
letter.anchor('send', humanNode({ prompt: 'Send it?' }), { required: true });
letter.planner({ strategy: 'linear', maxSteps: 8, parallelTools: false }).autonomy('guided').costCap(2);
letter.policy({ guardrails: [] });

export const sent = letter.compile();
