import { learnServerTime } from '../time/clock.js';
import { ApiError } from './problem.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Query = Record<string, string | number | boolean | undefined>;

/** What a request consists of beside its address. */
export interface RequestOptions {
  query?: Query;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is. */
  text?: { type: string; content: string };
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The address with its query; what is undefined or empty is left out. */
export function address(path: string, query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`;
}

/**
 * One request to the API that served this page.
 *
 * @returns the answer's JSON; undefined when it has none.
 * @throws ApiError
 */
export async function send<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const { query, body, text, headers, signal } = options;
  const init: RequestInit = { method, credentials: 'same-origin', headers: { accept: 'application/json' } };
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
    throw signal?.aborted ? error : ApiError.unreachable();
  });
  learnServerTime(response.headers.get('date'));
  if (!response.ok) throw await ApiError.of(response);
  const content = await response.text();
  return (content === '' ? undefined : JSON.parse(content)) as T;
}
