import { isProblem, isStatus, type Method, type RequestOptions, send } from './http.js';
import { session } from './session.js';

const SETUP_CODES = ['password_change_required', 'second_factor_required'];

/**
 * Sends a request in the current session. If the session has ended, it waits until the user has signed in again and
 * repeats the request, so that no input is lost. It does the same for what needs a new sign-in.
 *
 * @throws ApiError
 */
export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const used = session.csrf;
  try {
    return await send<T>(method, path, withToken(method, options));
  } catch (error) {
    if (isStatus(error, 401)) await session.renewed();
    else if (isProblem(error, 'csrf')) await freshToken(used);
    else if (isProblem(error, 'reauthentication_required')) await session.confirmed();
    else {
      // an admin has given a new password or another role: the page for it takes over
      if (SETUP_CODES.some((code) => isProblem(error, code))) await session.load();
      throw error;
    }
    return send<T>(method, path, withToken(method, options));
  }
}

/** After a sign-in in another tab the cookie is newer than this page's token. */
async function freshToken(used: string): Promise<void> {
  if (session.csrf === used) await session.load();
  if (session.get().kind !== 'signed-in') await session.renewed();
}

function withToken(method: Method, options: RequestOptions): RequestOptions {
  if (method === 'GET') return options;
  return { ...options, headers: { ...options.headers, 'x-csrf-token': session.csrf } };
}

/** A resource and its ETag, for {@link ifMatch}. */
export type Versioned<T> = T & { version?: string };

/** A {@link request} that is answered by a resource with a version. */
export async function requestVersioned<T extends object>(
  method: Method,
  path: string,
  options?: RequestOptions,
): Promise<Versioned<T>> {
  let version: string | null = null;
  const read = await request<T>(method, path, {
    ...options,
    onHeaders: (headers) => (version = headers.get('etag')),
  });
  return version === null ? read : { ...read, version };
}

/** The server refuses the change (412) if the resource has another version by now. */
export function ifMatch(version: string | undefined): Record<string, string> {
  // a proxy that compresses marks the version as weak
  return version === undefined ? {} : { 'if-match': version.replace(/^W\//, '') };
}

/** The server refuses to make a resource (412) that somebody else has made meanwhile. */
export const IF_NONE = { 'if-none-match': '*' };

export const get = <T>(path: string, options?: RequestOptions): Promise<T> =>
  request<T>('GET', path, options);
/** @param key of a request that makes something: with the same one it is carried out once */
export const post = <T>(path: string, body?: unknown, key?: string): Promise<T> =>
  request<T>('POST', path, { body, ...(key !== undefined && { headers: { 'idempotency-key': key } }) });
export const put = <T>(path: string, body: unknown): Promise<T> => request<T>('PUT', path, { body });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>('PATCH', path, { body });
export const remove = <T>(path: string, query?: RequestOptions['query']): Promise<T> =>
  request<T>('DELETE', path, query ? { query } : {});
