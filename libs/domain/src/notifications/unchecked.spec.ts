import { sampleAlert } from '../alerts/testing.js';
import type { AlertKind } from '../alerts/alert-kinds.js';
import type { NotificationEvent } from './notification-events.js';
import { ALERT, at, BOTTLE, delivery, NOW } from './testing.js';
import { type StateAtSending, whileUnchecked } from './unchecked.js';

const REMOVAL = { id: BOTTLE, time: at(-60) };

const wait = (
  kind: AlertKind,
  state: StateAtSending | undefined,
  event: NotificationEvent = 'escalated',
  age = 600,
) =>
  whileUnchecked(
    delivery(event, { kind }),
    sampleAlert(kind, { _id: ALERT, bottle_id: BOTTLE, raised_at: at(-age) }),
    state,
    NOW,
  );

const postponed = (): object =>
  expect.objectContaining({ kind: 'postponed', next_attempt_at: at(1) }) as object;

describe('a notification waits for the check', () => {
  it.each<[string, AlertKind, StateAtSending]>([
    ['of doses, after a removal', 'missed_dose', { dose_due_at: NOW, unjudged_removals: [REMOVAL] }],
    ['of doses, after a statement', 'missed_dose', { dose_due_at: NOW, attested_slots: [at(-900)] }],
    ['of doses, after a change of the plan', 'extra_dose', { dose_due_at: NOW, schedule_changed_at: NOW }],
    ['of doses that are judged again', 'missed_dose', { dose_due_at: NOW, judge_again_from: NOW }],
    [
      'of doses, after a report of another bottle of the plan',
      'missed_dose',
      { dose_due_at: NOW, plan_report: ALERT },
    ],
    [
      'of the other bottle of the plan, after a removal',
      'missed_dose',
      { members: [{ dose_due_at: NOW, unjudged_removals: [REMOVAL] }] },
    ],
    ['of the lid, after an action', 'bottle_open', { alerted_opening: 'over' }],
    ['of silence, after a report', 'bottle_silent', { alerted_silence: 'over' }],
    ['of doses, if it is a reminder of a silence', 'bottle_silent', { dose_due_at: NOW }],
    ['of doses of another bottle that has the plan', 'bottle_silent', { leader: { dose_due_at: NOW } }],
  ])('%s', (_what, kind, state) => {
    expect(wait(kind, state)).toEqual(postponed());
    expect(
      wait(kind, { ...state, set_aside: { check: 'doses', error: 'damaged', at: NOW } }),
    ).toBeUndefined();
  });

  it.each<[string, AlertKind, StateAtSending | undefined, NotificationEvent?, number?]>([
    ['nothing was reported', 'missed_dose', { dose_due_at: NOW }],
    ['the check is not due', 'missed_dose', { dose_due_at: at(1), unjudged_removals: [REMOVAL] }],
    ['it lasts', 'bottle_silent', { alerted_silence: 'lasting' }],
    ['it begins a silence', 'bottle_silent', { dose_due_at: NOW }, 'raised'],
    ['another bottle has the plan', 'bottle_silent', { dose_due_at: NOW, leader: { dose_due_at: at(1) } }],
    ['the bottle was erased', 'missed_dose', undefined],
    ['it is an end', 'missed_dose', { dose_due_at: NOW, unjudged_removals: [REMOVAL] }, 'resolved'],
    [
      'the check has only just found it',
      'extra_dose',
      { dose_due_at: NOW, unjudged_removals: [REMOVAL] },
      'raised',
      9,
    ],
    ['no check ends it', 'count_mismatch', { dose_due_at: NOW, unjudged_removals: [REMOVAL] }],
  ])('not if %s', (_what, ...given) => expect(wait(...given)).toBeUndefined());
});
