import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BenchHarness } from '../harness.js';
import { atLeast, type Line, perSecond } from '../report/line.js';
import { inTurn, ratio, spread } from '../report/rounds.js';
import { contender } from './single-heartbeats.js';

const ROUNDS = 20;

/** Line 27: single heartbeats while one in a hundred is traced, against none. */
export async function tracing(harness: BenchHarness): Promise<Line[]> {
  const collector = await Collector.start();
  const sampled = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
  };
  const services = {
    on: await contender(harness, 'traced', (db) => harness.deviceApi(db, sampled)),
    off: await contender(harness, 'untraced', (db) => harness.deviceApi(db)),
  };
  const { on, off } = await inTurn(
    { on: () => services.on.measure(), off: () => services.off.measure() },
    ROUNDS,
  );
  const cpu = { on: services.on.cpuUs(), off: services.off.cpuUs() };
  const found = [await services.on.finish(), await services.off.finish()];
  const { requests } = collector;
  collector.stop();
  if (requests === 0) throw new Error('no span was sent');
  const figures = {
    'traced, 1 %': perSecond(spread(on).median),
    'not traced': perSecond(spread(off).median),
    'processor time of device-api a heartbeat': `${cpu.on.toFixed(1)} and ${cpu.off.toFixed(1)} µs`,
    'requests with spans': String(requests),
    'acknowledged and found in the log': found.join(', '),
  };
  return [{ ...atLeast(27, 'single heartbeats with 1 % traced ÷ none', 0.95, ratio(on, off)), figures }];
}

/** Takes spans by OTLP over HTTP, as a collector does, and drops them. */
class Collector {
  requests = 0;
  private readonly server = createServer((request, response) => {
    this.requests += 1;
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
