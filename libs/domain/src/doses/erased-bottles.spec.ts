import { type RecordedDose, withErased } from './erased-bottles.js';
import type { SlotJudgement } from './judge.js';
import { at } from './testing.js';

const clock = (text: string): Date => at(`2025-06-01T${text}Z`);
const slot = {
  scheduled_at: clock('08:00'),
  early_from: clock('07:00'),
  late_at: clock('09:00'),
  missed_at: clock('12:00'),
  pills: 2,
} as SlotJudgement['slot'];
const found = (pills_taken: number): SlotJudgement => ({
  slot,
  phase: 'judged',
  outcome: pills_taken > 0 ? 'partial' : 'unknown',
  pills_taken,
  matched: [],
  awaiting_contact: false,
});
const WHOLE: RecordedDose = { outcome: 'taken_late', pills_taken: 2, taken_at: clock('10:00') };
const PART: RecordedDose = { outcome: 'partial', pills_taken: 1 };
const ALL_DAY = { from: clock('00:00'), until: clock('20:00') };

describe('a dose of a plan of which a bottle is erased', () => {
  it.each<[string, SlotJudgement, RecordedDose | undefined, { from: Date; until: Date }, object]>([
    ['taken', found(0), WHOLE, ALL_DAY, { outcome: 'taken_late', pills_taken: 2, taken_at: clock('10:00') }],
    ['taken in part', found(0), PART, ALL_DAY, { outcome: 'partial', pills_taken: 1 }],
    ['without a record', found(0), undefined, ALL_DAY, { outcome: 'unknown', pills_taken: 0 }],
    ['if no more is known', found(1), PART, ALL_DAY, { outcome: 'partial', pills_taken: 1 }],
    [
      'a part of what is prescribed now',
      { ...found(0), slot: { ...slot, pills: 3 } },
      WHOLE,
      ALL_DAY,
      { outcome: 'partial', pills_taken: 2 },
    ],
    [
      'if it left at the opening of the window',
      found(0),
      WHOLE,
      { ...ALL_DAY, until: clock('07:00') },
      { outcome: 'unknown' },
    ],
    [
      'if it left a moment later',
      found(0),
      WHOLE,
      { ...ALL_DAY, until: clock('07:00:00.001') },
      { outcome: 'taken_late' },
    ],
    [
      'if it joined at the end',
      found(0),
      WHOLE,
      { ...ALL_DAY, from: clock('12:00') },
      { outcome: 'taken_late' },
    ],
    [
      'if it joined a moment later',
      found(0),
      WHOLE,
      { ...ALL_DAY, from: clock('12:00:00.001') },
      { outcome: 'unknown' },
    ],
  ])('stays as it is on record: %s', (_what, judged, recorded, erased, expected) =>
    expect(withErased(judged, [erased], recorded)).toMatchObject(expected),
  );
});
