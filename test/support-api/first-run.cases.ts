import { Browser, staffMember } from './browser.js';
import { insertDeliveries, at } from './fixtures.js';
import { CoverageGaps } from '../../apps/notifier/src/alert-kinds/coverage-gap/coverage-gaps.js';
import { startNotifier } from '../../tools/harness/services.js';
import { Support } from './support.js';

describe('the checklist of a new service', () => {
  let support: Support;

  beforeAll(async () => {
    support = await Support.start('first-run', {
      PUBLIC_URL: 'https://pillwatch.example',
      SECOND_FACTOR: 'off',
    });
  });
  afterAll(() => support?.stop());

  const done = async (): Promise<string[]> => {
    const { steps } = (await support.get('/v1/first-run')).body as {
      steps: { step: string; done: boolean }[];
    };
    return steps.filter((one) => one.done).map(({ step }) => step);
  };

  it('sees what is done, by what is stored', async () => {
    expect(await done()).toEqual(['second_factor', 'public_url']);
    // a canary is no patient's bottle
    await support.post('/v1/canaries');
    const first = await staffMember(support, 'admin');
    expect(await done()).toEqual(['second_factor', 'public_url']);
    const browser = new Browser(support);
    await browser.signIn(first.email, first.password);
    await browser.call('post', '/v1/session/password', {
      current: first.password,
      next: 'quite another one 7',
    });
    await support.register();
    await support.call('put', '/v1/contacts/will', { name: 'Will' });
    expect(await done()).toEqual(['password', 'second_factor', 'public_url', 'bottle', 'contact']);
    await insertDeliveries(support, [
      { status: 'delivered', channel: 'email', attempts: [{ at: at(0), ok: true }] },
    ]);
    expect(await done()).toEqual(expect.arrayContaining(['mail', 'test_message']));
    await staffMember(support, 'admin');
    // who has not chosen a password yet
    expect(await done()).not.toContain('password');
    expect(await done()).toContain('second_admin');
    expect(await done()).not.toContain('backup');
    expect((await browser.call('post', '/v1/first-run/backup')).status).toBe(204);
    expect(await done()).toContain('backup');
    expect((await support.get('/v1/audit?subject=list:first_run')).body.items).toMatchObject([
      { action: 'setup.confirm_backup', who: { kind: 'staff' } },
    ]);
    const channels = async () => (await support.get('/v1/first-run')).body.channels;
    expect(await channels()).toEqual(['email', 'sms', 'push'].map((channel) => ({ channel, set_up: null })));
    const { app } = await startNotifier(support.database.uri, support.clock);
    try {
      await app.get(CoverageGaps).recordChecks(support.clock.now());
      expect(await channels()).toContainEqual({ channel: 'email', set_up: false });
      // it was delivered before the mail server was taken out of the settings
      expect(await done()).not.toContain('mail');
    } finally {
      await app.close();
    }
  });
});
