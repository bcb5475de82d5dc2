import { setTimeout as sleep } from 'node:timers/promises';
import { ADMIN_TOKEN } from '../harness/services.js';
import type { ServiceProcess } from '../harness/service-process.js';
import type { Random } from '../random.js';

/** Between two changes, at least and at most. Milliseconds. */
const [SOONEST_MS, LATEST_MS] = [100, 500];
/** Of so many users, the newest, contacts are changed: their messages are on the way. */
const NEWEST = 12;
const ANSWERED_WITHIN_MS = 3_000;

/** By whom a user is reached, over one channel at most: otherwise one message would be two. */
const WAYS = ['webhook', 'email', 'another e-mail', 'unverified', 'deleted'] as const;

/**
 * Changes contacts while their messages are sent: the channel, the address, its verification; deletes them, and creates
 * others.
 */
export class Contacts {
  /** How often each was done. */
  readonly done: Record<string, number> = {};
  private readonly users: string[] = [];
  private count = 0;

  constructor(
    private readonly supports: readonly ServiceProcess[],
    private readonly random: Random,
  ) {}

  /** Changes the contact of this user, too, from now on. */
  add(user: string): void {
    this.users.push(user);
    if (this.users.length > NEWEST) this.users.shift();
  }

  /** Changes one contact after the other until `enough` aborts. */
  async keepChanging(enough: AbortSignal): Promise<void> {
    while (!enough.aborted) {
      if (this.users.length > 0) await this.change(this.random.pick(this.users));
      await sleep(this.random.between(SOONEST_MS, LATEST_MS));
    }
  }

  /** support-api refuses while there is no primary, and does not answer while it is paused: then the contact may have changed or not. */
  private async change(user: string): Promise<void> {
    const way = this.random.pick(WAYS);
    this.count += 1;
    const body = {
      webhook: { webhook: true },
      email: { email: `${user}@example.test`, email_verified: true },
      'another e-mail': { email: `${user}-${this.count}@example.test`, email_verified: true },
      unverified: { email: `${user}-${this.count}@example.test` },
      deleted: undefined,
    }[way];
    const url = new URL(`/v1/contacts/${user}`, this.random.pick(this.supports).url);
    const answer = await fetch(url, {
      method: body ? 'PUT' : 'DELETE',
      headers: {
        authorization: `Bearer ${ADMIN_TOKEN}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify({ time_zone: 'UTC', ...body }) }),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    }).catch(() => undefined);
    if (answer?.ok) this.done[way] = (this.done[way] ?? 0) + 1;
  }
}
