import fc from 'fast-check';
import { applied, idOf } from '../bottle-state/testing.js';
import { onAttestation } from '../bottle-state/on-checks.js';
import { onContact } from '../bottle-state/on-reports.js';
import type { BottleState } from '../bottle-state/bottle-state.js';
import { type DoseOutcome, judgeSlots } from '../doses/index.js';
import {
  agreementOf,
  type Attestation,
  type AttestationEntry,
  attestorText,
  readReport,
  reportedOutcome,
  settledBy,
  standingNoDoses,
  type Statement,
  withReports,
} from './attestation.js';

const at = (time: string): Date => new Date(`2026-03-02T${time}Z`);
const SLOT = {
  scheduled_at: at('08:00'),
  early_from: at('06:00'),
  late_at: at('09:00'),
  missed_at: at('12:00'),
  pills: 2,
};

let entries = 0;
function attested(statement: Statement, time = '10:00'): Attestation {
  return {
    _id: idOf((entries += 1)),
    scheduled_at: SLOT.scheduled_at,
    at: at(time),
    attested_by: 'staff',
    recorded_by: 'Carol Smith',
    outcome: reportedOutcome(statement, SLOT),
    ...statement,
  };
}
const withdrawn = ({ _id }: Attestation, time: string): AttestationEntry => ({
  _id: idOf((entries += 1)),
  scheduled_at: SLOT.scheduled_at,
  at: at(time),
  attested_by: 'staff',
  recorded_by: 'Carol Smith',
  kind: 'withdrawn',
  withdraws: _id,
});

describe('what people say became of a dose', () => {
  it.each<[Statement, string]>([
    [{ kind: 'taken', pills: 2, taken_at: at('07:59:59.999') }, 'taken_early'],
    [{ kind: 'taken', pills: 2, taken_at: at('08:00') }, 'taken_on_time'],
    [{ kind: 'taken', pills: 2, taken_at: at('09:00') }, 'taken_on_time'],
    [{ kind: 'taken', pills: 2, taken_at: at('09:00:00.001') }, 'taken_late'],
    [{ kind: 'taken', pills: 2, taken_at: at('18:00') }, 'taken_late'],
    [{ kind: 'taken', pills: 2 }, 'taken'],
    [{ kind: 'taken' }, 'taken'],
    [{ kind: 'taken', pills: 1, taken_at: at('08:00') }, 'partial'],
    [{ kind: 'skipped', reason: 'side_effect' }, 'skipped'],
    [{ kind: 'not_taken' }, 'not_taken'],
  ])('%j is %s', (statement, outcome) => {
    expect(reportedOutcome(statement, SLOT)).toBe(outcome);
  });

  it('is the latest statement that stands; the others stay in sight, and order changes nothing', () => {
    const [first, second] = [attested({ kind: 'taken' }, '10:00'), attested({ kind: 'skipped' }, '10:05')];
    const withdrawal = withdrawn(second, '10:10');
    expect(readReport([])).toBeUndefined();
    expect(readReport([second, first])).toEqual({ latest: second, earlier: [first], last: second });
    expect(readReport([withdrawal, first, second])).toEqual({ latest: first, earlier: [], last: withdrawal });
    expect(readReport([withdrawn(first, '10:11'), withdrawal, first, second])).toMatchObject({ earlier: [] });
  });

  it('is unsettled since the entry after which nothing settled it any more', () => {
    const unsettledAt = (...entries: AttestationEntry[]): Date | undefined =>
      readReport(entries)?.unsettledAt;
    const [taken, skipped] = [attested({ kind: 'taken' }, '10:00'), attested({ kind: 'skipped' }, '10:05')];
    const forLater = attested({ kind: 'not_taken' }, '10:10');
    expect(unsettledAt(taken)).toBeUndefined();
    expect(unsettledAt(forLater, withdrawn(forLater, '10:20'))).toBeUndefined();
    expect(unsettledAt(taken, withdrawn(taken, '10:20'))).toEqual(at('10:20'));
    expect(unsettledAt(taken, skipped, withdrawn(skipped, '10:20'))).toBeUndefined();
    expect(unsettledAt(taken, skipped, forLater)).toEqual(at('10:10'));
    expect(unsettledAt(taken, forLater, withdrawn(forLater, '10:20'))).toBeUndefined();
  });

  it('what is about pills that were no dose says nothing of a dose at the same instant', () => {
    const noDose: AttestationEntry = {
      _id: idOf((entries += 1)),
      scheduled_at: SLOT.scheduled_at,
      at: at('11:00'),
      attested_by: 'staff',
      recorded_by: 'Carol Smith',
      kind: 'no_dose',
      pills: 2,
    };
    const taken = attested({ kind: 'taken' });
    const withdrawal = { ...withdrawn(taken, '11:10'), kind: 'withdrawn' as const, withdraws: noDose._id };
    expect(readReport([noDose])).toBeUndefined();
    expect(readReport([noDose, taken, withdrawal])).toEqual({ latest: taken, earlier: [], last: taken });
    expect(standingNoDoses([noDose, taken])).toEqual([{ time: SLOT.scheduled_at, pills: 2 }]);
    expect(standingNoDoses([noDose, taken, withdrawal])).toEqual([]);
  });

  it('of two at one instant the greater id is the later', () => {
    const [one, other] = [attested({ kind: 'taken' }), attested({ kind: 'skipped' })];
    expect(readReport([other, one])!.latest).toBe(other);
  });

  it.each<[Statement, string | undefined]>([
    [{ kind: 'taken' }, 'taken'],
    [{ kind: 'taken', pills: 1 }, undefined],
    [{ kind: 'skipped' }, 'skipped'],
    [{ kind: 'not_taken' }, undefined],
  ])('%j settles %s', (statement, settled) => {
    const statements = [attested(statement)];
    expect(settledBy(readReport(statements))).toBe(settled);
    expect(settledBy(readReport([...statements, withdrawn(statements[0]!, '11:00')]))).toBeUndefined();
  });

  it.each<[Statement, DoseOutcome, number, string]>([
    [{ kind: 'taken', source: 'from_bottle' }, 'taken_late', 2, 'agrees'],
    [{ kind: 'taken', source: 'from_bottle' }, 'missed', 0, 'disagrees'],
    [{ kind: 'taken', source: 'from_bottle' }, 'partial', 1, 'disagrees'],
    [{ kind: 'taken' }, 'missed', 0, 'disagrees'],
    [{ kind: 'taken', source: 'elsewhere' }, 'missed', 0, 'agrees'],
    [{ kind: 'taken', source: 'elsewhere' }, 'taken_on_time', 2, 'disagrees'],
    [{ kind: 'taken', pills: 1 }, 'partial', 1, 'agrees'],
    [{ kind: 'taken', pills: 1 }, 'taken_late', 2, 'disagrees'],
    [{ kind: 'skipped' }, 'missed', 0, 'agrees'],
    [{ kind: 'skipped' }, 'partial', 1, 'disagrees'],
    [{ kind: 'not_taken' }, 'taken_on_time', 2, 'agrees'],
    [{ kind: 'not_taken' }, 'missed', 0, 'disagrees'],
    [{ kind: 'taken' }, 'unknown', 0, 'unproven'],
  ])('%j and measured %s (%i pills): %s', (statement, outcome, pills_taken, agreement) => {
    expect(agreementOf(attested(statement), { outcome, pills_taken })).toBe(agreement);
    expect(agreementOf(attested(statement), undefined)).toBe('unproven');
  });

  it.each([
    [{ attested_by: 'staff', recorded_by: 'Carol Smith' }, 'Carol Smith'],
    [{ attested_by: 'user', recorded_by: 'Carol Smith' }, 'the patient (recorded by Carol Smith)'],
    [{ attested_by: 'carer', recorded_by: 'carer:anna' }, 'the carer'],
  ] as const)('names whose word it is: %j', (by, text) => {
    expect(attestorText(by)).toBe(text);
  });
});

it('for any sequence of reports and attestations in any order, what was measured is as without attestations', () => {
  const minutes = fc.integer({ min: 0, max: 600 });
  const report = fc.record({
    what: fc.constantFrom('removal' as const, 'contact' as const),
    minute: minutes,
    pills: fc.integer({ min: 1, max: 3 }),
  });
  const statement = fc.record({
    what: fc.constant('statement' as const),
    minute: minutes,
    statement: fc.record<Statement>(
      {
        kind: fc.constantFrom('taken', 'skipped', 'not_taken'),
        pills: fc.integer({ min: 1, max: 3 }),
        source: fc.constantFrom('from_bottle', 'elsewhere'),
      },
      { requiredKeys: ['kind'] },
    ),
    withdrawn: fc.boolean(),
  });
  const instant = (minute: number): Date => new Date(at('05:00').getTime() + minute * 60_000);

  fc.assert(
    fc.property(fc.array(fc.oneof(report, statement)), minutes, (events, nowMinute) => {
      const live = (all: typeof events) => {
        let state = { _id: idOf(1), user_id: 'anna', medication: 'Cordrazine' } as BottleState;
        const stated: AttestationEntry[] = [];
        const [removals, contacts] = [[] as { id: string; time: Date; pills: number }[], [] as Date[]];
        for (const event of all) {
          const time = instant(event.minute);
          if (event.what === 'statement') {
            const entry = { ...attested(event.statement), at: time };
            stated.push(entry, ...(event.withdrawn ? [{ ...withdrawn(entry, '11:00'), at: time }] : []));
            state = applied(state, onAttestation(SLOT.scheduled_at, time));
            continue;
          }
          contacts.push(time);
          state = applied(state, onContact(time, 3_600_000));
          if (event.what === 'removal') removals.push({ id: String(event.minute), time, pills: event.pills });
        }
        const now = instant(nowMinute);
        const { slots } = judgeSlots({
          slots: [SLOT],
          removals: removals.filter(({ time }) => time <= now),
          contacts,
          now,
          silent_after_ms: 3_600_000,
        });
        const doses = withReports(
          slots.map((dose) => ({ ...dose, scheduled_at: dose.slot.scheduled_at })),
          stated,
          ({ outcome }) => outcome,
        );
        const { attested_slots: _slots, dose_due_at: _due, ...measured } = state;
        return { doses: doses.map(({ reported: _r, earlier_reports: _e, ...dose }) => dose), measured };
      };
      expect(live(events)).toEqual(live(events.filter(({ what }) => what !== 'statement')));
    }),
  );
});
