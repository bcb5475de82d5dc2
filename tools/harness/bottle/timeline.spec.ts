import { ManualClock } from '#platform';
import { Random } from '../../random.js';
import { NOON, testTimeline } from './testing.js';
import { Timeline } from './timeline.js';

it('does everything that is due, in the order of its time, and of its planning at one time', () => {
  const time = new ManualClock(NOON);
  const timeline = testTimeline(time);
  const random = new Random('timeline');
  const done: number[] = [];
  const planned = Array.from({ length: 500 }, () => random.integer(1, 200));
  for (const [index, ms] of planned.entries()) timeline.after(ms, () => done.push(ms * 1000 + index));
  time.advance(100);
  timeline.runDue();
  const expected = planned.map((ms, index) => ms * 1000 + index).sort((a, b) => a - b);
  expect(done).toEqual(expected.filter((entry) => entry < 101_000));
  time.advance(100);
  timeline.runDue();
  expect(done).toEqual(expected);
});

it('does in the same turn what was planned for a time that is past', () => {
  const timeline = testTimeline(new ManualClock(NOON));
  const done: string[] = [];
  timeline.after(0, () => {
    done.push('one');
    timeline.after(-1, () => done.push('two'));
  });
  timeline.runDue();
  expect(done).toEqual(['one', 'two']);
});

it('drops what is planned when it is stopped, and takes no more', () => {
  const time = new ManualClock(NOON);
  const timeline = testTimeline(time);
  const done: string[] = [];
  timeline.after(1, () => timeline.stop());
  timeline.after(2, () => done.push('planned before'));
  time.advance(5);
  timeline.runDue();
  timeline.after(0, () => done.push('planned after'));
  timeline.runDue();
  expect(done).toEqual([]);
});

it('sets one timer, for the earliest', () => {
  const waits: number[] = [];
  const timeline = new Timeline(new ManualClock(NOON), (_, ms) => {
    waits.push(ms);
    return undefined;
  });
  timeline.after(50, () => undefined);
  timeline.after(80, () => undefined);
  timeline.after(20, () => undefined);
  expect(waits).toEqual([50, 20]);
});
