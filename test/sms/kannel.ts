import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../libs/platform/src/embedded-database/free-port.js';
import { eventually } from '../../tools/harness/eventually.js';

const FAKE_SMSC = '/usr/lib/kannel/test/fakesmsc';
const INSTALL = 'Kannel is needed for this test: apt-get install kannel kannel-extras';

/** What a phone gets, as the fake SMSC prints it: `<from to udh %05%00%03%4F%02%01 data text>`. */
const RECEIVED = /Got message \d+: <\S+ (\+\d+) (?:udh \S*%([0-9A-F]{2}) )?/;

/** Kannel as Debian has it: bearerbox, smsbox and its fake SMSC. Numbers that begin with +4999 have no route. */
export class Kannel {
  /** How often each part of an SMS came to a number: `+4915112345678 1`. */
  readonly received = new Map<string, number>();
  private readonly folder = mkdtempSync(join(tmpdir(), 'pillwatch-kannel-'));
  private readonly boxes: ChildProcess[] = [];
  private smsc: ChildProcess | undefined;

  private constructor(
    private readonly smscPort: number,
    private readonly sendPort: number,
  ) {}

  /** @param messages where it passes on what people send, with the key @throws if Kannel is missing */
  static async start(messages: string): Promise<Kannel> {
    if (!existsSync(FAKE_SMSC)) throw new Error(INSTALL);
    const [smsc, send, admin, box] = [await freePort(), await freePort(), await freePort(), await freePort()];
    const kannel = new Kannel(smsc, send);
    const file = join(kannel.folder, 'kannel.conf');
    writeFileSync(file, configuration({ smsc, send, admin, box, messages }));
    kannel.run('bearerbox', file);
    await eventually(() => reachable(admin));
    kannel.run('smsbox', file);
    await eventually(() => reachable(send));
    await kannel.startSmsc();
    return kannel;
  }

  /** The settings of a notifier. */
  get settings(): Record<string, string> {
    return {
      SMS_URL: `http://pills:secret@127.0.0.1:${this.sendPort}/cgi-bin/sendsms`,
      SMS_FROM: 'Pillwatch',
    };
  }

  /** @param args what it sends: nothing by default */
  async startSmsc(args: readonly string[] = ['-m', '0', '1 2 text x']): Promise<void> {
    const smsc = this.smscOf(args);
    this.smsc = smsc;
    for (const stream of [smsc.stdout!, smsc.stderr!])
      createInterface(stream).on('line', (line) => {
        const [, number, part = '01'] = RECEIVED.exec(line) ?? [];
        if (number === undefined) return;
        const key = `${number} ${Number.parseInt(part, 16)}`;
        this.received.set(key, (this.received.get(key) ?? 0) + 1);
      });
    await once(smsc, 'spawn');
  }

  /** Like kill -9. */
  async killSmsc(): Promise<void> {
    const ended = once(this.smsc!, 'exit');
    this.smsc!.kill('SIGKILL');
    await ended;
  }

  hangSmsc(): void {
    this.smsc!.kill('SIGSTOP');
  }

  wakeSmsc(): void {
    this.smsc!.kill('SIGCONT');
  }

  /** A person sends a text: Kannel takes one fake SMSC at a time, so this one stands in for the other from then on. */
  async send(from: string, text: string): Promise<void> {
    await this.killSmsc();
    await this.startSmsc(['-m', '1', `${from} 1234 text ${text}`]);
  }

  async stop(): Promise<void> {
    for (const process of [this.smsc, ...this.boxes.toReversed()]) process?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(box: string, file: string): void {
    this.boxes.push(spawn(box, [file], { stdio: 'ignore' }));
  }

  private smscOf(args: readonly string[]): ChildProcess {
    return spawn(FAKE_SMSC, ['-H', '127.0.0.1', '-r', String(this.smscPort), ...args]);
  }
}

/** Any answer: without a name and a password it is a refusal. */
async function reachable(port: number): Promise<void> {
  await fetch(`http://127.0.0.1:${port}/`);
}

/** As docs/sms.md has it, on these ports. */
function configuration(of: {
  smsc: number;
  send: number;
  admin: number;
  box: number;
  messages: string;
}): string {
  return `
group = core
admin-port = ${of.admin}
admin-password = secret
smsbox-port = ${of.box}
box-allow-ip = "127.0.0.1"
dlr-storage = internal

group = smsc
smsc = fake
smsc-id = fake
port = ${of.smsc}
connect-allow-ip = 127.0.0.1
denied-prefix = "+4999"

group = smsbox
bearerbox-host = 127.0.0.1
bearerbox-port = ${of.box}
sendsms-port = ${of.send}
sendsms-interface = 127.0.0.1
http-request-retry = 10
http-queue-delay = 1

group = sendsms-user
username = pills
password = secret
concatenation = true
max-messages = 4

group = sms-service
keyword = default
catch-all = true
get-url = "${of.messages}?from=%p&text=%a&id=%I"
max-messages = 1
omit-empty = true
`;
}
