import { openingPhase, type Phase, silencePhase } from './phases.js';

const AT = new Date('2026-03-02T08:00:00.000Z');

it.each<[Phase | undefined, Parameters<typeof silencePhase>[0]]>([
  [undefined, {}],
  [undefined, { silent_at: AT }],
  ['lasting', { silent: true }],
  ['over', { silent: true, silent_at: AT }],
])('a silence: %s of %j', (phase, state) => expect(silencePhase(state)).toBe(phase));

it.each<[Phase | undefined, Parameters<typeof openingPhase>[0]]>([
  [undefined, {}],
  [undefined, { open_unchanged: true }],
  ['lasting', { open_alerted: true, open_unchanged: true }],
  ['over', { open_alerted: true }],
])('an opening: %s of %j', (phase, state) => expect(openingPhase(state)).toBe(phase));
