import { DECISION_HOLD_MS, type IncidentDecision } from './decision.js';
import { inhibitionBy } from './incident.js';

const at = new Date('2026-03-02T09:00:00Z');
const takes_effect_at = new Date(at.getTime() + DECISION_HOLD_MS);
const decided = (outcome: IncidentDecision['outcome']): IncidentDecision => ({
  outcome,
  by: 'Carol Smith',
  at,
  takes_effect_at,
});
const justBefore = new Date(takes_effect_at.getTime() - 1);

it.each([
  ['undecided', { open: true }, takes_effect_at, 'held'],
  [
    'confirmed, in the time for second thoughts',
    { open: true, decision: decided('confirmed') },
    justBefore,
    'held',
  ],
  ['confirmed, from its end on', { open: true, decision: decided('confirmed') }, takes_effect_at, undefined],
  ['dismissed, while it lasts', { open: true, decision: decided('dismissed') }, takes_effect_at, 'held'],
  ['dismissed by an earlier version', { open: true, dismissed: true }, at, 'held'],
  ['ended undecided', {}, at, undefined],
  ['ended and confirmed', { decision: decided('confirmed') }, at, undefined],
  ['ended and dismissed', { decision: decided('dismissed') }, at, 'cancelled'],
] as const)('an incident that is %s', (_what, incident, now, inhibition) => {
  expect(inhibitionBy(incident, now)).toBe(inhibition);
});
