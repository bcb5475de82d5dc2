import { HOUR_MS } from '#domain';
import request from 'supertest';
import { useEndpoints } from './endpoints.js';

describe('webhook endpoints for days', () => {
  const endpoints = useEndpoints('failing-endpoints');
  const { staff, endpointOf, add, openBottle, closeBottle } = endpoints;

  it('that fail hold up no other, and what they missed is replayed', async () => {
    const [good, bad] = [await add(), await add()];
    bad.receiver.status = 500;
    const bottle = await openBottle();
    await closeBottle(bottle);
    expect(good.receiver.types(bottle)).toEqual(['alert.raised', 'alert.resolved']);
    expect(await endpointOf(bad.id)).toMatchObject({ state: 'failing', waiting: 0 });
    // ten attempts
    const still = await openBottle();
    await endpoints.harness.pass(56 * 60);
    const dead: { id: string; kind: string; bottle_id: string }[] = (
      await staff()
        .get('/v1/deliveries')
        .query({ channel: `webhook:${bad.id}`, status: 'dead' })
    ).body.items;
    const ofStill = dead.find(({ kind, bottle_id }) => kind === 'bottle_open' && bottle_id === still.id);
    bad.receiver.status = 204;
    bad.receiver.requests.length = 0;
    const { body } = await staff().post(`/v1/webhook-endpoints/${bad.id}/replay`).send({}).expect(200);
    expect(body).toEqual({ replayed: dead.length });
    await endpoints.harness.pass(2);
    expect(bad.receiver.requests.map(({ headers }) => headers['webhook-id'])).toContain(ofStill!.id);
    expect((await endpointOf(bad.id)).state).toBe('active');
    await closeBottle(still);
    expect(bad.receiver.types(still)).toContain('alert.resolved');
  });

  it('are disabled after 5 days of failure, after a notice by e-mail, to the others, and in the API', async () => {
    await staff()
      .post('/v1/staff')
      .send({ email: 'ada@example.test', name: 'Ada', role: 'admin' })
      .expect(201);
    const jan = await staff()
      .post('/v1/staff')
      .send({ email: 'jan@example.test', name: 'Jan', role: 'admin' })
      .expect(201);
    await request(endpoints.harness.support.getHttpServer())
      .post('/v1/session')
      .set('accept-language', 'de-AT')
      .send({ email: 'jan@example.test', password: jan.body.password })
      .expect(200);
    const [good, bad] = [await add(), await add({ description: 'Care platform' })];
    bad.receiver.status = 503;
    const bottle = await openBottle();
    const notices = () => good.receiver.types().filter((type) => type.startsWith('endpoint.'));
    await endpoints.harness.pass(4 * 24 * 60 - 30);
    expect(notices()).toEqual([]);
    await endpoints.harness.pass(40);
    expect(notices()).toEqual(['endpoint.failing']);
    const [mail] = endpoints.harness.mail.mails.filter(({ to }) => to.includes('ada@example.test'));
    expect(mail!.subject).toMatch(/^Webhook endpoint fails: 127\.0\.0\.1:\d+ \(Care platform\)$/);
    const [german] = endpoints.harness.mail.mails.filter(({ to }) => to.includes('jan@example.test'));
    expect(german!.subject).toMatch(/^Webhook-Endpunkt antwortet nicht: .* \(Care platform\)$/);
    const noticed = await endpointOf(bad.id);
    expect(noticed).toMatchObject({ state: 'failing' });
    expect(new Date(noticed.disabled_from).getTime()).toBeGreaterThanOrEqual(
      new Date(noticed.failing_since).getTime() + 120 * HOUR_MS,
    );
    await endpoints.harness.pass(24 * 60 + 10);
    expect(await endpointOf(bad.id)).toMatchObject({ state: 'disabled' });
    expect(notices()).toEqual(['endpoint.failing', 'endpoint.disabled']);
    bad.receiver.requests.length = 0;
    await closeBottle(bottle);
    const later = await openBottle();
    expect(bad.receiver.requests).toEqual([]);
    // a test shows whether it works again; what is owed waits until it is enabled
    bad.receiver.status = 204;
    await staff().post(`/v1/webhook-endpoints/${bad.id}/test`).expect(202);
    await endpoints.harness.pass(1);
    expect((await endpointOf(bad.id)).test).toMatchObject({ state: 'delivered', status: 204 });
    await staff().post(`/v1/webhook-endpoints/${bad.id}/enable`).expect(200);
    await endpoints.harness.pass(1);
    expect(bad.receiver.types()[0]).toBe('test');
    expect(bad.receiver.types(later)).toEqual(['alert.raised']);
    await closeBottle(later);
  });
});
