import { parseSchedule, slotsBetween, HOUR_MS, MINUTE_MS } from '#domain';
import type { SimulatedBottle } from '../../harness/bottle/simulated-bottle.js';
import type { Timeline } from '../../harness/bottle/timeline.js';
import type { SampleBottle } from './sample-bottles.js';

const LID_OFF_MS = 40_000;

/** What a bottle of the sample fleet acts in. Epoch milliseconds. */
export interface SampleContext {
  bottle: SimulatedBottle;
  timeline: Timeline;
  sample: SampleBottle;
  schedule: object;
  from: Date;
  end: Date;
}

/** Plans a bottle's simulated time: its doses are taken or not, and at last something is wrong. */
export function playSample({ bottle, timeline, sample, schedule, from, end }: SampleContext): void {
  const version = { effective_from: from, time_zone: sample.time_zone, schedule: parseSchedule(schedule) };
  const slots = slotsBetween([version], [], from, new Date(end.getTime() - 5 * HOUR_MS));
  const { habit, pills_per_dose: dose = 1 } = sample;
  const take = (at: number, pills = dose): void => timeline.at(at, () => bottle.take(pills, LID_OFF_MS));
  const goOffline = (at: number, until = Infinity): void => {
    timeline.at(at, () => bottle.outbox.setOnline(false));
    if (until < Infinity) timeline.at(until, () => bottle.outbox.setOnline(true));
  };
  for (const [index, { scheduled_at }] of slots.entries()) {
    const slot = scheduled_at.getTime();
    const wobble = ((index * 7) % 11) * MINUTE_MS;
    switch (habit[index % habit.length]!) {
      case 'on time':
        take(slot + wobble);
        break;
      case 'early':
        take(slot - 40 * MINUTE_MS + wobble);
        break;
      case 'late':
        take(slot + 95 * MINUTE_MS + wobble);
        break;
      case 'partly':
        take(slot + wobble, Math.max(1, dose - 1));
        break;
      case 'offline':
        goOffline(slot - 2 * HOUR_MS, slot + 6 * HOUR_MS);
        break;
      case 'missed':
    }
  }
  if (sample.end === 'silent') goOffline(end.getTime() - 150 * MINUTE_MS);
  if (sample.end === 'left open') timeline.at(end.getTime() - 23 * MINUTE_MS, () => bottle.openLid());
}
