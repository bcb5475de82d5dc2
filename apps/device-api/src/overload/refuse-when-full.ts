import { Clock, Lifecycle, overloaded } from '#platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { RequestListener, Server, ServerResponse } from 'node:http';
import { Activity } from '../reports/activity.js';
import { ReportWriter } from '../reports/report-writer.js';

/** So many are told in one turn of the event loop. */
const TOLD_IN_A_TURN = 256;

/**
 * While too many reports wait, a request is refused before anything is done for it: it is not routed, its token not
 * looked up, its body not read, its answer not made anew.
 *
 * Answers are sent some in each turn of the event loop. A flood is answered as fast as it can be read, and each answer
 * brings the next request; without a limit those who wait would get what the flood leaves, and so the flood gets what
 * they leave. Where there is no flood the answer goes in the same turn.
 *
 * While the service stops, answers say so, and all go the usual way.
 */
export function refuseWhenFull(app: NestFastifyApplication): void {
  const [writer, lifecycle, activity, clock] = [
    app.get(ReportWriter),
    app.get(Lifecycle),
    app.get(Activity),
    app.get(Clock),
  ];
  const { status, headers, body, code } = overloaded();
  const refused: ServerResponse[] = [];
  const tell = (): void => {
    const told = refused.splice(0, TOLD_IN_A_TURN);
    if (refused.length > 0) setImmediate(tell);
    activity.refused(code, clock.now(), told.length);
    for (const response of told) response.writeHead(status, headers).end(body);
  };
  const server: Server = app.getHttpServer();
  const [route] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!writer.isFull || request.method !== 'POST' || lifecycle.stopping) return route!(request, response);
    if (refused.push(response) === 1) setImmediate(tell);
  });
}
