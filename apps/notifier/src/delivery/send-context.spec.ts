import { ManualClock } from '#platform';
import { PageContext, type SendContext } from './send-context.js';

const START = new Date('2026-03-02T08:00:00Z');

it('when the context of a page is old, it is read once for all that is left of the page', async () => {
  const clock = new ManualClock(START);
  let reads = 0;
  const readNow = async (): Promise<SendContext> => {
    reads += 1;
    return { claim: { token: 'ours', until: START }, readAt: clock.now() } as SendContext;
  };
  const page = new PageContext(await readNow(), readNow, clock);
  await page.latest();
  expect(reads).toBe(1);
  clock.advance(3_000);
  const [one, other] = await Promise.all([page.latest(), page.latest()]);
  expect(other).toBe(one);
  expect(one.readAt).toEqual(clock.now());
  expect(reads).toBe(2);
});
