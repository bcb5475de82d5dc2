import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to send an SMS, accepted or not: as Kannel's `sendsms` gets it, or Twilio's API. */
export interface ReceivedSms {
  to: string;
  from: string | undefined;
  text: string;
  /** Where receipts go, if any are asked for. */
  receipts: string | undefined;
  /** All fields of the request. */
  fields: Record<string, string>;
}

interface Answer {
  status: number;
  body?: string;
}

/** A real HTTP server in place of a gateway for SMS. */
export class SmsReceiver {
  readonly requests: ReceivedSms[] = [];
  /** What it answers; by default, that it accepted the SMS. */
  answer: (sms: ReceivedSms) => Answer | undefined = () => undefined;
  private readonly server: Server;

  private constructor(private readonly onSms: (sms: ReceivedSms) => Promise<void> | void) {
    this.server = createServer((request, response) => void this.accept(request, response));
  }

  /** @param onSms called with each accepted SMS, before it is answered */
  static async start(
    onSms: (sms: ReceivedSms) => Promise<void> | void = () => undefined,
  ): Promise<SmsReceiver> {
    const receiver = new SmsReceiver(onSms);
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  private get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The settings of a notifier that sends through it. */
  get asKannel(): Record<string, string> {
    return { SMS_URL: `http://pills:secret@${this.host}/cgi-bin/sendsms`, SMS_FROM: 'Pillwatch' };
  }

  get asTwilio(): Record<string, string> {
    return { SMS_GATEWAY: 'twilio', SMS_URL: `http://AC1:token@${this.host}`, SMS_FROM: '+4930555' };
  }

  /** The texts to a number. */
  textsTo(number: string): string[] {
    return this.requests.filter(({ to }) => to === number).map(({ text }) => text);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, 'http://gateway');
    const body = Buffer.concat(await request.toArray()).toString();
    const isTwilio = url.pathname.endsWith('/Messages.json');
    const fields = Object.fromEntries(isTwilio ? new URLSearchParams(body) : url.searchParams);
    const sms: ReceivedSms = isTwilio
      ? {
          to: fields['To']!,
          from: fields['From'],
          text: fields['Body']!,
          receipts: fields['StatusCallback'],
          fields: { ...fields, authorization: request.headers.authorization ?? '' },
        }
      : {
          to: fields['to']!,
          from: fields['from'],
          text: fields['text']!,
          receipts: fields['dlr-url'],
          fields,
        };
    // whether it answers
    if (sms.to === undefined) return void response.writeHead(403).end('Authorization failed for sendsms');
    this.requests.push(sms);
    const accepted = isTwilio
      ? { status: 201, body: JSON.stringify({ sid: `SM${this.requests.length}`, status: 'queued' }) }
      : { status: 202, body: '0: Accepted for delivery' };
    const refused = this.answer(sms);
    if (!refused) await this.onSms(sms);
    const answer = refused ?? accepted;
    response.writeHead(answer.status).end(answer.body);
  }
}
