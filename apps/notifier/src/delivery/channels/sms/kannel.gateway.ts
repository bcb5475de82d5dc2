import { asReply, smsEncoding } from '#domain';
import { DeliveryError } from '../../channel.js';
import { type GatewayRequest, refusedNumber, type Sms, type SmsGateway } from './gateway.js';

/**
 * Kannel's words for a number that its lists deny, or to which no route leads. A wrong password has the same status, and
 * what stands before a gateway answers `Access denied`: that is about us.
 */
const DENIED = /denied by white|not routable/i;

/** The receipts that are asked for: delivered (1), not delivered (2), taken by the network (8), and not (16). */
const RECEIPTS = 1 + 2 + 8 + 16;

/** Kannel's `sendsms`, which other gateways have, too: a GET request. */
export class KannelGateway implements SmsGateway {
  readonly asked: URL;
  private readonly username: string;
  private readonly password: string;

  /** @param url with user and password */
  constructor(
    url: string,
    private readonly from: string | undefined,
  ) {
    const { username, password, origin, pathname } = new URL(url);
    this.asked = new URL(pathname, origin);
    this.username = decodeURIComponent(username);
    this.password = decodeURIComponent(password);
  }

  request({ to, text, receipts }: Sms): GatewayRequest {
    const url = new URL(this.asked);
    url.search = new URLSearchParams({
      username: this.username,
      password: this.password,
      ...(this.from !== undefined && { from: this.from }),
      to,
      text,
      charset: 'UTF-8',
      coding: smsEncoding(text) === 'gsm7' ? '0' : '2',
      ...(receipts !== undefined && {
        'dlr-mask': String(RECEIPTS),
        'dlr-url': `${receipts}?type=%d&reply=%A`,
      }),
    }).toString();
    return { url, method: 'GET' };
  }

  failureOf(status: number, body: string): DeliveryError {
    return DENIED.test(body)
      ? refusedNumber('the gateway denies this number', status, {
          by: this.asked.hostname,
          reply: asReply(body) ?? '',
        })
      : new DeliveryError(`the gateway answered ${status}`, { status });
  }
}
