import { LiveCounts } from '#timeseries';
import { Temporal } from 'temporal-polyfill';
import { ChartUpkeep } from '../../../apps/notifier/src/charts/chart-upkeep.js';
import { MINUTE, type Harness } from '../../harness/harness.js';
import { asAdmin } from '../../harness/services.js';
import { SAMPLE_BOTTLES } from './sample-bottles.js';
import { SimulatedBottle } from './simulated-bottle.js';

const DAY = 24 * 60 * MINUTE;
/** Often enough that no bottle becomes silent. */
const BEAT_MS = 30 * MINUTE;
/** The last hours advance in small steps, because the conditions at the end begin there. */
const FINE_MS = 3 * 60 * MINUTE;
const STEP_MS = 5 * MINUTE;

/**
 * Registers the sample bottles and simulates them from the clock's present time to `end`.
 *
 * @param chartedMs how much of the time before `end` gets complete fleet charts. Time advances in small steps there.
 * @returns bottle ids by medication.
 */
export async function simulateFleet(
  services: Harness,
  end: Date,
  chartedMs = 0,
): Promise<Map<string, string>> {
  const from = services.clock.now();
  const simulated: SimulatedBottle[] = [];
  for (const sample of SAMPLE_BOTTLES) {
    const { user_id, medication, time_zone, pills, pills_per_dose = 1 } = sample;
    const schedule = {
      kind: 'times_of_day',
      times: sample.times.map((time) => wallClock(time, time_zone, end)),
      pills_per_dose,
    };
    const body = { user_id, medication, time_zone, number_of_pills: pills, schedule };
    const bottle = await services.register(body);
    for (const { inDays, pills_per_dose: later } of sample.coming ?? []) {
      const effective_from = new Date(end.getTime() + inDays * DAY).toISOString();
      await asAdmin(services.support)
        .put(`/v1/bottles/${bottle.id}/schedule`)
        .send({ schedule: { ...schedule, pills_per_dose: later, effective_from } })
        .expect(200);
    }
    simulated.push(new SimulatedBottle(bottle, sample, schedule, from, end));
  }
  while (services.clock.now() < end) {
    const left = end.getTime() - services.clock.now().getTime();
    const charted = left <= chartedMs;
    services.clock.advance(Math.min(left, charted || left <= FINE_MS ? STEP_MS : BEAT_MS));
    const now = services.clock.now();
    const step = Math.ceil((end.getTime() - now.getTime()) / STEP_MS);
    await services.coverage.record();
    await Promise.all(simulated.map((bottle, index) => bottle.tick(now, !charted || hasTurn(index, step))));
    if (charted) await services.device.get(LiveCounts).flush(now);
    await services.notifier.runAll();
  }
  if (chartedMs > 0) await services.notifier.app.get(ChartUpkeep).follow();
  return new Map(simulated.map(({ sample, bottle }) => [sample.medication, bottle.id]));
}

/** In the charted time heartbeats are spread out: one bottle sends every 25 minutes, the next every 30. */
const hasTurn = (bottle: number, step: number): boolean => (step + bottle) % (5 + (bottle % 2)) === 0;

/** Turns `now-75m` into a local time of day in the zone. */
function wallClock(time: string, zone: string, end: Date): string {
  const [, minutes] = /^now-(\d+)m$/.exec(time) ?? [];
  if (minutes === undefined) return time;
  const at = Temporal.Instant.fromEpochMilliseconds(end.getTime() - Number(minutes) * MINUTE);
  return at.toZonedDateTimeISO(zone).toPlainTime().toString({ smallestUnit: 'minute' });
}
