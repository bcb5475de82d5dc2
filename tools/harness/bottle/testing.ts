import { ManualClock } from '#platform';
import type {
  ActionBody,
  BatchBody,
  BatchItem,
  BatchItemResult,
  BottleClient,
  HeartbeatBody,
} from './bottle-client.js';
import { DeviceClock } from './device-clock.js';
import { Gate } from './gate.js';
import { Link, type LinkHabits, STEADY_LINK } from './link.js';
import { Outbox } from './outbox.js';
import type { AcknowledgedReport } from './report.js';
import { SimulatedBottle } from './simulated-bottle.js';
import type { Answer } from './http.js';
import { Random } from '../../random.js';
import { StatsCollector } from './stats.js';
import { Timeline } from './timeline.js';

export const NOON = new Date('2026-03-02T12:00:00Z');

/** One request as the scripted server got it. */
export type Call =
  | { path: 'heartbeats'; body: HeartbeatBody }
  | { path: 'actions'; body: ActionBody }
  | { path: 'batch'; body: BatchBody };

type Refusal = Partial<Answer<never>> & { status: number };

/** Plays device-api: stores everything unless the next answers were set. */
export class ScriptedApi {
  readonly calls: Call[] = [];
  /** What the next requests are answered with instead; an Error is no answer at all. */
  readonly next: (Refusal | Error)[] = [];
  /** The results of the next batch instead. */
  nextResults: BatchItemResult[] | undefined;

  readonly client = {
    heartbeat: (body: HeartbeatBody) => this.answer({ path: 'heartbeats', body }, { status: 204 }),
    action: (body: ActionBody) =>
      this.answer(
        { path: 'actions', body },
        { status: 201, body: { id: `id-${body.event_id}`, duplicate: false } },
      ),
    batch: (body: BatchBody) =>
      this.answer({ path: 'batch', body }, { status: 200, body: { results: this.resultsOf(body.items) } }),
  } as unknown as BottleClient;

  private resultsOf(items: BatchItem[]): BatchItemResult[] {
    const results = this.nextResults ?? items.map(({ type }) => ({ status: type === 'action' ? 201 : 204 }));
    this.nextResults = undefined;
    return results;
  }

  private async answer(call: Call, good: object): Promise<unknown> {
    this.calls.push(call);
    const other = this.next.shift();
    if (other instanceof Error) throw other;
    return other ?? good;
  }
}

/** One bottle against a scripted server, in a time that the test sets. */
export function testBottle({
  habits = STEADY_LINK,
  clock = new DeviceClock(),
}: { habits?: LinkHabits; clock?: DeviceClock } = {}) {
  const time = new ManualClock(NOON);
  const timeline = testTimeline(time);
  const api = new ScriptedApi();
  const stats = new StatsCollector();
  const acks: AcknowledgedReport[] = [];
  const outbox = new Outbox({
    bottleId: 'b1',
    client: api.client,
    link: new Link(habits, new Random('link')),
    clock,
    random: new Random('retry'),
    retries: timeline,
    gate: new Gate(8),
    stats,
    onAcknowledged: (report) => acks.push(report),
  });
  const bottle = new SimulatedBottle({
    id: 'b1',
    clock,
    outbox,
    timeline,
    random: new Random('bottle'),
    pills: 30,
  });
  return {
    api,
    time,
    timeline,
    stats,
    acks,
    outbox,
    bottle,
    advance: (ms: number) => advance(time, timeline, ms),
  };
}

/** A timeline that goes on only when the test says so. */
export function testTimeline(time: ManualClock): Timeline {
  return new Timeline(time, () => undefined);
}

/** Lets so much time pass, in steps small enough for what is planned within it, and lets answers come in. */
export async function advance(time: ManualClock, timeline: Timeline, ms: number, step = 100): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += step) {
    time.advance(Math.min(step, ms - passed));
    timeline.runDue();
    await settled();
  }
}

/** Lets everything go on that waits for nothing but its turn. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
