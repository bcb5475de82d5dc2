import { lookup, type LookupAddress } from 'node:dns';
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net';

/** Networks that a webhook must not reach: this machine, private and shared networks, link-local, multicast. */
const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv4');
}
for (const [network, prefix] of [
  // with IPv4-compatible addresses, which some systems route like the IPv4 address in them
  ['::', 96],
  // NAT64, of everyone and of one's own network
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  // Teredo, ORCHID, documentation
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: an IPv4 address, which may be private, is in it
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(network, prefix, 'ipv6');
}

/** The address belongs to a network that a webhook must not reach. */
export class PrivateAddressError extends Error {
  constructor() {
    super('the receiver has a private address (WEBHOOK_ALLOW_PRIVATE permits that)');
    this.name = 'PrivateAddressError';
  }
}

/** True for an IP address, v4, v6 or v4 within v6, that is not of the public internet. */
export function isPrivateAddress(address: string): boolean {
  if (!isIPv6(address)) return PRIVATE.check(address, 'ipv4');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  // BlockList matches ::ffff:a.b.c.d in hexadecimal form against the IPv4 rules by itself
  return mapped ? PRIVATE.check(mapped, 'ipv4') : PRIVATE.check(address, 'ipv6');
}

/** Checks an address that is written as digits: Node connects to it without resolving it. */
export function refusePrivateLiteral(hostname: string): void {
  const bare = hostname.replace(/^\[|\]$/g, '');
  if (isIP(bare) && isPrivateAddress(bare)) throw new PrivateAddressError();
}

/**
 * Resolves a name and refuses private addresses. The connection uses this very answer, so a name that resolves
 * to another address a moment later (DNS rebinding) gains nothing.
 */
export const publicOnlyLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) callback(error, '');
    else if (found.some(({ address }) => isPrivateAddress(address))) callback(new PrivateAddressError(), '');
    else if (options.all) callback(null, found);
    else callback(null, found[0]!.address, found[0]!.family);
  });
};
