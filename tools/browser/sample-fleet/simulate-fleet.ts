import { MINUTE_MS, DAY_MS } from '#domain';
import { LiveCounts } from '#timeseries';
import type { AddressInfo } from 'node:net';
import { ChartUpkeep } from '../../../apps/notifier/src/charts/chart-upkeep.js';
import { Fleet } from '../../harness/bottle/fleet.js';
import type { Harness } from '../../harness/harness.js';
import { ADMIN_TOKEN, asAdmin } from '../../harness/services.js';
import { wallClockTime } from '../../harness/wall-clock.js';
import { playSample } from './play-sample.js';
import { SAMPLE_BOTTLES, type SampleBottle } from './sample-bottles.js';

/** Often enough that no bottle becomes silent. */
const BEAT_MS = 30 * MINUTE_MS;
/** The last hours advance in small steps, because the conditions at the end begin there. */
const FINE_MS = 3 * 60 * MINUTE_MS;
const STEP_MS = 5 * MINUTE_MS;

/**
 * Registers the sample bottles and simulates them from the clock's present time to `end`.
 *
 * @param address of support-api
 * @param chartedMs how much of the time before `end` gets complete fleet charts. Time advances in small steps there.
 * @returns bottle ids by medication.
 */
export async function simulateFleet(
  services: Harness,
  address: string,
  end: Date,
  chartedMs = 0,
): Promise<Map<string, string>> {
  const { clock, device } = services;
  const from = clock.now();
  await device.listen(0, '127.0.0.1');
  const { port } = device.getHttpServer().address() as AddressInfo;
  const fleet = new Fleet({
    target: `http://127.0.0.1:${port}`,
    support: address,
    adminToken: ADMIN_TOKEN,
    seed: 'sample',
    concurrency: SAMPLE_BOTTLES.length,
    clock,
  });
  const ids = new Map<string, string>();
  for (const [index, sample] of SAMPLE_BOTTLES.entries()) {
    const id = await join(services, fleet, { sample, index, from, end, chartedMs });
    ids.set(sample.medication, id);
  }
  while (clock.now() < end) {
    const left = end.getTime() - clock.now().getTime();
    const charted = left <= chartedMs;
    await services.coverage.record();
    await fleet.passUntil(
      clock,
      clock.now().getTime() + Math.min(left, charted || left <= FINE_MS ? STEP_MS : BEAT_MS),
    );
    await services.coverage.record();
    if (charted) await device.get(LiveCounts).flush(clock.now());
    await services.notifier.runAll();
  }
  if (chartedMs > 0) await services.notifier.app.get(ChartUpkeep).follow();
  await fleet.end();
  return ids;
}

interface Joining {
  sample: SampleBottle;
  index: number;
  from: Date;
  end: Date;
  chartedMs: number;
}

/** @returns the bottle's id */
async function join(
  services: Harness,
  fleet: Fleet,
  { sample, index, from, end, chartedMs }: Joining,
): Promise<string> {
  const { user_id, medication, time_zone, pills, pills_per_dose = 1 } = sample;
  const schedule = {
    kind: 'times_of_day',
    times: sample.times.map((time) => timeOfDay(time, time_zone, end)),
    pills_per_dose,
  };
  const bottle = await fleet.add(
    { user_id, medication, time_zone, number_of_pills: pills, schedule },
    { name: medication, pills, battery: 100 },
  );
  for (const { inDays, pills_per_dose: later } of sample.coming ?? []) {
    const effective_from = new Date(end.getTime() + inDays * DAY_MS).toISOString();
    await asAdmin(services.support)
      .put(`/v1/bottles/${bottle.id}/schedule`)
      .send({ schedule: { ...schedule, pills_per_dose: later, effective_from } })
      .expect(200);
  }
  const { timeline } = fleet;
  playSample({ bottle, timeline, sample, schedule, from, end });
  // in the charted time heartbeats are spread out: one bottle sends every 25 minutes, the next every 30
  const apart = (5 + (index % 2)) * STEP_MS;
  const chartedFrom = end.getTime() - chartedMs;
  const beat = (at: number): void =>
    timeline.at(at, () => {
      bottle.heartbeat();
      beat(at < chartedFrom - BEAT_MS ? at + BEAT_MS : at + apart);
    });
  beat(from.getTime() + STEP_MS * (index % 6));
  return bottle.id;
}

/** Turns `now-75m` into a local time of day in the zone. */
function timeOfDay(time: string, zone: string, end: Date): string {
  const [, minutes] = /^now-(\d+)m$/.exec(time) ?? [];
  return minutes === undefined ? time : wallClockTime(end.getTime() - Number(minutes) * MINUTE_MS, zone);
}
