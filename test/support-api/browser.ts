import supertest from 'supertest';
import { keepPasswords } from '../../tools/harness/staff.js';
import type { Answer, Support } from './support.js';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A browser with a session: the cookie, and the CSRF token that the page sends with its changes. */
export class Browser {
  cookie: string | undefined;
  csrf: string | undefined;
  /** The attributes of the last Set-Cookie. */
  attributes = '';

  constructor(private readonly support: Support) {}

  /** Signs in. */
  async signIn(email: string, password: string, address?: string, code?: string): Promise<Answer> {
    const request = supertest(this.support.app.getHttpServer()).post('/v1/session');
    if (address !== undefined) void request.set('x-forwarded-for', address);
    if (this.cookie !== undefined) void request.set('cookie', this.cookie);
    const answer = await request.send({ email, password, code });
    this.keep(answer.headers['set-cookie'] as unknown as string[] | undefined);
    this.csrf = (answer.body as { csrf_token?: string }).csrf_token;
    return answer;
  }

  /** A request of the page, with the cookie and, unless it is null, the CSRF token. */
  async call(
    method: Method,
    path: string,
    body?: object,
    csrf = this.csrf as string | null,
  ): Promise<Answer> {
    const request = supertest(this.support.app.getHttpServer())[method](path);
    if (this.cookie !== undefined) void request.set('cookie', `theme=dark; ${this.cookie}`);
    if (csrf) void request.set('x-csrf-token', csrf);
    const answer = await (body === undefined ? request : request.send(body));
    this.keep(answer.headers['set-cookie'] as unknown as string[] | undefined);
    return answer;
  }

  private keep(header: string[] | undefined): void {
    const [pair, ...attributes] = header?.[0]?.split('; ') ?? [];
    if (pair === undefined) return;
    this.attributes = attributes.join('; ');
    this.cookie = attributes.includes('Max-Age=0') ? undefined : pair;
  }
}

/** A member of staff with an account. */
export async function staffMember(
  support: Support,
  role: string,
  given: object = {},
): Promise<{ id: string; email: string; password: string }> {
  const email = `${role}-${Math.random().toString(36).slice(2, 8)}@example.org`;
  const answer = await support.post('/v1/staff', { email, role, name: `A ${role}`, ...given });
  if (answer.status !== 201) throw new Error(answer.text);
  await keepPasswords(support.database.db);
  return { id: answer.body.id, email: answer.body.email, password: answer.body.password };
}

/** A browser with a session of this role. */
export async function signedIn(support: Support, role: string): Promise<Browser> {
  const browser = new Browser(support);
  const { email, password } = await staffMember(support, role);
  const answer = await browser.signIn(email, password);
  if (answer.status !== 200) throw new Error(answer.text);
  return browser;
}
