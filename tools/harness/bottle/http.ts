import { type Dispatcher, request } from 'undici';

/** How long a device waits for an answer before it takes the request for lost. Milliseconds. */
const ANSWER_TIMEOUT_MS = 15_000;

/** An HTTP answer, whatever its status. */
export interface Answer<T> {
  status: number;
  /** The decoded body of a 2xx, where there is one. */
  body: T | undefined;
  /** Of a refusal: the stable code of its problem details, else `http_<status>`. */
  code?: string;
  /** Of a refusal: its sentence for a person. */
  detail?: string;
  /** The header Retry-After as it came. */
  retryAfter?: string;
}

export interface JsonRequest {
  url: URL;
  token: string;
  method?: 'POST' | 'PUT';
  /** Left out, the request has no body. */
  body?: unknown;
  dispatcher?: Dispatcher | undefined;
  /** Milliseconds; 15 s unless given. */
  answerWithin?: number | undefined;
}

/**
 * Sends JSON with a bearer token.
 *
 * @throws when there is no answer: refused, reset or timed out.
 */
export async function postJson<T>({
  url,
  token,
  method = 'POST',
  body,
  dispatcher,
  answerWithin = ANSWER_TIMEOUT_MS,
}: JsonRequest): Promise<Answer<T>> {
  const answer = await request(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(dispatcher ? { dispatcher } : {}),
    headersTimeout: answerWithin,
    bodyTimeout: answerWithin,
  });
  return readAnswer(answer.statusCode, answer.headers['retry-after'], await answer.body.text());
}

function readAnswer<T>(status: number, retryAfter: string | string[] | undefined, text: string): Answer<T> {
  if (status < 300) return { status, body: text === '' ? undefined : (JSON.parse(text) as T) };
  const { code = `http_${status}`, detail } = readProblem(text);
  return {
    status,
    body: undefined,
    code,
    ...(detail === undefined ? {} : { detail }),
    ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
  };
}

/** Whatever stands between us and the service may answer with something else than problem details. */
function readProblem(text: string): { code?: string; detail?: string } {
  try {
    const { code, detail } = JSON.parse(text) as Record<string, unknown>;
    return {
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof detail === 'string' ? { detail } : {}),
    };
  } catch {
    return {};
  }
}

/** The stable part of a network error, such as ECONNREFUSED, for counting. */
export function networkErrorCode(error: unknown): string {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause === undefined ? 'network_error' : networkErrorCode(cause);
}
