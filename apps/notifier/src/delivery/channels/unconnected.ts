/** The error of undici that ends an attempt before anything was sent. */
const CONNECT_TIMEOUT = 'UND_ERR_CONNECT_TIMEOUT';
const SYSTEM_CALLS = new Set(['connect', 'getaddrinfo']);

interface Failure {
  code?: unknown;
  /** What the system was asked to do, in an error of Node. */
  syscall?: unknown;
}

/** Whether an attempt failed because there was no connection: then the message certainly did not arrive. */
export function isUnconnected(error: unknown): boolean {
  // a name with several addresses: none of them answered
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isUnconnected);
  const { code, syscall } = (error ?? {}) as Failure;
  return SYSTEM_CALLS.has(syscall as string) || code === CONNECT_TIMEOUT;
}
