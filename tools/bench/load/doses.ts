/** Bottles that are opened and closed, as the simulator's report it; refused for a while, they send again. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { parseRetryAfter } from '../../harness/bottle/backoff.js';
import type { ActionBody } from '../../harness/bottle/bottle-client.js';
import { networkErrorCode, postJson } from '../../harness/bottle/http.js';
import { bottleOf, GATEWAY_TOKEN } from './fleet.js';

/** Pills in a bottle before its dose is taken. */
export const PILLS = 30;
/** Half of the bottles speak for themselves, the others through hubs of so many. */
export const HUB = 200;

const PILL_MASS = 0.5;
/** From the opening to the closing. */
export const OPEN_FOR_MS = 2_000;
const CONNECTIONS = 256;
const SOON_MS = 500;

/** What came back. */
export interface Taken {
  /** Of each request that was acknowledged, from when it was to be sent to its answer. Milliseconds. */
  single: number[];
  hubs: number[];
  /** Answers by status, or by what came instead of one. */
  statuses: Record<string, number>;
}

/**
 * One pill is taken from each of so many bottles of `bottleOf`, one after the other from now on; the last is closed at
 * `end` (milliseconds). Ends when all is acknowledged.
 */
export async function takeDoses(url: string, bottles: number, end: number): Promise<Taken> {
  const taken: Taken = { single: [], hubs: [], statuses: {} };
  const sender = new Sender(url, taken.statuses);
  const [half, start] = [bottles / 2, Date.now()];
  const openedAt = (place: number): number => start + ((place + 1) / half) * (end - start - OPEN_FOR_MS);
  const bottle = async (place: number): Promise<void> => {
    for (const action of actionsAt(openedAt(place))) {
      const due = await whenDue(action);
      const body = (): object => ({ ...action, sent_at: clock() });
      taken.single.push(await sender.post('/v1/actions', bottleOf(place).token, due, body));
    }
  };
  const hub = async (first: number): Promise<void> => {
    const members = Array.from({ length: Math.min(HUB, half - first) }, (_, index) => first + index);
    for (const step of [0, 1] as const) {
      const items = members.map((place) => ({
        type: 'action',
        bottle_id: bottleOf(half + place)._id.toHexString(),
        ...actionsAt(openedAt(place))[step],
      }));
      const due = await whenDue(actionsAt(openedAt(members.at(-1)!))[step]);
      const body = (): object => ({ sent_at: clock(), items });
      taken.hubs.push(await sender.post('/v1/gateway/batch', GATEWAY_TOKEN, due, body));
    }
  };
  try {
    await Promise.all([
      ...Array.from({ length: half }, (_, place) => bottle(place)),
      ...Array.from({ length: Math.ceil(half / HUB) }, (_, index) => hub(index * HUB)),
    ]);
  } finally {
    await sender.close();
  }
  return taken;
}

/** An opening, and the closing that follows it. @param opened milliseconds */
export function actionsAt(opened: number): readonly [ActionBody, ActionBody] {
  const contents = (pills: number): Pick<ActionBody, 'mass_of_contents' | 'number_of_pills'> => ({
    mass_of_contents: pills * PILL_MASS,
    number_of_pills: pills,
  });
  const time = (at: number): string => new Date(at).toISOString();
  return [
    { action: 'opened', time: time(opened), event_id: 'e1', ...contents(PILLS) },
    {
      action: 'closed',
      time: time(opened + OPEN_FOR_MS),
      event_id: 'e2',
      pills_taken: 1,
      ...contents(PILLS - 1),
    },
  ];
}

/** Waits until it happens. */
export async function whenDue({ time }: ActionBody): Promise<number> {
  const due = Date.parse(time);
  await sleep(Math.max(0, due - Date.now()));
  return due;
}

export const clock = (): string => new Date(Date.now()).toISOString();

/** Sends single reports and batches over keep-alive connections. */
export class Sender {
  private readonly dispatcher = new Agent({ connections: CONNECTIONS });

  constructor(
    private readonly url: string,
    private readonly statuses: Record<string, number>,
  ) {}

  /**
   * Sends again whatever was not answered, or refused for a while.
   *
   * @returns how long the attempt took that was acknowledged; the first one is timed from when it was due. Milliseconds.
   * @throws when it is refused for good.
   */
  async post(path: string, token: string, due: number, body: () => object): Promise<number> {
    for (let since = due; ; since = Date.now()) {
      const request = { url: new URL(path, this.url), token, body: body(), dispatcher: this.dispatcher };
      const answer = await postJson<{ results?: { status: number }[] }>(request).catch(networkErrorCode);
      const took = Date.now() - since;
      const status = typeof answer === 'string' ? answer : worstOf(answer);
      this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      if (typeof status === 'number' && status < 300) return took;
      if (typeof status === 'number' && status < 500) throw new Error(`${path} was answered with ${status}`);
      const { retryAfter } = typeof answer === 'string' ? {} : answer;
      await sleep(parseRetryAfter(retryAfter, new Date(Date.now())) ?? SOON_MS);
    }
  }

  close(): Promise<void> {
    return this.dispatcher.close();
  }
}

/** Of a batch, that of the item which went worst. */
function worstOf({
  status,
  body,
}: {
  status: number;
  body: { results?: { status: number }[] } | undefined;
}): number {
  return Math.max(status, ...(body?.results ?? []).map((result) => result.status));
}
