import { HttpException } from '@nestjs/common';

/** One wrong field of a request: its path (`items[3].time`), a stable code and a sentence for a person. */
export interface FieldError {
  field: string;
  code: string;
  message: string;
  /** In a file: the line, the first is 1. */
  line?: number;
}

/** Characters of an unknown field's name that an answer repeats. */
const SHOWN_NAME = 100;

/** The error of a field that a request may not have; its name is the caller's own and may be long. */
export function unknownField(name: string): FieldError {
  const field = name.length > SHOWN_NAME ? `${name.slice(0, SHOWN_NAME)}…` : name;
  return { field, code: 'unknown_field', message: `${field} is not a field of this request` };
}

/** The body of every error answer (RFC 9457, `application/problem+json`). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  /** Names the request. */
  instance?: string;
  field?: string;
  errors?: FieldError[];
  error_id?: string;
}

/** An error that a caller is meant to see: its `code` is stable and documented in docs/device-integration.md. */
export class Problem extends HttpException {
  constructor(
    status: number,
    readonly code: string,
    detail: string,
    readonly errors?: FieldError[],
    readonly retryAfterSeconds?: number,
  ) {
    super(detail, status);
  }

  /** The request names something that is not there. */
  static notFound(what: string): Problem {
    return new Problem(404, `${what}_not_found`, `There is no such ${what.replace('api_', 'API ')}.`);
  }

  /** The service cannot do it now and nothing was stored; the same request may be sent again. */
  static unavailable(code: string, detail: string, retryAfterSeconds = 5): Problem {
    return new Problem(503, code, detail, undefined, retryAfterSeconds);
  }

  /** One field of an otherwise readable request is wrong. */
  static field(field: string, code: string, message: string, status = 400): Problem {
    return new Problem(status, code, message, [{ field, code, message }]);
  }
}

/** Names a request in its response. @param requestId as in x-request-id */
export const instanceOf = (requestId: string): string =>
  `urn:pillwatch:request:${encodeURIComponent(requestId)}`;

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Body too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  422: 'Cannot be processed',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'Internal error',
  503: 'Unavailable',
};

/** Builds the RFC 9457 body. */
export function problemBody(
  status: number,
  code: string,
  detail: string,
  errors?: FieldError[],
): ProblemDetails {
  return {
    type: `urn:pillwatch:problem:${code}`,
    title: TITLES[status] ?? 'Error',
    status,
    code,
    detail,
    ...(errors?.[0] ? { field: errors[0].field, errors } : {}),
  };
}
