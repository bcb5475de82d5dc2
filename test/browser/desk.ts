import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { asAdmin } from '../support/services.js';
import { World } from '../support/world.js';
import { launchChromium } from './chromium.js';

export const PASSWORD = 'correct horse battery staple';
/** Long enough for a page on a busy machine; what is there already costs nothing. */
const PATIENCE_MS = 30_000;

type Role = 'viewer' | 'support' | 'admin';

/** A member of staff who can sign in. */
export interface Person {
  email: string;
  name: string;
}

/** The real services on a database of their own, a real Chromium, and staff who look at the console with it. */
export class Desk {
  /** Script errors, what the content security policy refused, and requests to another server. */
  private readonly complaints: string[] = [];

  private constructor(
    readonly world: World,
    readonly address: string,
    private readonly browser: Browser,
  ) {}

  /** @param start the clock's first moment: some minutes ago, so that there is time to let pass. */
  static async open(name: string, env: Record<string, string> = {}, start = minutesAgo(30)): Promise<Desk> {
    const browser = await launchChromium();
    const world = await World.start(`browser-${name}`, start.toISOString(), env);
    await world.support.listen(0, '127.0.0.1');
    const { port } = world.support.getHttpServer().address() as AddressInfo;
    return new Desk(world, `http://127.0.0.1:${port}`, browser);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.world.stop();
  }

  /** No page has had anything to complain of since the last time. @throws Error */
  expectNoComplaints(): void {
    const complaints = this.complaints.splice(0);
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
  }

  /** An account of this role. */
  async person(role: Role, name = `A ${role}`): Promise<Person> {
    const email = `${role}-${Math.random().toString(36).slice(2, 8)}@example.org`;
    await asAdmin(this.world.support)
      .post('/v1/staff')
      .send({ email, role, name, password: PASSWORD })
      .expect(201);
    return { email, name };
  }

  /** A browser window of its own in which nobody is signed in. */
  async window(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.address,
      viewport: { width: 1280, height: 860 },
      timezoneId: 'America/New_York',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      // what the server refuses is shown on the page; that the browser says so too is no fault
      const refused = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !refused) this.complaints.push(message.text());
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(data|blob):/.test(url))
        this.complaints.push(`asked another server: ${url}`);
    });
    return page;
  }

  /** A window in which someone of this role is signed in, at this page. */
  async at(
    path: string,
    role: Role | Person = 'support',
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const { email } = typeof role === 'string' ? await this.person(role) : role;
    const page = await this.window(options);
    const answer = await page.context().request.post('/v1/session', { data: { email, password: PASSWORD } });
    if (!answer.ok()) throw new Error(`sign in: ${answer.status()} ${await answer.text()}`);
    await page.goto(path);
    // on a narrow screen it is behind the menu button
    await page.getByRole('navigation', { name: 'Pages', includeHidden: true }).waitFor({ state: 'attached' });
    return page;
  }
}

export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}
