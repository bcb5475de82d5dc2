import { createHmac, timingSafeEqual } from 'node:crypto';

/** A link in a message: what it stands for, until when, and to which address it is sent. */
export interface LinkClaim {
  /** Of the notification that carries it, or of the verification of an address. */
  id: string;
  expires_at: Date;
  /** It stops messages and does nothing else. */
  onlyStops?: true;
}

/** A link that was signed by us. */
export interface SignedLink extends LinkClaim {
  /** Whether it was sent to this address. */
  wasSentTo(address: string): boolean;
}

/**
 * Makes the token of a link: the claim, the HMAC-SHA-256 of the address, and that of both, base64url. Whoever reads the
 * token learns neither the recipient nor the address.
 *
 * @param secrets one, or two during a rotation, separated by a space: the first one signs.
 */
export function signLink(secrets: string, { id, expires_at, onlyStops }: LinkClaim, address: string): string {
  const signed = [id, expires_at.getTime(), ...(onlyStops ? [1] : [])];
  const claim = Buffer.from(JSON.stringify(signed)).toString('base64url');
  const secret = secrets.split(' ')[0]!;
  const body = `${claim}.${addressMac(secret, claim, address)}`;
  return `${body}.${mac(secret, body)}`;
}

/**
 * Reads a link's token; undefined when it is not ours. The caller compares `expires_at` with its clock.
 *
 * @param secrets one, or two during a rotation, separated by a space: either may have signed.
 */
export function readLink(secrets: string, token: string): SignedLink | undefined {
  const parts = token.split('.');
  const [claim, ofAddress, ofBoth] = parts as [string, string, string];
  if (parts.length !== 3) return undefined;
  const secret = secrets.split(' ').find((each) => isEqual(ofBoth, mac(each, `${claim}.${ofAddress}`)));
  if (secret === undefined) return undefined;
  const [id, expires, onlyStops] = JSON.parse(Buffer.from(claim, 'base64url').toString()) as [
    string,
    number,
    1?,
  ];
  return {
    id,
    expires_at: new Date(expires),
    ...(onlyStops && { onlyStops: true }),
    wasSentTo: (address) => isEqual(ofAddress, addressMac(secret, claim, address)),
  };
}

/**
 * The address of a page that a message links to.
 *
 * @param publicUrl of support-api, with or without a slash at its end
 * @param page `a` for an alert, `v` for the verification of an address, `s` to stop messages to one, `sms/receipts` for a
 *   gateway's receipts, `alerts` for an alert in the console
 * @param token the last part: the signed token, or the id of the alert
 */
export function linkAddress(
  publicUrl: string,
  page: 'a' | 'v' | 's' | 'sms/receipts' | 'alerts',
  token: string,
): string {
  return `${publicUrl.replace(/\/$/, '')}/${page}/${token}`;
}

/** Differs from link to link, so that two links do not show that they went to the same address. */
function addressMac(secret: string, claim: string, address: string): string {
  return mac(secret, `${claim}\naddress ${address}`);
}

function mac(secret: string, text: string): string {
  return createHmac('sha256', secret).update(`pillwatch link 2\n${text}`).digest('base64url');
}

function isEqual(offered: string, expected: string): boolean {
  const [one, other] = [Buffer.from(offered), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
