import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { WatchdogConfig } from './config.js';
import type { MailedNotification } from './cycle.js';
import { WatchdogService } from './watchdog.service.js';

/** What is read of a mail: more than its headers. Bytes. */
const READ_BYTES = 100_000;
/** Connections at a time. The port may be open to the internet. */
const MOST_CLIENTS = 50;
/** No sender is quiet for so long. Milliseconds. */
const SOCKET_TIMEOUT_MS = 30_000;
/** How long a mail that is on its way may take at the end. Milliseconds. */
const CLOSE_TIMEOUT_MS = 1_000;

const NO_MAILBOX = 550;

/** Takes the mails to the canary by SMTP, at `WATCHDOG_SMTP_PORT`, and no others. It passes none on. */
@Injectable()
export class MailReceiver implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: SMTPServer | undefined;

  constructor(
    private readonly config: WatchdogConfig,
    private readonly watchdog: WatchdogService,
  ) {}

  /** @throws if the port is taken */
  async onApplicationBootstrap(): Promise<void> {
    const { LISTEN, WATCHDOG_SMTP_PORT: port } = this.config;
    if (port === undefined) return;
    this.server = new SMTPServer({
      // mail servers neither sign in nor check certificates; the mails say nothing of a patient
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      maxClients: MOST_CLIENTS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      closeTimeout: CLOSE_TIMEOUT_MS,
      onRcptTo: ({ address }, _session, answer) => answer(this.isOwn(address) ? null : noMailbox()),
      onData: (stream, _session, answer) => void this.take(stream).then(() => answer(), answer),
    });
    // a sender whose connection breaks sends its mail again
    this.server.on('error', () => undefined);
    await once(this.server.listen(port, LISTEN), 'listening');
  }

  async onApplicationShutdown(): Promise<void> {
    await new Promise<void>((resolve) => (this.server ? this.server.close(resolve) : resolve()));
  }

  /** Whether an address, of any domain, is the canary's. */
  private isOwn(address: string): boolean {
    return address.toLowerCase().startsWith(`${this.config.WATCHDOG_BOTTLE_ID}@`);
  }

  private async take(stream: SMTPServerDataStream): Promise<void> {
    let text = '';
    for await (const chunk of stream as AsyncIterable<Buffer>)
      if (text.length < READ_BYTES) text += chunk.toString('latin1');
    this.watchdog.receiveMail(notificationsIn(text));
  }
}

/** The notifications that a mail consists of; none if it is another mail. */
function notificationsIn(mail: string): MailedNotification[] {
  const [head = ''] = mail.split('\r\n\r\n', 1);
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  const list = (name: string): string[] =>
    new RegExp(`^${name}:(.*)$`, 'im')
      .exec(unfolded)?.[1]!
      .split(',')
      .map((text) => text.trim()) ?? [];
  const events = list('X-Pillwatch-Event');
  return list('X-Pillwatch-Alert').map((alert_id, index) => ({ alert_id, event: events[index] ?? '' }));
}

function noMailbox(): Error {
  return Object.assign(new Error('there is no such mailbox here'), { responseCode: NO_MAILBOX });
}
