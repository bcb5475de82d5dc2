import { HOUR_MS } from '../../../time/durations.js';
import {
  type Attestation,
  type AttestationEntry,
  type ReportedOutcome,
  reportsBySlot,
} from '../../../attestations/attestation.js';
import type { DoseOutcome, SlotJudgement } from '../../../doses/judge.js';
import { sampleAlert } from '../../testing.js';
import { isTrueOf } from '../../../notifications/notification-events.js';
import { correctedByStatement, correctedEnd } from './corrections.js';
import { findEndedUnseen, type Reports } from './missed-dose.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
const SLOT = {
  scheduled_at: at('08:00'),
  early_from: at('06:00'),
  late_at: at('09:00'),
  missed_at: at('12:00'),
  pills: 2,
};
const bottle = { _id: { toHexString: () => 'b1' }, user_id: 'anna', medication: 'Cordrazine' };

function judged(outcome: DoseOutcome, pills_taken = 0): { slots: SlotJudgement[] } {
  const matched = pills_taken > 0 ? [{ removal_id: 'a', time: at('08:05'), pills: pills_taken }] : [];
  const dose: SlotJudgement = {
    slot: SLOT,
    phase: 'judged',
    outcome,
    pills_taken,
    matched,
    awaiting_contact: false,
  };
  return { slots: [dose] };
}

describe('a dose that ended unseen', () => {
  const found = (
    outcome: DoseOutcome,
    now: Date,
    before: { settledUntil?: Date; unjudged?: Date[]; judgedAgainFrom?: Date | undefined } = {},
  ): unknown[] =>
    findEndedUnseen(
      bottle,
      judged(outcome, outcome === 'partial' ? 1 : 0).slots,
      { settledUntil: at('07:00'), open: [], unjudged: [], attested: [], untaken: [], ...before },
      now,
    ).map(({ end }) => end?.owed);

  it.each(['missed', 'partial'] as const)(
    'is sent as %s up to a day after its end, the day included, and in a summary later',
    (outcome) => {
      expect(found(outcome, after(SLOT.missed_at, 24 * HOUR_MS))).toEqual([outcome]);
      expect(found(outcome, after(SLOT.missed_at, 24 * HOUR_MS + 1))).toEqual(['summary']);
    },
  );

  it('is found once: again only if a removal in its window arrived since, and it is partial', () => {
    const settledUntil = at('08:00:00.001');
    const now = at('15:00');
    expect(found('partial', now, { settledUntil })).toEqual([]);
    expect(found('partial', now, { settledUntil, unjudged: [at('05:59:59.999')] })).toEqual([]);
    expect(found('partial', now, { settledUntil, unjudged: [at('06:00')] })).toEqual(['partial']);
    expect(found('partial', now, { settledUntil, unjudged: [at('12:00')] })).toEqual(['partial']);
    expect(found('partial', now, { settledUntil, unjudged: [at('12:00:00.001')] })).toEqual([]);
    expect(found('missed', now, { settledUntil, unjudged: [at('08:05')] })).toEqual([]);
  });

  it('is found again if a removal in its window arrives, which was for later', () => {
    const matched = [{ removal_id: 'a', time: at('08:05'), pills: 2 }];
    const dose = { ...judged('missed').slots[0]!, matched, for_later_by: 'the patient' };
    const again = (unjudged: Date[]) =>
      findEndedUnseen(
        bottle,
        [dose],
        { settledUntil: at('13:00'), open: [], attested: [], untaken: [], unjudged },
        at('15:00'),
      );
    expect(again([])).toEqual([]);
    const [missed] = again([at('08:05')]);
    expect(missed?.end?.owed).toBe('missed');
    expect(missed?.end?.evidence?.part_taken_at).toBeUndefined();
  });

  it('is found again if a removal counts for it that was closed after its window', () => {
    const [dose] = judged('partial', 1).slots;
    const matched = [{ removal_id: 'a', time: at('08:05'), pills: 1, closed_at: at('12:30') }];
    const before = { settledUntil: at('13:00'), open: [], attested: [], untaken: [] };
    const again = (unjudged: Date[]): number =>
      findEndedUnseen(bottle, [{ ...dose!, matched }], { ...before, unjudged }, at('15:00')).length;
    expect(again([])).toBe(0);
    expect(again([at('12:29')])).toBe(0);
    expect(again([at('12:30')])).toBe(1);
  });

  it('is sent though it was judged before, if a period is changed or removed before its end', () => {
    const again = (judgedAgainFrom?: Date): number =>
      found('missed', at('15:00'), { settledUntil: at('13:00'), judgedAgainFrom }).length;
    expect(again()).toBe(0);
    expect(again(at('12:00:00.001'))).toBe(0);
    expect(again(at('12:00'))).toBe(1);
  });

  it.each(['taken_late', 'taken_on_time', 'unknown'] as const)('is not sent if it is %s', (outcome) => {
    expect(found(outcome, at('15:00'))).toEqual([]);
  });
});

describe('late data about a dose that was sent as', () => {
  const alert = (outcome: DoseOutcome, pills_taken = 0) =>
    sampleAlert('missed_dose', {
      state: 'resolved',
      subject: SLOT.scheduled_at.toISOString(),
      evidence: { outcome, pills_taken },
    });

  it.each<[DoseOutcome, number, DoseOutcome, number, string | undefined]>([
    ['missed', 0, 'partial', 1, 'corrected'],
    ['missed', 0, 'taken_late', 2, 'retracted'],
    ['missed', 0, 'taken_on_time', 2, 'retracted'],
    ['partial', 1, 'partial', 1, undefined],
    ['partial', 1, 'partial', 2, 'corrected'],
    ['partial', 1, 'taken_late', 3, 'retracted'],
    ['unknown', 0, 'partial', 1, 'partial'],
    ['unknown', 0, 'taken_late', 2, 'resolved'],
    ['unknown', 0, 'taken_early', 2, 'retracted'],
    ['taken_late', 2, 'partial', 1, 'corrected'],
    ['taken_late', 2, 'taken_late', 2, undefined],
    ['missed', 0, 'missed', 0, undefined],
  ])('%s (%i pills) and is %s (%i pills) owes %s', (before, pills, outcome, taken, owed) => {
    expect(correctedEnd(alert(before, pills), judged(outcome, taken).slots, at('15:00'))?.end.owed).toBe(
      owed,
    );
  });
});

it.each<[DoseOutcome, DoseOutcome, string | undefined]>([
  ['unknown', 'missed', 'missed'],
  ['unknown', 'partial', 'partial'],
  ['taken_late', 'missed', 'missed'],
  ['taken_on_time', 'missed', 'missed'],
  ['taken_on_time', 'unknown', 'unknown'],
  ['partial', 'missed', 'missed'],
  ['missed', 'unknown', 'unknown'],
  ['unknown', 'unknown', undefined],
])('what is known later makes a dose that was sent as %s %s: owes %s', (before, is, owed) => {
  const evidence = { outcome: before };
  const subject = SLOT.scheduled_at.toISOString();
  const alert = sampleAlert('missed_dose', { state: 'resolved', subject, evidence });
  const end = correctedEnd(alert, judged(is).slots, at('15:00'))?.end;
  expect(end?.owed).toBe(owed);
  // each is a message of its own
  if (owed) expect(end?.evidence?.judged_again_at).toEqual(at('15:00'));
});

it.each<[DoseOutcome, string | undefined]>([
  ['taken_late', 'missed'],
  ['unknown', 'missed'],
  ['missed', undefined],
])('a dose that was sent as %s, and whose pills were for later, owes %s', (before, owed) => {
  const evidence = { outcome: before, taken_at: at('10:00') };
  const alert = sampleAlert('missed_dose', {
    state: 'resolved',
    subject: SLOT.scheduled_at.toISOString(),
    evidence,
  });
  const dose = { ...judged('missed').slots[0]!, for_later_by: 'the patient' };
  const end = correctedEnd(alert, [dose], at('15:00'))?.end;
  expect(end?.owed).toBe(owed);
  if (owed) expect(end?.evidence).toHaveProperty('taken_at', undefined);
});

describe('a late dose whose period is removed', () => {
  const period = { reason: 'hospital', at: at('10:00') } as const;
  const alertOf = (state: 'resolved' | 'retracted', evidence: object) =>
    sampleAlert('missed_dose', { state, subject: SLOT.scheduled_at.toISOString(), evidence });
  const [dose] = judged('missed').slots;
  const { outcome: _, ...notJudged } = dose!;
  const late: SlotJudgement = { ...notJudged, phase: 'late' };
  const left = alertOf('retracted', { outcome: 'not_monitored', period });

  it('is sent at once as not taken yet, and not while it is not late', () => {
    const end = correctedEnd(left, [late], at('10:30'))?.end;
    expect(end).toMatchObject({ state: 'resolved', owed: 'monitored_again' });
    expect(end?.evidence).toHaveProperty('outcome', undefined);
    expect(correctedEnd(left, [{ ...late, phase: 'pending' }], at('10:30'))).toBeUndefined();
    // of one that was taken nobody had to be notified
    expect(
      correctedEnd(alertOf('retracted', { outcome: 'taken_on_time' }), [late], at('10:30')),
    ).toBeUndefined();
  });

  it.each([
    ['missed', 'missed'],
    ['partial', 'partial'],
    ['unknown', 'unknown'],
    ['taken_late', 'resolved'],
    ['taken_on_time', 'retracted'],
    ['not_monitored', 'retracted'],
  ] as const)('ends %s after that as %s', (outcome, owed) => {
    const again = alertOf('resolved', { period, outcome: undefined });
    const { slots } = judged(outcome, outcome === 'partial' ? 1 : 0);
    expect(correctedEnd(again, slots, at('12:00'))?.end.owed).toBe(owed);
  });

  it('is sent as reported, if somebody has stated that it was taken', () => {
    const entry = { _id: { toHexString: () => '1' }, scheduled_at: SLOT.scheduled_at, outcome: 'taken' };
    const reports = reportsBySlot([{ ...entry, at: at('10:15') } as never]);
    const owed = (slot: SlotJudgement) => correctedByStatement(left, slot, reports, at('10:30'))?.end.owed;
    expect(owed(late)).toBe('reported_taken');
    expect(owed(dose!)).toBe('reported_taken');
    expect(owed(judged('not_monitored').slots[0]!)).toBeUndefined();
    expect(owed(judged('taken_late', 2).slots[0]!)).toBeUndefined();
  });

  it('is sent no more once it has ended', () => {
    const says = (evidence: object) =>
      isTrueOf('monitored_again', { state: 'resolved', evidence: evidence as never });
    expect(says({ period })).toBe(true);
    expect(says({ period, outcome: 'missed' })).toBe(false);
    expect(says({ period, reported: { settled: 'taken' } })).toBe(false);
  });
});

describe('what people say about a dose', () => {
  const entry = (id: string, outcome: ReportedOutcome, time: string): AttestationEntry =>
    ({ _id: { toHexString: () => id }, scheduled_at: SLOT.scheduled_at, at: at(time), outcome }) as never;
  const reports = (...entries: AttestationEntry[]): Reports => reportsBySlot(entries);
  const ended = (evidence: object, state: 'resolved' | 'retracted' = 'resolved') =>
    sampleAlert('missed_dose', { state, subject: SLOT.scheduled_at.toISOString(), evidence });
  const taken = entry('1', 'taken', '10:00');
  const part = entry('2', 'partial', '11:00');
  const reported = (settled: string) => ({ reported: { settled, entry: '1' } });

  it.each<[string, object, Reports, DoseOutcome | undefined, string | undefined]>([
    ['is missed', { outcome: 'missed' }, reports(taken), undefined, 'reported_taken'],
    ['is partial', { outcome: 'partial' }, reports(taken), 'partial', 'reported_taken'],
    [
      'is unknown',
      { outcome: 'unknown' },
      reports(entry('1', 'skipped', '10:00')),
      'unknown',
      'reported_skipped',
    ],
    ['proves to be taken', { outcome: 'missed' }, reports(taken), 'taken_on_time', undefined],
    ['was taken late', { outcome: 'taken_late' }, reports(taken), undefined, undefined],
    ['is reported alike', reported('taken'), reports(taken), 'missed', undefined],
    ['was reported skipped', reported('skipped'), reports(taken), 'missed', 'reported_taken'],
    ['is a part now', reported('taken'), reports(taken, part), undefined, 'statement_withdrawn'],
    ['is a part, as before', reported('withdrawn'), reports(taken, part), undefined, undefined],
    ['is a part from the start', { outcome: 'missed' }, reports(part), 'missed', undefined],
    ['is not mentioned', { outcome: 'missed' }, reports(), 'missed', undefined],
  ])('that %s is sent as an end: %j', (_, evidence, statements, outcome, owed) => {
    const dose = outcome && judged(outcome).slots[0];
    const end = correctedByStatement(ended(evidence), dose, statements, at('15:00'));
    expect(end?.end.owed).toBe(owed);
  });

  it('is in the history as withdrawn by whoever withdrew it, also when an earlier statement stands then', () => {
    const by = (recorded_by: string, one: object) => ({ ...one, recorded_by }) as AttestationEntry;
    const skipped = entry('2', 'skipped', '11:00');
    const { outcome: _, ...third } = entry('3', 'skipped', '12:00') as Attestation;
    const withdrawal = { ...third, kind: 'withdrawn', withdraws: skipped._id };
    const statements = reports(
      by('user:will', taken),
      by('carer:will', skipped),
      by('carer:will', withdrawal),
    );
    const end = correctedByStatement(ended(reported('skipped')), undefined, statements, at('15:00'))?.end;
    expect(end).toMatchObject({
      by: 'carer:will',
      note: 'statement withdrawn, reported taken before',
      owed: 'reported_taken',
      evidence: { reported: { settled: 'taken', at: at('10:00'), entry: '3' } },
    });
  });

  it.each([
    [1, 'statement_withdrawn', at('08:05')],
    [2, 'corrected', undefined],
  ])('is withdrawn when the part that was sent is %i pills (%s)', (pills, owed, last) => {
    const part_taken_at = at('08:05');
    const evidence = { outcome: 'partial', pills_taken: 1, part_taken_at, ...reported('taken') };
    // as it is read from its record
    const dose = { ...judged('partial', pills).slots[0]!, matched: [] };
    const withdrawn = correctedByStatement(ended(evidence), dose, reports(taken, part), at('15:00'));
    expect(withdrawn?.end.owed).toBe(owed);
    const ends = { ...evidence, ...withdrawn?.end.evidence };
    expect(ends).toMatchObject({ pills_taken: pills, reported: { settled: 'withdrawn' } });
    expect(ends.part_taken_at).toEqual(last);
  });

  it.each<[string, 'resolved' | 'retracted', DoseOutcome, string | undefined]>([
    ['taken', 'resolved', 'taken_on_time', undefined],
    ['taken', 'resolved', 'missed', undefined],
    ['skipped', 'resolved', 'taken_late', 'retracted'],
    ['skipped', 'resolved', 'partial', undefined],
    ['withdrawn', 'resolved', 'missed', 'missed'],
    ['withdrawn', 'resolved', 'unknown', 'unknown'],
    ['skipped', 'retracted', 'taken_late', undefined],
  ])('(%s, %s) stands when the bottle measures %s: %s', (settled, state, outcome, owed) => {
    const dose = judged(outcome, outcome === 'partial' ? 1 : 0).slots;
    expect(correctedEnd(ended(reported(settled), state), dose, at('15:00'))?.end.owed).toBe(owed);
  });
});
