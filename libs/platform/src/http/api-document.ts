import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { productVersion } from '../packages/product.js';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';

/** How people sign in, if a service has pages besides programs that send a bearer token. */
export interface SessionScheme {
  /** The name of the session's cookie. */
  cookie: string;
  /** The header that every change by a session needs besides the cookie. */
  csrfHeader: string;
}

/** What a service's API description begins with. */
export interface ApiDescription {
  title: string;
  description: string;
  session?: SessionScheme;
  /** Bodies may have fields that are not described: they are ignored. Otherwise they are refused. */
  ignoresUnknownFields?: boolean;
  /** Values of one of several classes, by the name that generated clients give them. */
  unions?: Record<string, { oneOf: { $ref: string }[] }>;
  /** What is sent to others, by name: OpenAPI's `webhooks`. */
  webhooks?: Record<string, object>;
}

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Responses = NonNullable<NonNullable<OpenAPIObject['components']>['responses']>;
type Schema = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
const SCHEMAS = '#/components/schemas/';

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer', minimum: 0 } } };

/** Of draft-ietf-httpapi-ratelimit-headers-10. */
const RATE_LIMIT = {
  'RateLimit-Policy': {
    description: 'The limit: its name, the reports or failures (q) of so many seconds (w).',
    schema: { type: 'string', examples: ['"reports";q=600;w=60'] },
  },
  RateLimit: {
    description: 'What is left of it (r), and in how many seconds all of it is there again (t).',
    schema: { type: 'string', examples: ['"reports";r=599;t=60'] },
  },
};

/** A refusal: its description, what its response has besides the problem details, and which requests can get it. */
interface Refusal {
  description: string;
  headers?: Record<string, object>;
  of?: (operation: Operation, path: string) => boolean;
}

const ofPath = (_: Operation, path: string): boolean => path.includes('{');
const ofBody = ({ requestBody }: Operation): boolean => requestBody !== undefined;
const ofHeader =
  (header: string) =>
  ({ parameters = [] }: Operation): boolean =>
    parameters.some((parameter) => 'name' in parameter && parameter.name === header);

const REFUSALS: Record<string, Refusal> = {
  400: { description: 'A field, a parameter or the body is invalid.' },
  401: {
    description: 'Nobody is authenticated.',
    headers: {
      'WWW-Authenticate': { description: 'The scheme: Bearer.', schema: { type: 'string' } },
      ...RATE_LIMIT,
    },
  },
  403: {
    description:
      'The caller may not: the token is of another kind or the role too low, the CSRF token is missing, or a person has ' +
      'to sign in again.',
    of: ({ security = [] }) => security.length > 0,
  },
  404: { description: 'What the address names does not exist.', of: ofPath },
  408: { description: 'The body did not arrive in time.', of: ofBody },
  409: {
    description: 'The present state does not allow it.',
    of: (operation, path) => ofPath(operation, path) || ofBody(operation),
  },
  412: { description: 'The condition of If-Match or If-None-Match does not hold.', of: ofHeader('If-Match') },
  413: { description: 'The body is too large.', of: ofBody },
  414: { description: 'A part of the address is too long.', of: ofPath },
  415: { description: 'This address does not take a body of this type.' },
  422: {
    description: 'The Idempotency-Key belongs to another request.',
    of: ofHeader('Idempotency-Key'),
  },
  429: { description: 'Too many requests.', headers: { ...RETRY_AFTER, ...RATE_LIMIT } },
  431: { description: 'The headers and the address are larger than 16 KB together.' },
  500: { description: 'A fault on our side; `error_id` is in our log.' },
  503: { description: 'Not now; nothing was stored.', headers: RETRY_AFTER },
};

const TEXT = { type: 'string' };
const FIELD_ERROR = {
  type: 'object',
  description: 'One wrong field of a request.',
  properties: {
    field: { ...TEXT, description: 'Its path, such as `items[3].time`.' },
    code: { ...TEXT, description: 'What is wrong with it, as a stable word.' },
    message: { ...TEXT, description: 'An explanation for people.' },
    line: { type: 'integer', minimum: 1, description: 'In a file: the line, the first is 1.' },
  },
  required: ['field', 'code', 'message'],
};
const PROBLEM = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  properties: {
    type: { ...TEXT, format: 'uri', description: 'Names the code as a URI.' },
    title: TEXT,
    status: { type: 'integer', minimum: 400, maximum: 599 },
    code: { ...TEXT, description: 'A stable code for programs.' },
    detail: { ...TEXT, description: 'An explanation for people.' },
    instance: { ...TEXT, format: 'uri', description: 'Names the request, as x-request-id does.' },
    field: { ...TEXT, description: 'The first wrong field.' },
    errors: { type: 'array', items: { $ref: `${SCHEMAS}FieldError` } },
    error_id: { ...TEXT, description: 'With 500: the id of the fault in our log.' },
  },
  required: ['type', 'title', 'status', 'code', 'detail'],
};

/** The OpenAPI document of a service: what the decorators say, and what is true of every route. */
export function describeApi(
  app: NestFastifyApplication,
  { title, description, session, unions = {}, webhooks, ignoresUnknownFields = false }: ApiDescription,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle(title)
    .setDescription(description)
    .setVersion(productVersion())
    .setLicense('MIT', 'https://opensource.org/license/mit')
    .addServer('/')
    .addSecurity('bearer', { type: 'http', scheme: 'bearer' });
  if (session) {
    builder.addSecurity('session', { type: 'apiKey', in: 'cookie', name: session.cookie });
    builder.addSecurity('csrf', { type: 'apiKey', in: 'header', name: session.csrfHeader });
  }
  const created = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (_, method) => method,
  });
  const document = withoutSuffix(withUnions(created, unions));
  refuseDuplicates(document);
  const schemas = (document.components!.schemas ??= {}) as Record<string, Schema>;
  for (const [path, method, operation] of operationsOf(document)) {
    operation.security = securityOf(operation, method, session);
    addRefusals(operation, path);
    if (operation.requestBody && 'content' in operation.requestBody)
      sayOfUnknownFields(operation.requestBody.content, schemas, ignoresUnknownFields);
  }
  Object.assign(schemas, { Problem: PROBLEM, FieldError: FIELD_ERROR });
  const used = JSON.stringify(document.paths);
  document.components!.responses = Object.fromEntries(
    Object.entries(REFUSALS)
      .map(([status, refusal]) => [`Problem${status}`, responseOf(refusal)] as const)
      .filter(([name]) => used.includes(`/responses/${name}"`)),
  );
  return webhooks ? Object.assign(document, { webhooks }) : document;
}

/** Names the unions: some generators make no code that compiles of one that has no name. */
function withUnions(document: OpenAPIObject, unions: NonNullable<ApiDescription['unions']>): OpenAPIObject {
  const names = new Map(Object.entries(unions).map(([name, { oneOf }]) => [JSON.stringify(oneOf), name]));
  const named = JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const { oneOf, ...others } = (value ?? {}) as { oneOf?: unknown };
    const name = names.get(JSON.stringify(oneOf));
    return name !== undefined ? { $ref: SCHEMAS + name, ...others } : value;
  }) as OpenAPIObject;
  Object.assign((named.components!.schemas ??= {}), unions);
  return named;
}

/** The names of our classes end in Dto; those that a client is generated with do not. */
function withoutSuffix(document: OpenAPIObject): OpenAPIObject {
  const name = (schema: string): string => schema.replace(/Dto$/, '');
  const renamed = JSON.parse(JSON.stringify(document), (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(SCHEMAS) ? name(value) : value,
  ) as OpenAPIObject;
  const schemas = Object.entries(renamed.components!.schemas ?? {});
  renamed.components!.schemas = Object.fromEntries(schemas.map(([key, schema]) => [name(key), schema]));
  if (Object.keys(renamed.components!.schemas).length < schemas.length)
    throw new Error('two classes of the API differ in their Dto only');
  return renamed;
}

/** A handler's name is its operation's id, from which clients make their methods. */
function refuseDuplicates(document: OpenAPIObject): void {
  const ids = new Set<string>();
  for (const [path, method, { operationId }] of operationsOf(document)) {
    if (operationId === undefined || ids.has(operationId))
      throw new Error(`${method} ${path} needs a handler of another name than ${operationId}`);
    ids.add(operationId);
  }
}

function* operationsOf({ paths }: OpenAPIObject): Generator<[string, string, Operation]> {
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS) if (item[method]) yield [path, method, item[method]];
}

/** A route without authentication says so; one for staff takes a session, too. */
function securityOf(
  { security = [] }: Operation,
  method: string,
  session: SessionScheme | undefined,
): Operation['security'] {
  if (security.length === 0 || !session) return security;
  return [...security, { session: [], ...(method === 'get' ? {} : { csrf: [] }) }];
}

function responseOf({ description, headers }: Refusal): Responses[string] {
  const schema = { $ref: `${SCHEMAS}Problem` };
  return { description, ...(headers && { headers }), content: { 'application/problem+json': { schema } } };
}

/** A refusal that a route describes itself keeps its description. */
function addRefusals({ responses, ...operation }: Operation, path: string): void {
  for (const [status, { of }] of Object.entries(REFUSALS)) {
    const described = responses[status];
    if (described) Object.assign(described, responseOf(REFUSALS[status]!), described);
    else if (!of || of({ responses, ...operation }, path))
      responses[status] = { $ref: `#/components/responses/Problem${status}` };
  }
}

/** Says of every object in a request whether it may have unknown fields. */
function sayOfUnknownFields(node: unknown, schemas: Record<string, Schema>, allowed: boolean): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Schema;
  const { $ref, properties } = schema;
  if (typeof $ref === 'string') {
    const named = schemas[$ref.slice(SCHEMAS.length)];
    if (named && named['additionalProperties'] === undefined) sayOfUnknownFields(named, schemas, allowed);
  }
  if (typeof properties === 'object') schema['additionalProperties'] ??= allowed;
  for (const inner of Object.values(schema)) sayOfUnknownFields(inner, schemas, allowed);
}
