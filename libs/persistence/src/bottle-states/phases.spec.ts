import { type BottleState, onContact } from '#domain';
import type { StoredBottleState } from './bottle-state.schema.js';
import { removedBy, toState, toStored, wherePhase } from './phases.js';
import { toUpdate } from './state-update.js';

const AT = new Date('2026-03-02T08:00:00Z');
const ABSENT = { $exists: false };

it.each<[Partial<BottleState>, Partial<StoredBottleState>]>([
  [{ dose_wait: 'lasting' }, { dose_waiting: true, unheard: true }],
  [{ dose_wait: 'over' }, { dose_waiting: true }],
  [{}, { unheard: true }],
  [{ alerted_opening: 'lasting' }, { open_alerted: true, open_unchanged: true }],
  [{ alerted_opening: 'over' }, { open_alerted: true }],
  [{}, { open_unchanged: true }],
  [{ alerted_silence: 'lasting' }, { silent: true }],
  [
    { alerted_silence: 'over', silent_at: AT },
    { silent: true, silent_at: AT },
  ],
  [{ silent_at: AT }, { silent_at: AT }],
  [{}, {}],
])('reads %j of %j', (phases, markers) =>
  expect(toState({ user_id: 'u1', ...markers } as StoredBottleState)).toEqual({ user_id: 'u1', ...phases }),
);

it.each<[Partial<BottleState>, object, string[]]>([
  [{ dose_wait: 'lasting', late: true }, { dose_waiting: true, unheard: true, late: true }, []],
  [{ dose_wait: 'over' }, { dose_waiting: true }, ['unheard']],
  [{ alerted_opening: 'lasting' }, { open_alerted: true, open_unchanged: true }, []],
  [{ alerted_opening: 'over' }, { open_alerted: true }, ['open_unchanged']],
  [{ alerted_silence: 'lasting' }, { silent: true }, []],
  [{ alerted_silence: 'over' }, { silent: true }, []],
  [{ late: true }, { late: true }, []],
])('writes %j as markers', (set, stored, removed) => {
  expect(toStored(set)).toEqual(stored);
  expect(Object.keys(removedBy({ set }))).toEqual(removed);
});

it('ends what lasts, and clears all markers', () => {
  expect(removedBy({ end: ['dose_wait'], clear: ['quiet'] })).toEqual({ quiet: '', unheard: '' });
  expect(removedBy({ end: ['alerted_silence'] })).toEqual({});
  expect(removedBy({ clear: ['alerted_silence'] })).toEqual({ silent: '' });
  expect(removedBy({ clear: ['dose_wait', 'late'] })).toEqual({ dose_waiting: '', unheard: '', late: '' });
});

it('matches the states in a phase', () => {
  expect(wherePhase('dose_wait', 'over')).toEqual({ dose_waiting: true, unheard: null });
  expect(wherePhase('dose_wait', 'lasting')).toEqual({ dose_waiting: true, unheard: true });
  expect(wherePhase('alerted_silence', 'over')).toEqual({ silent: true, silent_at: { $gt: new Date(0) } });
  expect(wherePhase('alerted_silence', 'lasting')).toEqual({ silent: true, silent_at: null });
  expect(wherePhase('dose_wait', undefined)).toEqual({ dose_waiting: ABSENT });
});

it('a contact ends a silence by the deadline that it arms', () => {
  const silent = { user_id: 'u1', silent: true, quiet: 'silent' } as StoredBottleState;
  const { $max, $unset } = toUpdate(onContact(AT, 60));
  expect($unset).not.toHaveProperty('silent');
  expect(toState({ ...silent, ...$max }).alerted_silence).toBe('over');
});
