import type { mongo } from 'mongoose';
import type { Devices } from '../device-api/devices.js';
import type { CuttingProxy } from './cutting-proxy.js';
import type { SimulatedBottle } from './simulated-bottle.js';

/** Numbers at random that are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** How long the client waits for a response: short, since some come too late. Real milliseconds. */
const TIMEOUT_MS = 800;

/** The database refuses actions like these, one by one, with 503 `not_stored`; none with {}. */
export async function refuseActions({ database }: Devices, like: object): Promise<void> {
  const validator = Object.keys(like).length === 0 ? {} : { $nor: [like] };
  const strictly = { validationLevel: 'strict', validationAction: 'error' };
  await database.db.command({ collMod: 'bottle_actions', validator, ...strictly });
}

/**
 * Orders actions while connections are cut after a random byte or answered too late, and the power fails: at a random
 * byte of what it writes to flash, or at a random moment of a request. The database refuses some of them. Then everything
 * works, until nothing waits.
 *
 * @returns how often the power failed
 */
export async function sendThroughFaults(
  devices: Devices,
  bottle: SimulatedBottle,
  proxy: CuttingProxy,
  actions: number,
  random: () => number,
): Promise<number> {
  let failures = 0;
  bottle.timeoutMs = TIMEOUT_MS;
  const upTo = (most: number): number => Math.floor(random() * most);
  bottle.beforeRequest = () => {
    const kind = random();
    proxy.isDown = kind < 0.2;
    // of a batch, both are longer
    if (kind > 0.4) proxy.fate = {};
    else if (kind > 0.3) proxy.fate = { cutResponseAt: upTo(random() < 0.5 ? 700 : 2_500) };
    else if (kind > 0.21) proxy.fate = { cutRequestAt: upTo(random() < 0.5 ? 300 : 2_500) };
    else proxy.fate = { delayMs: 2 * TIMEOUT_MS };
    if (random() < 0.15) bottle.killIn(upTo(12));
  };
  await refuseActions(devices, { number_of_pills: { $mod: [8, 3] } });
  await bottle.boot();
  for (let n = 0; n < actions; n += 1) {
    if (bottle.isOn && random() < 0.4) await bottle.cutAfter(upTo(160));
    if (bottle.isOn) await bottle.move(random() < 0.5 ? 'opened' : 'closed');
    if (bottle.isOn && random() < 0.5) await bottle.tick(upTo(60_000));
    if (!bottle.isOn) {
      failures += 1;
      await bottle.boot(upTo(10_000));
    }
  }
  await refuseActions(devices, {});
  bottle.beforeRequest = () => undefined;
  proxy.isDown = false;
  proxy.fate = {};
  await bottle.switchOff();
  await bottle.boot();
  await bottle.empty();
  return failures;
}

/** What is stored and was not ordered, or differs from the order, twice or not at all although it was confirmed. */
export function differences(bottle: SimulatedBottle, stored: mongo.Document[]): string[] {
  const found: string[] = [];
  const times = new Map<number, number>();
  for (const document of stored) {
    const number = document['number_of_pills'] as number;
    const order = bottle.ordered[number - 1];
    times.set(number, (times.get(number) ?? 0) + 1);
    if (order?.action !== document['action']) found.push(`${number} ${document['action']} was not ordered`);
  }
  for (const { number_of_pills: number, isRecorded } of bottle.ordered) {
    const count = times.get(number) ?? 0;
    if (count > 1) found.push(`${number} is stored ${count} times`);
    if (count === 0 && isRecorded) found.push(`${number} is lost`);
  }
  return found;
}
