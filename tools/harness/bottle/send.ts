import type { BatchItemResult, BottleClient } from './bottle-client.js';
import type { Answer } from './http.js';
import type { DeviceClock } from './device-clock.js';
import { asBatchItem, type Report } from './report.js';

/**
 * Older reports go as a batch, even alone: a heartbeat is named by its own `sent_at`, which on its own would be
 * taken for the clock at sending, and a clock off by two minutes for a wrong one. Milliseconds.
 */
const FRESH_MS = 60_000;

/** What came back, one result a report in their order. */
export interface Sent {
  results: BatchItemResult[];
  retryAfter?: string;
}

/**
 * Sends reports as a bottle does: one fresh report to its own address, anything else as a batch, always with the
 * device's clock at sending.
 *
 * @throws when there is no answer.
 */
export async function send(
  client: BottleClient,
  clock: DeviceClock,
  reports: readonly Report[],
  now: number,
): Promise<Sent> {
  const [first] = reports;
  const sentAt = clock.write(now);
  if (reports.length === 1 && first && now - first.madeAt < FRESH_MS) return sendAlone(client, first, sentAt);
  const answer = await client.batch({ sent_at: sentAt, items: reports.map(asBatchItem) });
  const results = answer.body?.results ?? reports.map(() => resultOf(answer));
  return { results, ...retryAfterOf(answer) };
}

async function sendAlone(client: BottleClient, report: Report, sentAt: string): Promise<Sent> {
  if (report.type === 'heartbeat') {
    const answer = await client.heartbeat(report.body);
    return { results: [resultOf(answer)], ...retryAfterOf(answer) };
  }
  const answer = await client.action({ ...report.body, sent_at: sentAt });
  const id = answer.body?.id;
  return { results: [{ ...resultOf(answer), ...(id === undefined ? {} : { id }) }], ...retryAfterOf(answer) };
}

function resultOf({ status, code, detail }: Answer<unknown>): BatchItemResult {
  return { status, ...(code === undefined ? {} : { code }), ...(detail === undefined ? {} : { detail }) };
}

function retryAfterOf({ retryAfter }: Answer<unknown>): { retryAfter?: string } {
  return retryAfter === undefined ? {} : { retryAfter };
}
