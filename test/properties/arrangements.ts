import { HOUR_MS, MINUTE_MS } from '#domain';
import fc from 'fast-check';
import { at } from '../device-api/devices.js';

/** One report, without what belongs to the request that carries it. */
export interface SentReport {
  kind: 'action' | 'heartbeat';
  body: Record<string, unknown>;
}

/** What one bottle has to say; its clock is off by a constant. */
export interface ReportSet {
  clockOffset: number;
  all: SentReport[];
}

/** The ways in: alone, or several in a batch of the bottle's or of its gateway's. */
export type Endpoint = 'single' | 'batch' | 'gateway';

/** Requests, each with some of the reports by index, and how many of them are on the way at once. */
export interface Arrangement {
  requests: { chunk: number[]; via: Endpoint }[];
  atOnce: number;
}

/** Event times: long ago, equal, within one second, and in the future (which is taken for now). */
const eventTime = fc.oneof(
  fc.constantFrom(-72 * HOUR_MS, -HOUR_MS, -MINUTE_MS, -MINUTE_MS + 500, 0, 5 * MINUTE_MS, 9 * HOUR_MS),
  fc.integer({ min: -10 * 24 * HOUR_MS, max: 10 * MINUTE_MS }),
);

const measured = {
  mass_of_contents: fc.constantFrom(0, 42.78, 44.25),
  number_of_pills: fc.integer({ min: 28, max: 30 }),
};

const action = fc.tuple(
  fc.boolean(),
  eventTime,
  fc.record({ named: fc.boolean(), pills_taken: fc.integer({ min: 0, max: 2 }), ...measured }),
);

const vitals = fc.record(
  {
    battery_percent: fc.integer({ min: 0, max: 100 }),
    rssi_dbm: fc.integer({ min: -90, max: -40 }),
    ...measured,
  },
  { requiredKeys: [] },
);

/** Within the tolerance, so that an old heartbeat sent alone is not taken for a wrong clock. */
const heartbeat = fc.tuple(fc.integer({ min: -2 * MINUTE_MS, max: 2 * MINUTE_MS }), fc.boolean(), vitals);

/** Any set of reports: names and `sent_at` are the device's own and never used for two different ones. */
export const reports: fc.Arbitrary<ReportSet> = fc
  .record({
    clockOffset: fc.oneof(fc.constant(0), fc.constantFrom(-5 * HOUR_MS, 3 * HOUR_MS, -20_000 * 24 * HOUR_MS)),
    actions: fc.array(action, { minLength: 1, maxLength: 10 }),
    heartbeats: fc.uniqueArray(heartbeat, { maxLength: 5, selector: ([sentAt]) => sentAt }),
  })
  .map(({ clockOffset, actions, heartbeats }) => ({
    clockOffset,
    all: [
      ...actions.map(([isOpen, time, { named, pills_taken, ...contents }], index) => ({
        kind: 'action' as const,
        body: {
          action: isOpen ? 'opened' : 'closed',
          time: at(time + clockOffset),
          ...contents,
          ...(isOpen ? {} : { pills_taken }),
          ...(named ? { event_id: `event-${index}` } : {}),
        },
      })),
      ...heartbeats.map(([sentAt, hasClock, fields]) => ({
        kind: 'heartbeat' as const,
        body: { ...fields, ...(hasClock && clockOffset === 0 ? { sent_at: at(sentAt) } : {}) },
      })),
    ],
  }));

/** Every report at least once, in any order, cut in any way. */
export function arrangement({ all }: ReportSet): fc.Arbitrary<Arrangement> {
  const indexes = [...all.keys()];
  const repeats = fc.array(fc.constantFrom(...indexes), { maxLength: all.length });
  return fc
    .record({
      order: repeats.chain((more) =>
        fc.shuffledSubarray([...indexes, ...more], { minLength: indexes.length + more.length }),
      ),
      cuts: fc.infiniteStream(
        fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom<Endpoint>('single', 'batch', 'gateway')),
      ),
      atOnce: fc.integer({ min: 1, max: 4 }),
    })
    .map(({ order, cuts, atOnce }) => {
      const requests: Arrangement['requests'] = [];
      for (let from = 0; from < order.length; from += requests.at(-1)!.chunk.length) {
        const [size, via] = cuts.next().value as [number, Endpoint];
        requests.push({ chunk: order.slice(from, from + (via === 'single' ? 1 : size)), via });
      }
      return { requests, atOnce };
    });
}
