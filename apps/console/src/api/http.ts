import { learnServerTime } from '../time/clock.js';
import { idleTime } from '../time/idle.js';
import { t } from '../i18n/i18n.js';

/** An event of the window: a request got no response. */
export const UNREACHABLE = 'pillwatch-unreachable';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Record<string, string | number | boolean | undefined>;

/** Options of a request. */
export interface RequestOptions {
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Called with the headers of a response that is no error. */
  onHeaders?: (headers: Headers) => void;
  /** Sent also while the page is being left; at most 64 KB. */
  keepalive?: boolean;
}

/** The path with its query; undefined and empty parameters are omitted. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/**
 * Sends one request to the API.
 *
 * @returns the response's JSON; undefined if it has no body.
 * @throws ApiError
 */
export async function send<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const { query, body, text, headers, signal, keepalive = false } = options;
  // pages load data by themselves; only what people do keeps a session alive
  const standard = { accept: 'application/json', 'x-idle': String(Math.floor(idleTime() / 1000)) };
  const init: RequestInit = { method, credentials: 'same-origin', headers: standard, keepalive };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { ...init.headers, 'content-type': 'application/json' };
  } else if (text) {
    init.body = text.content;
    init.headers = { ...init.headers, 'content-type': text.type };
  }
  init.headers = { ...init.headers, ...headers };
  const response = await fetch(address(path, query), init).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    window.dispatchEvent(new Event(UNREACHABLE));
    throw ApiError.unreachable();
  });
  learnServerTime(response.headers.get('date'));
  if (!response.ok) throw await ApiError.of(response);
  options.onHeaders?.(response.headers);
  const content = await response.text();
  return (content === '' ? undefined : JSON.parse(content)) as T;
}

/** One wrong field of a request. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  /** In a file: the line, starting at 1. */
  line?: number;
}

/** The body of an error response (RFC 9457). */
interface ProblemDetails {
  title?: string;
  detail?: string;
  code?: string;
  errors?: FieldError[];
  error_id?: string;
}

/** A request that failed, or got no response (`status` 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly errors: readonly FieldError[] = [],
    readonly retryAfterSeconds?: number,
    readonly errorId?: string,
  ) {
    super(message);
  }

  static async of(response: Response): Promise<ApiError> {
    const problem = (await response.json().catch(() => ({}))) as ProblemDetails;
    const retryAfter = Number(response.headers.get('retry-after'));
    return new ApiError(
      response.status,
      problem.code ?? 'unknown',
      problem.detail ??
        problem.title ??
        t('The server responded with status {{status}}.', { status: response.status }),
      problem.errors ?? [],
      Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
      problem.error_id,
    );
  }

  static unreachable(): ApiError {
    return new ApiError(0, 'unreachable', t('Can’t reach the server.'));
  }
}

/** Whether the server responded with this error code. */
export function isProblem(error: unknown, code: string): error is ApiError {
  return error instanceof ApiError && error.code === code;
}

export function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}
