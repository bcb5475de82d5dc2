import type { BottleState } from '#domain';
import type { StoredBottleState } from './bottle-state.schema.js';
import { removedBy, toState, toStored, wherePhase } from './phases.js';

const ABSENT = { $exists: false };

it.each<[Partial<BottleState>, Partial<StoredBottleState>]>([
  [{ dose_wait: 'lasting' }, { dose_waiting: true, unheard: true }],
  [{ dose_wait: 'over' }, { dose_waiting: true }],
  [{}, { unheard: true }],
  [{ alerted_opening: 'lasting' }, { open_alerted: true, open_unchanged: true }],
  [{ alerted_opening: 'over' }, { open_alerted: true }],
  [{}, { open_unchanged: true }],
  [{}, {}],
])('reads %j of %j', (phases, markers) =>
  expect(toState({ user_id: 'u1', ...markers } as StoredBottleState)).toEqual({ user_id: 'u1', ...phases }),
);

it.each<[Partial<BottleState>, object, string[]]>([
  [{ dose_wait: 'lasting', late: true }, { dose_waiting: true, unheard: true, late: true }, []],
  [{ dose_wait: 'over' }, { dose_waiting: true }, ['unheard']],
  [{ alerted_opening: 'lasting' }, { open_alerted: true, open_unchanged: true }, []],
  [{ alerted_opening: 'over' }, { open_alerted: true }, ['open_unchanged']],
  [{ late: true }, { late: true }, []],
])('writes %j as markers', (set, stored, removed) => {
  expect(toStored(set)).toEqual(stored);
  expect(Object.keys(removedBy({ set }))).toEqual(removed);
});

it('ends what lasts, and clears both markers', () => {
  expect(removedBy({ end: ['dose_wait'], clear: ['quiet'] })).toEqual({ quiet: '', unheard: '' });
  expect(removedBy({ clear: ['dose_wait', 'late'] })).toEqual({ dose_waiting: '', unheard: '', late: '' });
});

it('matches the states in a phase', () => {
  expect(wherePhase('dose_wait', 'over')).toEqual({ dose_waiting: true, unheard: null });
  expect(wherePhase('dose_wait', 'lasting')).toEqual({ dose_waiting: true, unheard: true });
  expect(wherePhase('dose_wait', undefined)).toEqual({ dose_waiting: ABSENT });
});
