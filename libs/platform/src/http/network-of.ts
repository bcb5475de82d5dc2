import { isIPv6 } from 'node:net';

/**
 * The network in which one client chooses its addresses: an IPv4 address is one of its own, of an IPv6 address the
 * first 64 bits count.
 *
 * @param address of a client, as Fastify has it
 * @returns such as `192.0.2.1` or `2001:db8:0:1::/64`
 */
export function networkOf(address: string): string {
  const ipv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4 !== undefined || !isIPv6(address)) return ipv4 ?? address;
  const [head, tail] = address
    .split('::', 2)
    .map((part) => part.split(':').filter((group) => group !== '' && !group.includes('.')));
  const zeros = tail ? Math.max(0, 8 - head!.length - tail.length) : 0;
  const groups = [...head!, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
