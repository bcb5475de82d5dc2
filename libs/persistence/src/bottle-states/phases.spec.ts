import type { BottleState, Phase } from '#domain';
import type { StoredBottleState } from './bottle-state.schema.js';
import { removedBy, toState, toStored, wherePhase } from './phases.js';

const ABSENT = { $exists: false };

it.each<[string, Phase | undefined, Partial<StoredBottleState>]>([
  ['a wait', 'lasting', { dose_waiting: true, unheard: true }],
  ['a wait', 'over', { dose_waiting: true }],
  ['no wait', undefined, { unheard: true }],
  ['no wait', undefined, {}],
])('reads %s of a dose: %s of %j', (_, dose_wait, markers) =>
  expect(toState({ user_id: 'u1', ...markers } as StoredBottleState)).toEqual({
    user_id: 'u1',
    ...(dose_wait && { dose_wait }),
  }),
);

it.each<[Partial<BottleState>, object, string[]]>([
  [{ dose_wait: 'lasting', late: true }, { dose_waiting: true, unheard: true, late: true }, []],
  [{ dose_wait: 'over' }, { dose_waiting: true }, ['unheard']],
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
