import type { Slot } from '../doses/slots.js';
import { type Attestation, settledBy } from './attestation.js';
import { withRestFromBottle } from './rest-from-bottle.js';

const at = new Date('2026-03-02T08:00:00Z');
const slot = { scheduled_at: at, pills: 2 } as Slot;

it.each<[Partial<Attestation>, number, 'taken' | undefined]>([
  [{ pills: 1, source: 'elsewhere' }, 1, 'taken'],
  [{ pills: 1.5, source: 'elsewhere' }, 1, 'taken'],
  [{ pills: 1, source: 'elsewhere' }, 0, undefined],
  [{ pills: 1.5, source: 'elsewhere' }, 0.25, undefined],
  [{ pills: 1, source: 'from_bottle' }, 1, undefined],
  [{ pills: 1 }, 1, undefined],
])('a statement of %j and %d removed settle a dose of 2 as %s', (statement, pills_taken, settled) => {
  const latest = { kind: 'taken', outcome: 'partial', scheduled_at: at, at, ...statement } as Attestation;
  const report = { latest, earlier: [], last: latest };
  const reports = withRestFromBottle(new Map([[at.getTime(), report]]), [{ slot, pills_taken }]);
  expect(settledBy(reports.get(at.getTime()))).toBe(settled);
  expect(report.latest.outcome).toBe('partial');
});
