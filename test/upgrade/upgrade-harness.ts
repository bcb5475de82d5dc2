import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ADMIN_TOKEN } from '../../tools/harness/services.js';
import type { ServiceName, ServiceProcess } from '../../tools/harness/service-process.js';
import { SmtpSink } from '../../tools/harness/smtp-sink.js';
import { type Content, contentOf } from '../../tools/kill-runs/journal.js';
import { FaultHarness } from '../faults/fault-harness.js';
import { SETTINGS } from './load.js';

/** In the order in which docs/upgrading.md replaces them. */
const SERVICES = ['support-api', 'notifier', 'device-api'] as const;

/** A process that is replaced by one of another version, at the same address. */
export interface Place {
  name: ServiceName;
  process: ServiceProcess;
  /** The folder of another release, or none for this version. */
  release: string | undefined;
}

/** Two processes of each service, each of the last release or of this version. */
export class UpgradeHarness {
  private constructor(
    readonly faults: FaultHarness,
    readonly mail: SmtpSink,
    readonly places: readonly Place[],
  ) {}

  static async start(release: string): Promise<UpgradeHarness> {
    const mail = await SmtpSink.start();
    const faults = await FaultHarness.start({
      ...SETTINGS,
      SMTP_URL: mail.url,
      SMTP_ALLOW_PLAIN: 'true',
    });
    const places: Place[] = [];
    const harness = new UpgradeHarness(faults, mail, places);
    try {
      for (const name of SERVICES)
        for (let count = 0; count < 2; count += 1)
          places.push({ name, release, process: await faults.run(name, {}, { release }) });
      return harness;
    } catch (error) {
      await harness.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    await this.faults.stop();
    await this.mail.stop();
  }

  /** Stops a process in order and starts one of a version in its place. */
  async replace(place: Place, release: string | undefined): Promise<void> {
    const port = Number(new URL(place.process.url).port);
    await place.process.end('SIGTERM');
    place.process = await this.faults.run(place.name, {}, { port, ...(release ? { release } : {}) });
    place.release = release;
  }

  placesOf(name: ServiceName): Place[] {
    return this.places.filter((place) => place.name === name);
  }

  /** What was received so far, with the ids under which it was. */
  received(): Map<Content, Set<string>> {
    const contents = new Map<Content, Set<string>>();
    for (const { id, data } of this.faults.receiver.requests) {
      const content = contentOf(data);
      contents.set(content, (contents.get(content) ?? new Set()).add(id));
    }
    const mailsTo = new Map<string, number>();
    for (const { to, headers } of this.mail.mails) {
      const address = to.join();
      mailsTo.set(address, (mailsTo.get(address) ?? 0) + 1);
      contents.set(`${address} ${mailsTo.get(address)}`, new Set([headers.get('message-id') ?? '']));
    }
    return contents;
  }

  /** A request to a support-api. @throws unless it is answered with 2xx */
  async staff<T>(place: Place, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
    const answer = await fetch(`${place.process.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} of ${place.release ?? 'this version'}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Runs `npm run admin` of this version. @returns its output @throws if it does not exit with 0 */
  async admin(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/apps/admin/src/main.js', ...args], {
      env: { ...process.env, MONGODB_URI: this.faults.database.uri },
    });
    return stdout;
  }
}
