import { MINUTE_MS } from '#domain';
import { asAdmin, type TestBottle } from '../../tools/harness/services.js';
import { NotifierHarness } from './notifier-harness.js';

describe('shared token', () => {
  const KIND = 'shared_token';

  let harness: NotifierHarness;

  beforeAll(async () => {
    harness = await NotifierHarness.start('shared_token');
  });
  afterAll(() => harness?.stop());

  beforeEach(() => harness.begin());

  /** A minute later a pill is taken out, after which so many are left; the checks run. */
  async function take(bottle: TestBottle, ...left: number[]): Promise<void> {
    for (const number_of_pills of left) {
      await harness.pass(MINUTE_MS);
      await harness.action(bottle, 'closed', { pills_taken: 1, number_of_pills });
      await harness.notifier.runAll();
    }
  }

  it('ends when the token is replaced, and what came before does not raise it again', async () => {
    const bottle = await harness.register();
    await take(bottle, 29, 11, 28, 10);
    expect(await harness.alerts(bottle, KIND)).toEqual([]);
    await take(bottle, 27, 9);
    const evidence = { rule: 'two_counts', number_of_pills: 28, other_number_of_pills: 10 };
    expect(await harness.alerts(bottle, KIND)).toMatchObject([{ state: 'open', evidence }]);
    await harness.pass(MINUTE_MS);
    const renewed = await asAdmin(harness.support).post(`/v1/bottles/${bottle.id}/token`).expect(201);
    await harness.notifier.runAll();
    expect(harness.received(bottle, KIND)).toEqual(['raised', 'resolved']);
    const [alert] = await harness.alerts(bottle, KIND);
    const { body } = await asAdmin(harness.support).get(`/v1/alerts/${alert!._id.toHexString()}`).expect(200);
    expect(body).toMatchObject({ state: 'resolved', ended_as: 'token_replaced' });
    const { token } = renewed.body as { token: string };
    const post: TestBottle['post'] = (path, report) =>
      bottle.post(path, report).set('authorization', `Bearer ${token}`);
    await take({ ...bottle, token, post }, 26, 25);
    expect(await harness.alerts(bottle, KIND)).toHaveLength(1);
  });
});
