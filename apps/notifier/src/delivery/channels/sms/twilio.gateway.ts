import { DeliveryError } from '../../channel.js';
import { type GatewayRequest, refusedNumber, type Sms, type SmsGateway } from './gateway.js';

/** Twilio's codes of a number that takes no SMS: not valid, not mobile, no route to it, or it replied STOP. */
const REFUSED_CODES = new Set([21211, 21214, 21217, 21408, 21610, 21612, 21614]);

/** Twilio's Messages API, version 2010-04-01, which others have, too. */
export class TwilioGateway implements SmsGateway {
  readonly asked: URL;
  private readonly authorization: string;
  private readonly messages: URL;

  /** @param url with the account's SID as user, and its token as password */
  constructor(
    url: string,
    private readonly from: string | undefined,
  ) {
    const { username, password, origin } = new URL(url);
    this.asked = new URL(`/2010-04-01/Accounts/${username}.json`, origin);
    this.messages = new URL(`/2010-04-01/Accounts/${username}/Messages.json`, origin);
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  request({ to, text, receipts }: Sms): GatewayRequest {
    const { from = '' } = this;
    const sender = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
    return {
      url: this.messages,
      method: 'POST',
      headers: { authorization: this.authorization, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        To: to,
        [sender]: from,
        Body: text,
        ...(receipts !== undefined && { StatusCallback: receipts }),
      }).toString(),
    };
  }

  failureOf(status: number, body: string): DeliveryError {
    const code = codeIn(body);
    const message = `the gateway answered ${status}${code === undefined ? '' : ` (code ${code})`}`;
    return code !== undefined && REFUSED_CODES.has(code)
      ? refusedNumber(message, status, { by: this.asked.hostname, reply: `code ${code}` })
      : new DeliveryError(message, { status });
  }
}

function codeIn(body: string): number | undefined {
  try {
    const { code } = JSON.parse(body) as { code?: unknown };
    return typeof code === 'number' ? code : undefined;
  } catch {
    return undefined;
  }
}
