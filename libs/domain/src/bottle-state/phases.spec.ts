import { type Phase, silencePhase } from './phases.js';

const AT = new Date('2026-03-02T08:00:00.000Z');

it.each<[Phase | undefined, Parameters<typeof silencePhase>[0]]>([
  [undefined, {}],
  [undefined, { silent_at: AT }],
  ['lasting', { silent: true }],
  ['over', { silent: true, silent_at: AT }],
])('a silence: %s of %j', (phase, state) => expect(silencePhase(state)).toBe(phase));
