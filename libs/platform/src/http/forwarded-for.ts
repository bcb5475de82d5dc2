import { Logger } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

const logger = new Logger('ForwardedFor');

/**
 * Leaves only addresses in `X-Forwarded-For`: a client writes its left end, so what is no address, and everything left
 * of it, is dropped. A port after an address is dropped, too.
 */
export function keepForwardedAddresses(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for'];
  if (given === undefined) return;
  const entries = String(given).split(',').map(withoutPort);
  const kept = entries.slice(entries.findLastIndex((entry) => isIP(entry) === 0) + 1);
  if (kept.length > 0) headers['x-forwarded-for'] = kept.join(', ');
  else delete headers['x-forwarded-for'];
}

/** `192.0.2.1:1234`, `[2001:db8::1]` and `[2001:db8::1]:1234` are addresses with a port. */
function withoutPort(entry: string): string {
  const text = entry.trim();
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^(\d+(?:\.\d+){3}):\d+$/.exec(text)?.[1] ?? text;
}

/** Warns once of each service if a proxy is not trusted: all clients behind it would be one address for the limits. */
export function untrustedProxyWarning(): (request: FastifyRequest) => void {
  let isWarned = false;
  return (request) => {
    if (isWarned || request.headers['x-forwarded-for'] === undefined || (request.ips?.length ?? 0) > 1)
      return;
    isWarned = true;
    logger.warn(
      `X-Forwarded-For from ${request.socket.remoteAddress}, which TRUSTED_PROXIES does not name: the limits per address ` +
        'take everyone behind it for one. If it is your proxy, name it there.',
    );
  };
}
