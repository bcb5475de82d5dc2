import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a link in a message may do: one thing, for one recipient, until it expires. */
export interface LinkClaim {
  purpose: 'acknowledge';
  alert_id: string;
  recipient: string;
  expires_at: Date;
}

/** Makes the token of a link: the claim and its HMAC-SHA-256, base64url. It is no secret of ours to whoever got it. */
export function signLink(secret: string, claim: LinkClaim): string {
  const { purpose, alert_id, recipient, expires_at } = claim;
  const body = Buffer.from(JSON.stringify([purpose, alert_id, recipient, expires_at.getTime()])).toString(
    'base64url',
  );
  return `${body}.${mac(secret, body)}`;
}

/** Reads a link's token; undefined when it is not ours. The caller compares `expires_at` with its clock. */
export function readLink(secret: string, token: string): LinkClaim | undefined {
  const [body = '', given = ''] = token.split('.');
  const expected = Buffer.from(mac(secret, body));
  const offered = Buffer.from(given);
  if (offered.length !== expected.length || !timingSafeEqual(offered, expected)) return undefined;
  const [purpose, alert_id, recipient, expires] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    'acknowledge',
    string,
    string,
    number,
  ];
  return { purpose, alert_id, recipient, expires_at: new Date(expires) };
}

function mac(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`pillwatch link\n${body}`).digest('base64url');
}
