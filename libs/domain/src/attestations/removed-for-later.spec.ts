import { idOf } from '../bottle-state/testing.js';
import type { SlotJudgement } from '../doses/judge.js';
import type { Attestation, StatementKind } from './attestation.js';
import { asStated } from './removed-for-later.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const SLOT = {
  scheduled_at: at('08:00'),
  early_from: at('06:00'),
  late_at: at('09:00'),
  missed_at: at('12:00'),
  pills: 1,
};
const removal = (time: string) => ({ removal_id: time, time: at(time), pills: 1 });
const TAKEN: SlotJudgement = {
  slot: SLOT,
  phase: 'judged',
  outcome: 'taken_on_time',
  taken_at: at('08:05'),
  pills_taken: 1,
  matched: [removal('08:05')],
  awaiting_contact: false,
};

function stated(
  now: string,
  {
    dose = TAKEN,
    kind = 'not_taken',
    since = [],
  }: { dose?: SlotJudgement; kind?: StatementKind; since?: { time: Date }[] } = {},
) {
  const latest = {
    _id: idOf(1),
    scheduled_at: SLOT.scheduled_at,
    at: at('08:30'),
    attested_by: 'user',
    recorded_by: 'user:u',
    kind,
    outcome: kind,
  } as Attestation;
  const reports = new Map([[SLOT.scheduled_at.getTime(), { latest, earlier: [], last: latest }]]);
  return asStated([dose], since, reports, at(now))[0];
}

it('is late, then missed, by the word of whoever stated it', () => {
  const by = { for_later_by: 'the patient', pills_taken: 0 };
  expect(stated('08:59:59')).toMatchObject({ ...by, phase: 'pending', next_look_at: at('09:00') });
  expect(stated('09:00')).toMatchObject({ ...by, phase: 'late' });
  expect(stated('09:00')).not.toHaveProperty('confirmed_by');
  expect(stated('11:59:59')).toMatchObject({ ...by, phase: 'late', next_look_at: at('12:00') });
  expect(stated('12:00')).toMatchObject({ ...by, phase: 'judged', outcome: 'missed' });
  expect(stated('12:00')).not.toHaveProperty('taken_at');
});

it('a part that was removed for later is not taken either', () => {
  const dose: SlotJudgement = { ...TAKEN, outcome: 'partial' };
  expect(stated('12:00', { dose })).toMatchObject({ outcome: 'missed', pills_taken: 0 });
});

it.each<[string, Parameters<typeof stated>[1]]>([
  ['another statement', { kind: 'skipped' }],
  ['pills that were removed after it, in the window', { since: [{ time: at('12:00') }] }],
  ['pills of the dose that were removed after it', { dose: { ...TAKEN, matched: [removal('08:31')] } }],
  ['a dose that was not taken', { dose: { ...TAKEN, outcome: 'missed', matched: [] } }],
  ['a dose whose outcome is unknown', { dose: { ...TAKEN, outcome: 'unknown', matched: [] } }],
])('what was measured counts: %s', (_title, given) => {
  expect(stated('12:00', given)).toBe(given?.dose ?? TAKEN);
});

it.each([
  ['before the statement, or at it', at('08:30')],
  ['after the window', at('12:00:01')],
])('other pills are not the dose: removed %s', (_title, time) => {
  expect(stated('09:00', { since: [{ time }] })).toMatchObject({ phase: 'late' });
});
