import type { Bottle } from '#persistence';
import { Types } from 'mongoose';
import { findExtraDoses } from './extra-dose.js';

const DAY = 24 * 60 * 60_000;
const time = new Date('2026-03-02T08:05:00Z');
const bottle = { _id: new Types.ObjectId(), user_id: 'anna', medication: 'Cordrazine' } as Bottle;

it('pills removed up to 7 days ago are sent, the end included; older ones are recorded as over', () => {
  const extra = [{ removal_id: 'a', time, pills: 1, reason: 'beyond_dose' as const }];
  const ends = [7 * DAY, 7 * DAY + 1].map(
    (age) => findExtraDoses(bottle, extra, new Date(time.getTime() + age))[0]?.end,
  );
  expect(ends).toEqual([undefined, expect.objectContaining({ state: 'resolved' })]);
  expect(ends[1]).not.toHaveProperty('owed');
});
