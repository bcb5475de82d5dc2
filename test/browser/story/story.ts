import { ActivityRecorder } from '#timeseries';
import { Temporal } from 'temporal-polyfill';
import { ListeningRecorder } from '../../../apps/device-api/src/listening/listening-recorder.js';
import { ChartUpkeep } from '../../../apps/notifier/src/charts/chart-upkeep.js';
import { MINUTE, type World } from '../../support/world.js';
import { CAST } from './cast.js';
import { Life } from './life.js';

/** Often enough that nobody is silent. */
const BEAT_MS = 30 * MINUTE;
/** At the end, where what is wrong now begins, time passes as it does. */
const FINE_MS = 3 * 60 * MINUTE;
const STEP_MS = 5 * MINUTE;

/**
 * Lets some bottles live through the time up to `end`, which the world's clock shows afterwards. The world begins
 * as many days earlier as the story is to be long.
 *
 * @param chartedMs of how long before the end the fleet's charts are to be full. Time passes slowly there.
 * @returns the bottles' ids by their medications.
 */
export async function tellStory(world: World, end: Date, chartedMs = 0): Promise<Map<string, string>> {
  const from = world.clock.now();
  const lives: Life[] = [];
  for (const role of CAST) {
    const { user_id, medication, time_zone, pills, pills_per_dose = 1 } = role;
    const schedule = {
      kind: 'times_of_day',
      times: role.times.map((time) => wallClock(time, time_zone, end)),
      pills_per_dose,
    };
    const body = { user_id, medication, time_zone, number_of_pills: pills, schedule };
    lives.push(new Life(await world.register(body), role, schedule, from, end));
  }
  while (world.clock.now() < end) {
    const left = end.getTime() - world.clock.now().getTime();
    const charted = left <= chartedMs;
    world.clock.advance(Math.min(left, charted || left <= FINE_MS ? STEP_MS : BEAT_MS));
    const now = world.clock.now();
    const step = Math.ceil((end.getTime() - now.getTime()) / STEP_MS);
    await world.device.get(ListeningRecorder).record();
    await Promise.all(lives.map((life, index) => life.tick(now, !charted || hasTurn(index, step))));
    if (charted) await world.device.get(ActivityRecorder).flush();
    await world.notifier.runAll();
  }
  if (chartedMs > 0) await world.notifier.app.get(ChartUpkeep).rollUp();
  return new Map(lives.map(({ role, bottle }) => [role.medication, bottle.id]));
}

/** Where it is charted bottles do not beat together: one beats every 25 minutes, the next every 30. */
const hasTurn = (bottle: number, step: number): boolean => (step + bottle) % (5 + (bottle % 2)) === 0;

/** `now-75m` as the time that clocks in the zone show then. */
function wallClock(time: string, zone: string, end: Date): string {
  const [, minutes] = /^now-(\d+)m$/.exec(time) ?? [];
  if (minutes === undefined) return time;
  const at = Temporal.Instant.fromEpochMilliseconds(end.getTime() - Number(minutes) * MINUTE);
  return at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' });
}
