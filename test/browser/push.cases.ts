import { BrowserHarness } from '../../tools/browser/harness.js';
import { eventually } from '../../tools/harness/eventually.js';
import { PushReceiver, type TestBrowser } from '../../tools/harness/push-receiver.js';
import { asAdmin } from '../../tools/harness/services.js';
import { lateDoses, MORNING, OPERATOR } from '../../tools/browser/late-doses.js';

/** What Chromium's protocol says of a service worker. */
interface Registered {
  registrations: { registrationId: string; scopeURL: string }[];
}

/** What stands for a push service: the page gets this subscription. */
const subscribing = (browser: TestBrowser): string => `{
  const { endpoint, p256dh, auth } = ${JSON.stringify({ ...browser, ecdh: undefined })};
  const made = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }) };
  let isSubscribed = false;
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error('not as browsers want it');
    isSubscribed = true;
    return made;
  };
  PushManager.prototype.getSubscription = async () => (isSubscribed ? made : null);
}`;

describe('a browser that shows messages', () => {
  let harness: BrowserHarness;
  let services: PushReceiver;
  let path: string;

  beforeAll(async () => {
    services = await PushReceiver.start();
    harness = await BrowserHarness.start(
      'push',
      { ...OPERATOR, PUSH_KEY: 'a-key-of-push-of-at-least-32-characters', PUSH_ALLOW_PRIVATE: 'true' },
      MORNING,
    );
    const [dose] = await lateDoses(harness, 'anna', ['blue, kitchen']);
    path = dose!.path;
  });
  afterAll(async () => {
    await harness?.stop();
    await services?.stop();
  });
  afterEach(() => harness.endTest());

  // Chromium without Google's services has no push service: what a subscription is comes from the test, and a message
  // reaches the service worker by Chromium's protocol; without a screen it has no notifications, only their call is seen
  it('adds it on the page of a mail, and shows what comes', async () => {
    const page = await harness.newPage({ permissions: ['notifications'] });
    const browser = services.subscribe();
    await page.addInitScript(subscribing(browser));
    const cdp = await page.context().newCDPSession(page);
    const registered = new Promise<Registered>((resolve) =>
      cdp.on('ServiceWorker.workerRegistrationUpdated', (event) => {
        if (event.registrations.length > 0) resolve(event);
      }),
    );
    await cdp.send('ServiceWorker.enable');
    await page.goto(path);
    await page.getByRole('button', { name: 'Show messages on this device' }).click();
    await page.getByText('This device shows messages from now on').waitFor();
    expect(await page.locator('#push button').count()).toBe(0);
    const contact = await asAdmin(harness.services.support).get('/v1/contacts/anna').expect(200);
    expect(contact.body).toMatchObject({ push: true });

    await harness.services.open(await harness.services.register({ user_id: 'anna' }));
    await harness.services.pass(6);
    const [shown] = services.shownBy(browser);
    expect(shown).toMatchObject({ title: 'Bottle left open' });
    const { registrations } = await registered;
    const [{ registrationId }] = registrations as [Registered['registrations'][number]];
    const data = JSON.stringify(shown);
    const worker = page.context().serviceWorkers()[0]!;
    await worker.evaluate(`
      self.shown = [];
      self.registration.showNotification = async (title, { data }) => self.shown.push([title, data]);
    `);
    await cdp.send('ServiceWorker.deliverPushMessage', { origin: harness.address, registrationId, data });
    await eventually(async () =>
      expect(await worker.evaluate('self.shown')).toEqual([['Bottle left open', shown!.url]]),
    );
  });

  it('is added by staff, shown in their list, and removed', async () => {
    const page = await harness.newPage({ permissions: ['notifications'] });
    await harness.signIn(page, 'viewer');
    const browser = services.subscribe();
    await page.addInitScript(subscribing(browser));
    await page.goto('/');
    const openDialog = async () => {
      await page.getByRole('button', { name: /account menu/ }).click();
      await page.getByRole('menuitem', { name: 'Messages in the browser' }).click();
    };
    await openDialog();
    await page.getByRole('button', { name: 'Show in this browser' }).click();
    await page.getByText('This browser shows messages from now on.').waitFor();
    const row = page.getByRole('row', { name: /Chrome.*\(this one\)/ });
    await row.waitFor();
    expect(await page.getByRole('button', { name: 'Show in this browser' }).isDisabled()).toBe(true);
    await harness.services.open(await harness.services.register({ user_id: 'nobody' }));
    await harness.services.pass(6);
    const { pathname } = new URL(services.shownBy(browser)[0]!.url!);
    await row.getByRole('button', { name: /^Remove Chrome/ }).click();
    await row.waitFor({ state: 'detached' });
    await page.goto(pathname);
    await page.getByRole('heading', { name: 'Left open' }).waitFor();
  });

  it('is offered by the script only: without, the page is as before', async () => {
    const page = await harness.newPage({ javaScriptEnabled: false });
    await page.goto(path);
    await page.getByRole('button', { name: 'I took it' }).waitFor();
    expect(await page.locator('#push').isVisible()).toBe(false);
  });
});
