import { parseSchedule, slotsBetween } from '#domain';
import type { TestBottle } from '../../harness/services.js';
import { MINUTE } from '../../harness/harness.js';
import type { SampleBottle } from './sample-bottles.js';

const HOUR = 60 * MINUTE;
/** Grams. */
const PILL_MASS = 0.35;
const LID_OFF_MS = 40_000;

interface Event {
  at: number;
  send: () => Promise<unknown>;
}

/** A bottle that simulated on as its role says: it beats, its doses are taken or not, and at last something is wrong. */
export class SimulatedBottle {
  private pills: number;
  private battery = 100;
  private events: Event[] = [];
  private readonly offline: { from: number; to: number }[] = [];

  constructor(
    readonly bottle: TestBottle,
    readonly sample: SampleBottle,
    schedule: object,
    from: Date,
    private readonly end: Date,
  ) {
    this.pills = sample.pills;
    const version = { effective_from: from, time_zone: sample.time_zone, schedule: parseSchedule(schedule) };
    const slots = slotsBetween([version], [], from, new Date(end.getTime() - 5 * HOUR));
    slots.forEach(({ scheduled_at }, index) => this.plan(scheduled_at.getTime(), index));
    this.planEnd();
  }

  /** Sends the actions that are due, and a heartbeat if `beats`. */
  async tick(now: Date, beats: boolean): Promise<void> {
    if (this.offline.some(({ from, to }) => from <= now.getTime() && now.getTime() < to)) return;
    const due = this.events.filter(({ at }) => at <= now.getTime());
    this.events = this.events.filter(({ at }) => at > now.getTime());
    for (const { send } of due) await send();
    if (!beats) return;
    this.battery -= 0.012;
    await this.bottle
      .post('/v1/heartbeats', {
        battery_percent: Math.round(this.battery * 10) / 10,
        rssi_dbm: -58 - Math.round(8 * Math.abs(Math.sin(now.getTime() / (7 * HOUR)))),
        mass_of_contents: this.mass(),
        number_of_pills: this.pills,
      })
      .expect(204);
  }

  private plan(slot: number, index: number): void {
    const { habit, pills_per_dose: dose = 1 } = this.sample;
    const wobble = ((index * 7) % 11) * MINUTE;
    switch (habit[index % habit.length]!) {
      case 'on time':
        return this.take(slot + wobble, dose);
      case 'early':
        return this.take(slot - 40 * MINUTE + wobble, dose);
      case 'late':
        return this.take(slot + 95 * MINUTE + wobble, dose);
      case 'partly':
        return this.take(slot + wobble, Math.max(1, dose - 1));
      case 'offline':
        this.offline.push({ from: slot - 2 * HOUR, to: slot + 6 * HOUR });
        return;
      case 'missed':
    }
  }

  private planEnd(): void {
    const end = this.end.getTime();
    if (this.sample.end === 'silent')
      this.offline.push({ from: end - 150 * MINUTE, to: Number.POSITIVE_INFINITY });
    if (this.sample.end === 'left open')
      this.events.push({ at: end - 23 * MINUTE, send: () => this.report('opened', end - 23 * MINUTE) });
  }

  private take(at: number, pills: number): void {
    this.events.push({
      at: at + LID_OFF_MS,
      send: async () => {
        await this.report('opened', at);
        this.pills = Math.max(0, this.pills - pills);
        await this.report('closed', at + LID_OFF_MS, pills);
      },
    });
  }

  private async report(action: 'opened' | 'closed', at: number, pills_taken?: number): Promise<void> {
    await this.bottle
      .post('/v1/actions', {
        action,
        time: new Date(at).toISOString(),
        mass_of_contents: this.mass(),
        number_of_pills: this.pills,
        ...(pills_taken === undefined ? {} : { pills_taken }),
      })
      .expect(201);
  }

  private mass(): number {
    return Math.round(this.pills * PILL_MASS * 100) / 100;
  }
}
