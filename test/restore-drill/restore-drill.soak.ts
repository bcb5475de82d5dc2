import { faultsOf, restoreDrill } from '../../tools/restore-drill/drill.js';

it('a snapshot that was taken under load, restored elsewhere, has what docs/operations.md says', async () => {
  const listeners = process.listenerCount('beforeExit');
  const result = await restoreDrill();
  expect(faultsOf(result)).toEqual([]);
  const { reports, registeredAfter, notifications } = result;
  // the drill was one: there was load before and after, and something of each sort
  expect(reports.before.acknowledged).toBeGreaterThan(100);
  expect(reports.after.acknowledged).toBeGreaterThan(100);
  expect(reports.restored.acknowledged).toBeGreaterThan(0);
  expect(registeredAfter).toEqual({ bottles: 4, accepted: 0 });
  expect(notifications).toEqual({
    before: 5,
    beforeAgain: 0,
    // four waited for the receiver, four lids were open, and four were opened after the snapshot
    after: 12,
    afterAgain: 8,
    afterAgainOtherwise: 0,
    // lids that were opened while nothing ran
    fresh: 4,
  });
  // its replica sets are stopped and keep no process alive
  expect(process.listenerCount('beforeExit')).toBe(listeners);
});
