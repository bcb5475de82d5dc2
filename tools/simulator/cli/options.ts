import { parseDuration } from '#domain';
import { parseArgs } from 'node:util';
import type { SimulatorOptions } from '../simulator.js';

/** What was asked for on the command line. */
export interface CommandLine {
  simulator: Omit<SimulatorOptions, 'onAcknowledged' | 'clock'>;
  /** Milliseconds; until interrupted when absent. */
  duration?: number;
  /** Where a line is added for each acknowledged report. */
  logAcks?: string;
}

/** The command line is wrong; the message says what to do. */
export class UsageError extends Error {}

export const USAGE = `npm run simulate -- [options]

Drives the real REST API with a fleet of bottles, in real time with compressed intervals.

  --bottles N        how many (100)
  --speed N          seconds of the fleet's time in a real second (60: a heartbeat every 30 s, a dose every 8 min;
                     for the services to see silence at that pace, start them with SILENT_BOTTLE_AFTER=1m)
  --target URL       device-api (http://127.0.0.1:3000)
  --support URL      support-api, where the bottles are registered (the target's next port)
  --admin-token KEY  an admin key of support-api (ADMIN_TOKEN in the environment)
  --duration TIME    such as 90s, 5m or 2h (until Ctrl-C)
  --seed TEXT        the same seed makes the same fleet (1)
  --concurrency N    requests under way at once, at most (64)
  --log-acks FILE    add one JSON line for each report that was acknowledged
  --help

Exits with 1 when a report was refused for good, with 2 when the command line is wrong.`;

const OPTIONS = {
  bottles: { type: 'string', default: '100' },
  speed: { type: 'string', default: '60' },
  target: { type: 'string', default: 'http://127.0.0.1:3000' },
  support: { type: 'string' },
  'admin-token': { type: 'string' },
  duration: { type: 'string' },
  seed: { type: 'string', default: '1' },
  concurrency: { type: 'string', default: '64' },
  'log-acks': { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads the command line.
 *
 * @param adminToken the one of the environment, if there is one
 * @returns undefined when help was asked for
 * @throws UsageError naming the option that is wrong
 */
export function readCommandLine(args: string[], adminToken?: string): CommandLine | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  const token = values['admin-token'] ?? adminToken;
  if (token === undefined)
    throw new UsageError('give an admin key: --admin-token, or ADMIN_TOKEN in the environment');
  const target = address('target', values.target);
  return {
    simulator: {
      bottles: positive('bottles', values.bottles, true),
      speed: positive('speed', values.speed),
      target: target.href,
      support: (values.support === undefined ? nextPort(target) : address('support', values.support)).href,
      adminToken: token,
      seed: values.seed,
      concurrency: positive('concurrency', values.concurrency, true),
    },
    ...(values.duration === undefined ? {} : { duration: durationOf(values.duration) }),
    ...(values['log-acks'] === undefined ? {} : { logAcks: values['log-acks'] }),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function positive(name: string, text: string, whole = false): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0 && (!whole || Number.isInteger(value)))
    return value;
  throw new UsageError(`--${name} must be a ${whole ? 'whole ' : ''}number above 0`);
}

function durationOf(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined && milliseconds > 0) return milliseconds;
  throw new UsageError('--duration must be a time such as 90s, 5m or 2h');
}

function address(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new UsageError(`--${name} must be an address such as http://127.0.0.1:3000`);
}

const DEFAULT_PORTS: Record<string, number> = { 'http:': 80, 'https:': 443 };

function nextPort(target: URL): URL {
  const url = new URL(target);
  url.port = String((Number(target.port) || DEFAULT_PORTS[target.protocol]!) + 1);
  return url;
}
