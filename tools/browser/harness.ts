import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { asAdmin } from '../harness/services.js';
import { keepPasswords } from '../harness/staff.js';
import { Harness } from '../harness/harness.js';
import { launchChromium } from './chromium.js';

export const PASSWORD = 'correct horse battery staple';
/** How long to wait for an element: long enough on a busy machine. */
const TIMEOUT_MS = 120_000;

type Role = 'viewer' | 'support' | 'admin';

/** A member of staff who can sign in. */
export interface Person {
  email: string;
  name: string;
}

/** test/support/environment.mjs calls it when a test has failed, before its `afterEach`. */
declare global {
  var onTestFailure: (() => Promise<void>) | undefined;
}

/** The real services on their own database, and a real Chromium in which staff use the console. */
export class BrowserHarness {
  /** Script errors, violations of the content security policy, and requests to other servers. */
  private readonly pageErrors: string[] = [];
  /** Requests of this test that got no response, or were refused. */
  private readonly failedRequests: string[] = [];

  private constructor(
    readonly services: Harness,
    readonly address: string,
    private readonly browser: Browser,
  ) {}

  /** @param start the fake clock's start: some minutes ago, so that tests can advance it without leaving the present. */
  static async start(
    name: string,
    env: Record<string, string> = {},
    start = minutesAgo(30),
  ): Promise<BrowserHarness> {
    const browser = await launchChromium();
    const services = await Harness.start(`browser-${name}`, start.toISOString(), env, { live: true });
    await services.support.listen(0, '127.0.0.1');
    const { port } = services.support.getHttpServer().address() as AddressInfo;
    const harness = new BrowserHarness(services, `http://127.0.0.1:${port}`, browser);
    globalThis.onTestFailure = () => harness.describePages();
    return harness;
  }

  async stop(): Promise<void> {
    globalThis.onTestFailure = undefined;
    await this.browser.close();
    await this.services.stop();
  }

  /** Fails if a page reported an error since the last call. @throws Error */
  expectNoPageErrors(): void {
    const pageErrors = this.pageErrors.splice(0);
    if (pageErrors.length > 0) throw new Error(pageErrors.join('\n'));
  }

  /** Closes the test's pages. Fails if one of them reported an error. @throws Error */
  async endTest(): Promise<void> {
    await Promise.all(this.browser.contexts().map((context) => context.close()));
    this.failedRequests.splice(0);
    this.expectNoPageErrors();
  }

  /** Prints what a failed test's pages show, and which of their requests failed. */
  private async describePages(): Promise<void> {
    const pages = this.browser.contexts().flatMap((context) => context.pages());
    const shown = pages.map(async (page) => {
      const content = page.locator('body').ariaSnapshot({ timeout: 10_000 });
      return `${page.url()}\n${await content.catch(String)}`;
    });
    console.log([...(await Promise.all(shown)), ...this.failedRequests].join('\n\n'));
  }

  /** Creates an account with this role. */
  async createStaff(role: Role, name = `A ${role}`): Promise<Person> {
    const email = `${role}-${Math.random().toString(36).slice(2, 8)}@example.org`;
    await asAdmin(this.services.support)
      .post('/v1/staff')
      .send({ email, role, name, password: PASSWORD })
      .expect(201);
    await keepPasswords(this.services.database.db);
    return { email, name };
  }

  /** A page in a browser context of its own; nobody is signed in. */
  async newPage(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.browser.newContext({
      baseURL: this.address,
      viewport: { width: 1280, height: 860 },
      timezoneId: 'America/New_York',
      // clocks that count to 24
      locale: 'en-GB',
      // an animation is nothing to wait for, and costs a raster of every frame
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(TIMEOUT_MS);
    const page = await context.newPage();
    page.on('pageerror', (error) => this.pageErrors.push(String(error)));
    page.on('console', (message) => {
      // the page shows what the server refuses; the browser's own message about it is no error
      const refused = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !refused) this.pageErrors.push(message.text());
    });
    page.on('requestfailed', (request) => {
      this.failedRequests.push(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`);
    });
    page.on('response', (response) => {
      if (!response.ok()) this.failedRequests.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(this.address) && !/^(data|blob):/.test(url))
        this.pageErrors.push(`request to another server: ${url}`);
    });
    return page;
  }

  /** Signs someone of this role in, without showing anything. */
  async signIn(page: Page, role: Role | Person): Promise<void> {
    const { email } = typeof role === 'string' ? await this.createStaff(role) : role;
    const answer = await page.context().request.post('/v1/session', { data: { email, password: PASSWORD } });
    if (!answer.ok()) throw new Error(`sign in: ${answer.status()} ${await answer.text()}`);
  }

  /** A page at this path, with someone of this role signed in. */
  async openPage(
    path: string,
    role: Role | Person = 'support',
    options: BrowserContextOptions = {},
  ): Promise<Page> {
    const page = await this.newPage(options);
    await this.signIn(page, role);
    await page.goto(path);
    // on a narrow screen the menu hides it; its name depends on the language
    await page.getByRole('navigation', { includeHidden: true }).first().waitFor({ state: 'attached' });
    return page;
  }
}

export function minutesAgo(minutes: number): Date {
  return new Date(Date.now() - minutes * 60_000);
}
