import { doseWaitPhase, openingPhase, type Phase, silencePhase } from './phases.js';

const AT = new Date('2026-03-02T08:00:00.000Z');

it.each<[Phase, Parameters<typeof silencePhase>[0]]>([
  ['none', {}],
  ['none', { silent_at: AT }],
  ['lasting', { silent: true }],
  ['over', { silent: true, silent_at: AT }],
])('a silence: %s of %j', (phase, state) => expect(silencePhase(state)).toBe(phase));

it.each<[Phase, Parameters<typeof openingPhase>[0]]>([
  ['none', {}],
  ['none', { open_unchanged: true }],
  ['lasting', { open_alerted: true, open_unchanged: true }],
  ['over', { open_alerted: true }],
])('an opening: %s of %j', (phase, state) => expect(openingPhase(state)).toBe(phase));

it.each<[Phase, Parameters<typeof doseWaitPhase>[0]]>([
  ['none', {}],
  ['none', { unheard: true }],
  ['lasting', { dose_waiting: true, unheard: true }],
  ['over', { dose_waiting: true }],
])('a dose that waits for a contact: %s of %j', (phase, state) => expect(doseWaitPhase(state)).toBe(phase));
