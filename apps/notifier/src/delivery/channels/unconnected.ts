/** Errors of undici and nodemailer that end an attempt before anything was sent. */
const CODES = new Set(['UND_ERR_CONNECT_TIMEOUT', 'EDNS']);
const TIMEOUTS = new Set(['CONNECT_TIMEOUT', 'GREETING_TIMEOUT']);
const SYSTEM_CALLS = new Set(['connect', 'getaddrinfo']);

interface Failure {
  code?: unknown;
  /** What the system was asked to do, in an error of Node. */
  syscall?: unknown;
  /** Which of nodemailer's time limits was over. */
  timeoutType?: unknown;
}

/** Whether an attempt failed because there was no connection: then the message certainly did not arrive. */
export function isUnconnected(error: unknown): boolean {
  // a name with several addresses: none of them answered
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnconnected);
  const { code, syscall, timeoutType } = (error ?? {}) as Failure;
  return (
    SYSTEM_CALLS.has(syscall as string) || CODES.has(code as string) || TIMEOUTS.has(timeoutType as string)
  );
}
