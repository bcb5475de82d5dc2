import { isProblem, isStatus, type Method, type RequestOptions, send } from './http.js';
import { session } from './session.js';

/**
 * A request in the name of whoever is signed in. When the session has ended meanwhile, it waits until they have
 * signed in again and is then sent once more: nothing that was typed is lost.
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
    else throw error;
    return send<T>(method, path, withToken(method, options));
  }
}

/** Somebody has signed in again in another tab: the cookie is newer than our token. */
async function freshToken(used: string): Promise<void> {
  if (session.csrf === used) await session.load();
  if (session.get().kind !== 'signed-in') await session.renewed();
}

function withToken(method: Method, options: RequestOptions): RequestOptions {
  if (method === 'GET') return options;
  return { ...options, headers: { ...options.headers, 'x-csrf-token': session.csrf } };
}

export const get = <T>(path: string, options?: RequestOptions): Promise<T> =>
  request<T>('GET', path, options);
export const post = <T>(path: string, body?: unknown): Promise<T> => request<T>('POST', path, { body });
export const put = <T>(path: string, body: unknown): Promise<T> => request<T>('PUT', path, { body });
export const patch = <T>(path: string, body: unknown): Promise<T> => request<T>('PATCH', path, { body });
export const remove = <T>(path: string, query?: RequestOptions['query']): Promise<T> =>
  request<T>('DELETE', path, query ? { query } : {});
