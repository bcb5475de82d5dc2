import { ConsoleLogger, type LogLevel } from '@nestjs/common';
import { type Level, type Logger as Lines, pino, stdTimeFunctions } from 'pino';
import { withoutValues } from './without-values.js';

const LEVELS: Record<LogLevel, Level> = {
  verbose: 'trace',
  debug: 'debug',
  log: 'info',
  warn: 'warn',
  error: 'error',
  fatal: 'fatal',
};

/** Who speaks of Nest's own wiring: 200 lines at each start, of which an operator can use none. */
const WIRING = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
]);

/**
 * What Nest's loggers write to: text for people at a terminal, otherwise one line of JSON for each message, on stdout.
 * Fields come as the last argument: `logger.warn('late', { request_id })`.
 */
export class ServiceLogger extends ConsoleLogger {
  private readonly lines: Lines | undefined;

  constructor(context = '', json = !process.stdout.isTTY) {
    super(context, { json, logLevels: ['log', 'warn', 'error', 'fatal'] });
    if (json) this.lines = jsonLines();
  }

  protected override printMessages(
    messages: unknown[],
    context?: string,
    level: LogLevel = 'log',
    stream?: 'stdout' | 'stderr',
    stack?: unknown,
    fields?: Record<string, unknown>,
  ): void {
    if (level === 'log' && context !== undefined && WIRING.has(context)) return;
    for (const message of messages) {
      const text = withoutValues(String(message));
      const trace = message instanceof Error ? message.stack : stack;
      const cleanTrace = typeof trace === 'string' ? withoutValues(trace) : undefined;
      if (this.lines) this.lines[LEVELS[level]]({ context, ...fields, stack: cleanTrace }, text);
      else {
        const shown = message instanceof Error ? (cleanTrace ?? text) : text;
        const some = fields && Object.keys(fields).length > 0 ? fields : undefined;
        super.printMessages([shown], context, level, stream, undefined, some);
      }
    }
  }
}

/** process.stdout, and not its file descriptor: in order with what else is written to it, and synchronous for a pipe. */
function jsonLines(): Lines {
  return pino(
    {
      base: { pid: process.pid },
      messageKey: 'message',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    process.stdout,
  );
}
