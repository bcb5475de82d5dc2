import { CANARY_PILLS } from '#domain';
import { Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { WatchdogConfig } from './config.js';

/** An answer that takes longer is none. Milliseconds. */
const TIMEOUT_MS = 10_000;
/** A ping that is lost is repeated soon, so that no cycle looks as if it had not ended: the waits before it. Milliseconds. */
const PING_WAITS_MS = [0, 1_000, 3_000];
const PING_TIMEOUT_MS = 5_000;
/** The canary's content, which never changes. */
const CONTENT = { mass_of_contents: 1_000, number_of_pills: CANARY_PILLS };

/** What the watchdog sends: reports of its canary, a request to support-api, and pings. */
@Injectable()
export class Requests {
  private readonly logger = new Logger(Requests.name);

  constructor(private readonly config: WatchdogConfig) {}

  sendHeartbeat(now: Date): Promise<void> {
    return this.report('/v1/heartbeats', { sent_at: now.toISOString() });
  }

  sendAction(action: 'opened' | 'closed', time: Date, now: Date): Promise<void> {
    return this.report('/v1/actions', {
      action,
      time: time.toISOString(),
      sent_at: now.toISOString(),
      event_id: randomUUID(),
      ...CONTENT,
      ...(action === 'closed' && { pills_taken: 0 }),
    });
  }

  /** What the staff's console shows first. */
  async readFleet(): Promise<void> {
    await send(`${this.config.WATCHDOG_SUPPORT_API_URL}/v1/fleet`, {
      headers: { authorization: `Bearer ${this.config.WATCHDOG_API_KEY}` },
    });
  }

  /** The last entry of the audit; undefined if support-api is of a version that does not say it. */
  async readAuditHead(): Promise<string | undefined> {
    const answer = await fetch(`${this.config.WATCHDOG_SUPPORT_API_URL}/v1/audit/head`, {
      headers: { authorization: `Bearer ${this.config.WATCHDOG_API_KEY}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => undefined);
    if (!answer?.ok) return undefined;
    const { head } = (await answer.json().catch(() => ({}))) as { head?: string | null };
    return head ?? undefined;
  }

  /** Pings the dead man's switch at a start, which delays the cycle at most by one attempt. */
  async pingStart(): Promise<void> {
    await this.ping('/start');
  }

  /** Pings the dead man's switch with a result. If that fails there is nobody to say it to: the switch fires by itself. */
  async pingEnd(signal: '' | '/fail', text: string): Promise<void> {
    for (const wait of PING_WAITS_MS) {
      if (wait > 0) await setTimeout(wait);
      if (await this.ping(signal, text)) return;
    }
  }

  /** @returns whether it was answered */
  private async ping(signal: '' | '/start' | '/fail', text = ''): Promise<boolean> {
    const url = new URL(this.config.WATCHDOG_PING_URL);
    url.pathname += signal;
    try {
      await send(url, { method: 'POST', body: text }, PING_TIMEOUT_MS);
      return true;
    } catch (error) {
      this.logger.warn(`ping${signal}: ${String(error)}`);
      return false;
    }
  }

  private async report(path: string, body: object): Promise<void> {
    await send(`${this.config.WATCHDOG_DEVICE_API_URL}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.config.WATCHDOG_BOTTLE_TOKEN}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
  }
}

/** @throws unless the answer is 2xx */
async function send(url: string | URL, init: RequestInit, timeoutMs = TIMEOUT_MS): Promise<void> {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${answer.status}`);
}
