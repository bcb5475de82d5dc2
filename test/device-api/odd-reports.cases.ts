import { ODD_ACTIONS, ODD_HEARTBEATS, PLAIN_REPORTS } from './bad-reports.js';
import { Devices, MINUTE, opened, type RegisteredBottle } from './devices.js';

// a bottle cannot read errors: what cannot be meant costs the field, never the report
describe('odd reports are stored without what cannot be meant', () => {
  let devices: Devices;
  let bottle: RegisteredBottle;
  let gateway: { token: string };

  beforeAll(async () => {
    devices = await Devices.start('odd-reports');
    bottle = await devices.register();
    gateway = await devices.gateway(bottle);
  });
  afterAll(() => devices.stop());
  beforeEach(() => devices.clock.advance(MINUTE));

  it.each(ODD_ACTIONS)('an action with %s', async (_, body, reason, field) => {
    const { status, body: answer } = await devices.post(bottle, '/v1/actions', body);
    expect([200, 201]).toContain(status);
    expect(answer.ignored).toEqual([{ field, reason }]);
    // the same in a batch, which is a retry
    const item = { type: 'action', ...body };
    const batch = await devices.post(bottle, '/v1/batch', { items: [item, { type: 'greeting' }] });
    expect(batch.body.results).toMatchObject([
      { status: 200, id: answer.id, ignored: [{ field, reason }] },
      { status: 400 },
    ]);
  });

  it.each(ODD_HEARTBEATS)('a heartbeat with %s', async (_, body, reason, field) => {
    const alone = await devices.post(bottle, '/v1/heartbeats', body);
    expect(alone).toMatchObject({ status: 200, body: { ignored: [{ field, reason }] } });
    const items = [{ type: 'heartbeat', bottle_id: bottle.id, ...body }];
    const batch = await devices.post(gateway, '/v1/gateway/batch', { items });
    expect(batch.body.results).toEqual([{ status: 204, ignored: [{ field, reason }] }]);
  });

  it.each(PLAIN_REPORTS)('an action %s has nothing to ignore', async (_, body) => {
    const { status, body: answer } = await devices.post(bottle, '/v1/actions', body);
    expect([200, 201]).toContain(status);
    expect(answer).not.toHaveProperty('ignored');
  });

  it('a batch whose sent_at cannot be meant is taken by its items', async () => {
    const batch = { sent_at: 'soon', version: 2, items: [{ type: 'heartbeat' }] };
    expect((await devices.post(bottle, '/v1/batch', batch)).body.results).toEqual([{ status: 204 }]);
  });

  it('counts what it leaves out by our fields, and all others together', async () => {
    const ignored = async (field: string): Promise<number> => {
      const line = (await devices.get('/metrics')).text
        .split('\n')
        .find((each) => each.startsWith(`pillwatch_report_fields_ignored_total{field="${field}"`));
      return Number(line?.split(' ').at(-1) ?? 0);
    };
    const before = await ignored('unknown');
    await devices.post(bottle, '/v1/actions', opened(0, { firmware: '1.3', colour: 'blue' }));
    expect(await ignored('unknown')).toBe(before + 2);
    expect((await devices.get('/metrics')).text).not.toContain('firmware');
  });
});
