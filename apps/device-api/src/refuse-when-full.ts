import { Clock, Lifecycle, overloaded } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Activity } from './reports/activity.js';
import { ReportCounters } from './reports/report-counters.js';
import { ReportWriter } from './reports/report-writer.js';

const REFUSALS_PER_TURN = 256;

/**
 * While the queue of reports is full, refuses each POST before any work is done for it: it is not routed, its token is
 * not looked up, and its body is not read.
 *
 * Each turn of the event loop sends a limited number of refusals. A flooding client sends its next request as soon as
 * it has the answer; without the limit, refusals would starve the requests that wait. Without a flood, the refusal is
 * sent in the same turn.
 *
 * During shutdown, requests take the usual route, because responses then ask for the connection to be closed.
 *
 * @returns a function that answers a request and returns true, or returns false
 */
export function refusalWhenFull(
  app: NestFastifyApplication,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const writer = app.get(ReportWriter);
  const lifecycle = app.get(Lifecycle);
  const activity = app.get(Activity);
  const counters = app.get(ReportCounters);
  const clock = app.get(Clock);
  const { code, answer } = overloaded();
  const waiting: [IncomingMessage, ServerResponse][] = [];
  const flush = (): void => {
    const refused = waiting.splice(0, REFUSALS_PER_TURN);
    if (waiting.length > 0) setImmediate(flush);
    activity.refused(code, clock.now(), refused.length);
    counters.countRefused('unknown', code, refused.length);
    for (const [{ headers }, response] of refused) answer(headers, response);
  };
  return (request, response) => {
    if (!writer.isFull || request.method !== 'POST' || lifecycle.stopping) return false;
    if (waiting.push([request, response]) === 1) setImmediate(flush);
    return true;
  };
}
