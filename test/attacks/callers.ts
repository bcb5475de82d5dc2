import { newToken, signLink } from '#platform';
import { type Browser, signedIn } from '../support-api/browser.js';
import type { Support } from '../support-api/support.js';

export const LINK_SECRET = 'a-secret-of-links-for-tests-0123456789';
export const OPERATIONS_KEY = 'an-operations-key-for-tests-0123456789';

export const ROLES = ['viewer', 'support', 'admin'] as const;
type Role = (typeof ROLES)[number];

/** Somebody who sends requests. */
export interface Caller {
  name: string;
  headers: Record<string, string>;
  /** As what the services know them; undefined for somebody whom they do not know. */
  is?: 'bottle' | 'gateway' | 'key' | 'session';
  /** Of staff. */
  role?: Role;
  /** A page that does not send its CSRF token. */
  withoutCsrf?: true;
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

const cookieOf = ({ cookie }: Browser): Record<string, string> => ({ cookie: cookie! });

/** One of everybody who can try to use a route, with what they have. */
export async function callersOf(support: Support): Promise<Caller[]> {
  const [bottle, other] = [await support.register(), await support.register({ user_id: 'somebody-else' })];
  const gateway = (await support.post('/v1/gateways', { name: 'hub' })).body as { token: string };
  const inAWeek = new Date(support.clock.now().getTime() + 7 * 86_400_000);
  const link = signLink(LINK_SECRET, { id: '0'.repeat(32), expires_at: inAWeek }, 'carer@example.org');
  const staff = await Promise.all(ROLES.map((role) => staffOf(support, role)));
  return [
    { name: 'nobody', headers: {} },
    { name: 'an empty bearer', headers: { authorization: 'Bearer ' } },
    { name: 'an unknown key', headers: bearer(newToken('pwk')) },
    { name: 'an unknown bottle', headers: bearer(newToken('pwb')) },
    { name: 'an unknown session', headers: { cookie: `pillwatch_session=${newToken('pwk')}` } },
    { name: "a carer's link", headers: bearer(link) },
    { name: 'the operations key', headers: bearer(OPERATIONS_KEY) },
    { name: 'a bottle', headers: bearer(bottle.token), is: 'bottle' },
    { name: 'another bottle', headers: bearer(other.token), is: 'bottle' },
    { name: 'a gateway', headers: bearer(gateway.token), is: 'gateway' },
    ...staff.flat(),
  ];
}

async function staffOf(support: Support, role: Role): Promise<Caller[]> {
  const [key, page] = [await support.keyOf(role), await signedIn(support, role)];
  const csrf = { ...cookieOf(page), 'x-csrf-token': page.csrf! };
  return [
    { name: `a key of a ${role}`, headers: bearer(key), is: 'key', role },
    // first: the next one also signs out
    {
      name: `a session of a ${role} without CSRF token`,
      headers: cookieOf(page),
      is: 'session',
      role,
      withoutCsrf: true,
    },
    { name: `a session of a ${role}`, headers: csrf, is: 'session', role },
  ];
}
