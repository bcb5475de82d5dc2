import type { BottleState, DeadlinesRepository } from '#persistence';
import { ManualClock } from '#platform';
import { Types } from 'mongoose';
import type { AlertsService } from './alerts.service.js';
import { Check, CHECK_LEASE_MS, type CheckResult, nextPageSize } from './check.js';
import { LeaseLostError } from './page.js';

const START = new Date('2026-03-02T08:00:00Z');

/** A check of one page, which hangs for a time while it judges. */
class HangingCheck extends Check {
  readonly written: string[] = [];

  constructor(private readonly hangsMs: number) {
    const clock = new ManualClock(START);
    const write = (what: string) => async () => void this.written.push(what);
    super(
      'dose',
      {
        release: async () => (await write('release')(), true),
        findHeld: async () => new Set(),
      } as unknown as DeadlinesRepository,
      {
        end: write('end'),
        prepare: async () => [],
        raisePrepared: async () => new Set(),
      } as unknown as AlertsService,
      clock,
    );
  }

  run(): Promise<CheckResult> {
    const states = [{ _id: new Types.ObjectId() } as BottleState];
    const until = new Date(START.getTime() + CHECK_LEASE_MS);
    return this.sweepPages(
      {
        claim: async () => ({ states, found: 1, claim: { token: 'ours', until } }),
        prepare: async () => undefined,
        judge: () => {
          (this.clock as ManualClock).advance(this.hangsMs);
          return { release: () => undefined };
        },
        record: async () => void this.written.push('record'),
      },
      () => true,
    );
  }
}

it('a check that hung until its lease was nearly over writes nothing: another notifier may have judged the page again', async () => {
  const check = new HangingCheck(CHECK_LEASE_MS - 1_000);
  await expect(check.run()).rejects.toThrow(LeaseLostError);
  expect(check.written).toEqual([]);
});

it('a check whose lease lasts writes what it found', async () => {
  const check = new HangingCheck(1_000);
  await check.run();
  expect(check.written).toEqual(['record', 'end', 'release']);
});

it('pages take about a second, however slow the machine is', () => {
  expect(nextPageSize(100, 500, 100)).toBe(200);
  expect(nextPageSize(100, 20, 100)).toBe(500);
  expect(nextPageSize(200, 4_000, 200)).toBe(50);
  expect(nextPageSize(50, 20_000, 50)).toBe(25);
});

it('a page that another notifier won does not show how fast this one is', () => {
  expect(nextPageSize(0, 5, 100)).toBe(100);
  expect(nextPageSize(40, 50, 100)).toBe(100);
});
