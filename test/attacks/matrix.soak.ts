/* oxlint-disable no-console -- the figures of docs/security.md */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { Support } from '../support-api/support.js';
import { type Caller, callersOf, LINK_SECRET, OPERATIONS_KEY, ROLES } from './callers.js';

/** What an OpenAPI document says of a route. */
interface Operation {
  security: Record<string, string[]>[];
  responses: Record<string, object>;
  requestBody?: unknown;
  'x-role'?: (typeof ROLES)[number];
  'x-sensitive'?: 'accounts' | 'data';
}

/** A route of a service. */
interface Route extends Operation {
  service: 'device-api' | 'support-api';
  method: string;
  path: string;
}

function routesOf(service: Route['service']): Route[] {
  const { paths } = JSON.parse(readFileSync(`docs/openapi/${service}.json`, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ service, method, path, ...operation })),
  );
}

/** Signing out comes last: the others are of the same sessions. */
const endsSession = ({ method, path }: Route): number => Number(`${method} ${path}` === 'delete /v1/session');
const ROUTES = [...routesOf('device-api'), ...routesOf('support-api')].sort(
  (one, other) => endsSession(one) - endsSession(other),
);

/** What the documents say that a caller gets: the statuses of a refusal, or undefined if the route is theirs. */
function refusalOf(route: Route, caller: Caller): number[] | undefined {
  if (route.security.length === 0) return undefined;
  if (route.service === 'device-api') {
    const theirs = route.path.startsWith('/v1/gateway/') ? 'gateway' : 'bottle';
    if (caller.is === theirs) return undefined;
    // the prefix of a token says its kind before anybody looks it up
    return caller.is === undefined || caller.is === 'session' ? [401, 403] : [403];
  }
  if (caller.role === undefined) return [401];
  if (caller.withoutCsrf && route.method !== 'get') return [403];
  if (ROLES.indexOf(caller.role) < ROLES.indexOf(route['x-role']!)) return [403];
  return caller.is === 'key' && route['x-sensitive'] === 'accounts' ? [403] : undefined;
}

let support: Support;
let callers: Caller[];
/** Of a bottle and its owner, for those who must be refused: where a guard is missing, they get what is there. */
let there: { id: string };

beforeAll(async () => {
  support = await Support.start('matrix', { LINK_SECRET, OPERATIONS_KEY }, { live: true });
  for (const app of [support.app, support.device]) await app.listen(0, '127.0.0.1');
  callers = await callersOf(support);
  there = await support.register({ user_id: 'somebody' });
});
afterAll(() => support?.stop());

/** @param isRefused whoever is admitted names what does not exist, so that one request leaves the next as it was */
async function send(route: Route, { headers }: Caller, isRefused: boolean): Promise<number> {
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === 'user_id') return isRefused ? 'somebody' : 'nobody-here';
    return isRefused ? there.id : '0'.repeat(24);
  });
  const app = route.service === 'device-api' ? support.device : support.app;
  const { port } = app.getHttpServer().address() as AddressInfo;
  const body = { headers: { 'content-type': 'application/json' }, body: '{}' };
  const sent = route.requestBody === undefined ? undefined : body;
  const answer = await fetch(`http://127.0.0.1:${port}${address}`, {
    method: route.method.toUpperCase(),
    ...sent,
    headers: { ...headers, ...sent?.headers },
  });
  // the answer of a change feed has no end
  await answer.body?.cancel();
  return answer.status;
}

it('every route of the OpenAPI documents answers every caller as they say', async () => {
  const violations: string[] = [];
  const began = performance.now();
  let requests = 0;
  for (const route of ROUTES) {
    for (const caller of callers) {
      const refusal = refusalOf(route, caller);
      const status = await send(route, caller, refusal !== undefined);
      requests += 1;
      const isRight = refusal ? refusal.includes(status) : status < 500 && ![401, 403].includes(status);
      // signing in: whoever sends no right password is refused
      const isOpen = route.security.length === 0 && status >= 400 && status < 500;
      if ((!isRight && !isOpen) || !(status in route.responses))
        violations.push(`${route.method} ${route.path} answers ${caller.name} with ${status}`);
    }
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(
    `matrix: ${ROUTES.length} routes x ${callers.length} callers, ${requests} requests, ${violations.length} violations, ${seconds} s`,
  );
  expect(violations).toEqual([]);
});

it('only the operations key opens what operators read', async () => {
  const opened: string[] = [];
  for (const app of [support.app, support.device]) {
    const { port } = app.getHttpServer().address() as AddressInfo;
    for (const path of ['/metrics', '/docs/json'])
      for (const { name, headers } of callers) {
        const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
        if (status !== 401) opened.push(`${path} ${name} ${status}`);
      }
  }
  const admitted = ['/metrics', '/docs/json'].map((path) => `${path} the operations key 200`);
  expect(opened).toEqual([...admitted, ...admitted]);
});
